"""Disputes, indexed across tables, and a group's precedents, which form its law book."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.fields import LONGEST_GAME, CanonicalJSONField, Row
from scoring.models.group import Group
from scoring.models.table import Table


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


class Precedent(models.Model):
    """A group's decision, suggested when the same question comes up again.

    The question is a reason's ``code``, with ``facts`` where they matter, or a ``clause``; a free question has neither.
    An empty ``game`` means every game. For a house rule, ``option`` and ``value`` are the default at the group's next
    table. ``table`` and ``dispute`` are where it was ruled, if anywhere.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="precedents", db_index=False)
    game = models.CharField(max_length=LONGEST_GAME, blank=True, default="")
    code = models.CharField(max_length=60, blank=True, default="")
    clause = models.CharField(max_length=20, blank=True, default="")
    facts = CanonicalJSONField(default=dict)
    question = models.TextField()
    decision = models.TextField()
    option = models.CharField(max_length=60, blank=True, default="")
    value = CanonicalJSONField(null=True)
    table = models.ForeignKey(Table, on_delete=models.SET_NULL, null=True, related_name="precedents")
    dispute = models.PositiveIntegerField(null=True)
    since = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["group", "game"], name="precedents_of_a_group")]

    def __str__(self) -> str:
        return self.question
