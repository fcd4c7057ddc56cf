"""Django forms of tables, records, links, groups and their people."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from referee.engine.game import Game, settled
from referee.engine.reader import breaks_lines, can_be_seen, turns_writing
from referee.engine.rules import Option, Problem, Refused, Rules
from referee.engine.sheet import LONGEST_TITLE
from referee.notation.words import read_file
from scoring.models import Colour, GroupRole, RankedBy, Role, Scope, Table
from scoring.models.fields import zone_names
from scoring.models.group import LONGEST_NAME
from scoring.tables.acts.opening import ZERO
from scoring.tables.presenters.formats import PAGE_LANGUAGE, whole
from scoring.tables.presenters.house_rules import house_sentence
from scoring.tables.reads.results import LOWEST
from scoring.tables.reads.rules import changed_rules
from scoring.wording import filled

# --- Forms of a group: its settings, people and links


class NameField(forms.CharField):
    """A name with at least one visible character."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_NAME, **options)

    def validate(self, value: str) -> None:
        super().validate(value)
        check_names([value] if value else [], unseen=_("This name is invisible. Use letters we can see."))


class Lines(forms.Textarea):
    """A text area whose value may also be sent as several fields of the same name."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return "\n".join(data.getlist(name)) if isinstance(data, QueryDict) else data.get(name)


class SpellingsField(forms.CharField):
    """Names separated by commas or line breaks."""

    widget = Lines

    def to_python(self, value: Any) -> Any:
        names = [name.strip() for line in (value or "").splitlines() for name in line.split(",")]
        return [name for name in names if name]

    def validate(self, value: Any) -> None:
        unseen = _("A name can have up to 60 visible characters.")
        check_names(value, unseen=unseen, too_long=any(len(name) > LONGEST_NAME for name in value))


def check_names(names: Sequence[str], *, unseen: str, too_long: bool = False) -> None:
    """Refuse names that are invisible, have line breaks, or change the direction of nearby text."""
    if any(map(breaks_lines, names)):
        raise forms.ValidationError(_("This name has a line break, a tab or a control character. Remove it."))
    if too_long or not all(map(can_be_seen, names)):
        raise forms.ValidationError(unseen)
    if any(map(turns_writing, names)):
        raise forms.ValidationError(
            _("This name changes the direction of the text around it. Remove its direction marks.")
        )


class DeviceZone(forms.CharField):
    """The device's time zone; unknown ones become empty."""

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> str:
        return value if value in zone_names() else ""


class TimeZoneField(forms.CharField):
    """The time zone of a group; empty leaves it as it is."""

    def validate(self, value: str) -> None:
        if value and value not in zone_names():
            raise forms.ValidationError(_("Unknown time zone. Choose one from the list, such as Europe/Berlin."))


class NewGroup(forms.Form):
    name = NameField(error_messages={"required": gettext_lazy("A group needs a name.")})
    people = SpellingsField(required=False)
    time_zone = DeviceZone(required=False)


class GroupSettings(forms.Form):
    name = NameField(error_messages={"required": gettext_lazy("A group needs a name.")})
    counts_revokes = forms.BooleanField(required=False)
    shares_rulings = forms.BooleanField(required=False)
    ranked_by = forms.TypedChoiceField(choices=RankedBy.choices, required=False, empty_value=None)
    time_zone = TimeZoneField(required=False)


class SeasonForm(forms.Form):
    name = NameField(error_messages={"required": gettext_lazy("A season needs a name.")})
    first = forms.DateField(error_messages={"required": gettext_lazy("When does it begin?")})
    last = forms.DateField(required=False)
    evenings = forms.IntegerField(required=False, min_value=1, max_value=400)
    ranked_by = forms.ChoiceField(choices=RankedBy.choices)

    def clean(self) -> dict[str, Any]:
        read = super().clean() or {}
        if read.get("last") and read.get("evenings"):
            self.add_error("evenings", _("Give a last day or a number of evenings, not both."))
        if read.get("last") and read.get("first") and read["last"] < read["first"]:
            self.add_error("last", _("The last day is before the first."))
        return read


class PersonForm(forms.Form):
    name = NameField(error_messages={"required": gettext_lazy("A person needs a name.")})
    aliases = SpellingsField(required=False)
    colour = forms.ChoiceField(choices=[("", ""), *Colour.choices], required=False)


class RecoverForm(forms.Form):
    """Recovers a group by its recovery code."""

    code = forms.CharField(max_length=100, error_messages={"required": gettext_lazy("Enter the recovery code.")})
    name = NameField(required=False)
    cancel_older = forms.BooleanField(required=False)


class GroupLinkForm(forms.Form):
    role = forms.ChoiceField(choices=GroupRole.choices)
    scope = forms.ChoiceField(choices=Scope.choices, required=False)
    name = NameField(required=False)


