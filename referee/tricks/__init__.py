"""Trick-taking games with any pack: following suit, bids, revokes, partial records, and questions about them."""
