"""Questions without a table, seating recent players, and the big screen, in a real browser."""

from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.e2e.conftest import follow
from tests.e2e.scenes import LONG, PLAYERS, REVOKE, imported
from tests.e2e.test_for_everybody import table
from tests.e2e.test_language import choose
from tests.e2e.thumb import Thumb, import_here, whole_hand

PLAYED = (
    {"type": "play", "seat": 1, "cards": ["8MS"]},
    {"type": "play", "seat": 2, "cards": ["AW"]},
    {"type": "play", "seat": 0, "cards": ["XM"]},
    {"type": "play", "seat": 2, "cards": ["9MS"]},
    {"type": "play", "seat": 0, "cards": ["XS"]},
)


def record_result(phone):
    phone.locator("summary", has_text="Result of the hand").tap()
    for player in phone.locator("form[data-event=result] .each").all()[:1]:  # the other’s number is implied
        player.locator("label.chip", has_text="4").tap()
    phone.locator("form[data-event=result] .primary").tap()
    expect(phone.locator(".winners")).to_be_visible()


def test_a_question_is_answered_with_taps_and_shared(phone, second_phone):
    phone.goto("/")
    phone.get_by_role("link", name="Ask about a rule").tap()
    phone.locator("a[href='/ask/ace-trump/trick/']").tap()
    for card in ("8MS", "XS", "XM"):
        phone.locator(f"#ask-cards-{card}").tap()
        expect(phone.locator(f"input[type=hidden][name=cards][value='{card}']")).to_be_attached()
    expect(phone.locator(".headline")).to_have_text("Huntress (Crown of Moons) wins")
    expect(phone.locator("#announce")).to_contain_text("Huntress")
    assert phone.url.endswith("?cards=8MS&cards=XS&cards=XM")
    phone.locator("#ask-trump-S").locator("..").tap()
    expect(phone.locator(".headline")).to_have_text("Bard (Crown of Suns) wins")
    second_phone.goto(phone.url)
    expect(second_phone.locator(".headline")).to_have_text("Bard (Crown of Suns) wins")
    phone.get_by_label("or type").fill("ak")
    phone.keyboard.press("Enter")
    expect(phone.locator(".headline")).to_have_text("Ace of Knots wins")
    phone.get_by_role("link", name="Take back Ace of Knots").tap()
    expect(phone.locator(".headline")).to_have_text("Bard (Crown of Suns) wins")


def test_the_same_players_are_seated_in_under_five_taps(phone):
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 3))
    phone.goto("/")
    taps = 0
    for target in (
        phone.locator(".tiles").get_by_role("link", name="Ransom Trump").first,
        phone.get_by_role("link", name="Ann, Bob, Cy"),
        phone.get_by_role("button", name="Deal"),
    ):
        target.tap()
        taps += 1
    expect(phone.locator(".seat-name")).to_have_text(["Ann", "Bob", "Cy"])
    assert taps == 3


def test_a_tapped_name_joins_typed_names(phone):
    Thumb(phone).open_table(table("ace-trump", 3))
    phone.goto("/new/ace-trump/")
    phone.locator("#name-0").fill("Zoe")
    phone.get_by_role("link", name="Bob", exact=True).tap()
    expect(phone.locator("#name-0")).to_have_value("Zoe")
    expect(phone.locator("#name-1")).to_have_value("Bob")


def test_the_big_screen_follows_its_table(phone, page, screenshot):
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 3))
    page.goto(f"{phone.url}screen/")
    expect(page.locator(".status")).to_have_text("Bob leads.")
    expect(page.locator("body")).to_have_attribute("data-live", "open")
    for event in PLAYED:
        thumb.record(event)
    expect(page.locator(".status")).to_have_text("Bob plays the last card.")
    expect(page.locator(".before .card[title*=Pact]")).to_have_attribute("aria-label", "Pact (9 of Moons and Suns)")
    assert page.locator("main button, main form").count() == 0  # the language is at its foot
    screenshot(page, "big-screen")


