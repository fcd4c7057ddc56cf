"""Score-keeping for any game, round by round."""
