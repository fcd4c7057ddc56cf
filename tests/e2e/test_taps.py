"""Taps show at once and are recorded once, in order, whatever the network and the server do."""

import re
from contextlib import contextmanager
from threading import Event
from time import monotonic
from urllib.parse import urlsplit

from playwright.sync_api import Route, expect

from tests.e2e.conftest import PATIENCE
from tests.e2e.test_for_everybody import table
from tests.e2e.thumb import Thumb, shown
from tests.scoring.live.driving import free_port, serving

TEN = ["8MS", "AW", "XM", "9MS", "2MK", "7WY", "4WL", "AM", "5SW", "3SK"]
"""Ten cards of a three-player hand, each of which a hidden Ace Trump hand may have played."""


def open_table(phone, *, server=None):
    """Open a table for three on this phone, wherever its server is."""
    if server is not None:
        phone.goto(f"http://127.0.0.1:{server.port}/")
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 3))
    return urlsplit(phone.url).path.split("/")[2]


def tap(phone, code):
    Thumb(phone).put_aside()
    phone.locator(f'#table button[name=cards][value="{code}"]').tap()


def waiting(phone):
    return int(phone.locator("#waiting [data-count]").text_content())


ON_DISK = """new Promise((resolve) => {
  const opening = indexedDB.open("card-table");
  opening.onsuccess = () => {
    const counting = opening.result.transaction("taps").objectStore("taps").count();
    counting.onsuccess = () => resolve(counting.result);
    opening.result.close();
  };
})"""


def kept_on_disk(phone, count):
    """Wait until the device has stored this many taps."""
    wait_until(phone, f"{ON_DISK}.then((count) => count === {count})")


def recorded(phone, code):
    """Return the table's log: who played what, oldest first."""
    log = phone.request.get(f"/api/v1/tables/{code}/events/").json()["events"]
    return [(entry["event"]["seat"], *entry["event"]["cards"]) for entry in log]


def wait_until(phone, promised):
    """Wait until what a page promises comes true; `wait_for_function` accepts the promise itself as an answer."""
    until = monotonic() + PATIENCE / 1000
    while not phone.evaluate(promised):
        assert monotonic() < until, f"Never true: {promised}"
        phone.wait_for_timeout(50)


@contextmanager
def unanswered(phone):
    """Hold back answers to taps, however long it takes to see what the phone shows meanwhile."""
    held: list[Route] = []
    free = Event()
    phone.route("**/record/", lambda route: route.continue_() if free.is_set() else held.append(route))
    yield
    free.set()
    for route in held:
        route.continue_()


def in_order(played, codes):
    assert [card for _, card in played] == codes


def test_taps_faster_than_answers_are_all_recorded_in_order(phone):
    code = open_table(phone)
    with unanswered(phone):
        for card in TEN[:5]:
            tap(phone, card)
        assert waiting(phone) == 5
    shown(phone, 5)
    played = recorded(phone, code)
    in_order(played, TEN[:5])
    # The server knew whose turn it was: Ann did not play them all.
    assert [seat for seat, _ in played[:3]] == [1, 2, 0]
    expect(phone.locator(".waiting")).to_have_count(0)


def test_a_tap_shows_before_the_server_answers(phone):
    open_table(phone)
    with unanswered(phone):
        tap(phone, "8MS")
        card = phone.locator('#table button[value="8MS"]')
        expect(card).to_have_class(re.compile("waiting"))
        expect(card).to_have_attribute("aria-disabled", "true")
        expect(phone.locator("#announce")).to_have_text("Diplomat (8 of Moons and Suns): noted")
        expect(phone.locator("#waiting")).to_contain_text("sending")
    shown(phone, 1)


def test_going_offline_during_a_trick_loses_and_doubles_nothing(phone, screenshot):
    code = open_table(phone)
    tap(phone, TEN[0])
    shown(phone, 1)
    phone.context.set_offline(True)
    for card in TEN[1:]:
        tap(phone, card)
        # A finger unsure whether its tap registered.
        phone.locator(f'#table button[name=cards][value="{card}"]').tap(force=True)
    expect(phone.locator("#waiting")).to_contain_text("9")
    expect(phone.locator("#waiting")).to_contain_text("saved on this phone")
    screenshot(phone, "offline")
    phone.context.set_offline(False)
    shown(phone, 10)
    in_order(recorded(phone, code), TEN)
    expect(phone.locator("#waiting")).to_be_hidden()


def test_a_card_undone_offline_can_be_played_later(phone):
    code = open_table(phone)
    phone.context.set_offline(True)
    tap(phone, "XM")
    phone.locator("#undo").tap()
    expect(phone.locator('#table button[value="XM"]')).not_to_have_class(re.compile("waiting"))
    for card in ("8MS", "AW", "XM"):
        tap(phone, card)
    phone.context.set_offline(False)
    shown(phone, 5)
    log = phone.request.get(f"/api/v1/tables/{code}/events/").json()["events"]
    stands = [entry["event"]["cards"] for entry in log if entry["event"] and entry["amended_by"] is None]
    assert stands == [["8MS"], ["AW"], ["XM"]]


def test_an_offline_reload_resumes_where_it_was(phone):
    code = open_table(phone)
    phone.evaluate("navigator.serviceWorker.ready")
    wait_until(phone, "caches.match(location.pathname).then(Boolean)")
    for version, card in enumerate(TEN[:4], 1):
        tap(phone, card)
        shown(phone, version)
    phone.context.set_offline(True)
    for card in TEN[4:7]:
        tap(phone, card)
    kept_on_disk(phone, 3)
    phone.reload()
    shown(phone, 4)
    expect(phone.locator("#waiting")).to_contain_text("3")
    expect(phone.locator('#table button[value="2MK"]')).to_have_class(re.compile("waiting"))
    for card in TEN[7:]:
        tap(phone, card)
    phone.context.set_offline(False)
    shown(phone, 10)
    in_order(recorded(phone, code), TEN)


