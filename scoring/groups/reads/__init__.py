"""Reads of groups."""
