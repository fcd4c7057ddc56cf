"""Links for reading one table or one hand: made, revoked, and opened on any device."""

from dataclasses import dataclass

from django.utils import timezone

from scoring.models import Device, DeviceReading, Reading
from scoring.queries.access import Devices, standing_readings, token_hash
from scoring.services.exceptions import NoSuchHand, NoSuchLink, TooManyLinks
from scoring.services.keys import Caller, done_before
from scoring.services.links import MOST_LINKS, brought_by, new_token
from scoring.services.short_lived import keep_token, kept_token
from scoring.services.turn import Turn
from scoring.services.turns import take_turn


@dataclass(frozen=True, slots=True)
class NewReading:
    """A link for reading just made, and its token; empty where a retry comes too late to be told it."""

    reading: Reading
    token: str


def add_reading(code: str, hand: int | None, caller: Caller) -> NewReading:
    """Make a link for reading a table, or the hand of an index alone.

    Raises ``NoSuchHand``, ``TooManyLinks``, and what ``take_turn`` raises.
    """
    fingerprint = caller.fingerprint("reading", hand)

    def act(turn: Turn) -> NewReading:
        turn.hold()
        if hand is not None and not 0 <= hand <= (turn.row.hand_number or 0):
            raise NoSuchHand
        if standing_readings(turn.row).count() >= MOST_LINKS:
            raise TooManyLinks
        token = keep_token(caller.key, fingerprint, new_token())
        reading = Reading.objects.create(
            table=turn.row, hand=hand, token_hash=token_hash(token), group_link=brought_by(turn)
        )
        turn.did(reading=reading)
        return NewReading(reading, token)

    def again(turn: Turn) -> NewReading | None:
        done = done_before(turn.row, caller, fingerprint)
        reading = None if done is None else Reading.objects.filter(table=turn.row, pk=done.reading_id or 0).first()
        if reading is None:
            return None
        return NewReading(reading, "" if reading.revoked else kept_token(caller.key, fingerprint))

    return take_turn(code, caller, fingerprint, act, again=again)


def revoke_reading(code: str, number: int, caller: Caller) -> None:
    """Revoke a link for reading: from now on it opens nothing. Raises ``NoSuchLink``, and what ``take_turn`` raises."""
    fingerprint = caller.fingerprint("revoke-reading", number)

    def act(turn: Turn) -> bool:
        turn.hold()
        if not standing_readings(turn.row).filter(pk=number).update(revoked=timezone.now()):
            raise NoSuchLink
        turn.did()
        return True

    def again(turn: Turn) -> bool | None:
        return done_before(turn.row, caller, fingerprint) is not None or None

    take_turn(code, caller, fingerprint, act, again=again)


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
