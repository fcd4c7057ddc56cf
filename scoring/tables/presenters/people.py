"""Presenters of players, a letter in a colored circle, and of a new table's form: seats, recording depth, dealer."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, cycle
from typing import NamedTuple

from django.utils.translation import gettext as _

from referee.engine.game import Game, event_kinds
from referee.engine.rules import Refused
from referee.engine.table import open_table
from scoring.groups.reads.groups import COLOURS, Look, kept_looks, looks_of, marks
from scoring.models import Person, Table
from scoring.tables.reads.state import with_hand
from scoring.wording import filled


class Somebody(NamedTuple):
    """A player: name, letters in the circle, and its color."""

    name: str
    mark: str
    colour: str


def people(names: Sequence[str], looks: Sequence[Look | None] = ()) -> tuple[Somebody, ...]:
    """Return the players of a table by seat; ``looks`` are the fixed ones of known people.

    Colors are unique at a table: if two players have the same, the later one gets the first free one.

    >>> [(who.mark, who.colour) for who in people(("Anna", "Ben", "Alma"))]
    [('An', 'blue'), ('B', 'orange'), ('Al', 'green')]
    >>> [(who.mark, who.colour) for who in people(("Anna", "Ben", "Alma"), (Look("red", "A"), None, Look("red", "Al")))]
    [('A', 'red'), ('B', 'blue'), ('Al', 'orange')]
    """
    own = [looks[seat] if seat < len(looks) else None for seat in range(len(names))]
    wanted = [look.colour if look else "" for look in own]
    taken = {colour for colour in wanted if colour}
    free = chain([colour for colour in COLOURS if colour not in taken], cycle(COLOURS))
    colours: list[str] = []
    for colour in wanted:
        colours.append(next(free) if not colour or colour in colours else colour)
    return tuple(map(Somebody, names, marks(names, [look.mark if look else "" for look in own]), colours))


def at_table(row: Table) -> tuple[Somebody, ...]:
    """Return a table's players: people of its group with their own look, others by seat."""
    return people(row.seats, kept_looks(row))


def of_group(members: Sequence[Person]) -> dict[int, Somebody]:
    """Return a group's people by id; a merged person is shown as the one they were merged into."""
    names, looks = {person.pk: person.name for person in members}, looks_of(members)
    own = {person.pk: person.counts_as for person in members}
    return {pk: Somebody(names[own[pk]], look.mark, look.colour) for pk, look in looks.items()}


# --- Seats, around a table or in rows

ASIDE = 4
"""Up to this many players, the seat for adding another is beside the ring."""


Looks = Callable[[str], Look | None]
"""Looks up the fixed look of a group's person by name."""


def no_look(_name: str) -> None:
    """Return ``None``: outside of a group, players get their look from their seats."""


class Place(NamedTuple):
    """A seat: player and look; ``shown`` is how it is displayed while empty."""

    name: str
    mark: str
    colour: str
    shown: str


class Seats(NamedTuple):
    """All seats, and how many of them form the ring."""

    places: tuple[Place, ...]
    ring: int
    least: int


def seating(names: Sequence[str], players: Sequence[int], looks: Looks = no_look) -> Seats:
    """Return a game's seats, occupied ones with their players' looks.

    >>> [(place.name, place.mark, place.shown) for place in seating(("Anna", "", "Ben"), (2, 3, 4)).places]
    [('Anna', 'A', 'taken'), ('', '', 'aside'), ('Ben', 'B', 'taken'), ('', '', '')]
    >>> seating((), (2, 3)).ring, seating("ABCDE", range(2, 7)).ring
    (2, 6)
    """
    least, most = players[0], max(players[-1], len(names))
    all_names = [*names, *("" for _place in range(most - len(names)))]
    named = [name for name in all_names if name.strip()]
    taken = iter(people(named, [looks(name) for name in named]))
    empty = least - len(named) if len(named) < least else 1
    aside = least <= len(named) <= ASIDE
    places = []
    for place, name in enumerate(all_names):
        if name.strip():
            who = next(taken)
            places.append(Place(name, who.mark, who.colour, "taken"))
            continue
        shown = "" if not empty else "aside" if aside else "open"
        places.append(Place(name, "", COLOURS[place % len(COLOURS)], shown))
        empty -= bool(empty)
    ring = sum(place.shown in ("taken", "open") for place in places)
    return Seats(tuple(places), ring, least)


# --- Recording depth, and who begins


class Depth(NamedTuple):
    """A recording depth; ``value`` is a kind of event, empty for every card."""

    value: str
    label: str
    hint: str


def depths(game: Game) -> tuple[Depth, ...]:
    known = {
        "": Depth("", _("Every card"), _("full referee")),
        "trick": Depth("trick", _("Trick winners"), _("1 tap a trick")),
        "result": Depth("result", _("Just scores"), _("after a hand")),
    }
    known |= {kind: Depth(kind, _(label), _(hint)) for kind, (label, hint) in game.depth_words.items()}
    kinds = ("", *game.depths)
    return tuple(known.get(kind) or Depth(kind, _(event_kinds()[kind].label), "") for kind in kinds)


def deal_label(game: Game, chosen: Mapping[str, object], names: Sequence[str], dealer: int) -> str:
    """Return the label of the *Deal* button, with the player who begins, if the game has one.

    ``dealer`` is an index into ``names``, which may be empty.
    """
    taken = [place for place, name in enumerate(names) if name.strip()]
    try:
        rules = game.rules(chosen, len(taken) or game.players[0])
    except Refused:
        return _("Deal")
    hand = with_hand(open_table(rules, first_dealer=taken.index(dealer) if dealer in taken else 0)).hand
    if hand is not None and hand.setup.cardless:
        return _("Start")
    asked = () if hand is None or not taken else hand.asks()
    if not asked or len(asked[0].seats) != 1:
        return _("Deal")
    name = names[taken[asked[0].seats[0]]].strip()
    if event_kinds()[asked[0].event].in_trick:
        return filled(_("Deal · {name} leads"), name=name)
    return filled(_("Deal · {name} begins"), name=name)
