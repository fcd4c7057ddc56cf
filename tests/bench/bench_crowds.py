"""Many pages on one table, and two hundred tables with three followers each, on what `make run` starts."""

import os
import resource
import selectors
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from tests import postgres
from tests.bench.bench_taps import Phone, opened, program
from tests.bench.bench_writes import plays
from tests.bench.pages import Page, finish, run
from tests.bench.table import Figure
from tests.scoring.live.crowd import percentile
from tests.scoring.live.driving import Server, run_python, serving

PAGES = int(os.environ.get("PAGES", "1000"))
TABLES = int(os.environ.get("TABLES", "200"))
FOLLOWERS = 3
LOOKING = 50
CARDS_LOOKED_AT = 40
CARDS = int(os.environ.get("CARDS", "8"))
"""Cards on the one table, and on each of the many."""
SECONDS_BETWEEN = 2.5
ALONE = 60
"""Taps on a quiet server, beside which the others stand."""
SECONDS_OF_A_CARD = 4.0


@dataclass(frozen=True)
class House:
    """A server, and where its database is."""

    server: Server
    var: Path
    database: str = ""


def figures() -> Iterator[Figure]:
    os.environ["WRITES_PER_MINUTE"] = str(10**9)  # counted as ever, and never too many
    os.environ.setdefault("WORKERS", "")  # as many as the command takes by itself
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each page has two lines open
    yield from measure("sqlite")
    postgres.SETTINGS.update(postgres.DURABLE)
    with postgres.Postgres.started() as database:
        yield from measure("postgres", database.url(database.create_database()))


def measure(base: str, database: str = "") -> Iterator[Figure]:
    for crowd in (a_refresh, one_table, many_tables):
        with tempfile.TemporaryDirectory() as var, serving(Path(var), database) as server:
            yield from crowd(base, House(server, Path(var), database))


DEVICES = """
from pathlib import Path
from statistics import median
from scoring.models import Table
from scoring.services.devices import cookie_for, new_secret, put_on_device
from django.db import transaction
lines = []
with transaction.atomic():
    for code in Path({path!r}).read_text().split():
        secret = new_secret()
        put_on_device(secret, Table.objects.get(code=code))
        lines.append("=".join(cookie_for(secret)))
Path({path!r}).write_text("\\n".join(lines))
"""


def devices(house: House, codes: list[str]) -> list[str]:
    """Return the cookies of as many devices as there are codes, each of which has opened that table."""
    path = house.var / "devices"
    path.write_text("\n".join(codes))
    run_python(house.var, house.database, DEVICES.format(path=str(path)))
    return path.read_text().split("\n")


def a_refresh(base: str, house: House) -> Iterator[Figure]:
    """Yield what the refresh of one page takes of the processors where many look on, against an event by the API.

    Only the processes of the server are counted; the first one to ask after a card has it drawn for all.
    """
    code, token = opened(house.server)
    looking, cards = Phone(house.server.port, code), plays(3)
    record = program(house.server, f"tables/{code}/events/", token)
    spent = {"event": 0.0, "refresh": 0.0}
    with selectors.DefaultSelector() as chosen:
        pages = [Page.like(looking, at, cookie) for at, cookie in enumerate(devices(house, [code] * LOOKING), 1)]
        for page in pages:
            page.open(chosen)
        for version in range(1, CARDS_LOOKED_AT + 1):
            before = house.server.seconds_of_processor()
            record(next(cards))
            between = house.server.seconds_of_processor()
            for page in pages:
                page.newest = version
                page.catch_up()
            while any(page.shown < version for page in pages):
                for key, _ in chosen.select():
                    key.data()
            if version > CARDS_LOOKED_AT // 4:  # by then all is loaded, and parts that stay are drawn
                spent["event"] += between - before
                spent["refresh"] += (house.server.seconds_of_processor() - between) / LOOKING
        end(chosen)
    counted = CARDS_LOOKED_AT - CARDS_LOOKED_AT // 4
    yield Figure(f"crowds/refresh/{base}", 1000 * spent["refresh"] / counted, spent["refresh"] / spent["event"])


def one_table(base: str, house: House) -> Iterator[Figure]:
    """Yield how long after a tap its card is in the pages of all who look on."""
    code, token = opened(house.server)
    phone, looking, cards = Phone(house.server.port, code, token), Phone(house.server.port, code), plays(3)
    cookies = devices(house, [code] * PAGES)
    with selectors.DefaultSelector() as chosen:
        keeper = Page.like(phone, 0)
        pages = [Page.like(looking, number, cookie) for number, cookie in enumerate(cookies, 1)]
        keeper.open(chosen)
        for page in pages:
            page.open(chosen)
            page.watch(chosen)
        taps = (partial(keeper.tap, next(cards)) for _ in range(CARDS))
        run(chosen, ((3 + SECONDS_BETWEEN * number, tap) for number, tap in enumerate(taps)), rest=SECONDS_BETWEEN)
        finish(chosen, [keeper], pages)
        end(chosen)
    took = []
    there = {
        version: at - seconds
        for version, seconds in keeper.answered[2:]
        for shown, at in keeper.came
        if shown == version
    }
    last = time.perf_counter()
    for version, tapped in there.items():  # whoever has not seen it by now counts as if it came now
        took += [min((came for shown, came in page.came if shown >= version), default=last) - tapped for page in pages]
    middle, most = (1000 * percentile(sorted(took), share) for share in (0.5, 0.99))
    yield Figure(f"crowds/card/{base}", most, most / middle)


def many_tables(base: str, house: House) -> Iterator[Figure]:
    """Yield how long a tap waits for its answer while everybody else taps and follows."""
    code, token = opened(house.server)
    alone, deck = Phone(house.server.port, code, token), plays(0)
    quiet = median([alone.tap(next(deck)) for _ in range(ALONE)])
    with selectors.DefaultSelector() as chosen:
        keepers, looks = [], []
        for number in range(TABLES):
            code, token = opened(house.server)
            keepers.append(Page.like(Phone(house.server.port, code, token), number))
            looks += [Phone(house.server.port, code)] * FOLLOWERS
        cookies = devices(house, [phone.path.split("/")[2] for phone in looks])
        pages = [Page.like(*each) for each in zip(looks, range(len(looks)), cookies, strict=True)]
        for page in (*keepers, *pages):
            page.open(chosen)
            page.watch(chosen)
        pace = SECONDS_OF_A_CARD / TABLES
        decks = [plays(number) for number in range(TABLES)]
        order = [(keeper, deck) for _ in range(CARDS) for keeper, deck in zip(keepers, decks, strict=True)]
        plan = ((3 + pace * at, partial(keeper.tap, next(deck))) for at, (keeper, deck) in enumerate(order))
        run(chosen, plan, rest=2)
        finish(chosen, keepers)
        end(chosen)
    took = sorted(seconds for keeper in keepers for _, seconds in keeper.answered[2:])
    middle, slow = (percentile(took, share) for share in (0.5, 0.95))
    yield Figure(f"crowds/tap/{base}", 1000 * middle, middle / quiet)
    yield Figure(f"crowds/slow-tap/{base}", 1000 * slow, slow / middle)
    behind = sum(page.shown < keepers[at // FOLLOWERS].shown for at, page in enumerate(pages))
    if behind:
        print(f"  {behind} of {len(pages)} pages have not caught up two seconds later")


def end(chosen: selectors.BaseSelector) -> None:
    for key in list(chosen.get_map().values()):
        chosen.unregister(key.fileobj)
        key.fileobj.close()  # type: ignore[union-attr]  # all of them are sockets
