"""`make requests N=1000000`: send this many malformed requests; none may get a 5xx or take more than a second.

They go to every address of the product with every method, from everyone in ``tests.scoring.roles``, to a public and a
private table and to a running one of every game: bodies schemathesis makes from the schema, records of every game,
worked rulings and the forms of the pages just seen, all of them as they are or slightly changed. They reach Django in
this process, through all middleware, one after another; what they write stays for one round, so that they meet tables
in odd states, and is then rolled back. Each round has its own seed, so it can be repeated.
"""

import gc
import json
import os
import re
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any
from urllib.parse import quote, urlencode

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()

from django.conf import settings
from django.db import connection, transaction
from django.template import engines
from django.test.utils import override_settings

from referee.api.views import urlpatterns as referee
from scoring.api_urls import urlpatterns as docs
from scoring.models import Table
from scoring.tables.acts.access import cookie_for, put_on_device
from tests.clients.evening import play_evening
from tests.games.discovery import CASES, HONEST, RANDOM
from tests.hunt.asking import BEFORE_THE_END, Asked, Server, Told
from tests.hunt.odd import WORDS, Form, bent, changed, damaged, filled, forms_on, odd, ways_on
from tests.scoring.conftest import OpenTable, holder
from tests.scoring.roles import ROLES, Address, House, addresses, furnish

ROUND = 400
LIMITS = ("WRONG_CODES_PER_HOUR", "WRITES_PER_MINUTE", "OPENINGS_PER_HOUR", "COSTLY_SECONDS_PER_MINUTE")
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
TYPES = (JSON, FORM, "text/plain", "application/xml", "multipart/form-data; boundary=x", "", "text/csv; charset=nope")
LANGUAGES = ("de", "en", "fr-CA", "es-419", "it", "nl-BE", "de-AT;q=0.5,en;q=0", "*", "x" * 300, "de;q=nope")
SENT = tuple(word.encode("utf-8", "replace").decode("latin-1") for word in WORDS)
"""The words as header values: their bytes as Latin-1."""
KEYS = ("0b3f1f6e-8d2a-4b7e-9c55-6a1f00000001", "0b3f1f6e-8d2a-4b7e-9c55-6a1f00000002", "no key", "")


