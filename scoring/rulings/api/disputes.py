"""API of disputes at a table, and of a group's law book."""

from typing import Annotated, Any, NotRequired, TypedDict

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.reader import LONGEST_TEXT, Reader
from referee.engine.shapes import Named, one_of, ref
from referee.engine.sheet import (
    DescribedIrregularity,
    DescribedReason,
    DescribedScoreLine,
    DescribedTrick,
    EventData,
    Moment,
    Plain,
)
from scoring.groups.api.groups import OF_GROUP, GroupAPIView
from scoring.groups.reads.group_tables import Place, place_in_time
from scoring.models import DisputeState, Link, Precedent
from scoring.rulings.acts import disputing, precedents
from scoring.rulings.acts.disputing import Claim, Decision, Disputed
from scoring.rulings.acts.precedents import LONGEST_CODE, NewPrecedent, read_facts, read_plain
from scoring.rulings.reads.disputes import LONGEST_WORD, SCOREKEEPER, DisputeNow, disputes_now, what_the_record_tells
from scoring.rulings.reads.precedents import precedents_of
from scoring.tables.api.access import OF_TABLE, Records, TableAPIView
from scoring.tables.api.answers import WhoRules, answered
from scoring.tables.api.bodies import Body, Choice, EventField, Flag, Listed, Text, Whole, Words
from scoring.tables.api.http import PageQuery, etag, page_of, paged
from scoring.tables.api.schema import operation, problems
from scoring.tables.reads.state import find_table

RULED = (DisputeState.UPHELD.value, DisputeState.OVERRULED.value)
MOST_CLAUSES = 20
MOST_ANSWERS = 50
MOST_REMEDY = 20
DEEPEST = 4
TAKES = {
    "rule": ("text", "status", "clauses", "remedy", "tree", "answers"),
    "agree": ("text", "remedy"),
    "withdraw": ("text",),
    "pause": ("paused",),
    "carry-out": (),
}
"""The body keys that each act takes, besides ``act``."""
ACTS = tuple(TAKES)
NEEDED = {
    "rule": {"status": "A ruling upholds or overrules.", "text": "A ruling needs its reason in words."},
    "pause": {"paused": "It waits, or it does not."},
}
DisputeStatus = Annotated[str, Named("DisputeStatus", one_of(DisputeState.values, "The outcome so far."))]
OF_DISPUTE = OF_TABLE | {"number": "The number of the dispute, from 1."}


class Clause(serializers.CharField):
    """A clause id."""

    def read(self, reader: Reader, value: Any, pointer: str) -> str:
        return reader.text(value, pointer, LONGEST_WORD) or ""


class Answer(serializers.JSONField):
    """An answer given in a guided ruling: any JSON value of limited depth and size."""

    def read(self, reader: Reader, value: Any, pointer: str) -> Any:
        if _depth(value) > DEEPEST or len(str(value)) > LONGEST_TEXT:
            reader.value(pointer, "An answer must be a simple value, such as a word or a number.")
        return value


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


@extend_schema_serializer(component_name="DisputeSubject")
class AboutBody(Body):
    """What a dispute is about: a hand, and optionally one of its events, tricks or score lines."""

    hand = Whole(min_value=1, allow_null=True, default=None, help_text="From 1; null: the last one.")
    event = Whole(min_value=0, allow_null=True, default=None, help_text="Its position in the hand, from 0.")
    trick = Whole(min_value=1, allow_null=True, default=None, help_text="Its number, from 1.")
    score_line = Whole(
        min_value=0, allow_null=True, default=None, help_text="Its place among the score lines of the hand, from 0."
    )


@extend_schema_serializer(component_name="DisputeToRaise")
class DisputeBody(Body):
    """A dispute to raise."""

    claim = Words(max_length=LONGEST_TEXT, error_messages={"required": "What is wrong is needed in words."})
    about = AboutBody(allow_null=True, default=None)
    seat = Whole(min_value=0, allow_null=True, default=None, help_text="The seat that makes the claim.")
    pause = Flag(default=False, help_text="Whether to pause play until the ruling.")


