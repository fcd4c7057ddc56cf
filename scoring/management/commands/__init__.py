"""Operator commands. Each has its own file, because Django names a command after its file."""
