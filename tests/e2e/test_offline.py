"""Playing offline: taps that wait and taps that were refused."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import follow
from tests.e2e.scripts import cases
from tests.e2e.test_taps import TEN, in_order, kept_on_disk, open_table, recorded, tap, wait_until, waiting
from tests.e2e.thumb import plate, shown

# --- What a device shows when opened offline


def kept(phone):
    """Wait until the device has cached this page."""
    wait_until(phone, "caches.match(location.pathname).then(Boolean)")


def record_tricks(phone):
    phone.get_by_text("Trick won by").tap()
    phone.get_by_role("link", name="Just record who wins each trick").tap()
    expect(phone.get_by_role("link", name="Go back to recording cards")).to_be_visible()


def win(phone, name):
    phone.locator(".plate", has_text=name).tap()


def test_a_table_recorded_by_tricks_reopens_offline_at_that_depth(phone):
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


def test_the_recording_depth_can_change_offline(phone):
    code = open_table(phone)
    kept(phone)
    record_tricks(phone)
    phone.context.set_offline(True)
    phone.get_by_role("link", name="Go back to recording cards").tap()
    phone.locator("#other-play > summary").tap()
    tap(phone, "8MS")
    assert waiting(phone) == 1
    phone.context.set_offline(False)
    shown(phone, 1)
    assert recorded(phone, code) == [(1, "8MS")]


def test_the_cached_front_page_lists_a_table_opened_later(phone):
    phone.goto("/")
    kept(phone)
    code = open_table(phone)
    wait_until(
        phone, "caches.match('/').then((copy) => copy?.text()).then((text) => !!text?.includes(location.pathname))"
    )
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


def test_a_cached_page_of_an_older_version_keeps_its_files(phone):
    phone.goto("/api/v1/games/")
    phone.evaluate(OLDER)
    phone.goto("/")
    wait_until(phone, f"{FILES}.then((all) => !all.includes('/static/scoring/nobody.0001.js'))")
    files = phone.evaluate(FILES)
    assert "/static/scoring/taps.0001.js" in files
    assert [name for name in files if "/app." in name]


# --- What the scripts decide about waiting taps, without a page: each case is a module's expression

WAITING = "[{ key: 'a' }, { key: 'b' }, { key: 'c', button: 'undo' }]"


@cases(
    ("nothing waits", "standing([])", []),
    ("an undo cancels the tap before it", f"standing({WAITING})", [{"key": "a"}]),
    ("a tap after an undo remains", "standing([{ key: 'a' }, { button: 'undo' }, { key: 'b' }])", [{"key": "b"}]),
    ("an undo of a recorded event", "standing([{ button: 'undo' }, { key: 'a' }])", [{"key": "a"}]),
    ("two undos cancel two taps", "standing([{}, {}, { button: 'undo' }, { button: 'undo' }])", []),
)
def test_which_queued_taps_remain(result, expression, expected):
    assert result("queue", f"queue.{expression}") == expected


@cases(
    ("nothing waits", "[]", None),
    ("the first waits to be sent", "[{ refused: null }]", None),
    ("the first was refused", "[{ refused: 409 }, { refused: null }]", 409),
    ("only the first counts", "[{ refused: null }, { refused: 409 }]", None),
)
def test_refusals_that_stop_the_queue(result, expression, expected):
    assert result("queue", f"queue.refusal({expression})") == expected


@cases(
    ("nothing was refused", "[{ refused: null }], { replacing: true, accepts: true }", False),
    ("nothing waits", "[], { replacing: true, accepts: true }", False),
    ("a refused card gives way to the next", "[{ refused: 409 }], { replacing: false, accepts: false }", True),
    ("not while others wait", "[{ refused: 409 }, {}], { replacing: false, accepts: false }", False),
    ("unless it is recorded as irregular", "[{ refused: 409 }, {}], { replacing: false, accepts: true }", True),
    ("or another card is to be tapped", "[{ refused: 412 }, {}], { replacing: true, accepts: false }", True),
)
def test_which_tap_replaces_a_refused_one(result, expression, expected):
    assert result("queue", f"queue.isInstead({expression})") == expected


PLACED = """(() => {
  const entries = %s;
  const { entry, replaced } = queue.place(entries, { key: "new" }, { instead: %s, version: 7, now: 1000 });
  const keys = (all) => all.map(({ key }) => key);
  return [entry.order, entry.expected, entry.refused, keys(entries), keys(replaced)];
})()"""
"""A new tap's order, expected version and refusal, all keys, and the keys it replaces."""
REFUSED = "[{ key: 'a', order: 900, refused: 409 }, { key: 'b', order: 950, expected: null }]"


