"""`manage.py installation`: show anonymous figures on the size of an installation."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from scoring.management.operator_command import OperatorCommand
from scoring.models import Device, Group, OperatorAct, Person, Table, TableEvent


class Command(OperatorCommand):
    help = "Count tables, groups, people, events and devices, and the tables in use."

    def handle(self, *args: Any, **options: Any) -> None:
        week = timezone.now() - timedelta(days=7)
        tables = Table.objects.all()
        for name, number in {
            "tables": tables.count(),
            "tables running": tables.filter(finished=False).count(),
            "tables changed in seven days": tables.filter(updated__gte=week).count(),
            "tables in a group": tables.filter(group__isnull=False).count(),
            "groups": Group.objects.count(),
            "people": Person.objects.count(),
            "log rows": TableEvent.objects.count(),
            "devices": Device.objects.count(),
            "operator acts": OperatorAct.objects.count(),
        }.items():
            self.stdout.write(f"{name}: {number}")
