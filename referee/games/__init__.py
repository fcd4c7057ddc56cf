"""The games: one package each, with the game as ``GAME`` in ``game.py``, found automatically."""
