"""What cannot have happened: the tests of an event, in the order of the contract."""

from __future__ import annotations

from collections.abc import Callable

from tests.games.decktet_tricks.oracle_cards import is_high, suits_of
from tests.games.decktet_tricks.oracle_hand import Event, Hand


def hand_finished(hand: Hand, event: Event) -> bool:
    """After the hand is over only settlements are taken."""
    kind = event["type"]
    if kind in ("note", "penalty"):
        return False
    if hand.ended:
        return True
    if hand.void:
        return kind != "end"
    return hand.finished() and kind not in ("redeal", "end", "transfer")


def wrong_phase(hand: Hand, event: Event) -> bool:
    """The event does not belong here."""
    kind, phase = event["type"], hand.phase()
    if kind in ("note", "penalty", "redeal", "end", "transfer"):
        return False
    if kind == "play":
        return phase != "play" or hand.waiting() or (hand.skipped and not hand.skipped_by_trick)
    if kind == "bid":
        open_phases = ("ransom", "trump", "ruling-card", "bidding")
        return not hand.bidding or phase not in open_phases or given_already(hand.bids, event)
    if kind in ("ransom", "ruling-card"):
        return phase != kind or given_already(hand.aside, event)
    if kind == "trump":
        return phase != "trump"
    if kind in ("trick", "result"):
        half = kind == "result" and hand.open_trick() is not None and not hand.waiting()
        return half or (hand.bidding and None in hand.bids)
    return True


def given_already(column: list, event: Event) -> bool:
    """Whether this seat has its entry."""
    seat = event["seat"]
    return 0 <= seat < len(column) and column[seat] is not None


def no_such_seat(hand: Hand, event: Event) -> bool:
    """A seat outside the table."""
    named = [event.get(key) for key in ("seat", "winner", "from_seat", "to_seat")]
    return any(seat is not None and seat not in hand.seats for seat in named)


def wrong_count(hand: Hand, event: Event) -> bool:
    """All card events of these games show one card."""
    return "cards" in event and len(event["cards"]) != 1


def not_in_deck(hand: Hand, event: Event) -> bool:
    """A card the deck lacks, or one that cannot be a ruling card."""
    if event["type"] == "ruling-card" and not is_high(event["cards"][0] or "E"):
        return True
    return any(card not in hand.deck for card in cards_of(event) if card != "?")


def cards_of(event: Event) -> list[str]:
    """The cards an event names."""
    last = event.get("last")
    return list(event.get("cards", [])) + ([] if last is None else [last])


def already_played(hand: Hand, event: Event) -> bool:
    """A card that left a hand before, or an Ace that would have to fall twice."""
    seen = {card for _, _, card in hand.shown} | hand.lost
    told = event.get("trump") if event["type"] == "trick" and hand.has_aces() else None
    if told and "A" + told in seen and ace_could_count(hand) and contradicts_trump(hand, event):
        return True
    if event["type"] in ("trick", "result") and hand.open_trick():
        seen -= {card for play in hand.slots() for card in play["cards"]}
    if event["type"] == "play" and not (too_many_cards(hand, event) or not_in_hand(hand, event)):
        card = event["cards"][0]
        if card != "?" and hand.is_hidden(event["seat"], card, event.get("suit")):
            return True
    return any(card in seen for card in cards_of(event))


def ace_could_count(hand: Hand) -> bool:
    """Whether an Ace could set trump in the next trick, or in the one that is being played."""
    return hand.options["trump"] == "aces" or not all(stand[1] for stand in hand.stands)


def too_many_cards(hand: Hand, event: Event) -> bool:
    """A second card to a trick, or one more than the seat was dealt of its kind (WC-2)."""
    if event["type"] != "play":
        return False
    seat, card = event["seat"], event["cards"][0]
    trick = hand.open_trick()
    if trick and seat in [play["seat"] for play in trick["plays"]]:
        return True
    if hand.game != "wildcat-chicane" or card == "?":
        return False
    return hand.is_dealt_out(seat, card)


def not_in_hand(hand: Hand, event: Event) -> bool:
    """The entered hands place the card elsewhere."""
    if event["type"] not in ("play", "ransom", "ruling-card"):
        return False
    seat, card = event["seat"], event["cards"][0]
    if card == "?":
        return False
    if seat in hand.known:
        return card not in hand.known[seat]
    return any(card in cards for cards in hand.known.values())


def bad_suit(hand: Hand, event: Event) -> bool:
    """A suit that is none, or that the card or the state of the hand does not allow."""
    if event["type"] == "play":
        return event.get("suit") is not None and not may_name(hand, event)
    if event["type"] == "trump":
        return (
            event["suit"] not in ("MSWLYK" if hand.names_before_deal() else list(hand.choices())) or not event["suit"]
        )
    return event["type"] == "trick" and "trump" in event and contradicts_trump(hand, event)


def may_name(hand: Hand, event: Event) -> bool:
    """Called suit: only a lead names a suit, and one of its own."""
    if hand.game == "wildcat-chicane" or not hand.options["called_suit"] or not hand.is_lead():
        return False
    if event["cards"] == ["?"]:
        return event["suit"] != ""
    return event["suit"] in list(suits_of(event["cards"][0]))


def contradicts_trump(hand: Hand, event: Event) -> bool:
    """Whether the trump stated after a trick cannot be."""
    trump = event["trump"]
    if hand.game == "wildcat-chicane":
        return trump is not None
    if hand.game == "ransom-trump":
        if hand.trump_settled():
            return trump != hand.trump_story()[1]
        return trump not in hand.ransom_trumps()
    if hand.names_before_deal() and not hand.trump_settled():
        return trump in (None, "")
    if hand.has_aces():
        return trump not in {way[3][0] for way in hand.outcomes()}
    return trump != hand.trump_story()[1]


def bad_bid(hand: Hand, event: Event) -> bool:
    """More than all tricks, or fewer than none."""
    return event["type"] == "bid" and not 0 <= event["tricks"] <= hand.trick_count


def bad_result(hand: Hand, event: Event) -> bool:
    """A result that does not fit the tricks, or a transfer that cannot be."""
    if event["type"] == "transfer":
        giver, taker, number = event["from_seat"], event["to_seat"], event["tricks"]
        return giver == taker or not 0 < number <= hand.tricks_won()[giver]
    if event["type"] == "trick":
        return not hand.ways_told(event["winner"], event.get("trump", "untold"))
    if event["type"] != "result":
        return False
    tricks, won = event["tricks"], hand.won_before_transfers()
    if len(tricks) != hand.players or sum(tricks) != hand.trick_count:
        return True
    if any(tricks[seat] < won[seat] for seat in hand.seats):
        return True
    return hand.open_trick() is not None and all(tricks[seat] == won[seat] for seat in hand.possible_winners())


IMPOSSIBLE: list[tuple[str, Callable[[Hand, Event], bool]]] = [
    ("hand-finished", hand_finished),
    ("wrong-phase", wrong_phase),
    ("no-such-seat", no_such_seat),
    ("wrong-count", wrong_count),
    ("not-in-deck", not_in_deck),
    ("already-played", already_played),
    ("too-many-cards", too_many_cards),
    ("not-in-hand", not_in_hand),
    ("bad-suit", bad_suit),
    ("bad-bid", bad_bid),
    ("bad-result", bad_result),
]
