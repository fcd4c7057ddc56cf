"""`{% load parts %}`: parts of a page that are drawn once for the same values, and travel once.

`{% part value … %} … {% endpart %}` is one, `{% parts item in items value … %} … {% endparts %}` one for each item.
Everything that a part shows has to follow from its item, the values given, the language, and constants.
"""

from itertools import count

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.utils.translation import get_language

from scoring.pages.show.parts import TOKEN, VERSION, drawn, marked

register = template.Library()
PLACES = count()


class PartNode(template.Node):
    """A part; where a page does not travel in parts, it is what it holds."""

    def __init__(self, values: list[FilterExpression], nodelist: NodeList) -> None:
        self.place = next(PLACES)
        self.values = values
        self.nodelist = nodelist

    def render(self, context: Context) -> str:
        if not context.get("in_parts"):
            return self.nodelist.render(context)
        return self.drawn(context, self.key(context))

    def key(self, context: Context) -> tuple[object, ...]:
        return (self.place, get_language(), *[value.resolve(context) for value in self.values])

    def drawn(self, context: Context, key: tuple[object, ...], **more: object) -> str:
        html = drawn.get(key)
        if html is None:
            with context.push(in_parts=False, version=VERSION, csrf_token=TOKEN, **more):
                html = marked(self.nodelist.render(context).strip())
            drawn.keep(key, html)
        return html


class PartsNode(PartNode):
    """A part for each of several items."""

    def __init__(self, name: str, items: FilterExpression, values: list[FilterExpression], nodelist: NodeList) -> None:
        super().__init__(values, nodelist)
        self.name = name
        self.items = items

    def render(self, context: Context) -> str:
        items = self.items.resolve(context)
        if context.get("in_parts"):
            key = self.key(context)
            return "".join([self.drawn(context, (key, item), **{self.name: item}) for item in items])
        drawn_items = []
        for item in items:
            with context.push(**{self.name: item}):
                drawn_items.append(self.nodelist.render(context))
        return "".join(drawn_items)


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """Read a part and the values that it depends on."""
    values = [parser.compile_filter(word) for word in token.split_contents()[1:]]
    return PartNode(values, _until(parser, "endpart"))


@register.tag
def parts(parser: Parser, token: Token) -> PartsNode:
    """Read ``item in items`` and the values that each part depends on, too."""
    _tag, name, _in, items, *values = token.split_contents()
    found = [parser.compile_filter(word) for word in values]
    return PartsNode(name, parser.compile_filter(items), found, _until(parser, "endparts"))


def _until(parser: Parser, end: str) -> NodeList:
    nodelist = parser.parse((end,))
    parser.delete_first_token()
    return nodelist
