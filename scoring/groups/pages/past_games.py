"""Pages to add past games, from a form or a file, to undo an import, and to write an evening's notes."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from referee.engine.game import all_games, find_game
from referee.engine.reader import as_seen
from referee.engine.rules import Refused
from referee.engine.texts import Phrase, phrase
from referee.notation.words import BYTE_ORDER_MARK
from scoring.groups.acts.evenings import note_evening
from scoring.groups.acts.past_games import (
    MOST_GAMES,
    PastGame,
    add_past_games,
    imports_of,
    judge_past,
    undo_past_games,
)
from scoring.groups.pages.group import group_page, in_tab
from scoring.groups.reads import past_files
from scoring.groups.reads.group_tables import places_and_tags
from scoring.groups.reads.groups import as_spelled, people_of, titles_of
from scoring.groups.reads.past_files import Draft, Found, LeftOut, Meant, new_only, whom_names_mean
from scoring.models import Group
from scoring.operating.pages.site import costly
from scoring.tables.pages.device import Member, member, shows_refusals, visit_group
from scoring.tables.pages.forms import ImportForm, problems_of, tags_in
from scoring.tables.presenters.formats import PAGE_LANGUAGE, rendered
from scoring.tables.presenters.people import of_group
from scoring.tables.presenters.refusals import Message
from scoring.wording import filled

PLACES = 8
SAME, NEW = "same", "new"
ANY_GAME, LOWEST = "any-game", "lowest"
"""The id of *Any game*, which takes a title, and the house rule for *lowest score wins*."""
SHOWN = 12
"""Most games that the preview lists."""


# --- One game, from a form


class PastGameForm(forms.Form):
    """Form of a past game; its players are separate rows."""

    game = forms.CharField(max_length=40, required=False)
    title = forms.CharField(max_length=60, required=False)
    day = forms.DateField(error_messages={"required": gettext_lazy("Enter the day.")})
    place = forms.CharField(required=False)
    note = forms.CharField(required=False)
    tags = forms.CharField(required=False)

    def clean(self) -> None:
        if not self.cleaned_data.get("game") and not self.cleaned_data.get("title"):
            self.add_error("game", _("Choose the game."))


class Line(NamedTuple):
    """A row of the form: a player and the points, as typed."""

    name: str
    points: str


def _page(
    request: HttpRequest,
    code: str,
    *,
    message: Message | None = None,
    problems: Sequence[str] = (),
    unclear: Sequence[dict[str, str]] = (),
    status: int = 200,
) -> HttpResponse:
    group, link = visit_group(request, code)
    members = people_of(group)
    sent = request.POST if request.method == "POST" else QueryDict()
    lines = _lines(sent)
    places, tags = places_and_tags(group)
    context = {
        **in_tab("more", group, link),
        "games": [each for each in all_games() if not each.takes_title],
        "titles": [each["title"] for each in titles_of(group)],
        "sent": sent,
        "lines": [*lines, *[Line("", "")] * (PLACES - len(lines))],
        "names": [person.name for person in members if person.merged_into_id is None],
        "places": places,
        "tags": tags,
        "imports": [(made, made.tables.count()) for made in imports_of(group)],
        "problems": problems,
        "unclear": unclear,
        "asks_now": bool(unclear),
        "message": message,
    }
    return render(request, "scoring/past_game.html", context, status=status)


def _lines(sent: QueryDict) -> list[Line]:
    typed = zip(sent.getlist("name"), sent.getlist("points"), strict=False)
    return [Line(name.strip(), points.strip()) for name, points in typed][:PLACES]


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def past_game(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the form of a past game, or add the game on POST."""
    if request.method != "POST":
        return _page(request, code)
    own = member(request, code)
    form = PastGameForm(request.POST)
    problems = problems_of(form)
    lines = [line for line in _lines(request.POST) if line.name or line.points]
    points = [past_files.points_of(line.points) for line in lines]
    if any(not line.name for line in lines):
        problems.append(_("Enter who had the points."))
    problems += [
        filled(_("Enter the points of {name} as a whole number."), name=line.name)
        for line, made in zip(lines, points, strict=True)
        if line.name and made is None
    ]
    if problems:
        return _page(request, code, problems=problems, status=422)
    meant = whom_names_mean(own.group, [line.name for line in lines])
    unclear = unclear_names(meant, request.POST)
    if any(not each["answer"] for each in unclear):
        return _page(request, code, unclear=unclear, status=422)
    told = form.cleaned_data
    game = PastGame(
        game=ANY_GAME if told["title"] else told["game"],
        title=told["title"],
        options={"wins": LOWEST} if told["title"] and request.POST.get("wins") == LOWEST else {},
        day=told["day"],
        players=tuple(line.name for line in lines),
        totals=tuple(made for made in points if made is not None),
        people=tuple(people_meant(meant, request.POST).get(as_seen(line.name)) for line in lines),
        place=told["place"],
        note=told["note"],
        tags=tuple(tags_in(told["tags"])),
    )
    try:
        made = add_past_games(own.group.code, [game], own.caller, distinct=distinct_people(meant, request.POST))
    except Refused as refused:
        return _page(request, code, problems=rendered(refused.problems), unclear=unclear, status=422)
    return redirect("scoring:table", code=made.tables.get().code)


