"""Three phones through one evening of four tables with two games and a latecomer."""

import json
import re
import urllib.request
from typing import Any

from playwright.sync_api import expect

from tests.e2e.conftest import join_group, open_tab
from tests.e2e.test_for_everybody import complaints

RESULT = {"type": "result", "tricks": [5, 4, 3]}


def post(server, path, body, token=""):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(f"{server.url}/api/v1/{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answered:
        return json.load(answered)


class Group:
    """The Thursday round, as seen by a program Ann trusts: it records hands by result."""

    def __init__(self, server):
        made = post(server, "groups/", {"name": "Thursday", "people": ["Ann", "Bob", "Cy"]})
        self.server, self.code, self.token = server, made["code"], made["token"]

    def link(self, role):
        return post(self.server, f"groups/{self.code}/links/", {"role": role}, self.token)

    def record(self, table, *events):
        code = table.rstrip("/").rsplit("/", 1)[1]
        post(self.server, f"tables/{code}/events/", {"events": list(events)}, self.token)

    def cancel(self, link):
        path = f"{self.server.url}/api/v1/groups/{self.code}/links/{link['id']}/"
        request = urllib.request.Request(path, headers={"Authorization": f"Bearer {self.token}"}, method="DELETE")
        urllib.request.urlopen(request).close()


def deal(phone):
    """Submit the form of a new table; return its address."""
    phone.get_by_role("button", name="Deal").tap()
    phone.wait_for_url("**/t/*/")
    return phone.url


def follow(phone, table):
    """Follow the last table's page to the next one, and play there on this phone."""
    phone.get_by_role("link", name="Go to that table").tap()
    phone.wait_for_url(table)
    expect(phone.locator("#table.own-phone")).to_have_attribute("data-version", re.compile(r"\d+"))


def sees(place, text):
    """Wait until a phone shows a text."""
    expect(place).to_contain_text(text)


def test_three_phones_play_through_one_evening(phone, browser, server):
    group = Group(server)
    looks = group.link("viewer")
    join_group(phone, f"/g/{group.code}/#{group.link('member')['token']}", "Ann")
    expect(phone.get_by_role("heading", name="Thursday")).to_be_visible()
    phone.goto(f"/new/ace-trump/?group={group.code}&name=Ann&name=Bob&name=Cy")
    first = deal(phone)
    phone.goto(f"{first}share/")
    phone.get_by_role("button", name="Bob", exact=True).tap()
    made = phone.locator("#made-url").inner_text()
    phone.goto(first)
    small: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
    with open_tab(browser, server, **small) as bob, open_tab(browser, server, **small) as cy:
        for tab, address in ((bob, made), (cy, f"/g/{group.code}/#{looks['token']}")):
            tab.goto(address)
        asked = []
        expect(bob.locator("#table.own-phone")).to_be_visible()
        cy.get_by_role("link", name="Tonight", exact=True).tap()
        cy.on("request", lambda request: asked.append(request.url))
        evening = cy.locator("#evening")
        sees(evening, "Hand 1")

        # The first table: Bob agrees with the result, and everyone sees it at once.
        group.record(first, RESULT)
        sees(evening, re.compile(r"Ann\s+5.*Bob\s+4.*Cy\s+3", re.DOTALL))
        sees(evening, "Ann leads.")
        sees(bob.locator("#scene"), "Hand 1 is over.")
        bob.get_by_role("button", name="Yes").tap()
        sees(bob.locator("#scene .confirmed"), "Bob agrees.")
        sees(phone.locator("#sheet tbody td").nth(1), "✓")

        # They play again, and Bob’s phone carries over.
        group.record(first, {"type": "end"})
        phone.get_by_role("button", name="Play again").tap()
        phone.wait_for_url(lambda url: re.search(r"/t/\w+/$", url) and url != first)
        second = phone.url
        follow(bob, second)
        group.record(second, RESULT)
        sees(evening.locator(".evening-wins li", has_text="Ann"), "1")

        # Dee is late: the third table starts with everyone's points.
        phone.goto(f"{second}continue/")
        phone.locator("#name-3").fill("Dee")
        phone.get_by_role("button", name="Go on").tap()
        phone.wait_for_url(lambda url: re.search(r"/t/\w+/$", url) and url != second)
        third = phone.url
        follow(bob, third)
        group.record(third, {"type": "result", "tricks": [1, 1, 1, 6]}, {"type": "end"})
        sees(evening.locator(".evening-wins li", has_text="Dee"), "0.5")
        cy.get_by_text("The numbers", exact=True).tap()
        sees(evening.locator(".sheet"), "After game")

        # The fourth table is another game with the same people, opened from the evening's page.
        sees(phone.locator("#table"), "win")
        phone.get_by_role("link", name="The whole evening").tap()
        phone.get_by_role("link", name="Ransom Trump").tap()
        fourth = deal(phone)
        follow(bob, fourth)
        sees(evening, "Everyone puts a ransom card face down.")
        bob.get_by_role("button", name="Crown of Moons").tap()
        sees(bob.locator("#secret"), "You have chosen.")
        expect(evening).not_to_contain_text("Everyone lays")
        expect(evening).not_to_contain_text("Moons")
        assert complaints(cy) == []

        # One stream for everything, which ends with the link; open folds have stayed open.
        assert not [url for url in asked if "/tables/" in url]
        expect(evening.locator(".sheet")).to_be_visible()
        group.cancel(looks)
        expect(evening).to_have_count(0)
