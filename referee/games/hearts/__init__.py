"""Hearts: its rules, hand and rulebook."""
