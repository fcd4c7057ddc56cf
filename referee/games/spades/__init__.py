"""Spades: its contracts and bags, hand, questions and rulebook."""
