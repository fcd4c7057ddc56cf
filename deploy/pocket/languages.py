"""A phone's languages: each one is fetched when chosen and stored as a catalogue that Django finds.

English is built in.
"""

import json
import struct
from collections.abc import Iterable
from pathlib import Path

HEADER = "Content-Type: text/plain; charset=utf-8\nPlural-Forms: nplurals=2; plural=({plural});\n"
MAGIC, HEAD = 0x950412DE, 7 * 4

_learned = set[str]()  # kept in snapshots, with the catalogues Django has read


def learn(language: str, texts: bytes, said: bytes) -> None:
    """Install a language; ``texts`` and ``said`` are JSON lists of texts and translations in the same order."""
    from django.conf import settings
    from django.utils.translation import trans_real

    path = Path(settings.LOCALE_PATHS[-1], language, "LC_MESSAGES", "django.mo")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(catalogue(zip(["", *json.loads(texts)], json.loads(said), strict=True)))
    if language not in _learned:  # drop what Django cached before the catalogue existed
        vars(trans_real)["_translations"].pop(language, None)
        trans_real.reset_cache(setting="LANGUAGES")
        _learned.add(language)


def catalogue(said: Iterable[tuple[str, str]]) -> bytes:
    """Build a gettext catalogue (``.mo``); empty translations are skipped."""
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
