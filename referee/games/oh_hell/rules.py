"""What follows from the house rules of Oh Hell, worked out once per table."""

from dataclasses import dataclass, field

from referee.games.oh_hell.course import course
from referee.tricks.rules import TrickRules


@dataclass(frozen=True)
class OhHellRules(TrickRules):
    """Rules of a table of Oh Hell.

    ``course`` are the cards each in its hands, one after the other; ``together`` says that bids are chosen in secret.
    """

    course: tuple[int, ...] = field(init=False)
    together: bool = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "course", course(self.options))
        object.__setattr__(self, "together", self.options["bidding"] == "together")

    def has_bids(self) -> bool:
        """Let every hand be bid (OH-4)."""
        return True

    def trump_suits(self) -> tuple[str, ...]:
        """Return the suits that can be trump: all, or none at all (OH-3, OH-V5)."""
        return () if self.options["trump"] == "none" else super().trump_suits()

    def most_dealt(self) -> int:
        """Return the cards each in the largest hand of the course (OH-2, OH-V2)."""
        return max(self.course)

    def is_strict(self) -> bool:
        """Look closely at every play where one card lies aside that nobody can hold (OH-Q1)."""
        return bool(self.options["trump"] == "turned")

    def turns_up(self, size: int) -> bool:
        """Return whether a card is turned up in a hand of this size: only if one is left (OH-3)."""
        return self.options["trump"] == "turned" and size * self.players < len(self.pack)
