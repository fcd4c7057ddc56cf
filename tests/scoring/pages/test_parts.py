"""Parts of a table's page: with those it already has they make the whole page, and no cached part is stale."""

import re
from contextlib import suppress
from functools import cache
from random import Random
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone, translation
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader

from referee.engine.records import load_record
from referee.engine.rules import Refused
from scoring.models import Link, Role, Table
from scoring.operating.pages.environment import environment
from scoring.tables.acts.exceptions import NotDone
from scoring.tables.acts.opening import make_link
from scoring.tables.pages.table import OPEN, context_of
from scoring.tables.presenters import parts
from scoring.tables.presenters.board import FOLDS
from scoring.tables.presenters.parts import TravellingPage, filled, gathered, marked, places
from scoring.tables.reads.state import standing_now
from tests.games.discovery import RANDOM
from tests.scoring.conftest import open_table
from tests.scoring.pages.reading import codes_in, marked_keys
from tests.seeds import as_often_as

HEAD = ("game", "options", "end", "seats", "first_dealer", "carried")
PAGE = "scoring/table.html"
HTMX = {"HX-Request": "true"}
NAMED = re.compile(r"<!--=(\d+)-(\d+)-->")
FILLED = re.compile(r'(?<=name="version" value=")\d+|(?<=name="csrfmiddlewaretoken" value=")\w+')
PART = re.compile(r"<!--\[([\w-]{7})-->(.*?)<!--\]-->", re.DOTALL)


def said(html):
    """Return a page as a browser reads it: without part marks and without blanks between elements."""
    return re.sub(r">\s+<", "><", re.sub(r"<!--.*?-->", "", html)).strip()


class Page:
    """A page as the script keeps it: its parts, and how an answer updates it."""

    def __init__(self):
        self.parts, self.known, self.opened = {}, [], ""

    def take(self, answer):
        def part(found):
            first, last = map(int, found.groups())
            return "".join(f"<!--[{m}-->{self.parts[m]}<!--]-->" for m in self.known[first : last + 1])

        whole = NAMED.sub(part, answer)
        found = PART.findall(whole)
        self.parts |= dict(found)
        self.known = list(dict.fromkeys(mark for mark, _ in found))
        return whole


def record_of(game, rng):
    while True:
        told = RANDOM[game](rng)
        with suppress(Refused):  # some are refused as a whole: the next one
            load_record(told)
            return told


@pytest.mark.parametrize("game", RANDOM)
def test_a_page_assembled_from_parts_equals_a_fresh_one(db, game):
    rng = Random(1)
    for _ in range(as_often_as(always=2, quick=1)):
        told = record_of(game, rng)
        table = open_table(**{key: told[key] for key in HEAD if key in told})
        make_link(table.row, Role.PLAYER, seat=1)
        viewers = {link: Page() for link in (*Link.objects.filter(table=table.row), None)}
        for event in [event for hand in told["hands"] for event in hand["events"]][:40]:
            with suppress(NotDone, Refused):  # a refused event changes no page
                table.record(event)
            language = rng.choice(["en", "en", "de"])
            for link, page in viewers.items():
                if rng.random() < 0.1:
                    page.opened = ",".join(fold for fold in ("log", *FOLDS) if rng.random() < 0.5)
                if rng.random() < 0.5:
                    agrees(table, link, page, language)


def agrees(table, link, page, language):
    request = RequestFactory().get("/", headers={"HX-Request": "true", OPEN: page.opened})
    with translation.override(language):
        context = context_of(request, standing_now(table.row), link, None) | {"fragment": True}
        drawn = render_to_string(PAGE, context | {"in_parts": None})
        travelling = TravellingPage((language, "UTC"), places(",".join(page.known)))
        answer = gathered(render_to_string(PAGE, context | {"in_parts": travelling}))
    assert said(marked_keys(page.take(answer))) == said(drawn)


def test_an_up_to_date_client_gets_a_tiny_answer(device):
    address = device.open_table()
    page = Page()
    htmx = {"HX-Request": "true"}
    first = page.take(device.get(address, headers=htmx).content.decode())
    again = device.get(address, headers={**htmx, parts.HEADER: ",".join(page.known)})
    assert len(again.content) < len(first) / 5
    assert said(page.take(again.content.decode())) == said(first)


