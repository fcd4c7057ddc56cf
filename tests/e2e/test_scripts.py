"""What the pages' scripts decide without a page: each case is an expression of a module and its result."""

import re
from pathlib import Path

import pytest

from tests.e2e.scripts import ADDRESS, FOLDER, cases


def test_every_module_loads_unbundled(blank):
    troubles = []
    blank.on("pageerror", lambda error: troubles.append(str(error)))
    for entry in ("app", "new_table", "joining", "replay"):
        blank.evaluate(f"import('{ADDRESS}{entry}.js').then(() => null)")
    loaded = blank.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert {Path(name).name for name in loaded if "?" not in name} >= {path.name for path in FOLDER.glob("*.js")}
    assert troubles == []


# --- Pauses ---------------------------------------------------------------------------------------------------------


@cases(
    ("at the earliest", "scattered(1000, 0)", 500),
    ("at the latest", "scattered(1000, 1)", 1500),
    ("longer every time", "longer(500, 15000)", 1000),
    ("but not forever", "longer(8000, 15000)", 15000),
)
def test_how_long_to_wait_before_a_retry(result, expression, expected):
    assert result("queue", f"queue.{expression}") == expected


@cases(
    ("a fast device shows it at once", "{ cost: 1, came: 1000, last: 0, touched: 0 }", 4),
    ("successive answers are spaced out", "{ cost: 50, came: 1000, last: 990, touched: 0 }", 1140),
    ("a slow device does not wait long", "{ cost: 500, came: 1000, last: 990, touched: 0 }", 1240),
    ("tapping takes precedence", "{ cost: 50, came: 1000, last: 0, touched: 1100 }", 1300),
    ("but not forever", "{ cost: 50, came: 1000, last: 0, touched: 1800 }", 1600),
    ("not even on the slowest device", "{ cost: 500, came: 1000, last: 0, touched: 9000 }", 1900),
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
def test_the_version_of_an_answer_is_found(result, expression, expected):
    assert result("page", f"page.versionOf({expression})") == expected


@cases(
    ("the parts of a page", f"learn('{TWO}'), parts.known()", ["aaaaaaa", "bbbbbbb"]),
    ("parts an answer names count, too", "learn('<!--=ccccccc-->'), parts.known()", ["ccccccc"]),
    (
        "an answer without parts changes nothing",
        f"learn('{TWO}'), parts.learn('<p>'), parts.known()",
        ["aaaaaaa", "bbbbbbb"],
    ),
    ("a repeated part is named once", f"learn('{TWO}{TWO}'), parts.known()", ["aaaaaaa", "bbbbbbb"]),
    ("a part by its mark", f"learn('{TWO}'), parts.part('bbbbbbb')", "<!--[bbbbbbb-->2<!--]-->"),
    ("a missing part is empty", "part('ccccccc')", "<!--[ccccccc--><!--]-->"),
    (
        "positions become marks",
        "named('<!--=0-1-->x<!--=3-3-->', ['a', 'b', 'c', 'd'])",
        "<!--=a--><!--=b-->x<!--=d-->",
    ),
    (
        "named parts are filled in",
        f"learn('{TWO}'), parts.whole('<u><!--=aaaaaaa--></u>')",
        "<u><!--[aaaaaaa--><b>1</b><!--]--></u>",
    ),
    (
        "a form expects the answer's version",
        'whole(\'<p data-version="9"><input name="version" value="4">\')',
        '<p data-version="9"><input name="version" value="9">',
    ),
)
def test_parts_of_a_page(result, expression, expected):
    assert result("parts", f"(parts.{expression})") == expected


MANY = """(() => {
  const mark = (number) => String(number).padStart(7, "0");
  for (let n = 0; n < 700; n++) parts.learn(`<!--[${mark(n)}-->${n}<!--]--><!--=0000000-->`);
  return [parts.known(), ...[0, 99, 100, 101, 699].map((n) => parts.part(mark(n)))];
})()"""


def test_old_parts_are_forgotten_but_never_one_on_the_page(result):
    known, *parts = result("parts", MANY)
    assert sorted(known) == ["0000000", "0000699"]
    assert [re.sub("<!--.*?-->", "", part) for part in parts] == ["0", "", "", "101", "699"]


LATELY = """(() => {
  const mark = (number) => String(number).padStart(7, "0");
  for (let n = 0; n < 100; n++) parts.learn(`<!--[${mark(n)}-->${n}<!--]-->`);
  parts.learn(`<!--=${mark(50)}--><!--=${mark(7)}-->`);
  return parts.remembered().map(Number);
})()"""


def test_parts_no_longer_on_the_page_are_named_last(result):
    there, lately = [50, 7], [number for number in range(100) if number not in (50, 7)]
    assert result("parts", LATELY) == [*there, *lately[-60:]]


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
        "differences are changed in place",
        "missing elements are removed",
        "new elements are added, and the rest stays",
        "attributes are updated",
        "a fold stays open",
        "a named part stays",
        "and is redrawn in another place",
    ],
)  # fmt: skip
def test_an_answer_changes_only_what_differs(result, old, act, fresh, expected):
    assert result("morph", MORPHED % (f"<div>{old}</div>", act, f"<div>{fresh}</div>")) == expected


