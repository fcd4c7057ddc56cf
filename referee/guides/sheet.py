"""A guided ruling as JSON holds it: what was answered, what is asked next, and at the end what to do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NotRequired, TypedDict

from referee.engine.cards import Pack
from referee.engine.hand import class_of
from referee.engine.reading import dump_event
from referee.engine.remedies import Effect
from referee.engine.rulebook import clauses
from referee.engine.rulings import Reason
from referee.engine.sheet import DescribedEffect, DescribedReason, EventData, Position
from referee.engine.translation import Language, Phrase, capital, phrase
from referee.engine.what_if_sheet import View
from referee.guides.case import Case
from referee.guides.reading import PEOPLE, Guide, Question
from referee.guides.remedies import Offered, Steps, offered
from referee.guides.walking import Answered, Walk, seats_of, tricks_of


class DescribedGuide(TypedDict):
    """What can have gone wrong: its id, its name, and a few more words."""

    situation: str
    title: str
    says: str


class DescribedChoice(TypedDict):
    """An answer that can be given, and its words."""

    answer: str | int
    text: str


class DescribedQuestion(TypedDict):
    """A question to the table: a ``choice``, or which ``seat``, or which ``trick``."""

    id: str
    kind: str
    text: str
    choices: list[DescribedChoice]


class DescribedAnswer(DescribedQuestion):
    """A question that is answered, by whom, and what the record or the house rules say of it."""

    answer: str | int
    answer_text: str
    by: str
    reason: DescribedReason | None


class DescribedAmend(TypedDict):
    """An entry that is put right: where it stands, and what stands there instead, ``None`` for nothing."""

    event: Position
    instead: EventData | None


class DescribedSteps(TypedDict):
    """What carries out a remedy: entries put right, then events recorded, and what that changes."""

    amends: list[DescribedAmend]
    events: list[EventData]
    effect: DescribedEffect | None


class OfferedRemedy(TypedDict):
    """What the table can do, and what that changes; ``pending`` says why it cannot be carried out from here."""

    code: str
    title: str
    text: str
    clauses: list[str]
    proposed: bool
    amends: list[DescribedAmend] | None
    events: list[EventData] | None
    effect: DescribedEffect | None
    pending: DescribedReason | None
    each: NotRequired[DescribedSteps | None]


class Guidance(DescribedGuide):
    """How far the answers lead. ``models`` are the laws of Bridge after which the rules of the ruling are made.

    ``disproved``: by the record nothing of the kind was done; ``evidence`` tells it act by act.
    """

    answered: list[DescribedAnswer]
    answers: dict[str, object]
    question: DescribedQuestion | None
    ruling: DescribedReason | None
    disproved: bool
    evidence: list[DescribedReason]
    models: list[str]
    remedies: list[OfferedRemedy]


def describe_guide(guide: Guide, language: Language) -> DescribedGuide:
    """Describe what can have gone wrong."""
    return {
        "situation": guide.id,
        "title": language.translate(guide.title),
        "says": language.translate(guide.says),
    }


def describe_guidance(walk: Walk, view: View) -> Guidance:
    """Describe how far the answers lead; where ``view`` has no points nothing says any."""
    question, ruling = walk.question, walk.ruling
    remedies = [] if ruling is None else [_described(each, walk, view) for each in
                                      offered(walk, points=view.points, language=view.language)]  # fmt: skip
    return {
        **describe_guide(walk.case.guide, view.language),
        "answered": [_answered(each, _before(walk, place), view) for place, each in enumerate(walk.answered)],
        "answers": walk.answers,
        "question": None if question is None else describe_question(question, walk.case, view),
        "ruling": None if ruling is None else _begun(view.reason(ruling)),
        "disproved": bool(walk.disproof),
        "evidence": [_begun(view.reason(each)) for each in walk.disproof[1:]],
        "models": [] if ruling is None else models(ruling.clauses),
        "remedies": remedies,
    }


AFTER = "modelled on the "
"""How the source of a rule begins that is made after a law of Bridge."""


def models(cited: Sequence[str]) -> list[str]:
    """Return the laws of Bridge after which the rules for irregularities among some clauses are made."""
    sources = {clause.id: clause.source for clause in clauses("irregularities") if clause.source.startswith(AFTER)}
    return list(dict.fromkeys(sources[clause].removeprefix(AFTER) for clause in cited if clause in sources))


def describe_question(question: Question, case: Case, view: View) -> DescribedQuestion:
    """Describe a question with the answers that can be given."""
    return {
        "id": question.id,
        "kind": question.kind,
        "text": _filled(question.text, case.facts, view),
        "choices": [{"answer": answer, "text": text} for answer, text in _choices(question, case, view)],
    }


def _choices(question: Question, case: Case, view: View) -> list[tuple[str | int, str]]:
    if question.kind == PEOPLE:
        return [(seat, _worded(question, seat, view)) for seat in seats_of(case)]
    if question.kind == "trick":
        return [(trick, _worded(question, trick, view)) for trick in tricks_of(case)]
    return [(answer.code, view.language.translate(answer.text)) for answer in question.answers]


def _worded(question: Question, answer: object, view: View) -> str:
    """Return the words for a seat, or for a trick."""
    if question.kind == PEOPLE:
        return _filled("{seat}", {"seat": answer}, view)
    return view.language.render(phrase("Trick {number}", number=answer))


def _before(walk: Walk, place: int) -> Case:
    """Return the case as it was when a question was asked."""
    return replace(walk.case, answers={each.question.id: each.answer for each in walk.answered[:place]})


def _answered(each: Answered, case: Case, view: View) -> DescribedAnswer:
    described = describe_question(each.question, case, view)
    assert isinstance(each.answer, str | int)
    texts = {choice["answer"]: choice["text"] for choice in described["choices"]}
    return {
        **described,
        "answer": each.answer,
        "answer_text": texts.get(each.answer) or _worded(each.question, each.answer, view),
        "by": each.by,
        "reason": None if each.why is None else view.reason(each.why),
    }


def _filled(text: str, facts: Mapping[str, object], view: View) -> str:
    """Fill facts into a text, seats by the players' names; without names a player is called by the seat."""
    named = Reason("", (), facts).named_facts(view.names)
    return capital(view.language.render(Phrase(text, named)))


