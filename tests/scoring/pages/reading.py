"""What tests read from a page: its text, its keys, its faults."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

STATIC = Path(__file__).resolve().parents[3] / "scoring/static/scoring"

# --- The text of a page

UNFOLDED = "?open=lines,log,tricks,unchecked"
"""The query of a table's page with everything on it open."""


DRAWN = re.compile(
    r'<span class="card small in-words[^"]*" role="img" aria-label="([^"]*)"[^>]*>.*?<span class="pips">'
    r'(?:<span class="pip.*?(?:</small>|</svg>)\s*</span>)*</span>\s*(?:<svg.*?</svg>)?</span>',
    re.DOTALL,
)
"""A card drawn in a sentence, and what it is called."""


def text(answer: Any) -> str:
    """Return a page's text without tags; a card drawn in a sentence appears by its name."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", DRAWN.sub(r"\1", answer.content.decode())))


def in_order(page: Any, *words: str) -> bool:
    """Return whether a page, or its text, contains these words in this order."""
    said = page if isinstance(page, str) else text(page)
    places = [said.find(word) for word in words]
    return -1 not in places and places == sorted(places)


def tells(page: Any, word: str) -> bool:
    """Return whether a page contains a whole word anywhere, tags included.

    Parts of longer words do not count: a page's tokens contain every three letters once in a while.
    """
    said = page if isinstance(page, str) else page.content.decode()
    return re.search(rf"\b{re.escape(word)}\b", said) is not None


# --- What the page's script marks on the keys of a pad

PAD = re.compile(r'(<fieldset class="pad[^>]*>)(.*?</fieldset>)', re.DOTALL)
BUTTON = re.compile(r'<button class="(card[^"]*)"([^>]*? value="([\w*]+)"[^>]*)>')
LABEL = re.compile(r'<label class="(card[^"]*)"([^>]*)>(\s*)<input([^>]*? value="([\w*]+)"[^>]*)>')
MARKS = {"gone": "gone", "claims": "claims", "weak": "weak", "weak-alone": "alone"}
"""Classes of keys, in the order of the template, and the attribute of the pad that lists their codes."""
MARKED = re.compile(r' (?:aria-describedby="[\w-]+-claims"|type="button"|aria-disabled="true"|disabled)(?=[ >]|$)')


def marked_keys(html):
    """Return a page with its keys marked as its pads say, as `morph.js` does."""

    def pad(found):
        head, keys = found.groups()
        marks = {name: codes_in(place, head) for name, place in MARKS.items()}
        gone, claims = marks["gone"], marks["claims"]
        out = ' type="button" aria-disabled="true"' if "data-tells" in head else " disabled"
        legend = re.search(r'class="pad-legend" id="([\w-]+)"', keys)

        def classes(plain, code):
            kept = [each for each in plain.split() if each not in marks]
            return " ".join([*kept, *(name for name, codes in marks.items() if code in codes)])

        def button(key):
            plain, rest, code = key.groups()
            said = f' aria-describedby="{legend[1]}"' if legend and code in claims else ""
            return f'<button class="{classes(plain, code)}"{MARKED.sub("", rest)}{said}{out if code in gone else ""}>'

        def label(key):
            plain, rest, blank, box, code = key.groups()
            off = out.replace(' type="button"', "") if code in gone else ""
            return f'<label class="{classes(plain, code)}"{rest}>{blank}<input{MARKED.sub("", box)}{off}>'

        return head + LABEL.sub(label, BUTTON.sub(button, keys))

    return PAD.sub(pad, html)


def codes_in(what, html):
    """Return the codes of the cards a pad lists under a name such as `gone`."""
    return set(" ".join(re.findall(rf'data-{what}="([^"]*)"', html)).split())


# --- What no page may hold: duplicate ids, references to nothing, inline code, and forms sent twice

IDS = re.compile(r'\sid="([^"]*)"')
NAMING = re.compile(r'\s(?:for|aria-labelledby|aria-describedby|aria-controls|popovertarget|list)="([^"]+)"')
HTMX = re.compile(r'\shx-(?:target|select|select-oob|sync|include|trigger)="([^"]*)"')
INLINE = re.compile(r"<style|<script(?![^>]* src=)|<[^>]* (?:style=|hx-on)")
QUEUED = re.compile(re.findall("const RECORDS = /(.*)/;", (STATIC / "taps.js").read_text())[0].replace(r"\/", "/"))
"""The addresses whose forms the tap script queues and sends itself."""
FORM = re.compile(r'<form[^>]* action="([^"]*)".*?</form>', re.DOTALL)


def faults(html: str) -> list[str]:
    """Return what is wrong with a page; references are followed on whole pages only."""
    ids = Counter(IDS.findall(html))
    twice = [f"twice: {name}" for name, count in ids.items() if count > 1]
    whole = html.lstrip().lower().startswith("<!doctype")
    named = {name for names in NAMING.findall(html) for name in names.split()}
    named |= {place for told in HTMX.findall(html) for place in re.findall(r"#([\w-]+)", told)}
    missing = [f"missing: {name}" for name in sorted(named - ids.keys())] if whole else []
    queued = [form[0] for form in FORM.finditer(html) if QUEUED.search(form[1])]
    sent = [f"htmx sends it too: {form}" for form in queued if re.search(r"<[^>]* hx-", form)]
    return twice + missing + sent + [f"inline: {code}" for code in INLINE.findall(html)]
