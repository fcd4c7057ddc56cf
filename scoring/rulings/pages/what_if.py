"""A table, or a season of a group, under other house rules, as it lay."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from referee.engine.game import Game, all_games, find_game, read_options
from referee.engine.replaying import TooCostly
from referee.engine.rules import Refused
from scoring.models import Group
from scoring.operating.acts.addresses import shared_address
from scoring.operating.pages.site import costly
from scoring.rulings.presenters.what_if import Suggested, other_rules_shown, show_what_if, suggested
from scoring.rulings.reads.what_if import PersonThenNow, in_line, people_then_now, season_what_if, what_if
from scoring.tables.pages.device import is_htmx, table_or_404, visit_group
from scoring.tables.presenters.formats import PAGE_LANGUAGE, rendered, whole
from scoring.tables.presenters.house_rules import changes_in_words
from scoring.tables.reads.rules import changed_rules, game_of
from scoring.tables.reads.state import standing_now

# --- A table under other house rules, as it lay


@costly
@require_GET
def what_if_here(request: HttpRequest, code: str) -> HttpResponse:
    """Show what a table would be under the house rules that the address names."""
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
    response = render(request, "scoring/what_if.html", context, status=422 if problems else 200)
    response["Cache-Control"] = "no-store"
    return response


# --- A season of a group under other house rules, as it lay, table after table

TABLES_AT_ONCE = 8
"""Tables judged for one part of the page: its progress moves about every second."""
OWN = ("game", "from", "to", "cursor", "sums")


@costly
@require_GET
def season_here(request: HttpRequest, code: str) -> HttpResponse:
    """Show a season of a group under the house rules that the address names; htmx takes one part after the other."""
    group, _link = visit_group(request, code)
    found = find_game(request.GET.get("game", "")[:40])
    game = found or all_games()[0]
    known = {option.key for option in game.all_options()}
    chosen = {key: str(value) for key, value in request.GET.items() if key in known and value} if found else {}
    first, last = (_day(request.GET.get(name, "")) for name in ("from", "to"))
    span = {name: day.isoformat() for name, day in (("from", first), ("to", last)) if day}
    address = {"game": game.id, **span, **chosen}
    here = reverse("scoring:season-what-if", args=[group.code])
    rules = other_rules_shown(game, {}, game.players[-1], chosen) if found else ()
    context: dict[str, object] = {
        "group": group,
        "tab": "statistics",
        "game": game,
        "games": all_games(),
        "here": here,
        "span": span,
        "chosen": bool(chosen),
        "suggested": [] if chosen or found is None else _linked(suggested(game, {}, game.players[-1], {}), address),
        "rules": tuple(each._replace(was="") for each in rules),  # what it was, each table has decided
        "address": shared_address(request, f"{here}?{urlencode(address)}"),
        "chosen_game": found is not None,
    }
    problems: list[str] = []
    if chosen:
        try:
            context |= _part(request, group, game, chosen, first, last, address)
        except Refused as refused:
            problems = rendered(refused.problems)
        except TooCostly as costly_one:
            problems = rendered(costly_one.problems)
    context["problems"] = problems
    template = "scoring/_season_part.html" if is_htmx(request) else "scoring/season_what_if.html"
    response = render(request, template, context, status=422 if problems else 200)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "HX-Request"
    return response


def _linked(found: Sequence[Suggested], address: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(each.label, urlencode(address) + "&" + each.query) for each in found]


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
    after = whole(request.GET.get("cursor", "")) or 0
    part = season_what_if(
        group, game, options, first=first, last=last, after=after, most=TABLES_AT_ONCE, language=PAGE_LANGUAGE
    )
    before = _read_sums(request.GET.get("sums", ""))
    people = tuple(_added(each, before) for each in people_then_now(group, part.parts))
    seen = {each.person for each in people}
    people += tuple(each for pk, each in before.items() if pk not in seen)
    names = {each.person: each.name for each in people} | _names(group)
    people = tuple(replace(each, name=names[each.person]) for each in people if each.person in names)
    query = {**address, "cursor": str(part.next), "sums": _write_sums(people)}
    here = reverse("scoring:season-what-if", args=[group.code])
    usual = {option.key: option.standard for option in game.all_options()}
    return {
        "part": part,
        "people": sorted(people, key=lambda each: (-each.now, each.person)),
        "chosen_rules": changes_in_words(game, usual, {**usual, **options}, game.players[-1]) or tuple(chosen.values()),
        "query": urlencode(chosen),
        "more": "" if part.next is None else f"{here}?{urlencode(query)}",
    }


def _names(group: Group) -> dict[int, str]:
    return {person.pk: person.name for person in group.people.all()}


def _added(each: PersonThenNow, before: Mapping[int, PersonThenNow]) -> PersonThenNow:
    was = before.get(each.person)
    if was is None:
        return each
    wins = (each.wins[0] + was.wins[0], each.wins[1] + was.wins[1])
    return replace(each, then=each.then + was.then, now=each.now + was.now, wins=wins, tables=each.tables + was.tables)


def _write_sums(people: Sequence[PersonThenNow]) -> str:
    return ",".join(f"{p.person}:{p.then}:{p.now}:{p.wins[0]}:{p.wins[1]}:{p.tables}" for p in people)


def _read_sums(text: str) -> dict[int, PersonThenNow]:
    """Read what the parts before have come to; what is no such sum is left out."""
    found = {}
    for each in text[:8000].split(","):
        numbers = [_number(part) for part in each.split(":")]
        if len(numbers) == 6 and None not in numbers:
            pk, then, now, won, wins, tables = (number or 0 for number in numbers)
            found[pk] = PersonThenNow(pk, "", then, now, (won, wins), tables)
    return found


def _number(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
