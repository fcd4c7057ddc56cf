"""The languages of a phone: all texts once, and for each language what it says for them, fetched when it is chosen.

English is there from the start. A language that was fetched becomes a catalogue where Django looks for one.
"""

import json
import struct
from collections.abc import Iterable
from pathlib import Path

HEADER = "Content-Type: text/plain; charset=utf-8\nPlural-Forms: nplurals=2; plural=({plural});\n"
MAGIC, HEAD = 0x950412DE, 7 * 4

_learned = set[str]()  # a snapshot keeps it, with what Django read


def learn(language: str, texts: bytes, said: bytes) -> None:
    """Let pages speak a language from now on; ``texts`` and ``said`` are two lists as JSON, in the same order."""
    from django.conf import settings
    from django.utils.translation import trans_real

    path = Path(settings.LOCALE_PATHS[-1], language, "LC_MESSAGES", "django.mo")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(catalogue(zip(["", *json.loads(texts)], json.loads(said), strict=True)))
    if language not in _learned:  # what Django found before there was a catalogue is of no use
        vars(trans_real)["_translations"].pop(language, None)
        trans_real.reset_cache(setting="LANGUAGES")
        _learned.add(language)


def catalogue(said: Iterable[tuple[str, str]]) -> bytes:
    """Return texts with what is said for them, as gettext reads them (a ``.mo`` file); what is empty is left out."""
    pairs = [(text.encode(), words.encode()) for text, words in said if words]
    tables, content = [list[int](), list[int]()], bytearray()
    begin = HEAD + 2 * 8 * len(pairs)
    for place, table in enumerate(tables):
        for pair in pairs:
            table += (len(pair[place]), begin + len(content))
            content += pair[place] + b"\0"
    head = (MAGIC, 0, len(pairs), HEAD, HEAD + 8 * len(pairs), 0, 0)
    numbers = (*head, *tables[0], *tables[1])
    return struct.pack(f"<{len(numbers)}I", *numbers) + bytes(content)