def test_a_long_trick_and_every_score_fit_the_big_screen(phone, page, screenshot):
    thumb = Thumb(phone)
    thumb.open_table(table("american-deuce", 4))
    for seat, suit in enumerate("SHC"):
        thumb.record({"type": "suit", "seat": seat, "suit": suit})
    straights = ("5S 6S 7S 8S 9H", "6H 7H 8H 9S 10S", "7C 8C 9C 10H JS", "8D 9D 10C JC QS")
    for seat, cards in enumerate(straights):
        thumb.record({"type": "play", "seat": seat, "cards": cards.split()})
    page.goto(f"{phone.url}screen/")
    expect(page.get_by_role("img", name="Queen of spades").first).to_be_in_viewport(ratio=1)
    for seat in page.locator(".seat").all():
        expect(seat).to_be_in_viewport(ratio=1)
    screenshot(page, "big-screen-long-trick")


def test_the_scores_of_five_players_fit_one_screen(phone):
    names = ["Konstantin", "Bob", "Cy", "Dorothea", "Eve"]
    carried = [-1270, 270, 1345, 88, 700]
    import_here(phone, {"game": "american-deuce", "seats": names, "first_dealer": 0, "carried": carried, "hands": []})
    sheet = phone.locator(".scroll:has(.sheet)")
    expect(sheet).to_contain_text("1345")
    assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")


@pytest.mark.parametrize(
    "names",
    [
        ["Anna", "Ben", "Clara", "Dominik"],
        ["Katharina", "Dominik", "Eva"],
        ["Maximilian", "Katharina", "Christopher"],
        ["Bartholomew", "Christopher"],
    ],
    ids=" ".join,
)
def test_all_scores_fit_one_screen_during_a_hand(phone, names):
    phone.set_viewport_size({"width": 344, "height": 740})
    running = [{"events": [{"type": "play", "seat": 1, "cards": ["8MS"]}]}]
    carried = [-27] * len(names)
    import_here(phone, {"game": "ace-trump", "seats": names, "first_dealer": 0, "carried": carried, "hands": running})
    for _code, language in settings.LANGUAGES:
        choose(phone, language)
        sheet = phone.locator(".scroll:has(.sheet)")
        assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth"), language
        for head in phone.locator(".sheet thead th").all():
            assert head.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")


# --- A finished game on a phone and on the big screen

LONG_NAMES = ["Annemariekatharinawilhelminevon", "Bartholomäusmaximilianferdinand", "Clementinehenriettewilhelmine"]
OVER = {
    "played to its last card": (["Anna", "Ben", "Clara", "Dominik"], [[2, 3, 3, 1], [4, 1, 3, 1]], True),
    "won by several": (["Anna", "Ben", "Clara"], [[5, 5, 2]], False),
    "by a hundred letters": (LONG_NAMES, [[5, 4, 3], [4, 4, 4], [6, 5, 1]], False),
    "by two": (["Anna", "Ben"], [[6, 3]], False),
    "by six": (["Anna", "Ben", "Clara", "Dominik", "Eva", "Frank"], [[2, 2, 1, 1, 0, 0]], False),
}
SIZES = ((360, 740), (320, 600), (740, 360), (820, 1180), (1280, 800))
TELEVISIONS = ((1920, 1080), (1280, 720))
WORDS = """(root) => {
  const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const boxes = [];
  const range = document.createRange();
  while (words.nextNode()) {
    const parent = words.currentNode.parentElement;
    if (!words.currentNode.data.trim() || parent.closest(".visually-hidden, .falling, .laid, title")) continue;
    range.selectNodeContents(words.currentNode);
    if (!parent.checkVisibility({ visibilityProperty: true }) || getComputedStyle(parent).clipPath !== "none") continue;
    // A name in a drawing may be squeezed, which its letters do not tell.
    const drawn = parent.closest("text");
    const rows = drawn ? [drawn.getBoundingClientRect()] : range.getClientRects();
    for (const { left, right, top, bottom, width } of rows) {
      const size = parseFloat(getComputedStyle(parent).fontSize);
      if (width > 1) boxes.push({ text: words.currentNode.data.trim(), size, left, right, top, bottom });
    }
  }
  return boxes;
}"""
COVERED = f"""() => {{
  const words = ({WORDS})(document.querySelector("main"));
  const over = [];
  const felt = document.querySelector(".win, .screen-over").getBoundingClientRect();
  for (const card of document.querySelectorAll(".falling > *")) {{
    const {{ left, width, ...box }} = card.getBoundingClientRect().toJSON();
    if (width < 1) continue;
    const [right, top, bottom] = [Math.min(box.right, felt.right), box.top, Math.min(box.bottom, felt.bottom)];
    for (const word of words) {{
      const across = Math.min(right, word.right) - Math.max(left, word.left);
      if (across > 1 && Math.min(bottom, word.bottom) - Math.max(top, word.top) > 1) over.push(word.text);
    }}
  }}
  return over;
}}"""


