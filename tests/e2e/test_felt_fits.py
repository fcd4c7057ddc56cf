"""What lies on the felt beside the pad: never cut off, never in the way, and never moving a card."""

import pytest
from django.conf import settings
from playwright.sync_api import expect

from referee.engine.records import dump_record, load_record
from tests.e2e.conftest import follow
from tests.e2e.pads import HEIGHT, NAMES, NARROW, SUITS, open_pad
from tests.e2e.scenes import LONG, imported
from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_language import choose
from tests.e2e.thumb import Thumb, plate, play, whole_hand

PLACES = """() => {
  const place = (element) => {
    let [x, y] = [0, 0];
    for (let at = element; at; at = at.offsetParent) [x, y] = [x + at.offsetLeft, y + at.offsetTop];
    return [x, y, element.offsetWidth, element.offsetHeight];
  };
  const form = document.querySelector(".table-main > form.ask:has(.pad, .keypad)");
  if (!form) return {};
  const found = {};
  for (const card of form.querySelectorAll(".card, .key")) {
    if (!card.checkVisibility()) continue;
    const key = (card.matches("button") ? card : card.control).value || card.dataset.key;
    found[`${form.dataset.event} ${key}`] = place(card);
  }
  for (const selector of [".status", "#undo"]) {
    const element = document.querySelector(selector);
    if (element) found[`${form.dataset.event} ${selector}`] = place(element).slice(0, selector === "#undo" ? 4 : 2);
  }
  return found;
}"""


def moved(before, after):
    return {name: (before[name], after[name]) for name in before if name in after and before[name] != after[name]}


def at_table(phone, game, players):
    """Open a table; return the thumb that records there."""
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": game, "seats": NAMES[:players], "first_dealer": 0})))
    return thumb


def test_no_card_moves_after_a_finding_or_a_refusal(phone, screenshot):
    thumb = at_table(phone, "ace-trump", 3)
    for event in (play(1, "8MS"), play(2, "2WL"), play(0, "9MS"), play(0, "9LK"), play(1, "XL")):
        thumb.record(event)
    before = phone.evaluate(PLACES)
    thumb.record(play(2, "3MW"))
    expect(phone.locator(".caught .price").first).to_be_visible()
    screenshot(phone, "pad-found")
    thumb.put_aside()
    expect(phone.locator(".raised-note")).to_be_visible()
    assert moved(before, phone.evaluate(PLACES)) == {}
    plate(phone, "Cy").tap()
    assert moved(before, phone.evaluate(PLACES)) == {}
    phone.locator("#play-AK").tap()
    expect(phone.locator("#message")).to_be_visible()
    assert moved(before, phone.evaluate(PLACES)) == {}
    pad = phone.locator(".pad .card").first.bounding_box()
    message = phone.locator("#message").bounding_box()
    assert message["y"] + message["height"] <= pad["y"], "the pad stays free for the card that it was"
    screenshot(phone, "pad-refused")


def test_the_last_trick_opens_over_the_table(phone, screenshot):
    thumb = at_table(phone, "ace-trump", 3)
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


def test_the_rule_behind_a_long_reason_is_one_tap_away(phone, screenshot):
    told = {"game": "american-deuce", "seats": ["Bob", "Cy", "Dot", "Konstantin"], "first_dealer": 3}
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record(told)))
    for event in (
        *({"type": "suit", "seat": seat, "suit": suit} for seat, suit in ((3, "S"), (0, "H"), (1, "C"))),
        play(3, "AS", "2H", "3C", "4D", "5S"),
        *({"type": "pass", "seat": seat} for seat in (0, 1, 2)),
    ):
        thumb.record(event)
    for code, language in reversed(settings.LANGUAGES):
        choose(phone, language)
        expect(phone.locator("html")).to_have_attribute("lang", code)
        phone.evaluate("scrollTo(0, 0)")
        assert phone.evaluate(CUT) == []
        screenshot(phone, f"pad-won-{language}")
    phone.locator(".last-trick").tap()
    whole = phone.locator("#last-trick .why")
    expect(whole).to_contain_text("everyone else passed. AD-12")
    expect(whole).to_be_in_viewport(ratio=1)


