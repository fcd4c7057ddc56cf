"""`manage.py limits`: list the addresses that are rate-limited, and lift their limits."""

import re
import time
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db.models import Q

from scoring.management.operator_command import OperatorCommand
from scoring.models import Tally
from scoring.operating.acts.limits import ADDRESS, HOUR, OPENING, guesser_of, tally_key
from scoring.operating.acts.operating import note

LISTED = re.compile(rf"({ADDRESS}|{OPENING})-[0-9a-f]{{8,}}")  # a listed address, hashed


class Command(OperatorCommand):
    help = "List the addresses that tried wrong codes or opened too much within the hour, and lift their limits."
    arguments = {
        "--address": {"help": "only this address: 192.0.2.7, or as listed: address-1a2b3c4d"},
        "--lift": {"action": "store_true", "help": "lift their limits now"},
    }

    def handle(self, *, address: str | None, lift: bool, **_: Any) -> None:
        now = int(time.time())
        codes, openings = settings.WRONG_CODES_PER_HOUR, settings.OPENINGS_PER_HOUR
        kinds = {ADDRESS: ("wrong codes", codes), OPENING: ("opened", openings)}
        wanted = Q(key__startswith=f"{ADDRESS}-") | Q(key__startswith=f"{OPENING}-", count__gte=openings or HOUR)
        if LISTED.fullmatch(address or ""):
            wanted = Q(key__startswith=address)
        elif address:
            wanted = Q(key__in=[guesser_of({"REMOTE_ADDR": address}, "").key(ADDRESS), tally_key(OPENING, address)])
        tallies = Tally.objects.filter(wanted).order_by("-count", "key")
        shown = tallies.filter(until__gt=now, until__lte=now + HOUR)
        for tally in shown:
            what, most = kinds[tally.key.partition("-")[0]]
            until = datetime.fromtimestamp(tally.until, UTC)
            closed = ", closed" if most and tally.count >= most else ""
            self.stdout.write(f"{tally.key[:16]}: {tally.count} of {most} {what}{closed}, until {until:%H:%M} UTC")
        if not shown:
            self.stdout.write("No address tried a wrong code or opened too much within the hour.")
        if lift:
            lifted, _by_model = tallies.delete()
            note("lift-limits", f"{lifted} limits")
            self.stdout.write(f"Limits lifted: {lifted}.")
