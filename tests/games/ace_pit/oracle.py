"""A naive referee of Ace Pit: the answers of `judge` and `response`."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from typing import Any

from tests.games.french.oracle import REVOKES, Deal, FrenchTable, Hand, Json, canonical, french_deck, require
from tests.games.tricks.oracle_plain import full_options

OPTIONS: dict[str, tuple[Any, ...]] = {
    "free_pairs": (False, True),
    "ace_pit_once": (False, True),
    "fork_spoon": (True, False),
    "spoon_beats_ace": (False, True),
    "ace_lead": (50, 60, 10),
    "totals": ("open", "hidden"),
}
ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
NUMBERS = {rank: place for place, rank in enumerate(ORDER)}
ITEMS = ("spoon", "even-stevens", "pin", "double-fork", "ace-pit", "flush")
HAND = 7
TRICKS = 7
THROW_AWAY = 10
Lines = dict[str, int]


# --- one response ----------------------------------------------------------------------------


def number(card: str) -> int:
    """The card's number, Ace high (AP-19)."""
    return NUMBERS[card[:-1]]


def is_spoon(card: str, laid: str) -> bool:
    """Same suit and adjacent number (AP-6)."""
    return card[-1] == laid[-1] and abs(number(card) - number(laid)) == 1


def set_lines(options: Json, laid: str, cards: list[str]) -> Lines:
    """The items of a response taken as one card, a Pin or a Double Fork; 0 if there is none."""
    two = len(cards) == 2
    low, high = sorted(map(number, (cards[0], cards[-1])))
    pin = two and cards[0][-1] == cards[1][-1] and low < number(laid) < high
    fork = two and low == high
    spoons = sum(is_spoon(card, laid) for card in cards)
    if fork and not options["fork_spoon"]:
        spoons = 0
    evens = sum(number(card) == number(laid) for card in cards)
    aces = sum(card.startswith("A") for card in cards)
    if options["ace_pit_once"]:
        aces = min(aces, 1)
    suited = sum(card[-1] == laid[-1] for card in cards)
    if not two and spoons == 1 and aces == 0:
        suited = 0
    amounts = (15 * spoons, 20 * evens, 25 * pin, 30 * fork, 50 * aces, 20 * suited)
    return dict(zip(ITEMS, amounts, strict=True))


def wins(options: Json, laid: str, lines: Lines) -> bool:
    """Whether the items beat the laid card (AP-12, AP-13, AP-20, AP-Q7)."""
    names = ["even-stevens", "double-fork", "ace-pit"]
    if not laid.startswith("A") or options["spoon_beats_ace"]:
        names += ["spoon"]
    if not laid.startswith("A"):
        names += ["pin"]
    return any(lines[name] for name in names)


def responder_lines(options: Json, laid: str, cards: list[str]) -> Lines | None:
    """What the responder scores; `{}` if the leader wins; None if the cards make no set."""
    lines = set_lines(options, laid, cards)
    if len(cards) == 2 and not lines["pin"] and not lines["double-fork"]:
        alone = [responder_lines(options, laid, [card]) for card in cards]
        if not options["free_pairs"] or not all(alone):
            return None
        lines = {item: sum((one or {}).get(item, 0) for one in alone) for item in ITEMS}
    elif not wins(options, laid, lines):
        return {}
    return {item: points for item, points in lines.items() if points}


def leader_lines(options: Json, laid: str) -> Lines:
    """What the leader scores for a trick that the responder did not win."""
    if laid.startswith("A"):
        return {"ace-laid": options["ace_lead"]}
    return {"throw-away": THROW_AWAY}


def possible_scores(options: Json, longest: int = 2) -> frozenset[int]:
    """Every score a response of this many cards to any laid card can give its player."""
    return frozenset(points for led, points, _ in trick_kinds(options, longest) if not led)


Kind = tuple[bool, int, int]
"""Whether the leader wins a trick, its points, and how many Aces it takes at least."""


def trick_kinds(options: Json, longest: int) -> frozenset[Kind]:
    """The possible outcomes of a trick: whether its leader wins, the points, and the fewest Aces that takes."""
    return enumerated_kinds(tuple(options.items()), longest)


