"""The second adjudicator: what is known of a hand, what that proves, and what is trump."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from tests.games.decktet_tricks.oracle_cards import (
    chicane_winner,
    deck_of,
    ransom_winner,
    suits_of,
    trick_winner,
)
from tests.games.tricks.oracle_plain import PlainHand

# --- Claims about hidden hands, and whether all cards have a place: by matching, not counting
# A claim says that from its event on the cards in its seat's hand avoid a forbidden set. Claims
# contradict one another when no assignment of the unseen cards to hands and pile respects them.


@dataclass
class Claim:
    """An act that asserts something about the cards left in a hand."""

    code: str
    seat: int
    event: int
    trick: int
    forbidden: frozenset[str]
    proved: bool = False

    def denies(self, card: str) -> bool:
        return card in self.forbidden


@dataclass
class Situation:
    """What is unknown after an event.

    `unseen` are the cards that were not shown and are in no entered hand; `room` maps a place (seat, or -1 for the
    pile) to how many of them it holds.
    """

    unseen: list[str]
    room: dict[int, int]


def can_be_placed(situation: Situation, claims: list[Claim]) -> bool:
    """Whether every unseen card has a place: maximum bipartite matching with capacities."""
    if sum(situation.room.values()) != len(situation.unseen):
        return False
    banned: dict[int, set[str]] = {place: set() for place in situation.room}
    for claim in claims:
        banned[claim.seat].update(claim.forbidden)
    holds: dict[int, list[str]] = {place: [] for place in situation.room}
    return all(_augment(card, situation.room, banned, holds, set()) for card in situation.unseen)


def _augment(
    card: str, room: dict[int, int], banned: dict[int, set[str]], holds: dict[int, list[str]], tried: set[int]
) -> bool:
    """Find this card a place, moving earlier cards along if need be (Kuhn's algorithm)."""
    places = [place for place in room if card not in banned[place] and place not in tried]
    for place in places:
        if len(holds[place]) < room[place]:
            holds[place].append(card)
            return True
    for place in places:
        tried.add(place)
        for other in list(holds[place]):
            if _augment(other, room, banned, holds, tried):
                holds[place].remove(other)
                holds[place].append(card)
                return True
    return False


def contradict(situations: list[Situation], claims: list[Claim]) -> bool:
    """Whether some separate deal (Wildcat Chicane has two) cannot satisfy the claims."""
    return not all(can_be_placed(situation, claims) for situation in situations)


def minimal_claims(situations: list[Situation], claims: list[Claim]) -> list[Claim] | None:
    """The smallest contradictory set, the earliest among equals; None if there is none."""
    if not contradict(situations, claims):
        return None
    useful = _useful(situations, claims)
    for size in range(1, len(useful) + 1):
        for chosen in combinations(useful, size):
            if contradict(situations, list(chosen)):
                return list(chosen)
    raise AssertionError("the whole set contradicts")


def _useful(situations: list[Situation], claims: list[Claim]) -> list[Claim]:
    """Leave out claims that say no more than an earlier one by the same seat.

    Such a claim can be replaced by the earlier one, so it is never in the first smallest set.
    """
    unseen = {card for situation in situations for card in situation.unseen}
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda each: each.event):
        says = claim.forbidden & unseen
        if says and not any(says <= old.forbidden for old in kept if old.seat == claim.seat):
            kept.append(claim)
    return kept


# --- The facts of one hand, and what can be counted: cards gone, tricks won
# A hand is a mutable object that events change; whatever follows from its facts is computed afresh each time.


