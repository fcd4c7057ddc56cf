"""Elements of a page that others name: no id stands twice, and every id that is named is there."""

import re
from collections import Counter

IDS = re.compile(r'\sid="([^"]*)"')
NAMING = re.compile(r'\s(?:for|aria-labelledby|aria-describedby|aria-controls|popovertarget|list)="([^"]+)"')


def wrong_names(html: str) -> list[str]:
    """Return the ids that stand twice and, in a whole page, those that are named and missing."""
    ids = Counter(IDS.findall(html))
    twice = [f"twice: {name}" for name, count in ids.items() if count > 1]
    whole = html.lstrip().lower().startswith("<!doctype")
    named = {name for names in NAMING.findall(html) for name in names.split()} if whole else set()
    return twice + [f"missing: {name}" for name in sorted(named - ids.keys())]
