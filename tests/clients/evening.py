"""A group's evening, played through the API; its requests and answers serve as the schema's examples.

Clock and randomness are fixed, so it is the same every time.
"""

import json
import random
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from django.core.management.color import no_style
from django.db import connection
from django.test import override_settings
from django.urls import resolve
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.tables.live.views import changed_event

API = "/api/v1/"
HOST = "cards.example"
BEGINS = datetime(2026, 3, 12, 19, 30, tzinfo=UTC)
FEW = 3
"""How many items of a long list are shown."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer, with the route the router knows."""

    route: str
    method: str
    title: str
    request: Any
    request_type: str
    status: str
    answer_type: str
    answer: Any


@dataclass
class Evening:
    """The exchanges so far; every request advances the clock by half a minute."""

    exchanges: list[Exchange] = field(default_factory=list)
    asked: int = 0

    def now(self) -> datetime:
        return BEGINS + timedelta(seconds=30 * self.asked)

    def request(self, token: str, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """Send a request and return the answer; raises ``AssertionError`` on a refusal not announced by ``refused``.

        ``title`` names the example (without it none is made); ``few`` truncates long lists in it.
        """
        self.asked += 1
        title, refused, few = more.pop("title", ""), more.pop("refused", 0), more.pop("few", False)
        client = APIClient(SERVER_NAME=HOST)
        if token:
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        headers = {"X-Request-Id": f"evening-{self.asked}"} | more.pop("headers", {})
        sent = {"content_type": more.pop("content_type")} if "content_type" in more else {"format": "json"}
        data = {} if body is None else {"data": body} | sent
        response = getattr(client, method)(API + path, **data, headers=headers, **more)
        assert response.status_code == refused or (not refused and response.status_code < 300), response.content
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        content = b"".join(response.streaming_content) if response.streaming else response.content
        answer = json.loads(content) if kind.endswith(("/json", "+json")) else content.decode()
        if title:
            shown = cut(answer) if few else answer
            route = response.resolver_match.route
            self.exchanges.append(
                Exchange(f"/{route}", method, title, body, sent.get("content_type", "application/json"),
                         str(response.status_code), kind, shown)
            )  # fmt: skip
        return answer

    def stream(self, path: str, version: int) -> None:
        """Show what a stream says about a version; a real stream would not end."""
        route = f"/{resolve(f'{API}{path}stream/').route}"
        told = changed_event(version, version).decode()
        self.exchanges.append(Exchange(route, "get", "A new version", None, "", "200", "text/event-stream", told))


def cut(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: cut(each) for key, each in value.items()}
    if isinstance(value, list):
        return [cut(each) for each in (value[:FEW] if value and isinstance(value[0], dict) else value)]
    return value


@contextmanager
def by_itself(evening: Evening) -> Iterator[None]:
    chance = random.Random(HOST)

    def token(length: int = 32) -> str:
        return urlsafe_b64encode(chance.randbytes(length)).rstrip(b"=").decode()

    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_by_name_sql(
            no_style(), connection.introspection.sequence_list()
        ):
            cursor.execute(statement)
    with ExitStack() as stack:
        stack.enter_context(override_settings(ALLOWED_HOSTS=[HOST], PUBLIC_URL=f"https://{HOST}", SECRET_KEY=HOST))
        stack.enter_context(patch.object(timezone, "now", evening.now))
        stack.enter_context(patch.object(secrets, "choice", chance.choice))
        stack.enter_context(patch.object(secrets, "token_urlsafe", token))
        yield


ACE_TRUMP = "games/ace-trump/"
END = {"type": "end", "reason": "It is late."}


def play(seat: int, card: str) -> dict[str, Any]:
    return {"type": "play", "seat": seat, "cards": [card]}


def play_evening() -> list[Exchange]:
    """Play the evening in an empty database; return its exchanges."""
    evening = Evening()
    with by_itself(evening):
        look_around(evening.request)
        group = found_group(evening.request)
        table = open_table(evening.request, group)
        play_hand(evening.request, table)
        dispute(evening.request, table)
        amend(evening.request, table)
        finish(evening.request, table)
        evening.stream(table.path, 7)
        evening.stream(group.path, 9)
        read_history(evening.request, group)
        keep_and_carry(evening.request, group, table)
        meet_again(evening.request, group)
        export(evening.request, group)
    return evening.exchanges


Ask = Callable[..., Any]


@dataclass
class Keys:
    """The address of a table or a group, and everyone's token by name."""

    path: str
    tokens: dict[str, str]
    code: str = ""
    people: dict[str, int] = field(default_factory=dict)


def look_around(ask: Ask) -> None:
    ask("", "get", "", title="Where everything is")
    ask("", "get", "games/", title="The first games", few=True)
    ask("", "get", ACE_TRUMP, title="Ace Trump")
    ask("", "get", f"{ACE_TRUMP}rulebook/", title="The first clauses", few=True)
    ask("", "get", "decks/decktet/", title="The Decktet, its first cards", few=True)
    ask("", "get", "referee/guides/?game=ace-trump", title="The first situations", few=True)


def found_group(ask: Ask) -> Keys:
    made = ask("", "post", "groups/", {"name": "Thursday", "people": ["Ann", "Bob", "Cy"]}, title="A group of three")
    group = Keys(f"groups/{made['code']}/", {"Ann": made["token"]}, made["code"])
    ann, path = made["token"], group.path
    ask(ann, "patch", path, {"counts_revokes": True}, title="Count revokes")
    dee = ask(ann, "post", f"{path}people/", {"name": "Dee", "colour": "green"}, title="Somebody new")
    bobby = ask(ann, "post", f"{path}people/", {"name": "Bobby"})
    ask(ann, "patch", f"{path}people/{dee['id']}/", {"aliases": ["Deirdre"]}, title="Another spelling")
    group.people = {each["name"]: each["id"] for each in made["people"]}
    ask(ann, "post", f"{path}people/{bobby['id']}/merge/", {"into": group.people["Bob"]}, title="Bobby is Bob")
    ask(ann, "get", f"{path}people/", title="The people")
    link = ask(ann, "post", f"{path}links/", {"role": "viewer", "name": "Screen"}, title="A link for looking on")
    ask(ann, "patch", f"{path}links/{link['id']}/", {"name": "Club screen"}, title="Another name for a link")
    ask(ann, "get", f"{path}links/", title="The links")
    ask(ann, "delete", f"{path}links/{link['id']}/")
    key = {"role": "bot", "scope": "record", "name": "Scoreboard"}
    bot = ask(ann, "post", f"{path}links/", key, title="The key of a bot that records")
    ask(bot["token"], "get", "me/", title="What this key may do")
    ask(ann, "get", path, title="A group of four")
    return group


def open_table(ask: Ask, group: Keys) -> Keys:
    """Ann opens the evening's table; Bob and Dee get links."""
    seats = ["Ann", "Bob", "Cy"]
    asked = {"game": "ace-trump", "options": {"ties": "early"}, "seats": seats, "first_dealer": 2}
    asked |= {"people": [group.people[name] for name in seats]}
    made = ask(group.tokens["Ann"], "post", "tables/", asked, title="A table of the group")
    table = Keys(f"tables/{made['code']}/", {"Ann": made["token"]}, made["code"])
    ann, links = made["token"], f"{table.path}links/"
    link = ask(ann, "post", links, {"role": "player", "seat": 1}, title="A link for Bob’s phone")
    table.tokens["Bob"] = link["token"]
    ask(ann, "patch", f"{links}{link['id']}/", {"name": "Bob’s phone"}, title="Another name for a link")
    judge = ask(ann, "post", links, {"role": "spectator", "name": "Dee"})
    table.tokens["Dee"] = judge["token"]
    ask(ann, "get", links, title="The links")
    ask(ann, "delete", f"{links}{ask(ann, 'post', links, {'role': 'spectator'})['id']}/")
    ask(ann, "patch", table.path, {"rules_by": "neutral", "referee": judge["id"]}, title="Dee decides disputes")
    return table


def play_hand(ask: Ask, table: Keys) -> None:
    """Play a trick, with a slip and a question on the way."""
    ann, path = table.tokens["Ann"], table.path
    led = play(0, "8MS")
    ask(ann, "post", f"{path}events/?dry_run=1", led, title="What would be, if Ann led the Diplomat")
    ask(ann, "post", f"{path}events/", led, title="Ann leads the Diplomat")
    ask(ann, "get", f"{path}asks/", title="Bob is next")
    early = play(2, "XM")
    ask(ann, "post", f"{path}events/", early, title="Cy plays before Bob", refused=409)
    ask(ann, "post", f"{path}events/", play(1, "8MS"), title="A card that has been played", refused=422)
    ask(ann, "post", f"{path}events/", play(1, "XS") | {"x_table": "window"})
    ask(ann, "post", f"{path}undo/?dry_run=1", {}, title="What would be without the last card")
    ask(ann, "post", f"{path}undo/", {}, title="Take back the last card")
    ask(ann, "post", f"{path}events/", {"events": [play(1, "XS"), early]}, title="Two cards at once")
    ask("", "get", path, title="After the first trick")
    ask("", "get", f"{path}what-if/?ties=symbol", title="Without Early Bird")


def dispute(ask: Ask, table: Keys) -> None:
    ann, bob, dee = (table.tokens[name] for name in ("Ann", "Bob", "Dee"))
    path = f"{table.path}disputes/"
    claim = {"claim": "Cy looked at my cards.", "about": {"hand": 1, "trick": 1}, "pause": True}
    ask(bob, "post", path, claim, title="Bob calls the referee")
    ask(ann, "post", f"{path}1/acts/", {"act": "pause", "paused": False}, title="Play on meanwhile")
    fine = {"type": "penalty", "seat": 2, "points": -1, "reason": "looked at cards"}
    ruling = {"act": "rule", "status": "upheld", "text": "Cy saw two cards.", "clauses": ["IR-4"], "remedy": [fine]}
    ask(dee, "post", f"{path}1/acts/", ruling, title="Dee upholds it, with a penalty")
    ask(ann, "post", f"{path}1/acts/", {"act": "carry-out"}, title="Ann records the penalty")
    ask("", "get", f"{path}1/", title="A dispute that was decided")
    ask(bob, "post", path, {"claim": "It was my trick."})
    ask(bob, "post", f"{path}2/acts/", {"act": "agree", "text": "The next one is mine."}, title="Bob offers words")
    ask(bob, "post", path, {"claim": "The cards are dealt wrongly."})
    ask(bob, "post", f"{path}3/acts/", {"act": "withdraw", "text": "I had miscounted."}, title="Bob takes it back")
    ask("", "get", path, title="All disputes")


def amend(ask: Ask, table: Keys) -> None:
    ann, path = table.tokens["Ann"], table.path
    log = ask("", "get", f"{path}events/")["events"]
    mistyped = next(each["seq"] for each in log if each["event"] == play(1, "XS"))
    other = {"seq": mistyped, "event": play(1, "9MS"), "reason": "mistyped"}
    ask(ann, "post", f"{path}amendments/?dry_run=1", other, title="What another card would change")
    ask(ann, "post", f"{path}amendments/", other, title="Bob had another card")
    ask(ann, "post", f"{path}events/", play(0, "4YK") | {"accepted": True})
    ask("", "get", f"{path}guide/", title="The first situations", few=True)
    ask("", "get", f"{path}guide/?situation=lead-out-of-turn&who=0", title="A lead out of turn")
    body = {"situation": "lead-out-of-turn", "answers": {"who": 0}, "remedy": "take-back"}
    ask(ann, "post", f"{path}guide/", body, title="The card goes back")
    ask("", "get", f"{path}events/", title="The log so far")
    ask("", "get", f"{path}hands/1/audit/", title="A hand that is not over")


def finish(ask: Ask, table: Keys) -> None:
    """Record the hand by its result; Bob agrees, and they go home."""
    ann, path = table.tokens["Ann"], table.path
    ask(ann, "post", f"{path}events/", {"type": "result", "tricks": [5, 4, 3]})
    ask(table.tokens["Bob"], "post", f"{path}hands/1/confirmation/", {}, title="Bob agrees")
    ask("", "get", f"{path}hands/1/confirmation/", title="Who agrees")
    ask(ann, "post", f"{path}events/", END)
    ask(ann, "post", f"{path}links/", {"role": "reader", "hand": 1}, title="A link for reading one hand")
    record = ask("", "get", f"{path}record/", title="The record as JSON")
    written = ask("", "get", f"{path}record/?as=text", title="The record as text")
    cells = ask("", "get", f"{path}record/?as=csv", title="The record as CSV")
    ask("", "get", f"{path}record/?as=bgstats", title="For BG Stats")
    ask("", "post", "tables/import/", record, title="A record that was exported")
    for content_type, text, title in (
        ("text/plain", written, "A record as text"),
        ("text/csv", cells, "A record as CSV"),
    ):
        ask("", "post", "tables/import/", text, content_type=content_type, title=title)
        ask("", "post", "referee/judge/", text, content_type=content_type, title=title)


def read_history(ask: Ask, group: Keys) -> None:
    ann, path, bob = group.tokens["Ann"], group.path, group.people["Bob"]
    ask(ann, "get", f"{path}tables/", title="A table that is over")
    ask(ann, "get", f"{path}evenings/", title="An evening")
    ask(ann, "get", f"{path}statistics/", title="After one table")
    ask(ann, "get", f"{path}statistics/?part=ratings&game=ace-trump", title="Ratings")
    ask(ann, "get", f"{path}statistics/?part=hands", title="Hands by their points")
    ask(ann, "get", f"{path}statistics/?part=pair&person={group.people['Ann']}&with={bob}", title="Ann and Bob")
    ask(ann, "get", f"{path}statistics/?by=evening", title="A season of one table")
    ask(ann, "get", f"{path}what-if/?game=ace-trump&ties=symbol", title="The season without Early Bird")
    ask(ann, "get", f"{path}rulings/", title="What was ruled")
    for shape in ("history", "text", "calendar"):
        ask(ann, "get", f"{path}archive/?as={shape}", title=f"The {shape}")


def keep_and_carry(ask: Ask, group: Keys, table: Keys) -> None:
    ann, path = group.tokens["Ann"], group.path
    decided = {"question": "Who deals after a void hand?", "decision": "The same dealer.", "game": "ace-trump"}
    made = ask(ann, "post", f"{path}precedents/", decided, title="A void hand")
    changed = {"decision": "The next dealer."}
    ask(ann, "patch", f"{path}precedents/{made['id']}/", changed, title="Otherwise from now on")
    ask(ann, "get", f"{path}precedents/", title="All decisions")
    ask(ann, "delete", f"{path}precedents/{made['id']}/")
    company = {"seats": ["Bob", "Cy", "Dee"], "newcomer": "lowest"}
    ask(table.tokens["Ann"], "post", f"{table.path}continue/", company, title="Dee plays on for Ann")
    old = ask("", "post", "tables/", {"game": "ace-trump", "seats": ["Ann", "Cy"], "first_dealer": 0})
    given = {"group": group.code, "group_token": ann}
    ask(old["token"], "patch", f"tables/{old['code']}/", given, title="A table from before becomes the group’s")
    ask(old["token"], "delete", f"tables/{old['code']}/")


def meet_again(ask: Ask, group: Keys) -> None:
    """A season, an evening with a draw, past games, and the owners of phones."""
    ann, path, people = group.tokens["Ann"], group.path, group.people
    ask(ann, "put", f"{path}me/", {"person": people["Ann"]}, title="This is Ann’s phone")
    ask(ann, "get", f"{path}me/", title="Whose phone it is")
    season = ask(ann, "post", f"{path}seasons/", {"name": "Autumn", "first": "2026-01-01"}, title="A season")
    ask(ann, "patch", f"{path}seasons/{season['id']}/", {"ranked_by": "places"}, title="Ranked by places")
    ask(ann, "get", f"{path}seasons/", title="All seasons")
    ask(ann, "get", f"{path}seasons/{season['id']}/", title="Its standings")
    ask(ann, "delete", f"{path}seasons/{season['id']}/")
    scores = [{"name": "Ann", "points": 41}, {"name": "Bob", "points": 38}]
    games = {"games": [{"game": "any-game", "title": "Skat", "date": "2019-03-12", "players": scores}]}
    made = ask(ann, "post", f"{path}imports/", games, title="A game from before")
    ask(ann, "get", f"{path}imports/", title="All imports")
    ask(ann, "get", f"{path}titles/", title="Games with a title")
    ask(ann, "patch", f"{path}evenings/2019-03-12/", {"place": "Ann’s", "tags": ["cup"]}, title="Where it was")
    ask(ann, "get", f"{path}evenings/2019-03-12/", title="What people say of it")
    ask(ann, "delete", f"{path}imports/{made['id']}/", title="Undone")
    draw = {"people": [people["Ann"], people["Bob"], people["Cy"]], "game": "ace-trump", "seed": 7}
    ask(ann, "post", f"{path}tonight/", draw, title="Three people, one table")
    ask(ann, "get", f"{path}tonight/", title="Who is here")
    (code,) = ask(ann, "post", f"{path}tonight/start/", {}, title="The tables are opened")["codes"]
    asked = ask("", "post", f"tables/{code}/requests/", {"seat": 1}, title="A phone with the code asks for a seat")
    ask(ann, "get", f"tables/{code}/requests/", title="Who asks")
    ask(ann, "post", f"tables/{code}/requests/{asked['id']}/", {}, title="Let in")


def export(ask: Ask, group: Keys) -> None:
    """Delete the group; a younger one moves to another server."""
    ann = group.tokens["Ann"]
    ask(ann, "delete", f"{group.path}people/{group.people['Cy']}/")
    ask(ann, "delete", group.path)
    made = ask("", "post", "groups/", {"name": "Friday", "people": ["Ann", "Dee"]})
    path = f"groups/{made['code']}/"
    archive = ask(made["token"], "get", f"{path}archive/", title="The archive of a group without tables")
    ask("", "post", "groups/import/", archive, content_type="text/plain", title="The lines of an archive")
    ask("", "post", "groups/import/", {"text": archive}, title="An archive as JSON")
