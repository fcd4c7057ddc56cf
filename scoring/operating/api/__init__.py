"""What the whole API shares: limits."""
