"""Model fields for JSON stored as its exact text, and IANA time zones."""

import json
import zlib
from base64 import b64decode, b64encode
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

# --- JSON stored as its exact text
# PostgreSQL's ``jsonb`` reorders keys, but a record must come back byte for byte.

if TYPE_CHECKING:
    TextField = models.TextField[Any, Any]
else:
    TextField = models.TextField


def canonical(value: object) -> str:
    """Serialize as JSON without spaces, with keys in insertion order."""
    return ENCODER.encode(value)


ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def written(moment: datetime) -> str:
    """Format a time in ISO 8601, in UTC with microseconds."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


class StoredJSON(str):
    """Marks JSON as already serialized, so that it is copied to another database unchanged."""

    __slots__ = ()


class CanonicalJSONField(TextField):
    """A JSON object, list or null, stored as canonical text."""

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError as problem:
            raise ValidationError(f"This is no JSON: {problem}") from problem

    def value_to_string(self, obj: models.Model) -> Any:
        """Return the stored text, for Django's serializers."""
        return self.get_prep_value(self.value_from_object(obj))

    def get_prep_value(self, value: Any) -> str | None:
        if isinstance(value, StoredJSON):
            return str(value)
        return None if value is None else canonical(value)


PACKED = "z1:"  # prefix of packed JSON, with which plain JSON never begins
USUAL = (
    b'"reason":{"code":"highest-follower","text":"","clauses":["irregularities":[],"unchecked":[],"score_lines":[{"seat":'
    b'{"version":1,"first_dealer":0,"carried":[0,0,0,0],"earned":[0,0,0,0],"counted":0,"hand":{"setup":{"index":0,'
    b'"dealer":0,"seating":[0,1,2,3],"sizes":[9,9,9,9],"known":[],"carry":null,"carry_open":false,"finished":0},'
    b'"values":{"phase":{"$":"Phase","v":"play"},"events":0,"irregularities":[],"penalties":[],"ended":false,'
    b'"holds":false,"bids":[null,null,null,null],"blind":0,"claims":[],"denied":[0,0,0,0],"follows":[0,0,0,0],'
    b'"given_up":[],"gone":0,"lead":null,"leader":1,"plays":[],"skipped":false,"taken":[],"there":0,"transfers":[],'
    b'"trump":null,"turn":1,"unseen":0,"waived":[],"won":[0,0,0,0],"named":false,"before":[null,false,0],'
    b'"coming_trump":null,"doubt":0,"doubted":0,"ruled":false,"two_aces":false,"tide":null}}}'
    b'{"number":1,"dealer":0,"seating":[0,1,2,3],"hand_size":[9,9,9,9],"phase":"finished","to_act":[],'
    b'"cards_left":[0,0,0,0],"trump":"S","has_trump":true,"suit_order":null,"bids":[null,null,null,null],'
    b'"tricks_won":[0,0,0,0],"tricks":[{"number":1,"leader":0,"plays":[{"seat":1,"cards":["'
    b'"]},{"seat":2,"cards":["'
    b'"]},{"seat":3,"cards":["'
    b'"]},{"seat":0,"cards":["'
    b'"]}],"called_suit":null,"winner":0,"points":{"0":1},"trump":"M","reason":{"code":"highest-trump","text":"'
    b' is the highest trump.","clauses":["'
)
"""Compression dictionary of packed JSON. Must never change, since rows packed with it need it."""


def packed(text: str) -> str:
    """Compress JSON to about a quarter of its length, as text.

    >>> unpacked(packed("[1,2]")), unpacked("[1,2]")
    ('[1,2]', '[1,2]')
    """
    press = zlib.compressobj(9, zdict=USUAL)
    return PACKED + b64encode(press.compress(text.encode()) + press.flush()).decode()


def unpacked(text: str) -> str:
    """Decompress packed JSON; plain JSON, from before packing, is returned unchanged."""
    if not text.startswith(PACKED):
        return text
    press = zlib.decompressobj(zdict=USUAL)
    return (press.decompress(b64decode(text[len(PACKED) :])) + press.flush()).decode()


class PackedJSONField(CanonicalJSONField):
    """Large, seldom read JSON, stored compressed; as text on every database, so that backups can copy it as is."""

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return None if value is None else json.loads(unpacked(value))

    def to_python(self, value: Any) -> Any:
        return super().to_python(unpacked(value) if isinstance(value, str) else value)

    def get_prep_value(self, value: Any) -> str | None:
        written = super().get_prep_value(value)
        return written if written is None or isinstance(value, StoredJSON) else packed(written)


class Row(models.Model):
    """Base of models that are shown by their class and id."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.pk}"


# --- IANA time zones, and the evening to which a moment belongs

LONGEST_GAME = 120
"""Characters in a game's key: its id, a colon, and a title."""
LONGEST_ZONE = 64
EVENING_ENDS = 6  # hour until which it is still the previous day's evening


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    return frozenset(available_timezones()) - {"localtime", "posixrules", "Factory"}


def zone_named(name: str) -> str:
    return name or settings.TIME_ZONE


@lru_cache(maxsize=1000)
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # chosen on a machine with other zone data
        return timezone.get_default_timezone()


def local(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(_zone(zone_named(zone)))


def evening_at(moment: datetime, zone: str) -> date:
    """Return the date of the evening at a moment; until 6 a.m. local time it is the day before.

    >>> evening_at(datetime.fromisoformat("2026-11-25T08:52:00Z"), "America/Los_Angeles").isoformat()
    '2026-11-24'
    """
    there = local(moment, zone)
    return there.date() - timedelta(days=there.hour < EVENING_ENDS)
