"""API of groups: authentication, settings, links and people; and what the caller's token allows."""

from collections.abc import Container
from typing import Annotated, Any, TypedDict

from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from referee.engine.rules import Problem, Refused
from referee.engine.shapes import Formatted, Named, one_of
from referee.engine.sheet import Moment
from scoring.groups.acts import group_access, groups, people
from scoring.groups.api import bodies
from scoring.groups.reads.groups import people_of, standing_group_links
from scoring.models import Group, GroupLink, GroupRole, Link, Person, RankedBy, Role, Scope
from scoring.models.group import RIGHTS
from scoring.tables.acts.exceptions import ManagesNothing, NoSuchPerson, NotMember
from scoring.tables.acts.keys import Caller
from scoring.tables.api.access import BearerAuthentication, FromHere, RetriedAPIView
from scoring.tables.api.answers import (
    Address,
    DescribedToken,
    TableAddresses,
    Token,
    answered,
    described_token,
    links,
    made_answer,
)
from scoring.tables.api.http import PageQuery, caller_of, etag, key_of, page_of, paged
from scoring.tables.api.schema import operation, problems
from scoring.tables.reads.access import link_of_table_token
from scoring.tables.reads.rules import game_and_title

GroupLinkRole = Annotated[
    str, Named("GroupRole", one_of(GroupRole.values, "The kind of link: a member’s, a viewer’s, or a bot’s key."))
]
KeyScope = Annotated[str, Named("KeyScope", one_of(Scope.values, "What a bot’s key allows."))]
Day = Annotated[str, Formatted("date")]
Ranking = Annotated[str, Named("Ranking", one_of(RankedBy.values, "How people are ranked."))]
GroupAddresses = TypedDict(
    "GroupAddresses",
    {
        "self": Address, "links": Address, "me": Address, "people": Address, "tables": Address, "evenings": Address,
        "imports": Address, "statistics": Address, "rulings": Address, "archive": Address, "stream": Address,
        "precedents": Address, "what-if": Address, "seasons": Address, "tonight": Address, "page": Address,
    },
)  # fmt: skip
GroupAddresses.__doc__ = "Addresses around a group."


class DescribedPerson(TypedDict):
    """A person of a group."""

    id: int
    name: str
    aliases: list[str]
    colour: str | None
    merged_into: int | None
    distinct_from: list[int]


People = page_of("People", "The people of a group.", people=DescribedPerson)


class DescribedGroup(TypedDict):
    """A group with its people."""

    code: str
    name: str
    version: int
    created: Moment
    counts_revokes: bool
    shares_rulings: bool
    ranked_by: Ranking
    time_zone: str
    people: list[DescribedPerson]
    role: GroupLinkRole
    links: GroupAddresses


class NewGroup(DescribedGroup):
    """A new group, with a member’s token."""

    token: Token


class DescribedGroupLink(TypedDict):
    """A link to a group, without its token, which only the response that created it contains."""

    id: int
    role: GroupLinkRole
    scope: KeyScope | None
    name: str
    made_by: Annotated[int | None, "The link of the member who made it."]
    invited_by: Annotated[int | None, "The link with which this phone joined."]
    person: Annotated[int | None, "The id of the person whose phone it is."]
    answered: Annotated[Moment | None, "When that was answered; without a person, the phone only watches."]
    seen: Annotated[Moment | None, "When it was last used, to within a few minutes."]
    created: Moment
    own: bool


class NewGroupLink(DescribedGroupLink, DescribedToken):
    """A new link to a group, with its token."""


LinksToGroup = page_of("LinksToGroup", "The active links to a group.", rights=DescribedGroupLink)


def describe_group(group: Group, own: GroupLink) -> DescribedGroup:
    people = [describe_person(person) for person in people_of(group)]
    return answered(DescribedGroup, group, time_zone=group.zone, people=people, role=own.role, links=around(group))


def around(group: Group) -> Any:
    return links(GroupAddresses, "group", group.code)


def describe_person(person: Person) -> DescribedPerson:
    return answered(DescribedPerson, person, colour=person.colour or None, merged_into=person.merged_into_id)


def describe_group_link(link: GroupLink, own: GroupLink) -> DescribedGroupLink:
    more = {"scope": link.scope or None, "person": link.person_id, "own": link.pk == own.pk}
    return answered(DescribedGroupLink, link, **more)


def describe_token(request: Request, made: groups.NewGroupLink) -> DescribedToken:
    """Describe a group link's token and the URL that opens the group on a phone.

    The token is in the fragment, which browsers never send, so no server log contains it.
    """
    if made.link.role == GroupRole.BOT:
        return {"token": made.token or None, "url": None}
    return described_token(request, made.token, reverse("scoring:group", args=[made.link.group.code]))


def group_made(made: groups.NewGroupLink) -> Response:
    return made_answer({**describe_group(made.link.group, made.link), "token": made.token or None}, 0)


OF_GROUP = {"code": "The code of the group."}
OF_PERSON = OF_GROUP | {"number": "The id of the person."}
MANAGE, SHARE = "manage", "share"


