"""All cards on one small screen, large enough for a thumb, and never moving under it."""

import pytest
from playwright.sync_api import expect

from referee.engine.records import dump_record, load_record
from tests.e2e.pads import BOXES, FULLEST, HEIGHT, NAMES, NARROW, PADS, WIDE, bottom, measure, open_pad, rows
from tests.e2e.test_for_everybody import complaints
from tests.e2e.thumb import Thumb, import_here, whole_hand


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
    import_here(page, told)
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


def test_whose_the_next_card_is_stands_beside_the_keys(phone):
    """Somebody else is chosen: the table is in sight again, and nothing is claimed for whoever is next."""
    told = dump_record(load_record({"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}))
    thumb = Thumb(phone)
    thumb.open_table(told)
    thumb.record({"type": "play", "seat": 1, "cards": ["8MS"]})
    form, who = phone.locator("form[data-event=play]"), phone.locator("form[data-event=play] details.who")
    legend, said = form.locator(".pad-legend"), form.locator(".who-change")
    expect(legend).to_contain_text("Cy claims")
    for name, others in (("Ann", True), ("Cy", False), ("Ann", True)):
        who.locator("summary").tap()
        form.locator(".chip", has_text=name).tap()
        expect(who).not_to_have_attribute("open", "")
        assert said.evaluate("e => getComputedStyle(e, '::before').content") == ('"Ann"' if others else "none")
        assert legend.is_visible() is not others
    assert said.bounding_box()["height"] >= 24
    phone.locator("#play-AK").tap()
    expect(phone.locator("#message")).to_contain_text("Ann acted out of turn")


def test_the_arrow_keys_go_on_choosing_whose_card_it_is(page):
    told = dump_record(load_record({"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}))
    Thumb(page).open_table(told)
    who = page.locator("form[data-event=play] details.who")
    who.locator("summary").press("Enter")
    who.locator("input:checked").press("ArrowRight")
    who.locator("input:checked").press("ArrowRight")
    expect(who).to_have_attribute("open", "")
