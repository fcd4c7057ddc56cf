"""How a finished hand is stored on disk."""

import pytest
from django.db import connection

from scoring.models import HandSheet
from scoring.models.fields import PACKED, canonical, packed, unpacked
from scoring.operating.reads.verifying import differences
from tests.scoring.conftest import open_table

LONG = [{"type": "play", "seat": 0, "cards": ["8MS"], "text": "„Wilhelmine“ said so"}] * 20


@pytest.fixture
def played(db):
    """A table with two hands, followed by others."""
    table = open_table()
    for tricks in ([12, 0, 0], [0, 12, 0], [0, 0, 12]):
        table.record({"type": "result", "tricks": tricks})
    return table


def test_packed_data_round_trips():
    text = canonical(LONG)
    assert unpacked(packed(text)) == text
    assert len(packed(text)) * 4 < len(text)


def test_packed_score_sheets_are_read_correctly(played):
    with connection.cursor() as cursor:
        cursor.execute("SELECT sheet, start FROM scoring_handsheet")
        stored = [text for row in cursor.fetchall() for text in row]
    assert len(stored) == 4
    assert all(text.startswith(PACKED) for text in stored)
    assert sum(map(len, stored)) * 2 < sum(len(unpacked(text)) for text in stored)
    assert [sheet.sheet["scores"] for sheet in HandSheet.objects.all()] == [[12, 0, 0], [0, 12, 0]]
    assert differences(played.row) == []
