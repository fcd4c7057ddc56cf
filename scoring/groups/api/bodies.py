"""Request bodies and query parameters of groups."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from referee.engine.game import all_games, find_game
from referee.engine.reader import Reader
from referee.engine.rules import Problem, Refused
from referee.engine.texts import phrase
from scoring.groups.acts.evenings import MOST_HERE
from scoring.groups.reads.group_export import SHAPES
from scoring.groups.reads.group_tables import STATES
from scoring.models import Colour, GroupRole, RankedBy, Scope
from scoring.models.fields import LONGEST_GAME
from scoring.tables.api import bodies
from scoring.tables.api.bodies import Body
from scoring.tables.api.http import PageQuery
from scoring.wording import filled

LONGEST_WORDS = 100
MOST_MOMENTS, USUAL_MOMENTS = 200, 24


@extend_schema_serializer(component_name="GroupToMake")
class NewGroupBody(Body):
    """A new group: its name and people."""

    name = bodies.Name(error_messages={"required": "A group needs a name."})
    people = bodies.Names(default=[], help_text="Names; more can be added later.")
    time_zone = bodies.TimeZone(
        allow_null=True,
        default=None,
        help_text="The time zone that decides evenings, an IANA name such as Europe/Berlin.",
    )


@extend_schema_serializer(component_name="GroupChanges")
class GroupBody(Body):
    """Settings of a group to change; omitted keys stay."""

    name = bodies.Name(default=None)
    counts_revokes = bodies.Flag(default=None, help_text="Whether the statistics count each person’s revokes.")
    shares_rulings = bodies.Flag(
        default=None, help_text="Whether others can read the rulings at its tables, without names."
    )
    ranked_by = bodies.Choice(
        RankedBy.choices, default=None, help_text="How people are ranked on an evening and in a new season."
    )
    time_zone = bodies.TimeZone(
        allow_null=True, default=None, help_text="The time zone that decides evenings; changing it regroups them."
    )


class Day(serializers.DateField):
    """A date in ISO 8601 format, such as 2026-03-12."""

    says = phrase("A day is written like 2026-03-12.")

    def read(self, reader: Reader, value: Any, pointer: str) -> date | None:
        written = reader.text(value, pointer, 10)
        try:
            return None if written is None else date.fromisoformat(written)
        except ValueError:
            reader.value(pointer, self.says)
            return None


class SeasonBody(Body):
    """Fields of a season to change; omitted keys stay."""

    name = bodies.Name(default=None)
    first = Day(default=None, help_text="The first day.")
    last = Day(default=None, allow_null=True, help_text="The last day; null: not set.")
    evenings = bodies.Whole(
        default=None, allow_null=True, help_text="The number of evenings after which it ends; null: not set."
    )
    ranked_by = bodies.Choice(RankedBy.choices, default=None)


class NewSeasonBody(SeasonBody):
    """A new season: its name, first day, and optionally its end."""

    name = bodies.Name(error_messages={"required": "A season needs a name."})
    first = Day(help_text="The first day.", error_messages={"required": "A season needs a first day."})
    ranked_by = bodies.Choice(
        RankedBy.choices, default=None, help_text="How people are ranked; by default as on the group’s evenings."
    )


class DrawBody(Body):
    """Who is here tonight, and how to draw their tables."""

    people = bodies.Listed(
        child=bodies.Whole(), most=MOST_HERE, error_messages={"required": "It takes the ids of who is here."}
    )
    game = bodies.Choice(
        [(each.id, each.name) for each in all_games()], default="", help_text="Without it, each table picks one."
    )
    by_rating = bodies.Flag(default=False, help_text="Whether people with similar ratings sit together.")
    seed = bodies.Whole(
        default=None,
        allow_null=True,
        help_text="The same seed draws the same tables; without it, a random one is chosen.",
    )


class StartBody(Body):
    """The game of each drawn table."""

    games = bodies.Listed(
        child=bodies.Text(), most=MOST_HERE, default=[],
        help_text="The id of a game for each table, if not that of the draw; an empty string opens no table.",
    )  # fmt: skip


@extend_schema_serializer(component_name="GroupLinkToMake")
class GroupLinkBody(Body):
    """A new link to a group: its role and name, and the scope of a bot’s key."""

    role = bodies.Choice(GroupRole.choices, error_messages={"required": "A link needs a role."})
    scope = bodies.Choice(
        Scope.choices, allow_null=True, default=None, help_text="What a bot’s key allows; only for a bot."
    )
    name = bodies.Label(max_length=60, default="", allow_blank=True)


@extend_schema_serializer(component_name="GroupLinkName")
class LinkNameBody(Body):
    """The new name of a link."""

    name = bodies.Name(error_messages={"required": "A link needs a name."})


@extend_schema_serializer(component_name="PersonToAdd")
class NewPersonBody(Body):
    """A new person in a group."""

    name = bodies.Name(error_messages={"required": "A person needs a name."})
    aliases = bodies.Names(default=[], help_text="Other spellings of the name.")
    colour = bodies.Choice(
        Colour.choices,
        default=None,
        allow_null=True,
        help_text="Null: a colour that as few people in the group as possible have.",
    )


@extend_schema_serializer(component_name="PersonChanges")
class PersonBody(Body):
    """Fields of a person to change; omitted keys stay."""

    name = bodies.Name(default=None)
    aliases = bodies.Names(default=None)
    colour = bodies.Choice(
        Colour.choices,
        allow_null=True,
        default=None,
        help_text="Null: a colour that as few others in the group as possible have.",
    )
    distinct_from = bodies.Listed(
        child=bodies.Whole(),
        most=bodies.MOST_NAMES,
        default=None,
        help_text="The ids of people with similar names who are someone else.",
    )


@extend_schema_serializer(component_name="Phone")
class PhoneBody(Body):
    """The person whose phone this is; null if it only watches."""

    person = bodies.Whole(
        allow_null=True, error_messages={"required": "The id of a person is needed, or null for who only watches."}
    )
    takes_over = bodies.Flag(default=False, help_text="Whether this phone replaces the person’s earlier phone.")


@extend_schema_serializer(component_name="Merge")
class MergeBody(Body):
    """The person to merge this one into; null separates them again."""

    into = bodies.Whole(
        allow_null=True, error_messages={"required": "The id of a person is needed, or null to part them."}
    )


class GameField(serializers.CharField):
    """The id of an installed game."""

    def to_internal_value(self, data: Any) -> str:
        game = super().to_internal_value(data)
        if 0 < len(game) <= LONGEST_GAME and find_game(game) is None:
            known = ", ".join(each.id for each in all_games())
            wrong = phrase("The games are: {known}.", known=known)
            raise Refused([Problem("/game", "unknown-game", wrong)], malformed=True)
        return game


class Query(serializers.Serializer[Any]):
    """Query parameters of a group's results."""

    def get_fields(self) -> dict[str, Any]:
        days = {
            "from": serializers.DateField(default=None, help_text="The first evening, as 2026-03-12."),
            "to": serializers.DateField(default=None, help_text="The last evening."),
        }
        return days | super().get_fields()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["from"] is not None and attrs["to"] is not None and attrs["from"] > attrs["to"]:
            raise serializers.ValidationError({"to": [gettext("The last evening is before the first.")]})
        return attrs


