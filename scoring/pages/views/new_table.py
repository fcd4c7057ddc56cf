"""Opening a table: the players, who deals first, the house rules, and when it ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.engine.catalogue import all_games, find_game
from referee.engine.game import Game
from referee.engine.options import Option, Options, Problem, Refused
from referee.engine.table import next_dealer
from scoring.pages.device.access import table_or_404
from scoring.pages.device.cookie import remember
from scoring.pages.device.recent_players import groups_for, names_for, recent_groups
from scoring.pages.show.clauses import ClauseLink, clause_links
from scoring.pages.show.translation import PAGE_LANGUAGE, rendered
from scoring.queries.state import standing
from scoring.services.tables import create_table

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class OptionField:
    """A house rule as the form shows it; a value's place in the list is what the form sends."""

    option: Option
    links: tuple[ClauseLink, ...]
    values: tuple[tuple[str, str, bool], ...]
    number: object
    changed: bool
    problem: str


@dataclass(frozen=True, slots=True)
class SeatField:
    """A place at the table."""

    number: int
    name: str
    dealer: bool
    needed: bool


@require_GET
def choose_game(request: HttpRequest) -> HttpResponse:
    """Let somebody choose the game."""
    return render(request, "scoring/choose_game.html", {"games": all_games()})


@require_http_methods(["GET", "POST"])
def new_table(request: HttpRequest, game: str) -> HttpResponseBase:
    """Show the form of a new table, or open the table it describes."""
    found = find_game(game)
    if found is None:
        raise Http404(_("There is no such game."))
    if request.method != "POST":
        return _form(request, found, _again(request, found))
    data = read_new(request.POST, found)
    try:
        _check_dealer(request.POST)
        opened = create_table(data)
    except Refused as refused:
        return _form(request, found, data, refused.problems, status=422)
    response = redirect("scoring:table", code=opened.table.code)
    remember(request, response, opened.table, opened.token)
    return response


def _again(request: HttpRequest, game: Game) -> dict[str, object]:
    """Return how the form begins: as the table that is to be played again, dealt on, or with the people named."""
    names = [name.strip()[:LONGEST_NAME] for name in request.GET.getlist("name") if name.strip()]
    start = {"seats": names[: game.players[-1]], "first_dealer": 0, "options": {}, "end": None, "private": False}
    again = request.GET.get("again", "")[:40]
    if not again:
        return start
    try:
        row = table_or_404(request, again)
    except Http404:
        return start
    if row.game != game.id:
        return start
    return {name: getattr(row, name) for name in start} | {"first_dealer": next_dealer(standing(row).state)}


def read_new(posted: QueryDict, game: Game) -> dict[str, object]:
    """Return the table that a form describes, as the API would take it; empty places are left out."""
    names = [name.strip() for name in posted.getlist("name")]
    taken = [place for place, name in enumerate(names) if name]
    dealer = _number(posted.get("dealer", ""))
    options = {
        option.key: _option(value, option)
        for option in game.all_options()
        if (value := posted.get(f"option-{option.key}")) or not option.by_players
    }
    end: dict[str, object] = {"kind": posted.get("end", game.end.kind)}
    if any(kind.counted for kind in game.ends if kind.name == end["kind"]):
        end["value"] = _number(posted.get(f"end-{end['kind']}", ""))
    return {
        "game": game.id,
        "seats": [names[place] for place in taken],
        "first_dealer": taken.index(dealer) if isinstance(dealer, int) and dealer in taken else 0,
        "options": options,
        "end": end,
        "private": bool(posted.get("private")),
    }


def _check_dealer(posted: QueryDict) -> None:
    """Refuse the mark of who deals first at a place where nobody sits: whoever it was meant for, it is another one."""
    names, dealer = posted.getlist("name"), _number(posted.get("dealer", ""))
    if isinstance(dealer, int) and dealer < len(names) and not names[dealer].strip():
        raise Refused([Problem("/first_dealer", "no-such-seat", _("Nobody sits where the dealer is marked."))])


def _option(value: str | None, option: Option) -> object:
    """Return the value of a house rule: its place in the list of values, or the number typed."""
    if value is None:
        return option.standard
    number = _number(value)
    if option.span is not None:
        return number
    return option.values[number] if isinstance(number, int) and 0 <= number < len(option.values) else value


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text


def _form(
    request: HttpRequest, game: Game, data: Mapping[str, Any], problems: Sequence[Problem] = (), *, status: int = 200
) -> HttpResponse:
    end = data["end"] or {"kind": game.end.kind, "value": game.end.value}
    players = len(data["seats"])
    fields = [_option_field(option, game, players, data["options"], problems) for option in game.all_options()]
    placed = {f"/options/{field.option.key}" for field in fields}
    groups, seated = recent_groups(request), list(data["seats"])
    context = {
        "game": game,
        "groups": groups_for(game, groups) if not seated else [],
        "names": names_for(game, groups, seated),
        "places": _places(game, data),
        "options": fields,
        "changed": [field for field in fields if field.changed],
        "open": any(field.problem for field in fields),
        "ends": [(kind, kind.name == end["kind"]) for kind in game.ends],
        "end": end,
        "private": data["private"],
        "problems": rendered(problem for problem in problems if problem.pointer not in placed),
    }
    return render(request, "scoring/new_table.html", context, status=status)


def _places(game: Game, data: Mapping[str, Any]) -> list[SeatField]:
    names = list(data["seats"])
    return [
        SeatField(
            place, names[place] if place < len(names) else "", place == data["first_dealer"], place < game.players[0]
        )
        for place in range(game.players[-1])
    ]


def _option_field(
    option: Option, game: Game, players: int, chosen: Options, problems: Sequence[Problem]
) -> OptionField:
    value = chosen.get(option.key, option.standard)
    if option.by_players and players in option.by_players and value == option.standard_for(players):
        value = None  # with another number of players it follows that one
    labels = option.labels or tuple(str(v) for v in option.values)
    return OptionField(
        option,
        clause_links(game, option.clauses),
        tuple((str(i), labels[i], v == value) for i, v in enumerate(option.values)),
        value,
        value != option.standard,
        " ".join(p.rendered(PAGE_LANGUAGE) for p in problems if p.pointer == f"/options/{option.key}"),
    )
