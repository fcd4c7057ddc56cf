"""Who may do what: the roles of callers, and the rights of every address."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.test import Client, RequestFactory
from django.urls import URLPattern
from django.utils import timezone
from rest_framework.exceptions import APIException

from scoring.api_urls import urlpatterns as api
from scoring.groups.acts.evenings import add_season
from scoring.groups.acts.group_access import link_of_token, make_recovery_code, put_group_on_device
from scoring.models import Link, Role, Scope
from scoring.page_urls import urlpatterns as pages
from scoring.rulings.acts.disputing import Claim, raise_dispute
from scoring.rulings.acts.precedents import NewPrecedent, decide, share_law_book
from scoring.tables.acts.access import cookie_for, put_on_device
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.links import add_link, ask_for_seat
from scoring.tables.acts.opening import make_link
from scoring.tables.live.views import admit_group_watcher, admit_watcher
from scoring.tables.live.views import urlpatterns as live
from scoring.tables.reads.access import token_hash
from tests.scoring.conftest import OpenTable, holder, play
from tests.scoring.groups import Thursday, make_group

# --- Every role that can call an address, and the outcome: for the rights matrix

PEOPLE = ("nobody", "wrong", "spectator", "player", "scorekeeper", "cancelled", "viewer", "member", "other")
ROLES = (*PEOPLE, "reads", "records", "manages")
"""The callers: without a link, with an invalid one, with each link to the table, with a revoked one, with each link
to its group, with a member's link to another group, and bots of each scope, which use no pages.
"""
OPENS, ASKED, REFUSED, HIDDEN = "opens", "asked", "refused", "hidden"
OUTCOMES = {401: ASKED, 403: REFUSED, 404: HIDDEN}
WATCHERS = {"table-stream": admit_watcher, "group-stream": admit_group_watcher}
METHODS = ("get", "post", "patch", "delete", "put")
LIMITS = ("WRONG_CODES_PER_HOUR", "WRITES_PER_MINUTE", "OPENINGS_PER_HOUR", "COSTLY_SECONDS_PER_MINUTE")
"""The settings that limit callers; 0 lifts a limit."""


@dataclass(frozen=True)
class Address:
    part: str
    name: str
    method: str
    pattern: URLPattern

    @property
    def key(self) -> str:
        return f"{self.part} {self.method} {self.name}"


@dataclass
class House:
    """A group's table with everything an address can name, and everyone's tokens."""

    table: OpenTable
    group: Thursday
    tokens: Mapping[str, str]
    arguments: Mapping[str, Any]

    @property
    def bodies(self) -> Mapping[str, Mapping[str, str]]:
        """Return bodies that show only whether the caller is allowed: those that ask for confirmation."""
        return {
            "page post delete-table": {"code": self.table.code},
            "page post delete-group": {"name": "Thursday"},
            "page post table-rules": {"option-ties": "1"},
            "page post guide-carry-out": {"situation": "lead-out-of-turn"},
            "page post amend-entry": {"strike": "1", "sure": "1", "reason": "x"},
        }

    def path(self, address: Address) -> str:
        """Return the path of an address; raises ``AssertionError`` if it needs an unknown name."""
        path = "/" + ("" if address.part == "page" else "api/v1/") + str(address.pattern.pattern)
        for name in address.pattern.pattern.converters:
            found = [key for key in (f"{address.name} {name}", name) if key in self.arguments]
            assert found, f"{address.key} names a “{name}”: say in tests/scoring/roles.py which one to ask for."
            for prefix in ("str", "number", "slug"):
                path = path.replace(f"<{prefix}:{name}>", str(self.arguments[found[0]]))
        return path

    def outcome(self, address: Address, role: str) -> str:
        status = self._status(address, role)
        assert status < 500, (address.key, role, status)
        return OUTCOMES.get(status, OPENS)

    def takes(self, address: Address) -> bool:
        return self._status(address, "scorekeeper") != 405

    def _status(self, address: Address, role: str) -> int:
        """Return the status of a caller's request, which is rolled back."""
        with transaction.atomic():
            status = self._watched(address, role) if address.part == "live" else self._answered(address, role)
            transaction.set_rollback(True)
        return status

    def _answered(self, address: Address, role: str) -> int:
        client, body = self.client(address, role), self.bodies.get(address.key, {})
        return int(getattr(client, address.method)(self.path(address), body).status_code)

    def _watched(self, address: Address, role: str) -> int:
        """Return how a stream is answered before it opens; none is opened, because it would not end."""
        assert address.name in WATCHERS, f"{address.key}: say in tests/scoring/roles.py who lets watchers in."
        token = self.tokens.get(role, "")
        headers = {"authorization": f"Bearer {token}"} if token else {}
        code = self.group.code if address.name in of_group() else self.table.code
        try:
            WATCHERS[address.name](RequestFactory().get(self.path(address), headers=headers), code)
        except APIException as why:
            return int(why.status_code)
        return 200

    def client(self, address: Address, role: str) -> Any:
        """Return a caller's client: a token for the API, a cookie for a page."""
        token = self.tokens.get(role, "")
        if address.part != "page":
            return holder(token) if token else Client()
        client = Client()
        if role != "nobody":
            name, value = cookie_for(role.ljust(43, "x"))
            client.cookies[name] = value
        return client


