"""All cards on one small screen, large enough for a thumb, and never moving under it."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from referee.engine.catalogue import all_games
from referee.engine.records import dump_record, load_record
from tests.e2e.scenes import imported
from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_language import choose
from tests.e2e.thumb import Thumb, bring, whole_hand
from tests.games.discovery import HONEST

NAMES = ["Konstantin", "Bob", "Cy", "Dorothea", "Eve", "Fay", "Gus", "Hal"]
HEIGHT = 740
NARROW = (344, 360, 412)
WIDE = (768, 1280)
EXTRAS = {"pawns": True, "courts": True, "excuse": True}
SUITS = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHC")]


def play(seat, *cards):
    return {"type": "play", "seat": seat, "cards": list(cards)}


def ransom(seat, card):
    return {"type": "ransom", "seat": seat, "cards": [card]}


PADS = {
    "36": ("ace-trump", 4, {}, [play(1, "8MS")], 36),
    "41": ("ace-trump", 4, {"pawns": True, "excuse": True}, [play(1, "8MS")], 41),
    "45": ("ace-trump", 4, EXTRAS, [play(1, "8MS")], 45),
    "45-ransom": (
        "ransom-trump",
        3,
        EXTRAS,
        [ransom(0, "XM"), ransom(1, "AK"), ransom(2, "XY"), play(1, "8MS")],
        45,
    ),
    "52": ("american-deuce", 4, {}, [*SUITS, play(0, "7S", "7H")], 52),
    "52-pit": ("ace-pit", 2, {}, [play(1, "7S")], 52),
    "104": ("american-deuce", 5, {}, [*SUITS, play(0, "7S", "7H")], 104),
    "104-eight": ("american-deuce", 8, {}, [*SUITS, play(0, "7S", "7H")], 104),
}
FULLEST = [
    (game.id, players)
    for game in all_games()
    for players in game.players[-1:]
    if game.id in HONEST and len(game.rules({}, players).pack) == 52
]
"""The games of one French pack, with as many players as they take."""

BOXES = """() => {
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y: y + scrollY, width, height };
  };
  const shown = (element) => element.checkVisibility();
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown).map(box);
  return {
    cards: all(".table-main > form.ask .pad .card"), status: all(".status")[0], trick: all(".before .card")[0],
    undo: all("#undo")[0], send: all(".table-main > form.ask .confirm .primary")[0],
    who: all(".table-main > form.ask .who summary")[0], tabs: all(".deck-tabs label"),
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
    """Count the rows; a card that was just pressed lies a little lower."""
    tops = sorted(card["y"] for card in cards)
    return 1 + sum(below - above > 5 for above, below in pairwise(tops))


@pytest.mark.parametrize("name", [name for name in PADS if name < "5" and not name.startswith("104")])
def test_every_card_of_the_decktet_is_on_one_screen_with_the_trick_the_turn_and_undo(phone, name):
    open_pad(phone, name)
    for width in (*NARROW, *WIDE):
        found = measure(phone, width)
        cards = found["cards"]
        assert len(cards) == PADS[name][-1]
        assert min(card["width"] for card in cards) >= 48, width
        assert min(card["height"] for card in cards) >= 48, width
        assert max(map(bottom, [*cards, found["status"], found["trick"], found["undo"]])) <= HEIGHT, width
        if width in NARROW:
            assert rows(cards[:36]) == 6, width


@pytest.mark.parametrize("name", ["52", "52-pit"])
def test_every_french_card_is_on_one_screen_with_what_sends_it(phone, name):
    open_pad(phone, name)
    if phone.locator(".single-or-several").count():  # a card alone is sent by its tap
        phone.locator(".single-or-several .chip").last.tap()
    for width in (*NARROW, *WIDE):
        found = measure(phone, width)
        cards = found["cards"]
        assert len(cards) == 52
        assert min(card["width"] for card in cards) >= 44, width
        assert min(card["height"] for card in cards) >= 44, width
        assert max(map(bottom, [*cards, found["trick"], found["undo"], found["send"]])) <= HEIGHT, width


@pytest.mark.parametrize(("game", "players"), FULLEST)
def test_every_french_card_is_on_one_screen_however_many_play(phone, screenshot, game, players):
    told = whole_hand(game, players, house_rules=False)
    told["seats"] = NAMES[:players]
    (hand,) = told["hands"]
    played = [place for place, event in enumerate(hand["events"]) if event["type"] == "play"]
    # In the middle of the second trick, and between two: what a trick leaves behind takes no room from the cards.
    for place in (played[0], played[players], played[players + 1]):
        bring(phone, told | {"hands": [{"events": hand["events"][:place]}]})
        for width in NARROW:
            found = measure(phone, width)
            assert len(found["cards"]) == 52
            assert min(min(card["width"], card["height"]) for card in found["cards"]) >= 44, width
            below = [found["status"], found["undo"], *filter(None, (found.get("trick"), found.get("send")))]
            assert max(map(bottom, [*found["cards"], *below])) <= HEIGHT, width
            assert not found.get("trick") or found["trick"]["x"] > 0, "the card that was led is seen, too"
    screenshot(phone, f"{game}-{players}-fullest")


@pytest.mark.parametrize("name", PADS)
def test_whose_it_was_is_as_large_as_a_thumb_and_covers_nothing(phone, name):
    open_pad(phone, name)
    for width in (*NARROW, *WIDE):
        found = measure(phone, width)
        who = found["who"]
        assert min(who["width"], who["height"]) >= 44, width
        others = (*found["cards"], *found["tabs"], *found["beside"])
        assert not [other for other in others if overlap(who, other)], width


def overlap(one, other):
    return all(
        one[start] + 0.5 < other[start] + other[size] and other[start] + 0.5 < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize("name", ["104", "104-eight"])
def test_of_two_decks_one_is_seen_at_a_time_where_there_is_no_room_for_both(phone, name):
    open_pad(phone, name)
    for width in NARROW:
        found = measure(phone, width)
        cards = found["cards"]
        assert len(cards) == 52
        assert min(min(card["width"], card["height"]) for card in cards) >= 44, width
        # With the trick, the turn, undo and what sends the cards it takes a screen; for five, with all above it, too.
        top = 0 if name == "104" else found["status"]["y"]
        assert max(map(bottom, cards)) - top <= HEIGHT - found["send"]["height"], width
    for width in WIDE:
        cards = measure(phone, width)["cards"]
        assert len(cards) == 104
        assert min(min(card["width"], card["height"]) for card in cards) >= 44, width


def test_both_decks_and_what_sends_their_cards_fit_a_laptop(page):
    game, players, options, events, _ = PADS["104"]
    told = {
        "game": game,
        "seats": NAMES[:players],
        "first_dealer": 0,
        "options": options,
        "hands": [{"events": events}],
    }
    bring(page, told)
    found = page.evaluate(BOXES)
    assert len(found["cards"]) == 104
    assert max(map(bottom, found["cards"])) <= found["send"]["y"]
    assert bottom(found["send"]) <= page.viewport_size["height"]


def test_a_pair_of_both_decks_is_put_together(phone, screenshot):
    open_pad(phone, "104")
    plain, starred = (phone.locator(f"input[value='{code}']") for code in ("9S", "9S*"))
    expect(phone.get_by_role("radio", name="Plain deck")).to_be_checked()
    phone.locator("label.card", has=plain).tap()
    phone.locator("label", has_text="Trump deck").tap()
    expect(phone.get_by_role("checkbox", name="9 of spades of the trump deck")).to_be_visible()
    phone.locator("label.card", has=starred).tap()
    expect(phone.locator(".preview")).to_contain_text("Pair of nines")
    expect(plain).to_be_checked()
    assert complaints(phone) == []
    screenshot(phone, "pad-two-decks")


def test_a_typed_card_brings_its_deck_into_sight(phone):
    open_pad(phone, "104")
    phone.set_viewport_size({"width": 1000, "height": 800})
    phone.keyboard.type("9s*")
    expect(phone.get_by_role("radio", name="Trump deck")).to_be_checked()
    phone.keyboard.press("Enter")
    expect(phone.locator(".pad [value='9S*']")).to_be_checked()


PLACES = """() => {
  const place = (element) => {
    let [x, y] = [0, 0];
    for (let at = element; at; at = at.offsetParent) [x, y] = [x + at.offsetLeft, y + at.offsetTop];
    return [x, y, element.offsetWidth, element.offsetHeight];
  };
  const form = document.querySelector(".table-main > form.ask:has(.pad)");
  if (!form) return {};
  const found = {};
  for (const card of form.querySelectorAll(".card")) {
    if (!card.checkVisibility()) continue;
    found[`${form.dataset.event} ${(card.matches("button") ? card : card.control).value}`] = place(card);
  }
  for (const selector of [".status", "#undo"]) {
    const element = document.querySelector(selector);
    if (element) found[`${form.dataset.event} ${selector}`] = place(element).slice(0, selector === "#undo" ? 4 : 2);
  }
  return found;
}"""


def moved(before, after):
    return {name: (before[name], after[name]) for name in before if name in after and before[name] != after[name]}


def test_no_card_moves_when_something_is_found_or_refused(phone, screenshot):
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "ace-trump", "seats": NAMES[:3], "first_dealer": 0})))
    for event in (play(1, "8MS"), play(2, "2WL"), play(0, "9MS"), play(0, "9LK"), play(1, "XL")):
        thumb.record(event)
    before = phone.evaluate(PLACES)
    thumb.record(play(2, "3MW"))
    expect(phone.locator(".raised-note")).to_be_visible()
    assert moved(before, phone.evaluate(PLACES)) == {}
    screenshot(phone, "pad-found")
    phone.get_by_text("somebody else").tap()
    phone.locator("form[data-event=play] .chip", has_text="Cy").tap()
    assert moved(before, phone.evaluate(PLACES)) == {}
    phone.locator("#play-AK").tap()
    expect(phone.locator("#message")).to_be_visible()
    assert moved(before, phone.evaluate(PLACES)) == {}
    pad = phone.locator(".pad .card").first.bounding_box()
    message = phone.locator("#message").bounding_box()
    assert message["y"] + message["height"] <= pad["y"], "the pad stays free for the card that it was"
    screenshot(phone, "pad-refused")


