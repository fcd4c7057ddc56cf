"""API of groups: authentication, settings, links and people."""

from collections.abc import Container
from typing import Any

from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from referee.engine.rules import Problem, Refused
from scoring.groups.acts import group_access, groups, people
from scoring.groups.api import answers, bodies
from scoring.groups.reads.groups import people_of, standing_group_links
from scoring.models import Group, GroupLink, GroupRole
from scoring.tables.acts.exceptions import ManagesNothing, NoSuchPerson, NotMember
from scoring.tables.acts.keys import Caller
from scoring.tables.api.access import BearerAuthentication, FromHere, RetriedAPIView
from scoring.tables.api.headers import etag, group_caller_of, key_of
from scoring.tables.api.paging import PageQuery, Paginator
from scoring.tables.api.schema import operation, problems

OF_GROUP = {"code": "The code of the group."}
OF_PERSON = OF_GROUP | {"number": "The id of the person."}
MANAGE, SHARE = "manage", "share"


class OfGroup(BasePermission):
    """Permission by a link to the group: any link to read, the view's required right to write.

    Sets ``group`` and ``link`` on the view.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        assert isinstance(view, GroupAPIView)
        if not request.auth:
            raise NotAuthenticated("A group opens with the token of a link to it.")
        view.group, view.link = group_access.admit_to_group(view.kwargs["code"], request.META, token=str(request.auth))
        if request.method not in SAFE_METHODS:
            view.require(SHARE if request.method in view.members_only else MANAGE)
        return True


class GroupAPIView(RetriedAPIView):
    """Base of views of one group: any link reads; members and bots with `manage` write."""

    authentication_classes = [BearerAuthentication]
    address = OF_GROUP
    looks_back = True
    kept = "private, no-cache"

    members_only: Container[str] = ()  # methods closed to bots

    group: Group
    link: GroupLink

    def require(self, right: str) -> None:
        if right not in self.link.may:
            raise ManagesNothing if right == MANAGE and self.link.role == GroupRole.BOT else NotMember

    @classmethod
    def needs_token(cls, method: str) -> bool:
        return True

    @property
    def caller(self) -> Caller:
        return group_caller_of(self.request, self.link)

    def query(self, kind: type[Serializer[Any]]) -> dict[str, Any]:
        values = super().query(kind)
        person = values.get("person")
        if person is not None and not self.group.people.filter(pk=person).exists():
            raise Refused([Problem("/person", "no-such-person", NoSuchPerson().detail)], malformed=True)
        return values

    def get_permissions(self) -> list[BasePermission]:
        method = (self.request.method or "").lower()
        if method not in self.http_method_names or not hasattr(self, method):
            return []  # 405 comes before authentication
        return [OfGroup()]


class GroupsView(RetriedAPIView):
    permission_classes = [FromHere]
    opens = True

    @operation("create_group", "Make a group", {201: answers.NewGroup}, request=bodies.NewGroupBody)
    def post(self, request: Request) -> Response:
        """The response has a member’s token, shown only once."""
        made = groups.create_group(**self.read(bodies.NewGroupBody), key=key_of(request))
        return answers.group_made(made.link, {"token": made.token or None}, 0)


class GroupView(GroupAPIView):
    members_only = ("DELETE",)

    @operation("get_group", "A group with its people", {200: answers.DescribedGroup})
    def get(self, request: Request, code: str) -> Response:
        """For anyone with a link to the group. `role` is the role of this link; `links` has the related addresses."""
        self.version = self.group.version
        return Response(answers.describe_group(self.group, self.link))

    @operation(
        "change_group",
        "Change the settings of a group",
        {200: answers.DescribedGroup},
        request=bodies.GroupBody,
    )
    def patch(self, request: Request, code: str) -> Response:
        """Omitted keys stay. For members and for bots with `manage`. A stale `If-Match` is refused."""
        group = groups.change_group(self.group.code, **self.read(bodies.GroupBody), caller=self.caller)
        return Response(answers.describe_group(group, self.link), headers={"ETag": etag(group.version)})

    @operation("delete_group", "Permanently delete a group with all its tables and people", {204: None})
    def delete(self, request: Request, code: str) -> Response:
        """For members. Tables, people, statistics and links are deleted too; an archive made earlier restores them."""
        groups.delete_group(self.group.code, self.caller)
        return Response(status=204)


class GroupLinksView(GroupAPIView):
    members_only = ("POST",)

    @operation(
        "list_group_links",
        "List a group’s active links, without their tokens",
        {200: answers.LinksToGroup, **problems(422)},
        parameters=[PageQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """Members see every link, others only their own."""
        pages, links = Paginator(self, self.query(PageQuery)), standing_group_links(self.group)
        shown = links if self.link.manages else links.filter(pk=self.link.pk)
        part = pages.cut(shown.order_by("pk"), lambda link: (link.pk,))
        return pages.answer({"rights": [answers.describe_group_link(link, self.link) for link in part]})

    @operation(
        "make_group_link",
        "Make a link to a group",
        {201: answers.NewGroupLink, **problems(409)},
        request=bodies.GroupLinkBody,
    )
    def post(self, request: Request, code: str) -> Response:
        """For members. The token is shown only once. `url` opens the group on any phone until the link is revoked; a
        bot’s key, which has a `scope` and a `name`, has no `url`.
        """
        made = groups.add_group_link(self.group.code, **self.read(bodies.GroupLinkBody), caller=self.caller)
        body = {**answers.describe_group_link(made.link, self.link), **answers.describe_token(request, made)}
        return Response(body, status=201, headers={"Cache-Control": "no-store"})


class GroupLinkView(GroupAPIView):
    members_only = ("PATCH", "DELETE")
    address = OF_GROUP | {"number": "The id of the link."}

    @operation(
        "rename_group_link",
        "Rename a link",
        {200: answers.DescribedGroupLink},
        request=bodies.LinkNameBody,
    )
    def patch(self, request: Request, code: str, number: int) -> Response:
        """For members. Tables where its token records show the new name too."""
        link = groups.name_group_link(self.group.code, number, self.read(bodies.LinkNameBody)["name"], self.caller)
        return Response(answers.describe_group_link(link, self.link))

    @operation("revoke_group_link", "Revoke a link", {204: None, **problems(409)})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """For members. The last member’s link can’t be revoked, so someone can always open the group."""
        groups.revoke_group_link(self.group.code, number, self.caller)
        return Response(status=204)


class PeopleView(GroupAPIView):
    @operation(
        "list_people", "List the people of a group", {200: answers.People, **problems(422)}, parameters=[PageQuery]
    )
    def get(self, request: Request, code: str) -> Response:
        """`merged_into` is the person this one counts as; `aliases` are other spellings of the name."""
        pages = Paginator(self, self.query(PageQuery))
        part = pages.cut(people_of(self.group), lambda person: (person.pk,))
        return pages.answer({"people": [answers.describe_person(person) for person in part]})

    @operation("add_person", "Add a person", {201: answers.DescribedPerson}, request=bodies.NewPersonBody)
    def post(self, request: Request, code: str) -> Response:
        """For members and for bots with `manage`. A name or alias belongs to one person only."""
        read = self.read(bodies.NewPersonBody)
        read["colour"] = read["colour"] or ""
        person = people.add_person(self.group.code, caller=self.caller, **read)
        return Response(answers.describe_person(person), status=201)


class PersonView(GroupAPIView):
    address = OF_PERSON

    @operation(
        "change_person",
        "Change a person’s name, its spellings or the colour",
        {200: answers.DescribedPerson},
        request=bodies.PersonBody,
    )
    def patch(self, request: Request, code: str, number: int) -> Response:
        """Omitted keys stay. A new name appears at every table at once; scores stay."""
        changes = {key: value for key, value in self.read(bodies.PersonBody).items() if key in request.data}
        if "colour" in changes:
            changes["colour"] = changes["colour"] or ""
        person = people.change_person(self.group.code, number, changes, self.caller)
        return Response(answers.describe_person(person))

    @operation("forget_person", "Forget a person: the name is removed everywhere, scores stay", {204: None})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """At the person’s tables, “Player 1” or the like replaces the name; notes, reasons and link names lose it.
        People merged into this one are deleted too. This cannot be undone.
        """
        people.forget_person(self.group.code, number, self.caller)
        return Response(status=204)


class MergeView(GroupAPIView):
    address = OF_PERSON

    @operation(
        "merge_people",
        "Merge a person into another one, or separate them again",
        {200: answers.DescribedPerson, **problems(409)},
        request=bodies.MergeBody,
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        """People who sat at the same table cannot be merged. `into` is the person that stays; null separates again."""
        person = people.merge_people(self.group.code, number, self.read(bodies.MergeBody)["into"], self.caller)
        return Response(answers.describe_person(person))