def game_over(names, hands, *, last):
    """Return a record of a finished game, its last hand played card by card if asked."""
    told: dict[str, Any] = {"options": {}, "first_dealer": 0, "hands": []}
    if last:
        told = whole_hand("ace-trump", len(names), house_rules=False)
        told["first_dealer"] = (told["first_dealer"] - len(hands)) % len(names)
    everything = [*({"events": [{"type": "result", "tricks": tricks}]} for tricks in hands), *told["hands"]]
    end = {"kind": "hands", "value": len(everything)}
    return told | {"game": "ace-trump", "seats": names, "hands": everything, "end": end}


@pytest.fixture(params=OVER, ids=str)
def over(request, phone, server):
    names, hands, last = OVER[request.param]
    phone.emulate_media(reduced_motion="reduce")
    follow(phone, imported(server.url, game_over(names, hands, last=last)))
    return phone


def test_the_end_of_a_game_fits_the_screen(over):
    for width, height in SIZES:
        over.set_viewport_size({"width": width, "height": height})
        assert over.evaluate("document.documentElement.scrollWidth") <= width, width
        assert over.evaluate(COVERED) == [], (width, height)
        expect(over.locator("#again")).to_be_in_viewport(ratio=1)
    assert over.get_by_role("img", name="Pact").count() == 0, "cards that fall are decoration"


def test_the_win_fits_the_big_screen(over, page):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{over.url}screen/")
    for width, height in TELEVISIONS:
        page.set_viewport_size({"width": width, "height": height})
        whole(page, width)
        assert page.evaluate(COVERED) == [], (width, height)


def test_the_longest_winner_stays_below_the_headline_of_the_big_screen(page, server):
    page.emulate_media(reduced_motion="reduce")
    told = whole_hand("ace-trump", 4, house_rules=False) | {"seats": list(LONG[:4])}
    follow(page, imported(server.url, told))
    page.set_viewport_size({"width": 1280, "height": 720})
    address = page.url
    for code, language in reversed(settings.LANGUAGES):
        page.goto(address)
        choose(page, language)
        expect(page.locator("html")).to_have_attribute("lang", code)
        page.goto(f"{address}screen/")
        title = page.locator(".screen-over .win-title").bounding_box()
        assert title["y"] + title["height"] <= page.locator(".first .person").bounding_box()["y"], code


def whole(page, width):
    """Check that a big screen shows everything at once, and nothing too small to read from the sofa."""
    shape = page.evaluate("[document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]")
    assert shape == [page.viewport_size["width"], page.viewport_size["height"]]
    words = page.evaluate(f"({WORDS})(document.querySelector('.screen'))")
    least = 24 * width / 1920 - 0.5
    assert [word for word in words if word["size"] < least] == []
    bounds = page.viewport_size
    assert [word for word in words if word["bottom"] > bounds["height"] or word["right"] > bounds["width"]] == []
    assert page.locator(".screen-qr").bounding_box()["width"] >= 250 * width / 1920


@pytest.mark.parametrize("game", ["ace-trump", "wildcat-chicane", "american-deuce", "ace-pit", "oh-hell"])
def test_the_big_screen_is_legible_from_the_sofa(page, server, game):
    told = whole_hand(game, PLAYERS[game], house_rules=False) | {"end": {"kind": "open"}}
    events = told["hands"][0]["events"]
    for some in (events[: len(events) // 2], events):
        follow(page, imported(server.url, told | {"hands": [{"events": some}]}))
        page.goto(f"{page.url}screen/")
        for width, height in TELEVISIONS:
            page.set_viewport_size({"width": width, "height": height})
            whole(page, width)


def test_a_revoke_is_legible_from_the_sofa(page, server):
    revoke = {
        "game": "ace-trump",
        "seats": ["Ann", "Bob", "Cy"],
        "first_dealer": 0,
        "hands": [{"events": list(REVOKE)}],
    }
    follow(page, imported(server.url, revoke))
    page.goto(f"{page.url}screen/")
    expect(page.locator(".wine")).to_be_visible()
    for width, height in TELEVISIONS:
        page.set_viewport_size({"width": width, "height": height})
        whole(page, width)
