"""A plain second adjudicator for Whist, written from the rules and independent of the referee."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.games.oh_hell import oracle as oh_hell
from tests.games.oh_hell import oracle_hand as french
from tests.games.oh_hell.oracle_hand import Situation
from tests.games.oh_hell.oracle_rules import DECK, SUITS, UNSEEN, check_end, parse_card, parse_suit, suit_of
from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import SETTLING, Event, Invalid, PlainTable, Tests

VALUES: dict[str, list[Any]] = {
    "trump": ["turned", "fixed-order", "none"],
    "honours": ["off", "on"],
    "revoke": ["ask", "stand", "bridge", "hand-zero", "redeal", "three-tricks"],
}


def full_options(given: dict) -> dict[str, Any]:
    options = plain.full_options(given, VALUES)
    if options["honours"] == "on" and options["trump"] == "none":
        raise Invalid("honours without trump")
    return options


# --- A hand: suits led, tricks and unseen cards are treated as in Oh Hell

ORDER = "HCDS"
HONOURS = ("A", "K", "Q", "J")
SIDES = ((0, 2), (1, 3))


class Hand(french.Hand):
    """The facts of one hand; the turned card is one of the dealer's thirteen (WH-2)."""

    def __init__(self, *, played: int, before: list[int], goal: int | None, **dealt: Any) -> None:
        super().__init__(played=played, **dealt)
        self.played, self.before, self.goal = played, before, goal
        self.turns_up = self.options["trump"] == "turned"
        self.trump_known = not self.turns_up
        self.trump = ORDER[played % 4] if self.options["trump"] == "fixed-order" else None
        self.claimed: dict | None = None

    def phase(self) -> str:
        if self.void:
            return "void"
        if self.finished():
            return "finished"
        waits = self.turns_up and self.turned is None and not self.skipped and not self.tricks
        return "turn-up" if waits else "play"

    # -- the turned card -----------------------------------------------------------------------

    def cards_of(self, seat: int) -> set[str]:
        return {card for _, who, card in self.shown if who == seat}

    def can_be_turned(self) -> set[str]:
        """What the turned card can be; nothing if none is turned up."""
        if self.turned != UNSEEN:
            return {self.turned} if self.turned else set()
        cards = {card for card in DECK if suit_of(card) == self.trump}
        for seat, own in self.known.items():
            cards = cards & set(own) if seat == self.dealer else cards - set(own)
        for seat in self.seats:
            if seat != self.dealer:
                cards -= self.cards_of(seat)
        return cards

    def still_held(self) -> set[str]:
        """What the turned card can be while the dealer certainly holds it; nothing if it may have been played."""
        could, shown = self.can_be_turned(), self.cards_of(self.dealer)
        unseen = self.size - self.cards_left(self.dealer) - len(shown)
        unseen -= len([each for seat, each in self.hidden if seat == self.dealer and each.isdisjoint(could)])
        return could if unseen == 0 and could.isdisjoint(shown) else set()

    def nowhere_else(self, suit: str) -> list[str]:
        """The cards of a suit that can be the turned card."""
        seen = {card for _, _, card in self.shown}
        cards = [card for card in DECK if suit_of(card) == suit and card not in seen]
        if self.dealer in self.known:
            return [card for card in cards if card in self.known[self.dealer]]
        return [card for card in cards if card not in self.entered()]

    def cannot_hold(self, seat: int, card: str) -> bool:
        """Whether the turned card shows that this seat does not hold this card."""
        could = self.still_held()
        if seat != self.dealer:
            return card == self.turned or could == {card}
        return bool(could) and self.cards_left(seat) == 1 and card not in could

    def may_have_played(self, seat: int) -> list[str]:
        gone = {card for _, _, card in self.shown} | self.lost
        own = self.known.get(seat)
        cards = DECK if own is None else own
        others = set() if own is not None else self.entered()
        return [card for card in cards if card not in gone | others and not self.cannot_hold(seat, card)]

    def known_to_hold(self, seat: int, card: str, suit: str) -> bool:
        could = self.still_held() if seat == self.dealer else set()
        turned = bool(could) and {suit_of(each) for each in could} == {suit}
        return turned or super().known_to_hold(seat, card, suit)

    def narrow(self) -> bool:
        """As in Oh Hell, but no other seat's unseen card was the turned one."""
        sure = self.still_held() if self.turned in (None, UNSEEN) else {str(self.turned)}
        if len(sure) == 1:
            self.hidden = [
                (seat, could - sure or could if seat != self.dealer and len(could) > 1 else could)
                for seat, could in self.hidden
            ]
        return super().narrow()

    def leaves_turned(self, cards: tuple[str, ...]) -> bool:
        return True

    def turned_places(self) -> list[set[str]]:
        return []

    def situation(self, at: int) -> Situation:
        shown = [(seat, card) for position, seat, card in self.shown if position <= at]
        seen = self.entered() | {card for _, card in shown}
        room: dict = {}
        for seat in self.seats:
            gone = sum(owner == seat for owner, _ in shown)
            room[seat] = 0 if seat in self.known else self.size - gone
        if self.turned not in (None, UNSEEN) and self.turned not in seen:
            seen |= {str(self.turned)}
            room[self.dealer] -= 1
        unseen = {suit: sum(suit_of(card) == suit and card not in seen for card in DECK) for suit in SUITS}
        return Situation(unseen, room)

    # -- scores --------------------------------------------------------------------------------

    def pools(self) -> list[list[int]]:
        return [[0, 2], [1, 3]]

    def honours(self) -> list[int] | None:
        """The honors of each side; None if they are not scored or not known."""
        if self.options["honours"] == "off":
            return None
        places: dict[str, int] = {}
        for card in (rank + self.trump for rank in HONOURS) if self.trump else ():
            for seat in self.seats:
                if card in self.known.get(seat, []) or card in self.cards_of(seat):
                    places[card] = seat
            if card == self.turned:
                places[card] = self.dealer
        if len(places) == 4:
            return [sum(seat in side for seat in places.values()) for side in SIDES]
        if self.claimed is None:
            return None
        return [self.claimed["held"] if self.claimed["seat"] in side else 4 - self.claimed["held"] for side in SIDES]

    def misfits(self, claim: dict) -> bool:
        """Whether cards on record contradict a claim of honors."""
        if self.trump is None:
            return False
        own = claim["seat"] % 2
        for count, side in ((claim["held"], own), (4 - claim["held"], 1 - own)):
            cards = {card for seat in SIDES[side] for card in (*self.known.get(seat, []), *self.cards_of(seat))}
            if self.dealer in SIDES[side]:
                cards |= {str(self.turned)}
            if sum(rank + self.trump in cards for rank in HONOURS) > count:
                return True
        return False

    def scores(self) -> list[int | None]:
        if self.void:
            return list(self.penalties)
        if not self.finished():
            return [None] * self.players
        made, won = [0, 0], self.tricks_counted()
        for side in (0, 1):
            made[side] = max(0, won[side] + won[side + 2] - 6)
        fines = [self.penalties[side] + self.penalties[side + 2] for side in (0, 1)]
        reached = [self.before[side] + made[side] + fines[side] for side in (0, 1)]
        for side, held in enumerate(self.honours() or (0, 0)):
            over = self.goal is not None and (max(reached) >= self.goal or self.before[side] == self.goal - 1)
            made[side] += 0 if over else {3: 2, 4: 4}.get(held, 0)
        return [points + fine for points, fine in zip((*made, 0, 0), self.penalties, strict=True)]


