"""What the pages' scripts decide without a page: each case is an expression of a module and what comes of it."""

import re
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT

FOLDER = ROOT / "scoring" / "static" / "scoring"
ADDRESS = "http://scripts.test/"


@pytest.fixture(scope="module")
def blank(browser):
    """A blank page, which finds the modules as they are written, and nothing else."""
    context = browser.new_context(locale="en")
    tab = context.new_page()

    def answer(route):
        name = Path(route.request.url.partition("?")[0]).name
        if name.endswith(".js"):
            route.fulfill(path=FOLDER / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>Blank</title>", content_type="text/html")

    tab.route("**/*", answer)
    tab.goto(ADDRESS)
    yield tab
    context.close()


@pytest.fixture
def result(blank, request):
    """Return what comes of an expression about a module, which is loaded anew for each test."""

    def result(module, expression):
        return blank.evaluate(
            f"import('{ADDRESS}{module}.js?{hash(request.node.name)}').then(({module}) => {expression})"
        )

    return result


def cases(*rows):
    """Parametrize by rows of a name, an expression and what comes of it."""
    return pytest.mark.parametrize(("expression", "expected"), [row[1:] for row in rows], ids=[row[0] for row in rows])


def test_every_module_loads_as_it_is_written(blank):
    troubles = []
    blank.on("pageerror", lambda error: troubles.append(str(error)))
    for entry in ("app", "new_table", "joining"):
        blank.evaluate(f"import('{ADDRESS}{entry}.js').then(() => null)")
    loaded = blank.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert {Path(name).name for name in loaded if "?" not in name} >= {path.name for path in FOLDER.glob("*.js")}
    assert troubles == []


# --- The taps that wait ---------------------------------------------------------------------------------------------

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


# --- Pauses ---------------------------------------------------------------------------------------------------------


@cases(
    ("at the earliest", "scattered(1000, 0)", 500),
    ("at the latest", "scattered(1000, 1)", 1500),
    ("longer each time", "longer(500, 15000)", 1000),
    ("but not for ever", "longer(8000, 15000)", 15000),
)
def test_how_long_to_wait(result, expression, expected):
    assert result("pauses", f"pauses.{expression}") == expected


@cases(
    ("a quick device shows at once", "{ cost: 1, came: 1000, last: 0, touched: 0 }", 4),
    ("answers rest after one another", "{ cost: 50, came: 1000, last: 990, touched: 0 }", 1140),
    ("a slow device does not rest for long", "{ cost: 500, came: 1000, last: 990, touched: 0 }", 1240),
    ("a finger that taps goes first", "{ cost: 50, came: 1000, last: 0, touched: 1100 }", 1300),
    ("but not for ever", "{ cost: 50, came: 1000, last: 0, touched: 1800 }", 1600),
    ("nor on the slowest", "{ cost: 500, came: 1000, last: 0, touched: 9000 }", 1900),
)
def test_when_an_answer_is_shown(result, expression, expected):
    assert result("render", f"render.whenToShow({expression})") == expected


# --- What travels ---------------------------------------------------------------------------------------------------

TWO = "<!--[aaaaaaa--><b>1</b><!--]--><i><!--[bbbbbbb-->2<!--]--></i>"


@cases(
    ("the version of a table", "'<div id=table data-version=\"12\">'", 12),
    ("the first of several", '\'<p data-version="3"><p data-version="4">\'', 3),
    ("none", "'<p>503</p>'", -1),
)
def test_the_version_of_an_answer(result, expression, expected):
    assert result("page", f"page.versionOf({expression})") == expected


@cases(
    ("what a page has", f"learn('{TWO}'), parts.known()", ["aaaaaaa", "bbbbbbb"]),
    ("what an answer names it has, too", "learn('<!--=ccccccc-->'), parts.known()", ["ccccccc"]),
    (
        "an answer without parts changes nothing",
        f"learn('{TWO}'), parts.learn('<p>'), parts.known()",
        ["aaaaaaa", "bbbbbbb"],
    ),
    ("what stands twice is named once", f"learn('{TWO}{TWO}'), parts.known()", ["aaaaaaa", "bbbbbbb"]),
    ("a part by its mark", f"learn('{TWO}'), parts.part('bbbbbbb')", "<!--[bbbbbbb-->2<!--]-->"),
    ("a part that is not there is empty", "part('ccccccc')", "<!--[ccccccc--><!--]-->"),
    ("places become marks", "named('<!--=0-1-->x<!--=3-3-->', ['a', 'b', 'c', 'd'])", "<!--=a--><!--=b-->x<!--=d-->"),
    (
        "what is named is filled in",
        f"learn('{TWO}'), parts.whole('<u><!--=aaaaaaa--></u>')",
        "<u><!--[aaaaaaa--><b>1</b><!--]--></u>",
    ),
    (
        "a form counts on the version of the answer",
        'whole(\'<p data-version="9"><input name="version" value="4">\')',
        '<p data-version="9"><input name="version" value="9">',
    ),
)
def test_parts(result, expression, expected):
    assert result("parts", f"(parts.{expression})") == expected


MANY = """(() => {
  const mark = (number) => String(number).padStart(7, "0");
  for (let n = 0; n < 700; n++) parts.learn(`<!--[${mark(n)}-->${n}<!--]--><!--=0000000-->`);
  return [parts.known(), ...[0, 99, 100, 101, 699].map((n) => parts.part(mark(n)))];
})()"""


def test_old_parts_are_forgotten_but_none_that_the_page_has(result):
    known, *parts = result("parts", MANY)
    assert sorted(known) == ["0000000", "0000699"]
    assert [re.sub("<!--.*?-->", "", part) for part in parts] == ["0", "", "", "101", "699"]


# --- Answers onto the page ------------------------------------------------------------------------------------------

MORPHED = """(async () => {
  const element = (html) => Object.assign(document.createElement("template"), { innerHTML: html }).content.firstChild;
  const { learn } = await import("http://scripts.test/parts.js");
  document.body.innerHTML = `%s`;
  const old = document.body.firstElementChild;
  learn(old.outerHTML);
  const there = new Map([...old.querySelectorAll("[id]")].map((each) => [each.id, each]));
  %s;
  const added = morph.morph(old, element(`%s`));
  const stays = [...old.querySelectorAll("[id]")].filter((each) => there.get(each.id) === each).map(({ id }) => id);
  return [old.innerHTML, stays, added.map(({ id }) => id)];
})()"""


@pytest.mark.parametrize(
    ("old", "act", "fresh", "expected"),
    [
        ("<i id=a>1</i><b id=b></b>", "", "<i id=a>2</i><b id=b></b>",
         ['<i id="a">2</i><b id="b"></b>', ["a", "b"], []]),
        ("<i id=a></i><i id=b></i>", "", "<i id=b></i>", ['<i id="b"></i>', ["b"], []]),
        ("<i id=b></i>", "", "<i id=a></i><i id=b></i>", ['<i id="a"></i><i id="b"></i>', ["b"], ["a"]]),
        ("<i id=a title=x lang=y></i>", "", "<i id=a title=z></i>", ['<i id="a" title="z"></i>', ["a"], []]),
        ("<details id=a></details>", "there.get('a').open = true", "<details id=a class=x></details>",
         ['<details id="a" open="" class="x"></details>', ["a"], []]),
        ("<!--[aaaaaaa--><i id=a></i><!--]--><b id=b></b>", "", "<!--=aaaaaaa--><b id=b>1</b>",
         ['<!--[aaaaaaa--><i id="a"></i><!--]--><b id="b">1</b>', ["a", "b"], []]),
        ("<!--[aaaaaaa--><i id=a></i><!--]-->", "", "<p id=p><!--=aaaaaaa--></p>",
         ['<p id="p"><!--[aaaaaaa--><i id="a"></i><!--]--></p>', [], ["p"]]),
    ],
    ids=[
        "what differs is changed in its place",
        "what is gone goes",
        "what is new comes, and the rest stays",
        "attributes follow",
        "a fold stays open",
        "a part that is named stays",
        "and is drawn anew where it stands elsewhere",
    ],
)  # fmt: skip
def test_an_answer_changes_only_what_differs(result, old, act, fresh, expected):
    assert result("morph", MORPHED % (f"<div>{old}</div>", act, f"<div>{fresh}</div>")) == expected


TICKED = """(() => {
  document.body.innerHTML = `<form><input type="checkbox" id="a"><input type="checkbox" id="b" checked></form>`;
  const [form] = document.forms;
  form.a.checked = true;
  form.b.checked = false;
  const fresh = form.cloneNode(true);
  fresh.className = "other";
  fresh.elements.a.disabled = %s;
  morph.morph(form, fresh);
  return [form.a.checked, form.b.checked];
})()"""


def test_what_is_ticked_stays_ticked_while_it_may_be(result):
    assert result("morph", TICKED % "false") == [True, True]
    assert result("morph", TICKED % "true") == [False, True]


SHOWN = """(async () => {
  document.body.innerHTML = `<div id="table" data-version="3">3</div>`;
  const answer = (version) => `<div id="table" data-version="${version}">${version}</div>`;
  const news = [2, 3, 4].map((version) => render.isNews(answer(version)));
  render.show(answer(2));
  const shown = new Promise((done) => document.addEventListener("table-shown", done, { once: true }));
  render.show(answer(5));
  render.show(answer(4));
  await shown;
  return [news, document.body.textContent];
})()"""


def test_a_version_never_goes_back(result):
    assert result("render", SHOWN) == [[False, False, True], "5"]


# --- Cards, people, languages ---------------------------------------------------------------------------------------

CARDS = "[['8ms', 'diplomat'], ['2mk', 'origin'], ['am', 'ace of moons'], ['as', 'ace of suns'], ['a', 'anchor']]"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("8ms", [0]),
        ("8sm", [0]),
        ("8", [0]),
        ("dipl", [0]),
        ("ace", [2, 3]),
        ("ace of s", [3]),
        ("a", [4]),
        ("9", []),
        ("sm", []),
    ],
)
def test_typing_finds_a_card_by_its_code_or_its_name(result, typed, expected):
    cards = f"{CARDS}.map(([code, name]) => ({{ code, name }}))"
    assert result("card_search", f"card_search.fitting('{typed}', {cards})") == expected


