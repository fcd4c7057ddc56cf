"""Every text people read goes through a catalogue, and every catalogue is complete."""

import ast
import re
from collections import Counter
from datetime import date
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from django.conf import settings
from django.utils.translation import gettext, ngettext, override

from referee.engine.texts import OR
from referee.packs.decktet import PLURALS, SUITS
from referee.packs.french import SUITS as FRENCH
from scoring.tables.presenters.formats import day, listed
from tests import messages
from tests.messages import CATALOGUES, LANGUAGES, ROOT, as_mo, as_po, merged, missing, path_of, read

HELD = [(name, language) for name in CATALOGUES for language in LANGUAGES if path_of(name, language).exists()]
ALWAYS_GAMES = (
    "decktet_tricks", "ace_trump", "ransom_trump", "wildcat_chicane", "american_deuce", "ace_pit", "oh_hell",
)  # fmt: skip
ALWAYS = ("scoring", "referee", *(f"referee/games/{name}" for name in ALWAYS_GAMES))
"""The games translated into every language; any other may be in English."""
held = pytest.mark.parametrize(("name", "language"), HELD)

IN_ENGLISH = {"api/problems.html", "drf_spectacular/swagger_ui.html", "scoring/components.html"}
"""Pages for programmers: in English, as the API is."""
ORDINAL = re.compile(r"\d+(st|nd|rd|th)")
"""A number whose ending each language writes its own way."""
NO_WORDS = {"JSON", "K7PQ-M2XW"}
"""Texts that no language changes."""
TOLD = ("aria-label", "placeholder", "title", "alt", "aria-description", "aria-roledescription")
PLACEHOLDERS = re.compile(r"%\(\w+\)s|\{\w+(?::[^{}]+)?\}|</?\w[^>]*>")
LETTERS = re.compile(r"[^\W\d_]")


texts_of = cache(messages.texts_of)


@cache
def catalogue_of(name: str, language: str) -> Catalog:
    return read(path_of(name, language), language)


def strings(string: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string or ())


def told(name: str, language: str) -> list[Message]:
    return [message for message in catalogue_of(name, language) if message.id]


def sources(kind: str, *folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob(kind))


def test_german_is_loaded_only_when_first_used(monkeypatch, tmp_path):
    game = "referee/games/oh_hell"
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    monkeypatch.setattr(messages, "CATALOGUES", (game,))
    messages.main(())
    assert not path_of(game, "de").exists()
    messages.main((game,))
    assert missing(read(path_of(game, "de"), "de"))


def test_every_marked_text_is_collected():
    within = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sources("*.py", *messages.SOURCES)
        for joined in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(joined, ast.JoinedStr)
        for call in ast.walk(joined)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("_", "gettext", "ngettext", "pgettext", "npgettext", "phrase")
        and isinstance(call.args[0], ast.Constant)
    ]
    assert within == []


@held
def test_committed_catalogues_match_their_sources(name, language):
    made, path = merged(texts_of(name), catalogue_of(name, language), language), path_of(name, language)
    assert as_po(made) == path.read_bytes(), "Run `make messages`."
    assert as_mo(made) == path.with_suffix(".mo").read_bytes(), "Run `make messages`."


@pytest.mark.parametrize("name", messages.WITH_ROUNDS)
def test_the_english_texts_for_rounds_are_up_to_date(name):
    path, now = path_of(name, messages.ROUNDS), messages.said_in_rounds(texts_of(name))
    assert (as_po(now), as_mo(now)) == (path.read_bytes(), path.with_suffix(".mo").read_bytes()), "Run `make messages`."
    said = now.get("Next hand" if name == "scoring" else "for 1 hand")
    assert said is not None
    assert str(said.string).endswith(" round")


def test_every_installed_language_has_catalogues():
    assert [settings.LANGUAGE_CODE, *LANGUAGES] == [code for code, _name in settings.LANGUAGES]
    missing = [(name, code) for name in ALWAYS for code in LANGUAGES if not path_of(name, code).exists()]
    assert missing == []


