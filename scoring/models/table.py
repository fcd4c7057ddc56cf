"""Tables: their log, their score sheets, stored deals, and disputes."""

import secrets
from datetime import date
from typing import Any, ClassVar

from django.db import models
from django.db.models.lookups import Exact
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.fields import (
    LONGEST_GAME,
    LONGEST_ZONE,
    CanonicalJSONField,
    PackedJSONField,
    Row,
    evening_at,
    zone_named,
)

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # digits and letters without 0 and O, 1, I and L
LONGEST_PLACE = 60
LENGTH = 8  # 31 to the 8th: some 850,000,000,000 codes
RECOVERY_LENGTH = 24  # 31 to the 24th: too many to guess, even without a limit


def new_code(length: int = LENGTH) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def normal_code(text: str) -> str:
    """Normalize a code as typed to the form in which it is stored.

    >>> normal_code("k7pq-m2xw ")
    'K7PQM2XW'
    """
    return "".join(letter for letter in text.upper() if letter in ALPHABET)


def spoken_code(code: str) -> str:
    """Format a code in two halves, for reading aloud.

    >>> spoken_code("K7PQM2XW")
    'K7PQ-M2XW'
    """
    return f"{code[:4]}-{code[4:]}"


def evening_now(zone: str = "") -> date:
    return evening_at(timezone.now(), zone)


class Table(models.Model):
    """A table: one game and its seats.

    The log is the source of truth; every column from ``version`` on is derived from it in the same transaction.
    ``game`` is the game's id, with the table's own title after a colon. ``version`` is the number of log rows,
    ``snapshot`` the referee's current state, ``hand_start`` the state at the start of the hand. ``previous`` is the
    table that this one continues with its points, ``after`` the one it follows without them. ``carried`` are the
    starting totals; ``carried_from`` are their sources by seat, so that corrections propagate: ``[1, 2]`` is the total
    of seat 2 one table back, ``"lowest"`` the last place's total there, ``None`` a fixed number
    (``scoring.tables.acts.turns``). ``hands_before`` counts hands of a fixed course played earlier, ``carried_bags``
    are the bags of each seat's side. ``choosing`` holds the seats that have ``chosen`` in secret or must choose
    ``again``. ``agreed`` maps hands to agreeing ``seats`` (with log rows) and their ``scores``. ``writes`` counts each
    link's acts in the current minute. ``disputes`` holds the numbers of open disputes and of those that pause play,
    ``ruled_by`` who decides them. ``asked`` counts pending requests (seats, keeping the score). ``shares_rulings``:
    others can read its rulings without names. ``key`` (a hash) and ``fingerprint`` identify the request that opened it,
    for retries. ``evening`` is the date in the time zone of its ``group``, or else in ``time_zone``. ``came_with`` is
    the import of a past game. ``looks`` are the colors and letters of its people.
    """

    code = models.CharField(max_length=8, unique=True, default=new_code)
    group = models.ForeignKey("Group", on_delete=models.CASCADE, null=True, related_name="tables", db_index=False)
    game = models.CharField(max_length=LONGEST_GAME)
    options = CanonicalJSONField()
    end = CanonicalJSONField()
    seats = CanonicalJSONField()
    looks = CanonicalJSONField(default=list)
    first_dealer = models.PositiveSmallIntegerField()
    carried = CanonicalJSONField()
    carried_from = CanonicalJSONField(null=True)
    carried_bags = CanonicalJSONField(default=list, db_default=[])
    hands_before = models.PositiveSmallIntegerField(default=0, db_default=0)
    extra = CanonicalJSONField(default=dict)
    place = models.CharField(max_length=LONGEST_PLACE, blank=True, default="", db_default="")
    note = models.TextField(blank=True, default="", db_default="")
    tags = CanonicalJSONField(default=list, db_default=[])
    came_with = models.ForeignKey("PastImport", on_delete=models.SET_NULL, null=True, related_name="tables")
    private = models.BooleanField(default=False)
    previous = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, related_name="next")
    after = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="later")
    created = models.DateTimeField(auto_now_add=True)
    time_zone = models.CharField(max_length=LONGEST_ZONE, blank=True, default="", db_default="")
    evening = models.DateField(default=evening_now)
    finished_at = models.DateTimeField(null=True)
    key = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - unique where given
    fingerprint = models.CharField(max_length=64, blank=True, default="")

    version = models.PositiveIntegerField(default=0)
    left: object = None  # cached result of ``left_before``
    snapshot = CanonicalJSONField()
    hand_start = CanonicalJSONField(null=True)
    hand_number = models.PositiveIntegerField(null=True)
    finished = models.BooleanField(default=False)
    choosing = CanonicalJSONField(default=dict)
    agreed = CanonicalJSONField(default=dict)
    disputes = CanonicalJSONField(default=dict)
    ruled_by = CanonicalJSONField(default=dict)
    shares_rulings = models.BooleanField(default=False)
    writes = CanonicalJSONField(default=dict)
    asked = models.PositiveSmallIntegerField(default=0, db_default=0)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["group", "-created", "-id"], name="tables_of_a_group"),
            models.Index(fields=["group", "game", "-created"], name="tables_of_a_group_by_game"),
            models.Index(fields=["group", "evening"], name="tables_of_an_evening"),
            models.Index(fields=["group", "finished", "-created"], name="running_tables_of_a_group"),
        ]

    def __str__(self) -> str:
        return self.spoken_code

    def __copy__(self) -> "Table":
        """Make a shallow copy, more cheaply than Django, which rebuilds every field."""
        row = self.__class__.__new__(self.__class__)
        vars(row).update(vars(self))
        return row

    @property
    def spoken_code(self) -> str:
        return spoken_code(self.code)

    @property
    def game_id(self) -> str:
        """The game's id, without the table's title for it."""
        return str(self.game).partition(":")[0]

    @property
    def zone(self) -> str:
        return zone_named((self.group.time_zone if self.group else "") or self.time_zone)