def test_the_last_trick_is_looked_at_over_the_table(phone, screenshot):
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "ace-trump", "seats": NAMES[:3], "first_dealer": 0})))
    for event in (play(1, "8MS"), play(2, "XM"), play(0, "9MS"), play(2, "AK")):
        thumb.record(event)
    before = phone.evaluate(PLACES)
    phone.get_by_role("button", name="Trick 1: Cy").tap()
    shown = phone.locator("#last-trick")
    expect(shown.get_by_role("img", name="Huntress")).to_be_in_viewport()
    assert moved(before, phone.evaluate(PLACES)) == {}
    assert complaints(phone) == []
    screenshot(phone, "pad-last-trick")
    shown.get_by_role("button", name="Close").tap()
    expect(shown).to_be_hidden()


def test_however_long_a_reason_is_its_rule_is_one_tap_away(phone, screenshot):
    told = {"game": "american-deuce", "seats": ["Bob", "Cy", "Dot", "Konstantin"], "first_dealer": 3}
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record(told)))
    for event in (
        *({"type": "suit", "seat": seat, "suit": suit} for seat, suit in ((3, "S"), (0, "H"), (1, "C"))),
        play(3, "AS", "2H", "3C", "4D", "5S"),
        *({"type": "pass", "seat": seat} for seat in (0, 1, 2)),
    ):
        thumb.record(event)
    for language in ("English", "Deutsch"):
        if language != "English":
            choose(phone, language)
            expect(phone.locator("html")).to_have_attribute("lang", "de")
        phone.evaluate("scrollTo(0, 0)")
        rule = phone.locator(".felt-foot .last > .clause")
        expect(rule).to_have_text("AD-12")
        expect(rule).to_be_in_viewport(ratio=1)
        screenshot(phone, f"pad-won-{language}")
    phone.locator(".last-trick").tap()
    whole = phone.locator("#last-trick .why")
    expect(whole).to_contain_text("gewinnt den Stich. AD-12")
    expect(whole).to_be_in_viewport(ratio=1)


