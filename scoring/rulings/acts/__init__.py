"""Writing rulings: every one of them is an act at a table."""
