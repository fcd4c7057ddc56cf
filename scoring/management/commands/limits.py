"""`manage.py limits`: which addresses have tried wrong codes, and letting them try again."""

import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from scoring.models import Tally
from scoring.services.guesses import ADDRESS, HOUR, guesser_of


class Command(BaseCommand):
    help = "List the addresses that have tried wrong codes in this hour, and lift the limit for one or all of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--address", help="only this one, such as 192.0.2.7")
        parser.add_argument("--lift", action="store_true", help="let them try again at once")

    def handle(self, *args: Any, **options: Any) -> None:
        now, most = int(time.time()), settings.WRONG_CODES_PER_HOUR
        tallies = Tally.objects.filter(key__startswith=f"{ADDRESS}-").order_by("-count", "key")
        if options["address"]:
            tallies = tallies.filter(key=guesser_of({"REMOTE_ADDR": options["address"]}, "").key(ADDRESS))
        shown = tallies.filter(until__gt=now, until__lte=now + HOUR)
        for tally in shown:
            until = datetime.fromtimestamp(tally.until, UTC)
            closed = ", closed" if most and tally.count >= most else ""
            self.stdout.write(f"{tally.key[:16]}: {tally.count} of {most} wrong codes{closed}, until {until:%H:%M} UTC")
        if not shown:
            self.stdout.write("Nobody has tried a wrong code in this hour.")
        if options["lift"]:
            lifted, _ = tallies.delete()
            self.stdout.write(f"{lifted} lifted.")
