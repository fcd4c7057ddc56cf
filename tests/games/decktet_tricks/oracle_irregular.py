"""What may have happened against the rules: the tests of an event, in the order of the contract."""

from __future__ import annotations

from collections.abc import Callable

from tests.games.decktet_tricks.oracle_cards import suits_of
from tests.games.decktet_tricks.oracle_hand import Event, Hand


def out_of_turn(hand: Hand, event: Event) -> bool:
    """A play, bid or naming of trump by another seat than the one to act."""
    if event["type"] == "bid":
        order = hand.clockwise((hand.dealer + 1) % hand.players)
        return event["seat"] != next(seat for seat in order if hand.bids[seat] is None)
    if event["type"] == "trump" and hand.names_before_deal():
        return False
    return event["type"] in ("play", "trump") and event["seat"] not in hand.to_act()


def forbidden_bid(hand: Hand, event: Event) -> bool:
    """The hook: the last bid may not make the bids add up to the tricks."""
    if event["type"] != "bid" or not hand.options["hook"]:
        return False
    others = [bid for bid in hand.bids if bid is not None]
    last = len(others) == hand.players - 1
    return last and sum(others) + event["tricks"] == hand.trick_count


def no_suit_called(hand: Hand, event: Event) -> bool:
    """Called suit: a lead of a card with several suits names one."""
    if event["type"] != "play" or not hand.options.get("called_suit") or not hand.is_lead():
        return False
    return event.get("suit") is None and len(suits_of(event["cards"][0])) > 1


def excuse_led(hand: Hand, event: Event) -> bool:
    """The Excuse led where that is forbidden, unless it is the last card held."""
    if event["type"] != "play" or hand.options.get("excuse_led") != "forbidden":
        return False
    leads = hand.open_trick() is None and event["cards"][0] == "E"
    return leads and hand.cards_left(event["seat"]) > 1


def against_known(code: str) -> Callable[[Hand, Event], bool]:
    """A test for an assertion that an entered hand contradicts at once."""

    def test(hand: Hand, event: Event) -> bool:
        if event["type"] != "play":
            return False
        seat, card = event["seat"], event["cards"][0]
        said = hand.assertion(seat, card)
        return said is not None and said[0] == code and hand.known_to_hold(seat, card, said[1])

    return test


IRREGULAR: list[tuple[str, Callable[[Hand, Event], bool]]] = [
    ("out-of-turn", out_of_turn),
    ("forbidden-bid", forbidden_bid),
    ("no-suit-called", no_suit_called),
    ("excuse-led", excuse_led),
    ("trump-led", against_known("trump-led")),
    ("revoke", against_known("revoke")),
]
