"""The second adjudicator of Oh Hell: a hand, and what plays prove."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import Any

from tests.games.oh_hell.oracle_rules import (
    DECK,
    SUITS,
    UNSEEN,
    bid_points,
    fixed_trump,
    suit_of,
    trick_winner,
    turns_up,
)
from tests.games.tricks.oracle_plain import PlainHand, can_differ

# --- Claims about hidden hands in Oh Hell, and whether every card still has a place
# Who does not follow claims to hold no card of the suit led. Within a suit all cards are alike, so it is enough to
# count suits: the unseen cards of any suits must fit into the places that may hold one of them (Hall's condition).

REST = "rest"
TURNED = "turned"
Place = int | str  # a seat, the undealt rest, or the turned card that was seen by its suit only


@dataclass
class Claim:
    """One card that did not follow suit: from this event on, the seat holds none of the suit."""

    seat: int
    event: int
    trick: int
    suit: str
    proved: bool = False
    code = "revoke"

    @property
    def suits(self) -> set[str]:
        return {self.suit}

    def denies(self, card: str) -> bool:
        return suit_of(card) in self.suits


@dataclass
class Situation:
    """What is unknown after an event: unseen cards by suit, and how many each place holds.

    ``turned`` is the suit of an unnamed turned card; it is in its own place, with room for one.
    """

    unseen: dict[str, int]
    room: dict[Place, int]
    turned: str | None = None

    def allowed(self, claims: list[Claim]) -> dict[Place, set[str]]:
        suits: dict[Place, set[str]] = {place: set(SUITS) for place in self.room}
        if TURNED in suits and self.turned:
            suits[TURNED] = {self.turned}
        for claim in claims:
            suits[claim.seat] -= claim.suits
        return suits


SUIT_SETS = [set(chosen) for size in range(1, 5) for chosen in combinations(SUITS, size)]


def contradict(situation: Situation, claims: list[Claim]) -> bool:
    allowed = situation.allowed(claims)
    return any(crowded(situation, suits, allowed) for suits in SUIT_SETS)


def crowded(situation: Situation, suits: set[str], allowed: dict[Place, set[str]]) -> bool:
    """Whether there are more unseen cards of these suits than places for them."""
    cards = sum(situation.unseen[suit] for suit in suits)
    return cards > sum(room for place, room in situation.room.items() if not suits.isdisjoint(allowed[place]))


def minimal_claims(situation: Situation, claims: list[Claim]) -> list[Claim] | None:
    """The smallest contradictory set, the one with the earliest acts among equals; None if there is none.

    Claims contradict each other if some suits have no place because some seats deny all of them. So a smallest set is
    what those seats deny of those suits, each by its earliest claim.
    """
    if not contradict(situation, claims):
        return None
    seats = sorted({claim.seat for claim in claims})
    cores = [
        core
        for suits in SUIT_SETS
        for number in range(1, len(seats) + 1)
        for deniers in combinations(seats, number)
        if (core := denials(claims, set(deniers), suits)) and crowded(situation, suits, situation.allowed(core))
    ]
    return min(cores, key=lambda core: (len(core), [claim.event for claim in core]))


def denials(claims: list[Claim], seats: set[int], suits: set[str]) -> list[Claim] | None:
    """The earliest claims by which each of these seats denies each of these suits, in order; None if one is missing."""
    core: list[Claim] = []
    for seat in seats:
        for suit in suits:
            own = [claim for claim in claims if claim.seat == seat and claim.suit == suit]
            if not own:
                return None
            core.append(min(own, key=lambda claim: claim.event))
    return sorted(core, key=lambda claim: claim.event)


# --- One hand of Oh Hell as a mutable object; everything derived is recomputed each time

FEW_WAYS = 5000
"""The most ways to fill in a trick's unseen cards that are all tried."""


