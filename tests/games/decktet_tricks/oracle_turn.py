"""How far a hand has come, and whose turn it is."""

from __future__ import annotations

from tests.games.decktet_tricks.oracle_open_trick import OpenTrick
from tests.games.decktet_tricks.oracle_rules import lead_of


class Turn(OpenTrick):
    """A hand of which its phase and who is to act can be told."""

    def phase(self) -> str:
        """The phase by its name in the API."""
        if self.void:
            return "void"
        if self.finished():
            return "finished"
        if not self.skipped:
            if self.sets_aside and None in self.aside:
                return "ransom" if self.game == "ransom-trump" else "ruling-card"
            if self.choice_open():
                return "trump"
        elif self.skipped_by_trick and not self.bidding and self.choice_open():
            return "trump"
        return "bidding" if self.bidding and None in self.bids else "play"

    def first_leader(self) -> int:
        """Who leads to the first trick: ransom winner, else dealer's left or (option) dealer."""
        winner = self.ransom()
        if winner is not None:
            return winner
        nobody_won = self.game == "ransom-trump" and None not in self.aside
        if nobody_won and self.options["no_ransom_lead"] == "dealer":
            return self.dealer
        return (self.dealer + 1) % self.players

    def to_act(self) -> list[int]:
        """The seats that may act now."""
        phase = self.phase()
        if phase in ("ransom", "ruling-card"):
            return [seat for seat in self.seats if self.aside[seat] is None]
        if phase == "trump":
            winner = self.ransom()
            return [] if winner is None else [winner]
        if phase == "bidding":
            order = self.clockwise((self.dealer + 1) % self.players)
            return [seat for seat in order if self.bids[seat] is None][:1]
        return [self.next_player()] if phase == "play" and not self.waiting() else []

    def next_player(self) -> int:
        """The leader, or the first seat after the last play that has not played to the trick."""
        trick = self.open_trick()
        if trick is None:
            done = self.complete()
            return done[-1]["winner"] if done else self.first_leader()
        played = [play["seat"] for play in trick["plays"]]
        return next(seat for seat in self.clockwise(played[-1]) if seat not in played)

    def is_lead(self) -> bool:
        """Whether the next card counts as the card led (also after an Excuse led)."""
        trick = self.open_trick()
        if trick is None:
            return True
        if self.game == "wildcat-chicane" or self.options["excuse_led"] == "free":
            return False
        return lead_of(trick["plays"], "next-card") is None
