"""Operating: limits, backup, and what concerns the whole installation."""
