"""The parsers of the API: JSON, read strictly, and records as text or cells."""

import codecs
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any

from django.conf import settings
from django.utils.http import parse_header_parameters
from rest_framework.parsers import BaseParser

from referee.api.problems import TooLarge
from referee.engine.strict_json import DEEPEST, read_object, refuse
from referee.notation.encodings import read_body

__all__ = ["DEEPEST", "RECORD_PARSERS", "CellsParser", "StrictJSONParser", "TextParser", "read_object", "refuse"]


class StrictJSONParser(BaseParser):
    """Reads a JSON object in UTF-8 and nothing that merely looks like one.

    Refused with 400: malformed JSON, anything but an object, a key given twice, ``NaN`` and
    numbers that no double holds, nesting below ``DEEPEST``, and texts with NUL or half a
    surrogate pair (no database and no encoder takes them). A body larger than
    ``DATA_UPLOAD_MAX_MEMORY_SIZE`` is refused with 413, whatever its headers say.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, object] | None = None,
    ) -> dict[str, object]:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise TooLarge
        return read_object(body)


class TextParser(BaseParser):
    """Reads a body of text, as if it had come as JSON under ``key``: in UTF-8, or what its media type names."""

    media_type, key = "text/plain", "text"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> dict[str, str]:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body: bytes = stream.read(most + 1)
        if len(body) > most:
            raise TooLarge
        return {self.key: read_body(body, _charset(media_type or ""))}


def _charset(media_type: str) -> str:
    """Return the encoding that a media type names, as Python calls it; nothing where it names none."""
    with suppress(LookupError, ValueError):
        return codecs.lookup(str(parse_header_parameters(media_type)[1].get("charset", ""))).name
    return ""


class CellsParser(TextParser):
    """Reads a record as cells for a spreadsheet."""

    media_type, key = "text/csv", "csv"


RECORD_PARSERS = [StrictJSONParser, TextParser, CellsParser]
"""What reads the forms in which a record is brought."""
