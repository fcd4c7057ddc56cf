"""What an imported record says of a hand beside its events."""

from typing import ClassVar

from django.db import models

from scoring.models.fields import CanonicalJSONField
from scoring.models.table import Table


class DealtHand(models.Model):
    """A hand that the record itself deals: with hands that somebody entered, keys of its own, or without events.

    ``known`` are the entered hands by seat, ``extra`` the ``x_`` keys. ``number`` is the index of the hand, from 0.
    ``retired`` is the version at which the table went back before this hand; from then on it says nothing.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="dealt")
    number = models.PositiveIntegerField()
    known = CanonicalJSONField(default=dict)
    extra = CanonicalJSONField(default=dict)
    retired = models.PositiveIntegerField(null=True)

    class Meta:
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "number"], name="one_deal_per_hand")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.number}"
