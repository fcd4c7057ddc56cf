"""Links: what may be done at a table by whoever holds a secret token."""

from django.db import models

from scoring.models.table import Table


class Role(models.TextChoices):
    """What a link allows."""

    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Link(models.Model):
    """A right to a table. Only the hash of its token is kept; the token is shown once."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, choices=Role.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.table_id} {self.role}"

    @property
    def writes(self) -> bool:
        """Return whether the holder keeps the score: records everything, corrects, and shares the table."""
        return self.role == Role.SCOREKEEPER and self.revoked is None

    @property
    def records(self) -> bool:
        """Return whether the holder may record events: any, or those of the own seat."""
        return self.role in (Role.SCOREKEEPER, Role.PLAYER) and self.revoked is None

    @property
    def name(self) -> str:
        """Return how the log names the holder.

        >>> Link(role="player", seat=2).name
        'player-2'
        """
        return self.role if self.seat is None else f"{self.role}-{self.seat}"
