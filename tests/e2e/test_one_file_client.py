"""The client in one file, on a page of another origin: it records a whole hand of every game by what is asked alone."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from referee.engine.game import all_games

FILE = Path(__file__).parents[2] / "docs" / "clients" / "browser" / "index.html"
ONE_HAND = """
async () => {
    const table = document.getElementById('table');
    for (let taps = 0; taps < 200; taps += 1) {
        if (table.dataset.hand === '1 finished') return taps;
        const choices = document.querySelectorAll('#asks > section:first-of-type .choice');
        const drawn = new Promise((resolve) => document.addEventListener('drawn', resolve, {once: true}));
        choices[taps * 7 % choices.length].click();
        await drawn;
    }
    return 0;
}
"""


class Site(BaseHTTPRequestHandler):
    """A server of somebody else's, which has the file."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(FILE.read_bytes())

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def client(browser):
    """The client on a phone, on a page of another origin."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    Thread(target=site.serve_forever, daemon=True).start()
    context = browser.new_context(locale="en", viewport={"width": 360, "height": 740})
    tab = context.new_page()
    yield lambda: tab.goto(f"http://127.0.0.1:{site.server_port}/") and tab
    context.close()
    site.shutdown()
    site.server_close()


def test_it_records_a_hand_of_every_game(client, page, server):
    page.goto("/")
    names = ["Ann", "Bob", "Cy", "Dee"]
    group = page.request.post("/api/v1/groups/", data={"name": "Us", "people": names}).json()["token"]
    for game in all_games():
        tab = client()
        tab.get_by_label("Server").fill(server.url)
        tab.get_by_label("Token of your group").fill(group)
        tab.get_by_label("Players, clockwise").fill(", ".join(names[: 4 if 4 in game.players else max(game.players)]))
        expect(tab.get_by_role("combobox", name="Game")).to_contain_text(game.name)
        tab.get_by_role("combobox", name="Game").select_option(game.id)
        tab.get_by_role("button", name="Open a table").click()
        expect(tab.get_by_role("button", name="Take back")).to_be_visible()
        expect(tab.locator("#asks > section").first).to_be_visible()
        assert tab.evaluate(ONE_HAND) > 10, game.id
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        totals = tab.locator("#score td").all_inner_texts()
        assert all(cell.lstrip("-").isdigit() for cell in totals), (game.id, totals)
