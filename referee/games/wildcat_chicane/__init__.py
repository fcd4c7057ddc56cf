"""Wildcat Chicane: its rules, hand, questions and rulebook."""
