"""Golden records of Spades; `.venv/bin/python -m tests.golden.make` deals missing ones."""

from random import Random
from typing import Any

from referee.engine.events import Ask, Field
from referee.engine.table import TableState
from tests.golden import any_game
from tests.golden.any_game import Dealt
from tests.golden.variant import LOST, Shows, Variant, both, clean, irregular, revokes, scored


def bags_after(judged: dict) -> list[str] | None:
    return ["the bags"] if any(judged["hands"][-1]["bags"]) else None


class Bidding(Dealt):
    """True hands of players who bid about what they can take, sometimes nil, and blind if allowed."""

    wild = False

    def choose(self, asks: list[Ask]) -> Ask:
        blind = [ask for ask in asks if ask.fixed]
        return blind[0] if blind and self.rng.random() < 0.2 else asks[0]

    def fill(self, field: Field, seat: int) -> object:
        if field.kind == "flag":
            return True
        if field.kind != "number":
            return super().fill(field, seat)
        if self.wild:
            return self.rng.randint(field.most - 3, field.most)
        usual = round(self.rng.gauss(field.most / len(self.hands) - 0.3, 1))
        return 0 if self.rng.random() < 0.1 else min(field.most, max(1, usual))


class Forbidden(Bidding):
    """True hands with a player far behind who bids a blind nil, which the table accepts."""

    def __init__(self, table: TableState, rng: Random, lies: float) -> None:
        super().__init__(table, rng, lies)
        totals = table.totals()
        self.behind = totals.index(min(totals)) if max(totals) - min(totals) >= 100 else None

    def answer(self, ask: Ask) -> dict[str, Any]:
        told = super().answer(ask)
        if ask.event != "bid" or told["seat"] != self.behind:
            return told
        return told | {"tricks": 0, "blind": True, "accepted": True}


class Wild(Bidding):
    """True hands of players who bid nearly all tricks."""

    wild = True


def play(variant: Variant, record: dict, rng: Random) -> bool:
    dealt = {"floor": Wild, "blind_nil": Forbidden if variant.options.get("blind_nil") == "off" else Bidding}
    return any_game.play(variant, record, rng, next((dealt[key] for key in dealt if key in variant.options), Bidding))


def table(name: str, about: str, options: dict, shows: Shows = clean, players: int = 4, **more: object) -> Variant:
    return Variant("spades", name, about, options, players=players, shows=shows, **more)  # type: ignore[arg-type]


TO_500 = {"kind": "score", "value": 500}
FAILED = both(clean, scored("nil-failed", "the nil that failed"))
VARIANTS = [
    table("plain", "Spades as it is played by default.", {}),
    table("hands-two", "Two hands: bags are kept.", {}, both(clean, bags_after), hands=2),
    table("players-3", "Three players, without the 2 of clubs.", {}, players=3),
    table("players-6", "Six players, without the four twos.", {}, players=6),
    table("partners-false", "Four players, each alone.", {"partners": False}),
    table("leftover-aside", "Five players and the whole pack: two cards lie aside.", {"leftover": "aside"}, players=5),
    table("nil-50", "A nil is worth 50 points.", {"nil": "50"}, FAILED),
    table("nil-off", "A bid of 0 is a contract of nothing.", {"nil": "off"}),
    table("blind-always", "Any side may bid nil blind.", {"blind_nil": "always"}),
    table("blind-off", "Nobody bids nil blind.", {"blind_nil": "off"}, irregular("forbidden-bid", "the bid"), hands=2),
    table("failed-count", "Tricks of a failed nil help the partner.", {"failed_nil": "count"}, FAILED),
    table("failed-nothing", "Tricks of a failed nil count for nothing.", {"failed_nil": "nothing"}, FAILED),
    table("opening-low-club", "Whoever holds the 2 of clubs leads it.", {"opening": "low-club"}),
    table("lead-free", "Spades may be led once the first trick is over.", {"spades_lead": "free"}),
    table("overtrick-0", "A bag scores nothing.", {"overtrick": 0}, both(clean, bags_after)),
    table("overtrick-minus", "A bag loses a point.", {"overtrick": -1}, both(clean, bags_after)),
    table("bags-five", "Five bags cost 50 points.", {"bags": "five"}, scored("bags-full", "the full bags"), hands=2),
    table("bags-off", "Bags cost nothing.", {"bags": "off"}, both(clean, bags_after)),
    table("floor-200", "The game ends at minus 200, too.", {"floor": "200"}, end=TO_500),
    table("floor-500", "The game ends at minus 500, too.", {"floor": "500"}, hands=2, end=TO_500),
    table("tie-share", "A tie is shared.", {"tie": "share"}),
    *revokes("spades", "Spades", 4),
    Variant(
        "spades", "revoke-three-tricks", "Spades: when a revoke is proved, three tricks are proposed (SP-R1).",
        {"revoke": "three-tricks"}, 4, lies=1.0, shows=LOST,
    ),
]  # fmt: skip
