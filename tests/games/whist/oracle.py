"""A plain second adjudicator for Whist, written from the rules and independent of the referee."""

from __future__ import annotations

from typing import Any

from tests.games.oh_hell import oracle as french
from tests.games.oh_hell import oracle_judge as plays
from tests.games.oh_hell.oracle_rules import UNSEEN, Invalid, check_end, parse_card, parse_suit, suit_of
from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import SETTLING, Event, PlainTable, Test, Verdict
from tests.games.whist.oracle_hand import SIDES, Hand

__all__ = ["Invalid", "Table", "judge"]

VALUES: dict[str, list[Any]] = {
    "trump": ["turned", "fixed-order", "none"],
    "honours": ["off", "on"],
    "revoke": ["ask", "stand", "bridge", "hand-zero", "redeal", "three-tricks"],
}


def full_options(given: dict) -> dict[str, Any]:
    for key, value in given.items():
        if value not in VALUES.get(key, []):
            raise Invalid(f"{key}={value!r}")
    options = {key: given.get(key, values[0]) for key, values in VALUES.items()}
    if options["honours"] == "on" and options["trump"] == "none":
        raise Invalid("honours without trump")
    return options


class Table(french.Table):
    """A record that grows hand by hand and event by event."""

    game = "whist"

    def __init__(self, record: dict) -> None:
        PlainTable.__init__(self, record, Invalid, (4,))
        self.options = full_options(record.get("options", {}))
        self.end = record.get("end", {"kind": "score", "value": 7})
        check_end(self.end)
        if self.end["kind"] == "course" or self.carried[:2] != self.carried[2:]:
            raise Invalid("end or carried")

    def shared(self, made: list[int]) -> list[int]:
        return [made[seat] + made[(seat + 2) % 4] for seat in range(4)]

    def next_size(self) -> int:
        return 13

    def end_reached(self) -> bool:
        return PlainTable.end_reached(self)

    def winners(self, totals: list[int]) -> list[int]:
        """If both sides reached the target, the one that got there by penalties alone (WH-8)."""
        last = self.hands[-1]
        fines = [last.penalties[side] + last.penalties[side + 2] for side in (0, 1)]
        there = [side for side in (0, 1) if last.goal is not None and last.before[side] + fines[side] >= last.goal]
        return [there[0], there[0] + 2] if len(there) == 1 else super().winners(totals)

    def start_hand(self, known: dict[str, list[str]]) -> Hand:
        hand = Hand(
            options=self.options, players=4, index=len(self.hands), played=self.played(), before=self.totals(),
            dealer=self.next_dealer(), size=13, known=self.check_known(known, 13),
            goal=self.end["value"] if self.end["kind"] == "score" else None,
        )  # fmt: skip
        self.hands.append(hand)
        return hand

    def apply(self, event: Event) -> Verdict | None:
        return judge_event(self.hands[-1], event)


def judge_event(hand: Hand, raw: Event) -> Verdict | None:
    """Accept the event (None) or say why it is refused."""
    return plain.judge_event(hand, plain.canonical(raw, parse_card, parse_suit), IMPOSSIBLE, IRREGULAR, take)


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


def already_played(hand: Hand, event: Event) -> bool:
    shown = {card for _, _, card in hand.shown}
    if event["type"] in ("trick", "result"):
        shown -= {play["cards"][0] for play in hand.slots()}
    shown |= hand.lost
    if event["type"] == "play" and hand.anything_unseen() and event["cards"][0] != UNSEEN:
        fits = not (plays.too_many_cards(hand, event) or not_in_hand(hand, event))
        if fits and hand.is_hidden(event["seat"], event["cards"][0]):
            return True
    return any(card in shown for card in [*event.get("cards", []), event.get("last")])


def with_partners(hand: Hand, tricks: list[int]) -> tuple[list[int], list[int]]:
    """The tricks a result gives each seat, and the seats for which only the side's are known (WH-5)."""
    given, won, pooled = list(tricks), hand.won_before_transfers(), []
    for one, other in SIDES:
        left = tricks[one] + tricks[other] - won[one] - won[other]
        if (tricks[one] == 0) != (tricks[other] == 0) and left >= 0:
            given[one], given[other] = won[one], won[other]
            given[one if tricks[one] else other] += left
            pooled += [one, other] if left else []
    return given, sorted(pooled)


def bad_result(hand: Hand, event: Event) -> bool:
    kind = event["type"]
    if kind == "honours":
        claimed = hand.claimed is not None or event["held"] not in (3, 4)
        return claimed or hand.misfits(event)
    if kind == "trick" and hand.open_trick():
        return event["winner"] not in hand.possible_winners()
    if kind == "transfer" and event["from_seat"] in hand.pooled:
        giver, taker, number = event["from_seat"], event["to_seat"], event["tricks"]
        counted = hand.tricks_counted()
        return giver == taker or not 0 < number <= counted[giver] + counted[(giver + 2) % 4]
    if kind == "transfer":
        giver, taker, number = event["from_seat"], event["to_seat"], event["tricks"]
        return giver == taker or not 0 < number <= hand.tricks_counted()[giver]
    if kind != "result" or len(event["tricks"]) != 4:
        return kind == "result"
    given, pooled = with_partners(hand, event["tricks"])
    won = hand.won_before_transfers()
    if sum(given) != 13 or any(given[seat] < won[seat] for seat in hand.seats):
        return True
    more = {seat for seat in hand.seats if given[seat] > won[seat] or seat in pooled}
    return hand.open_trick() is not None and more.isdisjoint(hand.possible_winners())


IMPOSSIBLE: list[Test] = [
    ("hand-finished", hand_finished),
    ("wrong-phase", wrong_phase),
    ("no-such-seat", plain.no_such_seat),
    ("wrong-count", plays.wrong_count),
    ("not-in-deck", plays.not_in_deck),
    ("already-played", already_played),
    ("too-many-cards", plays.too_many_cards),
    ("not-in-hand", not_in_hand),
    ("bad-suit", plays.bad_suit),
    ("bad-result", bad_result),
]
IRREGULAR: list[Test] = [("out-of-turn", plays.out_of_turn), ("revoke", plays.revoke)]


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    if event["type"] == "honours":
        hand.claimed = event
    elif event["type"] == "result":
        hand.result, hand.pooled = with_partners(hand, event["tricks"])
    elif event["type"] == "turn-up":
        hand.turned = event["card"]
        hand.trump = event["suit"] if event["card"] == UNSEEN else suit_of(event["card"])
        hand.trump_known = True
    else:
        plays.take(hand, event, seen)


def judge(record: dict) -> dict:
    """The stateless referee's answer to a whole record; Invalid if it is refused as a whole."""
    return Table(record).judge(record)
