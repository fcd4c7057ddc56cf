"""The fullest pads of every game, opened and measured."""

from itertools import pairwise

from referee.engine.game import all_games
from referee.engine.records import dump_record, load_record
from tests.e2e.thumb import Thumb, play
from tests.games.discovery import HONEST

NAMES = ["Konstantin", "Bob", "Cy", "Dorothea", "Eve", "Fay", "Gus", "Hal"]
HEIGHT = 740
NARROW = (344, 360, 412)
WIDE = (768, 1280)
EXTRAS = {"pawns": True, "courts": True, "excuse": True}
SUITS = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHC")]
LAWFUL = (play(1, "8MS"), play(2, "2WL"), play(0, "9MS"), play(0, "9LK"), play(1, "XL"))
REVOKE = play(2, "3MW")
"""Cy does not follow the Diplomat with the Origin, and shows the Journey, a Moon."""


def ransom(seat, card):
    return {"type": "ransom", "seat": seat, "cards": [card]}


PADS = {
    "36": ("ace-trump", 4, {}, [play(1, "8MS")], 36),
    "41": ("ace-trump", 4, {"pawns": True, "excuse": True}, [play(1, "8MS")], 41),
    "45": ("ace-trump", 4, EXTRAS, [play(1, "8MS")], 45),
    "45-ransom": ("ransom-trump", 3, EXTRAS, [ransom(0, "XM"), ransom(1, "AK"), ransom(2, "XY"), play(1, "8MS")], 45),
    "52": ("american-deuce", 4, {}, [*SUITS, play(0, "7S", "7H")], 52),
    "52-pit": ("ace-pit", 2, {}, [play(1, "7S")], 52),
    "104": ("american-deuce", 5, {}, [*SUITS, play(0, "7S", "7H")], 104),
    "104-eight": ("american-deuce", 8, {}, [*SUITS, play(0, "7S", "7H")], 104),
}
FULLEST = [
    (game.id, players)
    for game in all_games()
    for players in game.players[-1:]
    if game.id in HONEST and game.revoke is not None and len(game.rules({}, players).pack) == 52
]
"""The games of one French pack, with the numbers of players they take."""

BOXES = """() => {
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y: y + scrollY, width, height };
  };
  const shown = (element) => element.checkVisibility();
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown).map(box);
  return {
    cards: all(".table-main > form.ask .pad .card"), status: all(".status")[0],
    trick: all(":is(.before, .to-beat) .card")[0],
    undo: all("#undo")[0], send: all(".table-main > form.ask .submit .primary")[0],
    plates: all("label.plate"), tabs: all(".deck-tabs label"),
    beside: all(".felt-foot :is(a, button)"), wide: document.documentElement.scrollWidth,
  };
}"""


def open_pad(phone, name):
    game, players, options, events, _ = PADS[name]
    told = {"game": game, "seats": NAMES[:players], "first_dealer": 0, "options": options}
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record(told)))
    for event in events:
        thumb.record(event)
    return thumb


def measure(phone, width):
    phone.set_viewport_size({"width": width, "height": HEIGHT})
    phone.evaluate("scrollTo(0, 0)")
    found = phone.evaluate(BOXES)
    assert found["wide"] <= width
    return found


def bottom(box):
    return box["y"] + box["height"]


def rows(cards):
    """Count the rows; a card that was just pressed lies slightly lower."""
    tops = sorted(card["y"] for card in cards)
    return 1 + sum(below - above > 5 for above, below in pairwise(tops))
