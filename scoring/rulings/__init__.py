"""Rulings: disputes, guided rulings, the law book, what-if."""
