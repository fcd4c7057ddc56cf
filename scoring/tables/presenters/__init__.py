"""Presenters: from a table's state to template data."""
