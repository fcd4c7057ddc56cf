"""The house rules that a device keeps as its own, one set for each game: in a cookie that only the form is sent."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from referee.engine.game import Game
from scoring.pages.device.cookie import SECONDS

LONGEST = 2000


def our_rules(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Return what the fields of the form begin with; nothing where no rules were kept, or none that are known."""
    known = {f"option-{option.key}" for option in game.all_options()}
    known |= {"end", *(f"end-{kind.name}" for kind in game.ends)}
    kept = request.COOKIES.get(_name(game), "")[:LONGEST]
    return {key: value for key, value in parse_qsl(kept) if key in known}


def keep_rules(response: HttpResponse, game: Game, fields: dict[str, str]) -> None:
    """Keep the fields of the form as the rules of this device."""
    response.set_cookie(
        _name(game),
        urlencode(fields),
        max_age=SECONDS,
        path=reverse("scoring:new-table", args=[game.id]),
        httponly=True,
        samesite="Lax",
    )


def _name(game: Game) -> str:
    return f"rules-{game.id}"
