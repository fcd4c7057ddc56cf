"""The JSON shapes of guided rulings, and of questions to a guide."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, NotRequired, TypedDict

from referee.engine import sheet
from referee.engine.adjudication import View
from referee.engine.cards import Pack
from referee.engine.game import Game, find_game
from referee.engine.reader import Reader
from referee.engine.records import dump_event, load_record, read_rules, replay
from referee.engine.replaying import Watch, no_watch
from referee.engine.rulebook import clauses
from referee.engine.rules import Problem, Refused, Rules
from referee.engine.rulings import Reason, Refusal
from referee.engine.shapes import CLOSED, OWN_KEYS, Named, also, one_of
from referee.engine.table import TableState, hand_for
from referee.engine.texts import Language, Phrase, capital, phrase
from referee.engine.what_if import pointing_into
from referee.guides.case import Case, Guide, Looked, Question, guides_of
from referee.guides.remedies import Offered, Steps, offered
from referee.guides.walking import SUBJECTS, Answered, Walk, applies


class GuideAsked(TypedDict):
    """A question to a guide, with a record or without."""

    situation: sheet.Situation
    answers: NotRequired[sheet.AnswersSoFar]
    remedy: NotRequired[
        Annotated[
            str,
            "A remedy of the ruling; refused if the ruling does not offer it.",
            {"maxLength": 60, "examples": ["note"]},
        ]
    ]


@also(CLOSED | OWN_KEYS)
class GuideOfGame(GuideAsked):
    """A question without a record."""

    game: sheet.GameId
    options: NotRequired[sheet.OptionData]
    players: NotRequired[Annotated[int, "The number of players; by default the fewest possible."]]


@also(CLOSED | OWN_KEYS)
class GuideOfRecord(GuideAsked):
    """A question about a record, which answers some of the guide's questions by itself."""

    record: Annotated[Mapping[str, Any], Named("Record")]
    hand: NotRequired[Annotated[int, "The number of the hand, from 1; the last one by default."]]


KEYS = ("game", "options", "players", "situation", "answers", "record", "hand", "remedy")
"""All keys, in the order in which a refusal lists them."""


def guides_for(game: Game, rules: Rules) -> list[Guide]:
    return [guide for guide in guides_of(game).guides.values() if applies(guide, rules)]


def guide_of(game: str, situation: str) -> Guide | None:
    """Return a guide of a game by its id, whatever the house rules."""
    found = find_game(game)
    return None if found is None else guides_of(found).guides.get(situation)


def guides_that_apply(game: Game, rules: Rules, looked: Looked | None) -> list[Guide]:
    """Return the guides for what can have gone wrong at a table, as far as its record tells."""
    return [guide for guide in guides_for(game, rules) if not Case(guide, game, rules, {}, looked).disproof()]


@cache
def guides_listed(game: Game) -> tuple[Guide, ...]:
    """Return the guides that a game offers under at least some of its house rules."""
    return tuple(guide for guide in guides_of(game).guides.values() if rules_for(game, guide) is not None)


def rules_for(game: Game, guide: Guide) -> Rules | None:
    """Return house rules under which a guide is offered, defaults first; ``None`` if there are none."""
    players = game.players[0]
    chosen: list[dict[str, object]] = [{}]
    for option in game.all_options():
        chosen += [{option.key: value} for value in option.values]
    for options in (*chosen, *({**one, **other} for one in chosen for other in chosen)):
        try:
            rules = game.rules(options, players)
        except Refused:
            continue
        if applies(guide, rules):
            return rules
    return None


def find_guide(game: Game, rules: Rules, situation: object) -> Guide:
    """Return a guide by its id; raises ``Refused`` if there is none under these house rules."""
    if not isinstance(situation, str):
        code = "missing-key" if situation is None else "wrong-type"
        raise Refused([Problem("/situation", code, "Give the situation’s id as a string.")], malformed=True)
    offered = guides_for(game, rules)
    found = next((guide for guide in offered if guide.id == situation), None)
    if found is None:
        known = ", ".join(guide.id for guide in offered)
        detail = phrase("The situations of this game are: {known}.", known=known)
        raise Refused([Problem("/situation", "unknown-situation", detail)])
    return found


