"""The second adjudicator of Ace Trump: the one that the trick games with the Decktet share."""

from tests.games.decktet_tricks.oracle import Invalid, judge

__all__ = ["Invalid", "judge"]
