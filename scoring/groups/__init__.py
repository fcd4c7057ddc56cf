"""Groups: people who play together, their evenings and statistics."""
