"""API of a group's law book."""

from typing import TypedDict

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.reader import LONGEST_TEXT
from referee.engine.shapes import ref
from referee.engine.sheet import Moment, Plain
from scoring.groups.api.groups import OF_GROUP, GroupAPIView
from scoring.groups.reads.group_tables import Place, place_in_time
from scoring.models import Precedent
from scoring.rulings.acts import precedents
from scoring.rulings.acts.precedents import LONGEST_CODE, NewPrecedent, read_facts, read_plain
from scoring.rulings.reads.precedents import precedents_of
from scoring.tables.api.answers import answered
from scoring.tables.api.bodies import Body, Text, Whole
from scoring.tables.api.paging import PageQuery, Paginator, page_of
from scoring.tables.api.schema import operation


@extend_schema_field({"type": ["boolean", "integer", "string"]})
class PlainValue(serializers.JSONField):
    """The value of a house rule: boolean, integer, string or null."""

    read = staticmethod(read_plain)


@extend_schema_field({"type": "object", "additionalProperties": ref("PlainValue")})
class Facts(serializers.DictField):
    """The facts of a reason: plain values by name."""

    read = staticmethod(read_facts)


@extend_schema_serializer(component_name="FromDispute")
class FromDisputeBody(Body):
    """A decided dispute, by table code and number."""

    table = Text(max_length=20, error_messages={"required": "The code of the table is needed."})
    number = Whole(error_messages={"required": "The number of the dispute is needed."})


@extend_schema_serializer(component_name="PrecedentToMake")
class NewPrecedentBody(Body):
    """A decision to add to a group's law book."""

    question = Text(default="", allow_blank=True, max_length=LONGEST_TEXT)
    decision = Text(default="", allow_blank=True, max_length=LONGEST_TEXT)
    game = Text(default="", allow_blank=True, help_text="The id of a game; empty: every game.")
    code = Text(default="", allow_blank=True, max_length=LONGEST_CODE, help_text="The code of a reason.")
    clause = Text(default="", allow_blank=True, max_length=20, help_text="A clause, if there is no code.")
    facts = Facts(default={}, help_text="Facts of the reason that must match.")
    option = Text(default="", allow_blank=True, max_length=60, help_text="The house rule it is about.")
    value = PlainValue(
        default=None, allow_null=True, help_text="The default of that house rule for the group’s new tables."
    )
    dispute = FromDisputeBody(default=None, allow_null=True, help_text="The dispute whose ruling this is.")


@extend_schema_serializer(component_name="PrecedentChanges")
class PrecedentBody(Body):
    """The fields of a decision to change; missing fields stay as they are."""

    question = Text(default=None, max_length=LONGEST_TEXT)
    decision = Text(default=None, max_length=LONGEST_TEXT)
    value = PlainValue(default=None, allow_null=True)


class DisputeAtTable(TypedDict):
    """The dispute that led to a decision."""

    table: str
    number: int | None


class DescribedPrecedent(TypedDict):
    """A decision in a group's law book."""

    id: int
    game: str | None
    code: str | None
    clause: str | None
    facts: dict[str, Plain]
    question: str
    decision: str
    option: str | None
    value: Plain
    dispute: DisputeAtTable | None
    since: Moment


Precedents = page_of("Precedents", "A page of a group’s law book.", precedents=DescribedPrecedent)


class PrecedentsView(GroupAPIView):
    @operation(
        "list_precedents", "A group’s law book, latest decision first", {200: Precedents}, parameters=[PageQuery]
    )
    def get(self, request: Request, code: str) -> Response:
        """A decision with an `option` sets the default of that house rule for the group’s new tables."""

        def place(each: Precedent) -> Place:  # latest first
            return tuple(-number for number in place_in_time(each.since, each.pk))

        pages = Paginator(self, self.query(PageQuery))
        return pages.answer(
            {"precedents": [describe_precedent(each) for each in pages.cut(precedents_of(self.group), place)]}
        )

    @operation(
        "make_precedent",
        "Make a ruling, or the answer to an open question, a rule of the group",
        {201: DescribedPrecedent},
        request=NewPrecedentBody,
    )
    def post(self, request: Request, code: str) -> Response:
        """`dispute` alone is enough: question, decision, game, clause and code are then taken from its ruling. A
        decision about a house rule (`option`, `value`) sets the default for the group’s new tables.
        """
        body = self.read(NewPrecedentBody)
        of = body.pop("dispute") or {"table": "", "number": None}
        wanted = NewPrecedent(**body, table=of["table"], dispute=of["number"])
        made = precedents.decide(self.group.code, wanted, self.caller)
        return Response(describe_precedent(made), status=201)


class PrecedentView(GroupAPIView):
    address = OF_GROUP | {"number": "The id of the decision."}

    @operation("change_precedent", "Change a decision", {200: DescribedPrecedent}, request=PrecedentBody)
    def patch(self, request: Request, code: str, number: int) -> Response:
        """Missing fields stay as they are. `since` becomes the time of the change."""
        changes = self.read(PrecedentBody, partial=True)
        made = precedents.change_precedent(self.group.code, number, changes, self.caller)
        return Response(describe_precedent(made))

    @operation("drop_precedent", "Delete a decision", {204: None})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """Rulings that cite the decision are kept."""
        precedents.drop_precedent(self.group.code, number, self.caller)
        return Response(status=204)


def describe_precedent(made: Precedent) -> DescribedPrecedent:
    words = {name: getattr(made, name) or None for name in ("game", "code", "clause", "option")}
    dispute = None if made.table is None else {"table": made.table.code, "number": made.dispute}
    return answered(DescribedPrecedent, made, **words, dispute=dispute)