def test_a_second_rule_of_a_trick_is_one_tap_away_where_one_has_room(phone):
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "ace-trump", "seats": NAMES[:3], "first_dealer": 0})))
    for event in (play(1, "8MS"), play(2, "AW"), play(0, "XM")):
        thumb.record(event)
    expect(phone.locator(".felt-foot .last > .clause").nth(1)).to_be_hidden()
    phone.locator(".last-trick").tap()
    clauses = phone.locator("#last-trick .clause")
    expect(clauses).to_have_text(["AT-9", "AT-8"])
    for clause in clauses.all():
        expect(clause).to_be_in_viewport(ratio=1)


def test_how_far_the_game_goes_is_not_cut_short(phone):
    phone.goto("/new/american-deuce/")
    for seat, name in enumerate(NAMES[:4]):
        phone.locator(f"#name-{seat}").fill(name)
    phone.get_by_role("button", name="Deal").tap()
    expect(phone.locator(".deal")).to_have_text("· 13 cards each")  # until the hand begins, this is what matters
    phone.get_by_role("button", name="Spades").tap()
    goal = phone.locator(".goal")
    expect(goal).to_be_visible()
    expect(goal).to_have_text("· Played to 270 points")
    for width in NARROW:
        phone.set_viewport_size({"width": width, "height": HEIGHT})
        assert goal.evaluate("goal => goal.scrollWidth <= goal.clientWidth"), width


