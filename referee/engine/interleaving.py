"""One from each in turn, so that the first of many show some of every kind."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TypeVar

Item = TypeVar("Item")


def interleave(several: Iterable[Iterator[Item]]) -> Iterator[Item]:
    """Yield from each of several in turn, until all are at their end.

    >>> "".join(interleave([iter("aaa"), iter("b")]))
    'abaa'
    """
    for row in zip_longest(*several):
        yield from (each for each in row if each is not None)
