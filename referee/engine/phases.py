"""Where a hand stands: the phases that every game has; games name their own."""

from typing import ClassVar, Self


class Phase(str):
    """The name of a phase. There is one object of each name, so that phases may be compared with ``is``.

    >>> Phase("play") is PLAY
    True
    """

    __slots__ = ()
    _known: ClassVar[dict[str, "Phase"]] = {}

    def __new__(cls, name: str) -> Self:
        known = cls._known.get(name)
        if known is None:
            known = cls._known[name] = super().__new__(cls, name)
        return known  # type: ignore[return-value]  # what is kept under a name was made here


PLAY = Phase("play")
FINISHED = Phase("finished")
VOID = Phase("void")
BIDDING = Phase("bidding")
