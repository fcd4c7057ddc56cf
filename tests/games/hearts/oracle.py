"""A plain second adjudicator for Hearts: strings, lists and counting, independent of the referee."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.games.decktet_tricks.oracle_facts import Claim, Situation, contradict, minimal_claims
from tests.games.oh_hell.oracle_rules import DECK, RANKS, parse_card, parse_suit, rank_of
from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import SETTLING, Event, Invalid, PlainHand, PlainTable, Tests, Verdict

HEARTS = {card for card in DECK if card[-1] == "H"}
BURDEN = {*HEARTS, "QS"}
PLAYERS = range(3, 6)
VALUES: dict[str, list[Any]] = {
    "leftover": ["remove", "kitty"], "passing": ["usual", "left", "none"], "pass_count": [3, 1, 2, 4, 5],
    "opening": ["low-club", "left"], "hearts_lead": ["broken", "free"], "breaks": ["heart", "queen"],
    "first_trick": ["clean", "free"], "jack": ["off", "ten"], "moon": ["add", "subtract", "choice", "none"],
    "tie": ["share", "play-on"], "revoke": ["ask", "stand", "hand-zero", "redeal"],
}  # fmt: skip
WAYS = {3: (1, -1, 0), 4: (1, -1, 2, 0), 5: (1, -1, 0)}


def deck_of(options: dict, players: int) -> list[str]:
    out = {3: ("2D",), 4: (), 5: ("2D", "2C")}[players] if options["leftover"] == "remove" else ()
    return [card for card in DECK if card not in out]


class Hand(PlainHand):
    """One hand; ``begun`` are the hands as play begins, ``got`` the cards known to have been passed to a seat."""

    def __init__(self, *, played: int, **dealt: Any) -> None:
        super().__init__(**dealt)
        self.deck = deck_of(self.options, self.players)
        self.kitty = len(self.deck) % self.players
        self.low = next(rank + "C" for rank in RANKS if rank + "C" in self.deck)
        way = self.options["passing"]
        steps = {"left": (1,), "none": (0,)}.get(way, WAYS[self.players])
        step = steps[played % len(steps)]
        self.to = [(seat + step) % self.players for seat in self.seats] if step else None
        self.passed: list[list[str] | None] = [None] * self.players
        self.started = self.to is None
        self.chosen: bool | None = None
        self.begun = dict(self.known)
        self.got: dict[int, set[str]] = {seat: set() for seat in self.seats}
        self.gave: dict[int, set[str]] = {seat: set() for seat in self.seats}

    def worth(self, card: str) -> int:
        if card == "JD" and self.options["jack"] == "ten":
            return -10
        return 13 if card == "QS" else int(card in HEARTS)

    @property
    def whole(self) -> int:
        return sum(self.worth(card) for card in self.deck)

    # -- passing -----------------------------------------------------------------------------------

    def as_dealt(self) -> bool:
        """Whether the entered hands can be those before passing."""
        return self.entered_with(list(self.seats))

    def as_begun(self) -> bool:
        """Whether the entered hands can be those after passing."""
        return self.entered_with(self.to or [])

    def entered_with(self, holders: list[int]) -> bool:
        """Whether the cards each seat passed can be in its holder's entered hand, and in no other."""
        return all(
            (set(cards) <= set(hand)) if holders[giver] == seat else set(hand).isdisjoint(cards)
            for giver, cards in self.named()
            for seat, hand in self.known.items()
        )

    def named(self) -> Iterator[tuple[int, list[str]]]:
        for giver, cards in enumerate(self.passed):
            if cards is not None:
                yield giver, [card for card in cards if card != "?"]

    def start(self) -> None:
        """Play begins: determine where passed cards are."""
        self.started = True
        dealt, count = None not in self.passed, self.options["pass_count"]
        if self.to and (dealt or self.as_begun()):
            for giver, cards in self.named():
                self.got[self.to[giver]] |= set(cards)
                self.gave[giver] |= set(cards)
        if self.to and dealt:
            self.begun = {
                seat: [card for card in hand if card not in self.gave[seat]] + sorted(self.got[seat])
                for seat, hand in self.known.items()
                if len(self.gave[seat]) == len(self.got[seat]) == count
            }

    def sure(self, seat: int) -> set[str]:
        """The cards a seat is known to hold or have held."""
        return set(self.begun.get(seat, ())) | self.got[seat]

    # -- play --------------------------------------------------------------------------------------

    def anything_unseen(self) -> bool:
        return self.result is not None or any(not trick["plays"] for trick in self.tricks)

    def blind(self) -> int:
        return sum(not trick["plays"] for trick in self.tricks)

    def cards_left(self, seat: int) -> int:
        if self.result is not None:
            return 0
        return self.size - len(self.complete()) - self.has_played(seat)

    def phase(self) -> str:
        if self.void:
            return "void"
        if not self.started:
            return "passing"
        if not self.over():
            return "play"
        undecided = self.options["moon"] == "choice" and self.chosen is None and self.shooter() is not None
        return "moon" if undecided else "finished"

    def over(self) -> bool:
        done = self.result is not None or len(self.complete()) == self.size
        return done and None not in self.taken()

    def finished(self) -> bool:
        return self.phase() == "finished"

    def holder(self) -> int | None:
        if self.options["opening"] != "low-club":
            return None
        able = [seat for seat in self.seats if self.low in self.sure(seat)]
        if not able and not self.kitty:
            able = [seat for seat in self.seats if seat not in self.begun]
        return able[0] if len(able) == 1 else None

    def anyone(self) -> bool:
        return not self.tricks and self.options["opening"] == "low-club" and self.holder() is None

    def first_leader(self) -> int:
        holder = self.holder() if not self.tricks else None
        return (self.dealer + 1) % self.players if holder is None else holder

    def to_act(self) -> list[int]:
        phase = self.phase()
        if phase == "passing":
            return [seat for seat in self.seats if self.passed[seat] is None]
        if phase == "moon":
            return [self.shooter() or 0]
        if phase != "play" or len(self.complete()) == self.size:
            return []
        return list(self.seats) if self.anyone() else [self.next_player()]

    def first_trick(self) -> bool:
        return not self.complete()

    def broken(self) -> bool | None:
        found: bool | None = False
        breaking = BURDEN if self.options["breaks"] == "queen" else HEARTS
        for trick in self.complete():
            if any(play["cards"][0] in breaking for play in trick["plays"]):
                found = True
            elif not trick["plays"] and not found:
                told = trick["told"]
                ways = (
                    {self.breaks(way) for way in self.ways(told, self.players)} if told is not None else {True, False}
                )
                found = ways.pop() if len(ways) == 1 else None
                found = None if found is False and self.unknown_before(trick) else found
        return found

    def unknown_before(self, trick: dict) -> bool:
        """Whether an earlier trick left this unknown."""
        index = self.tricks.index(trick)
        before, self.tricks = self.tricks, self.tricks[:index]
        try:
            return self.broken() is None
        finally:
            self.tricks = before

    def breaks(self, way: tuple[int, int, int]) -> bool:
        return bool(way[0] or (way[1] and self.options["breaks"] == "queen"))

    def ways(self, points: int, room: int) -> list[tuple[int, int, int]]:
        """The numbers of hearts, queens and jacks that make these points."""
        jacks = (0, 1) if self.options["jack"] == "ten" else (0,)
        return [
            (points - 13 * queen + 10 * jack, queen, jack)
            for queen, jack in product((0, 1), jacks)
            if 0 <= points - 13 * queen + 10 * jack <= min(13, room - queen - jack)
        ]

    def assertions(self, seat: int, card: str) -> list[tuple[str, frozenset[str]]]:
        """What a card claims about the rest of the hand: each infraction with the cards denied."""
        trick = self.open_trick()
        deck, cost = set(self.deck), card in BURDEN
        clean = self.first_trick() and self.options["first_trick"] == "clean"
        if trick is None:
            if cost and (clean or (self.first_trick() and self.options["opening"] == "left")):
                return [("points-first-trick", frozenset(deck - BURDEN))]
            free = self.options["hearts_lead"] == "free" or self.broken() is not False
            return [] if card not in HEARTS or free else [("hearts-led", frozenset(deck - HEARTS))]
        led = trick["plays"][0]["cards"][0][-1]
        suit = {each for each in deck if each[-1] == led}
        found = []
        if clean and cost:
            found.append(("points-first-trick", frozenset((suit if card in suit else deck - suit) - BURDEN)))
        if card not in suit:
            found.append(("revoke", frozenset(suit)))
        return [(code, cards) for code, cards in found if cards]

    def known_to_hold(self, seat: int, card: str, denied: frozenset[str]) -> bool:
        gone = {each for _, _, each in self.shown}
        return len((self.sure(seat) & denied) - gone - {card}) > self.blind()

    def situation(self, at: int) -> Situation:
        shown = [(seat, card) for position, seat, card in self.shown if position <= at]
        gone = {card for _, card in shown}
        sure = [self.sure(seat) - gone for seat in self.seats]
        unseen = [card for card in self.deck if card not in gone and not any(card in held for held in sure)]
        room = {}
        for seat in self.seats:
            left = self.size - sum(owner == seat for owner, _ in shown)
            room[seat] = 0 if seat in self.begun else left - len(sure[seat])
        room[-1] = self.kitty
        return Situation(unseen, room)

    def find_core(self, claims: list[Claim]) -> list[Claim] | None:
        return minimal_claims([self.situation(self.position)], claims)

    def contradicted(self, position: int, claims: list[Claim]) -> bool:
        return contradict([self.situation(position)], claims)

    # -- points ------------------------------------------------------------------------------------

    def out(self) -> list[str]:
        shown = {card for _, _, card in self.shown}
        return [card for card in self.deck if card not in shown]

    def trick_worth(self, trick: dict) -> int | None:
        if trick["plays"]:
            return sum(self.worth(play["cards"][0]) for play in trick["plays"])
        worths = {self.worth(card) for card in self.out()}
        if trick["told"] is None and len(worths) == 1:
            return self.players * worths.pop()
        return trick["told"]

    def taken(self) -> list[int | None]:
        if self.result is not None:
            return list(self.result)
        made, open_ones = [0] * self.players, set()
        for trick in self.complete():
            worth = self.trick_worth(trick)
            made[trick["winner"]] += worth or 0
            open_ones |= {trick["winner"]} if worth is None else set()
        if len(self.complete()) == self.size:
            able = open_ones | ({self.tricks[0]["winner"]} if self.kitty else set())
            if len(able) == 1:
                made[able.pop()] += self.whole - sum(made)
                open_ones = set()
        return [None if seat in open_ones else made[seat] for seat in self.seats]

    def shooter(self) -> int | None:
        if self.options["moon"] == "none" or not self.over():
            return None
        taken, jack = [points or 0 for points in self.taken()], -10 if self.options["jack"] == "ten" else 0
        for seat in self.seats:
            rest = [taken[other] for other in self.seats if other != seat]
            if taken[seat] in (26, 26 + jack) and all(each in (0, jack) for each in rest) and sum(taken) == self.whole:
                lost = [trick for trick in self.tricks if trick["winner"] not in (seat, None)]
                if not any(play["cards"][0] in BURDEN for trick in lost for play in trick["plays"]):
                    return seat
        return None

    def scores(self) -> list[int | None]:
        if self.void:
            return list(self.penalties)
        taken, phase = self.taken(), self.phase()
        if phase not in ("play", "finished") or None in taken:
            return [None] * self.players
        made = [points or 0 for points in taken]
        shooter = self.shooter() if phase == "finished" else None
        if shooter is not None:
            off = self.options["moon"] == "subtract" or self.chosen is True
            for seat in self.seats:
                made[seat] += (-52 if off else -26) if seat == shooter else (0 if off else 26)
        return [points + fine for points, fine in zip(made, self.penalties, strict=True)]

    def tricks_won(self) -> list[Any]:
        if self.result is not None and len(self.complete()) < self.size:
            return [None] * self.players
        winners = [trick["winner"] for trick in self.complete()]
        return [winners.count(seat) for seat in self.seats]

    def answer(self) -> dict:
        tricks = []
        for number, trick in enumerate(self.tricks, 1):
            worth = None if trick["winner"] is None else self.trick_worth(trick)
            plays = [{"seat": play["seat"], "cards": list(play["cards"])} for play in trick["plays"]]
            points = {} if worth is None else {str(trick["winner"]): worth}
            nobody = number == 1 and not plays and self.options["opening"] == "low-club" and self.holder() is None
            tricks.append({
                "number": number, "leader": None if nobody else trick["leader"], "plays": plays,
                "winner": trick["winner"], "points": points, "trump": None,
            })  # fmt: skip
        return self.told(None, tricks)

    # -- whether points can be ---------------------------------------------------------------------

    def can_be(
        self, more: list[tuple[int, int]], out: list[str], ends: list[tuple[int, int]] | None = None, spare: int = 0
    ) -> bool:
        """Whether recorded tricks (points, cards) can be made of unplayed cards; ``ends`` use up the rest."""
        told = [
            (trick["told"], self.players)
            for trick in self.complete()
            if not trick["plays"] and trick["told"] is not None
        ]
        plainly = sum(self.worth(card) == 0 for card in out)
        jack = int("JD" in out and self.options["jack"] == "ten")
        left = (len(HEARTS & set(out)), int("QS" in out), jack)
        return self.fill((*told, *more), tuple(ends) if ends is not None else None, left, plainly, spare)

    def fill(self, full: Any, ends: Any, left: tuple[int, int, int], plainly: int, spare: int) -> bool:
        if full:
            points, room = full[0]
            for way in self.ways(points, room):
                rest = tuple(have - gone for have, gone in zip(left, way, strict=True))
                zeros = plainly - (room - sum(way))
                if min(*rest, zeros) >= 0 and self.fill(full[1:], ends, rest, zeros, spare):  # type: ignore[arg-type]
                    return True
            return False
        if ends is None:
            return True
        if not ends:
            return left == (0, 0, 0)
        points, room = ends[0]
        for way in self.ways(points, room):
            rest = tuple(have - gone for have, gone in zip(left, way, strict=True))
            needed = spare - -(-sum(way) // self.players)
            if min(rest) >= 0 and needed >= 0 and self.fill(full, ends[1:], rest, plainly, needed):  # type: ignore[arg-type]
                return True
        return False

    def can_end(self, points: list[int]) -> bool:
        known, own = [0] * self.players, [0] * self.players
        for trick in self.complete():
            if trick["plays"] or trick["told"] is not None:
                value = trick["told"] if not trick["plays"] else self.trick_worth(trick)
                known[trick["winner"]] += value or 0
            else:
                own[trick["winner"]] += self.players
        for seat in [self.complete()[0]["winner"]] if self.complete() else self.seats:
            own[seat] += self.kitty
        tricks = self.size - len(self.complete())
        ends = [(points[seat] - known[seat], own[seat] + self.players * tricks) for seat in self.seats]
        return self.can_be([], self.out(), ends, tricks + sum(-(-room // self.players) for room in own))


# --- What is asked of each event, in the order of the codes


def wrong_phase(hand: Hand, event: Event) -> bool:
    kind, phase = event["type"], hand.phase()
    if kind == "transfer":
        return True
    if kind in SETTLING:
        return False
    if kind == "pass-cards":
        given = event["seat"] in hand.seats and hand.passed[event["seat"]] is not None
        return phase != "passing" or given
    if kind == "moon":
        return phase != "moon"
    if kind not in ("play", "trick", "result") or phase != "play":
        return True
    counted = len(hand.complete()) == hand.size
    return (kind != "result" and counted) or (kind == "result" and hand.open_trick() is not None)


def wrong_count(hand: Hand, event: Event) -> bool:
    most = {"play": 1, "pass-cards": hand.options["pass_count"]}.get(event["type"])
    return most is not None and len(event["cards"]) != most


def already_played(hand: Hand, event: Event) -> bool:
    shown = {card for _, _, card in hand.shown}
    if event["type"] == "pass-cards":
        cards = [card for card in event["cards"] if card != "?"]
        given = {card for _, before in hand.named() for card in before}
        return len(set(cards)) < len(cards) or not given.isdisjoint(cards)
    if any(card in shown for card in [*event.get("cards", []), event.get("last")]):
        return True
    if event["type"] != "play" or plain.too_many_cards(hand, event):
        return False
    told = any(not trick["plays"] and trick["told"] is not None for trick in hand.complete())
    return told and not hand.can_be([], [card for card in hand.out() if card != event["cards"][0]])


def not_in_hand(hand: Hand, event: Event) -> bool:
    if event["type"] == "pass-cards":
        hand.passed[event["seat"]] = event["cards"]
        fits = hand.as_dealt() or (None in hand.passed and hand.as_begun())
        hand.passed[event["seat"]] = None
        return not fits
    if event["type"] != "play":
        return False
    seat, card = event["seat"], event["cards"][0]
    if card in hand.gave[seat] or (seat in hand.begun and card not in hand.begun[seat]):
        return True
    here = hand.got[seat] - {each for _, _, each in hand.shown}
    if here and card not in here and len(here) - hand.blind() >= hand.cards_left(seat):
        return True
    return any(card in hand.sure(other) for other in hand.seats if other != seat)


def bad_suit(hand: Hand, event: Event) -> bool:
    return (event["type"] == "play" and event.get("suit") is not None) or (
        event["type"] == "trick" and event.get("trump") is not None
    )


def bad_result(hand: Hand, event: Event) -> bool:
    if event["type"] == "trick" and event.get("points") is not None:
        if list(event["points"]) != [str(event["winner"])]:
            return True
        return not hand.can_be([(event["points"][str(event["winner"])], hand.players)], hand.out())
    if event["type"] != "result":
        return False
    points = event.get("points")
    if points is None or len(points) != hand.players or sum(points) != hand.whole:
        return True
    return not hand.can_end(points)


IMPOSSIBLE: Tests = {
    "hand-finished": plain.hand_finished,
    "wrong-phase": wrong_phase,
    "no-such-seat": plain.no_such_seat,
    "wrong-count": wrong_count,
    "not-in-deck": plain.not_in_deck,
    "already-played": already_played,
    "too-many-cards": plain.too_many_cards,
    "not-in-hand": not_in_hand,
    "bad-suit": bad_suit,
    "bad-result": bad_result,
}


def out_of_turn(hand: Hand, event: Event) -> bool:
    if event["type"] == "moon":
        return event["seat"] != hand.shooter()
    return event["type"] == "play" and event["seat"] not in hand.to_act()


def wrong_opening(hand: Hand, event: Event) -> bool:
    if event["type"] != "play" or hand.tricks or hand.options["opening"] == "left":
        return False
    card, aside = event["cards"][0], hand.kitty and hand.low not in hand.sure(event["seat"])
    return card != hand.low and not (aside and card[-1] == "C")


def against_known(code: str) -> Any:
    def test(hand: Hand, event: Event) -> bool:
        if event["type"] != "play":
            return False
        seat, card = event["seat"], event["cards"][0]
        return any(
            each == code and hand.known_to_hold(seat, card, cards) for each, cards in hand.assertions(seat, card)
        )

    return test


IRREGULAR: Tests = {
    "out-of-turn": out_of_turn,
    "wrong-opening": wrong_opening,
    **{code: against_known(code) for code in ("points-first-trick", "hearts-led", "revoke")},
}


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    kind = event["type"]
    if kind == "pass-cards":
        hand.passed[event["seat"]] = event["cards"]
        if None not in hand.passed:
            hand.start()
    elif kind == "moon":
        hand.chosen = event.get("subtract", False)
    elif kind == "play":
        take_play(hand, event, seen)
    elif kind == "trick":
        told = None if event.get("points") is None else event["points"][str(event["winner"])]
        trick = {"leader": hand.next_player(), "plays": [], "winner": event["winner"], "told": told}
        hand.tricks.append(trick)
    elif kind == "result":
        hand.result = list(event["points"])
    else:
        plain.take_settlement(hand, event)


def take_play(hand: Hand, event: Event, seen: list[str]) -> None:
    seat, card = event["seat"], event["cards"][0]
    says = hand.assertions(seat, card)
    trick = hand.open_trick()
    if trick is None:
        trick = {"leader": seat, "plays": [], "winner": None, "told": None}
        hand.tricks.append(trick)
    trick["plays"].append({"seat": seat, "cards": [card]})
    hand.shown.append((hand.position, seat, card))
    plain.prove_directly(hand, seat, card)
    for code, cards in says:
        if code not in seen:
            hand.claims.append(Claim(code, seat, hand.position, len(hand.tricks), cards))
    plain.prove_jointly(hand)
    if len(trick["plays"]) == hand.players:
        led = trick["plays"][0]["cards"][0][-1]
        following = [play for play in trick["plays"] if play["cards"][0][-1] == led]
        trick["winner"] = max(following, key=lambda play: rank_of(play["cards"][0]))["seat"]


class Table(PlainTable):
    """A record that grows hand by hand."""

    game = "hearts"
    sizes = PLAYERS
    hand_class = Hand
    parse_card, parse_suit = staticmethod(parse_card), staticmethod(parse_suit)
    impossible, irregular, take = IMPOSSIBLE, IRREGULAR, staticmethod(take)

    def __init__(self, record: dict) -> None:
        super().__init__(record)
        self.options = plain.full_options(record.get("options", {}), VALUES)
        if self.options["breaks"] == "queen" and self.options["hearts_lead"] == "free":
            raise Invalid("breaks")
        self.end = record.get("end", {"kind": "score", "value": 100})

    def next_size(self) -> int:
        return 52 // self.players

    def end_reached(self) -> bool:
        totals = self.totals()
        if self.options["tie"] == "play-on" and totals.count(min(totals)) > 1:
            return False
        return super().end_reached()

    def deck(self) -> list[str]:
        return deck_of(self.options, self.players)

    def more_of_next_hand(self) -> dict[str, Any]:
        return {"played": self.played()}

    def judge_event(self, hand: Hand, raw: Event) -> Verdict | None:
        """Judge an event of the play as if the cards were passed; if it is refused, they are not yet."""
        opening = not hand.started and raw["type"] in ("play", "trick", "result")
        before = (hand.begun, hand.got, hand.gave)
        if opening:
            hand.begun = dict(hand.begun)
            hand.got = {seat: set(cards) for seat, cards in hand.got.items()}
            hand.gave = {seat: set() for seat in hand.seats}
            hand.start()
        verdict = super().judge_event(hand, raw)
        if opening and verdict:
            hand.started = False
            hand.begun, hand.got, hand.gave = before
        return verdict

    def winners(self, totals: list[int]) -> list[int]:
        return [seat for seat, total in enumerate(totals) if total == min(totals)]


judge = Table.answer_to
