"""Oh Hell: its rules, sequence of hands, hand, questions and rulebook."""