# --- Forms of a new table, a continued one, an imported record and a link

LARGEST = 2 * 1024 * 1024
"""Largest record, in bytes."""
SINGLE = "hands:1"
"""Form value of the end after one hand, for tables that record a single result."""
RULE = "option-"
"""Prefix of house rule fields; the option's key follows."""


class Names(forms.Field):
    """Player names by seat; empty for empty seats."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Iterable[str] | None) -> list[str]:
        return [name.strip() for name in value or ()]


class HouseRulesForm(forms.Form):
    """House rules, one field per option; the referee checks combinations."""

    def __init__(self, game: Game, data: Any = None, *, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        self.game = game
        self.options = {option.key: option for option in game.all_options()}
        for key, option in self.options.items():
            self.fields[RULE + key] = _rule(option)

    def entered(self) -> dict[str, str]:
        return {key: str(self[RULE + key].value() or "") for key in self.options}

    def chosen(self) -> dict[str, object]:
        """Return the valid house rules that differ from the standard ones."""
        texts = self.entered()
        values = {key: _value(option, texts[key]) for key, option in self.options.items()}
        return {key: value for key, value in values.items() if value != self.options[key].standard}

    def fill_in(self, chosen: Mapping[str, object], data: QueryDict) -> None:
        """Set house rules in the sent data, all others to their standard values."""
        for key, option in self.options.items():
            there = option.values or key in chosen
            data[RULE + key] = field_text(option, chosen.get(key, option.standard)) if there else ""

    def with_rules(self, decided: Mapping[str, object], players: Sequence[int]) -> dict[str, Any]:
        """Return initial values with the group's house rules applied."""
        chosen = {**self.chosen(), **decided}
        rules = settled(self.game, chosen, players, keep=frozenset(decided)) or decided
        others = {key: value for key, value in self.initial.items() if not key.startswith(RULE)}
        return others | {RULE + key: field_text(self.options[key], value) for key, value in rules.items()}

    def redraw(self, data: QueryDict, players: Sequence[int]) -> None:
        """Set house rules in the sent data after a preset or an option was chosen, if they fit a number of players."""
        if "preset" in data:
            named, place = self.game.named_rules(), whole(str(data["preset"]))
            self.fill_in(named[place].options if place is not None and place < len(named) else self.chosen(), data)
            return
        before = dict(parse_qsl(str(data.get("was", ""))))
        now = {key: field_text(self.options[key], value) for key, value in self.chosen().items()}
        keep = frozenset(key for key in {*before, *now} if before.get(key) != now.get(key))
        chosen = settled(self.game, self.chosen(), players, keep=keep)
        if chosen is not None:
            self.fill_in(chosen, data)

    def was(self) -> str:
        """Serialize the current choice, so that the next request shows what has changed."""
        return urlencode([(key, self[RULE + key].value()) for key in self.chosen()])


class NewTable(HouseRulesForm):
    """A new table; the referee checks names and house rules."""

    name = Names(required=False)
    dealer = forms.IntegerField(required=False, initial=0)
    end = forms.ChoiceField()
    depth = forms.CharField(required=False)
    private = forms.BooleanField(required=False)
    time_zone = DeviceZone(required=False)

    def __init__(self, game: Game, data: Any = None, *, initial: dict[str, Any]) -> None:
        standard = {"end": game.end.kind, f"end-{game.end.kind}": game.end.value}
        super().__init__(game, data, initial=initial if "end" in initial else standard | initial)
        self.refused = False
        single = [(SINGLE, game.single)] if game.single else []
        self.fields["end"] = forms.ChoiceField(choices=[*single, *((kind.name, kind.label) for kind in game.ends)])
        if game.takes_title:
            self.fields["title"] = forms.CharField(required=False, max_length=LONGEST_TITLE)
        for kind in game.ends:
            if kind.counted:
                self.fields[f"end-{kind.name}"] = forms.IntegerField(required=False)

    def clean_depth(self) -> str:
        depth: str = self.cleaned_data["depth"]
        return depth if depth in self.game.depths else ""

    def clean(self) -> None:
        names, dealer, least = self.cleaned_data.get("name", ()), self.cleaned_data.get("dealer"), self.game.players[0]
        if sum(map(bool, names)) < least:
            self.add_error("name", filled(_("Add at least {number} players first."), number=least))
        elif dealer is not None and 0 <= dealer < len(names) and not names[dealer]:
            # The dealer's seat has become empty.
            self.add_error("dealer", _("That seat is empty. Choose who deals."))

    def described(self) -> dict[str, object]:
        names, dealer, chosen = (self.cleaned_data[name] for name in ("name", "dealer", "end"))
        kind, _colon, one = chosen.partition(":")
        taken = [place for place, name in enumerate(names) if name]
        counted = (
            {"value": int(one) if one else self.cleaned_data[f"end-{kind}"]} if f"end-{kind}" in self.fields else {}
        )
        rules = {key: self.cleaned_data[RULE + key] for key in self.options}
        return {
            "game": self.game.id,
            "seats": [names[place] for place in taken],
            "first_dealer": taken.index(dealer) if dealer in taken else 0,
            "options": {key: value for key, value in rules.items() if value is not None},
            **({"title": title} if (title := self.cleaned_data.get("title")) else {}),
            "end": {"kind": kind} | counted,
            "private": self.cleaned_data["private"],
            **({"time_zone": zone} if (zone := self.cleaned_data["time_zone"]) else {}),
        }

    def players(self) -> tuple[int, ...]:
        """Return the possible numbers of players: at least as many as have names."""
        named = sum(bool(name.strip()) for name in self["name"].value() or ())
        return tuple(number for number in self.game.players if number >= named) or self.game.players

    def sentence(self) -> dict[str, Any]:
        kind, _colon, one = str(self["end"].value() or "").partition(":")
        counted = f"end-{kind}"
        shown = self.errors if self.refused else {}
        wrong = {
            name.removeprefix(RULE): [str(text) for text in texts]
            for name, texts in shown.items()
            if name.startswith(RULE)
        }
        end = (kind, one or (self[counted].value() if counted in self.fields else None))
        return house_sentence(self.game, self.chosen(), self.players(), entered=self.entered(), problems=wrong, end=end)

    def kept(self) -> dict[str, str]:
        """Return the house rules and end to save on the device, as form values."""
        names = ["end", *(name for name in self.fields if name.startswith("end-"))]
        names += [RULE + key for key in self.chosen()]
        return {name: str(value) for name in names if (value := self[name].value()) not in (None, "")}


