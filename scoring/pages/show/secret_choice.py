"""What a player's own phone shows of its own seat, and what all others may be told of secret choices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.pages.show.cards import Face, face
from scoring.pages.show.event_sentences import sentence
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class Secret:
    """Who has made a secret choice, who has to make it again, and whether this phone's player has.

    ``cards`` and ``text`` are what was chosen on this very device; elsewhere they are empty.
    """

    chosen: str
    again: str
    own: bool
    cards: tuple[Face, ...] = ()
    text: str = ""


def secret(at: Standing, seat: int | None, event: Mapping[str, Any] | None) -> Secret | None:
    """Return what a device may be told of secret choices: ``event`` is what was chosen on it for its own seat."""
    row, names, pack = at.row, at.names, at.rules.pack
    if not row.choosing:
        return None
    own = seat in row.choosing.get("chosen", ())
    others = [names[s] for s in row.choosing.get("chosen", ()) if s != seat]
    again = [names[s] for s in row.choosing.get("again", ())]
    return Secret(
        chosen=", ".join(others),
        again=" & ".join(again),
        own=own,
        cards=() if event is None else tuple(face(pack, code) for code in event.get("cards", ())),
        text="" if event is None else sentence(event, names, pack),
    )
