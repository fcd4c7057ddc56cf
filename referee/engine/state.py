"""Phases of a hand, and the declaration of its attributes (name, type, initial value, whether saved)."""

from abc import ABCMeta
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cache
from types import FunctionType
from typing import Any, ClassVar, Self, TypeVar, get_args, get_type_hints

from referee.engine.event_kinds import Event


class Phase(str):
    """The name of a phase; there is one object per name, so phases can be compared with ``is``.

    >>> Phase("play") is PLAY
    True
    """

    __slots__ = ()
    _known: ClassVar[dict[str, "Phase"]] = {}

    def __new__(cls, name: str) -> Self:
        known = cls._known.get(name)
        if known is None:
            known = cls._known[name] = super().__new__(cls, name)
        return known  # type: ignore[return-value]  # every value was made here


PLAY = Phase("play")
FINISHED = Phase("finished")
VOID = Phase("void")
BIDDING = Phase("bidding")


# A class of hands lists its state as annotated attributes, each declared with ``kept``, ``per_seat``, ``derived`` or
# ``summed``. Slots, initial values, copying and snapshots follow from that; ``takes`` declares which events it handles.

T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a hand: its initial value, whether for ``each`` seat, and whether it is ``saved``."""

    first: object
    each: bool = False
    saved: bool = True


def kept(first: T) -> T:
    """Declare a saved attribute with this initial value, which must be immutable."""
    return Attribute(first)  # type: ignore[return-value] # ``HandClass`` turns it into a slot


def per_seat(first: T) -> tuple[T, ...]:
    """Declare a saved tuple with this initial value for every seat."""
    return Attribute(first, each=True)  # type: ignore[return-value] # see above


def derived(first: T) -> T:
    """Declare an attribute left out of snapshots, because it follows from the set-up or is temporary."""
    return Attribute(first, saved=False)  # type: ignore[return-value] # see above


def summed() -> tuple[int, ...]:
    """Declare a sum per seat left out of snapshots, because it follows from what is summed."""
    return Attribute(0, each=True, saved=False)  # type: ignore[return-value] # see above


def added(sums: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*sums[:seat], sums[seat] + more, *sums[seat + 1 :])


def takes(*kinds: type[Event]) -> Callable[[Method], Method]:
    """Register a method for these kinds of events; overrides inherit the registration."""

    def declare(method: Method) -> Method:
        method.__dict__[TAKES] = kinds
        return method

    return declare


TAKES = "takes"
SET_AT_DEAL = ("rules", "setup")
"""Slots that every hand has; its state comes after them."""


class HandClass(ABCMeta):
    """Metaclass of hands: derives slots, ``copy``, snapshots and event handlers from declared attributes."""

    ATTRIBUTES: Mapping[str, Attribute]
    """The declared state, inherited attributes first."""
    VALUES: tuple[str, ...]
    """The names of the attributes that a snapshot holds, in its order."""
    TAKEN_BY: Mapping[type[Event], str]
    LEAVES_OUT: tuple[type[Event], ...] = ()
    """Event kinds that base classes take and this class does not."""
    TAKES: Mapping[type[Event], Callable[..., Any]]
    """The method that takes each kind of event."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> "HandClass":
        own = {key: value for key, value in namespace.items() if isinstance(value, Attribute)}
        inherited = _merged(bases, "ATTRIBUTES")
        body = {key: value for key, value in namespace.items() if key not in own}
        fresh = [key for key in own if key not in inherited]
        body["__slots__"] = tuple(fresh) if inherited else (*SET_AT_DEAL, *fresh)
        made = super().__new__(mcs, name, bases, body)
        made.ATTRIBUTES = inherited | own
        made.VALUES = tuple(key for key, value in made.ATTRIBUTES.items() if value.saved)
        methods = {key: value for key, value in body.items() if isinstance(value, FunctionType)}
        taken = {kind: key for key, value in methods.items() for kind in value.__dict__.get(TAKES, ())}
        made.TAKEN_BY = _merged(bases, "TAKEN_BY") | taken
        for kind in (kind for base in made.__mro__ for kind in vars(base).get("LEAVES_OUT", ())):
            made.TAKEN_BY.pop(kind, None)
        made.TAKES = {kind: getattr(made, key) for kind, key in made.TAKEN_BY.items()}
        # ``copy`` and ``fill`` are generated slot by slot, because that is fastest.
        if "copy" not in body:
            slots = dict.fromkeys(slot for base in reversed(made.__mro__) for slot in getattr(base, "__slots__", ()))
            lines = "".join(f"    new.{slot} = self.{slot}\n" for slot in slots)
            code = f"def copy(self):\n    new = make(self.__class__)\n{lines}    return new\n"
            made.copy = _made(code, {"make": object.__new__})  # type: ignore[attr-defined] # ``Hand`` declares it
        firsts = {key: f"(_{key},) * players" if value.each else f"_{key}" for key, value in made.ATTRIBUTES.items()}
        lines = "".join(f"    self.{key} = {first}\n" for key, first in firsts.items())
        values = {f"_{key}": value.first for key, value in made.ATTRIBUTES.items()}
        code = f"def fill(self, players):\n{lines or '    pass'}"
        made.fill = _made(code, values)  # type: ignore[attr-defined] # likewise
        return made


def _made(code: str, known: dict[str, Any]) -> Any:
    made: dict[str, FunctionType] = {}
    exec(code, known, made)
    return next(iter(made.values()))


def _merged(bases: tuple[type, ...], name: str) -> dict[Any, Any]:
    merged: dict[Any, Any] = {}
    for base in reversed(bases):
        merged |= getattr(base, name, {})
    return merged


@cache
def kinds_inside(kind: HandClass) -> dict[str, type]:
    """Return, by name, the classes of values that a snapshot of such a hand can hold, from its type hints."""
    found: dict[str, type] = {}
    hints = get_type_hints(kind)
    left: list[Any] = [hints[name] for name in kind.VALUES]
    while left:
        hint = left.pop()
        left.extend(get_args(hint))
        if not isinstance(hint, type) or hint.__name__ in found:
            continue
        if is_dataclass(hint) or issubclass(hint, Enum | Phase) or hasattr(hint, "_fields"):
            found[hint.__name__] = hint
            left.extend(get_type_hints(hint).values())
    return found
