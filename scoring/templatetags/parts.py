"""`{% load parts %}`: `{% part value … %} … {% endpart %}` draws what stands in it once for the same values.

Everything that the part shows has to follow from the values given, the language, and constants.
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
        key = (self.place, get_language(), *(value.resolve(context) for value in self.values))
        html = drawn.get(key)
        if html is None:
            with context.push(in_parts=False, version=VERSION, csrf_token=TOKEN):
                html = marked(self.nodelist.render(context).strip())
            drawn.keep(key, html)
        return html


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """Read a part and the values that it depends on."""
    values = [parser.compile_filter(word) for word in token.split_contents()[1:]]
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode(values, nodelist)
