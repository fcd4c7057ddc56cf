"""A guided ruling as JSON holds it: what was answered, what is asked next, and at the end what to do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, NotRequired, TypedDict

from referee.engine.cards import Pack
from referee.engine.hand import class_of
from referee.engine.reading import dump_event
from referee.engine.remedies import Effect
from referee.engine.rulebook import clauses
from referee.engine.rulings import Reason
from referee.engine.shapes import Named, one_of
from referee.engine.sheet import AnswersSoFar, DescribedEffect, DescribedReason, EventData, Position, Situation
from referee.engine.translation import Language, Phrase, capital, phrase
from referee.engine.what_if_sheet import View
from referee.guides.case import Case
from referee.guides.reading import PEOPLE, Guide, Question
from referee.guides.remedies import Offered, Steps, offered
from referee.guides.walking import Answered, Walk, seats_of, tricks_of


class DescribedGuide(TypedDict):
    """Something that can have gone wrong."""

    situation: Situation
    title: str
    says: str


class GuideChoice(TypedDict):
    """An answer that can be given, and its words."""

    answer: int | str
    text: str


class DescribedGuideStep(TypedDict):
    """A question to the table."""

    id: str
    kind: Annotated[str, Named("GuideQuestionKind", one_of(("choice", "seat", "trick")))]
    text: str
    choices: Annotated[list[GuideChoice], "The answers that can be given."]


class DescribedGuideAnswer(DescribedGuideStep):
    """A question that is answered: by `you`, or by what the `record` or the house `rules` say."""

    answer: int | str
    answer_text: str
    by: Annotated[str, Named("AnsweredBy", one_of(("you", "record", "rules")))]
    reason: DescribedReason | None


class GuideAmend(TypedDict):
    """An entry that is put right: its place in the record, what stands there instead, and at a table its row `seq`."""

    event: Position
    instead: EventData | None
    seq: NotRequired[int]


class GuideEachPoint(TypedDict):
    """A penalty, by the point."""

    amends: list[GuideAmend]
    events: list[EventData]
    effect: DescribedEffect | None


class GuideRemedy(TypedDict):
    """Something the table can do; `pending` says why it cannot be carried out by events now."""

    code: Annotated[str, Named("RemedyCode")]
    title: str
    text: str
    clauses: list[str]
    proposed: Annotated[bool, "The house rule proposes this one."]
    amends: Annotated[list[GuideAmend] | None, "Entries that are put right first."]
    events: Annotated[list[EventData] | None, "The events that carry it out, then."]
    effect: DescribedEffect | None
    pending: DescribedReason | None
    each: NotRequired[GuideEachPoint | None]


class Guidance(DescribedGuide):
    """How far the answers lead: to the next `question`, or to a `ruling`; one of them is null. What the record
    disproves has no remedies.
    """

    answered: Annotated[list[DescribedGuideAnswer], "The questions that are answered, in order."]
    answers: AnswersSoFar
    question: DescribedGuideStep | None
    ruling: DescribedReason | None
    disproved: Annotated[bool, "The record disproves the accusation: `ruling` says why."]
    evidence: Annotated[list[DescribedReason], "What disproves it, act by act."]
    models: Annotated[list[str], "The laws of Bridge after which the rules of the ruling are made."]
    remedies: Annotated[list[GuideRemedy], "What the table can do, once there is a ruling."]


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


def describe_question(question: Question, case: Case, view: View) -> DescribedGuideStep:
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


def _answered(each: Answered, case: Case, view: View) -> DescribedGuideAnswer:
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


def _described(each: Offered, walk: Walk, view: View) -> GuideRemedy:
    case, done = walk.case, each.outcome
    usual = case.rules.options.get("revoke")
    steps = None if isinstance(done, Reason) else _steps(done, each.effect, case)
    described: GuideRemedy = {
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


def _steps(done: Steps, effect: Effect | None, case: Case) -> GuideEachPoint:
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
