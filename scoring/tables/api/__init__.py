"""API views of tables, and what the APIs of groups and rulings share with them."""
