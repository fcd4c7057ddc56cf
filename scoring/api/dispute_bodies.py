"""What the calls about disputes take."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from referee.engine.reader import LONGEST_TEXT, Reader
from scoring.api.bodies import Body, Choice, EventField, Flag, Listed, Text, Whole, Words
from scoring.models import DisputeState
from scoring.queries.disputes import LONGEST_WORD

RULED = (DisputeState.UPHELD.value, DisputeState.OVERRULED.value)
MOST_CLAUSES = 20
MOST_ANSWERS = 50
MOST_REMEDY = 20
DEEPEST = 4


class Clause(Text):
    """A clause by its id."""

    def read(self, reader: Reader, value: Any, pointer: str) -> str:
        return reader.text(value, pointer, LONGEST_WORD) or ""


class Answer(serializers.JSONField):
    """What a guided ruling answers, as it is, where it is small."""

    def read(self, reader: Reader, value: Any, pointer: str) -> Any:
        if _depth(value) > DEEPEST or len(str(value)) > LONGEST_TEXT:
            reader.value(pointer, "An answer is a word, a number or something as small.")
        return value


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


@extend_schema_serializer(component_name="DisputeSubject")
class AboutBody(Body):
    """What a dispute is about: a hand, counted from 1, and in it an event by its position, a trick, or a score line."""

    hand = Whole(min_value=1, allow_null=True, default=None, help_text="From 1; null: the last one.")
    event = Whole(min_value=0, allow_null=True, default=None, help_text="Its position in the hand, from 0.")
    trick = Whole(min_value=1, allow_null=True, default=None, help_text="Its number, from 1.")
    score_line = Whole(
        min_value=0, allow_null=True, default=None, help_text="Its place among the score lines of the hand, from 0."
    )


@extend_schema_serializer(component_name="DisputeToRaise")
class DisputeBody(Body):
    """What somebody calls the referee for."""

    claim = Words(max_length=LONGEST_TEXT, error_messages={"required": "What is wrong is needed in words."})
    about = AboutBody(allow_null=True, default=None)
    seat = Whole(min_value=0, allow_null=True, default=None, help_text="Whose claim it is.")
    pause = Flag(default=False, help_text="Whether the hand waits for the ruling.")


@extend_schema_serializer(component_name="RulingToMake")
class DisputeRulingBody(Body):
    """What is decided."""

    state = Choice(RULED, error_messages={"required": "A ruling upholds or overrules."})
    text = Words(max_length=LONGEST_TEXT, error_messages={"required": "A ruling needs its reason in words."})
    clauses = Listed(child=Clause(), most=MOST_CLAUSES, default=[])
    remedy = Listed(child=EventField(), most=MOST_REMEDY, default=[], help_text="The events that put it right.")
    tree = Text(allow_null=True, default=None, help_text="Which guided ruling led here.")
    answers = Listed(child=Answer(), most=MOST_ANSWERS, default=[], help_text="What was answered on the way.")


@extend_schema_serializer(component_name="Words")
class WordsBody(Body):
    """Words, where there is something to say."""

    text = Text(allow_blank=True, default="", max_length=LONGEST_TEXT)


@extend_schema_serializer(component_name="Pause")
class PauseBody(Body):
    """Whether the hand waits for the ruling."""

    paused = Flag(error_messages={"required": "It waits, or it does not."})