# --- The checks of each event, in the order of the codes, and the effect of an accepted one


def hand_finished(hand: Hand, event: Event) -> bool:
    """Honors belong to a hand that is over, and to no later one."""
    if event["type"] != "honours":
        return plain.hand_finished(hand, event)
    late = hand.options["honours"] == "on" and not hand.finished() and hand.played > 0
    return hand.ended or hand.void or late


def wrong_phase(hand: Hand, event: Event) -> bool:
    kind, phase = event["type"], hand.phase()
    if kind in SETTLING:
        return False
    if kind == "honours":
        return hand.options["honours"] == "off" or phase != "finished"
    if kind == "turn-up":
        return phase != "turn-up"
    if kind == "play":
        return phase != "play" or not hand.trump_known or hand.waiting()
    half = kind == "result" and hand.open_trick() is not None and not hand.waiting()
    return half or kind not in ("trick", "result")


def not_in_hand(hand: Hand, event: Event) -> bool:
    """The entered hands, or the turned card, place the card elsewhere."""
    card = event["card"] if event["type"] == "turn-up" else (event.get("cards") or [UNSEEN])[0]
    if card == UNSEEN or event["type"] not in ("turn-up", "play"):
        return False
    seat = hand.dealer if event["type"] == "turn-up" else event["seat"]
    own = hand.known.get(seat)
    elsewhere = card not in own if own is not None else card in hand.entered()
    return elsewhere or (event["type"] == "play" and hand.cannot_hold(seat, card))


def bad_result(hand: Hand, event: Event) -> bool:
    if event["type"] == "honours":
        claimed = hand.claimed is not None or event["held"] not in (3, 4)
        return claimed or hand.misfits(event)
    return oh_hell.bad_result(hand, event)


IMPOSSIBLE: Tests = oh_hell.IMPOSSIBLE | {
    "hand-finished": hand_finished,
    "wrong-phase": wrong_phase,
    "already-played": partial(oh_hell.already_played, not_in_hand=not_in_hand),
    "not-in-hand": not_in_hand,
    "bad-result": bad_result,
}
IRREGULAR: Tests = {"out-of-turn": oh_hell.out_of_turn, "revoke": oh_hell.revoke}


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    if event["type"] == "honours":
        hand.claimed = event
    elif event["type"] == "result":
        hand.result, hand.together = hand.apportioned(event["tricks"])
    else:
        oh_hell.take(hand, event, seen)


# --- The table


class Table(PlainTable):
    """A record that grows hand by hand and event by event."""

    game = "whist"
    sizes = (4,)
    hand_class = Hand
    parse_card, parse_suit = staticmethod(parse_card), staticmethod(parse_suit)
    impossible, irregular, take = IMPOSSIBLE, IRREGULAR, staticmethod(take)

    def __init__(self, record: dict) -> None:
        super().__init__(record)
        self.options = full_options(record.get("options", {}))
        self.end = record.get("end", {"kind": "score", "value": 7})
        check_end(self.end)
        if self.end["kind"] == "course" or self.carried[:2] != self.carried[2:]:
            raise Invalid("end or carried")

    def shared(self, made: list[int]) -> list[int]:
        return [made[seat] + made[(seat + 2) % 4] for seat in range(4)]

    def next_size(self) -> int:
        return 13

    def winners(self, totals: list[int]) -> list[int]:
        """If both sides reached the target, the one that got there by penalties alone (WH-8)."""
        last = self.hands[-1]
        fines = [last.penalties[side] + last.penalties[side + 2] for side in (0, 1)]
        there = [side for side in (0, 1) if last.goal is not None and last.before[side] + fines[side] >= last.goal]
        return [there[0], there[0] + 2] if len(there) == 1 else super().winners(totals)

    def deck(self) -> list[str]:
        return DECK

    def more_of_next_hand(self) -> dict[str, Any]:
        goal = self.end["value"] if self.end["kind"] == "score" else None
        return {"played": self.played(), "before": self.totals(), "goal": goal}


judge = Table.answer_to
