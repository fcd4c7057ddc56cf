"""Chicane, for three or four players with the Decktet."""