def test_the_rules_of_a_trick_are_one_tap_away(phone):
    thumb = at_table(phone, "ace-trump", 3)
    for event in (play(1, "8MS"), play(2, "AW"), play(0, "XM")):
        thumb.record(event)
    phone.locator(".last-trick").tap()
    clauses = phone.locator("#last-trick .clause")
    expect(clauses).to_have_text(["AT-9", "AT-8"])
    for clause in clauses.all():
        expect(clause).to_be_in_viewport(ratio=1)


def test_the_target_is_not_truncated(phone):
    phone.goto("/new/american-deuce/")
    for seat, name in enumerate(NAMES[:4]):
        phone.locator(f"#name-{seat}").fill(name)
    phone.get_by_role("button", name="Deal").tap()
    expect(phone.locator(".deal")).to_have_text("· 13 cards each")  # until the hand begins, this is what matters
    phone.get_by_role("button", name="Spades").tap()
    goal = phone.locator("#hand-line")
    expect(goal).to_have_text("Hand 1 · Played to 270 points")
    for width in NARROW:
        phone.set_viewport_size({"width": width, "height": HEIGHT})
        assert goal.evaluate("goal => goal.scrollWidth <= goal.clientWidth"), width


@pytest.mark.parametrize(
    "end", [{"kind": "open"}, {"kind": "hands", "value": 12}, {"kind": "score", "value": 270}], ids=str
)
def test_the_target_is_not_truncated_in_german(phone, server, end):
    told = dump_record(load_record({"game": "american-deuce", "seats": NAMES[:4], "first_dealer": 0, "end": end}))
    follow(phone, imported(server.url, told | {"hands": [{"events": SUITS}]}))
    choose(phone, "Deutsch")
    for width in NARROW:
        phone.set_viewport_size({"width": width, "height": HEIGHT})
        goal = phone.locator("#hand-line")
        assert goal.evaluate("goal => goal.scrollWidth <= goal.clientWidth"), f"{width}: {goal.inner_text()}"


def test_drop_a_deuce_is_offered_on_the_same_screen_as_the_pad(phone):
    thumb = at_table(phone, "american-deuce", 4)
    for event in SUITS:
        thumb.record(event)
    offer = phone.locator("form[data-event=play]").get_by_role("button", name="Drop a Deuce")
    expect(offer).to_be_in_viewport(ratio=1)
    offer.tap()
    sheet = phone.get_by_role("heading", name="Drop a Deuce")
    expect(sheet).to_be_in_viewport(ratio=1)
    phone.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()
    before = thumb.taps
    thumb.record(play(0, "3S"))
    assert thumb.taps == before + 1, "a single card is played with one tap"
    expect(offer).to_have_count(0)


def test_cards_and_names_are_not_clipped(phone):
    open_pad(phone, "52")
    phone.set_viewport_size({"width": 360, "height": HEIGHT})
    phone.evaluate("scrollTo(0, 0)")
    assert phone.locator("#hand-line").evaluate("e => e.scrollWidth <= e.clientWidth")
    Thumb(phone, version=4, names=NAMES[:4]).record(play(1, "10H", "10C"))
    ten = phone.locator(".to-beat .card", has_text="10").last
    edge, suit = ten.bounding_box(), ten.locator(".suit").bounding_box()
    assert suit["x"] + suit["width"] <= edge["x"] + edge["width"]


LONG_NAMES = ["Konstantin", "Bartholomew", "Dominik", "Dorothea", "Anna-Lena", "Maximilian"]
CUT = """() => [...document.querySelectorAll(".felt :is(.seat-name:not(.longest), .badge, .status, .felt-foot)")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 3
    || each.getBoundingClientRect().bottom > each.closest(".felt").getBoundingClientRect().bottom)
  .map((each) => `${innerWidth}x${innerHeight} ${each.className}: ${each.textContent.trim().replace(/\\s+/g, " ")}`)"""
