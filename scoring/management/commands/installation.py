"""`manage.py installation`: show anonymous figures on the size of an installation."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from scoring.models import Device, Group, OperatorAct, Person, Table, TableEvent


class Command(BaseCommand):
    help = "Say how many tables, groups, people, events and devices there are, and how many are alive."

    def handle(self, *args: Any, **options: Any) -> None:
        week = timezone.now() - timedelta(days=7)
        tables = Table.objects.all()
        for name, number in {
            "tables": tables.count(),
            "tables running": tables.filter(finished=False).count(),
            "tables touched in seven days": tables.filter(updated__gte=week).count(),
            "tables in a group": tables.filter(group__isnull=False).count(),
            "groups": Group.objects.count(),
            "people": Person.objects.count(),
            "rows of logs": TableEvent.objects.count(),
            "devices": Device.objects.count(),
            "acts of operators": OperatorAct.objects.count(),
        }.items():
            self.stdout.write(f"{name}: {number}")