class Facts(PlainHand):
    """The facts of one hand.

    In Ace Trump, ``stands`` are all possible trumps before the trick on the table: the suit, whether an Ace of this
    hand set it, and whether that Ace was unseen. ``recorded`` is the suit and its origin as recorded, ``lost`` the
    cards that certainly fell unseen, ``hidden`` the player of each unseen card in a finished trick and what it can be.
    In Ransom Trump, ``narrowed`` are the trumps that tricks leave possible.
    """

    def __init__(self, *, game: str, trump: str | None, unsure: set[str | None], **dealt: Any) -> None:
        super().__init__(**dealt)
        self.game, self.start_trump, self.unsure = game, trump, unsure
        self.recorded = (trump, False)
        self.stands = {(suit, False, False) for suit in unsure or {trump}}
        self.narrowed: set[str | None] = set()
        self.tried: tuple = (None, set())
        self.deck = deck_of(game, self.options)
        self.skipped_by_trick = False
        self.named: str | None = None
        self.aside: list[str | None] = [None] * self.players
        self.last: str | None = None

    @property
    def bidding(self) -> bool:
        return self.game == "wildcat-chicane" or bool(self.options["bidding"])

    @property
    def sets_aside(self) -> bool:
        """Whether each player sets a card aside before play (ransom, ruling card)."""
        return self.game != "ace-trump"

    @property
    def trick_count(self) -> int:
        return self.size - (1 if self.sets_aside else 0)

    def unseen_cards(self, seat: int) -> int:
        """How many cards left this hand without being seen."""
        missing = sum(
            trick["winner"] is not None
            and seat not in [play["seat"] for play in trick["plays"] if play["cards"] != ["?"]]
            for trick in self.tricks
        )
        trick = self.open_trick()
        lying = trick is not None and any(play["seat"] == seat and play["cards"] == ["?"] for play in trick["plays"])
        return missing + lying + (1 if self.skipped and self.sets_aside and self.aside[seat] is None else 0)

    def anything_unseen(self) -> bool:
        """Whether any card left a hand without being seen."""
        return self.skipped or any(self.unseen_cards(seat) for seat in self.seats)

    def cards_left(self, seat: int) -> int:
        if self.result is not None:
            return 0
        gone = sum(1 for _, owner, _ in self.shown if owner == seat)
        return self.size - gone - self.unseen_cards(seat)

    def resolve(self, plays: list[dict], trump: str | None) -> int:
        if self.game == "wildcat-chicane":
            own = [{**play, "ruling": self.aside[play["seat"]]} for play in plays]
            return plays[chicane_winner(own)]["seat"]
        return plays[trick_winner(self.options, plays, trump)]["seat"]

    def ruling(self, seat: int) -> str:
        """The ruling card of a seat; cards are played only once all ruling cards are in."""
        card = self.aside[seat]
        assert card is not None
        return card


# --- The trump of a hand, trick by trick, and whether it is known

Stand = tuple[str | None, bool, bool]
"""A possible trump: its suit, whether an Ace of this hand set it, and whether that Ace was unseen."""


