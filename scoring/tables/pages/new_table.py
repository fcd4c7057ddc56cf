"""Pages for opening a table, in a group or without one, and for continuing with other players."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.engine.game import Game, all_games, find_game, settled
from referee.engine.reader import Reader, as_seen
from referee.engine.records import check_names_differ
from referee.engine.rules import Refused
from referee.engine.table import next_dealer
from scoring.groups.acts.group_access import GroupAdmission
from scoring.groups.acts.people import add_person
from scoring.groups.reads.group_tables import former_players, people_at
from scoring.groups.reads.groups import NEVER, Look, last_sat, looks_of, people_of, person_named, strangers, titles_of
from scoring.models import Table
from scoring.operating.acts.database import past_deadlocks
from scoring.operating.acts.limits import one_opening
from scoring.rulings.reads.precedents import decided_options, decided_rules
from scoring.tables.acts import opening
from scoring.tables.acts.access import devices_of
from scoring.tables.acts.exceptions import NotDone
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import Opened
from scoring.tables.pages import device
from scoring.tables.pages.forms import NewTable, NextTable, problems_of, refuse, rule_values
from scoring.tables.presenters.formats import whole
from scoring.tables.presenters.house_rules import decided_rules_shown
from scoring.tables.presenters.people import Looks, deal_label, depths, no_look, seating
from scoring.tables.presenters.refusals import Message, not_allowed, not_done
from scoring.tables.reads.access import next_table
from scoring.tables.reads.results import totals_shown
from scoring.tables.reads.rules import game_and_title, game_of
from scoring.tables.reads.state import standing, standing_now

# --- Opening a table in a group: seating its people, and adding new ones

SAME, NEW = "same", "new"


class WhoIsIt(Exception):  # noqa: N818 - not an error: a question to the user
    """A name is similar to one of a group's people: ask whether it is the same person."""


def table_before(request: HttpRequest) -> Table | None:
    """Return the table to continue or play again, if this device keeps its score or may open tables of its group."""
    code = request.POST.get("after") or request.GET.get("after") or request.GET.get("again", "")
    if not code:
        return None
    try:
        row, link, _known = device.visit(request, code[:40], head_only=True)
    except Http404:
        return None
    return row if (link is not None and link.keeps) or group_of(request, row) is not None else None


def group_of(request: HttpRequest, row: Table) -> GroupAdmission | None:
    link = device.link_to_group_of(request, row)
    return None if row.group is None or link is None else GroupAdmission(row.group, link)


def group_playing(request: HttpRequest, before: Table | None = None) -> GroupAdmission | None:
    """Return the group of the new table, if this device may open one there; by default the previous table's."""
    code = request.POST.get("group") or request.GET.get("group", "")
    if not code:
        return None if before is None or request.method == "POST" else group_of(request, before)
    found = device.visit_group(request, code[:40])
    return found if found.link.manages else None


def unclear_spellings(group: GroupAdmission, names: Sequence[str], answers: Mapping[str, str]) -> list[dict[str, str]]:
    """Return names similar to those of the group's people, each with the known name and the answer given."""
    found = strangers(people_of(group.group), names)
    spelt = [(name, close) for name, close in found if close]
    return [{"name": name, "close": close, "answer": answers.get(f"spelt-{name}", "")} for name, close in spelt]


def names_of(group: GroupAdmission) -> tuple[str, ...]:
    return tuple(person.name for person in people_of(group.group) if person.merged_into_id is None)


def lately_here(group: GroupAdmission) -> tuple[str, ...]:
    """Return the names of a group's people, those who played last first."""
    members = people_of(group.group)
    sat = last_sat(group.group)
    counted = [person for person in members if person.merged_into_id is None]
    return tuple(person.name for person in sorted(counted, key=lambda person: sat.get(person.pk, NEVER)))


def looks_in(group: GroupAdmission) -> Looks:
    members = people_of(group.group)
    looks = looks_of(members)

    def look(name: str) -> Look | None:
        person = person_named(members, name)
        return None if person is None else looks.get(person.pk)

    return look


def seated_at(row: Table) -> dict[str, int | None]:
    """Map current and former players' names to person ids, ``None`` for guests."""
    left = {as_seen(each.name): each.person for each in reversed(former_players(row))}
    return left | {as_seen(name): person for name, person in zip(row.seats, people_at([row])[row.pk], strict=True)}


def known_before(group: GroupAdmission, before: Table | None) -> dict[str, int | None]:
    """Map the previous table's names to ids of the group's people."""
    if before is None or before.group_id != group.group.pk:
        return {}
    return {name: person for name, person in seated_at(before).items() if person is not None}