@held
def test_every_text_is_translated(name, language):
    assert [message.id for message in missing(catalogue_of(name, language))] == []
    assert [message.id for message in told(name, language) if message.fuzzy] == []
    assert "#~" not in path_of(name, language).read_text()


@held
def test_a_translation_has_the_placeholders_of_its_text(name, language):
    """A plural form may omit the number if it is one."""
    for message in told(name, language):
        wanted = [set(PLACEHOLDERS.findall(text)) for text in strings(message.id)]
        for place, string in enumerate(strings(message.string)):
            found = Counter(PLACEHOLDERS.findall(string))
            assert _places(found) == _places(wanted[min(place, len(wanted) - 1)]), message.id


def _places(found) -> set[str]:
    """Return the placeholders without the grammatical form of the name: each language has its own."""
    return {re.sub(r":[^{}]+\}", "}", place) for place in found}


@held
def test_a_translation_is_punctuated_like_its_text(name, language):
    for message in told(name, language):
        for text, string in zip(strings(message.id), strings(message.string), strict=False):
            assert (text[:1] == " ", text[-1:] == " ") == (string[:1] == " ", string[-1:] == " "), text
            if not ORDINAL.fullmatch(text):
                assert (text[-1:] == ".") == (string[-1:] == "."), f"{text!r}: {string!r}"
            assert "'" not in string or "'" in text, f"’ is meant: {string!r}"
            assert '"' not in string or '"' in text, f"„“ are meant: {string!r}"
            assert not re.search(r"\w [:;!?»]|« ", string), f"a line of {string!r} may begin with a sign"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_in_two_catalogues_has_one_translation(language):
    """Pages look them all up in one place, and the first one wins."""
    known: dict = {}
    for name in CATALOGUES:
        for message in told(name, language):
            same = known.setdefault((message.context, message.id), message.string)
            assert same == message.string, f"{message.id!r} needs a context of its own."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_has_a_plural_form(language):
    """Other catalogues, such as Django's own, have a separate form for millions."""
    counted = [message for message in told("scoring", language) if isinstance(message.id, tuple)]
    assert counted
    with override(language):
        for message in counted:
            for number in (0, 1, 2, 5, 100, 1_000_000, 2_000_000):
                is_one = number == 1 or (number == 0 and language == "fr")
                assert ngettext(message.id[0], message.id[1], number) == strings(message.string)[0 if is_one else 1]


# -- nothing is said past the catalogues ----------------------------------------------------


class Visible(HTMLParser):
    """Collects what people see or hear of a template."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style"):
            self.inside.append(tag)
        buttons = tag == "input" and dict(attrs).get("type") in ("submit", "button", "reset")
        names = (*TOLD, "value") if buttons else TOLD
        self.texts += [value for name, value in attrs if name in names and value]

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if not self.inside:
            self.texts.append(data)


def spoken(template: str) -> list[str]:
    """Return a template's words outside the translated parts."""
    bare = re.sub(r"\{%-?\s*trans\b.*?\{%-?\s*endtrans\s*-?%\}", "", template, flags=re.DOTALL)
    # Some blocks are inside a tag.
    bare = re.sub(r"\{%\s*block \w*attributes\s*%\}.*?\{%-?\s*endblock\s*%\}", "", bare, flags=re.DOTALL)
    # A tag's text is translated where it is passed on; a filter's text is shown as it is.
    fallbacks = re.findall(r"\|(?:or_else|default)\(\s*[\"']([^\"']*)", bare)
    bare = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", bare, flags=re.DOTALL)
    visible = Visible()
    visible.feed(bare)
    found = [text.strip() for text in [*visible.texts, *fallbacks]]
    return [text for text in found if LETTERS.search(text) and text not in NO_WORDS]


