"""The device behind a request: its rights and acts, tables, players and recording depth."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from referee.engine.game import Game, event_kinds, find_game
from referee.engine.reader import as_seen
from referee.engine.records import load_event
from referee.engine.rules import Refused
from scoring.groups.acts.group_access import GroupAdmission, admit_to_group, join_by, link_of_token, note_seen, sit_down
from scoring.groups.reads.groups import group_link_by, was_turned_off
from scoring.models import Group, GroupLink, GroupRole, Link, Table, TableEvent
from scoring.models.table import normal_code
from scoring.tables.acts import access
from scoring.tables.acts.exceptions import LinkTurnedOff, NoSuchGroup, NoSuchTable, NotDone
from scoring.tables.acts.keys import Caller
from scoring.tables.presenters.formats import rendered, whole, words_of
from scoring.tables.presenters.forms import Form, read_form
from scoring.tables.presenters.people import Looks, Somebody, no_look, people
from scoring.tables.presenters.refusals import Message, group_refusal, members_only, not_allowed
from scoring.tables.reads.access import PLAYED, all_asks, open_tables
from scoring.tables.reads.log import state_before
from scoring.tables.reads.state import Standing

# --- Rendering pages of a table: never cached, and for htmx only the fragment


def is_htmx(request: HttpRequest) -> bool:
    details = getattr(request, "htmx", None)
    return isinstance(details, HtmxDetails) and bool(details)


def fresh_page(
    request: HttpRequest, template: str, context: Mapping[str, object], *, fragment: bool = False, status: int = 200
) -> HttpResponse:
    """Render a page that isn't cached; with ``fragment``, htmx requests get only the template's block of that name."""
    response = render(request, template, {**context, "fragment": fragment and is_htmx(request)}, status=status)
    response["Cache-Control"] = "no-store"
    if fragment:
        response["Vary"] = "HX-Request"
    return response


# --- The device's cookie: only a secret that identifies it. Everything else is in the database

SECONDS = 400 * 24 * 3600
"""Longest lifetime that browsers allow for a cookie; renewed on each visit."""


def remember(request: HttpRequest, response: HttpResponse, row: Table, token: str = "") -> None:
    """Add a table to this device, with a token's link or by its code alone."""
    access.put_on_device(keep_device(request, response), row, token)


def keep_device(request: HttpRequest, response: HttpResponse) -> str:
    secret = next(iter(access.secrets_in(request.COOKIES)), "") or access.new_secret()
    _set(request, response, secret)
    return secret


def renew(request: HttpRequest, response: HttpResponse, *, greet: bool = False) -> None:
    """Renew the device's cookies; ``greet`` sets one on a device without any."""
    for secret in access.secrets_in(request.COOKIES) or ([access.new_secret()] if greet else []):
        _set(request, response, secret)


def forget_device(request: HttpRequest, response: HttpResponse) -> None:
    for secret in access.secrets_in(request.COOKIES):
        for name in {access.cookie_for(secret)[0], access.plain_name(secret)} & {*request.COOKIES}:
            response.delete_cookie(name, samesite="Lax")


def _set(request: HttpRequest, response: HttpResponse, secret: str) -> None:
    name, signed = access.cookie_for(secret)
    response.set_cookie(
        name, signed, max_age=SECONDS, httponly=True, samesite="Lax", secure=bool(settings.COOKIE_PREFIX)
    )
    if access.plain_name(secret) != name and access.plain_name(secret) in request.COOKIES:
        response.delete_cookie(access.plain_name(secret), samesite="Lax")


# --- The caller at a table: this device, and what its link allows

LONGEST_TOKEN = 200


def table_or_404(request: HttpRequest, code: str) -> Table:
    """Return a table by code. Raises ``Http404``, also for a private one without a link on the device."""
    return visit(request, code).table


def visit(request: HttpRequest, code: str, *, head_only: bool = False) -> access.Admission:
    """Return a table by code, and this device's link to it. Raises ``Http404``."""
    devices = access.devices_of(request.COOKIES)
    try:
        found = access.admit(code, request.META, devices=devices, head_only=head_only)
        if found.link is None and found.known is not access.Known.TURNED_OFF and sit_down(found.table, devices):
            found = access.admit(code, request.META, devices=devices, head_only=head_only)
        speak_as_at(found.table)
        return found
    except LinkTurnedOff:
        raise Http404(_("This phone’s link to the table was turned off. The scorekeeper can make a new one.")) from None
    except NoSuchTable:
        raise Http404(_("There is no table with this code.")) from None


def speak_as_at(row: Table) -> None:
    """Use the table's game's word for hands until the end of this request."""
    game = find_game(row.game)
    if game is not None:
        words_of(game).__enter__()


LATER_TABLES = "later-tables"
"""The form field that confirms changes at later tables."""


def right_to_act(request: HttpRequest, code: str, *, uncached: bool = False) -> tuple[str, Link | None, Caller | None]:
    """Return a table's normalized code, this device's link, and the caller, if permitted.

    The cached right is validated again at commit; ``uncached`` bypasses the cache if that failed.
    """
    link = None if uncached else access.remembered_link(code, devices=access.devices_of(request.COOKIES))
    if link is None or not link.records:
        row, link, _known = visit(request, code, head_only=True)
        return row.code, link, caller_of(request, link)
    return normal_code(code), link, caller_of(request, link)


