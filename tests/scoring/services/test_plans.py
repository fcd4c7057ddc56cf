"""How the embedded database goes about what is asked of a large log, and of a group with a long life."""

import pytest
from django.utils import timezone

from scoring.models import TableEvent
from scoring.services.keys import KEYS_ARE_KEPT, forget_old_keys, rows_with_old_keys
from tests.scoring.conftest import open_table
from tests.scoring.plans import plan_of, read_whole

pytestmark = pytest.mark.django_db


def test_old_keys_are_forgotten_without_a_look_at_the_whole_log():
    table = open_table()
    for number, tricks in enumerate(([12, 0, 0], [0, 12, 0], [0, 0, 12])):
        table.record({"type": "result", "tricks": tricks}, key=f"key-{number}")
    old = TableEvent.objects.get(seq=1)
    TableEvent.objects.filter(pk=old.pk).update(at=timezone.now() - 2 * KEYS_ARE_KEPT)
    plan = plan_of(rows_with_old_keys())
    assert "one_request_of_a_key" in plan
    assert not read_whole(plan)
    assert forget_old_keys() == 1
    assert [*TableEvent.objects.order_by("seq").values_list("key", flat=True)] == [None, "key-1", "key-2"]
