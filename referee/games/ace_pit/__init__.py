"""Ace Pit: its rules, hand, questions and rulebook."""