class Trump(Facts):
    """A hand whose trump can be determined."""

    def ransom(self) -> int | None:
        if self.game != "ransom-trump" or None in self.aside:
            return None
        return ransom_winner([card for card in self.aside if card is not None])

    def choices(self) -> str:
        winner = self.ransom()
        return "" if winner is None else suits_of(self.aside[winner] or "E")

    def trump_story(self) -> tuple[list[str | None], str | None]:
        """For each trick, the trump that decides it (without cards: after it), and trump now."""
        if self.game == "wildcat-chicane":
            return [None] * len(self.tricks), None
        if self.game == "ransom-trump":
            return self._ransom_story()
        if self.names_before_deal():
            trump = self.named or self.told_trump()
            return [trump] * len(self.tricks), trump
        if self.options["trump"] == "fixed":
            fixed = self.options["fixed_trump"]
            return [fixed] * len(self.tricks), fixed
        return self._aces_story()

    def _ransom_story(self) -> tuple[list[str | None], str | None]:
        """One trump for the whole hand; cards played before it was known were judged without trump."""
        trump, since = self.ransom_trump()
        told = [number >= (since or 0) or "told" in trick for number, trick in enumerate(self.tricks)]
        return [trump if known else None for known in told], trump

    def names_before_deal(self) -> bool:
        """Whether the table names a trump before each deal (AT-V6)."""
        return self.game == "ace-trump" and self.options["trump"] == "named"

    def told_trump(self) -> str | None:
        return next((trick["given"] for trick in self.tricks if "given" in trick), None)

    def ransom_trump(self) -> tuple[str | None, int | None]:
        """The trump of a Ransom Trump hand, and the trick by which it is known; None while it is not."""
        if None not in self.aside and len(self.choices()) < 2:
            return self.choices() or None, 0
        if self.named is not None:
            return self.named, 0
        told = [(trick["given"], number) for number, trick in enumerate(self.tricks) if "given" in trick]
        return told[0] if told else (None, None)

    def trump_settled(self) -> bool:
        """Whether the trump of a Ransom Trump hand, or one whose trump the table names, is known."""
        if self.names_before_deal():
            return self.trump_story()[1] is not None
        return self.ransom_trump()[1] is not None

    def choice_open(self) -> bool:
        """Whether the winner of the ransom, or the table, has a choice not yet recorded."""
        if self.names_before_deal():
            return not self.trump_settled()
        return len(self.choices()) > 1 and not self.trump_settled()

    def ransom_trumps(self) -> set[str | None]:
        """Every trump the missing ransom cards can still lead to."""
        free = [card for card in self.deck if card not in {seen for _, _, seen in self.shown}]
        missing = self.aside.count(None)
        if self.narrowed:
            return self.narrowed
        if missing == self.players:
            return {None, *"MSWLYK"}
        laid = [card for card in self.aside if card is not None]
        if not missing:
            return set(self.choices())
        found: set[str | None] = set()
        samples = {rank: [card for card in free if card[0] == rank] for rank in "A23456789PCXE"}
        for ranks in product([rank for rank in samples if samples[rank]], repeat=missing):
            if any(ranks.count(rank) > len(samples[rank]) for rank in ranks):
                continue
            cards = [*laid, *(samples[rank][ranks[:place].count(rank)] for place, rank in enumerate(ranks))]
            winner = ransom_winner(cards)
            if winner is None:
                found.add(None)
            elif winner < len(laid):
                found.update(suits_of(cards[winner]))
            else:
                found.update(suit for card in samples[cards[winner][0]] for suit in suits_of(card))
        return found

    # -- Aces -----------------------------------------------------------------------------------

    def has_aces(self) -> bool:
        return self.game == "ace-trump" and self.options["trump"] in ("aces", "sticky")

    def run(self, before: Stand, plays: list[dict]) -> tuple[str | None, Stand]:
        """The trump that decides a trick of these cards, and the trump after it."""
        aces = [(play["cards"][0][1], play.get("guessed", False)) for play in plays if play["cards"][0][0] == "A"]
        if not aces or not self.has_aces():
            return before[0], before
        if self.options["trump"] == "sticky":
            suit, unseen = (before[0], before[2]) if before[1] else aces[0]
            return suit, (suit, True, unseen)
        suit, unseen = aces[-1]
        return aces[0][0] if self.options["two_aces"] == "first" else suit, (suit, True, unseen)

    def _aces_story(self) -> tuple[list[str | None], str | None]:
        story = [trick["trump"] for trick in self.tricks if trick["winner"] is not None]
        trick = self.open_trick()
        if trick is None:
            return story, self.recorded[0]
        running = self.run((*self.recorded, False), trick["plays"])[0]
        return [*story, running], running

    def loose_aces(self) -> set[str]:
        """The suits of Aces that may be in a hand or have fallen unseen."""
        gone = {card[1] for _, _, card in self.shown if card[0] == "A"} | {card[1] for card in self.lost}
        dealt = {card for cards in self.known.values() for card in cards}
        everywhere = len(self.known) < self.players
        return {suit for suit in "MSWLYK" if suit not in gone and (everywhere or "A" + suit in dealt)}

    def see_ace(self, suit: str) -> None:
        """An Ace is seen, so it did not fall unseen before."""
        if len(self.stands) > 1:
            self.stands = {stand for stand in self.stands if stand[::2] != (suit, True)}
            if len(self.stands) == 1:
                (stand,) = self.stands
                self.recorded = stand[:2]
                self.lost |= {f"A{stand[0]}"} if stand[2] else set()

    def stand(self, stands: set[Stand], recorded: tuple[str | None, bool]) -> None:
        """Trump may be this now; `recorded` is what the record says of it."""
        suits = {stand[0] for stand in stands}
        suit = suits.pop() if len(suits) == 1 else recorded[0] if recorded[0] in suits else None
        settled = {stand[1] for stand in stands if stand[0] == suit}
        self.recorded = (suit, recorded[1] if recorded[1] in settled else True in settled)
        if {stand[0] for stand in stands} == {suit} and all(stand[2] for stand in stands):
            self.lost.add(f"A{suit}")
        self.stands = stands

    def unsure_now(self) -> set[str | None]:
        """Every possible trump at the end of the hand, if there is more than one, or none."""
        stands = set(self.stands)
        settled = self.options["trump"] == "sticky" and all(stand[1] for stand in stands)
        if self.result is not None and len(self.complete()) < self.trick_count and self.has_aces() and not settled:
            trick = self.open_trick()
            if trick is not None:
                stands = {self.run(stand, trick["plays"])[1] for stand in stands}
            stands |= {(suit, True, True) for suit in self.loose_aces()}
        suits = {stand[0] for stand in stands}
        return suits if len(suits) > 1 else set()