@cases(
    ("the first tap uses the displayed version", PLACED % ("[]", "false"), [1000, 7, None, ["new"], []]),
    (
        "a queued tap expects the version before it",
        PLACED % ("[{ key: 'a', order: 900 }]", "false"),
        [1000, None, None, ["a", "new"], []],
    ),
    (
        "taps keep their order when the clock is set back",
        PLACED % ("[{ key: 'a', order: 5000 }]", "false"),
        [5001, None, None, ["a", "new"], []],
    ),
    ("a tap instead of a refused one is sent first", PLACED % (REFUSED, "true"), [900, 7, None, ["new", "b"], ["a"]]),
)
def test_where_a_tap_is_placed(result, expression, expected):
    assert result("queue", expression) == expected


TAKEN = """(() => {
  const all = %s;
  const next = queue.take(all, [all[0]], 8);
  return [next?.key ?? null, all];
})()"""
THREE = "[{ key: 'a' }, { key: 'b', expected: null }, { key: 'c', expected: null }]"


@cases(
    (
        "the next tap uses the recorded version",
        TAKEN % THREE,
        ["b", [{"key": "b", "expected": 8}, {"key": "c", "expected": None}]],
    ),
    ("nothing follows the last queued tap", TAKEN % "[{}]", [None, []]),
)
def test_what_follows_a_recorded_tap(result, expression, expected):
    assert result("queue", expression) == expected


MERGED = """(() => {
  const all = [%s { key: 'b', order: 2, expected: 5 }];
  const found = queue.merge(all, [%s { key: 'b', order: 2 }]);
  return [found.map(({ key }) => key), all.map(({ key, expected }) => [key, expected])];
})()"""
STORED = "{ key: 'c', order: 3, expected: 6 }, { key: 'a', order: 1, expected: 4 },"


@cases(
    ("stored entries come in order", MERGED % ("", STORED), [["c", "a"], [["a", 4], ["b", None], ["c", None]]]),
    (
        "without other stored taps the queue is unchanged",
        MERGED % ("{ key: 'a', order: 1, expected: 4 },", ""),
        [[], [["a", 4], ["b", 5]]],
    ),
)
def test_stored_taps_are_merged(result, expression, expected):
    assert result("queue", expression) == expected


@pytest.mark.parametrize(
    ("status", "of_table", "expected"),
    [
        (200, True, "recorded"),
        (200, False, "refused"),  # a captive portal's login page
        (403, False, "refused"),
        (404, False, "refused"),
        (409, True, "refused"),
        (412, True, "refused"),
        (422, True, "refused"),
        *((status, False, "again") for status in (408, 425, 429, 500, 502, 503)),
        (500, True, "again"),
    ],
)
def test_what_each_answer_means(result, status, of_table, expected):
    assert result("queue", f"queue.outcome({status}, {str(of_table).lower()})") == expected


@cases(
    ("all zeros", "new Uint8Array(16)", "00000000-0000-4000-8000-000000000000"),
    ("all ones", "new Uint8Array(16).fill(255)", "ffffffff-ffff-4fff-bfff-ffffffffffff"),
    (
        "each byte in two digits",
        "Uint8Array.from({ length: 16 }, (_, place) => place)",
        "00010203-0405-4607-8809-0a0b0c0d0e0f",
    ),
)
def test_an_idempotency_key_is_a_uuid(result, expression, expected):
    assert result("queue", f"queue.newKey({expression})") == expected


def test_no_two_idempotency_keys_are_alike(result):
    keys = result("queue", "[queue.newKey(), queue.newKey()]")
    assert len(set(keys)) == 2
    assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", key) for key in keys)


@cases(
    ("nothing was refused", "null, 2, false", False),
    ("the page shows a ruling with its choices", "409, 1, true", False),
    ("others wait behind it", "409, 2, true", True),
    ("the ruling is gone", "422, 1, false", True),
    ("the table has moved on", "412, 1, true", True),
)
def test_when_the_choice_sheet_is_needed(result, expression, expected):
    assert result("outbox_status", f"outbox_status.needsSheet({expression})") == expected


# --- If a tap in the middle is refused, everything behind it waits, and the table offers choices


def tap_out_of_turn(phone, name, code):
    plate(phone, name).tap()
    tap(phone, code)


def offline_with_a_card_out_of_turn(phone):
    """Play three cards offline, the middle one by Ann, who cannot be next."""
    code = open_table(phone)
    phone.context.set_offline(True)
    tap(phone, TEN[0])
    tap_out_of_turn(phone, "Ann", TEN[1])
    tap(phone, TEN[2])
    phone.context.set_offline(False)
    expect(phone.get_by_role("heading", name="Out of turn")).to_be_visible()
    expect(phone.locator("#stopped")).to_contain_text("Not recorded: Ann, Ace of Waves")
    expect(phone.locator("#stopped")).to_contain_text("Huntress")
    assert len(recorded(phone, code)) == 1
    return code


