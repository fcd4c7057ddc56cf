"""Rulings: disputes, guided rulings, precedents, and what other house rules would have brought."""
