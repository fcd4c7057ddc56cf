"""What templates can say: translated words, addresses, numbers as people read them, and parts that travel once.

``{% part value, … %} … {% endpart %}`` is a part, ``{% parts item in items, value, … %} … {% endparts %}`` is one for
each item. Everything that a part shows has to follow from its item, the values named, the language, and constants.
"""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from itertools import count
from typing import Any

from django.template import defaultfilters
from django.templatetags.static import static
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, ngettext, npgettext, pgettext
from jinja2 import ChainableUndefined, Environment, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from scoring.pages.show import numbers
from scoring.pages.show.parts import TOKEN_FIELD, VERSION, drawn, marked

PLACES = count()


class Parts(Extension):
    """Draws a part once for the same values, in a page that travels in parts (``in_parts``)."""

    tags = {"part", "parts"}

    def parse(self, parser: Parser) -> nodes.Node:
        """Read a part or parts; a part within another is drawn with it."""
        token = next(parser.stream)
        if token.value == "part":
            values = _values(parser)
            return self._part(values, parser.parse_statements(("name:endpart",), drop_needle=True), token.lineno)
        item = parser.parse_assign_target()
        parser.stream.expect("name:in")
        items, *values = _values(parser)
        key = [nodes.Name(item.name, "load"), *values]
        body = parser.parse_statements(("name:endparts",), drop_needle=True)
        return nodes.For(item, items, [self._part(key, body, token.lineno)], [], None, False, lineno=token.lineno)

    def _part(self, values: list[nodes.Expr], body: list[nodes.Node], line: int) -> nodes.Node:
        within = {"in_parts": False, "version": VERSION, "csrf_input": TOKEN_FIELD}
        targets: list[nodes.Expr] = [nodes.Name(name, "param") for name in within]
        alone = nodes.With(targets, [nodes.Const(value) for value in within.values()], body)
        call = self.call_method(
            "_draw", [nodes.Name("in_parts", "load"), nodes.Const(next(PLACES)), nodes.List(values)]
        )
        return nodes.CallBlock(call, [], [], [alone]).set_lineno(line)

    def _draw(self, in_parts: bool, place: int, values: list[object], caller: Callable[[], Markup]) -> Markup:
        if not in_parts:
            return caller()
        key = (place, get_language(), *values)
        html = drawn.get(key)
        if html is None:
            html = Markup(marked(caller().strip()))
            drawn.keep(key, html)
        return html


def _values(parser: Parser) -> list[nodes.Expr]:
    read = parser.parse_tuple()
    return read.items if isinstance(read, nodes.Tuple) else [read]


def number(value: object) -> object:
    """Return a number as people read it; what is none stays as it is."""
    return numbers.number(value) if isinstance(value, int) else value


def or_else(value: object, otherwise: str) -> object:
    """Return what stands where there is no value."""
    return otherwise if value is None else value


def date(value: datetime, form: str) -> str:
    """Return a time of the clock on the wall, as Django's ``date`` writes it."""
    return defaultfilters.date(localtime(value), form)


@lru_cache(maxsize=2000)
def url(name: str, *arguments: object) -> str:
    """Return the path of a page."""
    return reverse(name, args=arguments)


def environment(**options: Any) -> Environment:
    """Return what templates are read and drawn with."""
    made = Environment(**(options | {"undefined": ChainableUndefined}), extensions=["jinja2.ext.i18n", Parts])
    made.install_gettext_callables(gettext, ngettext, pgettext=pgettext, npgettext=npgettext)  # type: ignore[attr-defined]
    made.globals |= {"_": gettext, "language": get_language, "url": url, "static": static}
    made.filters |= {"number": number, "signed": numbers.signed, "or_else": or_else, "date": date}
    made.filters["capfirst"] = defaultfilters.capfirst
    return made