COMPANY = "{ seats: [0, 2], scorekeepers: 1, spectators: 3, links: [17] }"


@cases(
    ("a seat with its phone", f"'seat-2', {COMPANY}", 1),
    ("a seat without", f"'seat-1', {COMPANY}", 0),
    ("scorekeepers", f"'scorekeepers', {COMPANY}", 1),
    ("spectators", f"'spectators', {COMPANY}", 3),
    ("a link", f"'link-17', {COMPANY}", 1),
    ("links are told to scorekeepers alone", "'link-17', { seats: [] }", 0),
)
def test_who_is_connected(result, expression, expected):
    assert result("presence", f"presence.count({expression})") == expected


@cases(
    ("one of many cookies", "'a=1; language=de; b=2'", "de"),
    ("the first", "'language=en'", "en"),
    ("another that ends alike", "'my_language=de'", None),
    ("none", "''", None),
)
def test_the_language_that_was_chosen(result, expression, expected):
    assert result("courtesies", f"courtesies.chosenLanguage({expression}) ?? null") == expected


@cases(
    ("up", "['a', 'b', 'c'], 2, 0", ["c", "a", "b"]),
    ("down", "['a', 'b', 'c'], 0, 1", ["b", "a", "c"]),
    ("to its own place", "['a', 'b'], 1, 1", ["a", "b"]),
)
def test_a_name_moves_to_another_place(result, expression, expected):
    assert result("seating", f"seating.moved({expression})") == expected