def _value(option: Option, text: str) -> object:
    number = whole(text)
    if option.span is not None:
        return option.standard if number is None else number
    return option.values[number] if number is not None and number < len(option.values) else option.standard


def field_text(option: Option, value: object) -> str:
    return str(option.values.index(value)) if option.values else str(value)


def _rule(option: Option) -> forms.Field:
    """Return an option's field: an index into its values, or an integer."""
    label = _(option.label)
    if option.span is not None:
        return forms.IntegerField(label=label, required=False, initial=option.standard)
    choices = [(str(place), label) for place, label in enumerate(option.labels or map(str, option.values))]
    return forms.TypedChoiceField(
        label=label,
        choices=choices,
        coerce=lambda place: option.values[int(place)],
        required=False,
        initial="0",
        empty_value=None,
    )


def rule_values(game: Game, rules: Rules) -> dict[str, object]:
    """Return a table's house rules as form values."""
    values: dict[str, object] = {}
    for option in game.all_options():
        value = rules.options.get(option.key, option.standard)
        if option.values:
            values[RULE + option.key] = str(option.values.index(value))
        elif not option.by_players or value != option.standard_for(rules.players):
            values[RULE + option.key] = value  # otherwise the standard value follows the number of players
    return values


NEWCOMER = ((ZERO, gettext_lazy("nothing")), (LOWEST, gettext_lazy("last place’s score")))
"""Choices of a newcomer's starting points."""


