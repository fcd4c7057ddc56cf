"""What is forgotten, ruled or kept secret."""

from contextlib import suppress
from math import log2
from random import Random

import pytest
from django.db import connection, transaction

from referee.engine.records import dump_record, load_record
from referee.engine.rules import Refused
from referee.guides.remedies import Steps, offered
from referee.guides.walking import Walk
from scoring.models import Person, Table
from scoring.models.fields import unpacked
from scoring.models.table import ALPHABET, RECOVERY_LENGTH, new_code
from scoring.operating.reads.verifying import differences
from scoring.rulings.acts.disputing import Chosen, carry_out_guide
from scoring.rulings.reads.precedents import guides_here, looked_at, walk_here
from scoring.tables.acts.access import new_secret
from scoring.tables.acts.exceptions import NotDone, NotImported
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.links import new_token
from scoring.tables.reads.state import standing_now
from tests.games.discovery import RANDOM
from tests.referee.test_guides import answered_at_random, cut_off
from tests.scoring.conftest import holder, play
from tests.scoring.groups import make_group
from tests.seeds import FIRST, as_often_as

# --- Somebody is forgotten: the name is nowhere any more, and the scores stay

NAME = "Wilhelmine"
RESULT = {"type": "result", "tricks": [3, 4, 5]}


@pytest.fixture
def group(db):
    return make_group("Ann", NAME, "Cy")


@pytest.fixture
def table(group):
    """A table with two hands and the name in every text that people write."""
    table = group.open_table(seats=["Ann", NAME, "Cy"], x_note=f"for {NAME}’s birthday")
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    for _ in range(2):
        keeper.post(f"{url}events/", play(0, "8MS", x_why=f"{NAME} said so"))
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME.upper()} was late"})
        keeper.post(f"{url}undo/", {})
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME}'s deal, not Wilhelmines"})
        keeper.post(f"{url}undo/", {})
        keeper.post(f"{url}undo/", {})
        assert keeper.post(f"{url}events/", RESULT).status_code == 201
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME} again"})
    group.member.post(f"{group.url}links/", {"role": "viewer", "name": f"{NAME}’s phone"})
    return table


def everything():
    """Return all that the database holds, as text; what is packed is unpacked."""
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        found = []
        for name in tables:
            cursor.execute(f'SELECT * FROM "{name}"')
            found += [unpacked(str(value)) for row in cursor.fetchall() for value in row]
    return "\n".join(found)


def test_a_name_is_gone_everywhere_and_the_scores_stay(group, table):
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    before = keeper.get(url).json()
    assert NAME in everything()
    answer = group.member.delete(f"{group.url}people/{group.people()[NAME]}/")
    assert answer.status_code == 204
    assert NAME.lower() not in everything().lower().replace("wilhelmines", "")
    after = keeper.get(url).json()
    assert after["seats"] == ["Ann", "Player 2", "Cy"]
    assert after["people"][1] is None
    assert after["state"]["totals"] == before["state"]["totals"]
    assert differences(table.row) == []
    assert keeper.post(f"{url}events/", RESULT).status_code == 201


def test_who_was_merged_into_somebody_is_forgotten_as_well(group, table):
    anne = group.member.post(f"{group.url}people/", {"name": "Minchen"}).json()["id"]
    group.member.post(f"{group.url}people/{anne}/merge/", {"into": group.people()[NAME]})
    group.member.delete(f"{group.url}people/{group.people()[NAME]}/")
    assert sorted(Person.objects.values_list("name", flat=True)) == ["Ann", "Cy"]


def test_nobody_is_forgotten_by_a_viewer_or_twice(group):
    person = f"{group.url}people/{group.people()[NAME]}/"
    assert holder(group.link("viewer")).delete(person).status_code == 403
    assert group.member.delete(person).status_code == 204
    assert group.member.delete(person).status_code == 404


# --- Every remedy that a guided ruling offers at a table can be carried out there, with the price that was shown

pytestmark = pytest.mark.django_db
SEEDS = as_often_as(always=4, hunting=40)


def a_table(game: str, rng: Random) -> Table | None:
    """Open a table with a random record, broken off anywhere; ``None`` where it is refused."""
    with suppress(Refused, NotImported, NotDone):
        told = load_record(RANDOM[game](rng))
        return import_record(dump_record(cut_off(told, rng))).table
    return None


def choices(table: Table, rng: Random) -> list[tuple[Walk, str, Steps]]:
    """Return every remedy of every situation that can be carried out, with answers at random."""
    at = standing_now(table)
    looked = looked_at(at)
    walks = [answered_at_random(walk_here(at, guide.id, {}, looked).case, rng) for guide in guides_here(at, looked)]
    return [(walk, each.code, each.outcome) for walk in walks for each in offered(walk)
            if isinstance(each.outcome, Steps)]  # fmt: skip


@pytest.mark.parametrize("game", RANDOM)
def test_every_remedy_that_is_offered_is_taken(game: str):
    done = 0
    for seed in range(FIRST, FIRST + SEEDS):
        rng = Random(seed)
        table = a_table(game, rng)
        for walk, remedy, steps in [] if table is None else choices(table, rng):
            assert table is not None
            chosen = Chosen(situation=walk.case.guide.id, answers=walk.answers, remedy=remedy)
            with transaction.atomic():
                recorded = carry_out_guide(table.code, chosen, Caller())
                assert recorded.version >= table.version + len(steps.events)
                transaction.set_rollback(True)
            done += 1
    assert done > 10


# --- Tokens, device secrets and recovery codes


def test_secrets_have_enough_entropy():
    made = [(new_token(), new_secret(), new_code(RECOVERY_LENGTH)) for _ in range(50)]
    assert len({each for three in made for each in three}) == 150
    assert all(len(token) * 6 >= 192 and len(secret) * 6 >= 256 for token, secret, _ in made)
    assert RECOVERY_LENGTH * log2(len(ALPHABET)) > 112
