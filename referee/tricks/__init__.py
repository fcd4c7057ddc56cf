"""What the three trick-taking games share: following suit, tricks, bids and counting."""
