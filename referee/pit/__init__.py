"""What Ace Pit is made of: the sets of a response, the hand, and single questions."""
