"""How golden records of American Deuce and Ace Pit are played."""

import random
from collections.abc import Callable
from typing import Any

from tests.games.french.oracle_table import Game
from tests.games.french.random_draft import Draft
from tests.golden.variant import SETTLED, Variant


def play(variant: Variant, record: dict, rng: random.Random, *, game: Game, script: Callable[[Draft], Any]) -> bool:
    """Play the hands of a record at random by the rules; say whether it turned out fit."""
    draft = Draft(rng, game, record, variant.lies)
    draft.may_stop = False
    for number in range(variant.hands):
        script(draft).write()
        more = draft.close_hand()
        hand = record["hands"][-1]
        if hand.get("known") or any(each["type"] in {*SETTLED, "result", "trick"} for each in hand["events"]):
            return False
        if not variant.lies and any(event.get("accepted") for event in hand["events"]):
            return False
        if draft.hand is None or draft.hand.running or (not more and number + 1 < variant.hands):
            return False
        hand.pop("known", None)
    return True