def with_people(
    described: Mapping[str, Any],
    group: GroupAdmission,
    answers: Mapping[str, str],
    seated: Mapping[str, int | None] = MappingProxyType({}),
) -> dict[str, Any]:
    """Add people to a table's description, creating new ones in the group.

    ``answers`` say whether similar names are known people; ``seated`` maps names at the previous table to people,
    ``None`` for guests. Must be called in a transaction. Raises ``WhoIsIt`` if an answer is missing, ``Refused`` if two
    names look alike.
    """
    seats = list(described["seats"])
    reader = Reader()
    check_names_differ(reader, seats)
    reader.check()
    known = people_of(group.group)
    unknown = dict(strangers(known, [name for name in seats if as_seen(name) not in seated]))
    if any(close and answers.get(f"spelt-{name}") not in (SAME, NEW) for name, close in unknown.items()):
        raise WhoIsIt
    caller = Caller(by=group.link.name or group.link.role, link=group.link.pk)
    people = list[int | None]()
    for seat, name in enumerate(seats):
        close = unknown.get(name)
        if as_seen(name) in seated:
            people.append(seated[as_seen(name)])
        elif close and answers[f"spelt-{name}"] == SAME:
            person = person_named(known, close)
            assert person is not None
            seats[seat] = person.name
            people.append(person.pk)
        else:
            other = person_named(known, close) if close else None
            distinct = [other.pk] if other else []
            person = person_named(known, name) or add_person(group.group.code, name, caller, distinct_from=distinct)
            people.append(person.pk)
    return {**described, "seats": seats, "people": people}


# --- Opening a table: players, first dealer, house rules, and end

LONGEST_NAME = 60


@require_GET
def choose_game(request: HttpRequest) -> HttpResponse:
    return render(request, "scoring/choose_game.html", {"games": all_games()})


REDRAWN = ("look", "preset", "keep", "up", "played")
"""Names of buttons that only update the form."""


@require_http_methods(["GET", "POST"])
def new_table(request: HttpRequest, game: str) -> HttpResponseBase:
    found = find_game(game)
    if found is None:
        raise Http404(_("There is no such game."))
    if request.method != "POST":
        return _page(request, _begun(request, found))
    if any(name in request.POST for name in REDRAWN):
        return _redrawn(request, found)
    form = NewTable(found, request.POST, initial={})
    before = table_before(request)
    group = group_playing(request, before)
    if form.is_valid():
        try:
            with one_opening(request.META):
                opened = _open(form, group, before, request.POST)
        except Refused as refused:
            refuse(form, refused.problems)
        except WhoIsIt:
            pass  # the form asks
        else:
            depth = form.cleaned_data["depth"]
            response = _to_table(request, opened, depth)
            device.keep_depth(response, depth, reverse("scoring:choose-game"))
            if device.is_htmx(request):
                response.status_code, response["HX-Redirect"] = 204, response["Location"]
            return response
    form.refused = True
    return _page(request, form, status=422)


def _to_table(request: HttpRequest, opened: Opened, depth: str) -> HttpResponse:
    response = redirect("scoring:table", code=opened.table.code)
    if depth:
        response["Location"] += f"?{device.DEPTH}={depth}"
    device.remember(request, response, opened.table, opened.token)
    return response


def _open(form: NewTable, group: GroupAdmission | None, before: Table | None, answers: Mapping[str, str]) -> Opened:
    """Open the table, adding new people to its group.

    Raises whatever ``with_people`` and ``create_table`` raise.
    """
    if group is None:
        return opening.create_table(form.described(), after=before)
    with transaction.atomic():
        described = with_people(form.described(), group, answers, known_before(group, before))
        return opening.create_table(described, group=group.group, group_link=group.link.pk, after=before)


def _redrawn(request: HttpRequest, game: Game) -> HttpResponse:
    data = request.POST.copy()
    form = NewTable(game, data, initial={})
    if "up" in data:
        # Move a player up one seat; the dealer stays the dealer.
        form.fill_in(form.chosen(), data)
        names, place = data.getlist("name"), whole(request.POST["up"]) or 0
        if 0 < place < len(names):
            names[place - 1], names[place] = names[place], names[place - 1]
            data.setlist("name", names)
            dealer = data.get("dealer", "")
            data["dealer"] = {str(place): str(place - 1), str(place - 1): str(place)}.get(dealer, dealer)
    elif "played" in data:
        _played(data, form, group_playing(request, table_before(request)))
    else:
        form.redraw(data, form.players())
    form = NewTable(game, data, initial={})
    response = _page(request, form, kept="keep" in data)
    if "keep" in data:
        device.keep_rules(response, game, form.kept())
    return response


