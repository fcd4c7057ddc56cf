"""The Jinja environment: globals, filters and macros, and the ``part`` tags.

``{% part %} … {% endpart %}`` is a part, ``{% parts item in items %} … {% endparts %}`` one part per item. Rendered
parts are cached by language, time zone and every value that the part reads, which is inferred from its template
(``reads``). ``{% markedpart %} … {% endmarkedpart %}`` may render more when ``marked``: full pages render it so, while
partial responses send the marks separately for the page's script to apply.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Model
from django.template import defaultfilters
from django.templatetags.static import static
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext, npgettext, pgettext
from jinja2 import ChainableUndefined, Environment, nodes
from jinja2.ext import Extension
from jinja2.lexer import Token
from jinja2.parser import Parser
from markupsafe import Markup

from scoring.tables.presenters import formats
from scoring.tables.presenters.cards import emblem
from scoring.tables.presenters.parts import TOKEN_FIELD, VERSION, Part, TravellingPage, marked, part_cache
from scoring.tables.presenters.people import at_table
from scoring.tables.reads.rules import name_of
from scoring.wording import quoted

Caller = Callable[..., Markup]
PLACES = count()
INCLUDE = re.compile(r'{%(-?) include "([^"]+)" (-?)%}')
FLOW = "if|elif|else|endif|for|endfor|with|endwith|part|endpart|parts|endparts|markedpart|endmarkedpart"
NOTHING_BUT_TAGS = re.compile(rf"(?<=\n)((?:{{%-? (?:{FLOW})\b(?:(?!%}})[^\n])*%}})+)\n")
"""Matches lines of flow tags, which output nothing. Blocks and macros may need their whitespace and are left out."""


class Parts(Extension):
    """Jinja extension: renders a part once for the same values, in pages sent in parts (``in_parts``)."""

    tags = {"part", "parts", "markedpart"}
    version, token_field = VERSION, TOKEN_FIELD
    """Random names per process: a template compiled earlier looks them up."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Inline includes, and remove indentation and lines that hold only tags, to make pages smaller.

        With ``auto_reload``, includes are not inlined, so that each file can be reloaded by itself.
        """
        loader = None if self.environment.auto_reload else self.environment.loader

        def included(found: re.Match[str]) -> str:
            assert loader is not None
            text = INCLUDE.sub(included, loader.get_source(self.environment, found[2])[0].removesuffix("\n"))
            return f"{{%{found[1]} with %}}{text}{{% endwith {found[3]}%}}"

        text = INCLUDE.sub(included, source) if loader else source
        return NOTHING_BUT_TAGS.sub(r"\1", re.sub(r"\n +", "\n", text))

    def parse(self, parser: Parser) -> nodes.Node:
        """Parse a part or parts; a nested part is rendered with the outer one."""
        token = next(parser.stream)
        if token.value == "part":
            return self._called("_draw", [], parser, token)
        if token.value == "markedpart":
            return self._called("_draw_marked", [], parser, token, nodes.Name("marked", "param"))
        item = nodes.Name(parser.stream.expect("name").value, "param")
        parser.stream.expect("name:in")
        return self._called("_draw_each", [parser.parse_expression()], parser, token, item)

    def _called(self, how: str, items: list[nodes.Expr], parser: Parser, token: Token, *own: nodes.Name) -> nodes.Node:
        body = parser.parse_statements((f"name:end{token.value}",), drop_needle=True)
        version, token_field = self.attr("version"), self.attr("token_field")
        within: dict[str, nodes.Expr] = {
            "in_parts": nodes.Const(None), "version": version, "csrf_input": token_field,
        }  # fmt: skip
        read = reads(body, self.environment, frozenset(within).union(name.name for name in own))
        place = None if read is None else next(PLACES)
        targets: list[nodes.Expr] = [nodes.Name(name, "param") for name in within]
        alone = nodes.With(targets, [*within.values()], body)
        call = self.call_method(how, [nodes.Name("in_parts", "load"), nodes.Const(place), *items, *(read or ())])
        return nodes.CallBlock(call, [*own], [], [alone]).set_lineno(token.lineno)

    def _draw(self, page: TravellingPage | None, place: int | None, *values: object, caller: Caller) -> Markup:
        if not page:
            return caller()
        return Markup(page.holds(_kept(page, place, values, lambda: marked(caller().strip()))))

    def _draw_marked(self, page: TravellingPage | None, place: int | None, *values: object, caller: Caller) -> Markup:
        if not page:
            return caller(True)
        part: Part = _kept(page, place, values, lambda: marked(caller(False).strip()))
        return Markup(page.holds(part) if page.answers else part.shows(caller(True).strip()))

    def _draw_each(
        self, page: TravellingPage | None, place: int | None, items: Sequence[object], *values: object, caller: Caller
    ) -> Markup:
        if not page:
            return Markup().join(caller(item) for item in items)

        def one(item: object) -> Part:
            return _kept(page, place, (item, *values), lambda: marked(caller(item).strip()))

        each = _kept(page, place, ("all", *items, *values), lambda: tuple(map(one, items)))
        return Markup("".join(map(page.holds, each)))


Kept = TypeVar("Kept", Part, tuple[Part, ...])


def _kept(page: TravellingPage, place: int | None, values: tuple[object, ...], draw: Callable[[], Kept]) -> Kept:
    key = None if place is None else key_of((place, page.reader, *values))
    if key is None:
        return draw()
    kept: Kept | None = part_cache.get(key)
    if kept is None:
        kept = draw()
        part_cache.put(key, kept)
    return kept


def number(value: object) -> object:
    """Format an integer; other values pass through."""
    return formats.number(value) if isinstance(value, int) else value


def named(game: Any) -> str:
    """Return a game's name, or an empty string without a game."""
    return name_of(game) if game else ""


