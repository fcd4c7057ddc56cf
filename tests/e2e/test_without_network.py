"""What a device shows when it is opened without a network."""

from playwright.sync_api import expect

from tests.e2e.test_taps import kept_on_disk, open_table, recorded, tap, wait_until, waiting
from tests.e2e.thumb import shown


def kept(phone):
    """Wait until the device keeps this page."""
    wait_until(phone, "caches.match(location.pathname).then(Boolean)")


def record_tricks(phone):
    phone.get_by_text("Trick won by").tap()
    phone.get_by_role("link", name="Record every trick like this").tap()
    expect(phone.get_by_role("link", name="Record every card again")).to_be_visible()


def win(phone, name):
    phone.locator("form.ask[data-event=trick] button", has_text=name).tap()


def test_a_table_recorded_by_tricks_opens_as_it_was(phone):
    open_table(phone)
    kept(phone)
    record_tricks(phone)
    win(phone, "Bob")
    shown(phone, 1)
    phone.context.set_offline(True)
    win(phone, "Cy")
    kept_on_disk(phone, 1)
    phone.reload()
    expect(phone.locator("#waiting")).to_contain_text("1")
    win(phone, "Cy")
    phone.context.set_offline(False)
    shown(phone, 3)


def test_asking_for_another_depth_does_not_lose_the_table(phone):
    code = open_table(phone)
    kept(phone)
    record_tricks(phone)
    phone.context.set_offline(True)
    phone.get_by_role("link", name="Record every card again").tap()
    phone.locator("#other-play > summary").tap()
    tap(phone, "8MS")
    assert waiting(phone) == 1
    phone.context.set_offline(False)
    shown(phone, 1)
    assert recorded(phone, code) == [(1, "8MS")]


def test_the_front_page_knows_a_table_that_was_opened_since(phone):
    phone.goto("/")
    kept(phone)
    code = open_table(phone)
    wait_until(phone, "caches.match('/').then((copy) => copy.text()).then((text) => text.includes(location.pathname))")
    phone.context.set_offline(True)
    phone.goto("/")
    phone.locator(f"a[href='/t/{code}/']").tap()
    tap(phone, "8MS")
    assert waiting(phone) == 1


OLDER = """async () => {
  const page = '<script src="/static/scoring/taps.0001.js"></script>';
  await (await caches.open("pages")).put("/t/OLDER/", new Response(page, { headers: { "Content-Type": "text/html" } }));
  const files = await caches.open("files");
  for (const name of ["taps", "nobody"]) await files.put(`/static/scoring/${name}.0001.js`, new Response("older"));
}"""
FILES = "caches.open('files').then((files) => files.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))"


def test_a_page_kept_from_an_older_version_keeps_its_files(phone):
    phone.goto("/api/v1/games/")
    phone.evaluate(OLDER)
    phone.goto("/")
    wait_until(phone, f"{FILES}.then((all) => !all.includes('/static/scoring/nobody.0001.js'))")
    files = phone.evaluate(FILES)
    assert "/static/scoring/taps.0001.js" in files
    assert [name for name in files if "/app." in name]
