"""What a page says of an act that was not done."""

from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from scoring.pages.show.clauses import CitedSentence
from scoring.pages.show.forms import LONGEST_WHY
from scoring.services.exceptions import (
    AlreadyContinued,
    HandRunning,
    KeyReused,
    LastScorekeeper,
    LinkRevoked,
    MovedOn,
    NoSuchLink,
    NotDone,
    NothingToUndo,
    NotSecret,
    NotYourSeat,
    TooMany,
    TooManyLinks,
)


@dataclass(frozen=True, slots=True)
class Message:
    """What came of an act; ``again`` is the form that records it as it was."""

    kind: str
    title: str
    sentence: CitedSentence | None = None
    text: str = ""
    again: tuple[tuple[str, str], ...] = ()
    longest_why: ClassVar[int] = LONGEST_WHY


def not_done(why: NotDone) -> Message:
    """Say why an act was not done; whatever is not known here is raised again."""
    match why:
        case NothingToUndo():
            return Message("moved-on", _("There is nothing to take back"))
        case MovedOn() | NotSecret() | KeyReused():
            return moved_on()
        case LinkRevoked():
            return not_allowed()
        case NotYourSeat():
            text = _("This phone records only what its own player does. The scorekeeper’s phone does the rest.")
            return Message("impossible", _("That is not yours to record"), text=text)
        case TooMany():
            return Message("impossible", _("Too fast"), text=_("That was too often in a minute. Wait a little."))
        case LastScorekeeper():
            text = _("Make another scorekeeper’s link first; somebody has to be able to keep the score.")
            return Message("impossible", _("This is the last one"), text=text)
        case TooManyLinks():
            return Message("impossible", _("Too many links"), text=_("Cancel some that nobody uses."))
        case NoSuchLink():
            return Message("moved-on", _("This link was cancelled before"))
        case HandRunning():
            text = _("People can change between two hands: finish this one first, or call it void.")
            return Message("impossible", _("A hand is running"), text=text)
        case AlreadyContinued():
            return Message("moved-on", _("This table is already continued at another one"))
    raise why


def moved_on() -> Message:
    """Say that the table was no longer as this page showed it."""
    text = _("Somebody else was faster, so this was not recorded. Here is the table as it is now.")
    return Message("moved-on", _("The table has moved on"), text=text)


def not_allowed() -> Message:
    """Say that this device may not do that."""
    text = _("This device may look at the table. To record, it needs a link from the scorekeeper.")
    return Message("impossible", _("This device only watches"), text=text)
