"""Groups: people, links, seasons, draws, imports and statistics."""

from collections.abc import Sequence
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.access import Device, Scope
from scoring.models.fields import LONGEST_GAME, LONGEST_ZONE, CanonicalJSONField, PackedJSONField, Row, zone_named
from scoring.models.table import LONGEST_PLACE, Table, new_code, spoken_code

# --- Groups: people who play together, the links that open their group, and the devices that have it

LONGEST_NAME = 60


class GroupRole(models.TextChoices):
    """The role of a link to a group: members open tables, keep score and manage people; viewers read.

    A bot's link is an API key with a scope.
    """

    MEMBER = "member"
    VIEWER = "viewer"
    BOT = "bot"


RIGHTS = ("read", "record", "amend", "open", "manage", "share")
"""The rights of a group link in the API's words, in the order in which scopes and roles add them."""
RIGHTS_OF = {"": 1, Scope.READ: 1, Scope.RECORD: 4, Scope.MANAGE: 5}


class RankedBy(models.TextChoices):
    """How people are ranked across games, whose points are never added."""

    WINS = "wins"
    PLACES = "places"


class Group(models.Model):
    """A group of people who play together.

    It opens only by links, never by its code. ``version`` counts changes of name, people and links. ``counts_revokes``:
    statistics show revokes; ``shares_rulings``: others read its rulings without names. ``ranked_by`` applies to
    evenings and new seasons. ``time_zone`` decides its evenings; empty means the server's. ``law_book_hash`` is the
    hash of the shared law book's code, if shared. ``writes`` counts each link's acts in the current minute. ``key`` (a
    hash) and ``fingerprint`` identify the request that made the group, for retries.
    """

    code = models.CharField(max_length=8, unique=True, default=new_code)
    name = models.CharField(max_length=LONGEST_NAME)
    counts_revokes = models.BooleanField(default=False)
    shares_rulings = models.BooleanField(default=False)
    ranked_by = models.CharField(max_length=8, choices=RankedBy.choices, default=RankedBy.WINS)
    time_zone = models.CharField(max_length=LONGEST_ZONE, blank=True, default="", db_default="")
    law_book_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - unique where given
    version = models.PositiveIntegerField(default=0)
    writes = CanonicalJSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)
    key = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - unique where given
    fingerprint = models.CharField(max_length=64, blank=True, default="")
    own: "GroupLink | None" = None  # the link of the phone that looks at it, where one does

    def __str__(self) -> str:
        return self.name

    @property
    def spoken_code(self) -> str:
        return spoken_code(self.code)

    @property
    def zone(self) -> str:
        return zone_named(self.time_zone)


class GroupImport(Row):
    """An import of a group in progress, identified by the ``digest`` of its archive.

    No one has a link until it is complete. ``done`` is the number of tables stored; the same archive continues from
    there.
    """

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="coming")
    digest = models.CharField(max_length=64, unique=True)
    done = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(auto_now=True)


class GroupLink(Row):
    """A link to a group. ``name`` says whose it is or what for.

    A phone that opens an invitation gets its own link (``phone``): ``invited_by`` is the invitation, whose end ends
    both. ``person`` is whose phone it is, once ``answered``; then ``None`` means that it only watches. ``seen`` is its
    last use, within minutes. ``made_by`` is the link that made it, ``scope`` that of a bot's key.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="links")
    name = models.CharField(max_length=LONGEST_NAME, blank=True, default="")
    role = models.CharField(max_length=12, choices=GroupRole.choices)
    scope = models.CharField(max_length=8, choices=Scope.choices, blank=True, default="")
    made_by = models.PositiveBigIntegerField(null=True)
    phone = models.BooleanField(default=False)
    invited_by = models.PositiveBigIntegerField(null=True)
    person = models.ForeignKey("Person", on_delete=models.SET_NULL, null=True, related_name="phones")
    answered = models.DateTimeField(null=True)
    seen = models.DateTimeField(null=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True)

    @property
    def manages(self) -> bool:
        return self.role == GroupRole.MEMBER and self.revoked is None

    @property
    def may(self) -> Sequence[str]:
        return RIGHTS if self.role == GroupRole.MEMBER else RIGHTS[: RIGHTS_OF[self.scope]]

    @property
    def strength(self) -> int:
        return 0 if self.revoked else len(self.may)


class RecoveryCode(Row):
    """The recovery code of a group without phones; a new one replaces it. ``used`` is its last use."""

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="recovery")
    code_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)


class DeviceGroup(Row):
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="groups", db_index=False)
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="devices")
    link = models.ForeignKey(GroupLink, on_delete=models.CASCADE, related_name="devices")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["device", "link"], name="one_row_per_group_link_of_a_device")
        ]
        indexes: ClassVar = [models.Index(fields=["device", "group"], name="groups_of_a_device")]


class GroupRequest(Row):
    group = models.ForeignKey(Group, on_delete=models.CASCADE, db_index=False)
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    made = models.PositiveBigIntegerField(null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["group", "key"], name="one_group_request_per_key")]


class EveningNote(Row):
    """The place, note and tags of an evening, which apply to all its tables."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="evening_notes", db_index=False)
    evening = models.DateField()
    place = models.CharField(max_length=LONGEST_PLACE, blank=True, default="")
    note = models.TextField(blank=True, default="")
    tags = CanonicalJSONField(default=list)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["group", "evening"], name="one_note_per_evening")]


