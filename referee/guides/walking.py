"""Walking through a guide: what is answered, what is asked next, and the ruling at its end."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.engine.hand import class_of
from referee.engine.options import Problem, Refused
from referee.engine.rules import Rules
from referee.engine.rulings import Reason
from referee.engine.translation import phrase
from referee.guides.case import Case
from referee.guides.facts import BY_RULES, known
from referee.guides.reading import Guide, Leaf, Question

YOU, RECORD, RULES = "you", "record", "rules"
"""Who answered a question: the table, the record, or the house rules."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer: a code, a seat, or the number of a trick. ``why`` is what the record says."""

    question: Question
    answer: object
    by: str = YOU
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Walk:
    """How far the answers lead: to the next question, to a ruling, or to what of the record disproves it all.

    ``disproof`` says why nothing has to be put right, act by act after its sum.
    """

    case: Case
    answered: tuple[Answered, ...]
    question: Question | None = None
    leaf: Leaf | None = None
    disproof: tuple[Reason, ...] = ()

    @property
    def answers(self) -> dict[str, object]:
        """Return the answers that count, by question, those of the record included."""
        return {each.question.id: each.answer for each in self.answered}

    @property
    def ruling(self) -> Reason | None:
        """Return what to do now, or why there is nothing to do, with the clauses that say it."""
        leaf = self.leaf
        if self.disproof:
            return self.disproof[0]
        return None if leaf is None else Reason(leaf.id, leaf.clauses, self.case.facts, leaf.text)


def walk(case: Case) -> Walk:
    """Follow the answers as far as they lead; raises ``Refused`` for answers that cannot be.

    What the record knows need not be answered; who was there may know better than the record, and is believed, but
    for whose act it was, and in which trick: what the record disproves ends there. Answers to questions that are not on
    the way count for nothing.
    """
    guide, answers = case.guide, case.answers
    unknown = next((name for name in answers if name not in guide.questions), None)
    if unknown is not None:
        detail = phrase("This guide has no question {question}.", question=repr(unknown[:40]))
        raise Refused([Problem(f"/answers/{unknown[:40]}", "unknown-question", detail)])
    answered: list[Answered] = []
    at = replace(case, answers={})
    where = guide.first
    while where in guide.questions:
        question = guide.questions[where]
        disproof = at.disproof()
        if disproof and not (question.kind in SUBJECTS and question.id in answers):
            return Walk(at, tuple(answered), disproof=disproof)
        found = _answer(question, at, answers)
        if found is None and _is_open(question, at):
            return Walk(at, tuple(answered), question)
        if found is not None:
            answered.append(found)
            at = replace(at, answers={**at.answers, question.id: found.answer})
        where = question.next(None if found is None else found.answer)
    disproof = at.disproof()
    if disproof:
        return Walk(at, tuple(answered), disproof=disproof)
    return Walk(at, tuple(answered), leaf=guide.leaves[where])


def _is_open(question: Question, case: Case) -> bool:
    """Return whether a question waits for an answer; a trick is asked for only where the record has some."""
    return question.kind != "trick" or bool(tricks_of(case))


def seats_of(case: Case) -> tuple[int, ...]:
    """Return the seats whose act it can have been, as far as the record tells."""
    if case.charges is None:
        return tuple(range(case.rules.players))
    return tuple(sorted({each.seat for each in case.open_charges()}))


def tricks_of(case: Case) -> tuple[int, ...]:
    """Return the tricks in which the player in question can have done it, as far as the record tells."""
    if case.charges is None:
        return tuple(laid.trick for laid in case.plays if laid.seat == case.seat)
    return tuple(sorted({each.trick for each in case.open_charges() if each.trick is not None}))


SUBJECTS = {"seat": seats_of, "trick": tricks_of}
"""The questions to which the record leaves only some answers."""


def _answer(question: Question, case: Case, answers: Mapping[str, object]) -> Answered | None:
    """Return the answer to a question: that of the rules, the table's, or what the record knows."""
    why = known(question.known, case)
    if why is not None and question.known in BY_RULES:
        return Answered(question, why.code, RULES, why)
    if question.id in answers:
        return Answered(question, _checked(question, case, answers[question.id]))
    if question.kind in SUBJECTS and case.charges is not None:
        left = SUBJECTS[question.kind](case)
        if len(left) == 1:
            alone = Reason(f"known-{question.kind}", ("REC-19",), {question.kind: left[0]})
            return Answered(question, left[0], RECORD, alone)
    return None if why is None else Answered(question, why.code, RECORD, why)


def _checked(question: Question, case: Case, answer: object) -> object:
    pointer = f"/answers/{question.id}"
    if question.kind == "choice":
        if any(answer == each.code for each in question.answers):
            return answer
        detail = phrase("The answers are: {known}.", known=", ".join(each.code for each in question.answers))
        raise Refused([Problem(pointer, "bad-value", detail)])
    if type(answer) is not int:
        raise Refused([Problem(pointer, "bad-value", "A whole number is needed here.")])
    if question.kind == "seat" and not 0 <= answer < case.rules.players:
        raise Refused([Problem(pointer, "no-such-seat", "There is no such seat.")])
    if question.kind == "trick" and answer < 1:
        raise Refused([Problem(pointer, "bad-value", "Tricks are counted from 1.")])
    return answer


def applies(guide: Guide, rules: Rules) -> bool:
    """Return whether a guide is offered under these house rules."""
    if not guide.needs:
        return True
    option, _, value = guide.needs.partition("=")
    if value:
        return rules.options.get(option) == value
    return class_of(rules).guide_applies(guide.needs, rules)
