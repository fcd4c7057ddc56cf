"""Links for reading one table or one hand: made, revoked, and opened on any device."""

from dataclasses import dataclass

from django.utils import timezone

from scoring.models import Device, DeviceReading, Reading
from scoring.queries.access import Devices, standing_readings, token_hash
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import NoSuchHand, NoSuchLink, TooManyLinks
from scoring.services.keys import Caller
from scoring.services.links import MOST_LINKS, brought_by, new_token
from scoring.services.short_lived import keep_token, kept_token
from scoring.services.turns import turn_at


@dataclass(frozen=True, slots=True)
class NewReading:
    """A link for reading just made, and its token; empty where a retry comes too late to be told it."""

    reading: Reading
    token: str


@past_deadlocks
def add_reading(code: str, hand: int | None, caller: Caller) -> NewReading:
    """Make a link for reading a table, or the hand of an index alone.

    Raises ``NoSuchHand``, ``TooManyLinks``, and what ``turn_at`` raises.
    """
    fingerprint = caller.fingerprint("reading", hand)

    with turn_at(code, caller, fingerprint) as turn:
        if turn.repeats:
            made = 0 if turn.done is None else turn.done.reading_id or 0
            reading = Reading.objects.filter(table=turn.row, pk=made).first()
            if reading is None:
                raise NoSuchLink
            return NewReading(reading, "" if reading.revoked else kept_token(caller.key, fingerprint))
        if hand is not None and not 0 <= hand <= (turn.row.hand_number or 0):
            raise NoSuchHand
        if standing_readings(turn.row).count() >= MOST_LINKS:
            raise TooManyLinks
        token = keep_token(caller.key, fingerprint, new_token())
        group_link = brought_by(turn)
        reading = Reading.objects.create(table=turn.row, hand=hand, token_hash=token_hash(token), group_link=group_link)
        turn.did(reading=reading)
        return NewReading(reading, token)


@past_deadlocks
def revoke_reading(code: str, number: int, caller: Caller) -> None:
    """Revoke a link for reading: from now on it opens nothing. Raises ``NoSuchLink``, and what ``turn_at`` raises."""
    with turn_at(code, caller, caller.fingerprint("revoke-reading", number)) as turn:
        if turn.repeats:
            return
        if not standing_readings(turn.row).filter(pk=number).update(revoked=timezone.now()):
            raise NoSuchLink
        turn.did()


def open_reading(number: int, token: str, secret: str) -> bool:
    """Give a link for reading to a device; return whether there is such a link."""
    reading = Reading.objects.filter(pk=number, token_hash=token_hash(token), revoked__isnull=True).first()
    if reading is None:
        return False
    device, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
    DeviceReading.objects.get_or_create(device=device, reading=reading)
    return True


def forget_reading(devices: Devices, number: int) -> None:
    """Take a link for reading off a device."""
    DeviceReading.objects.filter(device__secret_hash__in=devices, reading=number).delete()
