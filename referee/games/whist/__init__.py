"""Whist, for four players in partnerships with a pack of 52."""