@extend_schema_serializer(component_name="DisputeAct")
class ActBody(Body):
    """An act on a dispute. `rule` requires `status` and `text`, `pause` requires `paused`."""

    # No field has a default in the schema: generated clients would send it with acts that don't take it.

    act = Choice(ACTS, error_messages={"required": "An act on a dispute is needed."})
    text = Text(
        allow_blank=True, default=None, max_length=LONGEST_TEXT, help_text="`rule`, `agree`, `withdraw`: the text."
    )
    status = Choice(RULED, default=None, help_text="`rule`: the decision.")
    clauses = Listed(
        child=Clause(), most=MOST_CLAUSES, default=None, help_text="`rule`: the clauses behind the decision."
    )
    remedy = Listed(
        child=EventField(),
        most=MOST_REMEDY,
        default=None,
        help_text="`rule`, `agree`: the events that carry out the remedy.",
    )
    tree = Text(default=None, help_text="`rule`: the guide that led to the decision.")
    answers = Listed(
        child=Answer(), most=MOST_ANSWERS, default=None, help_text="`rule`: the answers given in that guide."
    )
    paused = Flag(default=None, help_text="`pause`: whether to pause play until the ruling.")

    def read(self, reader: Reader, posted: Any, pointer: str) -> dict[str, Any]:
        values = super().read(reader, posted, pointer)
        if (act := values.get("act")) in TAKES:
            reader.keys(posted, ("act", *TAKES[act]), pointer)
            for name, says in NEEDED.get(act, {}).items():
                if name not in posted:
                    reader.shape(f"{pointer}/{name}", says, "missing-key")
            words = (values["text"] or "").strip()
            if words or (act == "rule" and "text" in posted):
                reader.words(words, f"{pointer}/text")
        return values


class DisputeWords(TypedDict):
    """A statement in a dispute."""

    text: str
    by: str
    seat: int | None
    at: Moment
    seq: int


class DisputeOffer(DisputeWords):
    """One side's offer, and the events of its remedy."""

    remedy: list[EventData]


class DisputeVote(DisputeWords):
    """A seat's vote."""

    vote: DisputeStatus


class DescribedDecision(DisputeWords):
    """The decision of a dispute, and its remedy."""

    clauses: list[str]
    remedy: list[EventData]
    carried_out: bool
    tree: str | None
    answers: list[
        Annotated[Any, "An answer that led to the decision, any small JSON; for a guide, question and answer."]
    ]


class DisputeAbout(TypedDict):
    """What a dispute is about: a hand (from 1), and a position in it, if any."""

    hand: int
    event: NotRequired[int | None]
    trick: NotRequired[int | None]
    score_line: NotRequired[int | None]
    seq: NotRequired[int | None]


class DescribedDispute(TypedDict):
    """A dispute and its current status."""

    id: int
    status: DisputeStatus
    about: DisputeAbout
    situation: str
    paused: bool
    claim: str
    by: str
    seat: int | None
    at: Moment
    seq: int
    votes: list[DisputeVote]
    proposal: DisputeOffer | None
    decision: DescribedDecision | None


class Disputes(TypedDict):
    """One page of a table's disputes."""

    rules_by: WhoRules
    disputes: list[DescribedDispute]
    next: str | None


class DisputeEvidence(TypedDict):
    """What the record shows about a dispute."""

    event: EventData | None
    trick: DescribedTrick | None
    score_line: DescribedScoreLine | None
    findings: list[DescribedIrregularity]
    unchecked: list[DescribedReason]
    held: bool


class DisputeInFull(DescribedDispute):
    """A dispute with its evidence."""

    evidence: DisputeEvidence


class DisputeDone(TypedDict):
    """The result of an act on a dispute."""

    version: int
    dispute: DescribedDispute


DONE = {201: DisputeDone, **problems(409)}


class DisputesView(TableAPIView):
    tag = "disputes"
    write_permission = Records

    @operation("list_disputes", "The disputes of a table, oldest first", {200: Disputes}, parameters=[PageQuery])
    def get(self, request: Request, code: str) -> Response:
        """Open and decided disputes. `rules_by` says who decides: the scorekeeper, the majority, or a neutral phone."""
        rules_by, found = self.table.ruled_by.get("kind", SCOREKEEPER), disputes_now(self.table)
        return paged(self, "disputes", found, describe_dispute, lambda each: (each.number,), rules_by=rules_by)

    @operation("raise_dispute", "Call the referee", DONE, request=DisputeBody)
    def post(self, request: Request, code: str) -> Response:
        """Open to the scorekeeper, and to players in their own name. `about` is optional. With `pause`, no card is
        accepted until the dispute is decided.
        """
        body = self.read(DisputeBody)
        about = body["about"]
        if about and about["hand"] is not None:
            about["hand"] -= 1
        claim = Claim(text=body["claim"], about=about, seat=body["seat"], pause=body["pause"])
        return done(self.code, disputing.raise_dispute(self.code, claim, self.caller))


