"""What the statistics of a group are made of: a row for each seat of each of its tables."""

from typing import ClassVar

from django.db import models

from scoring.models.fields import CanonicalJSONField, PackedJSONField
from scoring.models.group import Group, Person
from scoring.models.table import Table

WHOLE_WIN = 2520
"""A win alone, in the units of ``SeatScore.share``: so many that up to ten people share one without a rest."""


class SeatScore(models.Model):
    """What a table of a group has brought one of its seats; all of it follows from the log.

    ``finished_at`` is there once the table counts: it is over, and its points are hidden no longer. ``person`` is who
    sits there, as the seat says; somebody merged into another person counts as that one where this is read.

    ``hands``, ``points`` and what follows are of finished, not void hands. ``best_hand`` is the highest score of one,
    ``best_number`` its index. ``tricks`` are those that are known, ``None`` where none of the hands tells any;
    ``untold`` are hands whose record does not tell who won the tricks. Bids are ``None``
    where nothing is bid; ``bids`` says how often so many tricks were bid and so many won. ``feat`` is the best single
    thing that somebody did, in games that count one. ``scores`` are those of the hands, ``lines`` the numbers of each
    hand, from which a correction starts again: packed, for else they would be most of what is read of a group.

    ``total`` is the table's, ``side`` the lowest seat of those who play together, ``rank`` counts sides; ``share`` is
    this seat's part of the win. The ratings are those after this table, at this game and at all; guests have none.
    ``goes_on``: the game went on at another table, so this one is no game by itself. Its hands and points count, and
    nobody has won or is rated there.
    """

    group = models.ForeignKey(
        Group, on_delete=models.CASCADE, related_name="scores", db_index=False, db_constraint=False
    )
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="scores", db_index=False)
    seat = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="scores")
    game = models.CharField(max_length=40)
    evening = models.DateField()
    finished_at = models.DateTimeField(null=True)

    hands = models.PositiveIntegerField(default=0)
    points = models.IntegerField(default=0)
    best_hand = models.IntegerField(null=True)
    best_number = models.PositiveIntegerField(null=True)
    tricks = models.PositiveIntegerField(null=True, default=0)
    untold = models.PositiveIntegerField(default=0)
    bids_made = models.PositiveIntegerField(null=True)
    bids_over = models.PositiveIntegerField(null=True)
    bids_under = models.PositiveIntegerField(null=True)
    revokes = models.PositiveIntegerField(default=0)
    bids = CanonicalJSONField(default=list)
    feat = CanonicalJSONField(null=True)
    scores = CanonicalJSONField(default=list)
    lines = PackedJSONField(default=list)

    total = models.IntegerField()
    rank = models.PositiveSmallIntegerField()
    share = models.PositiveSmallIntegerField(default=0)
    goes_on = models.BooleanField(default=False, db_default=False)
    mu = models.FloatField(null=True)
    sigma = models.FloatField(null=True)
    mu_all = models.FloatField(null=True)
    sigma_all = models.FloatField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seat"], name="one_score_per_seat"),
            # By what such rows are found where groups are spread over nodes.
            models.UniqueConstraint(fields=["group", "table", "seat"], name="one_score_per_seat_in_a_group"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["group", "finished_at", "table"], name="scores_in_order_of_finishing"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.seat}"


class ScoreMark(models.Model):
    """Which state the finished tables of a group are in, for who has worked something out of them.

    Whatever changes what counts draws another ``mark``, in the same transaction. It is a row of its own: whoever ends a
    table holds it until all is written, and must not keep those who change the group waiting, nor wait for them; so
    the database does not look for the group either, which would hold that, too.
    """

    group = models.OneToOneField(
        Group, on_delete=models.CASCADE, primary_key=True, related_name="score_mark", db_constraint=False
    )
    mark = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.group_id} {self.mark}"
