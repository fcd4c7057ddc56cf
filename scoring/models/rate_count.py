"""Counts that all processes share, for limits."""

from django.db import models


class Tally(models.Model):
    """How often something has happened in a span of time: so many times, ``until`` a second since 1970."""

    key = models.CharField(max_length=64, primary_key=True)
    until = models.BigIntegerField(db_index=True)
    count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.key} {self.count}"