def unclear_names(meant: Sequence[Meant], answers: Mapping[str, str]) -> list[dict[str, str]]:
    """Return new names similar to known ones, each with the known name and the answer given so far."""
    return [
        {"name": each.name, "close": each.close.name, "answer": answer if answer in (SAME, NEW) else ""}
        for each in meant
        if each.close is not None
        for answer in [answers.get(f"spelt-{each.name}", "")]
    ]


def people_meant(meant: Sequence[Meant], answers: Mapping[str, str]) -> dict[str, int]:
    """Return person ids by normalized name; new people have none."""
    found = dict[str, int]()
    for each in meant:
        same = each.close if answers.get(f"spelt-{each.name}") == SAME else None
        person = each.person or same
        if person is not None:
            found[as_seen(each.name)] = person.counts_as
    return found


def distinct_people(meant: Sequence[Meant], answers: Mapping[str, str]) -> dict[str, int]:
    return {
        as_seen(each.name): each.close.pk
        for each in meant
        if each.close is not None and answers.get(f"spelt-{each.name}") == NEW
    }


# --- Many games, from a file


class Preview(NamedTuple):
    """Preview of an import: games to add, and lines left out."""

    found: Found
    games: tuple[tuple[Draft, PastGame], ...]
    left_out: tuple[LeftOut, ...]
    meant: tuple[Meant, ...]


def preview_of(group: Group, text: str, asked: QueryDict) -> Preview:
    """Read a file of past games, with the column roles chosen in the query. Raises ``Refused``."""
    if text.removeprefix(BYTE_ORDER_MARK).lstrip().startswith("{"):
        found = past_files.read_bgstats(text)
    else:
        keys = (f"role-{place}" for place in range(past_files.MOST_COLUMNS))
        roles = [asked.get(name, "") for name in keys if name in asked]
        found = past_files.read_csv(
            text,
            [role if role in past_files.ROLES else past_files.NOTHING for role in roles],
            month_first={"month": True, "day": False}.get(asked.get("order", "")),
            game=asked.get("game", ""),
        )
    games_here = [game for game in all_games() if not game.takes_title]
    known = {as_seen(word): game for game in games_here for word in (game.id, game.name, _(game.name))}
    left_out, named = list(found.left_out), list[tuple[Draft, str]]()
    for draft in found.drafts:
        game = known.get(as_seen(draft.game))
        if not draft.game:
            left_out.append(LeftOut(draft.line, phrase("Which game?")))
        else:
            named.append((draft, game.id if game else f"{ANY_GAME}:{as_titled(group, draft.game)}"))
    meant = whom_names_mean(group, past_files.names_in(draft for draft, _game in named))
    people = people_meant(meant, asked)
    new, there = new_only(group, named, people)
    left_out += there
    games, ids = list[tuple[Draft, PastGame]](), {id(draft): game for draft, game in named}
    for draft in new:
        game_of = past_game_of(draft, ids[id(draft)], people, lowest=lowest_wins(draft, asked))
        try:
            judge_past(game_of, group)
        except Refused as refused:
            left_out.append(LeftOut(draft.line, Phrase("{why}", {"why": " ".join(rendered(refused.problems))})))
        else:
            games.append((draft, game_of))
    return Preview(found, tuple(games), tuple(sorted(left_out, key=lambda each: each.line)), tuple(meant))


def as_titled(group: Group, name: str) -> str:
    """Return the title of a game that is not installed, spelled as the group has it."""
    game = find_game(f"{ANY_GAME}:{name}")
    return " ".join(name.split()) if game is None else as_spelled(group, game).title


def lowest_wins(draft: Draft, answers: Mapping[str, str]) -> bool:
    answer = answers.get(f"wins-{as_seen(draft.game)}", "")
    return answer == LOWEST if answer else bool(draft.lowest)


def past_game_of(draft: Draft, key: str, people: Mapping[str, int], *, lowest: bool) -> PastGame:
    game, _colon, title = key.partition(":")
    return PastGame(
        game=game,
        title=title,
        options={"wins": LOWEST} if title and lowest else {},
        day=draft.day,
        players=tuple(name for name, _points in draft.players),
        totals=tuple(points for _name, points in draft.players),
        people=tuple(people.get(as_seen(name)) for name, _points in draft.players),
        at=draft.at,
        minutes=draft.minutes,
        place=draft.place,
        note=draft.note,
        tags=draft.tags,
    )


def _file_page(
    request: HttpRequest, code: str, *, message: Message | None = None, status: int = 200, **more: Any
) -> HttpResponse:
    group, link = visit_group(request, code)
    context = {**in_tab("more", group, link), "message": message, **more}
    return render(request, "scoring/past_file.html", context, status=status)


