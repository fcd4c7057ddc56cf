"""The pad, names and dictation."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pads import BOXES, FULLEST, HEIGHT, NAMES, NARROW, PADS, WIDE, bottom, measure, open_pad, rows
from tests.e2e.test_for_everybody import complaints, table
from tests.e2e.thumb import SHAKE, Thumb, import_here, plate, shown, whole_hand

# --- All cards on one small screen, large enough for a thumb, and never moving under it


@pytest.mark.parametrize("name", [name for name in PADS if name < "5" and not name.startswith("104")])
def test_every_decktet_card_fits_one_screen_with_the_trick_the_turn_and_undo(phone, name):
    open_pad(phone, name)
    for width in (*NARROW, *WIDE):
        found = measure(phone, width)
        cards = found["cards"]
        assert len(cards) == PADS[name][-1]
        assert min(card["width"] for card in cards) >= 48, width
        assert min(card["height"] for card in cards) >= 44, width
        assert max(map(bottom, [*cards, found["status"], found["trick"], found["undo"]])) <= HEIGHT, width
        if width in NARROW:
            assert rows(cards[:36]) == 6, width


@pytest.mark.parametrize("name", ["52", "52-pit"])
def test_every_french_card_fits_one_screen_with_its_send_button(phone, name):
    open_pad(phone, name)
    if phone.locator(".single-or-several").count():  # a single card is sent by its tap
        phone.locator(".single-or-several .chip").last.tap()
    for width in (*NARROW, *WIDE):
        found = measure(phone, width)
        cards = found["cards"]
        assert len(cards) == 52
        assert min(card["width"] for card in cards) >= 44, width
        assert min(card["height"] for card in cards) >= 44, width
        assert max(map(bottom, [*cards, found["trick"], found["undo"], found["send"]])) <= HEIGHT, width


@pytest.mark.parametrize(("game", "players"), FULLEST)
def test_every_french_card_fits_one_screen_for_any_number_of_players(phone, screenshot, game, players):
    told = whole_hand(game, players, house_rules=False)
    told["seats"] = NAMES[:players]
    (hand,) = told["hands"]
    played = [place for place, event in enumerate(hand["events"]) if event["type"] == "play"]
    # During the second trick and between tricks: what a trick leaves behind takes no space from the cards.
    for place in (played[0], played[players], played[players + 1]):
        import_here(phone, told | {"hands": [{"events": hand["events"][:place]}]})
        for width in NARROW:
            found = measure(phone, width)
            assert len(found["cards"]) == 52
            assert min(min(card["width"], card["height"]) for card in found["cards"]) >= 44, width
            below = [found["status"], found["undo"], *filter(None, (found.get("trick"), found.get("send")))]
            assert max(map(bottom, [*found["cards"], *below])) <= HEIGHT, width
            assert not found.get("trick") or found["trick"]["x"] > 0, "the card that was led is seen, too"
    screenshot(phone, f"{game}-{players}-fullest")


@pytest.mark.parametrize("name", PADS)
def test_a_plate_is_large_enough_for_a_thumb(phone, name):
    open_pad(phone, name)
    for width in (*NARROW, *WIDE):
        plates = measure(phone, width)["plates"]
        assert len(plates) == PADS[name][1]
        assert min(min(plate["width"], plate["height"]) for plate in plates) >= 44, width


@pytest.mark.parametrize("name", ["104", "104-eight"])
def test_two_decks_are_shown_one_at_a_time_on_small_screens(phone, name):
    open_pad(phone, name)
    for width in NARROW:
        found = measure(phone, width)
        cards = found["cards"]
        assert len(cards) == 52
        assert min(min(card["width"], card["height"]) for card in cards) >= 44, width
        # With the trick, the turn, undo and the send button it fits one screen; for five, with all above it.
        top = 0 if name == "104" else found["status"]["y"]
        assert max(map(bottom, cards)) - top <= HEIGHT - found["send"]["height"], width
    for width in WIDE:
        cards = measure(phone, width)["cards"]
        assert len(cards) == 104
        assert min(min(card["width"], card["height"]) for card in cards) >= 44, width


def test_both_decks_and_their_send_button_fit_a_laptop(page):
    game, players, options, events, _ = PADS["104"]
    told = {
        "game": game,
        "seats": NAMES[:players],
        "first_dealer": 0,
        "options": options,
        "hands": [{"events": events}],
    }
    import_here(page, told)
    found = page.evaluate(BOXES)
    assert len(found["cards"]) == 104
    assert max(map(bottom, found["cards"])) <= found["send"]["y"]
    assert bottom(found["send"]) <= page.viewport_size["height"]


def test_a_pair_can_combine_both_decks(phone, screenshot):
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


def test_typing_a_card_shows_its_deck(phone):
    open_pad(phone, "104")
    phone.set_viewport_size({"width": 600, "height": 800})
    phone.keyboard.type("9s*")
    expect(phone.get_by_role("radio", name="Trump deck")).to_be_checked()
    phone.keyboard.press("Enter")
    expect(phone.locator(".pad [value='9S*']")).to_be_checked()


def test_tapping_a_plate_selects_its_player_and_tapping_again_deselects(phone):
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 3))
    thumb.record({"type": "play", "seat": 1, "cards": ["8MS"]})
    legend, said = phone.locator("form[data-event=play] .pad-legend"), phone.get_by_text("Now tapping for Ann.")
    expect(legend).to_contain_text("only if Cy has")
    for name, others in (("Ann", True), ("Ann", False), ("Ann", True), ("Cy", False), ("Ann", True)):
        phone.wait_for_timeout(SHAKE)
        plate(phone, name).tap()
        expect(said).to_be_visible(visible=others)
        assert legend.is_visible() is not others
    phone.locator("#play-AK").tap()
    expect(phone.locator("#message")).to_contain_text("Ann acted out of turn")


def test_arrow_keys_choose_who_plays_the_card(page):
    Thumb(page).open_table(table("ace-trump", 3))
    seat = page.locator("form[data-event=play] input[name=seat]:checked")
    seat.press("ArrowRight")
    expect(page.get_by_text("Now tapping for Cy.")).to_be_visible()
    seat.press("ArrowRight")
    expect(page.get_by_text("Now tapping for Ann.")).to_be_visible()


# --- Similar names on a phone: the question is seen and answered, and the table opens

WHOSE = "Is Anne the same person as Ann?"


@pytest.fixture
def group(phone):
    """The address of a group of three created on this phone."""
    phone.goto("/g/new/")
    phone.get_by_label("Name of the group").fill("Thursday")
    for place, name in enumerate(("Ann", "Bob", "Cy")):
        phone.locator(f"#people-{place}").fill(name)
    phone.get_by_role("button", name="Start the group").tap()
    phone.locator(".pick-me", has_text="Ann").tap()
    phone.wait_for_url(re.compile(r"/g/[A-Z0-9]{8}/$"))
    return phone.url


def seat(phone, group, *names):
    code = group.rstrip("/").rsplit("/", 1)[1]
    phone.goto(f"/new/ace-trump/?group={code}")
    for place, name in enumerate(names):
        phone.locator(f"#name-{place}").fill(name)


@pytest.mark.parametrize(("answer", "name"), [("Yes, same person", "Ann"), ("No, someone new", "Anne")])
def test_dealing_asks_about_a_similar_name(phone, group, screenshot, answer, name):
    seat(phone, group, "Anne", "Bob", "Cy")
    phone.locator("#deal").tap()
    question = phone.get_by_text(WHOSE)
    expect(question).to_be_in_viewport()
    screenshot(phone, f"whose-name-{name}")
    phone.get_by_label(answer).tap()
    expect(phone.get_by_label(answer)).to_be_checked()
    expect(question).to_be_visible()
    phone.locator("#deal").tap()
    phone.wait_for_url(re.compile(r"/t/\w+/$"))
    expect(phone.locator("main")).to_contain_text(name)


def test_the_name_question_is_answered_from_the_keyboard(phone, group):
    seat(phone, group, "Anne", "Bob", "Cy")
    phone.locator("#deal").focus()
    phone.keyboard.press("Enter")
    expect(phone.get_by_text(WHOSE)).to_be_in_viewport()
    expect(phone.locator("[autofocus]")).to_be_focused()
    phone.keyboard.press("Tab")
    phone.keyboard.press("Space")
    expect(phone.get_by_label("Yes, same person")).to_be_checked()
    phone.locator("#deal").focus()
    phone.keyboard.press("Enter")
    phone.wait_for_url(re.compile(r"/t/\w+/$"))


def test_a_page_that_answers_deal_is_shown(phone, group):
    """A refusal before the form is read is answered with a page of its own."""
    seat(phone, group, "Ann", "Bob", "Cy")
    phone.context.clear_cookies()
    phone.locator("#deal").tap()
    expect(phone.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(phone.locator("main")).not_to_contain_text("Who plays?")


def test_a_group_gets_the_phones_time_zone(phone, group):
    phone.goto(f"{group}settings/")
    zone = phone.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    expect(phone.get_by_label("Time zone")).to_have_value(zone)


# --- A card spoken to a phone: shown as understood, recorded with one tap; or typed in words

HEARS = """
window.webkitSpeechRecognition = window.SpeechRecognition = class {
  start() {
    window.language = this.lang;
    setTimeout(() => {
      this.onresult({ results: [[{ transcript: "night of waves" }, { transcript: "nine of Waves and worms" }]] });
      this.onend();
    }, 50);
  }
  abort() {}
};
"""
DEAF = "delete window.webkitSpeechRecognition; delete window.SpeechRecognition;"


def opened(phone, script):
    phone.add_init_script(script)
    Thumb(phone).open_table(table("ace-trump", 3))


def test_a_spoken_card_is_recognized(phone, screenshot):
    opened(phone, HEARS)
    phone.get_by_role("button", name="Speak").tap()
    sheet = phone.locator("#saying")
    offered = sheet.get_by_role("button", name="Darkness")
    expect(offered).to_be_visible()
    expect(sheet.get_by_role("textbox")).to_have_value("night of waves")
    assert phone.evaluate("window.language") == "en"
    screenshot(phone, "a-card-is-said")
    assert complaints(phone) == []
    assert phone.locator("#table").get_attribute("data-version") == "0"
    offered.tap()
    shown(phone, 1)
    expect(sheet).to_be_hidden()
    expect(phone.locator("#table .before .card[title*=Darkness]").first).to_be_visible()


def test_a_card_can_be_typed_after_a_name(phone):
    opened(phone, DEAF)
    phone.get_by_role("button", name="Speak").tap()
    field = phone.locator("#saying").get_by_role("textbox")
    expect(field).to_be_focused()
    expect(phone.get_by_role("button", name="Listen")).to_be_hidden()
    field.fill("hello")
    expect(phone.get_by_text("We didn’t catch a card from this deck.")).to_be_visible()
    someone = phone.locator("form.ask input[name=seat]:not(:checked)").first
    seat, name = someone.get_attribute("value"), someone.get_attribute("aria-label")
    field.fill(f"{name} ace of suns")
    offered = phone.locator(f'#understood [data-card="AS"][data-seat="{seat}"]')
    expect(offered).to_be_visible()
    field.press("Enter")
    shown(phone, 0)
    # A play out of turn: the referee says so, as after a tap.
    expect(phone.locator("#message")).to_contain_text(name)