NOTE = '{"type":"note"'  # prefix of a stored note event
BEGINNING = models.Func(
    models.F("event"), models.Value(1), models.Value(len(NOTE)), function="substr", output_field=models.TextField()
)
HAS_KEY = models.Q(key__isnull=False)  # only recent rows have one, so the partial index is small
IS_NOTE: Any = Exact(BEGINNING, models.Value(NOTE))


class TableEvent(Row):
    """A row of a table's log: an ``event`` in a hand, by index. Nothing is ever erased.

    ``seq`` counts from 1 and equals the table's version after it. A row that ``amends`` another replaces it, at the
    same ``place`` in the record, with another event or with none; the old row's ``amended_by`` points to it. The record
    is all current rows by ``place``, which is the ``seq`` of the first row there. The last row of a ``batch`` has the
    hashed ``key`` and the ``fingerprint`` that identify a retry. ``choosing`` holds what else the row did: secret
    choices, ``confirmed`` results, an agreed ``ruling``, a new scorekeeper (``keeper``), changed ``carried`` points.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="log", db_index=False)
    seq = models.PositiveIntegerField()
    hand = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    event = CanonicalJSONField(null=True)
    amends = models.PositiveIntegerField(null=True)
    amended_by = models.PositiveIntegerField(null=True)
    reason = models.TextField(blank=True, default="")
    by = models.CharField(max_length=80, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001 - unique where given, and absent is not ""
    fingerprint = models.CharField(max_length=64, blank=True, default="")
    batch = models.PositiveSmallIntegerField(default=1)
    choosing = CanonicalJSONField(null=True)

    class Meta:
        ordering: ClassVar = ["table", "seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seq"], name="one_row_per_version"),
            models.UniqueConstraint(fields=["key", "table"], condition=HAS_KEY, name="one_request_of_a_key"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["table", "hand", "place"], name="log_by_place"),
            models.Index(fields=["table"], name="notes_of_a_table", condition=models.Q(IS_NOTE)),
        ]

    @property
    def stands(self) -> bool:
        return self.event is not None and self.amended_by is None


class HandSheet(Row):
    """The packed score sheet of a hand before the current one, and the state from which the hand began.

    ``number`` is its index, from 0. ``sheet`` is ``None`` after a player is renamed, and is rebuilt when it is read.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="sheets", db_index=False)
    number = models.PositiveIntegerField()
    sheet = PackedJSONField(null=True)
    start = PackedJSONField()

    class Meta:
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "number"], name="one_sheet_per_hand")]


class DealtHand(Row):
    """A hand with data besides its events: cards entered in advance (``known``), ``x_`` keys, or no events at all.

    ``retired`` is the version at which an undo took the table back to before this hand.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="dealt", db_index=False)
    number = models.PositiveIntegerField()
    known = CanonicalJSONField(default=dict)
    extra = CanonicalJSONField(default=dict)
    retired = models.PositiveIntegerField(null=True)

    class Meta:
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "number"], name="one_deal_per_hand")]


# --- Disputes


class DisputeState(models.TextChoices):
    OPEN = "open", _("open")
    UPHELD = "upheld", _("the call is right")
    OVERRULED = "overruled", _("the call is not right")
    AGREED = "agreed", _("agreed")
    WITHDRAWN = "withdrawn", _("withdrawn")


DECIDED = (DisputeState.UPHELD, DisputeState.OVERRULED, DisputeState.AGREED)  # by a ruling, or by agreement


class Dispute(Row):
    """A dispute, derived from its table's log; ``number`` counts from 1.

    ``situation`` is the code of an irregularity, or ``card``, ``trick``, ``score-line`` or ``words``.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="disputed", db_index=False)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=DisputeState.choices)
    situation = models.CharField(max_length=40)
    claim = models.TextField()
    ruling = models.TextField(blank=True, default="")
    clauses = CanonicalJSONField(default=list)
    raised = models.DateTimeField()
    decided = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "number"], name="one_row_per_dispute")]
        indexes: ClassVar = [models.Index(fields=["-decided", "-id"], name="rulings_by_time")]