def caller_of(request: HttpRequest, link: Link | None, *, keeping: bool = False) -> Caller | None:
    """Return the caller, or ``None`` without permission.

    ``keeping`` admits scorekeepers only; otherwise players are admitted, too, for their own seats.
    """
    if link is None or not (link.keeps if keeping else link.records):
        return None
    return replace(_caller(request, link), expected=whole(request.POST.get("version", "")))


def speaker_of(request: HttpRequest, link: Link | None) -> Caller | None:
    """Return the caller in a dispute: any valid link, including a spectator's."""
    return None if link is None or link.revoked else _caller(request, link)


def _caller(request: HttpRequest, link: Link) -> Caller:
    return Caller(
        by=link.name,
        link=link.pk,
        device_table=link.device_table,
        seat=link.plays,
        sits=link.seat,
        key=key_of(request),
        asks_first=LATER_TABLES not in request.POST,
    )


def key_of(request: HttpRequest) -> str | None:
    """Return the idempotency key that the page's script sends; ``None`` without one."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    try:
        return str(UUID(key.strip().strip('"')))
    except ValueError:
        raise BadRequest("An Idempotency-Key must be a UUID.") from None


def join(request: HttpRequest, code: str, token: str) -> HttpResponseBase:
    """Add a token's link to this device and go to the table.

    The first device that returns with the link owns it, and the token becomes invalid.
    """
    token = token[:LONGEST_TOKEN]
    link = access.link_to_take(code, token)
    row = table_or_404(request, code) if link is None else link.table
    response = redirect("scoring:table", code=row.code)
    if link is not None:
        remember(request, response, row, token)
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response


# --- The caller in a group: this device, and its link to the group


def visit_group(request: HttpRequest, code: str) -> GroupAdmission:
    """Return a group and this device's link. Raises ``Http404``, whether the group or the link is missing."""
    devices = access.devices_of(request.COOKIES)
    try:
        found = admit_to_group(code, request.META, devices=devices)
        note_seen(found.link)
        found.group.own = found.link
        return found
    except NoSuchGroup:
        if was_turned_off(normal_code(code), devices):
            raise Http404(_("This phone’s link to the group was turned off. A member can make a new one.")) from None
        raise Http404 from None


def group_caller_of(request: HttpRequest, link: GroupLink) -> Caller | None:
    """Return the caller, or ``None`` if this device may only read."""
    if not link.manages:
        return None
    expected = whole(request.POST.get("version", ""))
    return Caller(by=link.name or link.role, link=link.pk, expected=expected, key=key_of(request))


def link_to_group_of(request: HttpRequest, row: Table) -> GroupLink | None:
    """Return this device's link to a table's group, if it may manage the group."""
    own = None if row.group_id is None else group_link_by(row.group_id, devices=access.devices_of(request.COOKIES))
    return own if own is not None and own.manages else None


def join_group(request: HttpRequest, response: HttpResponse, group: Group, token: str) -> GroupLink | None:
    """Join a group by a token and return the device's own link; ``None`` for an invalid token.

    Raises ``PhoneTurnedOff``.
    """
    link = link_of_token(token[:LONGEST_TOKEN])
    if link is None or link.group_id != group.pk or link.role == GroupRole.BOT:
        return None
    return join_by(keep_device(request, response), link)


# --- House rules saved on the device, one set per game, in a cookie sent only to the form

LONGEST = 2000


