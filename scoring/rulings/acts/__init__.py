"""Writes: disputes, guided rulings and law books."""
