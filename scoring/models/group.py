"""Groups: people who play together, the links that open their group, and the devices that have it."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.access import Device
from scoring.models.fields import CanonicalJSONField
from scoring.models.table import Table, new_code, spoken_code
from scoring.models.time_zones import LONGEST_ZONE, zone_named

LONGEST_NAME = 60


class GroupRole(models.TextChoices):
    """What a link to a group allows: members open tables, keep their score and look after people; viewers read."""

    MEMBER = "member"
    VIEWER = "viewer"


class Group(models.Model):
    """People who play together, from one evening to the next.

    Only links open it; nobody reads it by its code. ``version`` counts what was changed of the group itself: its name,
    people and links. ``counts_revokes``: whether its statistics say who revoked how often,
    ``shares_rulings`` whether others read, without names, what was ruled at its tables. ``time_zone`` is where its
    evenings are counted; empty: in that of the installation. ``writes`` counts the acts of each link in this minute.
    ``key`` (a hash) and ``fingerprint`` tell the request that made the group, should it come again.
    """

    code = models.CharField(max_length=8, unique=True, default=new_code)
    name = models.CharField(max_length=LONGEST_NAME)
    counts_revokes = models.BooleanField(default=False)
    shares_rulings = models.BooleanField(default=False)
    time_zone = models.CharField(max_length=LONGEST_ZONE, blank=True, default="", db_default="")
    version = models.PositiveIntegerField(default=0)
    writes = CanonicalJSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)
    key = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - unique where given
    fingerprint = models.CharField(max_length=64, blank=True, default="")

    def __str__(self) -> str:
        return self.name

    @property
    def spoken_code(self) -> str:
        return spoken_code(self.code)

    @property
    def zone(self) -> str:
        """Return the time zone in which its evenings are counted."""
        return zone_named(self.time_zone)


class GroupImport(models.Model):
    """A group that is being brought back from its archive, known by the ``digest`` of that.

    Until it is whole nobody has a link to it, so nobody sees any of it. ``done`` are the tables that are there; given
    again, the same archive goes on from them.
    """

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="coming")
    digest = models.CharField(max_length=64, unique=True)
    done = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.group_id} {self.done}"


class GroupLink(models.Model):
    """A right to a group. It opens the group on any phone until it is revoked; only the hash of its token is kept.

    ``name`` says whose it is, or what for: "Ann’s phone", "the board in the hall".
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="links")
    name = models.CharField(max_length=LONGEST_NAME, blank=True, default="")
    role = models.CharField(max_length=12, choices=GroupRole.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.group_id} {self.role}"

    @property
    def manages(self) -> bool:
        """Return whether the holder opens tables, keeps their score, and looks after people and links."""
        return self.role == GroupRole.MEMBER and self.revoked is None

    @property
    def strength(self) -> int:
        """Return how much it allows, against other links; nothing once it is revoked."""
        return 0 if self.revoked else (GroupRole.VIEWER, GroupRole.MEMBER).index(GroupRole(self.role)) + 1


class RecoveryCode(models.Model):
    """What opens a group again when no phone does any more: words for a piece of paper. A group has one at most.

    Only the hash of it is kept; another one takes its place. ``used`` is when it last opened the group.
    """

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="recovery")
    code_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.group_id}"


class DeviceGroup(models.Model):
    """A group on a device, with the link by which the device opens it."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="groups", db_index=False)
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="devices")
    link = models.ForeignKey(GroupLink, on_delete=models.CASCADE, related_name="devices")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["device", "link"], name="one_row_per_group_link_of_a_device")
        ]
        indexes: ClassVar = [models.Index(fields=["device", "group"], name="groups_of_a_device")]

    def __str__(self) -> str:
        return f"{self.device_id} {self.group_id}"


class GroupRequest(models.Model):
    """A request that changed a group, by the hash of its idempotency key; ``made`` is the id of what it made."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, db_index=False)
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    made = models.PositiveBigIntegerField(null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["group", "key"], name="one_group_request_per_key")]

    def __str__(self) -> str:
        return f"{self.group_id} {self.key}"


class Colour(models.TextChoices):
    """The colour that somebody may have."""

    RED = "red", _("red")
    ORANGE = "orange", _("orange")
    YELLOW = "yellow", _("yellow")
    GREEN = "green", _("green")
    TEAL = "teal", _("teal")
    BLUE = "blue", _("blue")
    PURPLE = "purple", _("purple")
    PINK = "pink", _("pink")


class Person(models.Model):
    """Somebody who plays in a group.

    ``aliases`` are other spellings of the name, ``distinct_from`` the ids of people with names much like it who are
    somebody else, so that nobody asks again. A person found to be another one is ``merged_into`` that one, counts as
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
        """Return the id of the person that this one counts as: the one it is merged into, or itself."""
        return self.merged_into_id or self.pk


class SeatedPerson(models.Model):
    """Who sits on a seat of a table; a seat without one is a guest’s."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="people", db_index=False)
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="seats")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "seat"], name="one_person_per_seat")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.seat} {self.person_id}"
