"""The pages of a group."""