@cache
def enumerated_kinds(items: tuple[tuple[str, object], ...], longest: int) -> frozenset[Kind]:
    """Every way a trick of one suit led can end, with the fewest Aces it takes."""
    return frozenset(
        (led, points, min(sum(card.startswith("A") for card in cards) for cards in shapes))
        for (led, points), shapes in enumerated_tricks(items, longest).items()
    )


@cache
def enumerated_tricks(items: tuple[tuple[str, object], ...], longest: int) -> dict[tuple[bool, int], list[list[str]]]:
    """Leads and responses in three suits, by winner (leader or not) and points."""
    options = dict(items)
    deck = [card for card in french_deck(1) if card[-1] in "HSC"]
    found: dict[tuple[bool, int], list[list[str]]] = {}
    for laid in [card for card in deck if card[-1] == "H"]:
        others = [card for card in deck if card != laid]
        answers = [[card] for card in others]
        answers += [list(pair) for pair in combinations(others, 2) if longest == 2]
        for cards in answers:
            lines = responder_lines(options, laid, cards)
            if lines is not None:
                points = sum((lines or leader_lines(options, laid)).values())
                found.setdefault((not lines, points), []).append([laid, *cards])
    return found


@cache
def tricks_in_cards(
    items: tuple[tuple[str, object], ...], led: bool, points: int, longest: int
) -> list[frozenset[str]]:
    found: set[frozenset[str]] = set()
    for shape in enumerated_tricks(items, longest).get((led, points), []):
        for suits in permutations("HSCD", 3):
            moved = dict(zip("HSC", suits, strict=True))
            found.add(frozenset(card[:-1] + moved[card[-1]] for card in shape))
    return sorted(found, key=sorted)


MOST_TRIED = 20_000
"""How many sets of cards are tried; what is undecided then counts as possible."""


def can_all_be(options: Json, hidden: list[tuple[bool, int, int]], played: set[str]) -> bool:
    """Whether unplayed cards can make all these tricks, with no card used twice."""
    items = tuple(options.items())
    able = sorted(([each for each in tricks_in_cards(items, *trick) if not each & played] for trick in hidden), key=len)
    tried = 0

    def lay(place: int, out: frozenset[str]) -> bool:
        nonlocal tried
        if place == len(able):
            return True
        for cards in able[place]:
            tried += 1
            if tried > MOST_TRIED or (not cards & out and lay(place + 1, out | cards)):
                return True
        return False

    return lay(0, frozenset())


def can_be_made(options: Json, made: list[int], tricks: int, leader: int = 0, aces: int = 4) -> bool:
    """Whether this many tricks up to the end of the hand can give these points, with this many Aces left.

    Whoever leads, the points must add up; and neither player has more than winning and leading allow beside the other.
    """
    usual, last = trick_kinds(options, 2), trick_kinds(options, 1)

    @cache
    def adds_up(first: int, second: int, left: int, aces: int) -> bool:
        if left == 0 or min(first, second) < 0:
            return first == second == 0 and left == 0
        return any(
            adds_up(first - points, second, left - 1, aces - needed)
            or adds_up(first, second - points, left - 1, aces - needed)
            for _, points, needed in (last if left == 1 else usual)
            if needed <= aces
        )

    @cache
    def most(leads: bool, other: int, left: int, aces: int) -> int:
        """The most a player can make while the other makes exactly this much; negative if impossible."""
        if left == 0:
            return 0 if other == 0 else -1
        found = -1
        for led, points, needed in last if left == 1 else usual:
            if needed > aces:
                continue
            own = led == leads
            if own or points <= other:
                rest = most(own, other if own else other - points, left - 1, aces - needed)
                found = max(found, rest + (points if own else 0) if rest >= 0 else -1)
        return found

    for seat in range(2):
        bound = most(seat == leader, made[1 - seat], tricks, aces)
        if 0 <= bound < made[seat]:
            return False
    return min(made) >= 0 and adds_up(made[0], made[1], tricks, aces)


