"""A plain second adjudicator for Spades.

It is independent of the referee: cards are strings, a hand is one mutable object, everything is recomputed. What a
hidden hand can hold is determined by suits, as in Oh Hell.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import Any

from tests.games.oh_hell import oracle as oh_hell
from tests.games.oh_hell.oracle_hand import Claim, contradict
from tests.games.oh_hell.oracle_hand import Hand as OhHellHand
from tests.games.oh_hell.oracle_rules import DECK, UNSEEN, parse_card, parse_suit, suit_of
from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import Event, Invalid, PlainTable, Tests

VALUES: dict[str, list[Any]] = {
    "partners": [True, False],
    "leftover": ["remove", "aside"],
    "nil": ["100", "50", "off"],
    "blind_nil": ["behind", "always", "off"],
    "failed_nil": ["bags", "count", "nothing"],
    "opening": ["left", "low-club"],
    "spades_lead": ["broken", "free"],
    "overtrick": [1, 0, -1],
    "bags": ["ten", "five", "off"],
    "floor": ["off", "200", "500"],
    "tie": ["play-on", "share"],
    "revoke": ["ask", "stand", "bridge", "hand-zero", "redeal", "three-tricks"],
}
OUT = {3: ["2C"], 4: [], 5: ["2C", "2D"], 6: ["2C", "2D", "2H", "2S"]}
LIMITS = {"ten": 9, "five": 4, "off": 9999}


def full_options(given: dict, players: int) -> dict[str, Any]:
    """Every option with defaults filled in; Invalid for unknown or incompatible ones (SP-1, SP-2)."""
    options = plain.full_options({"partners": players == 4, **given}, VALUES)
    if options["partners"] and players != 4:
        raise Invalid("partners")
    if options["leftover"] == "aside" and players == 4:
        raise Invalid("nothing is left over")
    if options["revoke"] == "three-tricks" and not options["partners"]:
        raise Invalid("no other side")
    return options


def deck_of(options: dict, players: int) -> list[str]:
    """The cards in play (SP-2)."""
    out = OUT[players] if options["leftover"] == "remove" else []
    return [card for card in DECK if card not in out]


class EarlyLead(Claim):
    """A spade led too early: from this event on the seat holds nothing but spades (SP-8)."""

    code = "trump-led"

    @property
    def suits(self) -> set[str]:
        return set("HDC")


class Hand(OhHellHand):
    """One hand of Spades; ``before`` are the totals at its start, ``bags`` the account of each seat's side."""

    def __init__(self, *, before: list[int], bags: list[int], **dealt: Any) -> None:
        dealt["options"] = {**dealt["options"], "trump": "none", "bidding": "in-turn"}
        super().__init__(played=0, **dealt)
        self.deck = deck_of(self.options, self.players)
        self.trump, self.trump_known = "S", True
        self.before, self.bags = before, bags
        self.blind_bids = [False] * self.players

    def side(self, seat: int) -> list[int]:
        return [seat % 2, seat % 2 + 2] if self.options["partners"] else [seat]

    def is_nil(self, seat: int) -> bool:
        return self.bids[seat] == 0 and self.options["nil"] != "off"

    # -- leads -------------------------------------------------------------------------------------

    def may_open(self) -> list[str] | None:
        """The clubs with which the hand may be opened, or None if anything may (SP-6)."""
        clubs = [card for card in self.deck if suit_of(card) == "C"]
        if self.options["opening"] != "low-club" or self.tricks:
            return None
        if self.holder() is None and self.size * self.players < len(self.deck):
            return clubs
        return clubs[:1]

    def holder(self) -> int | None:
        low = next(card for card in self.deck if suit_of(card) == "C")
        shown = [seat for seat in self.known if low in self.known[seat]]
        unknown = [seat for seat in self.seats if seat not in self.known]
        whole = self.size * self.players == len(self.deck)
        return shown[0] if shown else unknown[0] if whole and len(unknown) == 1 else None

    def to_act(self) -> list[int]:
        if self.phase() == "play" and self.may_open():
            holder = self.holder()
            return list(self.seats) if holder is None else [holder]
        return super().to_act()

    def broken(self) -> bool | None:
        """Whether an earlier trick broke spades (SP-8)."""
        found: bool | None = False
        hidden = iter(self.hidden)
        for trick in self.complete():
            seen = [play["cards"][0] for play in trick["plays"] if play["cards"] != [UNSEEN]]
            could = [cards for _, cards in islice(hidden, self.players - len(seen))] if trick["plays"] else [set(DECK)]
            if "S" in map(suit_of, seen) or any({*map(suit_of, cards)} == {"S"} for cards in could):
                return True
            if any("S" in map(suit_of, cards) for cards in could):
                found = None
        return found

    def denied_suits(self, card: str) -> str:
        """The suits of which a card implies that its player holds none."""
        if self.open_trick() is not None:
            return self.denied_suit(card) or ""
        if card == UNSEEN or suit_of(card) != "S":
            return ""
        first = not self.tricks and self.options["opening"] == "left"
        return "HDC" if first or (self.options["spades_lead"] == "broken" and self.broken() is False) else ""

    def find_core(self, claims: list[Claim]) -> list[Claim] | None:
        """The smallest set of claims that cannot all be true, the one with the earliest acts among equals."""
        situation = self.situation(self.position)
        if not contradict(situation, claims):
            return None
        telling: list[Claim] = []
        for claim in claims:
            if not any(old.seat == claim.seat and old.suits >= claim.suits for old in telling):
                telling.append(claim)
        sizes = (combinations(telling, size) for size in range(1, len(telling) + 1))
        return next(list(core) for size in sizes for core in size if contradict(situation, list(core)))

    # -- scores ------------------------------------------------------------------------------------

    def pools(self) -> list[list[int]]:
        sides = [[0, 2], [1, 3]] if self.options["partners"] else []
        return [side for side in sides if not any(map(self.is_nil, side))]

    def nil_of(self, seat: int) -> str:
        """The outcome of a nil, revokes included (SP-4, SP-R3)."""
        if not self.is_nil(seat):
            return ""
        revokes = [each for each in self.irregularities if each["code"] == "revoke"]
        if seat in [each["seat"] for each in revokes]:
            return "failed"
        spoiled = [each["trick"] for each in revokes if each["seat"] not in self.side(seat)]
        own = [number for number, trick in enumerate(self.complete(), 1) if trick["winner"] == seat]
        won = self.won_before_transfers()[seat]
        return "made" if won == 0 or (won == 1 and own and own[0] in spoiled) else "failed"

    def side_scores(self) -> list[tuple[list[int], int, int]]:
        """For every side: its seats, its points, and its bags afterwards."""
        won = self.won_before_transfers()
        more = [after - before for after, before in zip(self.tricks_counted(), won, strict=True)]
        found = []
        for side in [self.side(seat) for seat in self.seats if self.side(seat)[0] == seat]:
            told = [
                (self.bids[seat], won[seat] + min(0, more[seat]), self.nil_of(seat), self.blind_bids[seat])
                for seat in side
            ]
            gained = sum(max(0, more[seat]) for seat in side)
            found.append((side, *side_score(self.options, told, gained, self.bags[side[0]])))
        return found

    def scores(self) -> list[int | None]:
        if self.void or not self.finished():
            return list(self.penalties) if self.void else [None] * self.players
        points = list(self.penalties)
        for side, made, _ in self.side_scores():
            points[side[0]] += made
        return list(points)

    def bags_after(self) -> list[int]:
        if self.void or not self.finished():
            return list(self.bags)
        after = list(self.bags)
        for side, _, bags in self.side_scores():
            for seat in side:
                after[seat] = bags
        return after

    def contracts(self) -> list[int | None]:
        bids = [[self.bids[each] for each in self.side(seat)] for seat in self.seats]
        return [None if None in side else sum(bid or 0 for bid in side) for side in bids]

    def answer(self) -> dict:
        return {**super().answer(), "contracts": self.contracts(), "bags": self.bags_after()}


