"""Display settings of a device, in one cookie: theme, deck, card size, hand, sound.

The cookie lists non-default values, as ``theme-dark.deck-four``. Pages carry them as ``data-`` attributes of the root
element; ``display.js`` reads and writes the same cookie, so cached pages follow too.
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST
from django.views.i18n import set_language
from markupsafe import Markup

COOKIE = "display"
A_YEAR = 365 * 24 * 3600
CHOICES = {
    "theme": ("light", "dark"),
    "deck": ("four",),
    "cards": ("large",),
    "hand": ("left",),
    "sound": ("on",),
}
"""Values of each setting besides its default, which is empty."""


class Display(NamedTuple):
    """A device's settings; empty means the default."""

    theme: str = ""
    deck: str = ""
    cards: str = ""
    hand: str = ""
    sound: str = ""

    @property
    def attributes(self) -> Markup:
        chosen = (Markup(' data-{}="{}"').format(name, value) for name, value in self._asdict().items() if value)
        return Markup().join(chosen)

    @property
    def cookie(self) -> str:
        return ".".join(f"{name}-{value}" for name, value in self._asdict().items() if value)

    def changed(self, posted: Mapping[str, str]) -> "Display":
        """Return a copy changed by a form; unknown values are ignored."""
        return self._replace(
            **{name: posted[name] for name, known in CHOICES.items() if posted.get(name) in {"", *known}}
        )


def display_of(cookies: Mapping[str, str]) -> Display:
    """Parse the cookie; unknown values are ignored.

    >>> display_of({"display": "theme-dark.deck-four.hand-third"})
    Display(theme='dark', deck='four', cards='', hand='', sound='')
    """
    return Display().changed(dict(part.partition("-")[::2] for part in cookies.get(COOKIE, "")[:200].split(".")))


def display(request: HttpRequest) -> dict[str, object]:
    """Context processor that adds the device's settings."""
    return {"display": display_of(request.COOKIES)}


@require_POST
def choose_display(request: HttpRequest) -> HttpResponseBase:
    """Store settings in the cookie, and redirect to the page where they were chosen."""
    chosen = display_of(request.COOKIES).changed(request.POST.dict())
    response: HttpResponseBase = set_language(request)  # without a language, it only redirects back
    if chosen.cookie:
        response.set_cookie(COOKIE, chosen.cookie, max_age=A_YEAR, samesite="Lax", secure=request.is_secure())
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
