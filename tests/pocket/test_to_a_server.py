"""A pocket and a server: it serves the pocket, and imports tables and groups recorded in one, once."""

import json
import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Server
from tests.e2e.thumb import Thumb, shown, whole_hand
from tests.pocket.host import Host, Pocket, browser_of
from tests.scoring.live.driving import serving

pytestmark = pytest.mark.slow
NAMES = ("Ann", "Bob", "Cy")


@pytest.fixture
def server(built, tmp_path):
    """What `make run` starts where `make pocket` has been run."""
    shutil.copytree(built, tmp_path / "var" / "pocket")
    with serving(tmp_path / "var") as running:
        yield Server(url=f"http://127.0.0.1:{running.port}")


@pytest.fixture
def at_server(pocket, server):
    """Another tab of the same browser, at the server."""
    tab = pocket.tab.context.new_page()
    tab.goto(server.url)
    return tab


def found(pattern, address):
    match = re.search(pattern, address)
    assert match, address
    return match


def take_away(pocket, tmp_path, link):
    with pocket.tab.expect_download() as saved:
        pocket.get_by_role("link", name=link).click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    return file


def bring(tab, address, file):
    tab.goto(address)
    tab.locator("#file").set_input_files(file)
    tab.locator("form.page button.primary").click()


def test_make_run_also_serves_the_pocket_app(playwright, server, tmp_path):
    host = Host(tmp_path)
    with browser_of(playwright, tmp_path / "profile") as browser:
        tab = browser.pages[0]
        assert browser.request.get(f"{server.url}/pocket/").headers["content-security-policy"].endswith("'none'")
        tab.goto(f"{server.url}/new/")
        expect(tab.locator(".tiles a").first).to_be_visible()
        tab.wait_for_function("() => navigator.serviceWorker.controller")  # the server's own has the whole host
        tab.goto(f"{server.url}/pocket/")
        pocket = Pocket(tab, host)
        pocket.ready()
        told = whole_hand("ace-trump", 4)
        setattr(pocket, "goto", lambda path: pocket.frame.goto(f"{server.url}/pocket/{path.lstrip('/')}"))  # noqa: B010
        thumb = Thumb(pocket)
        thumb.start_table(told)
        thumb.record(told["hands"][0]["events"][0])
        code = found(r"/pocket/(t/\w+/)$", pocket.frame.url)[1]
        assert browser.request.get(f"{server.url}/{code}").status == 404, "the server knows nothing of it"
        tab.goto(f"{server.url}/new/")
        expect(tab.locator("html")).not_to_have_attribute("data-pocket", "")


def test_a_table_is_sent_to_a_server_once_with_its_whole_log(pocket, server, at_server, tmp_path):
    told = whole_hand("ace-trump", 4)
    events = told["hands"][0]["events"]
    thumb = Thumb(pocket)
    thumb.start_table(told)
    for event in events[:3]:
        thumb.record(event)
    thumb.tap(pocket.locator("#undo"))
    shown(pocket.frame, 4)
    thumb.version = 4
    thumb.record(events[2])
    pocket.locator("#download summary").click()
    file = take_away(pocket, tmp_path, "Everything, with corrections (JSON)")
    assert len(json.loads(file.read_text())["log"]) > 4, "what was taken back is told, too"

    bring(at_server, f"{server.url}/import/", file)
    at_server.wait_for_url(re.compile(r"/t/\w+/$"))
    there = at_server.url
    shown(at_server, 5)
    assert at_server.context.request.get(f"{there}export/full/").body() == file.read_bytes()

    bring(at_server, f"{server.url}/import/", file)
    at_server.wait_for_url(re.compile(r"/t/\w+/$"))
    assert at_server.url == there, "sent again, it is the same table"
    shown(at_server, 5)
    Thumb(at_server, version=5, names=thumb.names).record(events[3])


def test_a_group_is_sent_to_a_server_with_its_tables(pocket, server, at_server, tmp_path):
    pocket.goto("g/new/")
    pocket.get_by_label("Name of the group").fill("Thursday")
    for place, name in enumerate(NAMES):
        pocket.locator(f"#people-{place}").fill(name)
    pocket.get_by_role("button", name="Start the group").tap()
    pocket.locator(".pick-me", has_text="Ann").tap()
    pocket.frame.wait_for_url(re.compile(r"/g/[A-Z0-9]{8}/$"))
    group = found(r"g/\w+/$", pocket.frame.url)[0]
    told = whole_hand("oh-hell", 3)
    pocket.goto(f"new/oh-hell/?group={group[2:-1]}")
    for place, name in enumerate(NAMES):
        pocket.locator(f"#name-{place}").fill(name)
    pocket.locator("#deal").tap()
    shown(pocket.frame, 0)
    thumb = Thumb(pocket, names=list(NAMES))
    thumb.record(told["hands"][0]["events"][0])
    pocket.goto(f"{group}settings/")
    file = take_away(pocket, tmp_path, "Archive")

    bring(at_server, f"{server.url}/g/import/", file)
    at_server.wait_for_url(re.compile(r"/g/[A-Z0-9]{8}/"))
    there = found(r".*/g/[A-Z0-9]{8}/", at_server.url)[0]
    assert at_server.context.request.get(f"{there}export/archive/").body() == file.read_bytes()
    at_server.goto(there)
    expect(at_server.locator("main")).to_contain_text("Ann")


def test_the_final_score_is_shown_as_a_qr_code(pocket, host):
    told = whole_hand("ace-trump", 4)
    host.stop()
    thumb = Thumb(pocket)
    thumb.start_table(told)
    for event in told["hands"][0]["events"]:
        thumb.record(event)
    pocket.goto(found(r"t/\w+/$", pocket.frame.url)[0])
    code = pocket.locator("img[src$='score-code/']")
    pocket.locator("#score-code summary").click()
    code.scroll_into_view_if_needed()
    expect(code).to_have_js_property("complete", True)
    assert code.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 20
