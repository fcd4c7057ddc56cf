"""Links to tables, the devices that hold them, secret choices, rate limits, and the operators' log."""

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

from django.db import models

from scoring.models.fields import CanonicalJSONField, Row
from scoring.models.table import Table


class Role(models.TextChoices):
    """The role of a link, strongest first: ``Link.strength`` depends on the order."""

    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"
    READER = "reader"


class Scope(models.TextChoices):
    """The scope of a bot's key; each includes the one before."""

    READ = "read"
    RECORD = "record"
    MANAGE = "manage"


class Link(Row):
    """A link to a table; only the hash of its token is stored.

    ``taken`` is when the first device used it; after that no other can. ``group_link`` is the id of the group link that
    granted it, and with which it is revoked; ``scope`` is set if that link's own token records here. A reader's link
    opens the page of the table, or of one ``hand`` only, on any number of devices; it reveals no code and is not an API
    token. A scorekeeper's link has the ``seat`` of the player whose phone it is, if known; ``relieved`` is when another
    phone took over scorekeeping, until its holder has seen the notice.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, choices=Role.choices)
    label = models.CharField(max_length=60, blank=True, default="")
    seat = models.PositiveSmallIntegerField(null=True)
    hand = models.PositiveIntegerField(null=True)
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True)
    taken = models.DateTimeField(null=True)
    group_link = models.PositiveBigIntegerField(null=True)
    scope = models.CharField(max_length=8, choices=Scope.choices, blank=True, default="")
    relieved = models.DateTimeField(null=True)

    device_table: int | None = None  # set when read for a device: the id of its ``DeviceTable``

    @property
    def strength(self) -> int:
        return 0 if self.revoked else len(Role.values) - Role.values.index(self.role)

    @property
    def keeps(self) -> bool:
        return self.role == Role.SCOREKEEPER and self.revoked is None

    @property
    def records(self) -> bool:
        return self.role in (Role.SCOREKEEPER, Role.PLAYER) and self.revoked is None

    @property
    def plays(self) -> int | None:
        """The only seat it records for; ``None`` if it records for all seats, or none."""
        return self.seat if self.role == Role.PLAYER else None

    @property
    def may(self) -> Sequence[str]:
        """The rights of this link, as the API names them."""
        if self.role == Role.SCOREKEEPER:
            return ("read", "record", "amend") if self.scope == Scope.RECORD else ("read", "record", "amend", "manage")
        return ("read", "play") if self.role == Role.PLAYER else ("read",)

    @property
    def name(self) -> str:
        """The holder's name in the log.

        >>> Link(role="player", seat=2).name
        'player-2'
        >>> Link(role="scorekeeper", label="The phone in the middle").name
        'scorekeeper: The phone in the middle'
        >>> Link(role="scorekeeper", seat=0).name
        'scorekeeper-0'
        """
        holder = self.role if self.seat is None else f"{self.role}-{self.seat}"
        return f"{holder}: {self.label}" if self.label else holder


class Device(Row):
    """A browser, identified by a cookie; only the hash of its secret is stored."""

    secret_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)


class DeviceTable(Row):
    """A table on a device, through a link or by its code alone.

    Each of several links to a table has its own row; the strongest active one counts.
    """

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="tables", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="devices")
    link = models.ForeignKey(Link, on_delete=models.CASCADE, null=True, related_name="devices")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["device", "link"], name="one_row_per_link_of_a_device"),
            models.UniqueConstraint(
                fields=["device", "table"], condition=models.Q(link=None), name="one_row_per_table_of_a_device"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["device", "table"], name="tables_of_a_device")]


class SeatRequest(Row):
    """A request to sit at a table, or to keep its score (``role``), awaiting an answer from a phone there.

    Accepting it makes a link with this ``token_hash``, given to the ``device`` if one asked. A request that was
    ``refused`` is kept for a while, so that the same device can't ask again at once.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="requests", db_index=False)
    device = models.ForeignKey(Device, on_delete=models.CASCADE, null=True, related_name="requests")
    role = models.CharField(max_length=12, choices=Role.choices)
    seat = models.PositiveSmallIntegerField()
    token_hash = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField(auto_now_add=True)
    refused = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "device"], name="one_request_of_a_device_at_a_table")
        ]


class DeviceReading(Row):
    """A reader's link on a device; it grants no other right to the table."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="readings", db_index=False)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="readings")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["device", "link"], name="one_row_per_reading_of_a_device")
        ]


class SecretChoice(Row):
    """A seat's secret choice, kept until all have chosen; ``device`` is the one it was made on, if any.

    Only the reveal and that device may read ``event``.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="choices", db_index=False)
    hand = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    device = models.ForeignKey(Device, on_delete=models.SET_NULL, null=True, related_name="choices")
    by = models.CharField(max_length=80, blank=True, default="")
    event = CanonicalJSONField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "seat"], name="one_choice_per_seat")]


class DoneRequest(Row):
    """A completed request about a table's sharing, by hashed idempotency key, with the link it made."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, db_index=False)
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "key"], name="one_done_request_per_key")]


class ShortLived(Row):
    """A text kept ``until`` it expires; ``digest`` is the hash of a secret that the database doesn't store."""

    digest = models.CharField(max_length=64, primary_key=True)
    text = models.TextField(blank=True, default="")
    since = models.DateTimeField()
    until = models.DateTimeField(db_index=True)


class Tally(Row):
    """A rate-limit counter, valid ``until`` a Unix time in seconds."""

    key = models.CharField(max_length=64, primary_key=True)
    until = models.BigIntegerField(db_index=True)
    count = models.PositiveIntegerField()


class OperatorAct(models.Model):
    """An entry of the operators' log: when, who, what, on what. Append-only; without players' names or tokens."""

    at = models.DateTimeField(auto_now_add=True)
    who = models.CharField(max_length=80)
    what = models.CharField(max_length=40)
    on = models.CharField(max_length=80, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.who}: {self.what} {self.on}".rstrip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("What an operator has done stays as it was written.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("What an operator has done stays written.")