OVER = """() => [...document.querySelectorAll(".plate > *")].filter((part) => {
  const [box, plate] = [part, part.parentElement].map((each) => each.getBoundingClientRect());
  return box.width && (box.left < plate.left || box.right > plate.right || box.bottom > plate.bottom + 2);
}).map((part) => `${part.className}: ${part.textContent}`)"""
SIZES = ((360, 740), (360, 616), (768, 1024), (1024, 768))


@pytest.mark.parametrize("players", [3, 6])
def test_long_names_and_the_verdict_of_a_trick_fit(phone, server, players):
    """The first trick is over, and the Ace that won it set trump; then two suits are led."""
    names = LONG_NAMES[:players]
    told = dump_record(load_record({"game": "ace-trump", "seats": names, "first_dealer": 0}))
    cards = ["8MS", "2WL", "XM", "9MS", "5ML", "AS"] if players == 6 else ["8MS", "2WL", "AS"]
    events = [play((seat + 1) % players, card) for seat, card in enumerate(cards)]
    follow(phone, imported(server.url, told | {"hands": [{"events": events}]}))
    cut = []
    for more in ((), ("7SK",)):
        for card in more:
            phone.locator(f"#play-{card}").tap()
            expect(phone.locator(".demanded")).to_contain_text("Knots")
        for width, height in SIZES:
            phone.set_viewport_size({"width": width, "height": height})
            cut += phone.evaluate(CUT)
    assert cut == []


def test_long_names_fit_beside_titles(phone, server):
    told = dump_record(load_record({"game": "american-deuce", "seats": LONG_NAMES[:5], "first_dealer": 0}))
    follow(phone, imported(server.url, told | {"hands": [{"events": SUITS}]}))
    expect(phone.locator(".seat-fact.title").first).to_be_visible()
    assert phone.evaluate(CUT) == []


@pytest.mark.parametrize(
    ("game", "players"), [("ace-trump", 3), ("ace-trump", 5), ("ace-trump", 6), ("american-deuce", 5)]
)
def test_the_longest_names_stay_on_their_plates(phone, server, game, players):
    told = dump_record(load_record({"game": game, "seats": list(LONG[:players]), "first_dealer": 0}))
    events = [play(1, "8MS"), play(2, "2WL")] if game == "ace-trump" else SUITS
    follow(phone, imported(server.url, told | {"hands": [{"events": events}]}))
    for height in (740, 616):
        phone.set_viewport_size({"width": 360, "height": height})
        assert phone.evaluate(OVER) == []


HALF = """() => [...document.querySelectorAll(".plate :is(.title, .unit)")].filter((part) => {
  const [box, plate] = [part.getBoundingClientRect(), part.closest(".plate").getBoundingClientRect()];
  const line = part.closest(".brief, .bid")?.getBoundingClientRect();
  const seen = box.width > 2 && !(line && (box.top > line.bottom - 4 || box.bottom < line.top + 4));
  const within = box.right < plate.right + 1 && box.bottom < plate.bottom + 2;
  return seen && !(within && part.scrollWidth < part.clientWidth + 3);
}).map((part) => `${document.documentElement.lang} ${part.className}: ${part.textContent.trim()}`)"""


@pytest.mark.parametrize(("game", "players"), [("american-deuce", 4), ("american-deuce", 7), ("wildcat-chicane", 4)])
def test_words_on_plates_are_whole_in_every_language(phone, server, game, players):
    told = dump_record(load_record({"game": game, "seats": LONG_NAMES[:4] + NAMES[4:players], "first_dealer": 0}))
    ruling = [
        {"type": "ruling-card", "seat": seat, "cards": [card]} for seat, card in enumerate(("XM", "AK", "XY", "AS"))
    ]
    bids = [{"type": "bid", "seat": seat, "tricks": 2} for seat in (1, 2)]
    follow(
        phone,
        imported(server.url, told | {"hands": [{"events": SUITS if game == "american-deuce" else ruling + bids}]}),
    )
    for code, language in reversed(settings.LANGUAGES):
        choose(phone, language)
        expect(phone.locator("html")).to_have_attribute("lang", code)
        assert phone.evaluate(HALF) == []


