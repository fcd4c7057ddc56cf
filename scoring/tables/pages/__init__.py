"""Server-rendered pages of tables."""
