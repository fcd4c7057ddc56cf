"""Honest deals, played at random by the rules: the raw material of golden records."""

import random
from typing import Any

from tests.games.ace_pit import oracle as acepit
from tests.games.ace_pit import random_records as acepit_records
from tests.games.american_deuce import oracle as climbing
from tests.games.american_deuce import random_records as climbing_records
from tests.games.decktet_tricks.oracle import Table
from tests.games.decktet_tricks.random_records import Mischief
from tests.games.decktet_tricks.random_story import Story
from tests.games.french.random_draft import Draft
from tests.golden.variant import Variant

NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal")
SETTLED = {"note", "penalty", "transfer", "redeal", "end"}
NONE = dict.fromkeys(
    ("liars", "disorder", "impossible", "refuse", "settlements", "known", "aliases", "coarse", "unfinished"), 0.0
)


def deal(variant: Variant, rng: random.Random) -> dict | None:
    """Play a whole record under the variant's rules; ``None`` where it turned out unfit."""
    record: dict[str, Any] = {
        "format": "table-record/1", "game": variant.game, "options": dict(variant.options),
        "end": variant.end or {"kind": "hands", "value": variant.hands},
        "seats": list(NAMES[: variant.players]), "first_dealer": rng.randrange(variant.players), "hands": [],
    }  # fmt: skip
    tell = _tell_tricks if variant.game in ("ace-trump", "ransom-trump", "wildcat-chicane") else _tell_french
    if not tell(variant, record, rng):
        return None
    events = [event for hand in record["hands"] for event in hand["events"]]
    fit = not any(event["type"] in SETTLED for event in events)
    fit = fit and not any(hand.get("known") for hand in record["hands"])
    return record if fit and len(record["hands"]) == variant.hands else None


def _tell_tricks(variant: Variant, record: dict, rng: random.Random) -> bool:
    mischief = Mischief(**{**NONE, "accept": 1.0, "liars": variant.lies, "coarse": variant.coarse})
    story = Story(rng, mischief, Table(record))
    while len(record["hands"]) < variant.hands and not story.stopped and story.table.refusal() is None:
        record["hands"].append(story.tell_hand())
    return not story.stopped and not story.table.running()


def _tell_french(variant: Variant, record: dict, rng: random.Random) -> bool:
    deuce = variant.game == "american-deuce"
    draft = Draft(rng, climbing.GAME if deuce else acepit.GAME, record, variant.lies)
    draft.may_stop = False
    script = climbing_records.Script if deuce else acepit_records.Script
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
