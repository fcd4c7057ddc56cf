"""What tests read from a page: its text, its keys, its ids."""

import re
from collections import Counter
from typing import Any

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


def tells(page: Any, word: str) -> bool:
    """Return whether a page contains a whole word anywhere, tags included.

    Parts of longer words do not count: a page's tokens contain every three letters once in a while.
    """
    said = page if isinstance(page, str) else page.content.decode()
    return re.search(rf"\b{re.escape(word)}\b", said) is not None


# --- What the page's script marks on the keys of a pad

PAD = re.compile(r'(<fieldset class="pad[^>]*>)(.*?</fieldset>)', re.DOTALL)
BUTTON = re.compile(r'<button class="(card[^"]*)"([^>]*? value="(\w+)"[^>]*)>')
LABEL = re.compile(r'<label class="(card[^"]*)"([^>]*)>(\s*)<input([^>]*? value="(\w+)"[^>]*)>')
MARKED = re.compile(r' (?:aria-describedby="[\w-]+-claims"|type="button"|aria-disabled="true"|disabled)(?=[ >]|$)')


def marked_keys(html):
    """Return a page with its keys marked as its pads say, as `morph.js` does."""

    def pad(found):
        head, keys = found.groups()
        gone, claims = codes_in("gone", head), codes_in("claims", head)
        out = ' type="button" aria-disabled="true"' if "data-tells" in head else " disabled"
        legend = re.search(r'class="pad-legend" id="([\w-]+)"', keys)

        def classes(plain, code):
            kept = [each for each in plain.split() if each not in ("gone", "claims")]
            return " ".join([*kept, *["gone"] * (code in gone), *["claims"] * (code in claims)])

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
    """Return the codes of the cards a pad lists as `gone` or `claims`."""
    return set(" ".join(re.findall(rf'data-{what}="([^"]*)"', html)).split())


# --- References between elements: no duplicate id, and every referenced id exists

IDS = re.compile(r'\sid="([^"]*)"')
NAMING = re.compile(r'\s(?:for|aria-labelledby|aria-describedby|aria-controls|popovertarget|list)="([^"]+)"')


def wrong_names(html: str) -> list[str]:
    """Return duplicate ids and, on a whole page, references to missing ones."""
    ids = Counter(IDS.findall(html))
    twice = [f"twice: {name}" for name, count in ids.items() if count > 1]
    whole = html.lstrip().lower().startswith("<!doctype")
    named = {name for names in NAMING.findall(html) for name in names.split()} if whole else set()
    return twice + [f"missing: {name}" for name in sorted(named - ids.keys())]