def tongue(text: str) -> Markup:
    """Return a ``lang`` attribute if a game's text is in English because it has no translation."""
    return Markup(' lang="en"') if formats.in_english(text) else Markup()


def or_else(value: object, otherwise: str) -> object:
    return otherwise if value is None else value


def date(value: datetime, form: str) -> str:
    """Format a time in the current time zone with Django's ``date`` filter."""
    return defaultfilters.date(localtime(value), form)


WORD_AND_SIGN = re.compile(r'(<button class="word"[^>]*>[^<]*</button>)([\xa0\u202f]?[,.;:])')


def held(html: str) -> Markup:
    """Return a sentence of buttons in which no line begins with the sign after one: browsers break there."""
    return Markup(WORD_AND_SIGN.sub(r'<span class="nowrap">\1\2</span>', str(html)))


ONLY_BY_ARGUMENTS = ("icon", "symbol", "card", "person", "clause", "clauses", "sentence", "hidden_field", "chip")
"""Macros without translated text, whose output depends only on their arguments."""


@lru_cache(maxsize=2000)
def url(name: str, *arguments: object) -> str:
    return reverse(name, args=arguments)


def environment(**options: Any) -> Environment:
    made = Environment(**(options | {"undefined": ChainableUndefined}), extensions=["jinja2.ext.i18n", Parts])
    # Added by ``jinja2.ext.i18n``.
    made.install_gettext_callables(gettext, ngettext, pgettext=pgettext, npgettext=npgettext)  # type: ignore[attr-defined]
    made.globals["pocket"] = settings.POCKET
    made.globals |= {"_": gettext, "language": formats.spoken, "url": url, "static": lru_cache(maxsize=200)(static)}
    made.globals["tongue"] = tongue
    made.filters |= {"number": number, "or_else": or_else, "date": date, "capfirst": defaultfilters.capfirst}
    made.filters |= {"signed": formats.signed, "day": formats.day, "written": formats.written, "at_table": at_table}
    made.filters |= {"emblem": emblem, "wins": formats.part_of_wins, "named": named, "quoted": quoted}
    made.filters |= {"listed": formats.listed, "inside": formats.inside, "held": held}
    # No variable of a page may have the name of one of these macros: a fragment's cache key leaves their names out.
    for file in ("scoring/_draw.html", "scoring/_controls.html", "scoring/_rulings.html"):
        for name, macro in vars(made.get_template(file).module).items():
            made.globals[name] = lru_cache(maxsize=1000)(macro) if name in ONLY_BY_ARGUMENTS else macro
    return made


