"""Shared by the tests of the tables' API: each answer is compared with the schema."""

from collections.abc import Iterator

import pytest

from tests.strict_answers import compared


@pytest.fixture(autouse=True)
def _every_answer_is_as_the_schema_says() -> Iterator[None]:
    with compared():
        yield