def load_case(data: object, watch: Watch = no_watch) -> Case:
    """Read a question to a guide; raises ``Refused`` with every problem, and what ``watch`` raises."""
    reader = Reader()
    payload = reader.mapping(data, "")
    reader.keys(payload, KEYS, "")
    answers = reader.mapping(payload.get("answers", {}), "/answers")
    if "remedy" in payload:
        reader.text(payload["remedy"], "/remedy")
    reader.check()
    with_record = "record" in payload
    for key in ("game", "options", "players") if with_record else ("hand",):
        if key in payload:
            detail = "The record already answers this." if with_record else "Without a record there is no hand."
            reader.shape(f"/{key}", detail, "unknown-key")
    if not with_record and "game" not in payload:
        reader.shape("/game", "Give the game’s id as a string.", "missing-key")
    reader.check()
    if not with_record:
        known = find_game(reader.text(payload["game"], "/game") or "")
        fewest = known.players[0] if known else 0
        players = reader.integer(payload["players"], "/players") if "players" in payload else fewest
        rules = read_rules(reader, payload, players or 0)
        reader.check()
        assert rules is not None
        return Case(find_guide(rules.game, rules, payload.get("situation")), rules.game, rules, answers)
    with pointing_into("/record", but="/hand"):
        record = load_record(payload["record"], watch=watch)
        judged = replay(record, watch)
        number = payload.get("hand", len(judged.hands))
        if type(number) is not int:
            raise Refused([Problem("/hand", "wrong-type", "This must be a whole number.")], malformed=True)
        table: TableState | Refusal = judged.table
        hand = judged.hands[number - 1] if 0 < number <= len(judged.hands) else None
        if number == 0 and not judged.hands:  # before the first deal, the case is about that deal
            table = hand_for(judged.table)
            hand = None if isinstance(table, Refusal) else table.hand
        if hand is None or isinstance(table, Refusal):
            raise Refused([Problem("/hand", "bad-value", "This hand is not in the record.")])
    written = record.hands[hand.setup.index].events[: hand.events] if hand.setup.index < len(record.hands) else ()
    guide = find_guide(record.rules.game, record.rules, payload.get("situation"))
    return Case(guide, record.rules.game, record.rules, answers, Looked(table, hand, written), record.seats)


# --- The JSON shapes of a guided ruling: answers, the next question, and at the end what to do


class DescribedGuide(TypedDict):
    """A situation for which there is a guide."""

    situation: sheet.Situation
    title: str
    says: str


class GuideChoice(TypedDict):
    """A possible answer, and its text."""

    answer: int | str
    text: str


class DescribedGuideStep(TypedDict):
    """A question to the table."""

    id: str
    kind: Annotated[
        str, Named("GuideQuestionKind", one_of(("choice", "seat", "trick"), "The kind of answer expected."))
    ]
    text: str
    choices: Annotated[list[GuideChoice], "The answers that can be given."]


class DescribedGuideAnswer(DescribedGuideStep):
    """An answered question; the answer is by `you`, the `record` or the house `rules`."""

    answer: int | str
    answer_text: str
    by: Annotated[str, Named("AnsweredBy", one_of(("you", "record", "rules"), "Who answered."))]
    reason: sheet.DescribedReason | None


class GuideAmend(TypedDict):
    """A correction of an entry: its place in the record, what replaces it, and at a table its row `seq`."""

    event: sheet.Position
    instead: sheet.EventData | None
    seq: NotRequired[int]


class GuideEachPoint(TypedDict):
    """One penalty point: its corrections, events and effect."""

    amends: list[GuideAmend]
    events: list[sheet.EventData]
    effect: sheet.DescribedEffect | None


class GuideRemedy(TypedDict):
    """Something the table can do; `pending` says why events cannot carry it out now."""

    code: Annotated[str, Named("RemedyCode")]
    title: str
    text: str
    clauses: list[str]
    proposed: Annotated[bool, "Whether the house rules propose this one."]
    amends: Annotated[list[GuideAmend] | None, "Corrections to make first."]
    events: Annotated[list[sheet.EventData] | None, "The events to record after that."]
    effect: sheet.DescribedEffect | None
    pending: sheet.DescribedReason | None
    each: NotRequired[GuideEachPoint | None]


