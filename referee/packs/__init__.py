"""Packs and cards: the Decktet and French cards, their codes, names and aliases."""

from referee.engine.cards import Card, Pack, Suit
from referee.packs.decktet import decktet
from referee.packs.french import french

__all__ = ["Card", "Pack", "Suit", "decktet", "french"]
