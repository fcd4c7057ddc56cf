"""Exceptions for refused acts; callers decide how to present them."""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from referee.engine.comparison import Changes
from referee.engine.table import Ruling
from referee.engine.texts import Phrase, phrase
from scoring.models import Table
from scoring.tables.reads.log import Stop
from scoring.tables.reads.state import Standing

Row = TypeVar("Row", bound=Model)


class NotDone(Exception):  # noqa: N818 - a refusal, not an error in the program
    """An act that was refused; nothing was written.

    ``detail`` is the reason, translatable; by default the class's ``says``, formatted with the exception's facts.
    """

    says = Phrase("")

    def __init__(self, detail: Phrase | None = None, **facts: Any) -> None:
        self.detail = detail or Phrase(self.says.text, facts)
        super().__init__(str(self.detail))
        vars(self).update(facts)


def first_of(rows: QuerySet[Row], missing: type[NotDone]) -> Row:
    """Return the first row, or raise ``missing``."""
    row = rows.first()
    if row is None:
        raise missing
    return row


class NotTaken(NotDone):
    """The referee refused the event at this position."""

    def __init__(self, ruling: Ruling, names: Sequence[str], *, position: int, version: int) -> None:
        super().__init__(Phrase("{reason}", {"reason": ruling.reason.text if ruling.reason else ""}))
        self.ruling, self.names = ruling, list(names)
        self.position, self.version = position, version


class MovedOn(NotDone):
    version: int
    says = phrase("The table has moved on; it is at version {version}.")


class KeyReused(NotDone):
    says = phrase("This idempotency key was used for another request.")


class NothingToUndo(NotDone):
    says = phrase("There is no event to undo.")


class NothingToRedo(NotDone):
    says = phrase("There is nothing to redo.")


class NoSuchEvent(NotDone):
    """The log has no row with this number, or it can't be amended."""


class AlreadyAmended(NotDone):
    seq: int
    amended_by: int
    says = phrase("Row {seq} was amended by row {amended_by}; amend that one.")


class LaterNotTaken(NotDone):
    """The amendment would make a later event or deal invalid.

    ``reseated``: it would seat the players of a later hand differently; ``Amendment.keep_seats`` avoids that.
    """

    later: Stop
    changes: Changes
    reseated: bool
    version: int
    says = phrase("A later event would no longer be valid.")


class NotImported(NotDone):
    seats: Sequence[str]
    hand: int
    event: int
    ruling: Ruling
    where: str
    says = phrase("An event in this record is not valid.")


class NoSuchTable(NotDone):
    """No table has this code, or it is private and the caller has no link; the response is the same."""

    says = phrase("There is no table with this code.")


class LinkTurnedOff(NoSuchTable):
    """The table is private, and the link on the caller's device was revoked."""


class TooMany(NotDone):
    says = phrase("Too many requests in too short a time.")

    def __init__(self, wait: float) -> None:
        super().__init__()
        self.wait = max(1.0, wait)


class NotYourSeat(NotDone):
    says = phrase("A player’s link records only what this player plays, bids and chooses.")


class LinkRevoked(NotDone):
    says = phrase("This token does not belong to this table, or it was turned off.")


class NotOfThisGroup(LinkRevoked):
    says = phrase("To open a table for a group, send the token of a link to that group.")


class NotSecret(NotDone):
    says = phrase("This seat has no such secret choice to make now.")


class SecretAmongOthers(NotDone):
    says = phrase("Send a secret choice by itself, or mark it as not sealed to show it at once.")


class NoSuchLink(NotDone):
    says = phrase("This table has no such link.")


class TooManyLinks(NotDone):
    says = phrase("This table has too many links. Turn off the ones you don’t use.")


class LastScorekeeper(NotDone):
    says = phrase("This is the last scorekeeper’s link. Make another one before you turn it off.")


class HandRunning(NotDone):
    says = phrase("A hand is still being played: finish it, or declare it void.")


class AlreadyContinued(NotDone):
    following: Table
    says = phrase("This game continues at another table. Undo there, or correct the entry here.")


class LaterTableNotTaken(NotDone):
    says = phrase(
        "This changes the totals that a later table begins with, and hand {hand} there would no longer fit."
        " Take it back there first."
    )

    def __init__(self, at: Standing, later: Stop, *, version: int) -> None:
        super().__init__(hand=later.hand + 1)
        self.at, self.later, self.version = at, later, version


class NoSuchGroup(NotDone):
    """No group has this code, or the caller has no link; the response is the same."""

    says = phrase("There is no group with this code.")


class GroupMovedOn(NotDone):
    version: int
    says = phrase("The group has changed; it is at version {version}.")


class NoSuchRecoveryCode(NotDone):
    says = phrase("This recovery code doesn’t work, or a newer one has replaced it.")


class NoSuchPrecedent(NotDone):
    says = phrase("This group has no such ruling.")


class NoSuchPerson(NotDone):
    says = phrase("This group has no such person.")


class NoSuchEvening(NotDone):
    says = phrase("This group played nothing on that day.")


class NoSuchImport(NotDone):
    says = phrase("This group has no such import, or it was undone.")


class HasPhone(NotDone):
    name: str
    says = phrase("{name} already has a phone here.")


class NoSuchRequest(NotDone):
    says = phrase("This request was already answered.")


class AskedBefore(NotDone):
    says = phrase("This phone was refused a moment ago. Ask the scorekeeper.")


class TooManyRequests(NotDone):
    says = phrase("Too many phones are asking at this table. The scorekeeper has to answer them first.")


class NoSuchSeason(NotDone):
    says = phrase("This group has no such season.")


class NothingDrawn(NotDone):
    says = phrase("There are no drawn tables to start. Draw them first.")


class LastMember(NotDone):
    says = phrase("This is the last member’s link. Make another one before you turn it off.")


class SatTogether(NotDone):
    says = phrase("{one} and {other} sat at the same table, so they are two people.")


class AlreadyMerged(NotDone):
    says = phrase("One of the two is already merged with someone else. Separate them first.")


class NotAllowed(NotDone):
    """The link is valid but doesn't allow the act; the message names who can give one that does."""


class NotMember(NotAllowed):
    says = phrase("This needs a member’s link. Ask a member of the group for one.")


class PhoneTurnedOff(NotAllowed):
    says = phrase("This phone was turned off. Its old links don’t bring it back: ask a member for a new one.")


class OnlyReads(NotAllowed):
    says = phrase(
        "This token reads the tables of its group and records nothing. A member of the group can make one that does:"
        " a member’s link, or a bot’s key with the scope “record”."
    )


class ManagesNothing(NotAllowed):
    says = phrase(
        "This key changes no settings, people or links. A member of the group can make one with the scope “manage”."
    )


class NoSuchHand(NotDone):
    says = phrase("This table has no such hand.")


class NoSuchDispute(NotDone):
    says = phrase("This table has no such dispute.")


class DisputeDecided(NotDone):
    says = phrase("This dispute is decided. To reopen the question, raise a new one.")


class NotTheReferee(NotDone):
    says = phrase("At this table someone else decides disputes.")


class TablePaused(NotDone):
    says = phrase("The referee was called: play goes on once the dispute is settled or the call is withdrawn.")


class DisputesOpen(NotDone):
    says = phrase("Disputes are still open at this table.")


class NoRemedyLeft(NotDone):
    says = phrase("This ruling has no remedy left to carry out.")