def test_no_template_contains_untranslated_text():
    folder = ROOT / "templates"
    pages = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.html")}
    assert {name: said for name in pages.keys() - IN_ENGLISH if (said := spoken(pages[name].read_text()))} == {}


LITERAL = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`")
KEYS = {"Enter", "Escape", "Backspace"}


def said_by(script: str) -> list[str]:
    """Return a script's strings that could be meant for people: several words, or one with a capital."""
    code = re.sub(r"^\s*//.*$|\s//\s.*$", "", script, flags=re.MULTILINE)
    code = re.sub(r"console\.\w+\(|new Error\(", "log(", code)
    code = re.sub(r"log\([\"'][^\"']*[\"']", "", code).replace('"use strict"', "")
    texts = [literal[1:-1] for literal in LITERAL.findall(code)]
    words = [text for text in texts if re.fullmatch(r"(?:[A-Za-zÀ-ÿ’]+[.,:;!?…]? )+[A-Za-zÀ-ÿ’]+[.!?…]?", text)]
    return words + [text for text in texts if re.fullmatch(r"[A-Z][a-zß-ÿ]+[.!?…]?", text) and text not in KEYS]


def test_no_script_contains_text_for_users():
    """Scripts take texts from the page, which has them in its language."""
    scripts = sources("*.js", "scoring/static", "templates")
    assert scripts
    assert {path.name: said for path in scripts if (said := said_by(path.read_text()))} == {}


def test_styles_contain_no_text():
    for path in sources("*.css", "scoring/static"):
        said = re.findall(r"content:\s*\"([^\"]*)\"", path.read_text())
        assert not [text for text in said if LETTERS.search(text)], path.name


NAMED = (*(suit.name for suit in (*FRENCH, *SUITS)), *PLURALS.values())


@pytest.mark.parametrize("language", ["es", "fr", "it", "nl"])
def test_suits_and_ranks_are_written_small_inside_sentences(language):
    with override(language):
        words = sorted(map(gettext, NAMED))
    inside = re.compile(rf"(?<=[\w,;:’'] )(?:{'|'.join(words)})\b")
    texts = [text for name in CATALOGUES for message in told(name, language) for text in strings(message.string)]
    assert [text for text in texts if inside.search(text)] == []


def test_names_in_sentences_are_joined_as_each_language_joins_them():
    joined = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (*sources("*.py", "scoring"), *sources("*.html", "templates"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if '" & "' in line
    ]
    assert [line for line in joined if "for seat in side" not in line] == []
    with override("es"):
        assert listed(["Ana", "Ben", "Inés"]) == "Ana, Ben e Inés"
        assert listed(["Ana", "Óscar"], OR) == "Ana u Óscar"


def test_days_of_the_week_are_small_where_the_language_writes_them_so():
    for language, told in (("it", "mercoledì"), ("fr", "mercredi"), ("de", "Mittwoch"), ("en", "Wednesday")):
        with override(language):
            assert day(date(2026, 12, 2)).startswith(told)


def test_who_deals_is_told_in_the_middle_of_a_line():
    for language in LANGUAGES:
        with override(language):
            assert (gettext("%(name)s deals") % {"name": "Ann"}).startswith("Ann ")


def test_one_card_is_left_and_several_are():
    with override("es"):
        assert (ngettext("left", "left", 1), ngettext("left", "left", 2)) == ("queda", "quedan")
    assert 'ngettext("left", "left", fact.number)' in (ROOT / "templates/scoring/_plate.html").read_text()


def test_no_colon_stands_bare_in_a_template():
    """French has a space before it, at which no line breaks."""
    bare = re.compile(r"(?:>|\}\}): (?:\{\{|\{%|<)")
    assert [
        path.name
        for path in sources("*.html", "templates/scoring")
        if bare.search(re.sub(r"\{%-? trans.*?endtrans -?%\}", "", path.read_text(), flags=re.DOTALL))
    ] == []
