"""Pages of disputes and guided rulings."""

from zlib import crc32

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from referee.engine.adjudication import describe_findings
from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import LARGEST_PENALTY, Note, Penalty
from referee.engine.game import find_game
from referee.engine.reader import LONGEST_TEXT
from referee.engine.records import load_event
from referee.engine.rules import Problem, Refused
from referee.engine.sheet import describe_reason
from referee.engine.texts import capital
from referee.guides.remedies import Steps
from scoring.models import DisputeState, Table
from scoring.rulings.acts import disputing
from scoring.rulings.acts.disputing import Chosen, Claim, Decision
from scoring.rulings.pages.precedents import decided_here, group_to_decide
from scoring.rulings.presenters.disputes import (
    answers,
    called,
    disputes_decided,
    pointing,
    show_cases,
    show_dispute,
    show_guide,
    show_record,
)
from scoring.rulings.reads.disputes import (
    ABOUT,
    Speaker,
    dispute_now,
    disputes_now,
    may_agree,
    may_rule,
    may_withdraw,
    open_disputes,
    what_the_record_tells,
    who_rules,
)
from scoring.rulings.reads.precedents import guidance, guides_here, looked_at, precedents_about, read_answers, walk_here
from scoring.tables.acts.exceptions import MovedOn, NotDone, NotTaken
from scoring.tables.acts.recording import Recorded, record
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import ChangesLaterTables
from scoring.tables.pages.device import fresh_page, is_htmx, speaker_of, visit
from scoring.tables.pages.table import shown_first, table_form
from scoring.tables.presenters.board import board
from scoring.tables.presenters.cards import cited
from scoring.tables.presenters.findings import offender
from scoring.tables.presenters.formats import PAGE_LANGUAGE, rendered, whole
from scoring.tables.presenters.forms import read_adjustment
from scoring.tables.presenters.house_rules import decided_before
from scoring.tables.presenters.people import at_table
from scoring.tables.presenters.refusals import Message, not_allowed, not_done
from scoring.tables.reads.log import standing_events
from scoring.tables.reads.log_entries import positions
from scoring.tables.reads.page_facts import page_facts
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing, hand_described, hand_played, now, played_events, standing_now

ANSWER = "answer-"
"""Prefix of the form fields that hold answers."""
GUIDE_ABOUT = ("hand", "dispute")
"""Query parameters of a guide besides the situation and the answers."""
ACTS = ("ruling", "agreement", "withdrawal", "pause", "remedy")
MOST_CLAUSES = 20


