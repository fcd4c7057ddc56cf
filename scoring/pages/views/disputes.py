"""Calling the referee, and settling what was called for: the disputes of a table and the page of each."""

from collections.abc import Callable
from http import HTTPStatus
from zlib import crc32

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.engine.catalogue import find_game
from referee.engine.describing import describe_reason
from referee.engine.event_kinds import Event
from referee.engine.events import LARGEST_PENALTY, Penalty
from referee.engine.options import Refused
from referee.engine.reader import LONGEST_TEXT
from scoring.models import DisputeState, Table
from scoring.pages.device.access import speaker_of, visit
from scoring.pages.show.clauses import cited
from scoring.pages.show.disputes import show_dispute, show_disputes, show_record
from scoring.pages.show.numbers import whole
from scoring.pages.show.pointing import Pointing, pointing
from scoring.pages.show.refusals import Message, not_allowed, not_done
from scoring.pages.show.translation import PAGE_LANGUAGE, rendered
from scoring.pages.views.precedents import decided_here, group_to_decide
from scoring.pages.views.settle import remedy_steps
from scoring.pages.views.table import is_htmx, shown_first
from scoring.queries.clock import standing_now
from scoring.queries.dispute_evidence import what_the_record_tells
from scoring.queries.dispute_rights import Speaker, may_agree, may_rule, may_withdraw, who_rules
from scoring.queries.disputes import ABOUT, dispute_now, disputes_now
from scoring.queries.findings import positions
from scoring.queries.log import standing_events
from scoring.queries.points import points_hidden
from scoring.queries.rules import game_of
from scoring.queries.state import Standing, hand_described
from scoring.services.chains import ChangesLaterTables
from scoring.services.disputing import (
    Claim,
    Decision,
    agree,
    carry_out,
    pause,
    raise_dispute,
    rule,
    withdraw,
)
from scoring.services.exceptions import NotDone, NotTaken
from scoring.services.keys import Caller


