"""What a climbing game needs: combinations, what beats what, the exchange, riots and the hand."""
