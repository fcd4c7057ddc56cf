"""A hand of Ace Trump: Aces change trump, and the last card may set the next tide."""

from dataclasses import dataclass
from typing import ClassVar

from referee.engine.cards import Card
from referee.engine.phases import FINISHED
from referee.engine.rulings import Reason
from referee.engine.state import kept
from referee.games.decktet_tricks.rules import SuitedRules
from referee.games.decktet_tricks.suited import SuitedHand
from referee.packs.decktet import ACE, EXCUSE
from referee.tricks.state import Taken

FIRST_TIDE = 1
HIGHEST_TIDE = 9
TRUMP_CLAUSES = {"aces": ("AT-9", "AT-8"), "sticky": ("AT-9", "AT-V1"), "fixed": ("AT-9", "AT-V6")}


@dataclass(frozen=True)
class AceTrumpRules(SuitedRules):
    """Rules of a table of Ace Trump."""

    def acts(self, card: Card) -> bool:
        """Let Aces act when they fall, except where trump is fixed (AT-8, AT-V6)."""
        return card.rank == ACE and self.options["trump"] != "fixed"


class AceTrumpHand(SuitedHand):
    """A hand of Ace Trump: Aces change trump, and the last card may set the next tide.

    ``ruled`` says that an Ace of this hand has set trump (Sticky Aces); ``coming_trump`` is
    the suit of a later Ace that rules from the next trick on (``two_aces=first``); ``tide`` is
    the size of the next hand where it is known.
    """

    coming_trump: str | None = kept(None)
    ruled: bool = kept(False)
    tide: int | None = kept(None)

    CITES: ClassVar[dict[str, tuple[str, ...]]] = {
        "highest-trump": ("AT-9", "AT-8"),
        "highest-follower": ("AT-10",),
        "higher-symbol": ("AT-10", "AT-12"),
        "earlier-of-equals": ("AT-10", "AT-17"),
        "later-of-equals": ("AT-10", "AT-V8"),
        "follow": ("AT-5",),
        "name": ("AT-V7",),
        "hook": ("AT-Q15",),
        "bid": ("AT-V4",),
        "tricks": ("AT-14",),
        "lead": ("AT-3", "AT-13"),
        "deal": ("AT-2",),
        "deal-extended": ("AT-15",),
    }

    def act_on(self, card: int) -> None:
        """Let an Ace set trump, as the house rules have it (AT-8, AT-V1, AT-Q2)."""
        options = self.rules.options
        if options["trump"] == "sticky" and self.ruled:
            return
        suit = self.rules.pack.cards[card].suits[0]
        earlier_ace = any(self.rules.acting >> play[1] & 1 for play in self.plays[:-1])
        self.ruled = True
        if earlier_ace and options["two_aces"] == "first":
            self.coming_trump = suit
        else:
            self.trump = suit

    def gather(self, trick: Taken) -> None:
        """Clear the table; a second Ace of the trick may rule from now on (AT-Q2)."""
        super().gather(trick)
        if self.coming_trump is not None:
            self.trump = self.coming_trump
            self.coming_trump = None
        if self.phase is FINISHED and trick.plays and self.rules.options["tides"]:
            self.tide = self.tide_after(trick)

    def trump_fits(self, trump: str | None) -> bool:
        """Return whether a trick can have left this trump: under *fixed* only the fixed one."""
        fixed = self.rules.options["fixed_trump"]
        return trump == fixed if fixed else super().trump_fits(trump)

    def hear_trump(self, trump: str | None) -> None:
        """Take the trump that a recorded trick reports; a change means that an Ace fell."""
        self.ruled = trump is not None and (self.ruled or trump != self.trump)
        self.trump = trump

    def explain(self, code: str, card: int) -> Reason:
        """Return why this card won; trump is explained by how it is found."""
        if code == "highest-trump":
            return Reason(code, TRUMP_CLAUSES[self.rules.options["trump"]], {"card": self.rules.pack.cards[card]})
        return super().explain(code, card)

    # -- tides ----------------------------------------------------------------------------

    def tide_after(self, trick: Taken) -> int | None:
        """Return the size of the next hand after this last trick (AT-V5, AT-Q18, AT-Q19)."""
        cards = [play[1] for play in trick.plays]
        if self.rules.options["tides_last"] == "winning":
            won = next(play[1] for play in trick.plays if play[0] == trick.winner)
            return self.tide_of(won)
        last = cards[-1]
        if 1 << last == self.rules.excuse and self.rules.options["tides_excuse"] == "ranked":
            last = next(c for c in reversed(cards) if 1 << c != self.rules.excuse)
        return self.tide_of(last)

    def tide_of(self, card: int) -> int | None:
        """Return the hand size that a card stands for; ``None`` where it says nothing."""
        rank = self.rules.pack.cards[card].rank
        if rank == EXCUSE:
            same = self.total if self.rules.options["tides_excuse"] == "same" else None
            return FIRST_TIDE if self.rules.options["tides_excuse"] == "one" else same
        if rank == ACE:
            return FIRST_TIDE
        return int(rank) if rank.isdigit() else HIGHEST_TIDE

    def hear_last(self, last: str | None) -> None:
        """Take the last card of a hand recorded without it."""
        card = None if last is None else self.rules.pack.find(last)
        self.tide = None if card is None else self.tide_of(card)

    def last_card_counts(self) -> bool:
        """Return whether the last card sets the next tide."""
        return bool(self.rules.options["tides"])

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked; a missing last card leaves the next size open."""
        said = super().unchecked()
        if self.rules.options["tides"] and self.phase is FINISHED and self.tide is None:
            said.append(Reason("tide-unknown", ("AT-V5", "REC-19")))
        return said
