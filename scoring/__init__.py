"""Tables, players and history."""
