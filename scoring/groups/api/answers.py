"""API responses about groups, their people and links."""

from typing import Annotated, Any, TypedDict

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.shapes import Formatted, Named, one_of
from referee.engine.sheet import Moment
from scoring.groups.acts.groups import NewGroupLink as MadeLink
from scoring.groups.reads.groups import people_of
from scoring.models import Group, GroupLink, GroupRole, Person, RankedBy, Scope
from scoring.tables.api.answers import Address, DescribedToken, Token, answered, described_token
from scoring.tables.api.headers import etag
from scoring.tables.api.paging import page_of

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
    return answered(DescribedGroup, group, time_zone=group.zone, people=people, role=own.role, links=links(group))


def links(group: Group) -> Any:
    routes = {"self": "group", "page": "scoring:group"}
    return {
        name: reverse(routes.get(name, f"group-{name}"), args=[group.code]) for name in GroupAddresses.__annotations__
    }


def describe_person(person: Person) -> DescribedPerson:
    return answered(DescribedPerson, person, colour=person.colour or None, merged_into=person.merged_into_id)


def describe_group_link(link: GroupLink, own: GroupLink) -> DescribedGroupLink:
    more = {"scope": link.scope or None, "person": link.person_id, "own": link.pk == own.pk}
    return answered(DescribedGroupLink, link, **more)


def describe_token(request: Request, made: MadeLink) -> DescribedToken:
    """Describe a group link's token and the URL that opens the group on a phone.

    The token is in the fragment, which browsers never send, so no server log contains it.
    """
    if made.link.role == GroupRole.BOT:
        return {"token": made.token or None, "url": None}
    return described_token(request, made.token, reverse("scoring:group", args=[made.link.group.code]))


def group_made(link: GroupLink, token: Any, version: int) -> Response:
    """Respond 201 with a new or recovered group; ``token`` holds the new link's token and URL."""
    body: dict[str, Any] = {**describe_group(link.group, link), **token}
    headers = {"ETag": etag(version), "Location": body["links"]["self"], "Cache-Control": "no-store"}
    return Response(body, status=201, headers=headers)