class DisputeView(TableAPIView):
    tag = "disputes"
    address = OF_DISPUTE

    @operation("get_dispute", "A dispute, with the evidence from the record", {200: DisputeInFull})
    def get(self, request: Request, code: str, number: int) -> Response:
        """`evidence` holds the plays, what the record proves, and what it can’t show."""
        each = disputing.there(self.table, number)
        keeps = self.link is not None and self.link.keeps
        evidence = what_the_record_tells(self.table, each, keeps=keeps)
        told = {key: value for key, value in evidence.items() if key not in ("numbers", "rows")}
        return Response(describe_dispute(each) | {"evidence": told})


class Speaks(Records):
    """Permission for any link; each act checks its own."""

    def may(self, link: Link) -> bool:
        return True


class DisputeActsView(TableAPIView):
    tag = "disputes"
    address = OF_DISPUTE
    write_permission = Speaks

    @operation("act_on_dispute", "Rule, agree, withdraw, pause, or carry out a ruling", DONE, request=ActBody)
    def post(self, request: Request, code: str, number: int) -> Response:
        """`rule` decides the dispute, or casts a vote at tables where the majority decides; see `rules_by`. If the
        caller is the scorekeeper, the events of `remedy` are recorded with the ruling, all or nothing; otherwise a
        scorekeeper records them with `carry-out`.

        `agree` makes an offer, with `remedy` events if any, or accepts the other side’s with an empty text; the dispute
        is settled when both sides agree to the same offer. `withdraw` and `pause` (stop or resume play) are for whoever
        raised the dispute, and for the scorekeeper. While play is paused, no card is accepted (409 `table-paused`).
        """
        body, caller = self.read(ActBody), self.caller
        text = (body["text"] or "").strip()
        match body["act"]:
            case "rule":
                fields = {name: body[name] for name in TAKES["rule"] if name != "status" and body[name] is not None}
                decision = Decision(state=DisputeState(body["status"]), **fields | {"text": text})
                return done(self.code, disputing.rule(self.code, number, decision, caller))
            case "agree":
                return done(self.code, disputing.agree(self.code, number, text, caller, remedy=body["remedy"] or ()))
            case "withdraw":
                return done(self.code, disputing.withdraw(self.code, number, text, caller))
            case "pause":
                return done(self.code, disputing.pause(self.code, number, caller, paused=body["paused"]))
            case _:
                return done(self.code, disputing.carry_out_ruling(self.code, number, caller))


def done(code: str, disputed: Disputed) -> Response:
    """Build the 201 response to an act: the table's version, and the dispute as it is now."""
    row = find_table(code)
    assert row is not None
    body = {"version": disputed.version, "dispute": describe_dispute(disputing.there(row, disputed.number))}
    address = reverse("table-dispute", args=[code, disputed.number])
    return Response(body, status=201, headers={"ETag": etag(disputed.version), "Location": address})


def describe_dispute(each: DisputeNow) -> DescribedDispute:
    ruling, proposal = each.ruling, each.proposal if each.is_open else None
    said = {name: getattr(each.claim, name) for name in ("by", "seat", "at", "seq")}
    votes = sorted(each.votes.items())
    return answered(
        DescribedDispute,
        each,
        **said,
        id=each.number,
        status=each.state.value,
        about={**each.about, "hand": (each.about["hand"] or 0) + 1},
        claim=each.claim.text,
        votes=[answered(DisputeVote, vote, vote=each.voted[seat].value) for seat, vote in votes],
        proposal=proposal and answered(DisputeOffer, proposal),
        decision=ruling and answered(DescribedDecision, ruling),
    )


# --- The law book of a group


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

        return paged(self, "precedents", precedents_of(self.group), describe_precedent, place)

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