class OfGroup(BasePermission):
    """Permission by a link to the group: any link to read, the view's required right to write.

    Sets ``group`` and ``link`` on the view.
    """

    needs_token = True

    def has_permission(self, request: Request, view: APIView) -> bool:
        assert isinstance(view, GroupAPIView)
        if not request.auth:
            raise NotAuthenticated(gettext("A group opens with the token of a link to it."))
        view.group, view.link = group_access.admit_to_group(view.kwargs["code"], request.META, token=str(request.auth))
        if request.method not in SAFE_METHODS:
            view.require(SHARE if request.method in view.members_only else MANAGE)
        return True


class GroupAPIView(RetriedAPIView):
    """Base of views of one group: any link reads; members and bots with `manage` write."""

    authentication_classes = [BearerAuthentication]
    permission_classes = [OfGroup]
    address = OF_GROUP
    looks_back = True
    kept = "private, no-cache"

    members_only: Container[str] = ()  # methods closed to bots

    group: Group
    link: GroupLink

    def require(self, right: str) -> None:
        if right not in self.link.may:
            raise ManagesNothing if right == MANAGE and self.link.role == GroupRole.BOT else NotMember

    @property
    def caller(self) -> Caller:
        return caller_of(self.request, self.link)

    def query(self, kind: type[Serializer[Any]]) -> dict[str, Any]:
        values = super().query(kind)
        person = values.get("person")
        if person is not None and not self.group.people.filter(pk=person).exists():
            raise Refused([Problem("/person", "no-such-person", NoSuchPerson().detail)], malformed=True)
        return values


class GroupsView(RetriedAPIView):
    permission_classes = [FromHere]
    opens = True

    @operation("create_group", "Make a group", {201: NewGroup}, request=bodies.NewGroupBody)
    def post(self, request: Request) -> Response:
        """The response has a member’s token, shown only once."""
        made = groups.create_group(**self.read(bodies.NewGroupBody), key=key_of(request))
        return group_made(made)


