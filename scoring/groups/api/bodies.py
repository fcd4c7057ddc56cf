"""What the calls at a group take."""

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from referee.engine.game import all_games, find_game
from referee.engine.rules import Problem, Refused
from scoring.models import Colour, GroupRole, Scope
from scoring.tables.api import bodies
from scoring.tables.api.bodies import Body

MOST_TABLES, USUAL_TABLES = 100, 30
MOST_EVENINGS, USUAL_EVENINGS = 30, 10
LONGEST_WORDS = 100
LONGEST_GAME = 40
MOST_MOMENTS, USUAL_MOMENTS = 200, 24


@extend_schema_serializer(component_name="GroupToMake")
class NewGroupBody(Body):
    """A group: its name and who plays in it."""

    name = bodies.Name(error_messages={"required": "A group needs a name."})
    people = bodies.Names(default=[], help_text="Names; more can come later.")
    time_zone = bodies.TimeZone(
        allow_null=True, default=None, help_text="Where evenings are counted, an IANA name such as Europe/Berlin."
    )


@extend_schema_serializer(component_name="GroupChanges")
class GroupBody(Body):
    """What changes of a group; what is missing stays."""

    name = bodies.Name(default=None)
    counts_revokes = bodies.Flag(default=None, help_text="Whether statistics say who revoked how often.")
    shares_rulings = bodies.Flag(
        default=None, help_text="Whether others read, without names, what was ruled at its tables."
    )
    time_zone = bodies.TimeZone(
        allow_null=True, default=None, help_text="Where evenings are counted; they are counted again."
    )


@extend_schema_serializer(component_name="GroupLinkToMake")
class GroupLinkBody(Body):
    """What a link to a group allows, and what people call it."""

    role = bodies.Choice(GroupRole.choices, error_messages={"required": "A link needs a role."})
    scope = bodies.Choice(
        Scope.choices, allow_null=True, default=None, help_text="How far the key of a bot goes; for no other link."
    )
    name = bodies.Label(max_length=60, default="", allow_blank=True)


@extend_schema_serializer(component_name="GroupLinkName")
class LinkNameBody(Body):
    """What people call a link."""

    name = bodies.Name(error_messages={"required": "A link needs a name."})


@extend_schema_serializer(component_name="GroupToRecover")
class RecoverBody(Body):
    """The recovery code of a group, and what becomes of its other links."""

    recovery_code = bodies.Text(error_messages={"required": "The recovery code is needed."})
    name = bodies.Label(max_length=60, default="", allow_blank=True, help_text="Whose the new link is.")
    cancel_older = bodies.Flag(default=False, help_text="Whether all other links are revoked.")


@extend_schema_serializer(component_name="PersonToAdd")
class NewPersonBody(Body):
    """Somebody who plays in a group."""

    name = bodies.Name(error_messages={"required": "A person needs a name."})
    aliases = bodies.Names(default=[], help_text="Other spellings of the name.")
    colour = bodies.Choice(Colour.choices, default=None, allow_null=True)


@extend_schema_serializer(component_name="PersonChanges")
class PersonBody(Body):
    """What changes of somebody; what is missing stays."""

    name = bodies.Name(default=None)
    aliases = bodies.Names(default=None)
    colour = bodies.Choice(Colour.choices, allow_null=True, default=None, help_text="Null: none.")
    distinct_from = bodies.Listed(
        child=bodies.Whole(),
        most=bodies.MOST_NAMES,
        default=None,
        help_text="The ids of people with names much like it who are somebody else.",
    )


@extend_schema_serializer(component_name="TableToAdopt")
class AdoptBody(Body):
    """A table that is to be the group's, by the right of who keeps its score."""

    token = bodies.Text(error_messages={"required": "A scorekeeper’s token of the table is needed."})
    people = bodies.Given(
        child=bodies.Whole(allow_null=True),
        allow_null=True,
        default=None,
        help_text="Who of the group sat where, by id; null for guests. Without it names tell.",
    )


@extend_schema_serializer(component_name="Merge")
class MergeBody(Body):
    """Whom somebody counts as; null: as nobody else any more."""

    into = bodies.Whole(
        allow_null=True, error_messages={"required": "The id of a person is needed, or null to part them."}
    )


class GameField(serializers.CharField):
    """The id of a game that is played here."""

    def to_internal_value(self, data: Any) -> str:
        game = super().to_internal_value(data)
        if 0 < len(game) <= LONGEST_GAME and find_game(game) is None:
            known = ", ".join(each.id for each in all_games())
            raise Refused([Problem("/game", "unknown-game", f"The games are: {known}.")], malformed=True)
        return game


class Query(serializers.Serializer[Any]):
    """What a query of a group's history may hold."""

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
    """Which evenings are counted, and of which game."""

    game = GameField(max_length=LONGEST_GAME, default="", help_text="The id of a game.")


class SeasonWhatIfQuery(SeasonQuery):
    """Which part of which season is looked at; other parameters are house rules of its game."""

    cursor = bodies.Digits(
        min_value=0, max_value=999_999, default=0, help_text="How many tables come before this part."
    )
    limit = bodies.Digits(min_value=1, max_value=20, default=20, help_text="Tables in one answer, at most.")


class StatisticsQuery(SeasonQuery):
    """Whose statistics are wanted, of which game and which evenings."""

    person = bodies.Digits(min_value=1, default=None, help_text="The id of somebody: only what concerns this person.")


class RatingsQuery(StatisticsQuery):
    """Whose ratings are wanted, at which game, from which evenings, and at how many moments."""

    points = bodies.Digits(
        min_value=2, max_value=MOST_MOMENTS, default=USUAL_MOMENTS, help_text="Moments in the answer."
    )


class TablesQuery(SeasonQuery):
    """Which tables of a group are wanted."""

    person = bodies.Digits(
        min_value=1, default=None, help_text="The id of somebody, who counts with whoever is merged."
    )
    state = bodies.Word(["running", "finished"], default="", help_text="Whether their game is over.")
    q = serializers.CharField(
        max_length=LONGEST_WORDS, default="", allow_blank=True, help_text="Words that a note there holds, all of them."
    )
    cursor = serializers.CharField(max_length=40, default="", help_text="From where on, as `next` of a page has it.")
    limit = bodies.Digits(min_value=1, max_value=MOST_TABLES, default=USUAL_TABLES, help_text="Tables in one answer.")


class EveningsQuery(Query):
    """Which evenings of a group are wanted."""

    cursor = serializers.DateField(default=None, help_text="Only evenings before this one.")
    limit = bodies.Digits(
        min_value=1, max_value=MOST_EVENINGS, default=USUAL_EVENINGS, help_text="Evenings in one answer."
    )