def test_a_card_marks_a_key_without_redrawing_the_keys(device):
    """The lead determines which cards would claim something; every later card only leaves the pad."""
    address = device.open_table()
    page = Page()
    lead = device.post(f"{address}record/", {"event": "play", "seat": "0", "cards": "8MS"}, headers=HTMX)
    led = page.take(page_of(lead))
    headers = {**HTMX, parts.HEADER: ",".join(page.known)}
    answer = page_of(device.post(f"{address}record/", {"event": "play", "seat": "1", "cards": "9MS"}, headers=headers))
    assert 'class="card' not in answer.partition('<fieldset class="pad')[2].partition("</fieldset>")[0]
    assert (codes_in("gone", led), codes_in("gone", answer)) == ({"8MS"}, {"8MS", "9MS"})
    assert codes_in("claims", led) == codes_in("claims", answer)


def test_a_page_without_scripts_has_marked_keys(device):
    address = device.open_table()
    device.post(f"{address}record/", {"event": "play", "seat": "0", "cards": "8MS"})
    opened = page_of(device.get(address))
    assert 'class="card gone" name="cards" value="8MS"' in opened
    assert 'class="card claims" name="cards" value="2SY"' not in opened
    assert 'class="card claims" name="cards" value="6LK"' in opened
    page = Page()
    page.take(opened)
    headers = {**HTMX, parts.HEADER: ",".join(page.known)}
    answer = page_of(device.post(f"{address}record/", {"event": "play", "seat": "1", "cards": "9MS"}, headers=headers))
    whole = marked_keys(page.take(answer))
    assert 'class="card gone" name="cards" value="9MS"' in whole
    fresh = marked_keys(page_of(device.get(address, headers=HTMX)))
    assert said(FILLED.sub("", whole)) == said(FILLED.sub("", fresh))


def test_template_indentation_is_stripped(device):
    address = device.open_table()
    assert "\n " not in page_of(device.get(address))
    assert "\n " not in page_of(device.get(address, headers={"HX-Request": "true"}))


def page_of(answer):
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


@pytest.mark.parametrize("header", ["", ",,,", "x" * 5000, "<!--[abcdefg-->", "ABCDEFG," * 300, "\u00e4\u00f6"])
def test_an_answer_is_complete_whatever_parts_the_page_claims(header):
    page, items = TravellingPage(("en", "UTC"), places(header)), [marked("<li>one</li>"), marked("<li>two</li>")]
    assert [page.holds(item) for item in items] == [item.html for item in items]


def test_consecutive_parts_are_named_as_a_range():
    items = [marked(f"<li>{number}</li>") for number in range(9)]
    page = TravellingPage(("en", "UTC"), places(",".join(item.mark for item in items)))
    assert gathered("".join(map(page.holds, items))) == "<!--=0-8-->"
    assert gathered("\n".join(map(page.holds, [*items[4:], *items[:2]]))) == "<!--=4-8--><!--=0-1-->"


def test_the_version_and_the_token_are_filled_in_but_not_hashed():
    one = marked(f'<input value="{parts.VERSION}"><input value="{parts.TOKEN}">')
    assert filled(one.html, 7, "t") == one.html.replace(parts.VERSION, "7").replace(parts.TOKEN, "t")
    assert one.mark == marked('<input value=""><input value="">').mark


# --- A cached part depends on everything its template reads


def drawn(template, **context):
    """Render a template as a page sent in parts."""
    reader = (translation.get_language(), timezone.get_current_timezone_name())
    return shared_environment().from_string(template).render(context | {"in_parts": TravellingPage(reader)})


FILES = ChoiceLoader(
    [DictLoader({"seat.html": "{{ seat.name }} {{ hint }}"}), FileSystemLoader(settings.BASE_DIR / "templates")]
)


@cache
def shared_environment() -> Environment:
    """Return the product's environment, made once, because that compiles the templates of its macros."""
    return environment(loader=FILES)


