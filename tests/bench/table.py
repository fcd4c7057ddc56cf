"""Every row of `make bench`: what it measures, what it is compared with, and its goal."""

from dataclasses import dataclass
from typing import NamedTuple

BASES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
OPENSPIEL = "OpenSpiel’s Hearts, C++, driven from Python"
BARE_LOOP = "a bare loop of bit masks"
BAREST = "the barest view: 1 INSERT, 1 UPDATE"
YOUNG = "at a new table"
API = "an event by the API"
FEW = "after 20 tables"


class Figure(NamedTuple):
    """A measurement in its row's unit, and its ratio to the comparison.

    Either is ``nan`` if something broke or is not available here.
    """

    row: str
    figure: float
    ratio: float


@dataclass(frozen=True, slots=True)
class Goal:
    """A lower or upper bound, on the ratio if marked ``x``, else on the figure.

    >>> str(Goal.read(">= 0.5 x")), Goal.read("<= 70000").met(69999, 3.2)
    ('at least × 0.5', True)
    """

    least: bool
    bound: float
    of_ratio: bool

    @classmethod
    def read(cls, text: str) -> "Goal":
        sign, bound, *times = text.split()
        return cls(sign == ">=", float(bound), bool(times))

    def met(self, figure: float, ratio: float) -> bool:
        value = ratio if self.of_ratio else figure
        return value >= self.bound if self.least else value <= self.bound

    def __str__(self) -> str:
        return f"at {'least' if self.least else 'most'} {'× ' if self.of_ratio else ''}{self.bound:,g}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table; ``key`` begins with its part, as passed to `make bench ONLY=...`."""

    key: str
    what: str
    unit: str
    beside: str
    goal: str

    @property
    def part(self) -> str:
        return self.key.partition("/")[0]


def _twice(key: str, what: str, unit: str, beside: str, goal: str) -> list[Row]:
    return [Row(f"{key}/{base}", f"{what}, {name}", unit, beside, goal) for base, name in BASES.items()]


LIFE_PAGES = {
    "now": "first page", "history": "history", "finished": "history, finished ones", "person-history": "history of one",
    "evening": "last evening", "statistics": "statistics", "one-game": "statistics of a game", "ratings": "ratings",
    "hands": "points of hands", "person": "page of a person", "pair": "page of a pair",
}  # fmt: skip

ROWS: list[Row] = [
    Row("referee/replay", "whole records judged", "plays/s", OPENSPIEL, ">= 0.2 x"),
    Row("referee/judge", "judged event by event", "plays/s", OPENSPIEL, ">= 0.08 x"),
    Row("referee/described", "judged and described", "plays/s", OPENSPIEL, ">= 0.05 x"),
    Row("referee/json", "from JSON to JSON", "plays/s", OPENSPIEL, ">= 0.025 x"),
    Row("referee/late", "an event after 5,040 others", "µs", YOUNG, "<= 1.1 x"),
    Row("referee/counting", "a proof by counting, the slowest", "µs", f"a play in {BARE_LOOP}", "<= 100 x"),
    Row("referee/smallest", "the smallest proof, the slowest", "µs", f"a play in {BARE_LOOP}", "<= 10000 x"),
    *_twice("writes/event", "events by 8 callers at once", "/s", BAREST, ">= 0.75 x"),
    Row("writes/workers-2", "events by 8 callers at once, 2 workers", "/s", "1 worker", ">= 0.9 x"),
    Row("writes/workers-4", "events by 8 callers at once, 4 workers", "/s", "1 worker", ">= 0.9 x"),
    *_twice("writes/late", "an event after 5,000 others", "ms", YOUNG, "<= 1.1 x"),
    *_twice("taps/event", "an event by the API", "ms", BAREST, "<= 1.33 x"),
    *_twice("taps/tap", "a card tapped on the page", "ms", BAREST, "<= 2 x"),
    *_twice("taps/follow", "a follower fetching it alone", "ms", API, "<= 3 x"),
    *_twice("taps/bytes", "bytes on the wire for a tap", "bytes", "the whole page", "<= 1500"),
    *_twice("taps/late-tap", "a tap after 5,000 events", "ms", YOUNG, "<= 1.1 x"),
    *_twice("taps/late-page", "the whole page after 5,000 events", "ms", YOUNG, "<= 1.1 x"),
    *_twice("taps/late-log", "its log after 5,000 events", "ms", YOUNG, "<= 1.1 x"),
    Row("inside/statements-tap", "statements of a tap", "statements", BAREST, "<= 1 x"),
    Row("inside/statements-event", "statements of an event by the API", "statements", BAREST, "<= 1 x"),
    Row("inside/asks", "what may be recorded now, asked by the API", "ms", API, "<= 2 x"),
    Row("inside/answer", "the longest answer to 200 cards", "bytes", "the bound of the tests", "<= 1 x"),
    Row("live/200", "a change in 99 of 100 of 200 streams", "ms", "writing it where nobody looks on", "<= 100"),
    *[
        Row(f"life/{key}", f"2,000 tables, 100,000 hands: {name}", "ms", FEW, "<= 2 x")
        for key, name in LIFE_PAGES.items()
    ],
    Row("life/uncached", "the statistics, looked at first after a table has ended", "ms", FEW, "<= 10 x"),
    Row("life/statements", "most statements of such a page", "statements", FEW, "<= 1 x"),
    Row("life/bytes", "bytes kept of a hand beside its log", "bytes", "unpacked", "<= 0.5 x"),
    Row("inside/json", "an evening of 1,800 plays brought as JSON", "ms", "judging it", "<= 15 x"),
    Row("inside/text", "the same brought as text", "ms", "judging it", "<= 30 x"),
    Row("inside/group", "a group of 20 tables, 1,000 hands, brought", "ms", "taking it away", "<= 30 x"),
    Row("browser/bytes", "bytes on the wire of a first visit", "bytes", "the budget of the tests", "<= 1 x"),
    Row("browser/shown", "a table opened for the first time, until drawn", "ms", "a page with one word", "<= 1000"),
    Row("pocket/first", "a pocket’s first start with a quarter of a core: front page", "s", "a whole core", "<= 15"),
    Row("pocket/first-python", "and until Python answers", "s", "a whole core", "<= 15"),
    Row("pocket/later", "a later start: the running table is seen", "s", "a whole core", "<= 1"),
    Row("pocket/later-python", "and until the referee judges", "s", "a whole core", "<= 8"),
    Row("pocket/tap-shows", "a tap in a pocket, until it shows, the slowest of five", "ms", "a whole core", "<= 100"),
    Row("pocket/tap", "and until it is recorded", "ms", "a whole core", "<= 300"),
    Row("pocket/page", "a page in a pocket, until it can be read", "ms", "a whole core", "<= 300"),
    Row("start/first", "first start ever, until it answers", "s", "a server with one empty view", "<= 10"),
    Row("start/again", "start, until it answers", "s", "a server with one empty view", "<= 3"),
    *_twice("start/killed", "all killed (-9) under load, until it records", "s", "a start in peace", "<= 1"),
    *_twice("start/workers", "workers killed (-9) under load, until it records", "s", "a start in peace", "<= 1"),
    Row("browser/decktet", "slowest of 4 quick taps, 45 cards, slow phone", "ms", "the barest page", "<= 100"),
    Row("browser/two-packs", "slowest of 4 quick taps, 104 cards, slow phone", "ms", "the barest page", "<= 100"),
]  # fmt: skip
PARTS = list(dict.fromkeys(row.part for row in ROWS))