def test_a_request_whose_response_is_lost_is_retried(phone):
    code = open_table(phone)
    lost: list[int] = []

    def lose(route):
        """Pass the request on and cut the connection before the answer; the second request gets through."""
        if len(lost) < 2:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    phone.route("**/record/", lose)
    for card in TEN[:3]:
        tap(phone, card)
    shown(phone, 3)
    assert lost == [200, 200]
    in_order(recorded(phone, code), TEN[:3])


def test_a_server_killed_and_restarted_loses_no_tap(browser, tmp_path):
    port = free_port()
    context = browser.new_context(base_url=f"http://127.0.0.1:{port}", has_touch=True, locale="en")
    phone = context.new_page()
    with serving(tmp_path, port=port) as server:
        code = open_table(phone, server=server)
        tap(phone, TEN[0])
        shown(phone, 1)
    # Leaving the block killed it without warning.
    for card in TEN[1:6]:
        tap(phone, card)
    expect(phone.locator("#waiting")).to_contain_text("saved on this phone")
    with serving(tmp_path, port=port):
        shown(phone, 6)
        in_order(recorded(phone, code), TEN[:6])
    context.close()


PLAIN = """
async () => {
  const plain = (table) => {
    const copy = table.cloneNode(true);
    for (const said of copy.querySelectorAll("time, [data-number]")) said.textContent = "";
    for (const mark of copy.querySelectorAll("[name=csrfmiddlewaretoken], [data-present]")) mark.remove();
    for (const shown of copy.querySelectorAll("[hidden], [open], [aria-pressed]")) {
      for (const name of ["hidden", "open", "aria-pressed"]) shown.removeAttribute(name);
    }
    for (const key of copy.querySelectorAll(".pad .card")) {
      const said = [...key.attributes].sort((one, other) => one.name.localeCompare(other.name));
      for (const { name } of said) key.removeAttribute(name);
      for (const { name, value } of said) key.setAttribute(name, value);
    }
    return copy.innerHTML.replace(/<!--.*?-->/gs, "").replace(/\\s+/g, " ").replace(/> </g, "><");
  };
  const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  return [plain(document.getElementById("table")), plain(fresh.getElementById("table"))];
}
"""


def test_after_every_tap_the_page_equals_a_fresh_one(phone):
    open_table(phone)
    for number, card in enumerate(TEN[:8], 1):
        tap(phone, card)
        shown(phone, number)
        kept, fresh = phone.evaluate(PLAIN)
        assert kept == fresh, card
    Thumb(phone).put_aside()
    phone.locator("#undo").tap()
    shown(phone, 9)
    kept, fresh = phone.evaluate(PLAIN)
    assert kept == fresh


def test_open_folds_stay_open_when_content_is_inserted_above(phone):
    """The first points add a curve between the score sheet and the log."""
    open_table(phone)
    for fold in ("#fold-log", "#download"):
        phone.locator(f"{fold} > summary").tap()
    for code in ("8MS", "XS", "XM"):
        tap(phone, code)
    expect(phone.locator("#fold-curve")).to_have_count(1)
    for fold in ("#fold-log", "#download"):
        expect(phone.locator(fold)).to_have_attribute("open", "")
    for fold in ("#more", "#irregularities[open]"):
        expect(phone.locator(fold)).to_have_count(int(fold == "#more"))
    expect(phone.locator("#more")).not_to_have_attribute("open", "")


def test_a_pending_choice_survives_other_entries(phone):
    thumb = Thumb(phone)
    thumb.open_table(table("american-deuce", 4))
    for seat, suit in zip((0, 1, 2), "SHC", strict=True):
        thumb.record({"type": "suit", "seat": seat, "suit": suit})
    phone.locator(".single-or-several .chip").last.tap()
    cards = phone.locator("form[data-event=play] label.card")
    cards.nth(3).tap()
    cards.nth(5).tap()
    phone.get_by_text("More").tap()
    code = urlsplit(phone.url).path.split("/")[2]
    form = phone.evaluate("[...new FormData(document.querySelector('form[data-event=note]'))]")
    token = phone.locator("#waiting").get_attribute("data-token")
    note = {**dict(form), "csrfmiddlewaretoken": token, "text": "The soup is ready."}
    assert phone.request.post(f"/t/{code}/record/", form=note).ok
    shown(phone, 4)
    assert phone.locator("form[data-event=play] input[name=cards]:checked").count() == 2
    expect(phone.locator("summary", has_text="Note")).to_be_visible()


def test_tapping_a_card_repeatedly_plays_it_once(phone):
    """Answers wait while taps follow each other, on a page that does not know its phone yet; the key stays pressed."""
    code = open_table(phone)
    tap(phone, TEN[0])
    shown(phone, 1)
    phone.reload()
    answered = []
    phone.on("response", lambda answer: answered.append(answer.status) if answer.url.endswith("/record/") else None)
    key = phone.locator(f'#table button[name=cards][value="{TEN[1]}"]')
    for _ in range(8):
        key.click(force=True)
        phone.wait_for_timeout(200)
    shown(phone, 2)
    assert answered == [200]
    in_order(recorded(phone, code), TEN[:2])
