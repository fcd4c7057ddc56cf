"""Presenters of disputes, and of what a dispute can point at."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from referee.engine.sheet import DescribedHand
from referee.engine.texts import capital
from scoring.models import DisputeState, TableEvent
from scoring.rulings.reads.disputes import DisputeNow, Statement
from scoring.tables.presenters.cards import Shown, cited, clause_links, face, symbols
from scoring.tables.presenters.felt import show_trick
from scoring.tables.presenters.findings import show_finding
from scoring.tables.presenters.house_rules import rule_text
from scoring.tables.presenters.log_lines import sentence
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
