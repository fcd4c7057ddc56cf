"""The views of the stateless referee: they hand on, and know no rule of any game."""
