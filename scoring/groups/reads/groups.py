"""Reads of groups: a caller's access, links, people, their looks and titles, and the groups of a device."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from difflib import SequenceMatcher
from typing import NamedTuple, TypedDict

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from referee.engine.game import Game, all_games, find_game
from referee.engine.reader import as_seen
from referee.engine.sheet import EndData, GameId, OptionData
from scoring.models import (
    DeviceGroup,
    Group,
    GroupLink,
    GroupRole,
    Link,
    Person,
    RecoveryCode,
    Role,
    Scope,
    SeatedPerson,
    Table,
)
from scoring.models.table import evening_now
from scoring.tables.reads.access import PLAYED, Devices, hash_at_table, open_tables, token_hash
from scoring.tables.reads.results import heads, results_of
from scoring.tables.reads.state import listed

ALIKE = 0.75
"""Similarity of two names (0 to 1) from which to ask whether they are the same person."""
MOST_ASKED = 3


def groups_on(devices: Devices) -> QuerySet[Group]:
    held = DeviceGroup.objects.filter(device__secret_hash__in=devices, link__group=F("group"))
    held = held.filter(link__revoked__isnull=True)
    return Group.objects.filter(pk__in=held.values("group")).order_by("name", "pk")


def group_link_by(group: int, *, token: str = "", devices: Devices = ()) -> GroupLink | None:
    """Return the caller's strongest link to a group, by token or device; ``None`` if there is none."""
    had = Q(devices__device__secret_hash__in=devices, devices__group=group)
    right = Q(token_hash=token_hash(token)) if token else had
    held = GroupLink.objects.select_related("person").filter(right, group=group, revoked__isnull=True)
    return max(held, key=lambda link: (link.strength, link.pk), default=None)


def was_turned_off(code: str, devices: Devices) -> bool:
    had = GroupLink.objects.filter(devices__device__secret_hash__in=devices, group__code=code)
    return bool(devices) and had.filter(revoked__isnull=False).exists()


def bars_phone(invitation: GroupLink, devices: Devices) -> bool:
    """Return whether a phone was turned off after an invitation was made, other than with its own invitation."""
    off = GroupLink.objects.filter(devices__device__secret_hash__in=devices, group=invitation.group, phone=True)
    with_it = GroupLink.objects.filter(pk=OuterRef("invited_by"), revoked__lte=OuterRef("revoked"))
    return off.filter(~Exists(with_it), revoked__gt=invitation.created).exists()


def opens_by_group(row: Table, *, token: str = "", devices: Devices = ()) -> bool:
    return row.group_id is not None and group_link_by(row.group_id, token=token, devices=devices) is not None


def right_at_table(row: Table, own: GroupLink, token: str) -> Link:
    """Build the unsaved link by which a group token records at a table."""
    return Link(
        table=row,
        token_hash=hash_at_table(token, row.code),
        role=Role.SCOREKEEPER,
        seat=seat_of(row, own),
        label=own.name,
        taken=timezone.now(),
        group_link=own.pk,
        scope=own.scope or Scope.MANAGE,
    )


def standing_group_links(group: Group) -> QuerySet[GroupLink]:
    return GroupLink.objects.filter(group=group, revoked__isnull=True).order_by("pk")


def only_here(groups: Sequence[Group], devices: Devices) -> set[int]:
    others = GroupLink.objects.filter(group__in=groups, role=GroupRole.MEMBER, revoked__isnull=True)
    others = others.exclude(devices__device__secret_hash__in=devices)
    safe = {*others.values_list("group", flat=True)}
    safe |= {*RecoveryCode.objects.filter(group__in=groups).values_list("group", flat=True)}
    return {group.pk for group in groups} - safe


def running_tables(group: Group) -> QuerySet[Table]:
    return listed(Table.objects.filter(group=group, finished=False).order_by("-created", "-pk"))


def people_of(group: Group) -> list[Person]:
    return list(Person.objects.filter(group=group).order_by("pk"))


def person_named(people: list[Person], name: str) -> Person | None:
    """Find a person by name or alias; a merged person resolves to the one they count as."""
    spoken = as_seen(name)
    by_id = {person.pk: person for person in people}
    for person in sorted(people, key=lambda person: person.merged_into_id is not None):
        if spoken in map(as_seen, (person.name, *person.aliases)):
            return by_id[person.counts_as]
    return None


NEVER = (0.0, 0)
"""Stands in for ``last_sat`` of people who never sat at a table."""


