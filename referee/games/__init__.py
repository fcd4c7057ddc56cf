"""The games: one module each, holding the game as ``GAME``; they are found by themselves."""
