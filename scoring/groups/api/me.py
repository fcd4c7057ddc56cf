"""The rights of the caller's token."""

from typing import Annotated, TypedDict

from django.utils.translation import gettext
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.shapes import Named, one_of
from scoring.groups.acts.group_access import link_of_token
from scoring.groups.api import answers
from scoring.groups.api.answers import KeyScope
from scoring.models import GroupLink, GroupRole, Link, Role
from scoring.models.group import RIGHTS
from scoring.tables.api.access import BearerAuthentication, RetriedAPIView
from scoring.tables.api.answers import Address
from scoring.tables.api.answers import links as table_links
from scoring.tables.api.schema import operation
from scoring.tables.reads.access import link_of_table_token
from scoring.tables.reads.rules import game_and_title

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


class MeView(RetriedAPIView):
    """The caller's own token."""

    tag = "groups"

    authentication_classes = [BearerAuthentication]
    kept = "private, no-cache"

    @classmethod
    def needs_token(cls, method: str) -> bool:
        return True

    @operation("get_me", "What this token allows, and where", {200: Me})
    def get(self, request: Request) -> Response:
        """`may` lists the rights: `read`; `play` for the link’s seat; `record`; `amend`; `open` tables of the group;
        `manage` its settings, people, rulings and links; `share` the group. 401 for an unknown or revoked token.
        """
        if not request.auth:
            raise NotAuthenticated("Send the token of a link: Authorization: Bearer <token>.")
        link = link_of_token(str(request.auth)) or link_of_table_token(str(request.auth))
        if link is None:
            raise AuthenticationFailed(gettext("This token opens no group and no table, or it was turned off."))
        return Response(of_group(link) if isinstance(link, GroupLink) else of_table(link))


def of_group(link: GroupLink) -> Me:
    return {
        "kind": "group",
        "role": link.role,
        "scope": link.scope or None,
        "name": link.name,
        "seat": None,
        "may": [*link.may],
        "opens": {"code": link.group.code, "name": link.group.name, "game": None},
        "links": answers.links(link.group),
    }


def of_table(link: Link) -> Me:
    return {
        "kind": "table",
        "role": link.role,
        "scope": None,
        "name": link.label,
        "seat": link.seat,
        "may": [*link.may],
        "opens": {"code": link.table.code, "name": None, "game": game_and_title(link.table)["game"]},
        "links": table_links(link.table),
    }
