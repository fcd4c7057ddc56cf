"""Presenters of what a group has played."""