class SeasonQuery(Query):
    """Filters of a group's results: game and evenings."""

    game = GameField(
        max_length=LONGEST_GAME,
        default="",
        help_text="The key of a game: its id, or `any-game:Skat`.",
    )


class SeasonWhatIfQuery(PageQuery, SeasonQuery):
    """The game and evenings to replay; other parameters are house rules of the game."""


class ArchiveQuery(SeasonQuery):
    """Format and filters of an export."""

    def get_fields(self) -> dict[str, Any]:
        says = (
            "The results as history or statistics (CSV), both as text, a file for BG Stats, or a calendar. Without "
            "it, the whole group."
        )
        return super().get_fields() | {"as": bodies.Word([*SHAPES], default="", help_text=says)}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["as"]:
            refuse_beside(self, "as", "game", "from", "to")
        return super().validate(attrs)


PARTS: Mapping[str, Sequence[str]] = {
    "": ("person",), "ratings": ("person", "moments"), "hands": ("person",), "pair": ("person", "with"),
}  # fmt: skip
"""The parts of the statistics, and which further parameters each accepts."""


class StatisticsQuery(SeasonQuery):
    part = bodies.Word(
        [*filter(None, PARTS)],
        default="",
        help_text="Ratings over time, results of hands, or two people compared. Without it, everyone’s totals.",
    )
    by = bodies.Word(
        ["evening"], default="", help_text="Instead, everyone’s wins, places and points over the chosen evenings."
    )
    person = bodies.Digits(min_value=1, default=None, help_text="The id of a person: only what concerns them.")
    moments = bodies.Digits(
        min_value=2, max_value=MOST_MOMENTS, default=USUAL_MOMENTS, help_text="`part=ratings`: the number of moments."
    )

    def get_fields(self) -> dict[str, Any]:
        other = bodies.Digits(min_value=1, default=None, help_text="`part=pair`: the id of the other person.")
        return super().get_fields() | {"with": other}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["by"]:
            refuse_beside(self, "by", "part", "person", "with", "moments")
        refuse_beside(self, "part", *({"person", "with", "moments"} - {*PARTS[attrs["part"]]}))
        if attrs["part"] == "pair":
            missing = [name for name in ("person", "with") if attrs[name] is None]
            if missing:
                raise serializers.ValidationError({name: [gettext("Choose two people.")] for name in missing})
        return super().validate(attrs)


def refuse_beside(query: Query, chosen: str, *names: str) -> None:
    """Raise ``ValidationError`` for parameters that don't apply to the value of ``chosen``."""
    told = filled(gettext("This goes with another value of {name}."), name=chosen)
    wrong = {name: [told] for name in names if name in query.initial_data}
    if wrong:
        raise serializers.ValidationError(wrong)


class TablesQuery(PageQuery, SeasonQuery):
    person = bodies.Digits(
        min_value=1, default=None, help_text="The id of a person; people merged into them count too."
    )
    status = bodies.Word(STATES, default="", help_text="Only tables whose game is running, or finished.")
    place = serializers.CharField(max_length=LONGEST_WORDS, default="", help_text="Only tables played at this place.")
    tag = serializers.CharField(max_length=LONGEST_WORDS, default="", help_text="Only tables with this tag.")
    q = serializers.CharField(
        max_length=LONGEST_WORDS,
        default="",
        allow_blank=True,
        help_text="Only tables with all these words in a note, the place or the tags.",
    )


class EveningsQuery(PageQuery, Query):
    """Filters of a group's evenings."""
