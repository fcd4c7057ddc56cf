"""Oh Hell: its rules, course of hands, hand, questions and rulebook."""