@costly
@require_http_methods(["GET", "POST"])
@shows_refusals(_file_page)
def past_file(request: HttpRequest, code: str) -> HttpResponseBase:
    """Preview a file of past games, or import it once confirmed."""
    if request.method != "POST":
        return _file_page(request, code)
    own = member(request, code)
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _file_page(request, code, problems=[_("Choose a file.")], status=422)
    try:
        text = form.sent_text()
        if not text.strip():
            return _file_page(request, code, problems=[_("Choose a file.")], status=422)
        preview = preview_of(own.group, text, request.POST)
    except Refused as refused:
        return _file_page(request, code, problems=rendered(refused.problems), status=422)
    file = form.cleaned_data["file"]
    name = (file.name if file else request.POST.get("file_name", ""))[:60]
    unclear = unclear_names(preview.meant, request.POST)
    ready = "add" in request.POST and all(each["answer"] for each in unclear)
    if ready and 0 < len(preview.games) <= MOST_GAMES:
        return _add(own, preview, request.POST, name)
    asked = "add" in request.POST
    context = _previewed(own.group, preview, text, name, unclear)
    context |= {"order": request.POST.get("order", ""), "game_chosen": request.POST.get("game", "")}
    return _file_page(request, code, asks_now=asked, status=422 if asked else 200, **context)


def _add(own: Member, preview: Preview, answers: QueryDict, name: str) -> HttpResponseBase:
    games = [game for _draft, game in preview.games]
    distinct = distinct_people(preview.meant, answers)
    made = add_past_games(own.group.code, games, own.caller, name=name, distinct=distinct)
    response = redirect("scoring:past-games", code=own.group.code)
    response["Location"] += f"#import-{made.pk}"
    return response


def _previewed(
    group: Group, preview: Preview, text: str, name: str, unclear: Sequence[dict[str, str]]
) -> dict[str, Any]:
    who = of_group(people_of(group))
    roles = role_labels()
    titles = {
        game.title: (as_seen(draft.game), bool(game.options)) for draft, game in reversed(preview.games) if game.title
    }
    shown = [
        {
            "line": draft.line,
            "day": draft.day,
            "game": game.title or (found.name if (found := find_game(game.game)) else game.game),
            "players": sorted(draft.players, key=lambda player: -player[1]),
            "place": draft.place,
        }
        for draft, game in preview.games[:SHOWN]
    ]
    return {
        "text": text,
        "file_name": name,
        "columns": [(column, roles[column.role]) for column in preview.found.columns],
        "roles": [(role, label) for role, label in roles.items()],
        "days_unclear": preview.found.days_unclear,
        "without_game": preview.found.without_game and bool(preview.found.columns),
        "games": [each for each in all_games() if not each.takes_title],
        "titles": [*titles.items()],
        "count": len(preview.games),
        "too_many": len(preview.games) > MOST_GAMES,
        "most": MOST_GAMES,
        "shown": shown,
        "left_out": [(each.line, each.why.rendered(PAGE_LANGUAGE)) for each in preview.left_out],
        "known": [who[each.person.pk] for each in preview.meant if each.person is not None],
        "new": [each.name for each in preview.meant if each.person is None and each.close is None],
        "unclear": unclear,
        "by_play": not preview.found.columns,
    }


def role_labels() -> dict[str, str]:
    return {
        past_files.DATE: _("the day"),
        past_files.GAME: _("the game"),
        past_files.PERSON: _("points of this person"),
        past_files.PLAYER: _("who played"),
        past_files.POINTS: _("the points"),
        past_files.PLACE: _("the place"),
        past_files.NOTE: _("a note"),
        past_files.TAGS: _("tags"),
        past_files.TIME: _("the time"),
        past_files.MINUTES: _("how many minutes"),
        past_files.TABLE: _("which table"),
        past_files.NOTHING: _("nothing we need"),
    }


@require_POST
@shows_refusals(_page)
def undo_import(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    own = member(request, code)
    undone = undo_past_games(own.group.code, number, own.caller)
    gone = filled(ngettext("{count} game is gone.", "{count} games are gone.", undone.gone), count=undone.gone)
    kept = filled(
        ngettext(
            "{count} stays, because play went on there.", "{count} stay, because play went on there.", undone.kept
        ),
        count=undone.kept,
    )
    message = Message("done", _("Import undone"), text=f"{gone} {kept}" if undone.kept else gone)
    return _page(request, code, message=message)


# --- Notes of an evening


@require_POST
@shows_refusals(group_page)
def say_of_evening(request: HttpRequest, code: str, day: str) -> HttpResponseBase:
    own = member(request, code)
    try:
        evening = date.fromisoformat(day)
    except ValueError:
        raise Http404 from None
    said = request.POST
    tags = tags_in(said.get("tags", ""))
    note_evening(own.group.code, evening, own.caller, place=said.get("place", ""), note=said.get("note", ""), tags=tags)
    return redirect("scoring:evening", code=own.group.code, day=day)
