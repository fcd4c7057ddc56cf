"""The API of rulings."""
