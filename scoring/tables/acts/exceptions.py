"""Why an act was not done. Whoever calls a service decides how to say so."""

from collections.abc import Sequence

from referee.engine.comparison import Changes
from referee.engine.table import Ruling
from referee.engine.texts import Phrase, phrase
from scoring.models import Table
from scoring.tables.reads.log import Stop
from scoring.tables.reads.state import Standing


class NotDone(Exception):  # noqa: N818 - what was asked for was not done; no program failed
    """The act was not done, and nothing was written; ``detail`` says why, in any language."""

    def __init__(self, detail: Phrase | None = None) -> None:
        super().__init__("" if detail is None else str(detail))
        self.detail = detail or Phrase("")


class NotTaken(NotDone):
    """The referee did not take an event as it stands: the one at this position of those given."""

    def __init__(self, ruling: Ruling, names: Sequence[str], *, position: int, version: int) -> None:
        super().__init__(Phrase("{reason}", {"reason": ruling.reason.text if ruling.reason else ""}))
        self.ruling = ruling
        self.names = list(names)
        self.position = position
        self.version = version


class MovedOn(NotDone):
    """The table is no longer at the version that the caller had seen."""

    def __init__(self, *, version: int) -> None:
        super().__init__(phrase("The table has moved on; it is at version {version}.", version=version))
        self.version = version


class KeyReused(NotDone):
    """The idempotency key belongs to another request."""

    def __init__(self) -> None:
        super().__init__(phrase("This idempotency key was used for another request."))


class NothingToUndo(NotDone):
    """No event stands that could be taken back."""

    def __init__(self) -> None:
        super().__init__(phrase("There is no event to take back."))


class NoSuchEvent(NotDone):
    """The log has no row of this number that could be amended so."""

    def __init__(self, seq: int, why: Phrase) -> None:
        super().__init__(why)
        self.seq = seq


class AlreadyAmended(NotDone):
    """The row was amended before; the row that did it is the one to amend."""

    def __init__(self, *, seq: int, amended_by: int) -> None:
        super().__init__(
            phrase("Row {seq} was amended by row {amended_by}; amend that one.", seq=seq, amended_by=amended_by)
        )
        self.seq = seq
        self.amended_by = amended_by


class LaterNotTaken(NotDone):
    """With this amendment a later event would no longer be taken, or a later hand no longer dealt.

    ``reseated``: in a later hand the players would have sat otherwise, which ``Amendment.keep_seats`` avoids.
    """

    def __init__(self, later: Stop, changes: Changes, *, reseated: bool, version: int) -> None:
        super().__init__(phrase("A later event would no longer be taken."))
        self.later = later
        self.changes = changes
        self.reseated = reseated
        self.version = version


class NotImported(NotDone):
    """An event of a record is not taken, so nothing of the record is."""

    def __init__(self, seats: Sequence[str], hand: int, event: int, ruling: Ruling, *, where: str) -> None:
        super().__init__(phrase("An event of this record is not taken."))
        self.seats = seats
        self.hand = hand
        self.event = event
        self.ruling = ruling
        self.where = where


class NoSuchTable(NotDone):
    """No table has this code, or it is private and the caller has no link to it: nobody can tell which."""

    def __init__(self) -> None:
        super().__init__(phrase("There is no table with this code."))


class LinkTurnedOff(NoSuchTable):
    """The table is private, and the link was revoked by which the caller's device had it."""


class TooMany(NotDone):
    """Too many of these in too short a time; ``wait`` is the number of seconds until the next one."""

    def __init__(self, wait: float) -> None:
        super().__init__(phrase("That was too often in too short a time."))
        self.wait = max(1.0, wait)


class NotYourSeat(NotDone):
    """A player's link does only what this player does at the table."""

    def __init__(self, detail: Phrase | None = None) -> None:
        usual = phrase("A player’s link records what this player plays, bids and chooses, nothing else.")
        super().__init__(detail or usual)


class LinkRevoked(NotDone):
    """The link was revoked while the request was under way."""

    def __init__(self) -> None:
        super().__init__(phrase("This token does not belong to this table, or was revoked."))


class NotOfThisGroup(LinkRevoked):
    """A table is to be that of a group to which the caller has no right, if there is one."""

    def __init__(self) -> None:
        NotDone.__init__(self, phrase("To open a table of a group, send the token of a link to that group."))


class NotSecret(NotDone):
    """The event is no secret choice that this seat has to make now."""

    def __init__(self) -> None:
        super().__init__(phrase("This is no secret choice that this seat has to make now."))


