"""Writing what belongs to a group."""
