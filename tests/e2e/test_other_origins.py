"""On pages of another origin: an app that plays with a group's token, and the one-file client."""

from pathlib import Path

from playwright.sync_api import expect

from referee.engine.game import all_games
from tests.e2e.conftest import another_site
from tests.e2e.scenes import call
from tests.e2e.thumb import TABLES

STORY = """
async (server) => {
    const send = async (path, body, token, headers = {}) => {
        const answer = await fetch(server + '/api/v1/' + path, {
            method: body === undefined ? 'GET' : 'POST',
            headers: {...(body === undefined ? {} : {'Content-Type': 'application/json'}),
                      ...(token ? {Authorization: 'Bearer ' + token} : {}), ...headers},
            body: body === undefined ? undefined : JSON.stringify(body)});
        return [answer.status, answer.status === 304 ? null : await answer.json(), answer.headers];
    };
    const told = {};
    told.games = (await send('games/'))[0];
    const table = {game: 'ace-trump', seats: ['Ann', 'Bob', 'Cy'], first_dealer: 2};
    told.anonymous = (await send('tables/', table))[1].code;
    const [, opened, head] = await send('tables/', table, GROUP);
    told.location = head.get('Location');
    const key = {'Idempotency-Key': '6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'X-Request-Id': 'app-1'};
    const [, asks] = await send(`tables/${opened.code}/asks/`, undefined, opened.token);
    const event = asks.asks[0].events[0];
    const [recorded, , first] = await send(`tables/${opened.code}/events/`, event, opened.token, key);
    const [, , again] = await send(`tables/${opened.code}/events/`, event, opened.token, key);
    const version = first.get('ETag').replace('W/', '');  // weak, as it came compressed
    told.recorded = [recorded, version, first.get('X-Request-Id'), again.get('Idempotent-Replayed')];
    const tag = (await send(`tables/${opened.code}/`))[2].get('ETag');
    told.unchanged = (await send(`tables/${opened.code}/`, undefined, '', {'If-None-Match': tag}))[0];
    told.page = await fetch(server + '/').then(() => 'read', () => 'refused');
    return told;
}
"""


def group_token(server):
    return call(server.url, "groups/", {"name": "Us", "people": ["Ann", "Bob", "Cy", "Dee"]})["token"]


def test_an_app_on_another_origin_plays_with_a_token_but_reads_no_page(browser, server):
    with another_site(browser, b"<!doctype html><title>App</title>") as open_page:
        told = open_page().evaluate(STORY.replace("GROUP", repr(group_token(server))), server.url)
    assert told.pop("location").startswith("/api/v1/tables/")
    assert told == {
        "games": 200,
        "anonymous": "other-site",
        "recorded": [201, '"1"', "app-1", "true"],
        "unchanged": 304,
        "page": "refused",
    }


# --- The one-file client records a whole hand of every game from `asks` alone

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


def test_the_one_file_client_records_a_hand_of_every_game(browser, server):
    group = group_token(server)
    with another_site(browser, FILE.read_bytes(), viewport={"width": 360, "height": 740}) as open_page:
        for game in (game for game in all_games() if game.id in dict(TABLES)):
            record_a_hand(open_page(), server, group, game)


def record_a_hand(tab, server, group, game):
    names = ["Ann", "Bob", "Cy", "Dee"][: 4 if 4 in game.players else max(game.players)]
    tab.get_by_label("Server").fill(server.url)
    tab.get_by_label("Token of your group").fill(group)
    tab.get_by_label("Players, clockwise").fill(", ".join(names))
    expect(tab.get_by_role("combobox", name="Game")).to_contain_text(game.name)
    tab.get_by_role("combobox", name="Game").select_option(game.id)
    tab.get_by_role("button", name="Open a table").click()
    expect(tab.get_by_role("button", name="Take back")).to_be_visible()
    expect(tab.locator("#asks > section").first).to_be_visible()
    if not tab.locator("#asks .choice").count():
        assert game.id in ("hearts", "any-game"), "cards to pass and numbers are too many to list"
        return
    assert tab.evaluate(ONE_HAND) > 10, game.id
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    totals = tab.locator("#score td").all_inner_texts()
    assert all(cell.lstrip("-").isdigit() for cell in totals), (game.id, totals)