class NextTable(forms.Form):
    """A continued table: players, newcomers' points, and replacements for rules that no longer fit."""

    name = Names(required=False)
    newcomer = forms.ChoiceField(
        choices=NEWCOMER,
        required=False,
        initial=ZERO,
    )

    def __init__(self, game: Game, data: QueryDict | None = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.game = game
        for option in game.all_options():
            if RULE + option.key in self.data:
                self.fields[RULE + option.key] = _rule(option)

    def described(self) -> dict[str, object]:
        seats = [name for name in self.cleaned_data["name"] if name]
        rules = {name.removeprefix(RULE): value for name, value in self.cleaned_data.items() if name.startswith(RULE)}
        options = {key: value for key, value in rules.items() if value is not None}
        return {"seats": seats, "newcomer": self.cleaned_data["newcomer"] or ZERO, "options": options}

    def with_rules(self, rules: Rules, problems: Sequence[Problem]) -> "NextTable":
        """Return the form with a field for each house rule that doesn't fit, set to a value that does."""
        assert isinstance(self.data, QueryDict)
        data, options = self.data.copy(), {option.key: option for option in self.game.all_options()}
        players = sum(map(bool, self.cleaned_data["name"]))
        keys = [key for problem in problems if (key := problem.pointer.removeprefix("/options/")) in options]
        if keys and players in self.game.players:
            fitting = settled(self.game, changed_rules(rules), (players,), keep=frozenset()) or {}
            for key in keys:
                data[RULE + key] = field_text(options[key], fitting.get(key, options[key].standard_for(players)))
        return NextTable(self.game, data)

    def words(self, rules: Rules) -> list[dict[str, Any]]:
        """Return the house rules that don't fit the number of players, with their alternatives."""
        asked = {
            name.removeprefix(RULE): str(self[name].value() or "") for name in self.fields if name.startswith(RULE)
        }
        if not asked:
            return []
        chosen = changed_rules(rules) | {
            option.key: _value(option, asked[option.key]) for option in self.game.all_options() if option.key in asked
        }
        players = [sum(map(bool, self["name"].value()))]
        wrong = {key: [str(text) for text in self.errors.get(RULE + key, ())] for key in asked}
        end = (rules.end.kind, rules.end.value)
        told = house_sentence(self.game, chosen, players, entered=asked, problems=wrong, end=end)
        return [word for word in (*told["worded"], *told["more"]) if word["key"] in asked]


class ImportForm(forms.Form):
    """A record to import, as a file or pasted text."""

    time_zone = DeviceZone(required=False)
    file = forms.FileField(required=False, allow_empty_file=True)
    text = forms.CharField(required=False, strip=False)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fields["text"].validators = []  # the record's reader reports the position of a NUL

    def sent_text(self) -> str:
        """Return the file's or the pasted text, decoded. Raises ``Refused``."""
        file = self.cleaned_data["file"]
        if not file:
            sent: str = self.cleaned_data["text"]
            body = sent.encode(errors="replace")
        else:
            body = file.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise Refused([Problem("", "too-large", gettext_noop("This file is too large to upload here."))])
        return read_file(body)


class LinkFor(forms.Form):
    """The holder of a new link: ``role``, or ``player:seat``."""

    def __init__(self, row: Table, *args: Any) -> None:
        super().__init__(*args)
        players = [(f"{Role.PLAYER}:{seat}", name) for seat, name in enumerate(row.seats)]
        others = [(Role.SPECTATOR.value, _("Spectator")), (Role.SCOREKEEPER.value, _("Scorekeeper"))]
        self.fields["for"] = forms.ChoiceField(choices=[*players, *others])


def tags_in(text: str) -> list[str]:
    """Parse tags separated by commas or number signs.

    >>> tags_in("cup, final #league")
    ['cup', 'final', 'league']
    """
    return [tag for part in text.replace("#", ",").split(",") if (tag := part.strip())]


def refuse(form: forms.Form, problems: Iterable[Problem]) -> None:
    for problem in problems:
        field = problem.pointer.replace("/options/", RULE)
        form.add_error(field if field in form.fields else None, problem.rendered(PAGE_LANGUAGE))


def refuse_record(form: ImportForm, problems: Iterable[Problem]) -> None:
    """Add a record's problems to the form, with their locations."""
    for problem in problems:
        text, place = problem.rendered(PAGE_LANGUAGE), place_of(problem.pointer)
        form.add_error(None, format_html("<strong>{}</strong>: {}", place, text) if place else text)


IN_TEXT = re.compile(r"line (\d+), column (\d+)")
IN_RECORD = re.compile(r"/(hands|seats|carried|log|dealt)/(\d+)(?:/events/(\d+))?")


def place_of(pointer: str) -> str:
    """Describe a location in a record, counted from 1; empty if the problem's message names it.

    >>> place_of("line 8, column 1"), place_of("/hands/0/events/3/cards/0"), place_of("/game")
    ('line 8', 'hand 1, entry 4', '')
    """
    if at := IN_TEXT.fullmatch(pointer):
        where = _("line {line}") if at[2] == "1" else _("line {line}, column {column}")
        return where.format(line=at[1], column=at[2])
    if at := IN_RECORD.match(pointer):
        part, number = at[1], int(at[2]) + 1
        if at[3] is not None:
            return filled(_("hand {hand}, entry {entry}"), hand=number, entry=int(at[3]) + 1)
        if part in ("hands", "dealt"):
            return filled(_("hand {hand}"), hand=number)
        return filled(_("entry {number}") if part == "log" else _("player {number}"), number=number)
    return ""


def problems_of(form: forms.Form, *, rules: bool | None = None) -> list[str]:
    """Return the form's problems; ``rules`` selects those of house rules and end, or all others.

    A house rule's problem links to its field.
    """
    return [
        format_html(
            '<a class="word" role="button" href="#pick-{}">{}</a>: {}',
            name.removeprefix(RULE),
            form.fields[name].label,
            str(text).removeprefix(f"{form.fields[name].label}: "),  # the referee's message repeats the rule's name
        )
        if name.startswith(RULE)
        else str(text)
        for name, texts in form.errors.items()
        if rules in (None, name.startswith((RULE, "end")))
        for text in texts
    ]
