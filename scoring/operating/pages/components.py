"""Catalog of design tokens and components at ``/_components/``; only under DEBUG."""

import re
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.engine.game import find_game
from scoring.tables.presenters.cards import faces_of, symbols_of
from scoring.tables.presenters.people import people

TOKEN = re.compile(r"^  --([\w-]+): ([^;]+);", re.MULTILINE)
COLOR = re.compile(r"#|rgb|light-dark")
NAMES = ("Anna", "Ben", "Clara", "Dominik", "Eva", "Frank", "Greta", "Hugo")
PACKS = {"ace-trump": ("7WY", "AM", "XS", "3SK"), "oh-hell": ("AS", "10D", "KH", "7C")}
"""Sample cards of each pack, by a game that uses it."""


@require_GET
def components(request: HttpRequest) -> HttpResponse:
    """Show every token and component in both themes, with the macros that pages use."""
    if not settings.DEBUG:
        raise Http404
    packs = {game.id: game.rules({}, 4).pack for game in map(find_game, PACKS) if game is not None}
    context = {
        "tokens": [name for name, value in _tokens() if COLOR.match(value)],
        "sizes": [(name, value) for name, value in _tokens() if name[:2] in {"t-", "s-", "r-", "m-"}],
        "packs": [faces_of(PACKS[name], pack) for name, pack in packs.items()],
        "suits": [suit for pack in packs.values() for suit in symbols_of([each.code for each in pack.suits], pack)],
        "people": people(NAMES),
    }
    return render(request, "scoring/components.html", context)


def _tokens() -> list[tuple[str, str]]:
    found = finders.find("scoring/tokens.css")
    return TOKEN.findall(Path(str(found)).read_text(encoding="utf-8")) if found else []