def test_a_refused_tap_is_recorded_as_irregular_and_the_rest_follows(phone, screenshot):
    code = offline_with_a_card_out_of_turn(phone)
    screenshot(phone, "stopped")
    phone.locator("#as-it-was").tap()
    shown(phone, 3)
    assert recorded(phone, code)[1] == (0, "AW")
    in_order(recorded(phone, code), TEN[:3])
    expect(phone.locator("#stopped")).to_be_hidden()


def test_another_card_can_replace_the_refused_tap(phone):
    code = offline_with_a_card_out_of_turn(phone)
    phone.get_by_role("button", name="Tap another instead").tap()
    tap(phone, "9WY")
    shown(phone, 3)
    in_order(recorded(phone, code), [TEN[0], "9WY", TEN[2]])


def test_the_refused_tap_can_be_skipped(phone):
    code = offline_with_a_card_out_of_turn(phone)
    phone.get_by_role("button", name="Skip it").tap()
    shown(phone, 2)
    in_order(recorded(phone, code), [TEN[0], TEN[2]])


def test_the_refused_tap_survives_a_reload(phone):
    code = offline_with_a_card_out_of_turn(phone)
    tap(phone, TEN[3])
    kept_on_disk(phone, 3)
    phone.reload()
    expect(phone.locator("#stopped")).to_contain_text("Not recorded: Ann, Ace of Waves")
    assert waiting(phone) == 3
    phone.get_by_role("button", name="Try again").tap()
    expect(phone.get_by_role("heading", name="Out of turn")).to_be_visible()
    phone.get_by_role("button", name="Skip it").tap()
    shown(phone, 3)
    in_order(recorded(phone, code), [TEN[0], TEN[2], TEN[3]])


def test_all_waiting_taps_can_be_dropped(phone):
    code = offline_with_a_card_out_of_turn(phone)
    phone.get_by_role("button", name="Drop them all").tap()
    expect(phone.locator("#stopped")).to_be_hidden()
    tap(phone, "9WY")
    shown(phone, 2)
    in_order(recorded(phone, code), [TEN[0], "9WY"])


def test_a_refused_card_gives_way_to_the_next_tap(phone):
    code = open_table(phone)
    tap_out_of_turn(phone, "Ann", TEN[0])
    expect(phone.get_by_role("heading", name="Out of turn")).to_be_visible()
    expect(phone.locator("#stopped")).to_be_hidden()
    tap(phone, TEN[1])
    shown(phone, 1)
    assert recorded(phone, code) == [(1, TEN[1])]


def test_a_stale_form_does_not_overwrite_another_phones_entry(phone):
    code = open_table(phone)
    phone.context.set_offline(True)
    tap(phone, TEN[0])
    tap(phone, TEN[1])
    form = phone.evaluate("[...new FormData(document.querySelector('form[data-event=play]'))]")
    # Playwright's own requests ignore that this phone is offline; they stand in for another phone.
    meanwhile = {**dict(form), "seat": "1", "cards": "XS"}
    assert phone.request.post(f"/t/{code}/record/", form=meanwhile).ok
    phone.context.set_offline(False)
    expect(phone.get_by_role("heading", name="The table has moved on")).to_be_visible()
    expect(phone.locator("#stopped")).to_contain_text("Diplomat")
    in_order(recorded(phone, code), ["XS"])
    phone.get_by_role("button", name="Try again").tap()
    shown(phone, 3)
    assert recorded(phone, code) == [(1, "XS"), (2, TEN[0]), (0, TEN[1])]


def test_the_effect_of_a_penalty_at_the_next_table_is_previewed(phone, screenshot):
    game = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2, "end": {"kind": "hands", "value": 1}}
    opened = phone.request.post("/api/v1/tables/", data=game).json()
    address, by = f"/api/v1/tables/{opened['code']}/", {"Authorization": f"Bearer {opened['token']}"}
    phone.request.post(f"{address}events/", data={"type": "result", "tricks": [5, 4, 3]}, headers=by)
    gone_on = phone.request.post(f"{address}continue/", data={"seats": ["Ann", "Bob", "Dee"]}, headers=by).json()
    follow(phone, f"/t/{opened['code']}/join/#{opened['token']}")
    phone.get_by_text("More", exact=True).tap()
    form = phone.locator("form[data-event=penalty]")
    phone.locator("details:has(form[data-event=penalty]) > summary").last.tap()
    form.locator(".chip", has_text="Bob").tap()
    form.locator("input[type=number]").fill("3")
    form.locator(".primary").tap()
    expect(phone.locator("#message")).to_contain_text("Bob 4 to 1")
    screenshot(phone, "later-table")
    assert phone.request.get(f"/api/v1/tables/{gone_on['code']}/").json()["carried"] == [5, 4, 0]
    phone.locator("#as-it-was").tap()
    shown(phone, 3)
    assert phone.request.get(f"/api/v1/tables/{gone_on['code']}/").json()["carried"] == [5, 1, 0]
