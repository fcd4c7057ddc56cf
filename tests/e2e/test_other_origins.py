"""An app on another origin: it opens a table with a group's token, plays from `asks` alone, and reads."""

import pytest

from tests.e2e.conftest import another_site

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


@pytest.fixture
def elsewhere(browser):
    """A page on another origin."""
    with another_site(browser, b"<!doctype html><title>App</title>") as open_page:
        yield open_page()


def test_an_app_on_another_origin_plays_with_a_token_but_reads_no_page(elsewhere, page, server):
    page.goto("/")
    group = page.request.post("/api/v1/groups/", data={"name": "Us", "people": ["Ann", "Bob", "Cy"]}).json()["token"]
    told = elsewhere.evaluate(STORY.replace("GROUP", repr(group)), server.url)
    assert told["location"].startswith("/api/v1/tables/")
    assert told == {
        "games": 200,
        "anonymous": "other-site",
        "location": told["location"],
        "recorded": [201, '"1"', "app-1", "true"],
        "unchanged": 304,
        "page": "refused",
    }
