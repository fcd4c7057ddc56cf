"""What the templates ask of htmx: a tap is sent in one way, and what an answer replaces is on the page."""

import re
from pathlib import Path

from scoring.pages.urls import urlpatterns

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "templates"
TEMPLATES = {str(path.relative_to(FOLDER)): path.read_text() for path in FOLDER.rglob("*.html")}
WHOLE_PAGES = sorted(name for name, text in TEMPLATES.items() if "{% extends" in text)
RECORDS = re.compile(r"const RECORDS = /(.*)/;")

BRACES = r"\{\{.*?\}\}|\{%.*?%\}"
TAG = rf"\b(?:{BRACES}|[^>])*>"
FORM = re.compile(rf"(<form{TAG})(.*?)</form>", re.DOTALL)
CONTROL = re.compile(rf"<(?:button|input|select|textarea){TAG}", re.DOTALL)
ACTION = re.compile(r"""\baction="\{\{ url\('scoring:([\w-]+)'""")
ID = re.compile(rf"""\bid="((?:{BRACES}|[^"])+)\"""", re.DOTALL)
NAMES_PLACES = re.compile(
    rf"""\bhx-(?:target|select|select-oob|sync|swap|include|trigger)="((?:{BRACES}|[^"])*)\"""", re.DOTALL
)
PLACE = re.compile(r"#((?:\{\{.*?\}\}|[\w-])+)")
TAKES_IN = re.compile(r"""\{%-?\s*(?:include|from|extends)\s+"([^"]+)"[^%]*%\}""")


def whole(name: str, inside: tuple[str, ...] = ()) -> str:
    """Return a template with those that it takes in, each in its place."""

    def other(match: re.Match[str]) -> str:
        return "" if match[1] in inside else whole(match[1], (*inside, match[1]))

    return TAKES_IN.sub(other, TEMPLATES[name])


def places(text: str) -> set[str]:
    """Return the ids that htmx looks for."""
    return {place for told in NAMES_PLACES.findall(text) for place in PLACE.findall(told)}


def recorded() -> set[str]:
    """Return the names of the addresses whose forms the script of taps takes for itself."""
    (pattern,) = RECORDS.findall((ROOT / "scoring/static/scoring/taps.js").read_text())
    takes = re.compile(pattern.replace(r"\/", "/"))
    routes = {each.name: str(each.pattern) for each in urlpatterns}
    return {name for name, route in routes.items() if name and takes.search("/" + re.sub(r"<\w+:\w+>", "1", route))}


def test_a_form_that_is_recorded_is_not_sent_by_htmx_as_well():
    """The script takes the form before htmx hears of it; a button of htmx's would be first, and nothing be kept."""
    seen = set()
    for name in TEMPLATES:
        for form, inside in FORM.findall(whole(name)):
            ways = recorded().intersection(ACTION.findall(form))
            sent = [tag for tag in (form, *CONTROL.findall(inside)) if "hx-" in tag]
            assert not (ways and sent), f"{name}: {sent}"
            seen |= ways
    assert seen == recorded() == {"record", "undo", "settle", "confirm"}


def test_whatever_htmx_replaces_is_on_the_page():
    texts = {page: whole(page) for page in WHOLE_PAGES}
    assert {page: lost for page, text in texts.items() if (lost := places(text) - set(ID.findall(text)))} == {}


def test_no_part_that_no_page_takes_in_names_a_place():
    found = set().union(*(places(whole(page)) for page in WHOLE_PAGES))
    assert found
    assert {place for text in TEMPLATES.values() for place in places(text)} == found
