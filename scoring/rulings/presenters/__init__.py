"""Presenters of rulings."""
