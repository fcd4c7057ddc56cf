"""What the calls about disputes take."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from referee.engine.reader import LONGEST_TEXT, Reader
from referee.engine.reading import read_event
from scoring.api import schema
from scoring.api.bodies import READ, Body, read_choice
from scoring.models import DisputeState
from scoring.queries.disputes import LONGEST_WORD

RULED = (DisputeState.UPHELD.value, DisputeState.OVERRULED.value)
MOST_CLAUSES = 20
MOST_ANSWERS = 50
MOST_REMEDY = 20
DEEPEST = 4


class RuledField(serializers.ChoiceField):
    """What a ruling makes of a claim."""


class WordsField(serializers.CharField):
    """Words of which a character can be seen."""


class ClausesField(serializers.ListField):
    """Clauses by their ids."""


@extend_schema_field({"type": "array", "items": schema.EVENT})
class RemedyField(serializers.ListField):
    """Events that put it right."""


class AnswersField(serializers.ListField):
    """The answers given in a guided ruling, as the tree has them."""


@extend_schema_serializer(component_name="DisputeSubject")
class AboutBody(Body):
    """What a dispute is about: a hand, counted from 1, and in it an event by its position, a trick, or a score line."""

    hand = serializers.IntegerField(min_value=1, allow_null=True, default=None, help_text="From 1; null: the last one.")
    event = serializers.IntegerField(
        min_value=0, allow_null=True, default=None, help_text="Its position in the hand, from 0."
    )
    trick = serializers.IntegerField(min_value=1, allow_null=True, default=None, help_text="Its number, from 1.")
    score_line = serializers.IntegerField(
        min_value=0, allow_null=True, default=None, help_text="Its place among the score lines of the hand, from 0."
    )


@extend_schema_serializer(component_name="DisputeToRaise")
class DisputeBody(Body):
    """What somebody calls the referee for."""

    claim = WordsField(max_length=LONGEST_TEXT, error_messages={"required": "What is wrong is needed in words."})
    about = AboutBody(allow_null=True, default=None)
    seat = serializers.IntegerField(min_value=0, allow_null=True, default=None, help_text="Whose claim it is.")
    pause = serializers.BooleanField(default=False, help_text="Whether the hand waits for the ruling.")


@extend_schema_serializer(component_name="RulingToMake")
class DisputeRulingBody(Body):
    """What is decided."""

    state = RuledField(RULED, error_messages={"required": "A ruling upholds or overrules."})
    text = WordsField(max_length=LONGEST_TEXT, error_messages={"required": "A ruling needs its reason in words."})
    clauses = ClausesField(child=serializers.CharField(), default=[])
    remedy = RemedyField(child=serializers.JSONField(), default=[], help_text="The events that put it right.")
    tree = serializers.CharField(allow_null=True, default=None, help_text="Which guided ruling led here.")
    answers = AnswersField(child=serializers.JSONField(), default=[], help_text="What was answered on the way.")


@extend_schema_serializer(component_name="Words")
class WordsBody(Body):
    """Words, where there is something to say."""

    text = serializers.CharField(allow_blank=True, default="", max_length=LONGEST_TEXT)


@extend_schema_serializer(component_name="Pause")
class PauseBody(Body):
    """Whether the hand waits for the ruling."""

    paused = serializers.BooleanField(error_messages={"required": "It waits, or it does not."})


def read_words(reader: Reader, value: Any, pointer: str) -> str:
    """Read words of which a character can be seen."""
    words = (reader.text(value, pointer) or "").strip()
    if isinstance(value, str):
        reader.words(words, pointer)
    return words


def read_ruled(reader: Reader, value: Any, pointer: str) -> str:
    """Read what a ruling makes of a claim."""
    return read_choice(reader, value, pointer, RULED)


def read_about(reader: Reader, value: Any, pointer: str) -> dict[str, int | None]:
    """Read what a dispute is about."""
    return AboutBody().read(reader, value, pointer)


def _listed(most: int, read: Callable[[Reader, Any, str], Any]) -> Callable[[Reader, Any, str], list[Any]]:
    def read_list(reader: Reader, value: Any, pointer: str) -> list[Any]:
        items = reader.array(value, pointer)
        if len(items) > most:
            reader.value(pointer, "That are too many.")
            return []
        return [read(reader, item, f"{pointer}/{place}") for place, item in enumerate(items)]

    return read_list


def _plain(reader: Reader, value: Any, pointer: str) -> Any:
    """Take what a guided ruling answers as it is, where it is small."""
    if _depth(value) > DEEPEST or len(str(value)) > LONGEST_TEXT:
        reader.value(pointer, "An answer is a word, a number or something as small.")
    return value


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


READ |= {
    WordsField: read_words,
    RuledField: read_ruled,
    AboutBody: read_about,
    ClausesField: _listed(MOST_CLAUSES, lambda reader, value, at: reader.text(value, at, LONGEST_WORD) or ""),
    RemedyField: _listed(MOST_REMEDY, read_event),
    AnswersField: _listed(MOST_ANSWERS, _plain),
}