def last_sat(group: Group) -> dict[int, tuple[float, int]]:
    """Map each person to (negated timestamp, seat) of where they last sat, so that the latest sorts first."""
    members = {person.pk: person.counts_as for person in people_of(group)}
    rows = SeatedPerson.objects.filter(person__in=members).order_by("table__created", "table", "-seat")
    return {
        members[person]: (-created.timestamp(), seat)
        for person, created, seat in rows.values_list("person", "table__created", "seat")
    }


def key_of_player(name: str, person: int | None) -> object:
    """Return a player's identity across tables: the person, or else the normalized name."""
    return as_seen(name) if person is None else person


def seated_people(row: Table) -> list[int | None]:
    people: list[int | None] = [None] * len(row.seats)
    for seat, person in SeatedPerson.objects.filter(table=row).values_list("seat", "person"):
        people[seat] = person
    return people


def seat_of(row: Table, link: GroupLink) -> int | None:
    """Return the seat of a phone's person at a table, including people merged with them."""
    if link.person is None:
        return None
    own = Q(person=link.person.counts_as) | Q(person__merged_into=link.person.counts_as) | Q(person=link.person)
    return SeatedPerson.objects.filter(own, table=row).values_list("seat", flat=True).first()


def strangers(people: list[Person], names: Sequence[str]) -> list[tuple[str, str]]:
    found = []
    for name in names:
        if person_named(people, name) is None:
            spoken = as_seen(name)
            close = next((person.name for person in people if _alike(spoken, as_seen(person.name))), "")
            found.append((name, close))
    return found


def spellings_alike(people: list[Person]) -> list[tuple[Person, Person]]:
    """Return pairs of people with similar names, except those marked as distinct."""
    names = [(person, as_seen(person.name)) for person in people]
    return [
        (later, earlier)
        for place, (later, name) in enumerate(names)
        for earlier, other in names[:place]
        if _alike(name, other) and later.pk not in earlier.distinct_from and earlier.pk not in later.distinct_from
    ][:MOST_ASKED]


def _alike(one: str, other: str) -> bool:
    if one[:1] != other[:1]:
        return False
    return SequenceMatcher(None, one, other).ratio() >= ALIKE


# --- How people are drawn on every page: one or two letters in a circle of their color

COLOURS = ("blue", "orange", "green", "pink", "purple", "yellow", "red", "sky")
"""The colors of seats and people, in order: light and dark alternate, so that neighbors differ."""


class Look(NamedTuple):
    """A person's color, and the one or two letters in the circle."""

    colour: str
    mark: str


def looks_of(people: Sequence[Person]) -> dict[int, Look]:
    """Return looks by person id; merged people share one.

    People without a color, as in old archives, get a rarely used one, always the same.
    """
    counted = {person.counts_as for person in people}
    own = [person for person in people if person.pk in counted]
    worn, colours = [person.colour for person in own if person.colour], list[str]()
    for person in own:
        colours.append(person.colour or least_worn(worn))
        worn += [] if person.colour else colours[-1:]
    lettered = marks([person.name for person in own])
    looks = {person.pk: Look(*look) for person, *look in zip(own, colours, lettered, strict=True)}
    return looks | {person.pk: looks[person.counts_as] for person in people if person.counts_as in looks}


def least_worn(worn: Collection[str]) -> str:
    """Return the least used color, the first one on a tie.

    >>> least_worn(["blue", "green", "orange"]), least_worn([*COLOURS, "blue"])
    ('pink', 'orange')
    """
    number = Counter(worn)
    return min(COLOURS, key=lambda colour: number[colour])


