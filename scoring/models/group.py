"""Groups: people, links, seasons, draws, imports, statistics and precedents."""

from collections.abc import Sequence
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.access import Device, Scope
from scoring.models.fields import LONGEST_GAME, LONGEST_ZONE, CanonicalJSONField, PackedJSONField, Row, zone_named
from scoring.models.table import LONGEST_PLACE, Table, new_code, spoken_code

# --- Groups, their links and devices

LONGEST_NAME = 60


class GroupRole(models.TextChoices):
    """The role of a link to a group: members open tables, keep score and manage people; viewers only read.

    A bot's link is an API key with a scope.
    """

    MEMBER = "member"
    VIEWER = "viewer"
    BOT = "bot"


RIGHTS = ("read", "record", "amend", "open", "manage", "share")
"""The rights of a group link, as the API names them, in the order in which scopes and roles add them."""
RIGHTS_OF = {"": 1, Scope.READ: 1, Scope.RECORD: 4, Scope.MANAGE: 5}


class RankedBy(models.TextChoices):
    """How people are ranked across games, whose points are never added."""

    WINS = "wins"
    PLACES = "places"


class Group(models.Model):
    """A group of people who play together.

    Access is by link only, never by its code. ``version`` counts changes of its settings, people and links.
    ``counts_revokes``: statistics show revokes; ``shares_rulings``: others can read its rulings without names.
    ``ranked_by`` applies to evenings and new seasons. ``time_zone`` sets when evenings begin; empty means the server's.
    ``law_book_hash`` is the hash of the shared law book's code, if shared. ``writes`` counts each link's acts in the
    current minute. ``key`` (a hash) and ``fingerprint`` identify the request that created the group, for retries.
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
    own: "GroupLink | None" = None  # set when read for a device: its link

    def __str__(self) -> str:
        return self.name

    @property
    def spoken_code(self) -> str:
        return spoken_code(self.code)

    @property
    def zone(self) -> str:
        return zone_named(self.time_zone)


class GroupImport(Row):
    """A group import in progress, identified by the ``digest`` of its archive.

    Nobody has a link until it is complete. ``done`` is the number of tables stored; sending the same archive again
    continues from there.
    """

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="coming")
    digest = models.CharField(max_length=64, unique=True)
    done = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(auto_now=True)


class GroupLink(Row):
    """A link to a group. ``name`` says whose it is or what it is for.

    A phone that opens an invitation gets a link of its own (``phone``); ``invited_by`` is the invitation, and revoking
    that revokes both. ``person`` is whose phone it is, once ``answered``; ``None`` then means that it only watches.
    ``seen`` is its last use, to within minutes. ``made_by`` is the link that created it, ``scope`` that of a bot's key.
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
    """A group's recovery code, for when no phone has access; a new one replaces it. ``used`` is its last use."""

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
    """An import of past games; ``people`` are the ids of the people it added.

    Undoing it deletes its tables, and those of its people who have played nothing else.
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
    """A person in a group.

    ``aliases`` are other spellings of the name; ``distinct_from`` are the ids of people with similar names who are
    someone else, so the question isn't asked again. A person ``merged_into`` another counts as that one everywhere;
    since the row and its seats stay, a merge can be undone.
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


# --- Seasons, and draws of an evening's tables


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
    """A draw of one round of tables; ``started`` is when they were opened.

    ``here`` are the ids of everyone present, ``tables`` the people of each table, clockwise, and ``out`` those who sit
    out; these follow from ``here``, ``seed`` and earlier games. An empty ``game`` leaves the choice to each table.
    ``codes`` are those of the opened tables, ``""`` for one without a game.
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


# --- Data of a group's statistics: one row per seat and table

WHOLE_WIN = 2520  # ``SeatScore.share`` of a sole winner; divisible by 1 to 10


class SeatScore(Row):
    """The results of one seat at a group's table, all derived from its log.

    ``finished_at`` is set once the table counts: it is over and its points are visible. ``person`` is the one in the
    seat; merges are resolved on reading. ``hands``, ``points`` and related columns cover finished, non-void hands and
    are ``None`` for games with totals only. ``best_hand`` is the best score (the lowest if ``lowest``), ``best_number``
    its index. ``tricks`` counts known tricks, ``None`` if none are known; ``untold`` counts hands with unknown tricks.
    Bid columns are ``None`` in games without bids; ``bids`` counts (bid, won) pairs. ``feat`` is the best single feat,
    in games that score one. ``scores`` are per hand; ``lines`` hold each hand's numbers, so that a correction
    recomputes only later hands. ``total`` is the table's, ``side`` the lowest seat of the partnership, ``rank`` counts
    sides, ``share`` is the seat's part of the win (``WHOLE_WIN`` for all of it). Ratings are those after this table,
    per game and overall; guests have none. ``goes_on``: the game continued at another table, so this row has hands and
    points, but no winner or rating.
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
            # The key of these rows where the database is sharded by group.
            models.UniqueConstraint(fields=["group", "table", "seat"], name="one_score_per_seat_in_a_group"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["group", "finished_at", "table"], name="scores_in_order_of_finishing")
        ]


class ScoreMark(Row):
    """Cache version of a group's finished tables.

    Any change to what counts writes a new ``mark`` in the same transaction. It has its own row because ending a table
    locks it until the commit, which must not block changes to the group; hence also no foreign-key constraint.
    """

    group = models.OneToOneField(
        Group, on_delete=models.CASCADE, primary_key=True, related_name="score_mark", db_constraint=False
    )
    mark = models.BigIntegerField()


# --- The law book


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
