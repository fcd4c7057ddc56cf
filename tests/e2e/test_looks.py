"""Questions without a table, what was played before, and the big screen, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.e2e.test_for_everybody import table
from tests.e2e.test_language import choose
from tests.e2e.thumb import Thumb, import_here

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


def test_a_question_is_answered_by_taps_and_sent(phone, second_phone):
    phone.goto("/")
    phone.get_by_role("link", name="Ask the referee").tap()
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


def test_the_same_people_sit_down_in_three_taps(phone):
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


def test_a_name_is_seated_by_a_tap_beside_names_that_were_typed(phone):
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
    expect(page.locator(".status")).to_have_text("Bob’s turn")
    expect(page.locator("body")).to_have_attribute("data-live", "open")
    for event in PLAYED:
        thumb.record(event)
    expect(page.locator(".status")).to_have_text("Bob’s turn")
    expect(page.locator(".before .card[title*=Pact]")).to_have_attribute("aria-label", "Pact (9 of Moons and Suns)")
    assert page.locator("main button, main form").count() == 0  # at its foot is the language
    screenshot(page, "big-screen")


def test_a_big_screen_holds_a_long_trick_and_every_score(phone, page, screenshot):
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
    for card in page.locator(".before .card", has_text="10").all():
        edge, pips = card.bounding_box(), card.locator(".pips").bounding_box()
        assert pips["x"] + pips["width"] <= edge["x"] + edge["width"]
    screenshot(page, "big-screen-long-trick")


def test_the_score_of_five_players_is_seen_at_once(phone):
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
def test_the_whole_score_is_seen_at_once_while_a_hand_runs(phone, names):
    phone.set_viewport_size({"width": 344, "height": 740})
    running = [{"events": [{"type": "play", "seat": 1, "cards": ["8MS"]}]}]
    carried = [-27] * len(names)
    import_here(phone, {"game": "ace-trump", "seats": names, "first_dealer": 0, "carried": carried, "hands": running})
    for language in ("English", "Deutsch"):
        choose(phone, language)
        sheet = phone.locator(".scroll:has(.sheet)")
        assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth"), language
        for head in phone.locator(".sheet thead th").all():
            assert head.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    first = phone.locator(".sheet thead th").nth(1)
    if first.evaluate("e => getComputedStyle(e).writingMode") == "vertical-rl":
        assert first.bounding_box()["height"] < 120, "it stands no taller than the names"
