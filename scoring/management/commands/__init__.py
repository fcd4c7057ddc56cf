"""Operator commands, one per file, because Django names a command after its file."""
