"""The one-file client on a page of another origin: it records a whole hand of every game from `asks` alone."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from referee.engine.game import all_games
from tests.e2e.conftest import another_site
from tests.e2e.thumb import TABLES

FILE = Path(__file__).parents[2] / "docs" / "clients" / "browser" / "index.html"
ONE_HAND = """
async () => {
    const table = document.getElementById('table');
    for (let taps = 0; taps < 200; taps += 1) {
        if (table.dataset.hand === '1 finished') return taps;
        const choices = document.querySelector('#asks > section:has(.choice)').querySelectorAll('.choice');
        const drawn = new Promise((resolve) => document.addEventListener('drawn', resolve, {once: true}));
        choices[taps * 7 % choices.length].click();
        await drawn;
    }
    return 0;
}
"""


@pytest.fixture
def client(browser):
    """The client on a phone, on a page of another origin."""
    with another_site(browser, FILE.read_bytes(), viewport={"width": 360, "height": 740}) as open_page:
        yield open_page


def test_the_one_file_client_records_a_hand_of_every_game(client, page, server):
    page.goto("/")
    names = ["Ann", "Bob", "Cy", "Dee"]
    group = page.request.post("/api/v1/groups/", data={"name": "Us", "people": names}).json()["token"]
    for game in (game for game in all_games() if game.id in dict(TABLES)):
        tab = client()
        tab.get_by_label("Server").fill(server.url)
        tab.get_by_label("Token of your group").fill(group)
        tab.get_by_label("Players, clockwise").fill(", ".join(names[: 4 if 4 in game.players else max(game.players)]))
        expect(tab.get_by_role("combobox", name="Game")).to_contain_text(game.name)
        tab.get_by_role("combobox", name="Game").select_option(game.id)
        tab.get_by_role("button", name="Open a table").click()
        expect(tab.get_by_role("button", name="Take back")).to_be_visible()
        expect(tab.locator("#asks > section").first).to_be_visible()
        if not tab.locator("#asks .choice").count():
            assert game.id in ("hearts", "any-game"), "cards to pass and numbers are too many to list"
            continue
        assert tab.evaluate(ONE_HAND) > 10, game.id
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        totals = tab.locator("#score td").all_inner_texts()
        assert all(cell.lstrip("-").isdigit() for cell in totals), (game.id, totals)
