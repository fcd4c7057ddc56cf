"""Presenters of disputes, of what a dispute can point at, and of the referee's sheet: situations, questions, ruling."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.engine.records import dump_event
from referee.engine.rulings import Reason
from referee.engine.sheet import DescribedHand, DescribedRemedy
from referee.engine.texts import capital
from referee.guides.case import ABOUT, NO, TRICK, WHO, Case, Guide, Looked
from referee.guides.remedies import turn_after
from referee.guides.sheet import Guidance, guides_that_apply
from referee.guides.walking import YOU, Answered, Walk, seats_of, walk
from scoring.models import DisputeState, TableEvent
from scoring.rulings.reads.disputes import DisputeNow, Statement
from scoring.tables.presenters.cards import CitedSentence, Face, Shown, cited, clause_links, face, faces_of, symbols
from scoring.tables.presenters.felt import show_trick
from scoring.tables.presenters.findings import Remedy, remedies, show_finding
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from scoring.tables.presenters.house_rules import rule_text
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.presenters.people import at_table
from scoring.tables.presenters.rulebook import find_clause
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing
from scoring.wording import filled

LAST_TRICKS = 2


def pointing(
    at: Standing,
    hand: int,
    described: DescribedHand | None,
    about: Mapping[str, int | None],
    entries: Sequence[TableEvent],
) -> dict[str, Any]:
    """Return what a dispute can point at in a hand: cards of the last tricks, and the current choice.

    ``entries`` are the hand's log rows. A hand that is not ``described`` has no tricks yet.
    """
    if described is None:
        return {"hand": hand}
    events = [entry.event or {} for entry in entries]
    played = {
        (event["seat"], tuple(event["cards"])): position
        for position, event in enumerate(events)
        if event.get("type") == "play"
    }
    tricks = []
    for place, trick in enumerate(described["tricks"], 1):
        cards = []
        for play in trick["plays"]:
            codes = tuple(play.get("cards", ()))
            position = played.get((play["seat"], codes))
            if position is not None:
                faces = [face(at.rules.pack, code) for code in codes]
                cards.append((position, at.names[play["seat"]], faces, about.get("event") == position))
        chosen = about.get("trick") == trick["number"]
        pointed = chosen or any(card[-1] for card in cards)
        if pointed or place > len(described["tricks"]) - LAST_TRICKS:
            tricks.append({"number": trick["number"], "cards": cards, "chosen": chosen, "pointed": pointed})
    lines, number, line = described["score_lines"], about.get("score_line"), None
    if number is not None and 0 <= number < len(lines):
        found = lines[number]
        line = number, at.names[found["seat"]], found["points"], cited(game_of(at.row), found["reason"])
    anything = line is not None or any(trick["pointed"] for trick in tricks)
    return {"hand": hand, "tricks": tricks[::-1], "line": line, "anything": anything}


def show_dispute(each: DisputeNow, at: Standing, *, points: bool) -> dict[str, Any]:
    """Present a dispute with its statements; ``points`` includes scores."""
    names, ruling, pack = at.names, each.ruling, at.rules.pack
    proposal = each.proposal if each.is_open else None
    caller = name_of(each.claim, names) if each.claim.seat is not None else ""
    shown = {
        "number": each.number,
        "claim": each.claim,
        "who": name_of(each.claim, names),
        "hand": (each.about["hand"] or 0) + 1,
        "about": about_words(each.about),
        "word": state_word(each.state, caller),
        "right": capital(state_word(DisputeState.UPHELD, caller)),
        "wrong": capital(state_word(DisputeState.OVERRULED, caller)),
        "open": each.is_open,
        "paused": each.paused,
        "proposal": proposal,
        "proposed_by": proposal and name_of(proposal, names),
        "offered": [sentence(event, names, pack, points=points) for event in proposal.remedy] if proposal else [],
        "votes": [
            (name_of(statement, names), state_word(each.voted[seat], caller), statement.text)
            for seat, statement in sorted(each.votes.items())
        ],
        "ruling": ruling,
    }
    if ruling is None:
        return shown
    return shown | {
        "decided_by": _("both of them") if each.state is DisputeState.AGREED else name_of(ruling, names),
        "links": clause_links(game_of(at.row), ruling.clauses),
        "remedy": [sentence(event, names, pack, points=points) for event in ruling.remedy],
    }


def state_word(state: DisputeState, caller: str) -> str:
    """Return the state of a dispute in words; once decided, whether its ``caller`` was right."""
    if caller and state is DisputeState.UPHELD:
        return filled(_("{name} is right"), name=caller)
    if caller and state is DisputeState.OVERRULED:
        return filled(_("{name} is not right"), name=caller)
    return str(state.label)


def answers(record: Mapping[str, Any]) -> list[Shown]:
    """Return the possible rulings with their costs; *nothing was wrong* is among the first three."""
    right: list[Shown] = []
    for key, finding in () if record["held"] else record["findings"]:
        for remedy in finding.remedies:
            if remedy.ready and not remedy.strikes and not (remedy.voids and any(one.remedy.voids for one in right)):
                right.append(Shown(value=f"{DisputeState.UPHELD}:{key}/{remedy.code}", remedy=remedy, finding=finding))
    if not right:
        right = [Shown(value=f"{DisputeState.UPHELD}:", remedy=None, finding=None)]
    wrong = Shown(value=f"{DisputeState.OVERRULED}:", remedy=None, finding=None)
    return [*right[:2], wrong, *right[2:]]


def name_of(statement: Statement, names: Sequence[str]) -> str:
    """Return the name of the player who made a statement, or the role of anyone else."""
    if statement.seat is not None and 0 <= statement.seat < len(names):
        return names[statement.seat]
    return {
        "majority": _("the majority"),
        "neutral": _("the neutral phone"),
        "scorekeeper": _("the scorekeeper"),
    }.get(statement.by, _("Someone at the table"))


def about_words(about: Mapping[str, Any]) -> str:
    hand = filled(_("hand {number}"), number=(about.get("hand") or 0) + 1)
    if about.get("trick") is not None:
        what = filled(_("trick {number}"), number=about["trick"])
    elif about.get("event") is not None:
        what = _("an entry")
    elif about.get("score_line") is not None:
        what = _("points in the score")
    else:
        return hand
    return f"{hand}, {what}"


def show_record(evidence: Mapping[str, Any], each: DisputeNow, at: Standing) -> dict[str, Any]:
    """Present the evidence of a dispute.

    ``findings`` are paired with the keys of their remedies. ``held``: proved findings are not shown before the end of
    the hand. ``clauses`` are all clauses cited, each with its link and text.
    """
    game, names, pack = game_of(at.row), at.names, at.rules.pack
    event, trick, line = evidence["event"], evidence["trick"], evidence["score_line"]
    hand = each.about["hand"] or 0
    shown = None if trick is None else show_trick(trick, hand, names, pack, symbols(pack), game)
    findings = [
        (f"{hand}-{number}", show_finding(found, at, evidence["rows"]))
        for number, found in zip(evidence["numbers"], evidence["findings"], strict=True)
    ]
    unchecked = [cited(game, reason) for reason in evidence["unchecked"]]
    sentences = [*(finding.sentence for _key, finding in findings), *([shown.sentence] if shown else []), *unchecked]
    ids = dict.fromkeys(link.id for each in sentences if each is not None for link in each.links)
    clauses = [(clause_links(game, [number])[0], find_clause(game, number)) for number in ids]
    return {
        "event": "" if event is None else sentence(event, names, pack),
        "faces": () if event is None else [face(pack, code) for code in event.get("cards", ())],
        "trick": shown,
        "line": None if line is None else (names[line["seat"]], line["points"], cited(game, line["reason"])),
        "findings": findings,
        "unchecked": unchecked,
        "held": evidence["held"],
        "clauses": [(link, rule_text(game, found[1])) for link, found in clauses if found is not None],
    }


class Called(NamedTuple):
    """An open dispute in one line: who raised it, the claim, whether play is paused."""

    number: int
    who: str
    text: str
    paused: bool


def called(disputes: Iterable[DisputeNow], names: Sequence[str]) -> tuple[Called, ...]:
    return tuple(
        Called(each.number, "" if each.claim.seat is None else name_of(each.claim, names), each.claim.text, each.paused)
        for each in sorted(disputes, key=lambda each: not each.paused)
    )


# --- The referee's sheet


ICONS = {"card": "show", "turn": "turnover", "deal": "deal", "score": "sum"}
"""Icons of situations by subject."""


class CaseShown(NamedTuple):
    """A situation to choose: short and full names, the cards concerned or an icon, and the query that opens it."""

    short: str
    title: str
    says: str
    icon: str
    cards: tuple[Face, ...]
    query: str


class CasesShown(NamedTuple):
    """The situations of a game: the frequent ones, and the others by subject."""

    frequent: tuple[CaseShown, ...]
    others: tuple[tuple[str, tuple[CaseShown, ...]], ...]


def show_cases(guides: Sequence[Guide], at: Standing, looked: Looked | None, about: Mapping[str, str]) -> CasesShown:
    headings = {
        "card": pgettext("cases", "A card"),
        "turn": _("A turn"),
        "deal": _("The deal"),
        "score": _("The score"),
    }
    rare = {name: [each for each in guides if each.about == name and not each.often] for name in ABOUT}

    def shown(those: Iterable[Guide]) -> tuple[CaseShown, ...]:
        return tuple(_show_case(each, at, looked, about) for each in those)

    others = tuple((headings[name], shown(those)) for name, those in rare.items() if those)
    return CasesShown(shown(each for each in guides if each.often), others)


def _show_case(guide: Guide, at: Standing, looked: Looked | None, about: Mapping[str, str]) -> CaseShown:
    translate = PAGE_LANGUAGE.translate
    charges = Case(guide, game_of(at.row), at.rules, {}, looked).open_charges()
    acts = [each.event for each in charges if each.event is not None]
    query = urlencode({**about, "situation": guide.id})
    cards = _cards_of(at, looked, max(acts)) if acts and guide.often else ()
    return CaseShown(
        translate(guide.short), translate(guide.title), translate(guide.says), ICONS[guide.about], cards, query
    )


def _cards_of(at: Standing, looked: Looked | None, event: int | None) -> tuple[Face, ...]:
    if looked is None or event is None:
        return ()
    told = dump_event(looked.events[event], at.rules.pack)
    return faces_of(cast(list[str], told.get("cards", [])), at.rules.pack)


def disputes_decided(
    disputes: Iterable[DisputeNow], address: Mapping[str, str], about: Mapping[str, str]
) -> list[tuple[str, str, bool]]:
    """Return open disputes that a ruling may decide: claim, query that toggles the choice, whether it is chosen."""
    rest = {key: value for key, value in about.items() if key != "dispute"}
    shown = []
    for each in disputes:
        if each.is_open:
            chosen = about.get("dispute") == str(each.number)
            query = urlencode({**address, **rest, **({} if chosen else {"dispute": str(each.number)})})
            shown.append((each.claim.text, query, chosen))
    return shown


def show_guide(found: Guidance, walked: Walk, at: Standing, about: Mapping[str, str]) -> dict[str, Any]:
    """Present a guide in progress: the next question and its answers, or the ruling and its remedies.

    ``who`` is the row of players to choose from again, once one was named. ``first`` is the suggested remedy,
    ``others`` the rest; ``cards`` are the cards concerned, ``turn`` whose turn it is afterwards, ``rule`` the text of
    the clause, ``models`` the Laws of Bridge the rule is modeled on. ``fields`` are the form fields that carry a remedy
    out, ``act`` the position in the hand. If the record ``disproved`` the accusation, ``evidence`` lists the plays that
    show it.
    """
    game, case = game_of(at.row), walked.case
    address = {**about, "situation": found["situation"]}
    answers = {each["id"]: str(each["answer"]) for each in found["answered"] if each["by"] == YOU}
    before = dict(list(answers.items())[:-1])
    question, ruling, models = found["question"], found["ruling"], found["models"]
    # Name the book of laws only once.
    book = models[0].rpartition(", Law")[0] + ", " if models else ""
    ways = remedies(cast(list[DescribedRemedy], found["remedies"]), game, at_table(at.row))
    first = _first(ways, found["remedies"][0]["code"] if found["remedies"] else "")
    told = zip(found["answered"], walked.answered, strict=True)
    act, turn = case.act(), None if first is None else turn_after(walked, first.code)
    clause = find_clause(game, ruling["clauses"][0]) if ruling and ruling["clauses"] else None
    return {
        "title": found["title"],
        "short": PAGE_LANGUAGE.translate(case.guide.short),
        "answered": [_answered(each, one, address | answers) for each, one in told],
        "who": _who_was_named(walked, at, address | answers),
        "kind": question and question["kind"],
        "question": question and question["text"],
        "choices": []
        if question is None
        else [
            Shown(
                text=choice["text"],
                query=urlencode({**address, **answers, question["id"]: choice["answer"]}),
                who=at_table(at.row)[int(choice["answer"])] if question["kind"] == "seat" else None,
                plays=_plays(at, walked, choice["answer"]) if question["kind"] == "trick" else (),
            )
            for choice in question["choices"]
        ],
        "start": urlencode(about),
        "back": urlencode({**address, **before}) if answers else "",
        "ruling": None if ruling is None else CitedSentence(ruling["text"], clause_links(game, ruling["clauses"])),
        "rule": rule_text(game, clause[1]) if clause else "",
        "cards": () if act is None else _cards_of(at, case.looked, act.event),
        "act": None if act is None else act.event,
        "turn": None if turn is None else at_table(at.row)[turn],
        "disproved": found["disproved"],
        "evidence": [CitedSentence(each["text"], clause_links(game, each["clauses"])) for each in found["evidence"]],
        "models": ", ".join((*models[:1], *(law.removeprefix(book) for law in models[1:]))),
        "first": first,
        "others": [each for each in ways if each is not first],
        "fields": [*address.items(), *((f"answer-{name}", answer) for name, answer in answers.items())],
    }


def _first(ways: Sequence[Remedy], usual: str) -> Remedy | None:
    """Return the suggested remedy: the one the house rules or the guide propose, else the first available."""
    ready = [each for each in ways if each.ready]
    wanted = next((each for each in ready if each.proposed), None)
    return wanted or next((each for each in ready if each.code == usual), ready[0] if ready else None)


def _who_was_named(walked: Walk, at: Standing, address: Mapping[str, str]) -> list[Shown]:
    """Return the players to choose from again once one was named; empty before."""
    named = next((each.answer for each in walked.answered if each.question.id == WHO and each.by == YOU), None)
    if not isinstance(named, int):
        return []
    case, kept = walked.case, {key: value for key, value in address.items() if key != TRICK}
    seats = seats_of(Case(case.guide, case.game, case.rules, {}, case.looked))
    everybody = at_table(at.row)
    return [
        Shown(who=everybody[seat], query=urlencode({**kept, WHO: seat}), chosen=seat == named)
        for seat in sorted({*seats, named})
    ]


def _plays(at: Standing, walked: Walk, number: object) -> tuple[tuple[Any, tuple[Face, ...]], ...]:
    everybody = at_table(at.row)
    return tuple(
        (everybody[laid.seat], _cards_of(at, walked.case.looked, laid.event))
        for laid in walked.case.plays
        if laid.trick == number
    )


def _answered(each: Any, one: Answered, address: Mapping[str, str]) -> dict[str, Any]:
    others = [choice for choice in each["choices"] if choice["answer"] != each["answer"]]
    usual = bool(one.question.usual)
    other = others[0] if (each["by"] == "record" or usual) and len(others) == 1 else None
    return {
        "question": each["text"],
        "answer": each["answer_text"],
        "why": each["reason"] and each["reason"]["text"],
        "usual": usual,
        "other": other and (other["text"], urlencode({**address, each["id"]: other["answer"]})),
    }


# --- A refused act: the guide's ruling that takes it back, in one tap


def goes_back(
    at: Standing, looked: Looked | None, reason: Reason
) -> tuple[str, str, tuple[tuple[str, str], ...]] | None:
    """Return the label, query and fields of the button that takes back a refused act."""
    seat = reason.facts.get("seat")
    if looked is None or not isinstance(seat, int):
        return None
    game = game_of(at.row)
    for guide in guides_that_apply(game, at.rules, looked):
        if guide.irregular != reason.code or WHO not in guide.questions:
            continue
        answers: dict[str, object] = {WHO: seat}
        walked = walk(Case(guide, game, at.rules, answers, looked, at.names))
        while walked.question is not None and NO in {each.code for each in walked.question.answers}:
            answers[walked.question.id] = NO
            walked = walk(Case(guide, game, at.rules, answers, looked, at.names))
        if walked.leaf is not None and TAKE_BACK in walked.leaf.remedies:
            says = filled(_("{name} takes it back"), name=at.names[seat])
            fields = (
                ("situation", guide.id),
                ("remedy", "note"),
                *((f"answer-{key}", str(answers[key])) for key in answers),
            )
            return says, reverse("scoring:guide-carry-out", args=[at.row.code]), fields
    return None


TAKE_BACK = "take-back"