# --- A side's score, from clauses SP-9 to SP-12

Told = tuple[Any, int, str, bool]  # bid, own tricks, the outcome of a nil, whether it was blind
PRICES = {"ten": (10, 100), "five": (5, 50)}


def side_score(options: dict, told: list[Told], gained: int, account: int) -> tuple[int, int]:
    """The points of a side in a hand, and its bags afterwards."""
    points = bags = 0
    plain = [each for each in told if not each[2]]
    failed = [each for each in told if each[2] == "failed"]
    counting = plain + (failed if options["failed_nil"] == "count" else [])
    contract, own = sum(bid for bid, *_ in plain), sum(tricks for _, tricks, *_ in counting)
    helped = own + (gained if plain else 0)
    if helped < contract:
        points -= 10 * contract
    else:
        points += 10 * contract
        bags += max(0, own - contract)
    for _, tricks, nil, blind in told:
        worth = 0 if not nil else int(options["nil"]) * (2 if blind else 1)
        points += worth if nil == "made" else -worth
        if nil == "failed" and options["failed_nil"] == "bags":
            bags += tricks
    points += bags * options["overtrick"]
    account += bags
    if options["bags"] in PRICES:
        limit, price = PRICES[options["bags"]]
        while account >= limit:
            account -= limit
            points -= price
    return points, account


# --- The checks of each event, in the order of the codes, and the effect of an accepted one


def wrong_phase(hand: Hand, event: Event) -> bool:
    return event["type"] == "turn-up" or oh_hell.wrong_phase(hand, event)


