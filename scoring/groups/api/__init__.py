"""The API of groups."""