HOST = "https://cards.test"


@cases(
    ("at a table", f"'{HOST}/games/ace-trump/#AT-9', '{HOST}/t/XN23F9KZ/'", "/games/ace-trump/AT-9/?table=XN23F9KZ"),
    ("in a replay", f"'{HOST}/games/ace-pit/#AP-Q6', '{HOST}/t/XN/hands/2/'", "/games/ace-pit/AP-Q6/?table=XN"),
    ("without a table", f"'{HOST}/games/ace-trump/#IR-2', '{HOST}/ask/ace-trump/trick/?cards=XM'",
     "/games/ace-trump/IR-2/"),
    ("an example in the rulebook", f"'{HOST}/games/ace-pit/AP-5/?table=XN', '{HOST}/games/ace-pit/'",
     "/games/ace-pit/AP-5/?table=XN"),
    ("in the rulebook itself", f"'{HOST}/games/ace-trump/#AT-9', '{HOST}/games/ace-trump/?table=XN'", None),
    ("a part of the rulebook", f"'{HOST}/games/ace-trump/#part-2', '{HOST}/t/XN/'", None),
    ("the rulebook as a whole", f"'{HOST}/games/ace-trump/?table=XN', '{HOST}/t/XN/'", None),
    ("elsewhere", f"'https://other.test/games/ace-trump/#AT-9', '{HOST}/t/XN/'", None),
)  # fmt: skip
def test_where_a_rule_stands_by_itself(result, expression, expected):
    assert result("clause_sheet", f"clause_sheet.sheetAddress({expression})") == expected


@cases(
    ("at first", "0, 12, 0", 0),
    ("on the way down", "5, -5, 0.5", -4),
    ("at last", "0, 12, 1", 12),
    ("after the time", "0, 12, 1.7", 12),
    ("before it", "0, 12, -0.1", 0),
)
def test_a_total_counts_to_its_new_value(result, expression, expected):
    assert result("scene", f"scene.between({expression})") == expected


def test_what_only_the_own_phone_shows_is_not_kept(result):
    html = '<p>1</p><details class="peek" id="peek"><summary>x</summary>\\n8MS</details><details>y</details>'
    assert result("outbox", f"outbox.withoutOwn('{html}')") == "<p>1</p><details>y</details>"
