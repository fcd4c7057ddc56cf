"""Trick-taking with any pack: following suit, tricks, bids, depths, counting, and the questions about them."""