def furnish(*, private: bool) -> House:
    """Open a table of a group, with a device for everyone."""
    group, others = make_group(), make_group(name="Others")
    table = group.open_table(private=private)
    table.record(
        play(0, "8MS"),
        {"type": "trick", "winner": 0},
        {"type": "result", "tricks": [4, 4, 4]},
        {"type": "note", "text": "here"},
        {"type": "end", "reason": "late"},
    )
    cancelled = table.link("scorekeeper")
    tokens = {
        "wrong": "x" * 32,
        "spectator": table.link("spectator"),
        "player": table.link("player", 1),
        "scorekeeper": table.token,
        "cancelled": cancelled,
        "viewer": group.link("viewer"),
        "member": group.token,
        "other": others.token,
        **{scope + "s": group.link("bot", "Scoreboard", scope) for scope in Scope.values},
    }
    for role in ("spectator", "player", "scorekeeper", "cancelled"):
        put_on_device(role.ljust(43, "x"), table.row, tokens[role])
    for role in ("viewer", "member", "other"):
        link = link_of_token(tokens[role])
        assert link is not None
        put_group_on_device(role.ljust(43, "x"), link)
    Link.objects.update(taken=timezone.now())
    spare = Link.objects.get(token_hash=token_hash(make_link(table.row, Role.SPECTATOR)))
    Link.objects.filter(token_hash=token_hash(cancelled)).update(revoked=timezone.now())
    keeper = Link.objects.get(token_hash=token_hash(table.token))
    raise_dispute(table.code, Claim(text="That was mine.", seat=1), Caller(by=keeper.name, link=keeper.pk))
    asked, _token = ask_for_seat(table.row, 1)
    reading = add_link(table.code, Role.READER, None, Caller(by=keeper.name, link=keeper.pk)).link
    put_on_device("wrong".ljust(43, "x"), OpenTable(group.open_table(private=False).code, "").row)
    person, partner, *_ = group.row.people.order_by("pk")
    viewing = group.row.links.get(role="viewer")
    make_recovery_code(group.code, Caller())
    season = add_season(group.code, {"name": "Autumn", "first": table.row.evening}, Caller())
    precedent = decide(group.code, NewPrecedent(question="Who deals?", decision="Ann."), Caller())
    law_book = share_law_book(group.code, Caller(), shared=True)
    players = [{"name": name, "points": points} for name, points in (("Ann", 2), ("Bob", 1))]
    past = {"game": "ace-trump", "date": "2019-03-12", "players": players}
    brought = group.member.post(f"{group.url}imports/", {"games": [past]}).json()["id"]
    return House(table, group, tokens, {
        "game": "ace-trump", "question": "trick", "clause number": "AT-1", "shape": "text", "seq": 1,
        "day": table.row.evening.isoformat(), "table": table.code, "code": table.code, "number": 1, "other": partner.pk,
        "dispute": 1, "act": "pause",
        **dict.fromkeys(("link number", "revoke-link number", "table-link number"), spare.pk),
        **dict.fromkeys(("group-link number", "revoke-group-link number"), viewing.pk),
        "reading number": reading.pk,
        **dict.fromkeys(("table-request number", "answer-request number"), asked.pk),
        **{f"{name} number": person.pk for name in OF_PEOPLE},
        **dict.fromkeys(("group-precedent number", "precedent number"), precedent.pk),
        **dict.fromkeys(("past-import number", "undo-import number"), brought),
        **dict.fromkeys(("group-season number", "season number"), season.pk),
        **{f"{name} code": group.code for name in of_group()},
        "law-book-reading book": law_book, "decide-rules game": "ace-trump",
    })  # fmt: skip