def test_a_verdict_of_two_lines_stays_clear_of_the_rim(phone, server):
    told = dump_record(
        load_record({"game": "hearts", "seats": LONG_NAMES[:4], "first_dealer": 3, "options": {"passing": "none"}})
    )
    events = [play(seat, card) for seat, card in ((0, "2C"), (1, "3C"), (2, "4C"), (3, "QC"))]
    follow(phone, imported(server.url, told | {"hands": [{"events": events}]}))
    for code, language in reversed(settings.LANGUAGES):
        choose(phone, language)
        expect(phone.locator("html")).to_have_attribute("lang", code)
        foot, felt = (phone.locator(f".table-felt{part}").bounding_box() for part in (" .felt-foot .why", ""))
        assert foot["y"] + foot["height"] <= felt["y"] + felt["height"] - 6, code


def test_a_long_verdict_beside_two_packs_is_cut_to_the_line_that_there_is(phone, server):
    told = whole_hand("american-deuce", 5, house_rules=False)
    (hand,) = told["hands"]
    ended = next(place for place, event in enumerate(hand["events"]) if event["type"] == "play") + 6
    follow(phone, imported(server.url, told | {"hands": [{"events": hand["events"][:ended]}]}))
    choose(phone, "Français")
    about, felt = (phone.locator(f".table-felt{part}").bounding_box() for part in (" .about", ""))
    assert about["y"] + about["height"] <= felt["y"] + felt["height"] - 4, "the width of the rim"


def test_a_pressed_card_moves_even_if_it_claims_a_void(phone):
    thumb = at_table(phone, "ace-trump", 3)
    thumb.record(play(1, "8MS"))
    for code, claims in (("AM", False), ("AK", True)):
        card = phone.locator(f"#play-{code}")
        assert ("claims" in (card.get_attribute("class") or "").split()) is claims
        before = card.evaluate("(card) => getComputedStyle(card).transform")
        card.hover()
        phone.mouse.down()
        assert card.evaluate("(card) => getComputedStyle(card).transform") != before
        phone.mouse.move(0, 0)
        phone.mouse.up()


PALE = """() => {
  const light = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const ratio = (one, other) => Math.max(light(one), light(other)) / Math.min(light(one), light(other));
  const pale = [];
  for (const felt of document.querySelectorAll(".felted")) {
    const cloth = getComputedStyle(felt).backgroundImage.match(/rgb[^)]*\\)/g);
    for (const element of felt.querySelectorAll(":not(.visually-hidden, [aria-hidden] *, [disabled])")) {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (!own || !element.checkVisibility()) continue;
      let under = element;
      const bare = () => getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)";
      while (under !== felt && bare()) under = under.parentElement;
      const { color } = getComputedStyle(element);
      const worst = Math.min(...cloth.map((colour) => ratio(colour, color)));
      if (under === felt && worst < 4.5) pale.push(`${element.textContent.trim()}: ${worst.toFixed(1)}`);
    }
  }
  return [document.querySelectorAll(".felted").length, pale];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_on_the_felt_has_enough_contrast(phone, scheme):
    """Contrast checkers cannot see a gradient's color behind a word."""
    phone.emulate_media(color_scheme=scheme)
    for asked in ("cards=8MK", "cards=8MS&cards=XS", ""):
        phone.goto(f"/ask/ace-trump/trick/?{asked}")
        assert phone.evaluate(PALE) == [1, []]
    thumb = at_table(phone, "ace-trump", 3)
    for event in (play(1, "8MS"), play(2, "2WL"), play(0, "9MS"), play(0, "9LK"), play(1, "XL"), play(2, "3MW")):
        thumb.record(event)
        felts, pale = phone.evaluate(PALE)
        assert felts >= 1
        assert pale == []
