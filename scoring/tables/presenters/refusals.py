"""Presenters of refused acts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from referee.engine.game import find_game
from referee.engine.rulings import Reason, Verdict
from referee.engine.texts import table
from scoring.tables.acts import exceptions as acts
from scoring.tables.presenters.cards import CitedSentence, cited_reason
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from scoring.tables.presenters.forms import LONGEST_WHY
from scoring.tables.presenters.house_rules import DecidedBefore
from scoring.tables.presenters.log_lines import ChangeLine
from scoring.wording import filled

TITLES = {**table("impossible"), **table("irregular")}
"""Titles of refused acts, by reason code."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message about an act; ``again`` are the fields of a form that repeats it, at the same URL or at ``there``.

    ``back`` takes the act back: the button's label, and its form's URL and fields. ``later`` are the later tables of
    the same game, each with its changes.
    """

    kind: str
    title: str
    sentence: CitedSentence | None = None
    text: str = ""
    again: tuple[tuple[str, str], ...] = ()
    known: tuple[DecidedBefore, ...] = ()
    there: str = ""
    back: tuple[str, str, tuple[tuple[str, str], ...]] | None = None
    later: tuple[tuple[str, tuple[ChangeLine, ...]], ...] = ()
    longest_why: ClassVar[int] = LONGEST_WHY


def not_done(why: acts.NotDone) -> Message:
    """Explain why an act was refused; unknown exceptions are raised again."""
    text, kind = "", "impossible"
    match why:
        case acts.NothingToUndo():
            kind, title = "moved-on", _("There’s nothing to undo")
        case acts.NothingToRedo():
            kind, title = "moved-on", _("It can’t be redone")
            text = _("Something else has been recorded since. Here’s the table as it is now.")
        case acts.MovedOn() | acts.NotSecret() | acts.KeyReused() | acts.NoSuchHand() | acts.NoSuchEvent():
            return moved_on()
        case acts.LinkRevoked():
            return not_allowed()
        case acts.NotYourSeat():
            title = _("That’s not yours to record")
            text = _("This phone records only what its own player does. The scorekeeper’s phone does the rest.")
        case acts.TooMany():
            title, text = _("Too fast"), _("Too many tries in a minute. Wait a moment.")
        case acts.LastScorekeeper():
            title = _("This is the last link")
            text = _("Make another scorekeeper’s link first. A table needs at least one.")
        case acts.TooManyLinks():
            title, text = _("Too many links"), _("Turn off the ones you don’t use.")
        case acts.NoSuchLink():
            kind, title = "moved-on", _("This link is already off")
        case acts.NoSuchRequest():
            kind, title = "moved-on", _("That was already answered")
        case acts.AskedBefore():
            title, text = _("The scorekeeper said no"), _("Ask again in ten minutes, or talk to the scorekeeper.")
        case acts.TooManyRequests():
            title, text = _("Too many are asking at once"), _("Wait until the scorekeeper has answered the others.")
        case acts.HandRunning():
            title = _("A hand is still being played")
            text = _("People can change between two hands: finish this one first, or declare it void.")
        case acts.AlreadyContinued():
            kind, title = "moved-on", _("This game continues at another table")
            text = _("Undo at the next table. To fix something here: {log}, {correct}.")
            text = filled(text, log=_("Log"), correct=_("Correct an entry"))
        case acts.LaterTableNotTaken():
            kind, title = "later", _("That breaks a later table")
            text = _("Hand {number} at the next table would no longer fit. Take it back there first.")
            text = filled(text, number=why.later.hand + 1)
        case acts.TablePaused():
            title = _("The referee was called")
            text = _("Play goes on once the dispute is settled or the call is withdrawn.")
        case acts.DisputeDecided() | acts.NoRemedyLeft() | acts.NoSuchDispute():
            kind, title = "moved-on", _("The dispute has moved on")
            text = _("Someone else was faster. Here’s the dispute as it is now.")
        case acts.NotTheReferee():
            title = _("That’s not yours to decide")
            text = _("This table has agreed who decides disputes, and it isn’t this phone.")
        case acts.NoSuchEvening():
            kind, title = "moved-on", _("This isn’t here any more")
        case _:
            raise why
    return Message(kind, title, text=text)


def not_taken(why: acts.NotTaken, again: tuple[tuple[str, str], ...] = ()) -> Message:
    """Explain a refused event; an irregular one can be recorded anyway, with the fields ``again``."""
    game = find_game(why.ruling.table.rules.game.id)
    assert game is not None
    reason, title = cited_reason(game, why.ruling.reason, why.names), _title(why.ruling.reason, why.names)
    if why.ruling.verdict is Verdict.IRREGULAR:
        return Message("irregular", title or _("The rules don’t allow that"), reason, again=again)
    return Message("impossible", title or _("That can’t have happened"), reason)


def _title(reason: Reason | None, names: Sequence[str]) -> str:
    if reason is None:
        return ""
    turn = reason.facts.get("turn")
    if isinstance(turn, int) and reason.code == "out-of-turn":
        return filled(_("Out of turn: it’s {name}’s turn."), name=names[turn])
    title = TITLES.get(reason.code)
    return PAGE_LANGUAGE.translate(title) + "." if title else ""


def group_refusal(why: acts.NotDone) -> Message:
    """Explain why an act at a group was refused; unknown exceptions are raised again."""
    match why:
        case acts.LinkRevoked() | acts.NoSuchGroup():
            return members_only()
        case (
            acts.GroupMovedOn() | acts.KeyReused() | acts.NoSuchPerson() | acts.NoSuchPrecedent() | acts.NoSuchImport()
            | acts.NoSuchSeason() | acts.NothingDrawn() | acts.NoSuchEvening()
        ):  # fmt: skip
            text = _("Someone else was faster. Here’s the group as it is now.")
            return Message("moved-on", _("The group has changed"), text=text)
        case acts.NotMember():
            return members_only()
        case acts.LastMember():
            text = _("Make another member’s link first. A group needs at least one.")
            return Message("impossible", _("This is the last link"), text=text)
        case acts.SatTogether():
            text = _("They played at the same table, so they’re two people.")
            return Message("impossible", _("These two can’t be merged"), text=text)
        case acts.AlreadyMerged():
            text = _("One of them is already merged with someone else.")
            return Message("impossible", _("Separate them first"), text=text)
        case acts.NoSuchTable():
            return Message("moved-on", _("This table is no longer in the group"))
        case acts.HandRunning():
            text = _("Wait until this hand is over.")
            return Message("impossible", _("Join between two hands"), text=text)
        case acts.AlreadyContinued():
            return Message("moved-on", _("This game continues at another table"))
    return not_done(why)


def members_only() -> Message:
    text = _("This phone can only view the group. To change it, ask a member for a link.")
    return Message("impossible", _("You’re only watching"), text=text)


def moved_on() -> Message:
    text = _("Someone else was faster, so this wasn’t recorded. Here’s the table as it is now.")
    return Message("moved-on", _("The table has moved on"), text=text)


def not_allowed() -> Message:
    text = _("You’re watching. Ask the scorekeeper for a link to join in.")
    return Message("impossible", _("You’re only watching"), text=text)