class Guidance(DescribedGuide):
    """How far the answers lead: to the next `question` or to a `ruling`, one of which is null."""

    answered: Annotated[list[DescribedGuideAnswer], "The questions that are answered, in order."]
    answers: sheet.AnswersSoFar
    question: DescribedGuideStep | None
    ruling: sheet.DescribedReason | None
    disproved: Annotated[bool, "The record disproves the accusation: `ruling` says why."]
    evidence: Annotated[list[sheet.DescribedReason], "What disproves it, act by act."]
    models: Annotated[list[str], "The laws of bridge on which the ruling’s rules are modelled."]
    remedies: Annotated[list[GuideRemedy], "What the table can do, if there is a ruling."]


def describe_guide(guide: Guide, language: Language) -> DescribedGuide:
    return {"situation": guide.id, "title": language.translate(guide.title), "says": language.translate(guide.says)}


def describe_guidance(walk: Walk, view: View) -> Guidance:
    question, ruling = walk.question, walk.ruling
    remedies = () if ruling is None else offered(walk, points=view.points, language=view.language)
    answered, case = [], replace(walk.case, answers={})
    for each in walk.answered:
        answered.append(_answered(each, case, view))
        case = replace(case, answers={**case.answers, each.question.id: each.answer})
    return {
        **describe_guide(walk.case.guide, view.language),
        "answered": answered,
        "answers": walk.answers,
        "question": None if question is None else describe_question(question, walk.case, view),
        "ruling": None if ruling is None else _begun(view.reason(ruling)),
        "disproved": bool(walk.disproof),
        "evidence": [_begun(view.reason(each)) for each in walk.disproof[1:]],
        "models": [] if ruling is None else models(ruling.clauses),
        "remedies": [_described(each, walk, view) for each in remedies],
    }


AFTER = "modelled on the "
"""How a clause's source begins if it is modelled on a law of Bridge."""


def models(cited: Sequence[str]) -> list[str]:
    """Return the laws of Bridge on which the cited clauses are modelled."""
    sources = {clause.id: clause.source for clause in clauses("irregularities") if clause.source.startswith(AFTER)}
    return list(dict.fromkeys(sources[clause].removeprefix(AFTER) for clause in cited if clause in sources))


def describe_question(question: Question, case: Case, view: View) -> DescribedGuideStep:
    choices: list[GuideChoice]
    if question.kind in SUBJECTS:
        left = SUBJECTS[question.kind](case)
        choices = [{"answer": answer, "text": _worded(question, answer, view)} for answer in left]
    else:
        choices = [{"answer": each.code, "text": view.language.translate(each.text)} for each in question.answers]
    text = _filled(question.text, case.facts, view)
    return {"id": question.id, "kind": question.kind, "text": text, "choices": choices}


def _worded(question: Question, answer: object, view: View) -> str:
    if question.kind == "seat":
        return _filled("{seat}", {"seat": answer}, view)
    return view.language.render(phrase("Trick {number}", number=answer))


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
    """Fill facts into a text, seats by the players' names; a player without a name is called by the seat."""
    named = Reason("", (), facts).named_facts(view.names)
    return capital(view.language.render(Phrase(text, named)))


def _begun(reason: sheet.DescribedReason) -> sheet.DescribedReason:
    """Return a reason with its sentence capitalized."""
    return {**reason, "text": capital(reason["text"])}


def _described(each: Offered, walk: Walk, view: View) -> GuideRemedy:
    case, done = walk.case, each.outcome
    usual = case.rules.options.get("revoke")
    described: GuideRemedy = {
        "code": each.code,
        "title": view.language.translate(each.remedy.title or each.remedy.text),
        "text": view.language.translate(each.remedy.text),
        "clauses": list(each.remedy.clauses),
        "proposed": each.code == usual and case.guide.irregular in case.rules.game.hand_class.AS_PROVED,
        "amends": None,
        "events": None,
        "effect": None,
        "pending": view.reason(done) if isinstance(done, Reason) else None,
    }
    if isinstance(done, Steps):
        described = {**described, **_steps(done, each.effect, case)}
    if each.each is not None:
        described["each"] = _steps(each.each[0], each.each[1], case)
    return described


def _steps(done: Steps, effect: sheet.DescribedEffect | None, case: Case) -> GuideEachPoint:
    pack: Pack = case.rules.pack
    hand = 0 if case.looked is None else case.looked.hand.setup.index
    return {
        "amends": [
            {"event": [hand, place], "instead": None if event is None else dump_event(event, pack)}
            for place, event in done.amends
        ],
        "events": [dump_event(event, pack) for event in done.events],
        "effect": effect,
    }