OF_PEOPLE = (
    "group-person", "group-merge", "person", "forget-person", "merge-people", "distinct-people",
    "person-statistics", "pair-statistics",
)  # fmt: skip


def of_group() -> set[str]:
    return {
        str(each.name)
        for each in (*api, *pages, *live)
        if str(each.pattern).startswith(("groups/<str:code>", "g/<str:code>"))
    }


def addresses() -> Iterator[Address]:
    for part, patterns in (("api", api), ("page", pages), ("live", live)):
        for pattern in patterns:
            methods = METHODS if part == "api" else METHODS[:2] if part == "page" else METHODS[:1]
            for method in methods:
                yield Address(part, str(pattern.name), method, pattern)


# --- The rights matrix that ``test_every_address`` compares with the answers
# Each class of rights has a letter for every role of ``roles.ROLES``, first at a public table, then at a private one:
# it opens, a token is asked for, it is refused, or it is hidden (there is no such thing).

LETTERS = {"o": OPENS, "a": ASKED, "r": REFUSED, "h": HIDDEN}


@dataclass(frozen=True)
class Rights:
    """The expected outcome of a request by role; ``who`` describes it in words."""

    who: str
    letters: str

    def expected(self, *, private: bool) -> list[str]:
        return [LETTERS[letter] for letter in self.letters.split("|")[private].split()]

    def on_page(self, instead: str) -> "Rights":
        """Return the same on a page, which never asks for a token: it refuses or hides instead."""
        return Rights(f"{self.who} The same on a page.", self.letters.replace("a", instead))


EVERYBODY = Rights("Whoever comes; what is asked for may still be wrong.", "o o o o o o o o o | o o o o o o o o o")
LOOKS = Rights(
    "Whoever has the code of a public table; at a private one who has a link to it or to its group.",
    "o o o o o o o o o | h h o o o h o o h",
)
MEMBER = Rights(
    "A member of the group; a viewer and every bot are refused, and for all others there is no such group.",
    "a h h h h h r o h r r r | a h h h h h r o h r r r",
)
MEMBER_PAGE = MEMBER.on_page("h")
MANAGES = Rights("The same, and a bot that manages.", "a h h h h h r o h r r o | a h h h h h r o h r r o")
VIEWER = Rights("Who has a link to the group.", "a h h h h h o o h o o o | a h h h h h o o h o o o")
VIEWER_PAGE = VIEWER.on_page("h")
KEEPS = Rights(
    "Who keeps the score of the table, by a link to it or to its group.",
    "a a r r o a r o a r o o | h h r r o h r o h r o o",
)
KEEPS_PAGE = Rights(
    "On a page by a link to the table alone, which a member makes there.", "r r r r o r r r r | h h r r o h r r h"
)
SETTLES = Rights(
    "Who keeps the score of the table, but no bot that only records.",
    "a a r r o a r o a r r o | h h r r o h r o h r r o",
)
RECORDS = Rights("Who records at the table: players, too.", "a a r o o a r o a r o o | h h r o o h r o h r o o")
RECORDS_PAGE = Rights("The same on a page.", "r r r o o r r r r | h h r o o h r r h")
TOKEN = Rights(
    "Nobody without a code or the token of a link, which is sent along.", "h h h h h h h h h | h h h h h h h h h"
)
OPENS_TABLE = Rights(
    "Whoever brings no token, or one that stands; who reads opens no table of the group.",
    "o a o o o a r o o r o o | o a o o o a r o o r o o",
)
RULES = Rights(
    "Who has a link to the table, or records there: it may have been asked to rule.",
    "a a o o o a r o a r o o | h h o o o h r o h r o o",
)
RULES_PAGE = Rights("Who has a link to the table.", "r r o o o r r r r | h h o o o h r r h")
PLAYS = Rights("Who plays at the table.", "a a r o r a r r a r r r | h h r o r h r r h r r r")
PLAYS_PAGE = PLAYS.on_page("r")
TAKES_SCORE = Rights(
    "Who plays at the table, keeps its score, or is a member of its group: on a page.",
    "r r r o o r r o r | h h r o o h r o h",
)
GIVES = Rights(
    "Who keeps the score and brings a link to the group: nobody here has both.", "r r r r h r r r r | h h r r h h r r h"
)
WATCHES = Rights(
    "Who may look; a token that opens nothing here is told so.", "o a o o o a o o a o o o | h h o o o h o o h o o o"
)
STANDS = Rights("Whoever brings a token that stands.", "a a o o o a o o o o o o | a a o o o a o o o o o o")

