"""Packs and cards: the Decktet and French cards, their codes, names and aliases."""

from referee.packs.decktet import decktet
from referee.packs.french import french
from referee.packs.pack import Card, Pack, Suit

__all__ = ["Card", "Pack", "Suit", "decktet", "french"]
