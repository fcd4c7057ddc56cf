"""Presenters: turn a table's state into template data."""
