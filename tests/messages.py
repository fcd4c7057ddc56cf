"""`make messages`: collect the texts people read, keep their translations, and compile them.

There are two kinds of catalogues: the pages' texts, found in templates and Python sources, and the referee's, which it
lists itself. A text whose English changes loses its translation: nothing is fuzzy-matched.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import django
from babel.messages import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from tests.referee_texts import messages_of, owners, said_in

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("de", "es", "fr", "it", "nl")
ROUNDS = "en_X-round"
"""English for a game played in rounds (``Game.hand_word``); other languages use one word for both."""
WITH_ROUNDS = ("scoring", "referee")
HAND = re.compile(r"\b(h)and(s?)\b", re.IGNORECASE)
OF_CARDS = re.compile(
    r"[Cc]ard|[Tt]rick|revoke|suit|trump|\bbid|proved|void when|==|“open”|names the columns|hidden|entered|course"
    r"|’s hand|[Ll]eft hand|\b[Aa]t hand|by hand|in hand|nown hand|[Ww]hose|holds|binds"
)
"""Texts no game without cards shows, or in which a hand is a hand of cards or a person's."""
LONGEST_VARIANT = 160
ROUND = {"h": "r", "H": "R"}
CATALOGUES = ("scoring", *owners())
SOURCES = ("scoring", "deploy")
PROBLEMS = tuple(
    f"scoring/{subject}/{layer}"
    for subject in ("tables", "groups", "rulings", "operating")
    for layer in ("acts", "reads", "api")
)
"""The function that states why something cannot be done, in the referee's style."""
TEMPLATES = "templates"
TEMPLATE = {"extensions": "scoring.operating.pages.environment.Parts", "silent": "false"}
"""How a template is read."""
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}

Key = tuple[str | None, str | tuple[str, ...]]
"""A text's context, its English, and its plural if it has one."""


class Texts(Catalog):
    """A catalogue with a minimal header, so that it changes only with its texts."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]

    @property
    def header_comment(self) -> str:
        return "# Written by `make messages`; only the lines that begin with msgstr are written by people."


# -- what there is to translate -------------------------------------------------------------


def page_texts() -> Iterator[tuple[Key, str]]:
    """Yield the texts of the pages, each with its source file."""
    for path in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        yield from _found(path, path.read_text())
    for path in sorted(path for folder in PROBLEMS for path in (ROOT / folder).rglob("*.py")):
        for context, text in said_in(path):
            yield (context or None, text), path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / TEMPLATES).rglob("*.html")):
        yield from _found(path, path.read_text(), method=babel_extract)


def _found(path: Path, source: str, method: Any = "python") -> Iterator[tuple[Key, str]]:
    where = path.relative_to(ROOT).as_posix()
    for _line, text, _comments, context in extract(method, BytesIO(source.encode()), KEYWORDS, options=TEMPLATE):
        yield (context, tuple(text) if isinstance(text, list | tuple) else text), where


def referee_texts(owner: str) -> Iterator[tuple[Key, str]]:
    """Yield the texts of the referee, or of one game: sentences, names, clauses."""
    for context, text in messages_of(owner):
        yield (context or None, text), ""


def texts_of(catalogue: str) -> list[tuple[Key, str]]:
    return list(page_texts() if catalogue == "scoring" else referee_texts(catalogue))


def said_in_rounds(texts: Iterable[tuple[Key, str]]) -> Texts:
    """Return the texts of a catalogue that mention hands, reworded in English for a game played in rounds."""
    found = Texts(locale="en", fuzzy=False)
    for (context, text), _where in texts:
        forms = (text,) if isinstance(text, str) else text
        if HAND.search(forms[0]) and not OF_CARDS.search(forms[0]) and len(forms[0]) <= LONGEST_VARIANT:
            said = tuple(HAND.sub(lambda word: f"{ROUND[word[1]]}ound{word[2]}", form) for form in forms)
            found.add(text, said[0] if isinstance(text, str) else said, context=context)
    return found


# -- the files ------------------------------------------------------------------------------


def path_of(catalogue: str, language: str) -> Path:
    return ROOT / catalogue / "locale" / language / "LC_MESSAGES" / "django.po"


def read(path: Path, language: str) -> Catalog:
    """Read translations; the catalogue is empty if there are none yet."""
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language, ignore_obsolete=True)


def merged(texts: Iterable[tuple[Key, str]], before: Catalog, language: str) -> Texts:
    catalogue = Texts(locale=language, fuzzy=False)
    for (context, text), where in texts:
        known = before.get(text if isinstance(text, str) else text[0], context)
        same = known is not None and known.id == text and not known.fuzzy
        locations = [(where, 0)] if where else []
        catalogue.add(text, known.string if known and same else None, locations, context=context)
    return catalogue


def as_po(catalogue: Texts) -> bytes:
    """Return a catalogue as a .po file for people: sorted by text, one line each."""
    file = BytesIO()
    write_po(file, catalogue, width=0, sort_output=True, include_lineno=False)
    return re.sub(rb"\n+$", b"\n", file.getvalue())


def as_mo(catalogue: Catalog) -> bytes:
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def missing(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id and not _is_whole(message.string)]


def _is_whole(string: str | tuple[str, ...] | list[str] | None) -> bool:
    return bool(string) if isinstance(string, str) else bool(string) and all(string or ())


def main(begun: Sequence[str]) -> None:
    """Update every catalogue, and report what is untranslated.

    A game without a catalogue speaks English; catalogues of the folders in ``begun`` are created.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup(set_prefix=False)
    texts = {name: texts_of(name) for name in {*WITH_ROUNDS, *CATALOGUES}}
    for name in WITH_ROUNDS:
        path, rounds = path_of(name, ROUNDS), said_in_rounds(texts[name])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_po(rounds))
        path.with_suffix(".mo").write_bytes(as_mo(rounds))
    for language in LANGUAGES:
        for name in CATALOGUES:
            path = path_of(name, language)
            if not texts[name] and not path.exists():
                continue
            if name.startswith("referee/games/") and not path.exists() and name not in begun:
                print(f"{path.relative_to(ROOT)}: none; `.venv/bin/python -m tests.messages {name}` begins it")
                continue
            catalogue = merged(texts[name], read(path, language), language)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_po(catalogue))
            path.with_suffix(".mo").write_bytes(as_mo(catalogue))
            left = missing(catalogue)
            print(f"{path.relative_to(ROOT)}: {len(catalogue)} texts, {len(left)} to be translated")
            for message in left:
                print(f"  {message.id!r}")


if __name__ == "__main__":
    main(sys.argv[1:])
