"""A table: its rules and seats, and a snapshot of where it stands."""

from django.db import models

from scoring.models.code import new_code, spoken_code
from scoring.models.fields import CanonicalJSONField


class Table(models.Model):
    """One game being played by its seats.

    The log of events is the truth; everything from ``version`` on follows from it and is written in the
    same transaction. ``version`` is the number of rows in the log. ``snapshot`` is the referee's state
    now, ``hand_start`` what it was when the hand in progress was dealt.

    A ``private`` table opens by links only. ``previous`` is the table that these people, or most of them,
    came from. ``hidden`` says which seats have made a hidden choice (``chosen``) and which have to make it
    again (``again``), never what they chose. ``writes`` counts the acts of each link in this minute.
    ``key`` and ``fingerprint`` tell the request that opened the table, should it be sent again.
    """

    code = models.CharField(max_length=8, unique=True, default=new_code)
    group = models.CharField(max_length=40, blank=True, default="", db_index=True)
    game = models.CharField(max_length=40)
    options = CanonicalJSONField()
    end = CanonicalJSONField()
    seats = CanonicalJSONField()
    first_dealer = models.PositiveSmallIntegerField()
    carried = CanonicalJSONField()
    extra = CanonicalJSONField(default=dict)
    private = models.BooleanField(default=False)
    previous = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, related_name="next")
    created = models.DateTimeField(auto_now_add=True)
    key = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - unique where given
    fingerprint = models.CharField(max_length=64, blank=True, default="")

    version = models.PositiveIntegerField(default=0)
    snapshot = CanonicalJSONField()
    hand_start = CanonicalJSONField(null=True)
    hand_number = models.PositiveIntegerField(null=True)
    finished = models.BooleanField(default=False)
    hidden = CanonicalJSONField(default=dict)
    writes = CanonicalJSONField(default=dict)
    updated = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.spoken_code

    @property
    def spoken_code(self) -> str:
        return spoken_code(self.code)
