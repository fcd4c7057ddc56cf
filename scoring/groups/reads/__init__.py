"""Reading what a group has played."""
