"""Who may do what at a table, and what was asked for: links, secret choices, requests done, counts for limits."""

from typing import ClassVar

from django.db import models

from scoring.models.fields import CanonicalJSONField
from scoring.models.table import Table


class Role(models.TextChoices):
    """What a link allows."""

    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Link(models.Model):
    """A right to a table. Only the hash of its token is kept; the token is shown once."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, choices=Role.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.table_id} {self.role}"

    @property
    def writes(self) -> bool:
        """Return whether the holder keeps the score: records everything, corrects, and shares the table."""
        return self.role == Role.SCOREKEEPER and self.revoked is None

    @property
    def records(self) -> bool:
        """Return whether the holder may record events: any, or those of the own seat."""
        return self.role in (Role.SCOREKEEPER, Role.PLAYER) and self.revoked is None

    @property
    def name(self) -> str:
        """Return how the log names the holder.

        >>> Link(role="player", seat=2).name
        'player-2'
        """
        return self.role if self.seat is None else f"{self.role}-{self.seat}"


class SecretChoice(models.Model):
    """What one seat has chosen in secret, face down until the others have chosen.

    ``event`` is read by the query that shows all of them, and for the device that has chosen; nothing else may.
    ``link`` is the one it was chosen with. ``hand`` is the index of the hand it belongs to.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="choices")
    hand = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    link = models.ForeignKey(Link, on_delete=models.SET_NULL, null=True, related_name="+")
    by = models.CharField(max_length=80, blank=True, default="")
    event = CanonicalJSONField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "seat"], name="one_choice_per_seat")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.seat}"


class DoneRequest(models.Model):
    """A request about the sharing of a table, by its idempotency key; ``link`` is the one that it made."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, db_index=False)
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "key"], name="one_done_request_per_key")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.key}"


class Tally(models.Model):
    """How often something has happened in a span of time: so many times, ``until`` a second since 1970."""

    key = models.CharField(max_length=64, primary_key=True)
    until = models.BigIntegerField(db_index=True)
    count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.key} {self.count}"
