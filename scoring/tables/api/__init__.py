"""The API of tables, and the parts that groups and rulings share with it."""
