"""A plain second adjudicator for Oh Hell: the checks of an event in the order of their codes, its effect, the table.

It is compared with the referee on many records, so it shares no code with it: strings instead of bit masks, one mutable
hand, everything recomputed, suits counted instead of sets of places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games.oh_hell.oracle_hand import Claim, Hand
from tests.games.oh_hell.oracle_rules import (
    DECK,
    PLAYERS,
    UNSEEN,
    check_end,
    course,
    full_options,
    parse_card,
    parse_suit,
    suit_of,
)
from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import SETTLING, Event, Invalid, PlainTable, Tests

__all__ = ["Invalid", "Table", "judge"]


# -- impossible events ---------------------------------------------------------------------------


def wrong_phase(hand: Hand, event: Event) -> bool:
    """The event does not belong here."""
    kind, phase = event["type"], hand.phase()
    if kind in SETTLING:
        return False
    if kind == "turn-up":
        return phase != "turn-up"
    if kind == "bid":
        given = event["seat"] in hand.seats and hand.bids[event["seat"]] is not None
        return phase not in ("turn-up", "bidding") or given
    if kind == "play":
        return phase != "play" or not hand.trump_known or hand.waiting()
    if kind in ("trick", "result"):
        half = kind == "result" and hand.open_trick() is not None and not hand.waiting()
        return half or phase != "play"
    return True


def wrong_count(hand: Hand, event: Event) -> bool:
    return event["type"] == "play" and len(event["cards"]) != 1


def not_in_deck(hand: Hand, event: Event) -> bool:
    """A card that is not in the pack; a card turned up or played may be unseen."""
    cards = [card for card in event.get("cards", []) if card != UNSEEN]
    if event.get("last") is not None:
        cards.append(event["last"])
    if event["type"] == "turn-up" and event["card"] != UNSEEN:
        cards.append(event["card"])
    return any(card not in DECK for card in cards)


def not_in_hand(hand: Hand, event: Event) -> bool:
    """The entered hands, or the turned card, place the card elsewhere."""
    if event["type"] == "turn-up":
        return event["card"] in hand.entered()
    if event["type"] != "play":
        return False
    seat, card = event["seat"], event["cards"][0]
    if card == UNSEEN:
        return False
    own = hand.known.get(seat)
    return card not in own if own is not None else card in hand.entered() or hand.is_turned(card)


def already_played(hand: Hand, event: Event, not_in_hand: Callable[[Any, Event], bool] = not_in_hand) -> bool:
    shown = {card for _, _, card in hand.shown}
    if event["type"] in ("trick", "result"):  # the last card may be in the recorded trick
        shown -= {play["cards"][0] for play in hand.slots()}
    shown |= hand.lost
    if (
        event["type"] == "play"
        and hand.anything_unseen()
        and not (plain.too_many_cards(hand, event) or not_in_hand(hand, event))
    ):
        card = event["cards"][0]
        if card != UNSEEN and hand.is_hidden(event["seat"], card):
            return True
    return any(card in shown for card in [*event.get("cards", []), event.get("last")])


def bad_suit(hand: Hand, event: Event) -> bool:
    """An invalid suit, or one the card or the state of the hand does not allow."""
    kind = event["type"]
    if kind == "play":
        return event.get("suit") is not None
    if kind == "turn-up":
        card, suit = event["card"], event.get("suit")
        if card == UNSEEN:
            return not suit or not hand.nowhere_else(suit)
        return suit is not None and suit != suit_of(card)
    if kind != "trick" or "trump" not in event:
        return False
    trump = event["trump"]
    if hand.trump_known:
        return trump != hand.trump
    return not trump or not hand.nowhere_else(trump)


def bad_result(hand: Hand, event: Event) -> bool:
    """A winner who cannot have won, a result that does not fit the tricks, or an impossible transfer."""
    if event["type"] == "trick" and hand.open_trick():
        return event["winner"] not in hand.possible_winners()
    return plain.bad_sum(hand, event, hand.possible_winners)


IMPOSSIBLE: Tests = {
    "hand-finished": plain.hand_finished,
    "wrong-phase": wrong_phase,
    "no-such-seat": plain.no_such_seat,
    "wrong-count": wrong_count,
    "not-in-deck": not_in_deck,
    "already-played": already_played,
    "too-many-cards": plain.too_many_cards,
    "not-in-hand": not_in_hand,
    "bad-suit": bad_suit,
    "bad-bid": plain.bad_bid,
    "bad-result": bad_result,
}


# -- irregular events ----------------------------------------------------------------------------


def out_of_turn(hand: Hand, event: Event) -> bool:
    """A play or a bid by a seat that is not to act; simultaneous bids have no turn."""
    if event["type"] == "bid":
        return hand.options["bidding"] == "in-turn" and event["seat"] != hand.next_bidder()
    return event["type"] == "play" and event["seat"] != hand.next_player()


def forbidden_bid(hand: Hand, event: Event) -> bool:
    """The hook: the last bid may not make the bids add up to the tricks (OH-5)."""
    if event["type"] != "bid" or not hand.options["hook"] or hand.options["bidding"] == "together":
        return False
    others = [bid for bid in hand.bids if bid is not None]
    return len(others) == hand.players - 1 and sum(others) + event["tricks"] == hand.size


def revoke(hand: Hand, event: Event) -> bool:
    """A card that does not follow, from an entered hand that could."""
    if event["type"] != "play":
        return False
    suit = hand.denied_suit(event["cards"][0])
    return suit is not None and hand.known_to_hold(event["seat"], event["cards"][0], suit)


IRREGULAR: Tests = {
    "out-of-turn": out_of_turn,
    "forbidden-bid": forbidden_bid,
    "revoke": revoke,
}


# -- taken events --------------------------------------------------------------------------------


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    """Change the hand by an accepted event; `seen` are the irregularities it shows at once."""
    kind = event["type"]
    if kind == "play":
        take_play(hand, event, seen)
    elif kind == "turn-up":
        hand.turned = event["card"]
        hand.trump = event["suit"] if event["card"] == UNSEEN else suit_of(event["card"])
        hand.trump_known = True
    elif kind == "bid":
        hand.skipped = hand.skipped or hand.phase() == "turn-up"
        hand.bids[event["seat"]] = event["tricks"]
    elif kind == "trick":
        take_trick(hand, event)
    elif kind == "result":
        hand.result = list(event["tricks"])
    else:
        plain.take_settlement(hand, event)


def take_trick(hand: Hand, event: Event) -> None:
    """A trick recorded without its cards, or closed after some; it may tell an unrecorded trump."""
    trick = hand.open_trick()
    if trick is None:
        trick = {"leader": hand.next_player(), "plays": []}
        hand.tricks.append(trick)
    if event.get("trump"):
        hand.trump, hand.trump_known = event["trump"], True
    if trick["plays"]:
        hand.hide(event["winner"])
    trick |= {"winner": event["winner"], "trump": hand.trump}


def take_play(hand: Hand, event: Event, seen: list[str]) -> None:
    """A card joins the trick, perhaps ends it, perhaps claims or proves something."""
    seat, card = event["seat"], event["cards"][0]
    denied = hand.denied_suit(card)
    trick = hand.open_trick()
    if trick is None:
        trick = {"leader": seat, "plays": [], "winner": None, "trump": hand.trump}
        hand.tricks.append(trick)
    trick["plays"].append({"seat": seat, "cards": [card]})
    if card != UNSEEN:
        hand.shown.append((hand.position, seat, card))
        hand.narrow()
        plain.prove_directly(hand, seat, card)
    if denied and "revoke" not in seen:
        hand.claims.append(Claim(seat, hand.position, len(hand.tricks), denied))
    plain.prove_jointly(hand)
    if len(trick["plays"]) == hand.players:
        winners = hand.possible_winners()
        if len(winners) == 1:
            (winner,) = winners
            hand.hide(winner)
            trick["winner"] = winner


# -- the table -----------------------------------------------------------------------------------


class Table(PlainTable):
    """A record that grows hand by hand and event by event."""

    game = "oh-hell"
    sizes = PLAYERS
    hand_class = Hand
    parse_card, parse_suit = staticmethod(parse_card), staticmethod(parse_suit)
    impossible, irregular, take = IMPOSSIBLE, IRREGULAR, staticmethod(take)

    def __init__(self, record: dict) -> None:
        super().__init__(record)
        self.options = full_options(record.get("options", {}), self.players)
        self.course = course(self.options)
        self.end = record.get("end", {"kind": "course"})
        check_end(self.end)

    def next_size(self) -> int:
        """The course continues, and starts again after its end (OH-2)."""
        return self.course[self.played() % len(self.course)]

    def end_reached(self) -> bool:
        if self.end["kind"] == "course":
            return self.played() >= len(self.course)
        return super().end_reached()

    def deck(self) -> list[str]:
        return DECK

    def more_of_next_hand(self) -> dict[str, Any]:
        return {"played": self.played()}


judge = Table.answer_to
