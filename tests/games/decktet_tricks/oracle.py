"""A plain second adjudicator for Ace Trump, Ransom Trump and Wildcat Chicane.

It is compared with the referee on many records, so it shares no code with it: strings instead of bit masks, one mutable
hand, everything recomputed, matching instead of counting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.games.decktet_tricks.oracle_cards import (
    DEFAULT_END,
    PLAYERS,
    deck_of,
    first_size,
    full_options,
    is_high,
    parse_card,
    parse_suit,
    suits_of,
    tides_size,
)
from tests.games.decktet_tricks.oracle_facts import Claim
from tests.games.decktet_tricks.oracle_hand import Hand
from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import SETTLING, Event, Invalid, PlainTable, Tests

__all__ = ["Invalid", "Table", "judge"]

# --- Irregular events: the checks, in the order of the contract


def out_of_turn(hand: Hand, event: Event) -> bool:
    """A play, bid or naming of trump by a seat that is not to act."""
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
    """Called suit: a lead with several suits must name one."""
    if event["type"] != "play" or not hand.options.get("called_suit") or not hand.is_lead():
        return False
    return event.get("suit") is None and len(suits_of(event["cards"][0])) > 1


def excuse_led(hand: Hand, event: Event) -> bool:
    """The Excuse led although forbidden, unless it is the last card held."""
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


IRREGULAR: Tests = {
    "out-of-turn": out_of_turn,
    "forbidden-bid": forbidden_bid,
    "no-suit-called": no_suit_called,
    "excuse-led": excuse_led,
    "trump-led": against_known("trump-led"),
    "revoke": against_known("revoke"),
}


# --- Impossible events: the checks, in the order of the contract


def wrong_phase(hand: Hand, event: Event) -> bool:
    """The event does not belong here."""
    kind, phase = event["type"], hand.phase()
    if kind in SETTLING:
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
    seat = event["seat"]
    return 0 <= seat < len(column) and column[seat] is not None


def wrong_count(hand: Hand, event: Event) -> bool:
    return "cards" in event and len(event["cards"]) != 1


def not_in_deck(hand: Hand, event: Event) -> bool:
    """A card that is not in the deck, or cannot be a ruling card."""
    if event["type"] == "ruling-card" and not is_high(event["cards"][0] or "E"):
        return True
    return any(card not in hand.deck for card in cards_of(event) if card != "?")


def cards_of(event: Event) -> list[str]:
    last = event.get("last")
    return list(event.get("cards", [])) + ([] if last is None else [last])


def already_played(hand: Hand, event: Event) -> bool:
    """A card that has left a hand before, or an Ace that would fall twice."""
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
    """Whether an Ace could set trump in the next or the current trick."""
    return hand.options["trump"] == "aces" or not all(stand[1] for stand in hand.stands)


def too_many_cards(hand: Hand, event: Event) -> bool:
    """A second card to a trick, or one more than the seat was dealt of its kind (WC-2)."""
    if event["type"] != "play":
        return False
    seat, card = event["seat"], event["cards"][0]
    return hand.has_played(seat) or (card != "?" and hand.is_dealt_out(seat, card))


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
    """An invalid suit, or one the card or the state of the hand does not allow."""
    if event["type"] == "play":
        return event.get("suit") is not None and not may_name(hand, event)
    if event["type"] == "trump":
        return not event["suit"] or event["suit"] not in ("MSWLYK" if hand.names_before_deal() else hand.choices())
    return event["type"] == "trick" and "trump" in event and contradicts_trump(hand, event)


def may_name(hand: Hand, event: Event) -> bool:
    """Called suit: only a lead names a suit, and only one of its own."""
    if hand.game == "wildcat-chicane" or not hand.options["called_suit"] or not hand.is_lead():
        return False
    if event["cards"] == ["?"]:
        return event["suit"] != ""
    return event["suit"] in list(suits_of(event["cards"][0]))


def contradicts_trump(hand: Hand, event: Event) -> bool:
    """Whether the trump stated after a trick is impossible."""
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


def bad_result(hand: Hand, event: Event) -> bool:
    """A winner who cannot have won, a result that does not fit the tricks, or an impossible transfer."""
    if event["type"] == "trick":
        return not hand.ways_told(event["winner"], event.get("trump", "untold"))
    return plain.bad_sum(hand, event, hand.possible_winners)


IMPOSSIBLE: Tests = {
    "hand-finished": plain.hand_finished,
    "wrong-phase": wrong_phase,
    "no-such-seat": plain.no_such_seat,
    "wrong-count": wrong_count,
    "not-in-deck": not_in_deck,
    "already-played": already_played,
    "too-many-cards": too_many_cards,
    "not-in-hand": not_in_hand,
    "bad-suit": bad_suit,
    "bad-bid": plain.bad_bid,
    "bad-result": bad_result,
}


# --- The effect of an accepted event on its hand


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    """Change the hand by an accepted event; `seen` are the irregularities it shows at once."""
    kind = event["type"]
    if kind == "play":
        take_play(hand, event, seen)
    elif kind == "bid":
        hand.skipped = hand.skipped or hand.phase() != "bidding"
        hand.bids[event["seat"]] = event["tricks"]
    elif kind in ("ransom", "ruling-card"):
        hand.aside[event["seat"]] = event["cards"][0]
        hand.shown.append((hand.position, event["seat"], event["cards"][0]))
    elif kind == "trump":
        hand.named = event["suit"]
    elif kind == "trick":
        take_trick(hand, event)
    elif kind == "result":
        hand.result, hand.last = list(event["tricks"]), event.get("last")
    else:
        plain.take_settlement(hand, event)


def take_trick(hand: Hand, event: Event) -> None:
    """A trick recorded without all of its cards."""
    ways = hand.ways_told(event["winner"], event.get("trump", "untold"))
    if hand.phase() != "play":
        hand.skipped = hand.skipped_by_trick = True
    if hand.open_trick() is None:
        hand.tricks.append({"leader": hand.next_player(), "plays": [], "winner": None})
    trick = hand.tricks[-1]
    hand.close(event["winner"], ways, event.get("trump", "untold"))
    if "trump" in event:
        trick["given"] = event["trump"]
    trick["told"] = True
    hand.last = event.get("last")


def take_play(hand: Hand, event: Event, seen: list[str]) -> None:
    """A card joins the trick, perhaps ends it, perhaps asserts or proves something."""
    seat, card = event["seat"], event["cards"][0]
    said = hand.assertion(seat, card)
    trick = hand.open_trick()
    if trick is None:
        trick = {"leader": seat, "plays": [], "winner": None}
        hand.tricks.append(trick)
    play = {"seat": seat, "cards": [card]}
    if event.get("suit"):
        play["suit"] = event["suit"]
    trick["plays"].append(play)
    if card != "?":
        hand.shown.append((hand.position, seat, card))
        hand.hide()
    plain.prove_directly(hand, seat, card)
    if said and said[0] not in seen:
        claim = Claim(said[0], seat, hand.position, len(hand.tricks), said[1])
        hand.claims.append(claim)
    plain.prove_jointly(hand)
    if hand.has_aces() and card[0] == "A":
        hand.see_ace(card[1])
    if len(trick["plays"]) == hand.players:
        close_full(hand, trick)


def close_full(hand: Hand, trick: dict) -> None:
    """A trick to which everyone has played: its winner is known, or must be recorded."""
    whole = all(each["cards"] != ["?"] for each in trick["plays"])
    ways = hand.outcomes()
    winners = {way[0] for way in ways}
    sure = not (len(hand.stands) > 1 if hand.has_aces() else hand.narrowed)
    recorded = hand.recorded[0] if hand.has_aces() else hand.trump_story()[1]
    if whole and (sure or recorded in {way[1][0] for way in ways}):
        hand.close(hand.resolve(trick["plays"], hand.trump_story()[0][-1]), ways)
    else:
        hand.close(winners.pop() if len(winners) == 1 else None, ways)


# --- The table


class Table(PlainTable):
    """A record that grows hand by hand and event by event."""

    hand_class = Hand
    parse_card, parse_suit = staticmethod(parse_card), staticmethod(parse_suit)
    impossible, irregular, take = IMPOSSIBLE, IRREGULAR, staticmethod(take)

    def __init__(self, record: dict) -> None:
        self.game, self.sizes = record["game"], PLAYERS[record["game"]]
        super().__init__(record)
        self.options = full_options(self.game, record.get("options", {}), self.players)
        self.end = record.get("end", DEFAULT_END[self.game])
        half = self.players // 2
        if self.options.get("partners") and self.carried[:half] != self.carried[half:]:
            raise Invalid("carried of partners")

    # -- between hands -------------------------------------------------------------------------

    def next_size(self) -> int | None:
        """Cards per player in the next hand; None if the Tides are unknown."""
        if not self.hands:
            return first_size(self.game, self.options, self.players)
        last = self.hands[-1]
        if last.void or not self.options.get("tides"):
            return last.size
        by_cards = self.size_by_cards(last)
        if by_cards is not None:
            return by_cards
        if last.last is None:
            return None
        return tides_size(self.options, [last.last], last.last, last.size)

    def size_by_cards(self, last: Hand) -> int | None:
        """The size set by the cards of the last trick, if every possible card sets the same one."""
        if last.result is not None or not last.tricks[-1]["plays"]:
            return None
        trick = last.tricks[-1]
        could = trick["could"]
        if self.options["tides_last"] == "winning":
            cards = could[trick["winner"]]
            return self.only(tides_size(self.options, [card], card, last.size) for card in cards)
        *_, before, final = could.values()
        ranked = self.options["tides_excuse"] == "ranked"
        telling = {card for card in final if card != "E" or not ranked}
        if len(telling) < len(final):
            telling |= before if len(before) == 1 else {"2", "3"}  # whichever of them
        return self.only(tides_size(self.options, [card], None, last.size) for card in telling)

    @staticmethod
    def only(sizes: Iterable[int | None]) -> int | None:
        """The only possible size; None if there are several."""
        found = set(sizes)
        return found.pop() if len(found) == 1 else None

    def next_trump(self) -> str | None:
        if not self.hands or not self.options.get("trump_carry"):
            return None
        last = self.hands[-1]
        return last.start_trump if last.void else last.trump_story()[1]

    def next_unsure(self) -> set[str | None]:
        """Every trump that may be carried over, if unknown because cards of the hand before went unseen."""
        if not self.hands or not self.options.get("trump_carry"):
            return set()
        last = self.hands[-1]
        return last.unsure if last.void else last.unsure_now()

    def shared(self, made: list[int]) -> list[int]:
        if not self.options.get("partners"):
            return made
        half = self.players // 2
        return [made[seat] + made[(seat + half) % self.players] for seat in range(self.players)]

    def deck(self) -> list[str]:
        return deck_of(self.game, self.options)

    def more_of_next_hand(self) -> dict[str, Any]:
        return {"game": self.game, "trump": self.next_trump(), "unsure": self.next_unsure()}

    def check_known(self, known: dict[str, list[str]], size: int) -> dict[int, list[str]]:
        read = super().check_known(known, size)
        high = [sum(map(is_high, cards)) for cards in read.values()]
        if self.game == "wildcat-chicane" and any(each != 12 // self.players for each in high):
            raise Invalid("known hand against WC-2")
        return read


judge = Table.answer_to
