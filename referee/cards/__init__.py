"""Packs and cards: the Decktet and French cards, their codes, names and aliases."""

from referee.cards.decktet import decktet
from referee.cards.french import french
from referee.cards.pack import Card, Pack, Suit

__all__ = ["Card", "Pack", "Suit", "decktet", "french"]