# --- one hand --------------------------------------------------------------------------------


class PitHand(Hand):
    """Seven tricks of one laid card and a response."""

    def __init__(self, position: int, dealt: Deal, options: Json, known: dict[str, list[str]]) -> None:
        super().__init__(position, dealt, options, known)
        self.leader = 1 - dealt.dealer
        self.laid: str | None = None
        self.played: set[str] = set()
        self.draws = [0, 0]
        self.foreign = [0, 0]
        self.result: list[int] | None = None
        self.hidden_aces = 0
        self.hidden: list[tuple[bool, int, int]] = []

    def to_act(self) -> list[int]:
        return [self.leader if self.laid is None else 1 - self.leader]

    def extras(self) -> Json:
        return {"trump": None, "suit_order": None}

    def recorded(self) -> list[int]:
        entries = [trick["points"] for trick in self.tricks]
        return [sum(points.get(str(seat), 0) for points in entries) for seat in range(2)]

    def points(self) -> list[int]:
        return self.recorded() if self.result is None else self.result

    # --- cards -------------------------------------------------------------------------------

    def take_play(self, at: int, event: Json) -> None:
        """A card is led, or a response given."""
        seat, laying = event["seat"], self.laid is None
        require(laying or seat != self.leader, "wrong-phase")
        self.check_seat(seat)
        require(len(event["cards"]) in ((1,) if laying else (1, 2)), "wrong-count")
        cards = self.read_cards(seat, event["cards"])
        require("suit" not in event, "bad-suit")
        if laying:
            early = seat != self.leader
            self.settle(at, event, [("out-of-turn", seat)] if early else [], len(self.tricks) + 1)
            self.lay(seat, cards[0])
        else:
            lines = responder_lines(self.options, self.laid or "", cards)
            faults = [("no-combination", seat)] if lines is None else []
            self.settle(at, event, faults, len(self.tricks))
            self.respond(seat, cards, lines or {})
        self.remember(seat, cards)

    def read_cards(self, seat: int, texts: list[str]) -> list[str]:
        """The cards by code, after the checks for impossible plays."""
        found = [canonical(text, 1) for text in texts]
        require(None not in found, "not-in-deck")
        cards = [card for card in found if card is not None]
        fresh = len(set(cards)) == len(cards) and self.played.isdisjoint(cards)
        require(fresh, "already-played")
        aces = sum(card.startswith("A") for card in cards)
        require(aces == 0 or aces <= self.aces_left(), "already-played")
        require(not self.hidden or can_all_be(self.options, self.hidden, self.played | set(cards)), "already-played")
        require(len(cards) <= self.cards_left[seat], "too-many-cards")
        require(self.known.get(1 - seat, set()).isdisjoint(cards), "not-in-hand")
        outside = self.foreign[seat] + self.count_foreign(seat, cards)
        require(outside <= self.draws[seat], "not-in-hand")
        return cards

    def aces_left(self) -> int:
        """How many Aces were neither seen nor are needed by tricks without cards."""
        return 4 - self.hidden_aces - sum(card.startswith("A") for card in self.played)

    def count_foreign(self, seat: int, cards: list[str]) -> int:
        """How many of the cards must have been drawn, judging by the entered hand."""
        if seat not in self.known:
            return 0
        return sum(card not in self.known[seat] for card in cards)

    def remember(self, seat: int, cards: list[str]) -> None:
        self.played.update(cards)
        self.foreign[seat] += self.count_foreign(seat, cards)

    def lay(self, seat: int, card: str) -> None:
        self.leader, self.laid = seat, card
        self.cards_left[seat] -= 1
        self.list_trick([{"seat": seat, "cards": [card]}])

    def list_trick(self, plays: list[Json]) -> None:
        self.tricks.append(
            {
                "number": len(self.tricks) + 1,
                "leader": self.leader,
                "plays": plays,
                "winner": None,
                "points": {},
                "trump": None,
                "lines": [],
            }
        )

    def respond(self, seat: int, cards: list[str], lines: Lines) -> None:
        """End a trick: score, draw, pass the lead (AP-12..15)."""
        self.tricks[-1]["plays"].append({"seat": seat, "cards": cards})
        self.cards_left[seat] -= len(cards)
        if len(cards) == 2:
            self.cards_left[seat] += 1
            self.draws[seat] += 1
        winner = seat if lines else self.leader
        lines = lines or leader_lines(self.options, self.laid or "")
        self.tricks[-1]["lines"] = [{"item": k, "points": v} for k, v in lines.items()]
        self.win_trick(winner, sum(lines.values()))

    def win_trick(self, winner: int, points: int) -> None:
        self.tricks[-1]["winner"] = winner
        self.tricks[-1]["points"] = {str(winner): points}
        self.tricks_won[winner] += 1
        self.leader, self.laid = winner, None
        if len(self.tricks) == TRICKS:
            self.phase = "finished"

    # --- other depths ------------------------------------------------------------------------

    def take_trick(self, at: int, event: Json) -> None:
        """A trick recorded without its cards; fine print 32 and 37."""
        require(self.laid is None, "wrong-phase")
        winner, points = event["winner"], event["points"]
        self.check_seat(winner)
        require(list(points) == [str(winner)], "bad-result")
        kinds = trick_kinds(self.options, 1 if len(self.tricks) == TRICKS - 1 else 2)
        key = winner == self.leader, points[str(winner)]
        needed = next((aces for led, worth, aces in kinds if (led, worth) == key), 5)
        require(needed <= self.aces_left(), "bad-result")
        hidden = [*self.hidden, (*key, 1 if len(self.tricks) == TRICKS - 1 else 2)]
        require(can_all_be(self.options, hidden, self.played), "bad-result")
        self.hidden_aces, self.hidden = self.hidden_aces + needed, hidden
        self.list_trick([])
        self.cards_left = [left - 1 for left in self.cards_left]
        if len(self.tricks) < TRICKS:
            self.draws[1 - self.leader] += 1
        self.win_trick(winner, points[str(winner)])

    def take_result(self, at: int, event: Json) -> None:
        """The rest of the hand by its result; fine print 32 and 37."""
        require(self.laid is None, "wrong-phase")
        points, recorded = event["points"], self.recorded()
        require(len(points) == 2, "bad-result")
        require(all(value >= 0 and value % 5 == 0 for value in points), "bad-result")
        pairs = zip(points, recorded, strict=True)
        require(all(value >= had for value, had in pairs), "bad-result")
        tricks_left = TRICKS - len(self.tricks)
        rest = [value - had for value, had in zip(points, recorded, strict=True)]
        require(can_be_made(self.options, rest, tricks_left, self.leader, self.aces_left()), "bad-result")
        self.result = list(points)
        self.tricks_won = [None, None]
        self.cards_left = [0, 0]
        self.phase = "finished"


# --- the table -------------------------------------------------------------------------------


def deal_by(dealer: int) -> Deal:
    """Seven cards each (AP-2)."""
    return Deal(dealer, [0, 1], [HAND, HAND])


class PitTable(FrenchTable):
    game = "ace-pit"
    sizes = (2,)
    hand_class = PitHand
    values = OPTIONS
    default_end = {"kind": "hands", "value": 11}

    def first_deal(self) -> Deal:
        return deal_by(self.first_dealer)

    def deal_after(self, hand: PitHand) -> Deal:
        return deal_by(1 - hand.deal.dealer)


judge = PitTable.answer_to


def response(body: Json) -> Json:
    options = full_options(body.get("options", {}), {**OPTIONS, "revoke": REVOKES})
    laid, *cards = (canonical(card, 1) or "" for card in (body["laid"], *body["response"]))
    lines = responder_lines(options, laid, cards)
    if lines is None:
        return {"winner": None, "points": 0, "lines": []}
    winner = "responder" if lines else "leader"
    lines = lines or leader_lines(options, laid)
    items = [{"item": item, "points": points} for item, points in lines.items()]
    return {"winner": winner, "points": sum(lines.values()), "lines": items}