class SecretAmongOthers(NotDone):
    """What a player may choose in secret came among other events."""

    def __init__(self) -> None:
        super().__init__(phrase("A secret choice is sent by itself; say that it is not sealed to show it at once."))


class NoSuchLink(NotDone):
    """The table has no link like this, or it was revoked."""

    def __init__(self) -> None:
        super().__init__(phrase("This table has no such link."))


class TooManyLinks(NotDone):
    """The table has as many links as a table can have."""

    def __init__(self) -> None:
        super().__init__(phrase("This table has too many links; revoke some that nobody uses."))


class LastScorekeeper(NotDone):
    """Without this link nobody could keep the score any more."""

    def __init__(self) -> None:
        super().__init__(phrase("This is the last scorekeeper’s link; make another one before you revoke it."))


class HandRunning(NotDone):
    """People come and go between two hands."""

    def __init__(self) -> None:
        super().__init__(phrase("A hand is running; finish it, or declare it void."))


class AlreadyContinued(NotDone):
    """The game goes on at another table, ``following``; what stands here is corrected, not taken back."""

    def __init__(self, following: Table) -> None:
        super().__init__(phrase("This game goes on at another table. Undo there, or correct the entry here."))
        self.following = following


class LaterTableNotTaken(NotDone):
    """With other totals carried to a later table, something that was recorded there would no longer be taken."""

    def __init__(self, at: Standing, later: Stop, *, version: int) -> None:
        super().__init__(
            phrase(
                "This changes the totals that a later table begins with, and hand {hand} there would no longer fit."
                " Take it back there first.",
                hand=later.hand + 1,
            )
        )
        self.at, self.later, self.version = at, later, version


class NoSuchGroup(NotDone):
    """No group has this code, or the caller has no link to it: nobody can tell which."""

    def __init__(self) -> None:
        super().__init__(phrase("There is no group with this code."))


class GroupMovedOn(NotDone):
    """The group is no longer at the version that the caller had seen."""

    def __init__(self, *, version: int) -> None:
        super().__init__(phrase("The group has changed; it is at version {version}.", version=version))
        self.version = version


class NoSuchRecoveryCode(NotDone):
    """No group has this recovery code, or another one has taken its place."""

    def __init__(self) -> None:
        super().__init__(phrase("This recovery code opens nothing, or another one has taken its place."))


class NoSuchPrecedent(NotDone):
    """The group has no decision of this id."""

    def __init__(self) -> None:
        super().__init__(phrase("This group has decided no such thing."))


class NoSuchPerson(NotDone):
    """The group has nobody of this id."""

    def __init__(self) -> None:
        super().__init__(phrase("This group has no such person."))


class LastMember(NotDone):
    """Without this link nobody could look after the group any more."""

    def __init__(self) -> None:
        super().__init__(phrase("This is the last member’s link; make another one before you revoke it."))


class SatTogether(NotDone):
    """Two people who sat at one table are not one person."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(phrase("{one} and {other} sat at one table, so they are two people.", one=one, other=other))


class AlreadyMerged(NotDone):
    """A person who counts as somebody else takes nobody in, and one who has taken in others is not merged."""

    def __init__(self) -> None:
        super().__init__(phrase("One of the two counts as somebody else already; part them first."))


class NotMember(NotDone):
    """This takes a member’s link to the group."""

    def __init__(self) -> None:
        super().__init__(phrase("This takes a member’s link; a viewer’s is for reading."))


class NoSuchHand(NotDone):
    """The table has no hand of this number."""

    def __init__(self) -> None:
        super().__init__(phrase("This table has no such hand."))


class NoSuchDispute(NotDone):
    """The table has no dispute of this number."""

    def __init__(self) -> None:
        super().__init__(phrase("This table has no such dispute."))


class DisputeDecided(NotDone):
    """The dispute is not open any more."""

    def __init__(self) -> None:
        super().__init__(phrase("This dispute is decided; to look at it again, raise another one."))


class NotTheReferee(NotDone):
    """Somebody else decides disputes at this table."""

    def __init__(self, detail: Phrase | None = None) -> None:
        super().__init__(detail or phrase("At this table somebody else decides disputes."))


class TablePaused(NotDone):
    """The play waits for the referee."""

    def __init__(self) -> None:
        super().__init__(
            phrase("The referee was called: the hand goes on once the dispute is settled, or who called says so.")
        )


class DisputesOpen(NotDone):
    """The table is about to end while disputes are open."""

    def __init__(self) -> None:
        super().__init__(phrase("Disputes are still open at this table."))


class NoRemedyLeft(NotDone):
    """The ruling names no remedy, or it is carried out already."""

    def __init__(self) -> None:
        super().__init__(phrase("This ruling has no remedy that is left to carry out."))
