"""Any game: keeps a table's score, round by round."""
