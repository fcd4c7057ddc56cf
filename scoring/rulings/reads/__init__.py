"""Reading what was disputed and ruled."""
