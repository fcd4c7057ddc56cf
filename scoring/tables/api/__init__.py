"""The API of tables, and what that of groups and rulings shares with it."""
