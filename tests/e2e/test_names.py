"""Names much like somebody's, by taps on a phone: the question is seen, answered, and the table opens."""

import re

import pytest
from playwright.sync_api import expect

WHOSE = "Is Anne the same person as Ann?"


@pytest.fixture
def group(phone):
    """The address of a group of three that this phone has made."""
    phone.goto("/g/new/")
    phone.get_by_label("What is it called?").fill("Thursday")
    phone.get_by_label("Who plays?").fill("Ann, Bob, Cy")
    phone.get_by_role("button", name="Make the group").tap()
    phone.wait_for_url(re.compile(r"/g/[A-Z0-9]{8}/$"))
    return phone.url


def seat(phone, group, *names):
    code = group.rstrip("/").rsplit("/", 1)[1]
    phone.goto(f"/new/ace-trump/?group={code}")
    for place, name in enumerate(names):
        phone.locator(f"#name-{place}").fill(name)


@pytest.mark.parametrize(("answer", "name"), [("Yes, same person", "Ann"), ("No, someone new", "Anne")])
def test_deal_asks_whose_name_it_is(phone, group, screenshot, answer, name):
    seat(phone, group, "Anne", "Bob", "Cy")
    phone.get_by_role("button", name="Deal", exact=True).last.tap()
    question = phone.get_by_text(WHOSE)
    expect(question).to_be_in_viewport()
    screenshot(phone, f"whose-name-{name}")
    phone.get_by_label(answer).tap()
    expect(phone.get_by_label(answer)).to_be_checked()
    expect(question).to_be_visible()
    phone.get_by_role("button", name="Deal", exact=True).last.tap()
    phone.wait_for_url(re.compile(r"/t/\w+/$"))
    expect(phone.locator("main")).to_contain_text(name)


def test_the_keyboard_answers_it_too(phone, group):
    seat(phone, group, "Anne", "Bob", "Cy")
    phone.get_by_role("button", name="Deal", exact=True).last.focus()
    phone.keyboard.press("Enter")
    expect(phone.get_by_text(WHOSE)).to_be_in_viewport()
    expect(phone.locator("[autofocus]")).to_be_focused()
    phone.keyboard.press("Tab")
    phone.keyboard.press("Space")
    expect(phone.get_by_label("Yes, same person")).to_be_checked()
    phone.get_by_role("button", name="Deal", exact=True).last.focus()
    phone.keyboard.press("Enter")
    phone.wait_for_url(re.compile(r"/t/\w+/$"))


def test_a_page_that_answers_deal_is_seen(phone, group):
    """What refuses the form before the table is looked at answers with a page of its own."""
    seat(phone, group, "Ann", "Bob", "Cy")
    phone.context.clear_cookies()
    phone.get_by_role("button", name="Deal", exact=True).last.tap()
    expect(phone.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(phone.locator("main")).not_to_contain_text("Who plays?")


def test_a_group_has_the_time_zone_of_the_phone(phone, group):
    phone.goto(f"{group}settings/")
    zone = phone.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    expect(phone.get_by_label("Time zone")).to_have_value(zone)
