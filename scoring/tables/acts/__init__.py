"""Writes to tables: one function per act, each in one transaction."""
