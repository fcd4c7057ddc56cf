"""Writes to a group and everything in it."""
