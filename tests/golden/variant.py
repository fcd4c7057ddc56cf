"""What a golden record is to show: a house rule at work, and where."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

SETTLED = {"note", "penalty", "transfer", "redeal", "end"}
"""Events with which a table settles something; a golden record does without them."""
Shows = Callable[[dict], list[str] | None]


@dataclass(frozen=True)
class Variant:
    """A golden record to be made: its rules, what it is about, and what it has to show.

    ``about`` are the options without which something must come out otherwise; ``shows`` returns
    what to look at, or ``None`` where a record does not show it.
    """

    game: str
    name: str
    about_it: str
    options: Mapping[str, Any] = field(default_factory=dict)
    players: int = 3
    hands: int = 1
    end: dict | None = None
    lies: float = 0.0
    shows: Shows | None = None
    keep: tuple[str, ...] = ()

    @property
    def about(self) -> set[str]:
        """The options this record is about: all but those another one merely requires."""
        return set(self.options) - set(self.keep)


def irregular(name: str, said: str) -> Shows:
    def shows(judged: dict) -> list[str] | None:
        found = [each for hand in judged["hands"] for each in hand["irregularities"]]
        return [said] if [each["code"] for each in found] == [name] else None

    return shows


def both(*all_of: Shows) -> Shows:

    def shows(judged: dict) -> list[str] | None:
        seen = [each(judged) for each in all_of]
        return None if None in seen else [line for lines in seen if lines for line in lines]

    return shows


def clean(judged: dict) -> list[str] | None:
    return None if any(hand["irregularities"] for hand in judged["hands"]) else []


def scored(name: str, said: str) -> Shows:

    def shows(judged: dict) -> list[str] | None:
        lines = [line["reason"]["code"] for hand in judged["hands"] for line in hand["score_lines"]]
        return [said] if name in lines else None

    return shows


LOST = irregular("revoke", "the revoke, the card that proves it, and the remedy proposed first")
REVOKES = [
    ("revoke-stand", "stand", "it is proposed to let it stand"),
    ("revoke-bridge", "bridge", "it is proposed to give up tricks (IR-4)"),
    ("revoke-hand-zero", "hand-zero", "it is proposed that the offender scores nothing"),
    ("revoke-redeal", "redeal", "it is proposed to deal again"),
]


def revokes(game: str, name: str, players: int) -> list[Variant]:
    """Records with a proved revoke, one for each proposal the house rules allow."""
    return [
        Variant(
            game, file, f"{name}: when a revoke is proved, {said}.", {"revoke": value}, players, lies=1.0, shows=LOST
        )
        for file, value, said in REVOKES
    ]
