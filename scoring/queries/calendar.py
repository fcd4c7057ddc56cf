"""The evenings of a group as a calendar (RFC 5545): an event each, with what was played and what everybody brought."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

from referee.engine.catalogue import find_game
from scoring.models import Group, Table
from scoring.queries.evenings import LONGEST_BREAK
from scoring.queries.played import PLAYED
from scoring.queries.seat_rows import Chosen, among, counted, people_counted

SHORTEST_EVENING = timedelta(minutes=1)
LONGEST_LINE = 75
"""Bytes of a line without its end; a longer one goes on in the next, after a space."""


def calendar_of(group: Group, chosen: Chosen) -> str:
    """Return the evenings of a group, from the first table opened to the last one over; one that runs ends now.

    An event ends after it begins, also where a table was brought with its record and has one moment only.
    """
    tables: defaultdict[date, list[tuple[str, datetime, datetime, datetime]]] = defaultdict(list)
    rows = among(Table.objects.filter(group=group), chosen).order_by("created", "pk")
    now = timezone.now()
    read = rows.annotate(played=PLAYED).values_list("evening", "game", "created", "played", "finished", "updated")
    for evening, game, created, last, finished, updated in read:
        over = now if not finished and now - last < LONGEST_BREAK else last
        tables[evening].append((game, created, max(over, created + SHORTEST_EVENING), updated))
    points = _points(group, chosen)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Card table//Evenings//EN", "CALSCALE:GREGORIAN"]
    lines += [f"X-WR-CALNAME:{_text(group.name)}", f"X-WR-TIMEZONE:{group.zone}"]
    for evening, played in sorted(tables.items()):
        games = ", ".join(dict.fromkeys(_name(game) for game, *_rest in played))
        lines += [
            "BEGIN:VEVENT",
            f"UID:{evening.isoformat()}-{group.pk}-{group.created:%Y%m%d%H%M%S}@card-table",
            f"DTSTAMP:{_moment(max(updated for *_rest, updated in played))}",
            f"DTSTART:{_moment(min(created for _game, created, *_rest in played))}",
            f"DTEND:{_moment(max(over for _game, _created, over, _updated in played))}",
            f"SUMMARY:{_text(f'{group.name}: {games}')}",
        ]
        if points[evening]:
            brought = sorted(points[evening].items(), key=lambda each: (-each[1], each[0]))
            lines.append(f"DESCRIPTION:{_text(chr(10).join(f'{name}: {sum_}' for name, sum_ in brought))}")
        lines += ["TRANSP:TRANSPARENT", "END:VEVENT"]
    return "".join(f"{line}\r\n" for line in _folded([*lines, "END:VCALENDAR"]))


def _points(group: Group, chosen: Chosen) -> defaultdict[date, dict[str, int]]:
    """Return what people have brought on each evening, at tables that count; guests are left out."""
    people = people_counted(group)
    made: defaultdict[date, dict[str, int]] = defaultdict(dict)
    rows = counted(group.pk, chosen).filter(person__isnull=False).order_by("evening", "pk")
    for evening, person, points in rows.values_list("evening", "person", "points"):
        name = people.names[people.counts_as[person or 0]]
        made[evening][name] = made[evening].get(name, 0) + points
    return made


def _name(game: str) -> str:
    found = find_game(game)
    return game if found is None else found.name


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    r"""Return a text as the value of a property, which holds no control characters but tabs.

    >>> _text("Ann, Bob; “x” \\ y\nz\u2028a\x07") == "Ann\\, Bob\\; “x” \\\\ y\\nz\\na"
    True
    """
    for plain in "\\;,":
        text = text.replace(plain, f"\\{plain}")
    return "\\n".join("".join(c for c in line if c.isprintable() or c == "\t") for line in text.splitlines())


def _folded(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of at most 75 bytes; no letter is torn."""
    for line in lines:
        part, size = "", 0
        for letter in line:
            wide = len(letter.encode())
            if size + wide > LONGEST_LINE:
                yield part
                part, size = " ", 1
            part, size = part + letter, size + wide
        yield part
