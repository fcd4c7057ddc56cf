"""Presenters of disputes, guided rulings and what-if."""
