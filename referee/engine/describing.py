"""A reason as JSON-like data: its sentence in a language, its facts in none."""

from collections.abc import Sequence
from functools import cache
from string import Formatter

from referee.engine.cards import Card
from referee.engine.rulings import Reason
from referee.engine.sheet import DescribedReason
from referee.engine.translation import ENGLISH, Language, Listing


def describe_reason(reason: Reason, names: Sequence[str] = (), language: Language = ENGLISH) -> DescribedReason:
    """Describe a reason: its code, its sentence and its clauses, and the facts that the sentence says.

    A fact that this sentence leaves out may be one that nobody is to hear yet, such as points that are hidden.
    """
    named = places(reason.template)
    return {
        "code": reason.code,
        "text": reason.sentence(names, language),
        "clauses": list(reason.clauses),
        "facts": {key: describe_fact(fact) for key, fact in reason.facts.items() if key in named},
    }


@cache
def places(sentence: str) -> frozenset[str]:
    """Return the names of the facts that a sentence has places for."""
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name)


def describe_fact(fact: object) -> object:
    """Return a fact as JSON, in no language: numbers and seats as they are, cards by their code, else English words."""
    if fact is None or isinstance(fact, bool | int):
        return fact
    if isinstance(fact, Card):
        return fact.code
    if isinstance(fact, Listing):
        return [describe_fact(part) for part in fact.parts]
    if isinstance(fact, tuple | list):
        return [describe_fact(part) for part in fact]
    return str(fact)
