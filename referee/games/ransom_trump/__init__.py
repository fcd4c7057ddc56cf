"""Ransom Trump: its rules, hand, questions and rulebook."""