KEYS = """(() => {
  document.body.innerHTML = `<form><fieldset class="pad" %s>
    <button class="card" name="cards" value="AM">A</button>
    <label class="card starred"><input type="checkbox" name="cards" value="AS"></label>
    <input type="radio" name="deck"><p class="pad-legend" id="play-claims"></p></fieldset></form>`;
  const [pad] = document.querySelectorAll(".pad");
  %s;
  morph.markKeys(document.body);
  const own = (key) => [...key.attributes].filter(({ name }) => !["name", "value"].includes(name));
  const said = (key) => own(key).map(({ name, value }) => `${name}=${value}`);
  return [...pad.querySelectorAll(".card, .card input")].map(said);
})()"""
PLAIN = ["class=card"], ["class=card starred"], ["type=checkbox"]


@pytest.mark.parametrize(
    ("says", "act", "expected"),
    [
        ("", "", PLAIN),
        ("data-gone='AM AS' data-tells", "",
         (["class=card gone", "aria-disabled=true", "type=button"], ["class=card starred gone"],
          ["type=checkbox", "aria-disabled=true"])),
        ("data-gone='AM AS'", "",
         (["class=card gone", "disabled="], ["class=card starred gone"], ["type=checkbox", "disabled="])),
        ("data-claims='AM'", "", (["class=card claims", "aria-describedby=play-claims"], *PLAIN[1:])),
        ("data-gone='AM AS' data-claims='AS' data-tells",
         "morph.markKeys(document.body); delete pad.dataset.gone; delete pad.dataset.claims", PLAIN),
        ("data-gone='AM' data-tells", "pad.querySelector('button').classList.add('waiting')",
         (["class=card gone", "aria-disabled=true", "type=button"], *PLAIN[1:])),
        ("", "pad.querySelector('button').classList.add('waiting')", (["class=card waiting"], *PLAIN[1:])),
    ],
    ids=[
        "no key is marked",
        "the scorekeeper can still ask who played a card that is gone",
        "on a player's phone that key is disabled",
        "a card that would claim something",
        "a key no longer marked is reset",
        "a waiting card that was played",
        "a waiting card keeps waiting",
    ],
)  # fmt: skip
def test_keys_are_marked_as_the_pad_says(result, says, act, expected):
    assert result("morph", KEYS % (says, act)) == list(expected)


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


def test_a_checked_box_stays_checked_while_allowed(result):
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
def test_typing_finds_a_card_by_code_or_name(result, typed, expected):
    cards = f"{CARDS}.map(([code, name]) => ({{ code, name }}))"
    assert result("typing", f"typing.fitting('{typed}', {cards})") == expected


COMPANY = "{ seats: [0, 2], scorekeepers: 1, spectators: 3, links: [17] }"


@cases(
    ("a seat with its phone", f"'seat-2', {COMPANY}", 1),
    ("a seat without a phone", f"'seat-1', {COMPANY}", 0),
    ("scorekeepers", f"'scorekeepers', {COMPANY}", 1),
    ("spectators", f"'spectators', {COMPANY}", 3),
    ("a link", f"'link-17', {COMPANY}", 1),
    ("only scorekeepers see links", "'link-17', { seats: [] }", 0),
)
def test_how_many_devices_are_connected(result, expression, expected):
    assert result("presence", f"presence.count({expression})") == expected


@cases(
    ("one of many cookies", "'a=1; language=de; b=2'", "de"),
    ("the first", "'language=en'", "en"),
    ("another with the same ending", "'my_language=de'", None),
    ("none", "''", None),
)
def test_the_chosen_language_is_read_from_its_cookie(result, expression, expected):
    assert result("enhancements", f"enhancements.chosenLanguage({expression}) ?? null") == expected


@cases(
    ("up", "['a', 'b', 'c'], 2, 0", ["c", "a", "b"]),
    ("down", "['a', 'b', 'c'], 0, 1", ["b", "a", "c"]),
    ("to the same place", "['a', 'b'], 1, 1", ["a", "b"]),
)
def test_a_name_moves_to_another_seat(result, expression, expected):
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
def test_which_rule_links_open_a_page_of_their_own(result, expression, expected):
    assert result("referee", f"referee.sheetAddress({expression})") == expected


@cases(
    ("at first", "0, 12, 0", 0),
    ("on the way down", "5, -5, 0.5", -4),
    ("at the end", "0, 12, 1", 12),
    ("after the duration", "0, 12, 1.7", 12),
    ("before the start", "0, 12, -0.1", 0),
)
def test_a_total_counts_up_to_its_new_value(result, expression, expected):
    assert result("scene", f"scene.between({expression})") == expected


def test_data_for_a_single_phone_is_not_cached(result):
    html = '<p>1</p><details class="peek" id="peek"><summary>x</summary>\\n8MS</details><details>y</details>'
    assert result("outbox", f"outbox.withoutOwn('{html}')") == "<p>1</p><details>y</details>"
