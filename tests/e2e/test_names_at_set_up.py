"""Naming people when a group's table is set up: completed, offered, and asked about before the deal."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import join_group
from tests.e2e.test_evening import Group
from tests.e2e.thumb import Thumb


@pytest.fixture
def group(server, phone):
    group = Group(server)
    join_group(phone, f"/g/{group.code}/#{group.link('member')['token']}")
    expect(phone.get_by_role("heading", name="Thursday")).to_be_visible()
    return group


def test_deal_asks_about_a_similar_name_and_then_deals(phone, group):
    """Ann is in the group and Anne is typed: the question appears under the thumb."""
    thumb = Thumb(phone)
    phone.goto(f"/new/ace-trump/?group={group.code}&name=Bob&name=Cy")
    phone.locator("#name-2").fill("Anne")
    phone.locator("#name-2").blur()
    thumb.tap(phone.locator("#deal"))
    question = phone.get_by_role("group", name="Is Anne the same person as Ann?")
    expect(question).to_be_in_viewport()
    thumb.tap(question.locator("#new-0"))
    thumb.tap(phone.locator("#deal"))
    expect(phone.locator(".seat-name")).to_have_text(["Bob", "Cy", "Anne"])


def test_names_autocomplete_without_a_page_load(phone, group):
    phone.goto(f"/new/ace-trump/?group={group.code}&name=Bob")
    field = phone.locator("#name-1")
    offered = phone.evaluate("[...document.getElementById('name-1').list.options].map((each) => each.value)")
    assert offered == ["Ann", "Bob", "Cy"]
    field.fill("Cy")
    field.blur()
    expect(phone.locator(".place.taken input[name=name]").nth(1)).to_have_value("Cy")
