"""A cached part depends on everything its template reads, so no change can leave it stale."""

from contextlib import suppress
from random import Random
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone, translation
from jinja2 import ChoiceLoader, DictLoader, FileSystemLoader

from referee.engine.rules import Refused
from scoring.models import Link, Role, Table
from scoring.operating.pages.environment import environment
from scoring.tables.acts.exceptions import NotDone
from scoring.tables.acts.opening import make_link
from scoring.tables.pages.table import OPEN, context_of
from scoring.tables.presenters import parts
from scoring.tables.presenters.board import FOLDS
from scoring.tables.presenters.parts import TravellingPage
from scoring.tables.reads.state import standing_now
from tests.games.discovery import RANDOM
from tests.scoring.conftest import open_table
from tests.scoring.pages.test_parts import HEAD, record_of


def drawn(template, **context):
    """Render a template as a page sent in parts."""
    reader = (translation.get_language(), timezone.get_current_timezone_name())
    made = environment(loader=FILES).from_string(template)
    return made.render(context | {"in_parts": TravellingPage(reader)})


FILES = ChoiceLoader(
    [DictLoader({"seat.html": "{{ seat.name }} {{ hint }}"}), FileSystemLoader(settings.BASE_DIR / "templates")]
)


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
        plain = environment(loader=FILES).from_string(template).render(context)
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
    for event in [event for hand in told["hands"] for event in hand["events"]][:30]:
        with suppress(NotDone, Refused):
            table.record(event)
        for link in (*Link.objects.filter(table=table.row), None):
            request = RequestFactory().get("/", headers={"HX-Request": "true", OPEN: ",".join(("log", *FOLDS))})
            context = context_of(request, standing_now(table.row), link, None)
            context |= {"in_parts": TravellingPage(("en", "UTC"))}
            render_to_string("scoring/_table_answer.html", context)
            misses.clear()
            render_to_string("scoring/_table_answer.html", context)
            assert misses == []
