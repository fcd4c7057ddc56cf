"""Guided rulings: what to do now about what no record can see, by a few questions to the table."""
