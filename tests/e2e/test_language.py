"""One tap changes the language, and everything follows: live updates, cached pages, pages in the background."""

import pytest
from django.conf import settings
from django.utils.translation import gettext, override
from playwright.sync_api import expect

from tests.e2e.test_for_everybody import table, unfold
from tests.e2e.test_taps import open_table, tap, wait_until
from tests.e2e.thumb import TABLES, shown

GAMES = dict(reversed(TABLES))
SMALLEST = 44
# Text wider than its box and not meant to be cut off, or a box that extends beyond the screen.
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  const meant = ".visually-hidden, .scroll, .skip, .waiting-pill, .pad, [hidden]";
  const boxes = ".button, .chip-button, .chip-link, summary, td, th, .quiet";
  const beyond = (e) => e.getBoundingClientRect().right > width + 1;
  const bursts = (e) => e.matches(boxes) && e.scrollWidth > e.clientWidth + 1;
  return [...document.querySelectorAll("body *")]
    .filter((e) => e.getBoundingClientRect().width && !e.closest(meant) && (beyond(e) || bursts(e)))
    .map((e) => `${e.tagName} ${e.className}: ${e.textContent.trim().slice(0, 40)}`);
}"""


def choose(tab, name):
    tab.locator("#display").evaluate("(sheet) => sheet.showPopover()")
    tab.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_tap_changes_the_language(phone, scheme):
    phone.emulate_media(color_scheme=scheme)
    phone.goto("/ask/ace-trump/trick/?cards=8MS&cards=XS")
    phone.get_by_role("button", name="Display").tap()
    for _code, name in settings.LANGUAGES:
        box = phone.get_by_role("button", name=name, exact=True).bounding_box()
        assert min(box["width"], box["height"]) >= SMALLEST
    choose(phone, "Deutsch")
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    assert phone.url.endswith("/ask/ace-trump/trick/?cards=8MS&cards=XS")
    expect(phone.get_by_role("link", name="Link zu dieser Antwort")).to_be_visible()
    phone.get_by_role("button", name="Anzeige").tap()
    expect(phone.get_by_role("button", name="Deutsch")).to_have_attribute("aria-current", "true")
    phone.get_by_role("button", name="Schließen").tap()
    # A script has changed the address since the page loaded.
    phone.locator("#ask-cards-XM").tap()
    expect(phone.locator("input[type=hidden][name=cards]")).to_have_count(3)
    choose(phone, "English")
    expect(phone.get_by_role("link", name="Link to this answer")).to_be_visible()
    assert phone.url.endswith("?cards=8MS&cards=XS&cards=XM")


def test_updates_appear_in_each_readers_language(phone, page):
    open_table(phone)
    page.goto(phone.url)
    choose(page, "Deutsch")
    expect(page.locator(".status")).to_contain_text("Bob spielt aus")
    tap(phone, "8MS")
    expect(page.locator(".status")).to_contain_text("Cy bedient")
    expect(page.locator("#announce")).to_contain_text("Cy bedient")
    expect(phone.locator(".status")).to_contain_text("Cy follows")
    choose(phone, "Deutsch")
    tap(phone, "AW")
    shown(phone, 2)
    expect(phone.locator(".status")).to_contain_text("Ann spielt die letzte Karte")


def test_cached_pages_come_up_in_the_chosen_language(phone):
    open_table(phone)
    phone.evaluate("navigator.serviceWorker.ready")
    wait_until(phone, "caches.match(location.pathname).then(Boolean)")
    kept = phone.url
    phone.goto("/")
    wait_until(phone, "caches.match('/').then(Boolean)")
    choose(phone, "Deutsch")
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    for path in ("/", "/offline/", kept):
        copy = f"caches.match('{path}', {{ ignoreVary: true }}).then((copy) => copy?.text())"
        wait_until(phone, f"{copy}.then((text) => text?.includes('lang=\"de\"'))")
    phone.context.set_offline(True)
    phone.goto(kept)
    expect(phone.locator(".status")).to_contain_text("Bob spielt aus")
    tap(phone, "8MS")
    expect(phone.locator("#waiting")).to_contain_text("hier gespeichert")
    # Offline no language can be chosen, and nothing is lost.
    choose(phone, "English")
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    phone.goto("/ask/")
    expect(phone.locator("h1")).to_have_text("Keine Verbindung")
    phone.context.set_offline(False)
    phone.goto(kept)
    shown(phone, 1)


def test_a_cross_site_form_clears_no_cached_page(phone, server):
    open_table(phone)
    phone.evaluate("navigator.serviceWorker.ready")
    wait_until(phone, "caches.match(location.pathname).then(Boolean)")
    kept = phone.url
    phone.evaluate("caches.open('pages').then((pages) => pages.put('/t/MARK/', new Response('kept')))")
    form = f'<form action="{server.url}/language/" method="post"><button name="language" value="de">Win</button></form>'
    phone.route("http://elsewhere.test/", lambda route: route.fulfill(body=form, content_type="text/html"))
    phone.goto("http://elsewhere.test/")
    phone.get_by_role("button", name="Win").tap()
    expect(phone.locator("h1")).to_have_text("That didn’t go through")
    phone.goto("/new/")
    assert phone.evaluate("async () => Boolean(await caches.match('/t/MARK/'))")
    phone.goto(kept)
    expect(phone.locator("html")).to_have_attribute("lang", "en")


def test_a_page_in_the_back_forward_cache_changes_language_too(phone):
    phone.goto("/new/")
    phone.goto("/ask/")
    choose(phone, "Deutsch")
    # Playwright waits for a load event, which a page from the back-forward cache does not fire.
    phone.evaluate("setTimeout(() => history.go(-2))")
    expect(phone.locator("h1")).to_have_text("Was spielt ihr?")


@pytest.mark.parametrize(("code", "name"), settings.LANGUAGES[1:])
def test_every_language_fits_on_a_small_phone(phone, code, name):
    phone.goto("/")
    choose(phone, name)
    expect(phone.locator("html")).to_have_attribute("lang", code)
    for path in ("/", "/new/", "/new/american-deuce/", "/import/", "/ask/", "/ask/ace-trump/trick/", "/games/ace-pit/"):
        phone.goto(path)
        assert phone.evaluate(TOO_WIDE) == [], path
    for game, players in GAMES.items():
        address = opened(phone, table(game, players), code)
        for part in ("", "share/", "log/", "screen/", "continue/"):
            phone.goto(address + part)
            unfold(phone)
            assert phone.evaluate(TOO_WIDE) == [], (game, part)


def opened(phone, told, code) -> str:
    """Open a table on a phone in this language; return its address."""
    with override(code):
        label = gettext("Player %(number)s")
    phone.goto(f"/new/{told['game']}/")
    for seat, name in enumerate(told["seats"]):
        phone.get_by_label(label % {"number": seat + 1}, exact=True).fill(name)
    phone.locator("#deal").tap()
    shown(phone, 0)
    return phone.url