@table_form("settle")
def settle(request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    turn.check_version(expected)
    chosen = (request.POST.get(name, "") for name in ("finding", "remedy"))
    done = remedy_steps(now(turn.at), *chosen, points=read_adjustment(request.POST, "points"))
    if done is None:
        raise MovedOn(version=turn.found)
    if done.amends:
        disputing.put_right(turn, done, _("Done again"))
    return record(turn, list(done.events))


def remedy_steps(at: Standing, key: str, code: str, *, points: int | str | None = None) -> Steps | None:
    """Return the steps that carry out a finding's remedy, or ``None`` if either doesn't exist.

    ``key`` is the hand's index and the finding's index within it, joined by a hyphen. ``points`` are those of a penalty
    that the table agrees on, as a loss of the offender, with or without a sign; raises ``Refused`` for an invalid
    number. Letting the irregularity stand is logged as a note.
    """
    index, number = (whole(part) for part in key.partition("-")[::2])
    if at.hand is None or index is None or number is None or index > at.hand.setup.index:
        return None
    last = index == at.hand.setup.index
    hand, played = (at.hand, played_events(at)) if last else (hand_played(at.row, index), None)
    findings = describe_findings(hand, at.names, at.state, language=PAGE_LANGUAGE, events=played)
    if number >= len(findings):
        return None
    finding = findings[number]
    remedy = next((each for each in finding["remedies"] if each["code"] == code), None)
    seat, settles = offender(finding), {SETTLES: finding["event"]}
    if remedy is None or (code == "penalty" and seat is None):
        return None
    if code == "penalty" and seat is not None:
        if not isinstance(points, int) or not 0 < abs(points) <= LARGEST_PENALTY:
            detail = gettext_noop("Choose how many points the penalty takes away.")
            raise Refused([Problem("/points", "bad-value", detail)])
        return Steps((Penalty(seat, at.rules.fine(points), finding["reason"]["text"], extra=settles),))
    events = remedy.get("events")
    if events is None:
        return None
    if events:
        struck = tuple((place, None) for _hand, place in remedy.get("strikes", ()))
        return Steps(tuple(load_event(event) for event in events), struck)
    return Steps((Note(f"{remedy['text']} {finding['reason']['text']}", seat, extra=settles),))


# --- Guided rulings: what went wrong, question by question, and how to fix it


@require_safe
def guide(request: HttpRequest, code: str) -> HttpResponse:
    """Show the referee's sheet: current findings and situations, or a guide in progress."""
    row, link, _known = visit(request, code)
    at = standing_now(row)
    answers = {key: str(value) for key, value in request.GET.items() if value}
    situation = answers.pop("situation", "")
    about = {key: answers.pop(key) for key in GUIDE_ABOUT if key in answers and whole(answers[key]) is not None}
    number = whole(about["hand"]) if "hand" in about else None
    looked = looked_at(at, None if number is None else number - 1)
    if looked is None and number is not None:
        raise Http404(_("That hand doesn’t exist."))
    context: dict[str, object] = {
        "table": row,
        "game": game_of(row),
        "keeps": link is not None and link.keeps,
        "records": link is not None and link.records,
        "here": reverse("scoring:guide", args=[row.code]),
        "hand": 1 if looked is None else looked.hand.setup.index + 1,
    }
    status = 200
    if situation:
        try:
            walked = walk_here(at, situation, read_answers(at, situation, answers), looked)
        except Refused as refused:
            context["problems"], status = rendered(refused.problems), 422
        else:
            found = guidance(walked, at, PAGE_LANGUAGE)
            context["known"] = decided_before(precedents_about(walked, row))
            context["guide"] = show_guide(found, walked, at, about)
            if row.disputes:
                context["decides"] = disputes_decided(disputes_now(row), answers | {"situation": situation}, about)
    if "guide" not in context:
        seat = link.seat if link is not None and link.records else None
        shown = board(at, page_facts(at), seat)
        context["cases"] = show_cases(guides_here(at, looked), at, looked, about)
        context["board"] = shown
        context["raised"] = [each for each in shown.findings if each.raised and (context["keeps"] or each.fresh)]
        context["called"] = called(open_disputes(row), at.names)
    return fresh_page(request, "scoring/guide.html", context, fragment=True, status=status)


@table_form("guide")
def carry_out_guide(request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    turn.check_version(expected)
    answers = {key.removeprefix(ANSWER): str(request.POST[key]) for key in request.POST if key.startswith(ANSWER)}
    situation, number = request.POST.get("situation", ""), whole(request.POST.get("hand", ""))
    points = read_adjustment(request.POST, "points")
    chosen = Chosen(
        situation=situation,
        answers=read_answers(turn.at, situation, answers),
        hand=None if number is None else number - 1,
        remedy=request.POST.get("remedy", ""),
        points=points if isinstance(points, int) else None,
        dispute=whole(request.POST.get("dispute", "")),
    )
    return disputing.carry_out_chosen(turn, chosen, PAGE_LANGUAGE)


# --- Raising and settling disputes: the list, and the page of each


@require_http_methods(["GET", "POST"])
def disputes(request: HttpRequest, code: str) -> HttpResponseBase:
    if request.method != "POST":
        return _list(request, code)
    row, link, _known = visit(request, code, head_only=True)
    caller = speaker_of(request, link)
    if caller is None or link is None or not link.records:
        return _list(request, code, not_allowed(), status=403)
    text = request.POST.get("claim", "").strip()[:LONGEST_TEXT]
    if not text:
        return _list(request, code, Message("impossible", _("Say in a few words what’s wrong.")), status=422)
    seat, waits = whole(request.POST.get("seat", "")), "pause" in request.POST
    claim = Claim(text=text, about=_pointed(row, request.POST), seat=seat, pause=waits)
    try:
        raised = disputing.raise_dispute(row.code, claim, caller)
    except (Refused, NotDone) as why:
        return _list(request, code, why_not(why), status=409)
    return redirect("scoring:dispute", code=row.code, number=raised.number)


@require_GET
def dispute(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Show a dispute: statements, evidence, and possible acts."""
    return _page(request, code, number)


@require_POST
def dispute_act(request: HttpRequest, code: str, number: int, act: str) -> HttpResponseBase:
    row, link, _known = visit(request, code, head_only=True)
    caller = speaker_of(request, link)
    if act not in ACTS:
        raise Http404
    if caller is None:
        return _page(request, code, number, not_allowed(), status=403)
    text = request.POST.get("text", "").strip()[:LONGEST_TEXT]
    try:
        match act:
            case "ruling":
                disputing.rule(row.code, number, _decision(request, code), caller)
            case "agreement":
                remedy = _remedy(standing_now(visit(request, code).table), request.POST, request.POST.get("remedy", ""))
                disputing.agree(row.code, number, text, caller, remedy=remedy)
            case "withdrawal":
                disputing.withdraw(row.code, number, text, caller)
            case "pause":
                disputing.pause(row.code, number, caller, paused=request.POST.get("paused") == "1")
            case _:
                disputing.carry_out_ruling(row.code, number, caller)
    except ChangesLaterTables as why:
        return _page(request, code, number, shown_first(why, request.POST, request.path), status=409)
    except (Refused, NotDone) as why:
        return _page(request, code, number, why_not(why), status=409)
    return redirect("scoring:dispute", code=row.code, number=number)


def _decision(request: HttpRequest, code: str) -> Decision:
    at, posted = standing_now(visit(request, code).table), request.POST
    # One button sends both.
    said, _colon, chosen = posted.get("answer", f"{posted.get('state')}:{posted.get('remedy', '')}").partition(":")
    state = DisputeState.UPHELD if said == DisputeState.UPHELD else DisputeState.OVERRULED
    clauses = [*posted.getlist("clause"), *posted.get("more", "").upper().replace(",", " ").split()]
    return Decision(
        state=state,
        text=posted.get("text", "").strip()[:LONGEST_TEXT] or capital(str(state.label)) + ".",
        clauses=list(dict.fromkeys(clauses))[:MOST_CLAUSES],
        remedy=_remedy(at, posted, chosen),
    )


def _remedy(at: Standing, posted: QueryDict, chosen: str) -> list[Event]:
    """Return the events of the chosen remedy: a penalty, or one of a finding's remedies by code."""
    if chosen == "points":
        seat, points = whole(posted.get("seat", "")), read_adjustment(posted, "points")
        if seat is None or not isinstance(points, int) or not 0 < abs(points) <= LARGEST_PENALTY:
            return []
        return [Penalty(seat, at.rules.fine(points), posted.get("text", "")[:LONGEST_TEXT] or None)]
    key, _slash, code = chosen.partition("/")
    done = remedy_steps(at, key, code) if code else None
    return [] if done is None or done.amends else list(done.events)


def why_not(why: Refused | NotDone) -> Message:
    if isinstance(why, Refused):
        return Message("impossible", _("That won’t work"), text=" ".join(rendered(why.problems)))
    if isinstance(why, NotTaken):
        reason, game = why.ruling.reason, find_game(why.ruling.table.rules.game.id)
        assert game is not None
        sentence = None if reason is None else cited(game, describe_reason(reason, why.names, PAGE_LANGUAGE))
        return Message("impossible", _("The remedy can’t be recorded"), sentence)
    return not_done(why)


def _pointed(row: Table, posted: QueryDict) -> dict[str, int | None] | None:
    """Return what a form points at: a hand, and optionally an event, a trick or a score line in it.

    A card's menu sends its log row, which is translated into a position in the hand.
    """
    number_of_hand = whole(posted.get("hand", ""))
    hand = None if number_of_hand is None else number_of_hand - 1
    kind, _dash, number = posted.get("about", "").partition("-")
    about: dict[str, int | None] = {"hand": hand}
    kind = kind.replace("line", "score_line")
    if kind == "seq" and hand is not None:
        about["event"] = positions(row, [hand]).get(whole(number) or 0, [0, None])[1]
    if kind in ABOUT:
        about[kind] = whole(number)
    return None if about == {"hand": None} else about


def _list(request: HttpRequest, code: str, message: Message | None = None, *, status: int = 200) -> HttpResponse:
    row, link, _known = visit(request, code)
    at = standing_now(row)
    data = request.POST if request.method == "POST" else request.GET
    about = _pointed(at.row, data) or {}
    last, wanted = 0 if at.hand is None else at.hand.setup.index, about.pop("hand", None)
    hand = wanted if wanted is not None and 0 <= wanted <= last else last
    points = not points_hidden(at)
    described = hand_described(at, hand, PAGE_LANGUAGE, points=points)
    ordered = sorted(disputes_now(row), key=lambda each: (not each.is_open, -each.number))
    context = {
        "table": row,
        "game": game_of(row),
        "message": message,
        "records": link is not None and link.records,
        "keeps": link is not None and link.keeps,
        "disputes": [show_dispute(each, at, points=points) for each in ordered],
        "pointing": pointing(at, hand, described, about, standing_events(at.row, hand=hand)),
        "claim": data.get("claim", ""),
        "people": at_table(at.row),
    }
    return fresh_page(request, "scoring/disputes.html", context, status=status)


def _page(
    request: HttpRequest, code: str, number: int, message: Message | None = None, *, status: int = 200
) -> HttpResponse:
    row, link, _known = visit(request, code)
    each = dispute_now(row, number)
    if each is None:
        raise Http404(_("This table has no such dispute."))
    at = standing_now(row)
    keeps = link is not None and link.keeps
    mark = f"{crc32(repr((each, keeps)).encode()):08x}"
    if is_htmx(request) and request.GET.get("mark") == mark:
        return HttpResponse(status=204)
    who = Speaker(keeps, link.plays, link.pk) if link is not None and each.is_open else None
    evidence = what_the_record_tells(row, each, keeps=keeps, language=PAGE_LANGUAGE)
    rules_by, record = who_rules(row), show_record(evidence, each, at)
    context = {
        "table": row,
        "game": game_of(row),
        "message": message,
        "mark": mark,
        "dispute": show_dispute(each, at, points=not points_hidden(at)),
        "evidence": record,
        "known": decided_here(row, each, [link.id for link, _text in record["clauses"]]),
        "deciding": group_to_decide(request, row, each),
        "rules_by": rules_by,
        "keeps": keeps,
        "rules": who is not None and may_rule(row, rules_by, who),
        "own": who is not None and may_withdraw(each, who),
        "side": who is not None and may_agree(row, each, who),
        "mine": each.proposal is not None and link is not None and each.proposal.seat == link.plays,
        "answers": answers(record),
        "people": at_table(at.row),
    }
    return fresh_page(request, "scoring/dispute.html", context, status=status)
