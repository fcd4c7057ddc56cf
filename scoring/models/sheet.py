"""The adjudication of a hand that was left, so that reading a table costs no judging of old hands."""

from typing import ClassVar

from django.db import models

from scoring.models.fields import CanonicalJSONField
from scoring.models.table import Table


class HandSheet(models.Model):
    """A hand that another one has followed: how it was judged, and the state it began from.

    Both follow from the log. ``number`` is the index of the hand, from 0.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="sheets", db_index=False)
    number = models.PositiveIntegerField()
    sheet = CanonicalJSONField()
    start = CanonicalJSONField()

    class Meta:
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "number"], name="one_sheet_per_hand")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.number}"
