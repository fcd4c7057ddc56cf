"""Hidden choices that are made and not yet shown."""

from typing import ClassVar

from django.db import models

from scoring.models.fields import CanonicalJSONField
from scoring.models.link import Link
from scoring.models.table import Table


class SealedChoice(models.Model):
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
