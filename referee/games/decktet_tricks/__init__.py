"""What Ace Trump and Ransom Trump share: two-suit ties, the Excuse, bids and their house rules."""
