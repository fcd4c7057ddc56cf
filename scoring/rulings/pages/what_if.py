"""Pages of what-if: a table, or a group's season, judged under other house rules."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.game import Game, all_games, find_game, read_options
from referee.engine.rules import Refused
from scoring.groups.pages.group import in_tab
from scoring.groups.reads.group_tables import cursor_of, place_of
from scoring.groups.reads.groups import people_of
from scoring.models import Group
from scoring.operating.acts.limits import shared_address
from scoring.operating.pages.site import costly
from scoring.rulings.presenters.what_if import other_rules_shown, show_what_if, suggested
from scoring.rulings.reads.what_if import PersonThenNow, TableThenNow, in_line, people_then_now, season_what_if, what_if
from scoring.tables.pages.device import fresh_page, is_htmx, table_or_404, visit_group
from scoring.tables.presenters.formats import PAGE_LANGUAGE, rendered, whole
from scoring.tables.presenters.house_rules import changes_in_words
from scoring.tables.presenters.people import of_group
from scoring.tables.reads.rules import changed_rules, game_of
from scoring.tables.reads.state import standing_now

SUMS = re.compile(":".join([r"(-?[0-9]{1,9})"] * 6))
SEASON = "season-what-if"
KINDS = ("changed", "same", "unknown")
"""Groups of a season's tables: with a different result, with the same, and those that can't be judged."""
TABLES_AT_ONCE = 8
"""Tables judged per request, so that the progress bar moves about once a second."""


@costly
@require_GET
def what_if_here(request: HttpRequest, code: str) -> HttpResponse:
    at = standing_now(table_or_404(request, code))
    game, players = game_of(at.row), at.rules.players
    known = {option.key for option in game.all_options()}
    chosen = {key: str(value) for key, value in request.GET.items() if key in known and value}
    shown, problems = None, list[str]()
    if chosen:
        try:
            found = what_if(at, in_line(game, at, read_options(game, chosen)), PAGE_LANGUAGE)
        except Refused as refused:
            problems = rendered(refused.problems)
        else:
            shown = show_what_if(found, at.names, at.rules.pack, game)
    rules = changed_rules(at.state.opening)
    here = reverse("scoring:what-if", args=[at.row.code])
    context = {
        "table": at.row,
        "game": game,
        "shown": shown,
        "problems": problems,
        "suggested": suggested(game, rules, players, chosen),
        "rules": other_rules_shown(game, rules, players, chosen),
        "here": here,
        "address": shared_address(request, f"{here}?{urlencode(chosen)}"),
    }
    return fresh_page(request, "scoring/what_if.html", context, status=422 if problems else 200)


# --- A group's season under other house rules, table by table


@costly
@require_GET
def season_here(request: HttpRequest, code: str) -> HttpResponse:
    group, link = visit_group(request, code)
    found = find_game(request.GET.get("game", "")[:40])
    game = found or all_games()[0]
    known = {option.key for option in game.all_options()}
    chosen = {key: str(value) for key, value in request.GET.items() if key in known and value} if found else {}
    first, last = (_day(request.GET.get(name, "")) for name in ("from", "to"))
    span = {name: day.isoformat() for name, day in (("from", first), ("to", last)) if day}
    address = {"game": game.id, **span, **chosen}
    here = reverse("scoring:season-what-if", args=[group.code])
    rules = other_rules_shown(game, {}, game.players[-1], chosen) if found else []
    asked = suggested(game, {}, game.players[-1], {}) if found and not chosen else ()
    context: dict[str, object] = {
        **in_tab("more", group, link),
        "who": of_group(people_of(group)),
        "game": game,
        "games": all_games(),
        "here": here,
        "span": span,
        "chosen": bool(chosen),
        "suggested": [(each.label, f"{urlencode(address)}&{each.query}") for each in asked],
        "rules": [rule | {"was": _("as played")} for rule in rules],  # the value differs from table to table
        "address": shared_address(request, f"{here}?{urlencode(address)}"),
        "chosen_game": found is not None,
    }
    problems: list[str] = []
    if chosen:
        try:
            context |= _part(request, group, game, chosen, first, last, address)
        except Refused as why:
            problems = rendered(why.problems)
    context["problems"] = problems
    status = 422 if problems else 200
    return fresh_page(request, "scoring/season_what_if.html", context, fragment=True, status=status)


def _part(
    request: HttpRequest,
    group: Group,
    game: Game,
    chosen: Mapping[str, str],
    first: date | None,
    last: date | None,
    address: Mapping[str, str],
) -> dict[str, object]:
    options = read_options(game, chosen)
    after = place_of(SEASON, request.GET.get("cursor", "")) or ()
    part = season_what_if(
        group, game, options, first=first, last=last, after=after, most=TABLES_AT_ONCE, language=PAGE_LANGUAGE
    )
    before = _read_sums(request.GET.get("sums", ""))
    sums = before | {each.person: _added(each, before) for each in people_then_now(group, part.parts)}
    names = dict(group.people.values_list("pk", "name"))
    people = [replace(each, name=names.get(pk, "")) for pk, each in sums.items()]
    sorted_tables = {kind: [each for each in part.parts if _kind(each) == kind] for kind in KINDS}
    seen = [min(whole(text) or 0, 10**6) for text in request.GET.get("seen", "0:0:0").split(":")]
    counts = [len(tables) + before for tables, before in zip(sorted_tables.values(), [*seen, 0, 0, 0], strict=False)]
    written = (f"{p.person}:{p.then}:{p.now}:{p.wins[0]}:{p.wins[1]}:{p.tables}" for p in people)
    query = {**address, "cursor": cursor_of(SEASON, part.following), "sums": ",".join(written)}
    query["seen"] = ":".join(map(str, counts))
    here = reverse("scoring:season-what-if", args=[group.code])
    usual = {option.key: option.standard for option in game.all_options()}
    return {
        "part": part,
        "sorted": sorted_tables,
        "counts": dict(zip(KINDS, counts, strict=True)),
        "appended": bool(after) and is_htmx(request),
        "people": sorted(people, key=PersonThenNow.order),
        "chosen_rules": changes_in_words(game, usual, {**usual, **options}, game.players[-1]) or tuple(chosen.values()),
        "query": urlencode(chosen),
        "more": f"{here}?{urlencode(query)}" if part.following else "",
    }


def _kind(table: TableThenNow) -> str:
    if table.now is None and not table.why:
        return "unknown"
    return "changed" if table.why or table.tricks or table.now != table.then else "same"


def _added(each: PersonThenNow, before: Mapping[int, PersonThenNow]) -> PersonThenNow:
    was = before.get(each.person)
    if was is None:
        return each
    wins = (each.wins[0] + was.wins[0], each.wins[1] + was.wins[1])
    return replace(each, then=each.then + was.then, now=each.now + was.now, wins=wins, tables=each.tables + was.tables)


def _read_sums(text: str) -> dict[int, PersonThenNow]:
    found = {}
    for each in filter(None, map(SUMS.fullmatch, text[:8000].split(","))):
        pk, then, now, won, wins, tables = map(int, each.groups())
        found[pk] = PersonThenNow(pk, "", then, now, (won, wins), tables)
    return found


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
