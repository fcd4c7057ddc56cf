"""Presenters of groups."""
