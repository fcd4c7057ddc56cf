"""Tonight's rounds: drawing tables, opening them, and seating latecomers."""

from collections.abc import Sequence
from secrets import randbits

from django.utils import timezone

from referee.engine.game import find_game
from referee.engine.reader import Reader
from referee.engine.texts import phrase
from scoring.groups.acts.groups import evening_of, first_of, group_turn, keep_score
from scoring.groups.reads.drawing import draw_tables
from scoring.groups.reads.group_tables import people_at
from scoring.groups.reads.groups import people_of
from scoring.groups.reads.tonight import before_draw, ratings_of, sizes_of
from scoring.models import Draw, GroupLink, Person, Table
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts.exceptions import NoSuchPerson, NoSuchTable, NothingDrawn
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import ZERO, continue_table, create_table

SEED_BITS = 31
MOST_HERE = 60


@past_deadlocks
def draw_round(
    code: str,
    people: Sequence[int],
    caller: Caller,
    *,
    game: str = "",
    by_rating: bool = False,
    seed: int | None = None,
) -> Draw:
    """Draw the next round of tables, replacing a draw that was not started.

    The same ``seed`` draws the same tables until another game is played; the default is random. Raises ``Refused``.
    """
    with group_turn(code, caller, caller.fingerprint("draw", [list(people), game, by_rating, seed])) as turn:
        group = turn.group
        if turn.repeats:
            return first_of(Draw.objects.filter(group=group, pk=turn.made or 0), NothingDrawn)
        members = {person.pk: person.counts_as for person in people_of(group)}
        reader = Reader()
        for place, person in enumerate(people):
            if person not in members:
                reader.value(f"/people/{place}", "This group has no such person.", "no-such-person")
        here = list(dict.fromkeys(members[person] for person in people if person in members))
        allowed, preferred = sizes_of(find_game(game))
        if len(here) < min(allowed):
            reader.value("/people", phrase("You need at least {number} people.", number=min(allowed)))
        if len(here) > MOST_HERE:
            reader.value("/people", "Draw tables for up to 60 people at once.")
        if seed is not None and seed < 0:
            reader.value("/seed", "A seed must be 0 or more.")
        reader.check()
        evening = evening_of(group)
        draws = Draw.objects.filter(group=group, evening=evening)
        draws.filter(started=None).delete()
        last = draws.order_by("-number").first()
        before = before_draw(group, evening)
        drawn = draw_tables(
            here,
            seed=(own := randbits(SEED_BITS) if seed is None else seed),
            allowed=allowed,
            preferred=preferred,
            met=before.met,
            beside=before.beside,
            sat_out=before.sat_out,
            ratings=ratings_of(group, game) if by_rating else None,
        )
        made = Draw.objects.create(
            group=group,
            evening=evening,
            number=1 if last is None else last.number + 1,
            game=game,
            by_rating=by_rating,
            seed=own,
            here=here,
            tables=[list(table) for table in drawn.tables],
            out=list(drawn.out),
        )
        turn.made = made.pk
        return made


@past_deadlocks
def start_round(code: str, own: GroupLink, caller: Caller, *, games: Sequence[str] = ()) -> Draw:
    """Open the drawn tables; ``games`` overrides the draw's game per table.

    A table without a game is not opened. Raises ``NothingDrawn`` and ``Refused``.
    """
    with group_turn(code, caller, caller.fingerprint("start", list(games))) as turn:
        group = turn.group
        if turn.repeats:
            return first_of(Draw.objects.filter(group=group, pk=turn.made or 0), NothingDrawn)
        waiting = Draw.objects.filter(group=group, evening=evening_of(group), started=None)
        draw = first_of(waiting, NothingDrawn)
        names = dict(Person.objects.filter(group=group).values_list("pk", "name"))
        if any(who not in names for table in draw.tables for who in table):  # someone was deleted meanwhile
            raise NothingDrawn
        chosen = [*games, *[draw.game] * len(draw.tables)][: len(draw.tables)]
        for table, game in zip(draw.tables, chosen, strict=True):
            opened = None
            if game:
                data = {"game": game, "seats": [names[who] for who in table], "people": table, "first_dealer": 0}
                opened = create_table(data, group=group, group_link=own.pk)
            draw.codes.append("" if opened is None else opened.table.code)
        draw.started = timezone.now()
        draw.save()
        turn.made = draw.pk
        return draw


def seat_latecomer(
    code: str, table: str, person: int, own: GroupLink, caller: Caller, *, newcomer: str = ZERO
) -> Table:
    """Seat a latecomer between two hands: the game continues at a new table with one more player.

    ``newcomer`` is the newcomer's starting score: zero or the lowest total. Raises ``NoSuchPerson``, ``NoSuchTable``
    and what ``continue_table`` raises.
    """
    found = first_of(Person.objects.filter(group__code=code, pk=person, merged_into=None), NoSuchPerson)
    row = first_of(Table.objects.filter(group__code=code, code=table), NoSuchTable)
    link = keep_score(code, row.code, own, Caller(by=caller.by, link=own.pk)).link
    people = [*people_at([row])[row.pk], found.pk]
    company = {"seats": [*row.seats, found.name], "people": people, "newcomer": newcomer}
    return continue_table(row.code, company, Caller(by=link.name, link=link.pk, key=caller.key)).table
