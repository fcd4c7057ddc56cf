"""The API of tables."""
