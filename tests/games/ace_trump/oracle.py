"""The second adjudicator of Ace Trump, shared by the Decktet trick-taking games."""

from tests.games.decktet_tricks.oracle import Invalid, Table, judge

__all__ = ["Invalid", "Table", "judge"]
