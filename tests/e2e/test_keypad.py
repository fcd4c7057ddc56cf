"""Numbers on large keys: what is typed, for whom, and that everything fits one screen."""

import json
import re

import pytest
from playwright.sync_api import expect

from referee.engine.records import dump_record, load_record
from tests.e2e.pads import HEIGHT, NAMES
from tests.e2e.test_felt_fits import PLACES, moved
from tests.e2e.thumb import Thumb, plate, shown


def at_table(phone, players):
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "any-game", "seats": NAMES[:players], "first_dealer": 0})))
    return thumb


def score(seat, points):
    return {"type": "score", "seat": seat, "points": points}


def key(phone, name):
    return phone.locator(f".table-main > form.ask [data-key='{name}']")


@pytest.mark.parametrize(
    ("keys", "typed"),
    [
        ("1 2", "12"),
        ("sign 5", "−5"),
        ("5 sign", "−5"),
        ("5 sign sign", "5"),
        ("0 7", "7"),
        ("1 2 3 4 5", "1234"),
        ("1 2 delete", "1"),
        ("5 sign delete", ""),
        ("+10 +10 +5", "25"),
        ("-10", "−10"),
        ("−10 +1", "−9"),
        ("9 9 9 9 +1", "9999"),
        ("delete", ""),
    ],
)
def test_keys_type_digits_signs_and_steps(result, keys, typed):
    assert result("points", f"{json.dumps(keys.split())}.reduce(points.pressed, '')") == typed


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8])
def test_the_pad_fits_one_screen_and_nothing_moves(phone, screenshot, players):
    thumb = at_table(phone, players)
    phone.wait_for_load_state()
    before = phone.evaluate(PLACES)
    assert len(before) > 15
    thumb.record(score(1, -30))
    thumb.record(score(0, 125))
    assert moved(before, phone.evaluate(PLACES)) == {}
    boxes = phone.evaluate(
        "[...document.querySelectorAll('.table-main > .ask .key, .submit .primary, #undo')]"
        ".filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert all(box["height"] >= 44 and box["width"] >= 44 and box["bottom"] <= HEIGHT for box in boxes), boxes
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    screenshot(phone, f"keypad-{players}")


def test_the_next_seat_is_selected_automatically_and_another_by_its_plate(phone):
    thumb = at_table(phone, 3)
    status = phone.locator("#table .status")
    expect(status).to_have_text(f"How many points does {NAMES[0]} score?")
    thumb.tap(plate(phone, 2))
    expect(phone.locator(".over-sentence:visible")).to_have_text(f"Now tapping for {NAMES[2]}.")
    for name in ("4", "2", "sign"):
        thumb.tap(key(phone, name))
    record = phone.locator(".table-main > .ask .submit .primary")
    expect(record).to_have_text("Record −42")
    thumb.tap(record)
    shown(phone, 1)
    expect(record).to_have_text("Record")
    expect(status).to_have_text(f"How many points does {NAMES[0]} score?")
    expect(phone.locator(".sits-2 .seat-entered")).to_have_text("−42")
    assert plate(phone, 2).count() == 0, "who has a number is corrected instead"


def test_a_number_is_undone_redone_and_corrected(phone):
    thumb = at_table(phone, 2)
    thumb.record(score(0, 7))
    phone.locator("#undo").tap()
    expect(phone.locator(".seat-entered")).to_have_count(0)
    phone.get_by_role("button", name=re.compile("Redo")).first.tap()
    expect(phone.locator(".sits-0 .seat-entered")).to_have_text("+7")
    phone.goto(f"{phone.url}amend/")
    phone.get_by_role("link", name="scores 7").tap()
    typed = phone.locator(".keypad-number:visible")
    expect(typed).to_have_value("7")
    for name in ("delete", "sign", "8"):
        phone.locator(f"main [data-key='{name}']:visible").tap()
    expect(typed).to_have_value("−8")
    phone.get_by_role("button", name="See what changes").tap()
    expect(phone.locator("main")).to_contain_text("−8")


def test_keyboard_input_is_recorded(page):
    thumb = Thumb(page)
    thumb.open_table(dump_record(load_record({"game": "any-game", "seats": NAMES[:2], "first_dealer": 0})))
    typed = page.locator(".table-main > .ask .keypad-number")
    typed.fill("-3")
    typed.press("Enter")
    shown(page, 1)
    expect(page.locator(".sits-0 .seat-entered")).to_have_text("−3")