@pytest.mark.parametrize(
    ("template", "before", "after"),
    [
        ("{{ a }}", {"a": 1}, {"a": 2}),
        ("{{ a.b.c }}", {"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}}),
        ("{{ a[1] }}", {"a": (1, 2)}, {"a": (1, 3)}),
        ("{{ a[key] }}", {"a": (1, 2), "key": 0}, {"a": (1, 2), "key": 1}),
        ("{% if a %}{{ b }}{% endif %}", {"a": True, "b": 1}, {"a": True, "b": 2}),
        ("{% for each in all %}{{ each.name }}{% endfor %}", {"all": ("ab",)}, {"all": ()}),
        ("{% for each in all %}{{ each }}{{ mine }}{% endfor %}", {"all": (1,), "mine": 1}, {"all": (1,), "mine": 2}),
        ("{% with each=a %}{{ each }}{% endwith %}", {"a": 1}, {"a": 2}),
        ("{% with a=a.b %}{{ a }}{% endwith %}", {"a": {"b": 1}}, {"a": {"b": 2}}),
        ("{% set each = a %}{{ each }}", {"a": 1}, {"a": 2}),
        ("{% if no %}{% set a = 3 %}{% endif %}{{ a }}", {"a": 1}, {"a": 2}),
        ("{% macro m(x, y=b) %}{{ x }}{{ y }}{{ a }}{% endmacro %}{{ m(1) }}", {"a": 1, "b": 1}, {"a": 2, "b": 1}),
        ("{% macro m(x, y=b) %}{{ x }}{{ y }}{% endmacro %}{{ m(1) }}", {"b": 1}, {"b": 2}),
        ("{{ a.upper() }}", {"a": "x"}, {"a": "y"}),
        ("{{ a|length }}", {"a": (1,)}, {"a": (1, 2)}),
        ("{{ 'x' if a is divisibleby(b) }}", {"a": 4, "b": 2}, {"a": 4, "b": 3}),
        ("{% trans n=a.n %}Hand {{ n }}{% endtrans %}", {"a": {"n": 1}}, {"a": {"n": 2}}),
        ("{% include 'seat.html' %}", {"seat": {"name": "Ann"}, "hint": "x"}, {"seat": {"name": "Ann"}, "hint": "y"}),
        ("{{ a }}", {"a": [1]}, {"a": [2]}),
    ],
)
def test_a_cached_part_depends_on_every_value_it_reads(template, before, after):
    part = "{% part %}" + template + "{% endpart %}"
    for context in (before, after, before):
        plain = shared_environment().from_string(template).render(context)
        assert f"-->{plain.strip()}<!--" in drawn(part, **{name: frozen(value) for name, value in context.items()})


def frozen(value):
    """Turn a dict into an object with attributes that is equal for equal values."""
    return SimpleNamespace(**{k: frozen(v) for k, v in value.items()}) if isinstance(value, dict) else value


def test_each_part_in_a_loop_depends_on_every_value_it_reads():
    parts_of = "{% parts seat in seats %}{{ seat }}{{ mark }}{% endparts %}"
    assert ">ax<" in drawn(parts_of, seats=("a", "b"), mark="x")
    assert ">ay<" in drawn(parts_of, seats=("a", "b"), mark="y")


def test_a_database_row_is_always_redrawn(db):
    """A changed row equals itself, so a part that reads a whole row is never cached."""
    row = open_table().row
    template = "{% macro title(row) %}{{ row.version }}{% endmacro %}{% part %}{{ title(table) }}{% endpart %}"
    assert isinstance(row, Table)
    for version in (1, 2):
        row.version = version
        assert f">{version}<" in drawn(template, table=row)


def test_parts_are_cached_per_language_and_time_zone():
    at = timezone.now().replace(hour=12)
    template = "{% part %}{{ date(at, 'H') if date else at|date('H') }}{{ _('Referee') }}{% endpart %}"
    seen = set()
    for zone, language in (("UTC", "en"), ("Asia/Tokyo", "en"), ("UTC", "de")):
        with timezone.override(zone), translation.override(language):
            seen.add(drawn(template, at=at))
    assert len(seen) == 3


@pytest.mark.parametrize("game", RANDOM)
def test_unchanged_parts_are_rendered_once(db, game, monkeypatch):
    misses: list[str] = []

    def marked(html):
        misses.append(html)
        return parts.marked(html)

    monkeypatch.setattr("scoring.operating.pages.environment.marked", marked)
    monkeypatch.setattr(parts.part_cache, "_entries", {})  # a full cache drops its oldest entry for each new one
    told = record_of(game, Random(5))
    table = open_table(**{key: told[key] for key in HEAD if key in told})
    make_link(table.row, Role.PLAYER, seat=1)
    for event in [event for hand in told["hands"] for event in hand["events"]][: as_often_as(always=30, quick=10)]:
        with suppress(NotDone, Refused):
            table.record(event)
        for link in (*Link.objects.filter(table=table.row), None):
            request = RequestFactory().get("/", headers={"HX-Request": "true", OPEN: ",".join(("log", *FOLDS))})
            context = context_of(request, standing_now(table.row), link, None)
            context |= {"in_parts": TravellingPage(("en", "UTC")), "fragment": True}
            render_to_string(PAGE, context)
            misses.clear()
            render_to_string(PAGE, context)
            assert misses == []