def _begun(reason: DescribedReason) -> DescribedReason:
    """Return a reason with its sentence begun as one; without names a player is called by the seat."""
    return {**reason, "text": capital(reason["text"])}


def _described(each: Offered, walk: Walk, view: View) -> OfferedRemedy:
    case, done = walk.case, each.outcome
    usual = case.rules.options.get("revoke")
    steps = None if isinstance(done, Reason) else _steps(done, each.effect, case)
    described: OfferedRemedy = {
        "code": each.code,
        "title": view.language.translate(each.remedy.title or each.remedy.text),
        "text": view.language.translate(each.remedy.text),
        "clauses": list(each.remedy.clauses),
        "proposed": each.code == usual and case.guide.irregular in class_of(case.rules).AS_PROVED,
        "amends": None if steps is None else steps["amends"],
        "events": None if steps is None else steps["events"],
        "effect": None if steps is None else steps["effect"],
        "pending": view.reason(done) if isinstance(done, Reason) else None,
    }
    if each.each is not None:
        described["each"] = _steps(each.each[0], each.each[1], case)
    return described


def _steps(done: Steps, effect: Effect | None, case: Case) -> DescribedSteps:
    pack: Pack = case.rules.pack
    hand = 0 if case.looked is None else case.looked.hand.setup.index
    return {
        "amends": [
            {"event": [hand, place], "instead": None if event is None else dump_event(event, pack)}
            for place, event in done.amends
        ],
        "events": [dump_event(event, pack) for event in done.events],
        "effect": None if effect is None else effect.described(),
    }