@require_http_methods(["GET", "POST"])
def disputes(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the disputes of a table, and let who records call the referee."""
    if request.method != "POST":
        return _list(request, code)
    row, link, _known = visit(request, code, head_only=True)
    caller = speaker_of(request, link)
    if caller is None or link is None or not link.records:
        return _list(request, code, not_allowed(), status=403)
    text = request.POST.get("claim", "").strip()[:LONGEST_TEXT]
    if not text:
        return _list(request, code, Message("impossible", _("Say in a few words what is wrong.")), status=422)
    seat, waits = whole(request.POST.get("seat", "")), "pause" in request.POST
    claim = Claim(text=text, about=_pointed(row, request.POST), seat=seat, pause=waits)
    try:
        raised = raise_dispute(row.code, claim, caller)
    except (Refused, NotDone) as why:
        return _list(request, code, why_not(why), status=409)
    return redirect("scoring:dispute", code=row.code, number=raised.number)


@require_GET
def dispute(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Show a dispute: what was said, what the record tells, and what can be done about it.

    An open page asks whenever the table changes; what is written there stays while the dispute is the same.
    """
    return _page(request, code, number)


@require_POST
def dispute_act(request: HttpRequest, code: str, number: int, act: str) -> HttpResponseBase:
    """Rule, agree, withdraw, let the hand wait or go on, carry out."""
    row, link, _known = visit(request, code, head_only=True)
    caller = speaker_of(request, link)
    if act not in ACTS:
        raise Http404
    if caller is None:
        return _page(request, code, number, not_allowed(), status=403)
    try:
        ACTS[act](request, row.code, number, caller)
    except ChangesLaterTables as why:
        return _page(request, code, number, shown_first(why, request.POST, request.path), status=409)
    except (Refused, NotDone) as why:
        return _page(request, code, number, why_not(why), status=409)
    return redirect("scoring:dispute", code=row.code, number=number)


def _rule(request: HttpRequest, code: str, number: int, caller: Caller) -> None:
    row, _link, _known = visit(request, code)
    at = standing_now(row)
    posted = request.POST
    state = DisputeState.UPHELD if posted.get("state") == DisputeState.UPHELD else DisputeState.OVERRULED
    clauses = [*posted.getlist("clause"), *posted.get("more", "").upper().replace(",", " ").split()]
    decision = Decision(
        state=state,
        text=posted.get("text", "").strip()[:LONGEST_TEXT] or str(state.label),
        clauses=list(dict.fromkeys(clauses))[:MOST_CLAUSES],
        remedy=_remedy(posted.get("remedy", ""), posted, at),
    )
    rule(code, number, decision, caller)


MOST_CLAUSES = 20


def _remedy(chosen: str, posted: QueryDict, at: Standing) -> list[Event]:
    """Return the events of the remedy that was chosen: one of a finding, or points that somebody loses."""
    if chosen == "points":
        seat, points = whole(posted.get("seat", "")), whole(posted.get("points", ""))
        if seat is None or not points or points > LARGEST_PENALTY:
            return []
        return [Penalty(seat, -points, posted.get("text", "")[:LONGEST_TEXT] or None)]
    key, _slash, code = chosen.partition("/")
    done = remedy_steps(at, key, code) if code else None
    return [] if done is None or done.amends else list(done.events)


def _agree(request: HttpRequest, code: str, number: int, caller: Caller) -> None:
    agree(code, number, request.POST.get("text", "").strip()[:LONGEST_TEXT], caller)


def _withdraw(request: HttpRequest, code: str, number: int, caller: Caller) -> None:
    withdraw(code, number, request.POST.get("text", "").strip()[:LONGEST_TEXT], caller)


def _pause(request: HttpRequest, code: str, number: int, caller: Caller) -> None:
    pause(code, number, caller, paused=request.POST.get("paused") == "1")


def _carry_out(_request: HttpRequest, code: str, number: int, caller: Caller) -> None:
    carry_out(code, number, caller)


ACTS: dict[str, Callable[[HttpRequest, str, int, Caller], None]] = {
    "ruling": _rule,
    "agreement": _agree,
    "withdrawal": _withdraw,
    "pause": _pause,
    "remedy": _carry_out,
}


def why_not(why: Refused | NotDone) -> Message:
    """Say why something did not become of a dispute."""
    if isinstance(why, Refused):
        return Message("impossible", _("That won’t work"), text=" ".join(rendered(why.problems)))
    if isinstance(why, NotTaken):
        reason, game = why.ruling.reason, find_game(why.ruling.table.rules.game.id)
        assert game is not None
        sentence = None if reason is None else cited(game, describe_reason(reason, why.names, PAGE_LANGUAGE))
        return Message("impossible", _("The remedy cannot be recorded"), sentence)
    return not_done(why)


def _pointed(row: Table, posted: QueryDict) -> dict[str, int | None] | None:
    """Return what a form points at: a hand, and in it an event, a trick or a line of the score.

    The sheet of a card knows its row of the log, not where it stands in the record.
    """
    hand = whole(posted.get("hand", ""))
    kind, _dash, number = posted.get("about", "").partition("-")
    about: dict[str, int | None] = {"hand": hand}
    kind = kind.replace("line", "score_line")
    if kind == "seq" and hand is not None:
        about["event"] = positions(row, [hand]).get(whole(number) or 0, [0, None])[1]
    if kind in ABOUT:
        about[kind] = whole(number)
    return None if about == {"hand": None} else about


def _list(
    request: HttpRequest, code: str, message: Message | None = None, *, status: int = HTTPStatus.OK
) -> HttpResponse:
    row, link, _known = visit(request, code)
    at = standing_now(row)
    data = request.POST if request.method == "POST" else request.GET
    context = {
        "table": row,
        "game": game_of(row),
        "message": message,
        "records": link is not None and link.records,
        "keeps": link is not None and link.keeps,
        "disputes": show_disputes(disputes_now(row), at, points=not points_hidden(at)),
        "pointing": _pointing(at, data),
        "claim": data.get("claim", ""),
        "names": list(enumerate(at.names)),
    }
    response = render(request, "scoring/disputes.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _pointing(at: Standing, data: QueryDict) -> Pointing:
    about = _pointed(at.row, data) or {}
    last = 0 if at.hand is None else at.hand.setup.index
    wanted = about.pop("hand", None)
    hand = wanted if wanted is not None and 0 <= wanted <= last else last
    described = hand_described(at, hand, PAGE_LANGUAGE, points=not points_hidden(at))
    return pointing(at, hand, described, about, standing_events(at.row, hand=hand))


def _page(
    request: HttpRequest,
    code: str,
    number: int,
    message: Message | None = None,
    *,
    status: int = HTTPStatus.OK,
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
    who = Speaker(keeps, link.seat, link.pk) if link is not None and each.is_open else None
    evidence = what_the_record_tells(row, each, keeps=keeps, language=PAGE_LANGUAGE)
    rules_by, record = who_rules(row), show_record(evidence, each, at)
    context = {
        "table": row,
        "game": game_of(row),
        "message": message,
        "mark": mark,
        "dispute": show_dispute(each, at, points=not points_hidden(at)),
        "evidence": record,
        "known": decided_here(row, each, [clause.link.id for clause in record.clauses]),
        "deciding": group_to_decide(request, row, each),
        "rules_by": rules_by,
        "keeps": keeps,
        "rules": who is not None and may_rule(row, rules_by, who),
        "own": who is not None and may_withdraw(each, who),
        "side": who is not None and may_agree(row, each, who),
        "mine": each.proposal is not None and link is not None and each.proposal.seat == link.seat,
        "names": list(enumerate(at.names)),
        "states": (DisputeState.UPHELD, DisputeState.OVERRULED),
    }
    response = render(request, "scoring/dispute.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response