def our_rules(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Return the device's saved house rules as form values."""
    known = {f"option-{option.key}" for option in game.all_options()}
    known |= {"end", *(f"end-{kind.name}" for kind in game.ends)}
    kept = request.COOKIES.get(f"rules-{game.id}", "")[:LONGEST]
    return {key: value for key, value in parse_qsl(kept) if key in known}


def keep_rules(response: HttpResponse, game: Game, fields: dict[str, str]) -> None:
    response.set_cookie(
        f"rules-{game.id}",
        urlencode(fields),
        max_age=SECONDS,
        path=reverse("scoring:new-table", args=[game.id]),
        httponly=True,
        samesite="Lax",
    )


# --- Suggestions of players from this device's earlier tables

LATEST = 30
"""Number of recent tables searched for players."""
MOST_GROUPS = 3
MOST_NAMES = 12


def recent_groups(request: HttpRequest) -> list[tuple[str, ...]]:
    rows = open_tables(access.devices_of(request.COOKIES)).order_by(PLAYED.desc())
    return list(dict.fromkeys(tuple(seats) for seats in rows.values_list("seats", flat=True)[:LATEST]))


class NameChip(NamedTuple):
    """A button that seats people: their names, and the query with them seated."""

    label: str
    query: str
    people: tuple[Somebody, ...]


def groups_for(game: Game, groups: Sequence[tuple[str, ...]]) -> list[NameChip]:
    """Return a chip for each set of players that fits the game's number of players."""
    fitting = [group for group in groups if len(group) in game.players][:MOST_GROUPS]
    return [_chip(people(group), [("name", name) for name in group]) for group in fitting]


def names_for(
    game: Game,
    groups: Sequence[tuple[str, ...]],
    seated: Sequence[str],
    *,
    along: Sequence[tuple[str, str]] = (),
    looks: Looks = no_look,
) -> list[NameChip]:
    """Return a chip for each person not seated yet."""
    names = list(dict.fromkeys(name for group in groups for name in group))
    if len(seated) >= game.players[-1]:
        return []
    here = {as_seen(name) for name in seated}
    missing = [name for name in names if as_seen(name) not in here][:MOST_NAMES]
    names = [*seated, *missing]
    others = people(names, [looks(name) for name in names])[len(seated) :]
    return [_chip((who,), [*along, *(("name", each) for each in (*seated, who.name))]) for who in others]


def _chip(some: tuple[Somebody, ...], query: Sequence[tuple[str, str]]) -> NameChip:
    return NameChip(", ".join(who.name for who in some), "?" + urlencode(query), some)


# --- Recording depth of a device: every card, tricks by winner, or results; it may change in mid-hand

DEPTH = "depth"
"""Name of the cookie and query parameter of the recording depth; empty means every card."""
A_YEAR = 365 * 24 * 3600


def chosen_depth(request: HttpRequest) -> str:
    return known_depth(request.COOKIES.get(DEPTH, ""))


def choose_depth(code: str, depth: str, after: str) -> HttpResponse:
    """Save the recording depth for this table and go back to it; ``after`` is a finished hand to go on from."""
    path, number = reverse("scoring:table", args=[code]), whole(after)
    response = redirect(path if number is None else f"{path}?after={number}")
    keep_depth(response, depth, path)
    return response


def keep_depth(response: HttpResponse, depth: str, path: str) -> None:
    """Save a depth in a cookie for all pages below a path: a table's, or those for new tables."""
    response.set_cookie(DEPTH, known_depth(depth), max_age=A_YEAR, path=path, samesite="Lax", httponly=True)


def known_depth(depth: str) -> str:
    kind = event_kinds().get(depth)
    return depth if kind is not None and kind.coarse else ""


def in_front(forms: Sequence[Form], depth: str) -> list[Form]:
    """Put the form of the chosen depth first, and forms for cards outside of tricks last."""
    laid_out = {form.event for form in forms if lays_out_cards(form)}
    return sorted(forms, key=lambda form: (form.event != depth, form.event in laid_out)) if depth else list(forms)


def lays_out_cards(form: Form) -> bool:
    """Return whether a form asks for cards outside of tricks."""
    return form.pad is not None and not event_kinds()[form.event].in_trick


# --- Two devices record the same card at the same moment


def recorded_by_another(row: Table, expected: int | None, posted: QueryDict) -> int | None:
    """Return the version at which another device recorded the same entry, if it started from the same state."""
    if expected is None:
        return None
    entry = TableEvent.objects.filter(table=row, seq=expected + 1, amends=None, amended_by=None).first()
    if entry is None or entry.event is None:
        return None
    state = state_before(row, entry)
    meant = read_form(posted, all_asks(Standing(row, state)))
    try:
        same = meant is not None and load_event(meant) == load_event(entry.event)
    except Refused:
        return None
    return entry.seq if same else None


# --- Views that act


class FormError(Exception):
    """Raised to show a form's page again with a message."""

    def __init__(self, message: Message, status: int = 422) -> None:
        super().__init__(message.title)
        self.message, self.status = message, status


class Member(NamedTuple):
    """A group, the device's link to it, and the caller."""

    group: Group
    link: GroupLink
    caller: Caller


def scorekeeper(request: HttpRequest, code: str) -> tuple[Table, Caller]:
    """Return a table and its scorekeeper as caller. Raises ``FormError`` for anyone else."""
    row, link, _known = visit(request, code, head_only=True)
    caller = caller_of(request, link, keeping=True)
    if caller is None:
        raise FormError(not_allowed(), 403)
    return row, caller


def member(request: HttpRequest, code: str) -> Member:
    """Return a group and its member as caller. Raises ``FormError`` for anyone else."""
    group, link = visit_group(request, code)
    caller = group_caller_of(request, link)
    if caller is None:
        raise FormError(members_only(), 403)
    return Member(group, link, caller)


def shows_refusals(
    page: Callable[..., HttpResponse], explain: Callable[[NotDone], Message] = group_refusal
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Decorate a view to show ``page`` again, with a message, if its act is refused."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def acting(request: HttpRequest, code: str, **address: object) -> HttpResponseBase:
            try:
                return view(request, code, **address)
            except FormError as why:
                message, status = why.message, why.status
            except Refused as refused:
                taken = all(problem.code == "same-name" for problem in refused.problems)
                title = _("That name is taken") if taken else _("That won’t work")
                message, status = Message("impossible", title, text=" ".join(rendered(refused.problems))), 422
            except NotDone as why:
                message, status = explain(why), 409
            return page(request, code, message=message, status=status)

        return acting

    return decorate
