"""What a group has decided once and for all: open points of the rules, answered at its own tables."""

from typing import ClassVar

from django.db import models

from scoring.models.fields import CanonicalJSONField
from scoring.models.group import Group
from scoring.models.table import Table


class Precedent(models.Model):
    """An open point that a group has decided, and is reminded of when it comes again.

    The point is known by the ``code`` of a reason, with ``facts`` of it where they matter, or by a ``clause``; a free
    question has neither. ``game`` is empty where it is the same in every game. About a house rule ``option`` names it
    and ``value`` is what the group plays: its next table begins with that. ``table`` and ``dispute`` are where it was
    ruled, if it was.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="precedents", db_index=False)
    game = models.CharField(max_length=40, blank=True, default="")
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
