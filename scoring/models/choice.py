"""Hidden choices that are made and not yet shown."""

from typing import ClassVar

from django.db import models

from scoring.models.fields import CanonicalJSONField
from scoring.models.table import Table


class SealedChoice(models.Model):
    """What one seat has chosen in secret, face down until the others have chosen.

    ``event`` is read by the one query that shows all of them; nothing else may. ``hand`` is the index of
    the hand it belongs to.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="choices")
    hand = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    by = models.CharField(max_length=80, blank=True, default="")
    event = CanonicalJSONField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "seat"], name="one_choice_per_seat")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.seat}"
