"""Links for reading: they open one table, or one of its hands, on any device, and nothing besides."""

from typing import ClassVar

from django.db import models

from scoring.models.access import Device
from scoring.models.table import Table


class Reading(models.Model):
    """A link for reading a table, or the ``hand`` of this index alone. Only the hash of its token is kept.

    It tells no code, so who reads one hand learns of no other. Any number of devices may have it until it is revoked.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="readings")
    hand = models.PositiveIntegerField(null=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.table_id} {self.hand}"


class DeviceReading(models.Model):
    """A link for reading on a device."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="readings", db_index=False)
    reading = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="devices")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["device", "reading"], name="one_row_per_reading_of_a_device")
        ]

    def __str__(self) -> str:
        return f"{self.device_id} {self.reading_id}"
