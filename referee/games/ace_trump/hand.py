"""A hand of Ace Trump: Aces change trump, and the last card may set the next tide."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.cards import Card
from referee.engine.phases import FINISHED
from referee.engine.rulings import Reason
from referee.engine.state import kept
from referee.games.ace_trump.trump import AceTrumps
from referee.games.decktet_tricks.rules import SuitedRules
from referee.packs.decktet import ACE, EXCUSE
from referee.tricks.resolve import UNSEEN
from referee.tricks.state import Taken

FIRST_TIDE = 1
HIGHEST_TIDE = 9
TWO_PLAYERS = 2


@dataclass(frozen=True)
class AceTrumpRules(SuitedRules):
    """Rules of a table of Ace Trump."""

    def acts(self, card: Card) -> bool:
        """Let Aces act when they fall, except where trump is fixed (AT-8, AT-V6)."""
        return card.rank == ACE and self.options["trump"] in ("aces", "sticky")

    def trump_suits(self) -> tuple[str, ...]:
        """Return the suits that can be trump: under *fixed* only the fixed one (AT-V6)."""
        fixed = self.options["fixed_trump"]
        return (fixed,) if fixed else super().trump_suits()

    def most_dealt(self) -> int:
        """Return the most cards that a player is ever dealt, with Tides at their highest (AT-V5)."""
        return HIGHEST_TIDE if self.options["tides"] else super().most_dealt()


class AceTrumpHand(AceTrumps):
    """A hand of Ace Trump: Aces change trump, and the last card may set the next tide.

    ``tide`` is the size of the next hand where it is known.
    """

    tide: int | None = kept(None)

    SIZE_CLAUSES: ClassVar[tuple[str, ...]] = ("AT-V5",)
    CITES: ClassVar[dict[str, tuple[str, ...]]] = {
        "highest-trump": ("AT-9",),
        "highest-follower": ("AT-10",),
        "higher-symbol": ("AT-10", "AT-12"),
        "earlier-of-equals": ("AT-10", "AT-17"),
        "follow": ("AT-5",),
        "name": ("AT-V7",),
        "turn-to-bid": ("AT-V4",),
        "hook": ("AT-Q15",),
        "bid": ("AT-V4",),
        "tricks": ("AT-14",),
        "lead": ("AT-3", "AT-13"),
        "deal": ("AT-2",),
        "deal-extended": ("AT-15",),
    }

    def gather(self, trick: Taken) -> None:
        """Clear the table; the last trick may set the next tide."""
        sizes: set[int | None] = set()
        if self.rules.options["tides"] and trick.plays and len(self.taken) + 1 == self.total:
            whole = len(trick.plays) == self.rules.players and all(play[1] != UNSEEN for play in trick.plays)
            sizes = {self.tide_after(trick)} if whole else set(self.tides_after(trick))
        super().gather(trick)
        self.tide = sizes.pop() if len(sizes) == 1 else None

    # -- tides ----------------------------------------------------------------------------

    def tide_after(self, trick: Taken) -> int | None:
        """Return the size of the next hand after this last trick, all its cards seen (AT-V5, AT-Q18, AT-Q19)."""
        return self.tide_of(self.tide_card(trick))

    def tide_card(self, trick: Taken) -> int:
        """Return the card of this last trick that sets the next size: by default the last one that has a rank."""
        cards = [play[1] for play in trick.plays]
        if self.rules.options["tides_last"] == "winning":
            return next(play[1] for play in trick.plays if play[0] == trick.winner)
        if 1 << cards[-1] == self.rules.excuse and self.rules.options["tides_excuse"] == "ranked":
            return next(card for card in reversed(cards) if 1 << card != self.rules.excuse)
        return cards[-1]

    def tides_after(self, trick: Taken) -> Iterator[int | None]:
        """Yield what the size can be after a last trick of which not every card was seen."""
        plays, able = self.open_trick()
        place = len(plays) - 1
        if self.rules.options["tides_last"] == "winning":
            place = next(place for place, play in enumerate(plays) if play[0] == trick.winner)
        for card in self.cards_at(place, (way for way in self.outcomes() if way.winner == trick.winner)):
            before = able[place - 1]
            if 1 << card != self.rules.excuse or self.rules.options["tides_excuse"] != "ranked":
                yield self.tide_of(card)
            else:  # the card before it counts, if it is known
                yield self.tide_of(before.bit_length() - 1) if before.bit_count() == 1 else None

    def tide_of(self, card: int) -> int | None:
        """Return the hand size that a card stands for; ``None`` where it says nothing."""
        rank = self.rules.pack.cards[card].rank
        if rank == EXCUSE:
            same = self.total if self.rules.options["tides_excuse"] == "same" else None
            return FIRST_TIDE if self.rules.options["tides_excuse"] == "one" else same
        if rank == ACE:
            return FIRST_TIDE
        return int(rank) if rank.isdigit() else HIGHEST_TIDE

    def reported_last(self, last: str | None) -> None:
        """Take the card that sets the next size, where it was not seen; the Excuse never is the winning one."""
        if self.tide is not None:
            return
        card = None if last is None else self.rules.pack.find(last)
        won = self.rules.options["tides_last"] == "winning"
        lost = won and card is not None and 1 << card == self.rules.excuse
        self.tide = None if card is None or lost else self.tide_of(card)

    def deal_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which a hand is dealt when no last trick decides."""
        rules = self.rules
        if rules.options["tides"]:
            return ("AT-V5",)
        if rules.players != TWO_PLAYERS or not (self.is_extended() or rules.options["two_player_deal"] == "all"):
            return super().deal_clauses()
        return ("AT-Q12",) if self.is_extended() else ("AT-2", "AT-Q12")

    def last_card_counts(self) -> bool:
        """Return whether the last card sets the next tide."""
        return bool(self.rules.options["tides"])

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked; a missing last card leaves the next size open."""
        reasons = super().unchecked()
        if self.rules.options["tides"] and self.phase is FINISHED and self.tide is None:
            reasons.append(Reason("tide-unknown", ("AT-V5", "REC-19")))
        return reasons
