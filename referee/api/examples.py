"""Example requests and answers for the documentation; a test sends each of them."""

import json
from pathlib import Path

from referee.api.questions import QUESTIONS
from referee.engine.questions import Example

WHOLE_RECORDS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
"""Examples about whole records; those of single questions are declared with them."""
EXAMPLES: dict[str, tuple[Example, ...]] = {
    name: tuple(Example(**each) for each in given) for name, given in WHOLE_RECORDS.items()
} | {question.name: question.examples for question in QUESTIONS}