ADDRESSES: dict[Rights, str] = {
    EVERYBODY: """
        api get: docs index schema
        api post: group-import groups table-import
        page get: ask choose-game clause device home import import-group join law-book-reading manifest new-group
        page get: new-table offline privacy-page question reading recover-group rulebook rulings take-device teach
        page get: worker
        page post: display forget forget-device forget-group import import-group language move-device new-group
        page post: new-table recover-group
    """,
    LOOKS: """
        page get: amend amend-entry ask-here ask-here-about dictated dispute disputes export guide log picture points
        page get: preview replay score-code screen share table table-rules table-settings what-if who-here
        page post: amend-entry join play-again who-here
        page get: printed
    """,
    MEMBER: """
        api post: group-links
        api patch: group-link
        api delete: group group-link group-me
        api put: group-me
    """,
    MANAGES: """
        api get: group-archive
        api post: group-imports group-merge group-people group-precedents group-seasons group-tonight
        api post: group-tonight-start
        api patch: group group-evening-note group-person group-precedent group-season
        api delete: group-person group-precedent group-season past-import
    """,
    STANDS: """
        api get: me
    """,
    MEMBER_PAGE: """
        page post: decide-rules delete-group distinct-people forget-person group-links group-recovery keep-score
        page post: law-book merge-people past-file past-games people person precedent revoke-group-link say-of-evening
        page post: season seasons tonight undo-import who
        page get: decide-rules
    """,
    VIEWER: """
        api get: group group-evening-note group-evenings group-imports group-links group-me group-people
        api get: group-precedents group-rulings group-season group-seasons group-statistics group-tables group-titles
        api get: group-tonight group-what-if
        live get: group-stream
    """,
    VIEWER_PAGE: """
        page get: evening evening-digest evening-picture export-group group group-hands group-links group-more
        page get: group-ratings group-rulings group-screen group-settings group-statistics history law-book
        page get: pair-statistics past-file past-games people person person-statistics season season-what-if seasons
        page get: tonight who
        page post: group-settings
    """,
    KEEPS: """
        api post: table-amendments table-continue table-guide table-undo
    """,
    SETTLES: """
        api get: table-links
        api post: table-links
        api patch: table table-link
        api delete: table table-link
    """,
    KEEPS_PAGE: """
        page get: continue
        page post: continue delete-table guide-carry-out make-link make-reading privacy revoke-link say-of-table
        page post: table-names table-referee table-rules undo
    """,
    TAKES_SCORE: """
        page post: take-score
    """,
    RECORDS: """
        api post: table-disputes table-events table-request
        api delete: table-request
    """,
    RECORDS_PAGE: """
        page post: answer-request disputes record redo settle
    """,
    TOKEN: """
        page get: find
        page post: join-group reading take-device
    """,
    OPENS_TABLE: """
        api post: tables
    """,
    RULES: """
        api post: dispute-acts
    """,
    RULES_PAGE: """
        page post: dispute-act
    """,
    PLAYS: """
        api post: table-confirmation
    """,
    PLAYS_PAGE: """
        page post: confirm
    """,
    GIVES: """
        page post: give-table
    """,
    WATCHES: """
        api get: hand-audit table table-asks table-confirmation table-dispute table-disputes table-events
        api post: table-requests
        live get: table-stream
        api get: table-record table-what-if table-guide table-requests
    """,
}
