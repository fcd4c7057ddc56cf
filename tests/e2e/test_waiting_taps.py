"""What the scripts decide about taps that wait to be sent, without a page: each case is an expression of a module."""

import re

import pytest

from tests.e2e.scripts import cases

WAITING = "[{ key: 'a' }, { key: 'b' }, { key: 'c', button: 'undo' }]"


@cases(
    ("nothing waits", "standing([])", []),
    ("an undo takes the tap before it", f"standing({WAITING})", [{"key": "a"}]),
    ("a tap after an undo stands", "standing([{ key: 'a' }, { button: 'undo' }, { key: 'b' }])", [{"key": "b"}]),
    ("an undo of what is recorded", "standing([{ button: 'undo' }, { key: 'a' }])", [{"key": "a"}]),
    ("two undos take two", "standing([{}, {}, { button: 'undo' }, { button: 'undo' }])", []),
)
def test_what_stands_of_what_waits(result, expression, expected):
    assert result("queue", f"queue.{expression}") == expected


@cases(
    ("nothing waits", "[]", None),
    ("the first waits to be sent", "[{ refused: null }]", None),
    ("the first was refused", "[{ refused: 409 }, { refused: null }]", 409),
    ("only the first counts", "[{ refused: null }, { refused: 409 }]", None),
)
def test_what_stops_the_others(result, expression, expected):
    assert result("queue", f"queue.refusal({expression})") == expected


@cases(
    ("nothing was refused", "[{ refused: null }], { replacing: true, accepts: true }", False),
    ("nothing waits", "[], { replacing: true, accepts: true }", False),
    ("a card that was refused gives way to the next", "[{ refused: 409 }], { replacing: false, accepts: false }", True),
    ("not while others wait", "[{ refused: 409 }, {}], { replacing: false, accepts: false }", False),
    ("unless it is recorded as it was", "[{ refused: 409 }, {}], { replacing: false, accepts: true }", True),
    ("or another was to be tapped", "[{ refused: 412 }, {}], { replacing: true, accepts: false }", True),
)
def test_which_tap_takes_the_place_of_a_refused_one(result, expression, expected):
    assert result("queue", f"queue.isInstead({expression})") == expected


PLACED = """(() => {
  const entries = %s;
  const { entry, replaced } = queue.place(entries, { key: "new" }, { instead: %s, version: 7, now: 1000 });
  const keys = (all) => all.map(({ key }) => key);
  return [entry.order, entry.expected, entry.refused, keys(entries), keys(replaced)];
})()"""


def placed(result, entries, instead="false"):
    """Return order, expected version and refusal of a new tap, all keys, and those that it takes the place of."""
    return result("queue", PLACED % (entries, instead))


def test_the_first_tap_counts_on_the_version_that_is_shown(result):
    assert placed(result, "[]") == [1000, 7, None, ["new"], []]


def test_a_tap_behind_others_counts_on_the_one_before(result):
    assert placed(result, "[{ key: 'a', order: 900 }]") == [1000, None, None, ["a", "new"], []]


def test_taps_keep_their_order_where_the_clock_is_put_back(result):
    assert placed(result, "[{ key: 'a', order: 5000 }]")[0] == 5001


def test_a_tap_instead_of_a_refused_one_goes_before_all_others(result):
    waiting = "[{ key: 'a', order: 900, refused: 409 }, { key: 'b', order: 950, expected: null }]"
    assert placed(result, waiting, instead="true") == [900, 7, None, ["new", "b"], ["a"]]


def test_what_comes_next_counts_on_the_version_that_was_recorded(result):
    assert result(
        "queue",
        "(() => { const all = [{ key: 'a' }, { key: 'b', expected: null }, { key: 'c', expected: null }];"
        " const next = queue.take(all, [all[0]], 8); return [next.key, all]; })()",
    ) == ["b", [{"key": "b", "expected": 8}, {"key": "c", "expected": None}]]


def test_after_the_last_one_nothing_comes_next(result):
    assert result("queue", "(() => { const all = [{}]; return [queue.take(all, [...all], 8) ?? null, all]; })()") == [
        None,
        [],
    ]


def merged(result, entries, stored):
    return result(
        "queue",
        f"(() => {{ const all = {entries}; const found = queue.merge(all, {stored});"
        " return [found.map(({ key }) => key), all.map(({ key, expected }) => [key, expected])]; })()",
    )


def test_what_the_disk_has_besides_is_put_in_by_its_order(result):
    entries = "[{ key: 'b', order: 2, expected: 5 }]"
    stored = "[{ key: 'c', order: 3, expected: 6 }, { key: 'a', order: 1, expected: 4 }, { key: 'b', order: 2 }]"
    assert merged(result, entries, stored) == [["c", "a"], [["a", 4], ["b", None], ["c", None]]]


def test_where_the_disk_has_nothing_else_all_stays(result):
    entries = "[{ key: 'a', order: 1, expected: 4 }, { key: 'b', order: 2, expected: 5 }]"
    assert merged(result, entries, "[{ key: 'b', order: 2 }]") == [[], [["a", 4], ["b", 5]]]


@pytest.mark.parametrize(
    ("status", "of_table", "expected"),
    [
        (200, True, "recorded"),
        (200, False, "refused"),  # a page of the network, which wants a password
        (403, False, "refused"),
        (404, False, "refused"),
        (409, True, "refused"),
        (412, True, "refused"),
        (422, True, "refused"),
        *((status, False, "again") for status in (408, 425, 429, 500, 502, 503)),
        (500, True, "again"),
    ],
)
def test_what_an_answer_means(result, status, of_table, expected):
    assert result("queue", f"queue.outcome({status}, {str(of_table).lower()})") == expected


@cases(
    ("nothing random", "new Uint8Array(16)", "00000000-0000-4000-8000-000000000000"),
    ("all that can be", "new Uint8Array(16).fill(255)", "ffffffff-ffff-4fff-bfff-ffffffffffff"),
    (
        "each byte in two digits",
        "Uint8Array.from({ length: 16 }, (_, place) => place)",
        "00010203-0405-4607-8809-0a0b0c0d0e0f",
    ),
)
def test_a_key_is_a_uuid(result, expression, expected):
    assert result("queue", f"queue.newKey({expression})") == expected


def test_no_two_keys_are_alike(result):
    keys = result("queue", "[queue.newKey(), queue.newKey()]")
    assert len(set(keys)) == 2
    assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", key) for key in keys)


@cases(
    ("nothing was refused", "null, 2, false", False),
    ("a ruling with its choices is on the page", "409, 1, true", False),
    ("others wait behind it", "409, 2, true", True),
    ("the ruling is gone", "422, 1, false", True),
    ("the table has moved on", "412, 1, true", True),
)
def test_when_the_sheet_of_choices_is_needed(result, expression, expected):
    assert result("outbox_status", f"outbox_status.needsSheet({expression})") == expected
