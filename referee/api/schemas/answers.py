"""Single questions and their answers."""

from referee.api.questions import QUESTIONS
from referee.engine.shapes import Schema


def component(name: str, part: str) -> str:
    """Return the name of a component of a question: ``TrickQuestion``, ``TrickAnswer``."""
    return "".join(word.capitalize() for word in name.split("-")) + part


ANSWERS: dict[str, Schema] = {
    component(question.name, part): shape
    for question in QUESTIONS
    for part, shape in (("Question", question.request), ("Answer", question.response))
}
