"""What a page says of an act that was not done."""

from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from scoring.tables.acts.exceptions import (
    AlreadyContinued,
    AlreadyMerged,
    DisputeDecided,
    GroupMovedOn,
    HandRunning,
    KeyReused,
    LastMember,
    LastScorekeeper,
    LaterTableNotTaken,
    LinkRevoked,
    MovedOn,
    NoRemedyLeft,
    NoSuchDispute,
    NoSuchEvent,
    NoSuchGroup,
    NoSuchHand,
    NoSuchLink,
    NoSuchPerson,
    NoSuchPrecedent,
    NoSuchTable,
    NotDone,
    NothingToUndo,
    NotSecret,
    NotTheReferee,
    NotYourSeat,
    SatTogether,
    TablePaused,
    TooMany,
    TooManyLinks,
)
from scoring.tables.presenters.cards import CitedSentence
from scoring.tables.presenters.forms import LONGEST_WHY
from scoring.tables.presenters.house_rules import DecidedBefore
from scoring.tables.presenters.log_lines import ChangeLine


@dataclass(frozen=True, slots=True)
class Message:
    """What came of an act; ``again`` is the form that does it all the same, to where it went or ``there``.

    ``later`` are the tables at which the game went on, each with what would change there.
    """

    kind: str
    title: str
    sentence: CitedSentence | None = None
    text: str = ""
    again: tuple[tuple[str, str], ...] = ()
    known: tuple[DecidedBefore, ...] = ()
    there: str = ""
    later: tuple[tuple[str, tuple[ChangeLine, ...]], ...] = ()
    longest_why: ClassVar[int] = LONGEST_WHY


def not_done(why: NotDone) -> Message:
    """Say why an act was not done; whatever is not known here is raised again."""
    match why:
        case NothingToUndo():
            return Message("moved-on", _("There is nothing to take back"))
        case MovedOn() | NotSecret() | KeyReused() | NoSuchHand() | NoSuchEvent():
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
            text = _("Undo at the next table. What is wrong here you can correct: {log}, {correct}.")
            text = text.format(log=_("Log"), correct=_("Correct an entry"))
            return Message("moved-on", _("This game goes on at another table"), text=text)
        case LaterTableNotTaken():
            text = _("Hand {number} at the next table would no longer fit. Take it back there first.")
            return Message("later", _("Then a later table is wrong, too"), text=text.format(number=why.later.hand + 1))
        case TablePaused():
            text = _("The hand goes on once the dispute is settled, or who called the referee lets it.")
            return Message("impossible", _("The referee was called"), text=text)
        case DisputeDecided() | NoRemedyLeft() | NoSuchDispute():
            text = _("Somebody else was faster. Here is the dispute as it is now.")
            return Message("moved-on", _("The dispute has moved on"), text=text)
        case NotTheReferee():
            text = _("This table has agreed who decides disputes, and this phone is not the one.")
            return Message("impossible", _("Somebody else decides that"), text=text)
    raise why


def group_refusal(why: NotDone) -> Message:
    """Say why something was not done at a group; whatever is not known here is raised again."""
    match why:
        case LinkRevoked() | NoSuchGroup():
            return members_only()
        case GroupMovedOn() | KeyReused() | NoSuchPerson() | NoSuchPrecedent():
            text = _("Somebody else was faster. Here is the group as it is now.")
            return Message("moved-on", _("The group has changed"), text=text)
        case LastMember():
            text = _("Make another member’s link first; somebody has to be able to look after the group.")
            return Message("impossible", _("This is the last one"), text=text)
        case SatTogether():
            text = _("Both have played at one table, so they are two people.")
            return Message("impossible", _("These two are not one"), text=text)
        case AlreadyMerged():
            return Message("impossible", _("Part them first"), text=_("One of them counts as somebody else already."))
        case NoSuchTable():
            return Message("moved-on", _("This table is no longer in the group"))
    return not_done(why)


def members_only() -> Message:
    """Say that this device may only look at a group."""
    text = _("This device may look at the group. To change it, it needs a member’s link.")
    return Message("impossible", _("This device only watches"), text=text)


def moved_on() -> Message:
    """Say that the table was no longer as this page showed it."""
    text = _("Somebody else was faster, so this was not recorded. Here is the table as it is now.")
    return Message("moved-on", _("The table has moved on"), text=text)


def game_over() -> Message:
    """Say that what was tapped came after the end of the game."""
    text = _("The game had ended before this tap arrived, so it was not recorded. Here is the table as it is now.")
    return Message("moved-on", _("The game is over"), text=text)


def not_allowed() -> Message:
    """Say that this device may not do that."""
    text = _("This device may look at the table. To record, it needs a link from the scorekeeper.")
    return Message("impossible", _("This device only watches"), text=text)