def _begun(request: HttpRequest, game: Game) -> NewTable:
    """Return the initial form, with house rules of the device or the previous table, and the group's.

    A table played again keeps its rules, except where the group has decided others since.
    """
    before = table_before(request)
    group = group_playing(request, before)
    depth = device.chosen_depth(request)
    start = {"depth": depth if depth in game.depths else "", **device.our_rules(request, game), **_again(request, game)}
    if group is not None and not start["name"]:
        named = names_of(group)
        start["name"] = named if len(named) in game.players else []
    form = NewTable(game, initial=start)
    since = before.created if before is not None and "again" in request.GET and before.game_id == game.id else None
    decided = decided_options(None if group is None else group.group, game.id, form.players(), since=since)
    return NewTable(game, initial=form.with_rules(decided, form.players())) if decided else form


def _again(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Return initial values for a table played again, or for the names in the query."""
    names = [name.strip()[:LONGEST_NAME] for name in request.GET.getlist("name") if name.strip()]
    start = {"name": names[: game.players[-1]], "title": request.GET.get("title", "")[:LONGEST_NAME]}
    again = request.GET.get("again", "")[:40]
    if not again:
        return start
    try:
        row = device.table_or_404(request, again)
    except Http404:
        return start
    if row.game_id != game.id:
        return start
    state, kind = standing(row).state, row.end["kind"]
    played = {"name": row.seats, "dealer": next_dealer(state), "private": row.private, "title": state.rules.game.title}
    return played | {"end": kind, f"end-{kind}": row.end.get("value")} | rule_values(game, state.rules)


def _played(data: QueryDict, form: NewTable, group: GroupAdmission | None) -> None:
    """Fill in a title's last house rules and end and, if no names are given, its last number of players."""
    title = data["title"] = str(data["played"])
    known = [] if group is None else titles_of(group.group)
    last = next((each for each in known if as_seen(each["title"]) == as_seen(title)), None)
    if group is None or last is None:
        return
    kind = last["end"]["kind"]
    data["title"], data["end"], data[f"end-{kind}"] = last["title"], kind, str(last["end"].get("value", ""))
    form.fill_in(last["options"], data)
    people = lately_here(group)[: last["players"]]
    if not any(name.strip() for name in data.getlist("name")) and len(people) == last["players"]:
        data.setlist("name", people)


def _page(request: HttpRequest, form: NewTable, *, status: int = 200, kept: bool = False) -> HttpResponse:
    game, groups, names = form.game, device.recent_groups(request), form["name"].value() or []
    seated, dealer = [name for name in names if name.strip()], whole(str(form["dealer"].value() or "")) or 0
    before = table_before(request)
    group = group_playing(request, before)
    looks = no_look if group is None else looks_in(group)
    unclear = []
    if group is not None and (form.refused or "asked" in request.POST):
        known = known_before(group, before)
        unclear = unclear_spellings(group, [name for name in seated if as_seen(name) not in known], request.POST)
    title = str(form["title"].value() or "") if game.takes_title else ""
    kept_along = [
        *([("title", title)] if title else []),
        *([] if group is None else [("group", group.group.code)]),
        *([] if before is None else [("after", before.code)]),
    ]
    context = {
        "form": form,
        "problems": problems_of(form, rules=True) if form.refused else [],
        "at_table": problems_of(form, rules=False) if form.refused else [],
        "seats": seating(names, game.players, looks),
        "dealer": dealer,
        "depths": depths(game),
        "deal": deal_label(game, form.chosen(), names, dealer),
        "sentence": form.sentence(),
        "games": all_games(),
        "named": urlencode([*kept_along, *(("name", name) for name in seated)]),
        "after": before,
        "was": form.was(),
        "ours": bool(device.our_rules(request, game)),
        "kept": kept,
        "game": game,
        "decktet": game.rules({}, game.players[0]).pack.id == "decktet",
        "groups": device.groups_for(game, groups) if not seated and group is None else [],
        "names": device.names_for(
            game, groups if group is None else [lately_here(group)], seated, along=kept_along, looks=looks
        ),
        "all_names": [] if group is None else names_of(group),
        "unclear": unclear,
        "asks_now": form.refused,
        "group": None if group is None else group.group,
        "titles": titles_of(group.group) if group is not None and game.takes_title else [],
        "decided": []
        if group is None
        else decided_rules_shown(decided_rules(group.group, game.id), game, form.chosen()),
        "fragment": device.is_htmx(request),
    }
    response = render(request, "scoring/new_table.html", context, status=status)
    response["Vary"] = "HX-Request"
    return response


# --- Playing again: the same players and house rules, the next dealer


@require_POST
def play_again(request: HttpRequest, code: str) -> HttpResponseBase:
    """Open the next game; idempotent across taps and phones.

    A device that may not seat these people gets the prefilled form.
    """
    row, link, _known = device.visit(request, code)
    keeps, group = link is not None and link.keeps, group_of(request, row)
    there = next_table(row, keeps=keeps, devices=devices_of(request.COOKIES))
    opened = None
    if there is None and row.finished and (keeps or group is not None):
        try:
            with one_opening(request.META):
                opened = opening.play_again(
                    row,
                    _described_again(row, group),
                    group=None if group is None else group.group,
                    group_link=None if group is None else group.link.pk,
                )
        except Refused:
            pass  # the form shows why
        else:
            there = there if opened else next_table(row, keeps=keeps, devices=devices_of(request.COOKIES))
    if opened is not None:
        return _to_table(request, opened, device.chosen_depth(request))
    if there is not None:
        return redirect("scoring:table", code=there.code)
    return redirect(f"{reverse('scoring:new-table', args=[row.game_id])}?again={row.code}")


def _described_again(row: Table, group: GroupAdmission | None) -> dict[str, object]:
    """Describe the next game: the same house rules, except where the group has decided others since."""
    state, game, players = standing(row).state, game_of(row), (len(row.seats),)
    options = dict(state.rules.chosen)
    decided = decided_options(None if group is None else group.group, row.game_id, players, since=row.created)
    if decided:
        options = dict(settled(game, options | decided, players, keep=frozenset(decided)) or decided)
    return {
        **game_and_title(row),
        "options": options,
        "end": dict(row.end),
        "seats": list(row.seats),
        "first_dealer": next_dealer(state),
        "private": row.private,
        "time_zone": row.time_zone or None,
        **({} if group is None else {"people": people_at([row])[row.pk]}),
    }


# --- Continuing with other players: who leaves, who joins, and newcomers' points


@require_http_methods(["GET", "POST"])
def continue_table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the form for changing players, or open the continued table."""
    row, link, _known = device.visit(request, code)
    caller = device.caller_of(request, link, keeping=True)
    if caller is None:
        return _continue_page(request, row, message=not_allowed(), status=403)
    if request.method == "GET":
        return _continue_page(request, row)
    form = NextTable(game_of(row), request.POST)
    if not form.is_valid():
        return _continue_page(request, row, form, status=422)
    group = group_of(request, row)
    try:
        opened = _go_on(row, form.described(), group, request.POST, caller)
    except WhoIsIt:
        return _continue_page(request, row, form, group, status=422)
    except Refused as refused:
        form = form.with_rules(standing_now(row).rules, refused.problems)
        refuse(form, refused.problems)
        return _continue_page(request, row, form, status=422)
    except NotDone as why:
        return _continue_page(request, row, form, message=not_done(why), status=409)
    return _to_table(request, opened, device.chosen_depth(request))


@past_deadlocks
@transaction.atomic
def _go_on(
    row: Table, described: dict[str, object], group: GroupAdmission | None, answers: Mapping[str, str], caller: Caller
) -> Opened:
    """Open the continued table; newcomers to a group's table are added to the group."""
    if group is not None:
        described = with_people(described, group, answers, seated_at(row))
    return opening.continue_table(row.code, described, caller)


def _continue_page(
    request: HttpRequest,
    row: Table,
    form: NextTable | None = None,
    asking: GroupAdmission | None = None,
    *,
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    at = standing_now(row)
    game, totals = game_of(row), totals_shown(at)
    back = [name.strip()[:LONGEST_NAME] for name in request.GET.getlist("name")]
    form = form or NextTable(game, initial={"name": [*row.seats, *back][: max(game.players)]})
    names: Sequence[str] = form["name"].value()
    came, seen = opening.by_name(names, row.seats), {as_seen(name) for name in names}
    unclear = []
    if asking is not None:
        seated = seated_at(row)
        newcomers = [name for name in names if name and as_seen(name) not in seated]
        unclear = unclear_spellings(asking, newcomers, request.POST)
    context = {
        "table": row,
        "game": game,
        "form": form,
        "problems": [str(text) for texts in form.errors.values() for text in texts],
        "course": bool(game.course(at.rules)),
        "seats": seating(names, game.players),
        "made": [None if seat is None or totals is None else totals[seat] for seat in came],
        "rules": form.words(at.rules),
        "left": [] if status == 403 else [each for each in former_players(row) if as_seen(each.name) not in seen],
        "hidden": totals is None,
        "along": urlencode([("name", name) for name in back]),
        "message": message,
        "unclear": unclear,
        "asks_now": True,
        "allowed": status != 403,
    }
    return render(request, "scoring/continue.html", context, status=status)