def bad_bid(hand: Hand, event: Event) -> bool:
    """Not a number of tricks, or a blind bid that is not nil (SP-5)."""
    if plain.bad_bid(hand, event):
        return True
    unfit = hand.options["nil"] == "off" or event.get("tricks") != 0
    return event["type"] == "bid" and bool(event.get("blind")) and unfit


IMPOSSIBLE: Tests = oh_hell.IMPOSSIBLE | {
    "wrong-phase": wrong_phase,
    "not-in-deck": plain.not_in_deck,
    "bad-bid": bad_bid,
}


def out_of_turn(hand: Hand, event: Event) -> bool:
    if event["type"] == "bid":
        return event["seat"] != hand.next_bidder()
    return event["type"] == "play" and event["seat"] not in hand.to_act()


def too_near(hand: Hand, event: Event) -> bool:
    """A blind nil by a side not far enough behind, or where none is allowed (SP-5)."""
    if event["type"] != "bid" or not event.get("blind") or hand.options["blind_nil"] == "always":
        return False
    if hand.options["blind_nil"] == "off":
        return True
    own = hand.side(event["seat"])
    best = max(total for seat, total in enumerate(hand.before) if seat not in own)
    return best - hand.before[own[0]] < 100


def wrong_opening(hand: Hand, event: Event) -> bool:
    clubs = hand.may_open() if event["type"] == "play" else None
    return clubs is not None and event["cards"] != [UNSEEN] and event["cards"][0] not in clubs


def breach(hand: Hand, event: Event) -> bool:
    if event["type"] != "play":
        return False
    suits = hand.denied_suits(event["cards"][0])
    return bool(suits) and hand.known_to_hold(event["seat"], event["cards"][0], suits)


IRREGULAR: Tests = {
    "out-of-turn": out_of_turn,
    "forbidden-bid": too_near,
    "wrong-opening": wrong_opening,
    "trump-led": lambda hand, event: hand.open_trick() is None and breach(hand, event),
    "revoke": lambda hand, event: hand.open_trick() is not None and breach(hand, event),
}


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    kind = event["type"]
    if kind == "bid":
        hand.bids[event["seat"]] = event["tricks"]
        hand.blind_bids[event["seat"]] = bool(event.get("blind"))
    elif kind == "result":
        hand.result, hand.together = hand.apportioned(event["tricks"])
    elif kind == "play":
        take_play(hand, event, seen)
    else:
        oh_hell.take(hand, event, seen)


def take_play(hand: Hand, event: Event, seen: list[str]) -> None:
    """A card joins the trick, perhaps ends it, perhaps claims or proves something."""
    seat, card = event["seat"], event["cards"][0]
    denied, leads = hand.denied_suits(card), hand.open_trick() is None
    if leads and denied and "trump-led" not in seen:
        hand.claims.append(EarlyLead(seat, hand.position, len(hand.tricks) + 1, "HDC"))
    oh_hell.take_play(hand, event, seen)


# --- The table


class Table(PlainTable):
    """A record that grows hand by hand and event by event."""

    game = "spades"
    sizes = range(3, 7)
    hand_class = Hand
    parse_card, parse_suit = staticmethod(parse_card), staticmethod(parse_suit)
    impossible, irregular, take = IMPOSSIBLE, IRREGULAR, staticmethod(take)

    def __init__(self, record: dict) -> None:
        super().__init__(record)
        self.options = full_options(record.get("options", {}), self.players)
        self.end = record.get("end", {"kind": "score", "value": 500})
        bare = self.end["kind"] == "open"
        value = self.end.get("value")
        if self.end["kind"] not in ("open", "score", "hands", "time") or bare != (value is None):
            raise Invalid("end")
        self.carried_bags = list(record.get("carried_bags", [0] * self.players))
        level = [self.carried, self.carried_bags] if self.options["partners"] else []
        if any(numbers[seat] != numbers[seat + 2] for numbers in level for seat in (0, 1)):
            raise Invalid("partners carry the same")
        if not all(0 <= bags <= LIMITS[self.options["bags"]] for bags in self.carried_bags):
            raise Invalid("bags")

    def next_size(self) -> int:
        return len(deck_of(self.options, self.players)) // self.players

    def shared(self, made: list[int]) -> list[int]:
        if not self.options["partners"]:
            return made
        return [made[seat % 2] + made[seat % 2 + 2] for seat in range(self.players)]

    def end_reached(self) -> bool:
        totals = self.totals()
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        sides = {seat % 2 if self.options["partners"] else seat for seat in best}
        if self.options["tie"] == "play-on" and len(sides) > 1:
            return False
        low = self.options["floor"] != "off" and min(totals) <= -int(self.options["floor"])
        return low or super().end_reached()

    def deck(self) -> list[str]:
        return deck_of(self.options, self.players)

    def more_of_next_hand(self) -> dict[str, Any]:
        return {"before": self.totals(), "bags": self.hands[-1].bags_after() if self.hands else self.carried_bags}


judge = Table.answer_to
