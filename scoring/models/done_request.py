"""Requests that were done and left no row in the log: kept so that a retry is known."""

from typing import ClassVar

from django.db import models

from scoring.models.link import Link
from scoring.models.table import Table


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
