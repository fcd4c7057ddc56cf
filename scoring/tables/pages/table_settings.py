"""Pages of a table's settings: names, group, house rules, referee, deletion."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from referee.engine.events import HouseRules
from referee.engine.game import settled
from scoring.groups.reads.group_tables import places_and_tags
from scoring.groups.reads.groups import groups_on, people_of, seated_people
from scoring.groups.reads.past_files import points_of
from scoring.models import Link, Role, Table
from scoring.rulings.reads.disputes import MAJORITY, NEUTRAL, SCOREKEEPER
from scoring.tables.acts.access import devices_of
from scoring.tables.acts.recording import Recorded, record
from scoring.tables.acts.table_settings import TableChanges, change_table, delete_table
from scoring.tables.acts.turn import Turn
from scoring.tables.pages.device import FormError, fresh_page, scorekeeper, shows_refusals, visit, visit_group
from scoring.tables.pages.forms import HouseRulesForm, rule_values, tags_in
from scoring.tables.pages.table import table_form
from scoring.tables.presenters.formats import whole, written
from scoring.tables.presenters.house_rules import changes_in_words, house_sentence
from scoring.tables.presenters.people import at_table
from scoring.tables.presenters.refusals import Message
from scoring.tables.reads.access import standing_links
from scoring.tables.reads.results import known_by_totals
from scoring.tables.reads.rules import changed_rules, game_of
from scoring.tables.reads.state import Standing, standing_now
from scoring.wording import filled

# --- Settings outside the log: names, group, referee, deletion

GUEST = "-"


def named_links(row: Table, own: Link | None) -> list[tuple[int, str]]:
    """Return active links without a player's seat, as ids with unique labels."""
    links = list(standing_links(row).exclude(role=Role.PLAYER).order_by("created", "pk"))
    called = []
    for link in links:
        plain = _("a phone that keeps score") if link.keeps else _("a phone that watches")
        called.append(_("this phone") if link == own else link.label or plain)
    dated = [
        filled(_("{name}, since {time}"), name=name, time=f"{written(link.created)} {localtime(link.created):%H:%M}")
        if called.count(name) > 1
        else name
        for link, name in zip(links, called, strict=True)
    ]
    return [
        (link.pk, f"{name} ({dated[: place + 1].count(name)})" if dated.count(name) > 1 else name)
        for place, (link, name) in enumerate(zip(links, dated, strict=True))
    ]


def settings_page(
    request: HttpRequest, code: str, *, message: Message | None = None, retype: bool = False, status: int = 200
) -> HttpResponse:
    row, link, _known = visit(request, code, head_only=True)
    own = list(groups_on(devices_of(request.COOKIES)))
    ours = next((group for group in own if group.pk == row.group_id), None)
    places, tags = ([], []) if ours is None else places_and_tags(ours)
    people = [] if ours is None else [person for person in people_of(ours) if person.merged_into_id is None]
    context = {
        "table": row,
        "game": game_of(row),
        "message": message,
        "keeps": link is not None and link.keeps,
        "groups": own if row.group_id is None else [],
        "group": ours,
        "people": people,
        "who_may_rule": [
            (SCOREKEEPER, _("the scorekeeper")),
            (MAJORITY, _("the majority, each on their own phone")),
            (NEUTRAL, _("a neutral phone")),
        ],
        "rules_by": row.ruled_by.get("kind", SCOREKEEPER),
        "referee": row.ruled_by.get("link"),
        "neutral": named_links(row, link),
        "seated": [
            {"who": who, "person": person} for who, person in zip(at_table(row), seated_people(row), strict=True)
        ],
        "retype": retype,
        "totals": _final_scores(row),
        "places": places,
        "tags": tags,
    }
    return render(request, "scoring/table_settings.html", context, status=status)


def _final_scores(row: Table) -> Sequence[int]:
    """Return the totals of a past game known by its totals only; empty for other tables."""
    if row.finished and row.previous_id is None and any(row.carried):
        at = standing_now(row)
        return at.state.totals() if known_by_totals(row, at.state) else ()
    return ()


@require_POST
@shows_refusals(settings_page)
def names(request: HttpRequest, code: str) -> HttpResponseBase:
    """Correct players' names or, for a past game, the final scores."""
    row, caller = scorekeeper(request, code)
    if points := request.POST.getlist("points"):
        totals = [points_of(each) for each in points]
        if None in totals:
            raise FormError(Message("impossible", _("That won’t work"), text=_("Enter the points as whole numbers.")))
        change_table(row.code, TableChanges(totals=totals), caller)
    else:
        said, seats = request.POST, request.POST.getlist("name")
        change_table(row.code, TableChanges(seats=seats, title=said.get("title")), caller)
    return redirect("scoring:table-settings", code=row.code)


