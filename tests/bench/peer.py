"""OpenSpiel's Hearts, driven from Python: the closest available comparison for a referee.

It is written in C++, knows all hands, gives no reasons and keeps no record. It is driven like a referee: every play is
looked up among the legal ones and applied. Without OpenSpiel the figures stand alone.
"""

from collections.abc import Callable
from importlib import import_module
from random import Random

HANDS = 50
PLAYS = 52 * HANDS


def hearts() -> Callable[[], object] | None:
    """Return a function that plays this many hands of Hearts to the last card, or None without OpenSpiel."""
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    game = pyspiel.load_game("hearts(pass_cards=False)")
    rng, hands = Random(1), []
    for _ in range(HANDS):
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            actions.append(rng.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        hands.append(actions)

    def play() -> None:
        for actions in hands:
            state = game.new_initial_state()
            for action in actions:
                assert state.is_chance_node() or action in state.legal_actions()
                state.apply_action(action)

    return play
