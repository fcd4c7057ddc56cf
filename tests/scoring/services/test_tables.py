"""Opening a table."""

import pytest

from referee.engine.options import Refused
from scoring.models import Link
from scoring.services.tables import create_table
from tests.scoring.conftest import ACE_TRUMP


def test_it_works(db):
    opened = create_table(ACE_TRUMP)
    assert opened.table.version == 0
    assert opened.table.options["ties"] == "symbol"
    assert opened.table.end == {"kind": "open"}


def test_only_the_hash_of_the_token_is_kept(db):
    opened = create_table(ACE_TRUMP)
    link = Link.objects.get()
    assert link.keeps
    assert opened.token not in link.token_hash


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"game": "no-such-game"}, "/game"),
        ({"seats": ["Ann"], "first_dealer": 0}, "/seats"),
        ({"first_dealer": 3}, "/first_dealer"),
        ({"options": {"ties": "coin"}}, "/options/ties"),
        ({"colour": "red"}, "/colour"),
        ({"group": "x" * 41}, "/group"),
    ],
)
def test_what_is_wrong_is_named(db, wrong, pointer):
    with pytest.raises(Refused) as refused:
        create_table(ACE_TRUMP | wrong)
    assert [problem.pointer for problem in refused.value.problems] == [pointer]
