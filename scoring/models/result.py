"""What a game that is over has brought each seat: kept so that a season of a thousand tables is quickly added up."""

from django.db import models

from scoring.models.fields import CanonicalJSONField
from scoring.models.table import Table


class TableResult(models.Model):
    """The points that a table brought each seat, without what was carried in; partners have the same.

    It follows from the log, and is worked out when it is asked for: whoever deletes all of them loses nothing. It holds
    for this ``version`` of the table alone. That there is one says that the game was over.
    """

    table = models.OneToOneField(Table, on_delete=models.CASCADE, primary_key=True, related_name="result")
    version = models.PositiveIntegerField()
    points = CanonicalJSONField()

    def __str__(self) -> str:
        return f"{self.table_id} {self.points}"