def marks(names: Sequence[str], given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return a letter for each name, or two where first letters clash; ``given`` ones are kept.

    >>> marks(["Anna", "Ben", "Alma", "Annika", "Player 1", "Player 2"])
    ('An', 'B', 'Al', 'Ai', 'P1', 'P2')
    """
    shown = [given[place] if place < len(given) else "" for place in range(len(names))]
    initials = Counter(name[:1].upper() for name in names)
    for place, name in enumerate(names):
        if not shown[place]:
            first = name[:1].upper()
            pairs = [first + letter for letter in _seconds(name)]
            possible = pairs if initials[first] > 1 and pairs else [first, *pairs]
            shown[place] = next((mark for mark in possible if mark not in shown), possible[0])
    return tuple(shown)


def _seconds(name: str) -> Iterator[str]:
    """Yield candidates for a second letter: the initial of the last word, then the letters of the name."""
    words = name.split()
    if len(words) > 1:
        yield words[-1][:1].upper()
    yield from (letter.lower() for letter in name[1:] if letter.isalnum())


def seated_looks(members: Sequence[Person], seated: Sequence[int | None]) -> list[Look | None]:
    """Return the looks to store with a table, ``None`` for guests."""
    looks = looks_of(members)
    return [looks.get(person or 0) for person in seated]


def kept_looks(row: Table) -> tuple[Look | None, ...]:
    """Return the looks stored with a table; empty if it belongs to no group.

    >>> kept_looks(Table(looks=[["blue", "A"], None]))
    (Look(colour='blue', mark='A'), None)
    """
    return tuple(None if each is None else Look(*each) for each in row.looks)


# --- The groups and tables on a device's front page


class GroupOnDevice(NamedTuple):
    """A group on a device's front page: its people, tonight's games and leaders, and the last evening's date."""

    group: Group
    people: tuple[Person, ...]
    tonight: int
    leaders: tuple[str, ...]
    last: date | None


def groups_at_a_glance(groups: Sequence[Group]) -> list[GroupOnDevice]:
    """Read the groups of a front page in a constant number of queries."""
    people, last = defaultdict[int, list[Person]](list), dict[int, date]()
    for person in Person.objects.filter(group__in=groups, merged_into=None).order_by("pk"):
        people[person.group_id].append(person)
    for found in Table.objects.filter(group__in=groups).values("group").annotate(evening=Max("evening")):
        last[found["group"]] = found["evening"]
    at_it = [group for group in groups if last.get(group.pk) == evening_now(group.time_zone)]
    days = {last[group.pk] for group in at_it}
    rows = [row for row in heads().filter(group__in=at_it, evening__in=days) if row.evening == last[row.group_id or 0]]
    results, wins = results_of(rows), defaultdict[int, Counter[str]](Counter)
    for row in rows:
        result = results.get(row.pk)
        wins[row.group_id or 0].update(row.seats[seat] for seat in (result.winners if result else ()))
    return [
        GroupOnDevice(
            group,
            tuple(people[group.pk]),
            sum(row.group_id == group.pk for row in rows),
            tuple(name for name, won in wins[group.pk].items() if won == max(wins[group.pk].values())),
            last.get(group.pk),
        )
        for group in groups
    ]


def running_on(devices: Devices, groups: Sequence[Group]) -> QuerySet[Table]:
    """Return the running tables of a device and its groups, most recently played first."""
    found = open_tables(devices).order_by() | Table.objects.filter(group__in=groups)
    return found.filter(finished=False).order_by(PLAYED.desc(), "-pk")


def loose_tables(devices: Devices, groups: Sequence[Group]) -> QuerySet[Table]:
    return open_tables(devices).exclude(group__in=groups)


# --- Titles that a group gives to games without a referee, and how each was last played

MOST_TITLES = 60


class PlayedTitle(TypedDict):
    """A group's title for a game, with the players, house rules and end of its latest table."""

    game: GameId
    title: str
    players: int
    options: OptionData
    end: EndData


def titles_of(group: Group) -> list[PlayedTitle]:
    """Return the titles of a group, most recently played first."""
    found: dict[str, PlayedTitle] = {}
    tables = Table.objects.filter(group=group, game__contains=":").order_by("-created", "-pk")
    for key, seats, options, end in tables.values_list("game", "seats", "options", "end"):
        game = find_game(key)
        if game is not None and key not in found and len(found) < MOST_TITLES:
            played = PlayedTitle(game=game.id, title=game.title, players=len(seats), options=options, end=end)
            found[key] = played
    return [*found.values()]


def games_of(group: Group) -> tuple[Game, ...]:
    """Return the installed games, and the titled ones of a group."""
    keys = Table.objects.filter(group=group, game__contains=":").order_by("game").values_list("game", flat=True)
    titled = (find_game(key) for key in keys.distinct())
    return (*all_games(), *(game for game in titled if game is not None))


def as_spelled(group: Group | None, game: Game) -> Game:
    """Return a game with its title as the group first spelled it; titles ignore case and spacing."""
    if group is None or not game.title:
        return game
    keys = Table.objects.filter(group=group, game__startswith=f"{game.id}:").values_list("game", flat=True).distinct()
    same = (found for key in keys if (found := find_game(key)) and as_seen(found.title) == as_seen(game.title))
    return next(same, game)