class PastImport(Row):
    """An import of past games; ``people`` are the ids of people it added.

    Undoing it deletes its tables and those people who have played nothing else.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="past_imports")
    name = models.CharField(max_length=LONGEST_NAME, blank=True, default="")
    by = models.CharField(max_length=80, blank=True, default="")
    people = CanonicalJSONField(default=list)
    at = models.DateTimeField(auto_now_add=True)


class Colour(models.TextChoices):
    RED = "red", _("red")
    ORANGE = "orange", _("orange")
    YELLOW = "yellow", _("yellow")
    GREEN = "green", _("green")
    SKY = "sky", _("sky blue")
    BLUE = "blue", _("blue")
    PURPLE = "purple", _("purple")
    PINK = "pink", _("pink")


class Person(models.Model):
    """Someone who plays in a group.

    ``aliases`` are other spellings of the name, ``distinct_from`` the ids of people with names much like it who are
    someone else, so that no one asks again. A person found to be another one is ``merged_into`` that one, counts as
    that one everywhere, and can be parted again: the row and its seats stay.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="people")
    name = models.CharField(max_length=LONGEST_NAME)
    aliases = CanonicalJSONField(default=list)
    distinct_from = CanonicalJSONField(default=list, db_default=[])
    colour = models.CharField(max_length=8, choices=Colour.choices, blank=True, default="")
    merged_into = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="merged")
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    @property
    def counts_as(self) -> int:
        return self.merged_into_id or self.pk


class SeatedPerson(Row):
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="people", db_index=False)
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="seats")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "seat"], name="one_person_per_seat")]


# --- Seasons, and the draws of an evening's tables


class Season(Row):
    """A season with a champion: from ``first`` to ``last``, or for a number of ``evenings``.

    Without either it is open-ended.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=LONGEST_NAME)
    first = models.DateField()
    last = models.DateField(null=True)
    evenings = models.PositiveSmallIntegerField(null=True)
    ranked_by = models.CharField(max_length=8, choices=RankedBy.choices)
    created = models.DateTimeField(auto_now_add=True)


class Draw(Row):
    """A draw of one round of tables; ``started`` once they were opened.

    ``here`` are the ids of those who play, ``tables`` the people of each table, clockwise, ``out`` those who sit out;
    all follow from ``here``, ``seed`` and earlier games. An empty ``game`` leaves the choice to each table. ``codes``
    are those of opened tables, ``""`` until a table has chosen its game.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="draws", db_index=False)
    evening = models.DateField()
    number = models.PositiveSmallIntegerField()
    game = models.CharField(max_length=40, blank=True, default="")
    by_rating = models.BooleanField(default=False)
    seed = models.PositiveIntegerField()
    here = CanonicalJSONField(default=list)
    tables = CanonicalJSONField(default=list)
    out = CanonicalJSONField(default=list)
    codes = CanonicalJSONField(default=list)
    started = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["group", "evening", "number"], name="one_draw_per_round"),
        ]


# --- What the statistics of a group are made of: a row for each seat of each of its tables

WHOLE_WIN = 2520  # a win alone (``SeatScore.share``): up to ten people share one without a rest


class SeatScore(Row):
    """The results of one seat at a group's table, all derived from its log.

    ``finished_at`` is set once the table counts: it is over and its points are visible. ``person`` is the one in the
    seat; merging is resolved when read. ``hands``, ``points`` and related columns cover finished, non-void hands and
    are ``None`` for games with totals only. ``best_hand`` is the best score (the lowest if ``lowest``), ``best_number``
    its index. ``tricks`` are the known ones, ``None`` if none are; ``untold`` counts hands with unknown tricks. Bids
    are ``None`` in games without them; ``bids`` counts pairs (bid, won). ``feat`` is the best single feat, in games
    that have one. ``scores`` are per hand; ``lines`` the packed numbers of each hand, from which a correction
    continues. ``total`` is the table's, ``side`` the lowest seat of the partnership, ``rank`` counts sides, ``share``
    is the seat's part of the win. Ratings are those after this table, per game and overall, never for guests.
    ``goes_on``: the game continued at another table, so this one has hands and points, but no winner or rating.
    """

    group = models.ForeignKey(
        Group, on_delete=models.CASCADE, related_name="scores", db_index=False, db_constraint=False
    )
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="scores", db_index=False)
    seat = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="scores")
    game = models.CharField(max_length=LONGEST_GAME)
    evening = models.DateField()
    finished_at = models.DateTimeField(null=True)

    hands = models.PositiveIntegerField(null=True, default=0)
    points = models.IntegerField(null=True, default=0)
    best_hand = models.IntegerField(null=True)
    lowest = models.BooleanField(default=False, db_default=False)
    best_number = models.PositiveIntegerField(null=True)
    tricks = models.PositiveIntegerField(null=True, default=0)
    untold = models.PositiveIntegerField(default=0)
    bids_made = models.PositiveIntegerField(null=True)
    bids_over = models.PositiveIntegerField(null=True)
    bids_under = models.PositiveIntegerField(null=True)
    revokes = models.PositiveIntegerField(null=True, default=0)
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
            models.Index(fields=["group", "finished_at", "table"], name="scores_in_order_of_finishing")
        ]


class ScoreMark(Row):
    """Cache version of a group's finished tables.

    Whatever changes what counts writes a new ``mark`` in the same transaction. It is a row of its own because ending a
    table locks it until the commit, which must not block changes to the group; for the same reason it has no
    foreign-key constraint.
    """

    group = models.OneToOneField(
        Group, on_delete=models.CASCADE, primary_key=True, related_name="score_mark", db_constraint=False
    )
    mark = models.BigIntegerField()
