"""A page left open follows its table, whatever happens to the server."""

import pytest
from playwright.sync_api import expect

from tests.scoring.live.driving import free_port, serving

SETTINGS = "tests.e2e.live_settings"


@pytest.fixture
def tab(browser):
    context = browser.new_context()
    tab = context.new_page()
    tab.troubles = []
    tab.on("pageerror", lambda error: tab.troubles.append(str(error)))
    tab.on("console", lambda message: "Security Policy" in message.text and tab.troubles.append(message.text))
    yield tab
    context.close()
    assert not tab.troubles


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("live"), settings=SETTINGS) as server:
        yield server


def see(tab, server, table):
    """Open the page and wait until it follows; a mark shows later whether it was reloaded."""
    tab.goto(f"http://127.0.0.1:{server.port}/live/{table.code}/")
    expect(tab.locator("body")).to_have_attribute("data-live", "open")
    tab.evaluate("window.mark = true")


def test_a_page_follows_its_table(tab, server):
    table = server.open_table()
    see(tab, server, table)
    expect(tab.locator("#table")).to_have_text("Version 0")
    for version in (1, 2):
        server.note(table)
        expect(tab.locator("#table")).to_have_text(f"Version {version}")
    assert tab.evaluate("window.mark")


def test_a_failed_refresh_is_retried(tab, server):
    table = server.open_table()
    see(tab, server, table)
    broken = server.log.parent / "broken"
    broken.touch()
    with tab.expect_response(lambda answer: answer.status == 500):
        server.note(table)
    broken.unlink()
    expect(tab.locator("#table")).to_have_text("Version 1")


def test_pages_survive_a_server_restart_without_a_reload(tab, tmp_path):
    port = free_port()
    with serving(tmp_path, port=port, settings=SETTINGS) as server:
        table = server.open_table()
        see(tab, server, table)
        server.stop()
        expect(tab.locator("body")).to_have_attribute("data-live", "reconnecting")
    with serving(tmp_path, port=port, settings=SETTINGS) as server:
        server.note(table)
        expect(tab.locator("#table")).to_have_text("Version 1")
        expect(tab.locator("body")).to_have_attribute("data-live", "open")
    assert tab.evaluate("window.mark")


def test_a_refused_stream_is_retried(tab, server):
    table = server.open_table()
    refused = []

    def refuse(route):
        refused.append(route)
        route.fulfill(status=503, body="not now") if len(refused) < 3 else route.continue_()

    tab.route("**/stream/", refuse)
    see(tab, server, table)
    assert len(refused) == 3


def test_a_change_to_no_visible_part_fires_one_event(tab, server):
    table = server.open_table()
    see(tab, server, table)
    tab.evaluate("""() => {
        document.getElementById("table").remove();
        window.fired = 0;
        document.body.addEventListener("table-changed", () => window.fired++);
    }""")
    server.note(table)
    tab.wait_for_function("window.fired")
    tab.wait_for_timeout(3000)
    assert tab.evaluate("window.fired") == 1