class Hand(PlainHand):
    """The facts of one hand, and everything that follows from them before judging an event."""

    SOME_CARD = "8S"
    deck = DECK

    def __init__(self, *, played: int, **dealt: Any) -> None:
        super().__init__(**dealt)
        self.turns_up = turns_up(self.options, self.players, self.size)
        self.trump_known = not self.turns_up
        self.trump: str | None = fixed_trump(self.options, played)
        self.turned: str | None = None

    # -- tricks --------------------------------------------------------------------------------

    def anything_unseen(self) -> bool:
        seen = [[play for play in trick["plays"] if play["cards"] != [UNSEEN]] for trick in self.tricks]
        whole = [len(plays) == self.players for plays in seen]
        lying = self.open_trick()
        if lying is not None:
            whole[-1] = len(seen[-1]) == len(lying["plays"])
        return not all(whole)

    def cards_left(self, seat: int) -> int:
        if self.result is not None:
            return 0
        trick = self.open_trick()
        lies = trick is not None and any(play["seat"] == seat for play in trick["plays"])
        return self.size - len(self.complete()) - lies

    # -- phase and turn ------------------------------------------------------------------------

    def phase(self) -> str:
        if self.void:
            return "void"
        if self.finished():
            return "finished"
        if self.turns_up and self.turned is None and not self.skipped:
            return "turn-up"
        return "bidding" if None in self.bids else "play"

    def to_act(self) -> list[int]:
        if self.phase() == "bidding":
            if self.options["bidding"] == "together":
                return [seat for seat in self.seats if self.bids[seat] is None]
            return [self.next_bidder()]
        return [self.next_player()] if self.phase() == "play" and not self.waiting() else []

    def next_bidder(self) -> int:
        """The first seat from the dealer's left without a bid (OH-4)."""
        return next(seat for seat in self.clockwise(self.dealer + 1) if self.bids[seat] is None)

    # -- what cards say ------------------------------------------------------------------------

    def denied_suit(self, card: str) -> str | None:
        """The suit this card now denies: the suit led, if the card does not follow (OH-7)."""
        trick = self.open_trick()
        lead = trick["plays"][0]["cards"][0] if trick else card
        if UNSEEN in (lead, card) or suit_of(card) == suit_of(lead):
            return None
        return suit_of(lead)

    def known_to_hold(self, seat: int, card: str, suits: str) -> bool:
        """Whether an entered hand still holds cards of some suits, whatever the unseen plays were."""
        if seat not in self.known:
            return False
        gone = {each for _, _, each in self.shown} | self.lost
        held = {each for each in self.known[seat] if each not in gone}
        open_ones = [could for owner, could in self.hidden if owner == seat and could & held]
        blind = len(held) - self.cards_left(seat) - len(open_ones)
        left = [each for each in held - {card} if suit_of(each) in suits]
        places = [*enumerate(open_ones), *((-1 - each, held) for each in range(blind))]
        return not can_differ([{number for number, could in places if each in could} for each in left])

    def nowhere_else(self, suit: str) -> list[str]:
        """The cards of a suit neither shown nor in an entered hand: one of them was turned up."""
        seen = {card for _, _, card in self.shown} | self.entered()
        return [card for card in self.deck if suit_of(card) == suit and card not in seen]

    def is_turned(self, card: str) -> bool:
        if self.turned not in (None, UNSEEN):
            return card == self.turned
        if not self.turns_up or self.trump is None:
            return False
        return self.nowhere_else(self.trump) == [card]

    # -- cards that nobody saw -----------------------------------------------------------------

    def may_have_played(self, seat: int) -> list[str]:
        gone = {card for _, _, card in self.shown} | self.lost
        if seat in self.known:
            return [card for card in self.known[seat] if card not in gone]
        elsewhere = gone | self.entered() | {self.turned}
        return [card for card in self.deck if card not in elsewhere]

    def possible_winners(self) -> set[int]:
        """Who can have won the open trick, trying two unseen cards at a time with the others losing."""
        slots = self.slots()
        blanks = [place for place, play in enumerate(slots) if play["cards"] == [UNSEEN]]
        if len(blanks) > 2 and slots[0]["cards"] == [UNSEEN]:
            return set(self.seats)
        winners = set()
        for places in combinations(blanks, min(len(blanks), 2)):
            for cards in product(*(self.may_have_played(slots[place]["seat"]) for place in places)):
                if len(set(cards)) == len(cards) and self.leaves_turned(cards):
                    told = dict(zip(places, cards, strict=True))
                    seen = [(play["seat"], told.get(place, play["cards"][0])) for place, play in enumerate(slots)]
                    seen = [(seat, card) for seat, card in seen if card != UNSEEN]
                    winners.add(seen[trick_winner([card for _, card in seen], self.trump)][0])
        return winners

    def hide(self, winner: int) -> None:
        """Note what the unseen cards of the open trick can be if this seat won it."""
        blanks = {
            play["seat"]: self.may_have_played(play["seat"]) for play in self.slots() if play["cards"] == [UNSEEN]
        }
        many = prod(map(len, blanks.values())) > FEW_WAYS
        fell = []
        for seat, cards in blanks.items():
            could = {card for card in cards if self.can_have_been(winner, {seat: card})}
            fell.append((seat, set(cards) if many and len(could) > 1 else could))
        self.hidden += fell
        self.narrow()

    def narrow(self) -> bool:
        """Work out what the unseen cards can still be; what must have fallen is lost.

        Returns False and changes nothing if one of them can be no card.
        """
        whole, lost, before = list(self.hidden), set(self.lost), None
        while before != self.hidden:
            before = list(self.hidden)
            for place, (seat, could) in enumerate(before):
                if len(could) > 1:
                    could = could - {card for _, _, card in self.shown} - self.lost
                    self.hidden[place] = seat, could
                self.lost |= could if len(could) == 1 else set()
        if all(could for _, could in self.hidden):
            return True
        self.hidden, self.lost = whole, lost
        return False

    def is_hidden(self, seat: int, card: str) -> bool:
        """Whether this card cannot be played, because without it some unseen card can be no card."""
        trial = deepcopy(self)
        if trial.open_trick() is None:
            trial.tricks.append({"leader": seat, "plays": [], "winner": None})
        trial.tricks[-1]["plays"].append({"seat": seat, "cards": [card]})
        trial.shown.append((self.position, seat, card))
        consistent = trial.narrow()
        open_places = [set(trial.may_have_played(play["seat"])) for play in trial.slots() if play["cards"] == [UNSEEN]]
        open_places += trial.turned_places()
        return not (consistent and can_differ([*open_places, *(could - {card} for _, could in trial.hidden)]))

    def turned_places(self) -> list[set[str]]:
        """What an unnamed turned card can be: it is set aside, whatever else was played."""
        named = self.turned not in (None, UNSEEN) or not self.turns_up or self.trump is None
        return [] if named or self.trump is None else [set(self.nowhere_else(self.trump))]

    def can_have_been(self, winner: int, told: dict[int, str]) -> bool:
        """Whether the untold unseen cards can be filled in so that this seat won the open trick."""
        slots = self.slots()
        cards = {play["seat"]: play["cards"][0] for play in slots if play["cards"] != [UNSEEN]} | told
        lead = slots[0]["seat"]
        for seat in (lead, winner, *(play["seat"] for play in slots)):
            if seat not in cards:
                choices = (card for card in self.may_have_played(seat) if card not in cards.values())
                return any(self.can_have_been(winner, {**told, seat: card}) for card in choices)
            if lead in cards and winner in cards and seat in cards and seat != winner:
                led = [cards[lead], *({cards[seat], cards[winner]} - {cards[lead]})]
                if led[trick_winner(led, self.trump)] != cards[winner]:
                    return False
        return self.leaves_turned(tuple(told.values()))

    def leaves_turned(self, cards: tuple[str, ...]) -> bool:
        """Whether a card of the turned suit is left to be the turned card."""
        if self.turned not in (None, UNSEEN) or not self.turns_up or self.trump is None:
            return True
        return any(card not in cards for card in self.nowhere_else(self.trump))

    def situation(self, at: int) -> Situation:
        """What is unseen after the event at this position, and where it can be."""
        shown = [(seat, card) for position, seat, card in self.shown if position <= at]
        seen = self.entered() | {card for _, card in shown} | {self.turned}
        unseen = dict.fromkeys(SUITS, 0)
        for card in self.deck:
            unseen[suit_of(card)] += card not in seen
        room: dict[Place, int] = {}
        for seat in self.seats:
            gone = sum(owner == seat for owner, _ in shown)
            room[seat] = 0 if seat in self.known else self.size - gone
        room[REST] = len(self.deck) - self.size * self.players - self.turns_up
        if self.turned == UNSEEN:
            room[TURNED] = 1
        return Situation(unseen, room, self.trump)

    def find_core(self, claims: list[Claim]) -> list[Claim] | None:
        return minimal_claims(self.situation(self.position), claims)

    def contradicted(self, position: int, claims: list[Claim]) -> bool:
        return contradict(self.situation(position), claims)

    # -- scores and the answer -----------------------------------------------------------------

    def scores(self) -> list[int | None]:
        if self.void:
            return list(self.penalties)
        if not self.finished():
            return [None] * self.players
        pairs = zip(self.bids, self.tricks_won(), self.penalties, strict=True)
        return [bid_points(self.options, bid or 0, won) + penalty for bid, won, penalty in pairs]

    def answer(self) -> dict:
        return self.told(self.trump, [self._trick(number) for number in range(1, len(self.tricks) + 1)])

    def _trick(self, number: int) -> dict:
        trick = self.tricks[number - 1]
        plays = [{"seat": play["seat"], "cards": list(play["cards"])} for play in trick["plays"]]
        listed = {key: trick[key] for key in ("leader", "winner", "trump")}
        return {"number": number, "plays": plays, "points": {}, **listed}
