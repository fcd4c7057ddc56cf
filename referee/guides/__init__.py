"""Guided rulings: a few questions to the table about what no record shows."""
