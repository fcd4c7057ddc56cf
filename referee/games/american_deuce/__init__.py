"""American Deuce: its rules, hand, questions and rulebook."""
