"""A card mistaken for another and noticed some cards later: two taps correct it, and the record is as intended."""

import os
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from referee.engine.events import Play
from referee.engine.game import all_games
from referee.engine.records import dump_event, load_record, replay
from referee.engine.replaying import is_threaded
from tests.e2e.thumb import Thumb, import_here, shown
from tests.games.discovery import HONEST
from tests.referee.test_rethreading import MISTAKEN, hands_of, slipped
from tests.seeds import FIRST, as_often_as

SEEDS = range(FIRST, FIRST + (int(os.environ.get("SLIPS") or 0) or as_often_as(always=1, hunting=10)))
"""`make slips N=50` sets how many per game."""
TRIES, LATER = 4000, 4
RISEN = """(key) => {
  key.scrollIntoView({ block: "center" });
  return Promise.all((key.closest(".over")?.getAnimations() ?? []).map((each) => each.finished)).then(() => null);
}"""
"""A sheet moves while it opens."""


def with_a_slip(game, seed):
    """Return a record with one card mistaken for another, that card, the right one, and the intended events."""
    rng = Random(seed)
    for _ in range(TRIES):
        data = HONEST[game](rng)
        if any(event["type"] == "end" for hand in data["hands"] for event in hand["events"]):
            continue
        for start, events in hands_of(data, known=False)[:1]:
            if not any(map(is_threaded, events)):
                continue
            entries = slipped(start, events, MISTAKEN, rng)
            slip = next((entry for entry in entries if is_a_slip(entry)), None)
            if slip is None or len(entries) - entries.index(slip) < LATER:
                continue
            sides = zip(*entries, strict=True)
            recorded, meant = ([dict[str, Any](dump_event(e, start.rules.pack)) for e in side] for side in sides)
            told = {key: value for key, value in data.items() if key != "carried"} | {"hands": [{"events": recorded}]}
            table = replay(load_record(told)).table
            if table.hand is None or table.hands_done() or all(ask.event != "play" for ask in table.hand.asks()):
                continue  # no card is played next, so there are no keys
            place = entries.index(slip)
            if "suit" in meant[place] or meant[place]["cards"] == ["?"] or any("accepted" in each for each in recorded):
                continue  # one more tap; an unseen card; a play whose seat the table has decided
            return told, recorded[place]["cards"][0], meant[place]["cards"][0], meant
    raise AssertionError(f"No such hand of {game}.")


def is_a_slip(entry):
    """Return whether one card was recorded and another one intended."""
    both = isinstance(entry.recorded, Play) and isinstance(entry.meant, Play)
    return both and len(entry.recorded.cards) == 1 and entry.recorded.cards != entry.meant.cards


@pytest.mark.parametrize("game", [game.id for game in all_games() if game.id in HONEST and game.revoke is not None])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_slip_is_corrected_on_the_table_page(phone, game, seed):
    told, wrong, right, meant = with_a_slip(game, seed)
    import_here(phone, told)
    shown(phone, len(meant))
    Thumb(phone).put_aside()
    tap_card(phone.locator("#table .pad"), wrong)
    sheet = phone.locator("#amendment")
    expect(sheet.locator(".recorded")).to_be_visible()
    tap_card(sheet.locator(".pad"), right)
    if sheet.locator("form.composed").count():  # several cards may be one play
        sheet.get_by_role("button", name="See what changes").first.tap()
    sheet.locator("#save").tap()
    expect(sheet).to_be_hidden()
    record = phone.request.get(phone.url.split("?")[0] + "export/json/").json()
    assert record["hands"][0]["events"] == meant


def tap_card(pad, card):
    """Tap a key at its position, even a gray one."""
    key = pad.locator(".card", has=pad.page.locator(f'[value="{card}"]')).or_(pad.locator(f'.card[value="{card}"]'))
    if not key.first.is_visible():  # it is in the hidden pack
        form = pad.locator("xpath=ancestor-or-self::form")
        form.locator(".deck-tabs label", has_text="Trump" if card.endswith("*") else "Plain").first.tap()
    key.first.evaluate(RISEN)
    tap_at(key.first)


def tap_at(target):
    box = target.bounding_box()
    target.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
