"""What an irregularity looks like on the table: cards led, played and shown, and how the others are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.sheet import DescribedAct, DescribedArgument, DescribedLaidCard, DescribedStep
from referee.packs import Pack
from scoring.pages.show.cards import Face, Symbol, face, symbols


class LaidShown(NamedTuple):
    """A card that was laid to a trick: whose, its suits to this player, and those that match what was asked for."""

    name: str
    face: Face
    reads: tuple[Symbol, ...]
    matches: tuple[Symbol, ...]
    trick: int

    @property
    def own_way(self) -> bool:
        """Return whether not every suit that is printed on it counts to this player."""
        return len(self.reads) < len(self.face.suits)

    @property
    def lit(self) -> str:
        """Return the names of the styles that light the suits that match."""
        return " ".join(f"lit-{suit.icon}" for suit in self.matches if suit.icon)


class ActShown(NamedTuple):
    """A card that claimed something: the one that was led to it, the card, the suits that it denied."""

    led: LaidShown | None
    played: LaidShown
    claims: tuple[Symbol, ...]


class StepShown(NamedTuple):
    """A step of what was done where no card that was led says it: what was done, what is asked, or what showed it."""

    proof: bool
    text: str
    faces: tuple[Face, ...]
    trick: int | None


@dataclass(frozen=True, slots=True)
class Counted:
    """Why claims cannot all be true: the cards that are still out, and for how many of them each place has room.

    ``suits`` are those of these cards that every suspect claims not to have.
    """

    cards: tuple[Face, ...]
    suits: tuple[Symbol, ...]
    room: tuple[tuple[str, int], ...]

    @property
    def sum(self) -> str:
        """Say how many cards there are, and for how many there is room."""
        space = sum(left for _name, left in self.room)
        cards = ngettext("{number} card is still out", "{number} cards are still out", len(self.cards))
        room = _("there is room for {number}") if space else _("no room is left")
        return f"{cards.format(number=len(self.cards))}; {room.format(number=space)}."

    @property
    def lit(self) -> str:
        """Return the names of the styles that light these suits."""
        return " ".join(f"lit-{suit.icon}" for suit in self.suits if suit.icon)


def laid_shown(laid: DescribedLaidCard, names: Sequence[str], pack: Pack) -> LaidShown:
    """Return a card as the page shows it."""
    known = symbols(pack)
    return LaidShown(
        names[laid["seat"]],
        face(pack, laid["card"]),
        _suits(laid["reads"], known),
        _suits(laid["matches"], known),
        laid["trick"],
    )


def act_shown(act: DescribedAct, names: Sequence[str], pack: Pack) -> ActShown:
    """Return a card that claimed something, with the one that was led to it."""
    led = act["led"]
    return ActShown(
        None if led is None else laid_shown(led, names, pack),
        laid_shown(act["played"], names, pack),
        _suits(act["claims"], symbols(pack)),
    )


def step_shown(step: DescribedStep, pack: Pack) -> StepShown:
    """Return a step with its cards drawn."""
    faces = tuple(face(pack, code) for code in step["cards"])
    return StepShown(step["part"] == "shown", step["reason"]["text"], faces, step["trick"])


def counted(argument: DescribedArgument, acts: Sequence[DescribedAct], names: Sequence[str], pack: Pack) -> Counted:
    """Return the argument of a proof by counting."""
    claimed: dict[int, set[str]] = {}
    for act in acts:
        claimed.setdefault(act["played"]["seat"], set()).update(act["claims"])
    shared = set.intersection(*claimed.values()) if claimed else set()
    return Counted(
        cards=tuple(face(pack, code) for code in argument["cards"]),
        suits=_suits([suit.code for suit in pack.suits if suit.code in shared], symbols(pack)),
        room=tuple((_place(each["place"], names), each["cards"]) for each in argument["room"]),
    )


def _place(place: int | str, names: Sequence[str]) -> str:
    return names[place] if isinstance(place, int) else _("set aside")


def _suits(codes: Sequence[str], known: Mapping[str, Symbol]) -> tuple[Symbol, ...]:
    return tuple(known[code] for code in codes)
