"""Any game that a table keeps the score of: numbers, round by round."""