# --- The outer values that a template fragment reads, which make up its cache key
# A value is a path: ``board.last.winner``, ``board.seats[0].shown``. Names bound inside the fragment (loops, ``with``,
# macro arguments) are traced to their origin. Where that is impossible, the whole value counts: calling
# ``seat.plays()`` reads ``seat``.

Path = tuple[str | int, ...]  # a name, then attributes (``str``) and indexes (``int``)


def reads(body: Iterable[nodes.Node], environment: Environment, own: frozenset[str]) -> list[nodes.Expr] | None:
    """Return an expression for each value read; ``None`` if the fragment includes a file, which may read more.

    ``own`` are names passed to the fragment. Values read only under ``if marked`` are left out.
    """
    seen = set(_of(body, own | frozenset(environment.globals)))
    if () in seen:
        return None
    whole = {path for path in seen if not any(path[:end] in seen for end in range(1, len(path)))}
    found = []
    for name, *steps in sorted(whole, key=str):
        made: nodes.Expr = nodes.Name(str(name), "load")
        for step in steps:
            if isinstance(step, int):
                made = nodes.Getitem(made, nodes.Const(step), "load")
            else:
                made = nodes.Getattr(made, step, "load")
        found.append(made)
    return found


def key_of(values: Iterable[object]) -> tuple[object, ...] | None:
    """Return the cache key of some values; ``None`` if one is unhashable or a model row, which equals its older
    versions.
    """
    key = tuple(tuple(value) if isinstance(value, list) else value for value in values)
    try:
        hash(key)
    except TypeError:
        return None
    return None if any(isinstance(value, Model) for value in key) else key


def _of(parts: Iterable[nodes.Node | None], own: frozenset[str]) -> Iterator[Path]:
    for node in parts:
        match node:
            case nodes.Include():
                yield ()
            case nodes.Name() | nodes.Getattr() | nodes.Getitem():
                yield from _of_path(node, own)
            case nodes.Call(node=nodes.Getattr(node=held)):
                yield from _of([held, *(child for child in node.iter_child_nodes() if child is not node.node)], own)
            case nodes.For():
                yield from _of([node.iter], own)
                yield from _of([node.test, *node.body, *node.else_], own | _named([node.target]) | {"loop"})
            case nodes.With():
                yield from _of(node.values, own)
                yield from _of(node.body, own | _named(node.targets))
            case nodes.Macro() | nodes.CallBlock():
                yield from _of([*node.defaults, *([node.call] if isinstance(node, nodes.CallBlock) else ())], own)
                yield from _of(node.body, own | _named(node.args) | {"caller", "varargs", "kwargs"})
            case None:
                pass
            case nodes.Or(left=nodes.Name(name="version")):  # the same for all parts of a process
                pass
            case nodes.CondExpr(test=nodes.Name(name="marked")):
                yield from _of([node.expr2], own)
            case _:
                yield from _of(node.iter_child_nodes(), own)


def _of_path(node: nodes.Node, own: frozenset[str]) -> Iterator[Path]:
    path: list[str | int] = []
    while True:
        match node:
            case nodes.Name(name=name):
                if name not in own and node.ctx == "load":
                    yield (name, *reversed(path))
                return
            case nodes.Getattr(node=inner, attr=attr):
                path.append(attr)
                node = inner
            case nodes.Getitem(node=inner, arg=nodes.Const(value=int(at))):
                path.append(at)
                node = inner
            case nodes.Getitem(node=inner, arg=arg):
                yield from _of([arg], own)
                path.clear()
                node = inner
            case _:
                yield from _of([node], own)
                return


def _named(targets: Iterable[nodes.Node]) -> set[str]:
    given: set[str] = set()
    for target in targets:
        names = [target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name)
        given.update(name.name for name in names)
    return given
