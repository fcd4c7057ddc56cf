"""Rulings and their remedies, and the entropy of secrets."""

from contextlib import suppress
from math import log2
from random import Random

import pytest
from django.db import transaction

from referee.engine.records import dump_record, load_record
from referee.engine.rules import Refused
from referee.guides.remedies import Steps, offered
from referee.guides.walking import Walk
from scoring.models import Table
from scoring.models.table import ALPHABET, RECOVERY_LENGTH, new_code
from scoring.rulings.acts.disputing import Chosen, carry_out_guide
from scoring.rulings.reads.precedents import guides_here, looked_at, walk_here
from scoring.tables.acts.access import new_secret
from scoring.tables.acts.exceptions import NotDone, NotImported
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.keys import Caller, new_token
from scoring.tables.reads.state import standing_now
from tests.games.discovery import RANDOM
from tests.referee.test_guides import answered_at_random, cut_off
from tests.seeds import FIRST, as_often_as

# --- Every remedy a guided ruling offers can be carried out, at the cost shown

pytestmark = pytest.mark.django_db
SEEDS = as_often_as(always=4, hunting=40)


def a_table(game: str, rng: Random) -> Table | None:
    """Open a table from a random record, broken off anywhere; ``None`` if it is refused."""
    with suppress(Refused, NotImported, NotDone):
        told = load_record(RANDOM[game](rng))
        return import_record(dump_record(cut_off(told, rng))).table
    return None


def choices(table: Table, rng: Random) -> list[tuple[Walk, str, Steps]]:
    """Return every remedy of every situation that can be carried out, with random answers."""
    at = standing_now(table)
    looked = looked_at(at)
    walks = [answered_at_random(walk_here(at, guide.id, {}, looked).case, rng) for guide in guides_here(at, looked)]
    return [(walk, each.code, each.outcome) for walk in walks for each in offered(walk)
            if isinstance(each.outcome, Steps)]  # fmt: skip


@pytest.mark.parametrize("game", RANDOM)
def test_every_remedy_offered_is_accepted(game: str):
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
