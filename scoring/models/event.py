"""The log of a table: append-only, one row for everything that was recorded or taken back."""

from typing import ClassVar

from django.db import models

from scoring.models.fields import CanonicalJSONField
from scoring.models.table import Table


class TableEvent(models.Model):
    """One row of a table's log.

    A row records an ``event`` in the hand of this index. One that ``amends`` an earlier row takes its ``place`` in
    the record, with another event or, where that was taken back, with none. A row amended keeps its event and
    names in ``amended_by`` the row that did it: nothing is ever erased. ``seq`` counts from 1 and is the table's
    version after the row; the record is what stands, by ``place``, which is the ``seq`` of who first stood there.
    A row with neither says that somebody has made a hidden choice.

    A retried request is known by its ``key``, on the last row it wrote; ``fingerprint`` tells whether it
    is the same request, ``batch`` how many rows it wrote.

    ``hidden`` is there while hidden choices are made: ``chosen`` and ``again`` are those of the table after
    this row, ``seat`` is who chose with it. Such a row without an event says that somebody has chosen; one with
    an event is a choice that was shown together with the others.
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
    hidden = CanonicalJSONField(null=True)

    class Meta:
        ordering: ClassVar = ["table", "seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seq"], name="one_row_per_version"),
            models.UniqueConstraint(fields=["table", "key"], name="one_request_per_key"),
        ]
        indexes: ClassVar = [models.Index(fields=["table", "hand", "place"], name="log_by_place")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.seq}"

    @property
    def stands(self) -> bool:
        """Return whether this row is part of the record as it is now."""
        return self.event is not None and self.amended_by is None
