"""A table and a group on the two servers of `pair`: one is read from, the other written to."""

import pytest

from tests.scoring.conftest import Pair
from tests.scoring.live.driving import GroupLink, TableLink


@pytest.fixture
def table(pair: Pair) -> TableLink:
    return pair.writes.open_table()


@pytest.fixture
def group(pair: Pair) -> GroupLink:
    return pair.writes.make_group()