class GroupView(GroupAPIView):
    members_only = ("DELETE",)

    @operation("get_group", "A group with its people", {200: DescribedGroup})
    def get(self, request: Request, code: str) -> Response:
        """For anyone with a link to the group. `role` is the role of this link; `links` has the related addresses."""
        self.version = self.group.version
        return Response(describe_group(self.group, self.link))

    @operation(
        "change_group",
        "Change the settings of a group",
        {200: DescribedGroup},
        request=bodies.GroupBody,
    )
    def patch(self, request: Request, code: str) -> Response:
        """Omitted keys stay. For members and for bots with `manage`. A stale `If-Match` is refused."""
        group = groups.change_group(self.group.code, **self.read(bodies.GroupBody), caller=self.caller)
        return Response(describe_group(group, self.link), headers={"ETag": etag(group.version)})

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
        {200: LinksToGroup},
        parameters=[PageQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """Members see every link, others only their own."""
        standing = standing_group_links(self.group)
        shown = standing if self.link.manages else standing.filter(pk=self.link.pk)
        return paged(self, "rights", shown.order_by("pk"), lambda link: describe_group_link(link, self.link))

    @operation(
        "make_group_link",
        "Make a link to a group",
        {201: NewGroupLink, **problems(409)},
        request=bodies.GroupLinkBody,
    )
    def post(self, request: Request, code: str) -> Response:
        """For members. The token is shown only once. `url` opens the group on any phone until the link is revoked; a
        bot’s key, which has a `scope` and a `name`, has no `url`.
        """
        made = groups.add_group_link(self.group.code, **self.read(bodies.GroupLinkBody), caller=self.caller)
        body = {**describe_group_link(made.link, self.link), **describe_token(request, made)}
        return Response(body, status=201, headers={"Cache-Control": "no-store"})


class GroupLinkView(GroupAPIView):
    members_only = ("PATCH", "DELETE")
    address = OF_GROUP | {"number": "The id of the link."}

    @operation(
        "rename_group_link",
        "Rename a link",
        {200: DescribedGroupLink},
        request=bodies.LinkNameBody,
    )
    def patch(self, request: Request, code: str, number: int) -> Response:
        """For members. Tables where its token records show the new name too."""
        link = groups.name_group_link(self.group.code, number, self.read(bodies.LinkNameBody)["name"], self.caller)
        return Response(describe_group_link(link, self.link))

    @operation("revoke_group_link", "Revoke a link", {204: None, **problems(409)})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """For members. The last member’s link can’t be revoked, so someone can always open the group."""
        groups.revoke_group_link(self.group.code, number, self.caller)
        return Response(status=204)


class PhoneView(GroupAPIView):
    """The caller's link, and the person whose phone it is."""

    members_only = ("PUT", "DELETE")

    @operation("get_phone", "Whose phone this link is", {200: DescribedGroupLink})
    def get(self, request: Request, code: str) -> Response:
        """`person` is the id of a person, or null. `answered` is when the question was answered: with a null `person`,
        the phone only watches.
        """
        return Response(describe_group_link(self.link, self.link))

    @operation(
        "say_whose_phone",
        "Set whose phone this link is",
        {200: DescribedGroupLink, **problems(409)},
        request=bodies.PhoneBody,
    )
    def put(self, request: Request, code: str) -> Response:
        """For members. The phone gets that person’s seat at every table of the group, and the log shows the name. 409
        `has-phone` if another phone is already that person’s; with `takes_over`, that phone is asked again whose it
        is. Seats held as another person are revoked.
        """
        own = group_access.say_who(self.group.code, caller=self.caller, **self.read(bodies.PhoneBody))
        return Response(describe_group_link(own, own))

    @operation("forget_whose_phone", "Forget whose phone this link is", {204: None})
    def delete(self, request: Request, code: str) -> Response:
        """For members. The phone’s seats at the tables of the group are revoked."""
        group_access.unsay_who(self.group.code, self.caller)
        return Response(status=204)


class PeopleView(GroupAPIView):
    @operation("list_people", "List the people of a group", {200: People}, parameters=[PageQuery])
    def get(self, request: Request, code: str) -> Response:
        """`merged_into` is the person this one counts as; `aliases` are other spellings of the name."""
        return paged(self, "people", people_of(self.group), describe_person)

    @operation("add_person", "Add a person", {201: DescribedPerson}, request=bodies.NewPersonBody)
    def post(self, request: Request, code: str) -> Response:
        """For members and for bots with `manage`. A name or alias belongs to one person only."""
        read = self.read(bodies.NewPersonBody)
        read["colour"] = read["colour"] or ""
        person = people.add_person(self.group.code, caller=self.caller, **read)
        return Response(describe_person(person), status=201)


class PersonView(GroupAPIView):
    address = OF_PERSON

    @operation(
        "change_person",
        "Change a person’s name, its spellings or the colour",
        {200: DescribedPerson},
        request=bodies.PersonBody,
    )
    def patch(self, request: Request, code: str, number: int) -> Response:
        """Omitted keys stay. A new name appears at every table at once; scores stay."""
        changes = self.read(bodies.PersonBody, partial=True)
        if "colour" in changes:
            changes["colour"] = changes["colour"] or ""
        person = people.change_person(self.group.code, number, changes, self.caller)
        return Response(describe_person(person))

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
        {200: DescribedPerson, **problems(409)},
        request=bodies.MergeBody,
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        """People who sat at the same table cannot be merged. `into` is the person that stays; null separates again."""
        person = people.merge_people(self.group.code, number, self.read(bodies.MergeBody)["into"], self.caller)
        return Response(describe_person(person))


Right = Annotated[str, Named("Right", one_of([*RIGHTS, "play"], "What a token may do."))]


class OpenedByToken(TypedDict):
    """The table or group that a token opens."""

    code: str
    name: Annotated[str | None, "The name of a group."]
    game: Annotated[str | None, "The game of a table."]


class Me(TypedDict):
    """A token’s rights, and the table or group they apply to."""

    kind: Annotated[str, one_of(["table", "group"], "What the link opens.")]
    role: Annotated[str, one_of([*Role.values, *GroupRole.values], "The role of the link.")]
    scope: KeyScope | None
    name: Annotated[str, "The name of the link."]
    seat: Annotated[int | None, "The seat of a player’s link."]
    may: list[Right]
    opens: OpenedByToken
    links: Annotated[
        dict[str, Address], "Related addresses; for a group, `tables` lists the tables that the link opens."
    ]


class HasToken(BasePermission):
    """Permission with any token; the view finds what it opens."""

    needs_token = True

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not request.auth:
            raise NotAuthenticated(gettext("Send the token of a link: Authorization: Bearer <token>."))
        return True


class MeView(RetriedAPIView):
    """The caller's own token."""

    tag = "groups"
    authentication_classes = [BearerAuthentication]
    permission_classes = [HasToken]
    kept = "private, no-cache"

    @operation("get_me", "What this token allows, and where", {200: Me})
    def get(self, request: Request) -> Response:
        """`may` lists the rights: `read`; `play` for the link’s seat; `record`; `amend`; `open` tables of the group;
        `manage` its settings, people, rulings and links; `share` the group. 401 for an unknown or revoked token.
        """
        link = group_access.link_of_token(str(request.auth)) or link_of_table_token(str(request.auth))
        if link is None:
            raise AuthenticationFailed(gettext("This token opens no group and no table, or it was turned off."))
        return Response(of_group(link) if isinstance(link, GroupLink) else of_table(link))


def of_group(link: GroupLink) -> Me:
    opens = {"code": link.group.code, "name": link.group.name, "game": None}
    more = {"scope": link.scope or None, "seat": None, "links": around(link.group)}
    return answered(Me, link, kind="group", opens=opens, **more)


def of_table(link: Link) -> Me:
    opens = {"code": link.table.code, "name": None, "game": game_and_title(link.table)["game"]}
    more = {"scope": None, "name": link.label, "links": links(TableAddresses, "table", link.table.code)}
    return answered(Me, link, kind="table", opens=opens, **more)