class Askers:
    """Makes requests: from whom, to where, and with what."""

    def __init__(self, rng: Random, drawn: int) -> None:
        self.bodies = bodies_of_schema(drawn)
        for case in CASES:
            self.bodies.setdefault(f"/api/v1/{case['ask']}", []).append(case["body"])
        self.houses = [furnish(private=False), furnish(private=True)]
        open_to_all = [Address("api", str(each.name), do, each) for each in (*docs, *referee) for do in ("get", "post")]
        self.all = [*open_to_all, *(each for each in addresses() if self.houses[0].takes(each))]
        self.coming: dict[str, list[Any]] = {}
        for game in HONEST:
            self.houses.append(self._running(game, rng))
        self.forms: deque[Form] = deque(maxlen=300)
        self.ways: deque[str] = deque(maxlen=300)

    def _running(self, game: str, rng: Random) -> House:
        """Return a house with a table of a game in the middle of a hand, with the next event still to come."""
        record = next(made for made in iter(lambda: HONEST[game](rng), None) if made["hands"])
        at = rng.randrange(len(record["hands"]))
        coming = [event for hand in record["hands"][at:] for event in hand["events"]]
        record = {**record, "hands": record["hands"][:at]}
        opened = holder("").post("/api/v1/tables/import/", record).json()
        table, first = OpenTable(opened["code"], opened["token"]), self.houses[0]
        tokens = {**first.tokens, "scorekeeper": table.token, "player": table.link("player", 0)}
        for role in ("scorekeeper", "player"):
            put_on_device(role.ljust(43, "x"), Table.objects.get(code=table.code), tokens[role])
        self.coming[table.code] = coming
        groups = {key: first.arguments[key] for key in first.arguments if key.endswith(" code")}
        return House(table, first.group, tokens, {**first.arguments, "code": table.code, "game": game, **groups})

    def read(self, page: str, here: str) -> None:
        """Collect a page's forms and links, to be sent and followed later in the round."""
        self.forms += (form for form in forms_on(page, here) if form[1] != "/language/")
        self.ways += ways_on(page)

    def ask(self, rng: Random) -> Asked:
        house, role = rng.choice(self.houses), rng.choice(("scorekeeper", "member", *ROLES))
        kind = rng.random()
        if kind < 0.25 and self.forms:
            asked = self._by_form(rng)
        elif kind < 0.32 and self.ways:
            asked = Asked("get", rng.choice(self.ways))
        elif kind < 0.4:
            game = rng.choice(tuple(RANDOM))
            path = rng.choice(("referee/judge/", "referee/audit/", "referee/what-if/", "tables/import/"))
            record: Any = RANDOM[game](rng)
            record = {"record": record, "options": odd(rng)} if path == "referee/what-if/" else record
            asked = self._with_json(rng, Asked("post", f"/api/v1/{path}"), record)
        else:
            asked = self._to_address(rng, house, rng.choice(self.all))
        return self._from(rng, house, role, asked)

    def to(self, house: House, address: Address) -> Asked:
        try:
            path = house.path(address)
        except AssertionError:  # for the catalogue: which game or deck it is about
            path = f"/api/v1/{address.pattern.pattern}".replace("<str:game>", "ace-pit").replace(
                "<str:deck>", "decktet"
            )
        return Asked(address.method, path, stream=address.name if address.part == "live" else "")

    def _to_address(self, rng: Random, house: House, address: Address) -> Asked:
        template = "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(address.pattern.pattern))
        asked = self.to(house, address)
        path, stream, oddly = asked.path, asked.stream, rng.random()
        if oddly < 0.1 and not stream:
            parts = path.split("/")
            parts[rng.randrange(len(parts))] = quote(rng.choice(WORDS), safe="", errors="replace")
            asked = replace(asked, path="/".join(parts))
        elif oddly < 0.14 and not stream:
            asked = replace(asked, path="/" + bent(rng, path[1:]))
        elif oddly < 0.17 and not stream:
            asked = replace(asked, method=rng.choice(("head", "options", "put", "patch", "delete", "trace", "get")))
        if rng.random() < 0.3:
            asked = replace(asked, path=f"{asked.path}?{self._query(rng)}")
        if asked.method in ("post", "patch", "delete", "put"):
            if address.part == "page":
                return self._form(asked, [(rng.choice(NAMES), rng.choice(WORDS)) for _ in range(rng.randrange(6))])
            return self._with_json(rng, asked, self._body(rng, house, address, template))
        return asked

    def _body(self, rng: Random, house: House, address: Address, template: str) -> Any:
        if address.name == "table-events" and (coming := self.coming.get(house.table.code)):
            if rng.random() < 0.5:
                return {"events": coming[: rng.choice((1, 1, 3, 20))]}
            return {"events": [rng.choice(coming)]}
        pool = self.bodies.get(template)
        return rng.choice(pool) if pool else {}

    def _query(self, rng: Random) -> str:
        return urlencode([(rng.choice(NAMES), rng.choice(WORDS)) for _ in range(rng.randint(1, 4))], errors="replace")

    def _with_json(self, rng: Random, asked: Asked, body: Any) -> Asked:
        for _ in range(rng.choice((0, 0, 1, 2))):
            body = changed(rng, body)
        sent = json.dumps(body, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
        sent = damaged(rng, sent) if rng.random() < 0.03 else sent
        kind = JSON if rng.random() < 0.97 else rng.choice(TYPES)
        return replace(asked, body=sent, headers={"CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(sent))})

    def _by_form(self, rng: Random) -> Asked:
        method, path, fields = rng.choice(self.forms)
        sent = filled(rng, fields, rng.choice((0, 0, 0.1, 0.5)))
        if method == "get":
            joint = "&" if "?" in path else "?"
            return Asked("get", f"{path}{joint}{urlencode(sent, errors='replace')}")
        return self._form(Asked("post", path), sent)

    def _form(self, asked: Asked, sent: list[tuple[str, str]]) -> Asked:
        body = urlencode(sent, errors="replace").encode()
        return replace(asked, body=body, headers={"CONTENT_TYPE": FORM, "CONTENT_LENGTH": str(len(body))})

    def _from(self, rng: Random, house: House, role: str, asked: Asked) -> Asked:
        """Return a request as this caller sends it."""
        headers = dict(asked.headers)
        token, cookies = house.tokens.get(role, ""), ""
        if asked.path.startswith("/api/"):
            if token:
                headers["HTTP_AUTHORIZATION"] = f"Bearer {token}" if rng.random() < 0.97 else rng.choice(SENT)
            if rng.random() < 0.2:
                headers["HTTP_IDEMPOTENCY_KEY"] = rng.choice(KEYS)
            if rng.random() < 0.1:
                headers[rng.choice(("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"))] = rng.choice(('"1"', '"4"', "*", "1", ""))
        elif role != "nobody":
            cookies = "=".join(cookie_for(role.ljust(43, "x")))
        if rng.random() < 0.15:
            headers["HTTP_ACCEPT_LANGUAGE"] = rng.choice(LANGUAGES)
        if rng.random() < 0.1:
            headers["HTTP_HX_REQUEST"] = "true"
        if rng.random() < 0.05:
            name = rng.choice(("ACCEPT", "X_REQUEST_ID", "HOST", "REFERER", "ORIGIN", "COOKIE", "X_FORWARDED_FOR"))
            headers[f"HTTP_{name}"] = rng.choice(SENT)
        if rng.random() < 0.1:
            headers["REMOTE_ADDR"] = "203.0.113.7"
        return replace(asked, headers=headers, cookies=cookies)


NAMES = (
    "after", "as", "annotate", "part", "hand", "most", "limit", "before", "game", "person", "state", "words", "from",
    "to", "open", "event", "seat", "cards", "card", "suit", "points", "winner", "tricks", "tricks-0", "bid", "text",
    "why", "strike", "accepted", "version", "token", "depth", "rules_by",
    "again", "name", "dealer", "end", "end-points", "end-hands",
    "group", "private", "for", "next", "language", "code", "by", "finding", "remedy", "offender", "option-trump",
    "option-ties", "seat-0", "player-0", "role", "situation", "answer", "step", "part", "dry_run", "evening", "clause",
)  # fmt: skip


def bodies_of_schema(drawn: int) -> dict[str, list[Any]]:
    """Return bodies for every API address by path: examples, and some that its schema allows.

    Examples that need no table are in the schema; the others come from an evening, which is then discarded.
    """
    from tests.strict_answers import description

    found: dict[str, list[Any]] = {}
    for path, operations in description().schema["paths"].items():
        for operation in operations.values():
            content = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
            for example in content.get("examples", {}).values():
                found.setdefault(path, []).append(example["value"])
    with transaction.atomic():
        for each in play_evening():
            if isinstance(each.request, dict):
                found.setdefault(re.sub(r"<\w+:(\w+)>", r"{\1}", each.route), []).append(each.request)
        transaction.set_rollback(True)
    if drawn:
        for path, body in _drawn_by_schemathesis(drawn):
            found.setdefault(path, []).append(body)
    return found


def _drawn_by_schemathesis(often: int) -> Iterator[tuple[str, Any]]:
    import schemathesis
    from django.core.wsgi import get_wsgi_application
    from hypothesis import HealthCheck, Phase, given
    from hypothesis import settings as hypothesis_settings
    from schemathesis.core import NotSet

    cases: list[Any] = []
    for result in schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application()).get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr] # every operation of ours can be read
        if operation.method not in ("post", "patch"):
            continue

        @hypothesis_settings(
            max_examples=often, database=None, deadline=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(operation.as_strategy())
        def draw(case: Any) -> None:
            cases.append(case)

        draw()
    for case in cases:
        if not isinstance(case.body, NotSet | bytes):
            yield case.path, case.body


def hunt(
    number: int, seed: int, *, drawn: int, first: int = 0, told: Told | None = None, say: Any = None, enough: Any = None
) -> Told:
    """Send this many requests in rounds, or until it is enough; uses the test database and leaves nothing behind."""
    told, server = told or Told(), Server()
    with transaction.atomic(), override_settings(**dict.fromkeys(LIMITS, 0)):
        askers = Askers(Random(seed), drawn)
        for address in askers.all:  # do one-time work of a process beforehand
            plain = askers.to(askers.houses[0], address)
            with transaction.atomic():
                told.add(plain, server.answer(plain), f"first request to {address.key}", timed=False)
                transaction.set_rollback(True)
        gc.collect()
        gc.freeze()  # long-lived objects are ignored, as in a server
        for at in range(first, first - (-number // ROUND)):
            if enough and enough():
                break
            rng = Random(f"{seed}-{at}")
            askers.forms.clear()
            askers.ways.clear()
            with transaction.atomic():
                for each in range(min(ROUND, number - (at - first) * ROUND)):
                    if enough and enough():
                        break
                    asked = askers.ask(rng)
                    answered = server.answer(asked)
                    told.add(asked, answered, f"seed {seed}, round {at}, request {each}")
                    if answered.text and answered.status == 200 and rng.random() < 0.3:
                        askers.read(answered.text, asked.path.partition("?")[0])
                transaction.set_rollback(True)
            if say:
                say(told)
        transaction.set_rollback(True)
    return told


def main(number: int = 1_000_000, seed: int = 0, first: int = 0) -> int:
    """Hunt in an in-memory database and print the findings; return 1 if there are any."""
    import logging

    logging.disable(logging.CRITICAL)
    settings.STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.ALLOWED_HOSTS = ["*"]
    connection.creation.create_test_db(verbosity=0, serialize=False)
    for name in engines["jinja2"].env.list_templates():  # type: ignore[attr-defined] # what the engine brings
        engines["jinja2"].get_template(name)
    began, printed, rounds = monotonic(), 0, 0

    def say(told: Told) -> None:
        nonlocal printed, rounds
        for what in told.found[printed:]:
            print(f"Found. {what}\n", flush=True)
        printed = len(told.found)
        rounds += 1
        if rounds % 25 == 0:
            print(f"{told.asked:,} requests in {monotonic() - began:,.0f} s", flush=True)

    told = Told()

    BEFORE_THE_END.append(lambda: print(told, flush=True))
    try:
        hunt(number, seed, drawn=15, first=first, told=told, say=say)
    except KeyboardInterrupt:
        print("Interrupted.")
    print(told, flush=True)
    return int(bool(told.found))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