def test_drop_a_deuce_is_offered_on_the_screen_of_the_pad(phone):
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "american-deuce", "seats": NAMES[:4], "first_dealer": 0})))
    for event in SUITS:
        thumb.record(event)
    offer = phone.get_by_role("link", name="Drop a Deuce")
    expect(offer).to_be_in_viewport(ratio=1)
    offer.tap()
    expect(phone.get_by_role("button", name="Drop a Deuce")).to_be_in_viewport(ratio=1)
    phone.get_by_role("group").get_by_text("Drop a Deuce").first.tap()
    before = thumb.taps
    thumb.record(play(0, "3S"))
    assert thumb.taps == before + 1, "a single card is played with one tap"
    expect(offer).to_have_count(0)


def test_what_lies_on_the_table_and_who_is_who_is_not_cut(phone):
    open_pad(phone, "52")
    phone.set_viewport_size({"width": 360, "height": HEIGHT})
    phone.evaluate("scrollTo(0, 0)")
    for title in phone.locator(".seat-fact.title").all():
        assert title.evaluate("e => e.scrollWidth <= e.clientWidth"), title.inner_text()
    assert phone.locator(".goal").evaluate("e => e.scrollWidth <= e.clientWidth")
    Thumb(phone, version=4, names=NAMES[:4]).record(play(1, "10H", "10C"))
    ten = phone.locator(".before .card", has_text="10").last
    edge, pips = ten.bounding_box(), ten.locator(".pips").bounding_box()
    assert pips["x"] + pips["width"] <= edge["x"] + edge["width"]


LONG_NAMES = ["Konstantin", "Bartholomew", "Dominik", "Dorothea", "Anna-Lena", "Maximilian"]
CUT = """() => [...document.querySelectorAll(".felt .seat-name, .felt .status, .felt .felt-foot, .felt .asked")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 3)
  .map((each) => `${innerWidth}x${innerHeight} ${each.className}: ${each.textContent.trim().replace(/\\s+/g, " ")}`)"""
SIZES = ((360, 740), (360, 616), (768, 1024), (1024, 768))


@pytest.mark.parametrize("players", [3, 6])
def test_long_names_and_the_verdict_of_a_trick_have_room(phone, server, players):
    """The first trick is over, and the Ace that won it has made trump; then two suits are asked for."""
    names = LONG_NAMES[:players]
    told = dump_record(load_record({"game": "ace-trump", "seats": names, "first_dealer": 0}))
    cards = ["8MS", "2WL", "XM", "9MS", "5ML", "AS"] if players == 6 else ["8MS", "2WL", "AS"]
    events = [play((seat + 1) % players, card) for seat, card in enumerate(cards)]
    phone.goto(imported(server.url, told | {"hands": [{"events": events}]}))
    cut = []
    for more in ((), ("7SK",)):
        for card in more:
            phone.locator(f"#play-{card}").tap()
            expect(phone.locator(".asked")).to_contain_text("Knots")
        for width, height in SIZES:
            phone.set_viewport_size({"width": width, "height": height})
            cut += phone.evaluate(CUT)
    assert cut == []


def test_names_have_room_beside_titles_where_many_climb(phone, server):
    told = dump_record(load_record({"game": "american-deuce", "seats": LONG_NAMES[:5], "first_dealer": 0}))
    phone.goto(imported(server.url, told | {"hands": [{"events": SUITS}]}))
    expect(phone.locator(".seat-fact.title").first).to_be_visible()
    assert phone.evaluate(CUT) == []


def test_a_press_shows_on_a_card_whether_it_would_claim_something_or_not(phone):
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "ace-trump", "seats": NAMES[:3], "first_dealer": 0})))
    thumb.record(play(1, "8MS"))
    for code, claims in (("AM", False), ("AK", True)):
        card = phone.locator(f"#play-{code}")
        assert ("claims" in (card.get_attribute("class") or "").split()) is claims
        before = card.evaluate("(card) => getComputedStyle(card).background")
        card.hover()
        phone.mouse.down()
        assert card.evaluate("(card) => getComputedStyle(card).background") != before
        phone.mouse.move(0, 0)
        phone.mouse.up()