@require_POST
@shows_refusals(settings_page)
def give(request: HttpRequest, code: str) -> HttpResponseBase:
    """Add a table to one of this device's groups, or reassign its seats to the group's people."""
    row, caller = scorekeeper(request, code)
    _group, own = visit_group(request, request.POST.get("group", "")[:40])
    chosen = [request.POST.get(f"person-{seat}") for seat in range(len(row.seats))]
    people = [None if each == GUEST else whole(each or "") or 0 for each in chosen]
    change_table(row.code, TableChanges(group=own, people=people if any(chosen) else None), caller)
    return redirect("scoring:table-settings", code=row.code)


@require_POST
@shows_refusals(settings_page)
def referee(request: HttpRequest, code: str) -> HttpResponseBase:
    """Set who decides disputes, and whether rulings are shared."""
    row, caller = scorekeeper(request, code)
    rules_by, shares = request.POST.get("rules_by", ""), "shares" in request.POST
    link = whole(request.POST.get("link", "")) if rules_by == NEUTRAL else None
    change_table(row.code, TableChanges(rules_by=rules_by, referee=link, shares_rulings=shares), caller)
    return redirect("scoring:table-settings", code=row.code)


@require_POST
@shows_refusals(settings_page)
def say(request: HttpRequest, code: str) -> HttpResponseBase:
    """Set a table's place, note and tags."""
    row, caller = scorekeeper(request, code)
    said = request.POST
    changes = TableChanges(place=said.get("place", ""), note=said.get("note", ""), tags=tags_in(said.get("tags", "")))
    change_table(row.code, changes, caller)
    return redirect("scoring:table-settings", code=row.code)


@require_POST
@shows_refusals(settings_page)
def delete(request: HttpRequest, code: str) -> HttpResponseBase:
    """Delete a table, once its code was typed to confirm."""
    row, _link, _known = visit(request, code, head_only=True)
    typed = request.POST.get("code", "").upper().replace("-", "").replace(" ", "")
    if typed != row.code:
        return settings_page(request, code, retype=True, status=422)
    row, caller = scorekeeper(request, code)
    delete_table(row.code, caller)
    return redirect("scoring:home")


# --- Changing house rules between two hands

REDRAWN = ("look", "preset")
"""Names of buttons that only update the form."""


@require_http_methods(["GET", "POST"])
def house_rules(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show or change the house rules that apply from the next hand on."""
    row, link, _known = visit(request, code)
    at = standing_now(row)
    game, keeps = game_of(row), link is not None and link.keeps
    form = HouseRulesForm(game, initial=rule_values(game, at.rules))
    if request.method != "POST":
        return _rules_page(request, at, form, keeps=keeps)
    data = request.POST.copy()
    form = HouseRulesForm(game, data, initial={})
    if any(name in request.POST for name in REDRAWN):
        form.redraw(data, (at.rules.players,))
        return _rules_page(request, at, HouseRulesForm(game, data, initial={}), keeps=keeps)
    if not wanted_changes(form, at):
        return redirect("scoring:table", code=row.code)
    return change(request, row.code)


@table_form("rules")
def change(request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    turn.check_version(expected)
    form = HouseRulesForm(game_of(turn.row), request.POST, initial={})
    return record(turn, [HouseRules(wanted_changes(form, turn.at))])


def wanted_changes(form: HouseRulesForm, at: Standing) -> dict[str, object]:
    """Return the options that the form changes, with their values and those of options that depend on them."""
    game, players = form.game, at.rules.players
    before, chosen = changed_rules(at.rules), form.chosen()
    new = {key for key in {*before, *chosen} if before.get(key) != chosen.get(key)}
    now = settled(game, chosen, (players,), keep=frozenset(new)) if new else before
    now = chosen if now is None else now
    options = {option.key: now.get(option.key, option.standard_for(players)) for option in game.all_options()}
    return {key: value for key, value in options.items() if value != at.rules.options[key]}


def _rules_page(request: HttpRequest, at: Standing, form: HouseRulesForm, *, keeps: bool) -> HttpResponse:
    game, hand, end = form.game, at.hand, at.rules.end
    changes = wanted_changes(form, at) if form.is_bound else {}
    context = {
        "table": at.row,
        "game": game,
        "keeps": keeps,
        "can_change": hand is not None and hand.is_over() and not at.state.finished(),
        "number": 1 if hand is None else hand.setup.index + 2,
        "sentence": house_sentence(
            game, form.chosen(), (at.rules.players,), entered=form.entered(), problems={}, end=(end.kind, end.value)
        ),
        "changes": changes_in_words(game, at.rules.options, {**at.rules.options, **changes}, at.rules.players),
        "was": form.was(),
    }
    return fresh_page(request, "scoring/table_rules.html", context, fragment=True)
