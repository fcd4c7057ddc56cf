"""What a player's own phone shows of its own seat, and what all others may be told of secret choices."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.pages.show.cards import Face, face
from scoring.pages.show.event_sentences import sentence
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class Secret:
    """Who has made a secret choice, who has to make it again, and whether this phone's player has.

    ``looks`` is what was chosen on this very device, in cards and in words; elsewhere there is none.
    """

    chosen: str
    again: str
    own: bool
    looks: tuple[tuple[tuple[Face, ...], str], ...] = ()


def secret(at: Standing, seat: int | None, events: Iterable[Mapping[str, Any]]) -> Secret | None:
    """Return what a device may be told of secret choices: ``events`` are what its players have chosen on it."""
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
        looks=tuple(
            (tuple(face(pack, code) for code in event.get("cards", ())), sentence(event, names, pack))
            for event in events
        ),
    )
