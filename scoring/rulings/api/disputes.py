"""Disputes: calling the referee, and what becomes of it."""

from collections.abc import Callable
from typing import Annotated, Any, NotRequired, TypedDict, cast

from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.reader import LONGEST_TEXT, Reader
from referee.engine.shapes import Named, one_of
from referee.engine.sheet import (
    DescribedIrregularity,
    DescribedReason,
    DescribedScoreLine,
    DescribedTrick,
    EventData,
    Moment,
)
from scoring.models import DisputeState, Link, Table
from scoring.rulings.acts.disputing import (
    Claim,
    Decision,
    Disputed,
    agree,
    carry_out_ruling,
    pause,
    raise_dispute,
    rule,
    withdraw,
)
from scoring.rulings.reads.disputes import (
    LONGEST_WORD,
    SCOREKEEPER,
    DisputeNow,
    RulingMade,
    Statement,
    dispute_now,
    disputes_now,
    what_the_record_tells,
)
from scoring.tables.acts.exceptions import NoSuchDispute
from scoring.tables.api.access import OF_TABLE, KeepsScore, Records, TableAPIView
from scoring.tables.api.answers import WhoRules
from scoring.tables.api.bodies import Body, Choice, EventField, Flag, Listed, Nothing, Text, Whole, Words
from scoring.tables.api.headers import PageQuery, caller_of, etag, paged, part_of
from scoring.tables.api.schema import problems
from scoring.tables.reads.state import find_table

# --- What the calls about disputes take

RULED = (DisputeState.UPHELD.value, DisputeState.OVERRULED.value)
MOST_CLAUSES = 20
MOST_ANSWERS = 50
MOST_REMEDY = 20
DEEPEST = 4


class Clause(serializers.CharField):
    """A clause by its id."""

    def read(self, reader: Reader, value: Any, pointer: str) -> str:
        return reader.text(value, pointer, LONGEST_WORD) or ""


class Answer(serializers.JSONField):
    """What a guided ruling answers, as it is, where it is small."""

    def read(self, reader: Reader, value: Any, pointer: str) -> Any:
        if _depth(value) > DEEPEST or len(str(value)) > LONGEST_TEXT:
            reader.value(pointer, "An answer is a word, a number or something as small.")
        return value


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


@extend_schema_serializer(component_name="DisputeSubject")
class AboutBody(Body):
    """What a dispute is about: a hand, counted from 1, and in it an event by its position, a trick, or a score line."""

    hand = Whole(min_value=1, allow_null=True, default=None, help_text="From 1; null: the last one.")
    event = Whole(min_value=0, allow_null=True, default=None, help_text="Its position in the hand, from 0.")
    trick = Whole(min_value=1, allow_null=True, default=None, help_text="Its number, from 1.")
    score_line = Whole(
        min_value=0, allow_null=True, default=None, help_text="Its place among the score lines of the hand, from 0."
    )


@extend_schema_serializer(component_name="DisputeToRaise")
class DisputeBody(Body):
    """What somebody calls the referee for."""

    claim = Words(max_length=LONGEST_TEXT, error_messages={"required": "What is wrong is needed in words."})
    about = AboutBody(allow_null=True, default=None)
    seat = Whole(min_value=0, allow_null=True, default=None, help_text="Whose claim it is.")
    pause = Flag(default=False, help_text="Whether the hand waits for the ruling.")


@extend_schema_serializer(component_name="RulingToMake")
class DisputeRulingBody(Body):
    """What is decided."""

    state = Choice(RULED, error_messages={"required": "A ruling upholds or overrules."})
    text = Words(max_length=LONGEST_TEXT, error_messages={"required": "A ruling needs its reason in words."})
    clauses = Listed(child=Clause(), most=MOST_CLAUSES, default=[])
    remedy = Listed(child=EventField(), most=MOST_REMEDY, default=[], help_text="The events that put it right.")
    tree = Text(allow_null=True, default=None, help_text="Which guided ruling led here.")
    answers = Listed(child=Answer(), most=MOST_ANSWERS, default=[], help_text="What was answered on the way.")


@extend_schema_serializer(component_name="Words")
class WordsBody(Body):
    """Words, where there is something to say."""

    text = Text(allow_blank=True, default="", max_length=LONGEST_TEXT)


@extend_schema_serializer(component_name="Pause")
class PauseBody(Body):
    """Whether the hand waits for the ruling."""

    paused = Flag(error_messages={"required": "It waits, or it does not."})


DisputeStateNow = Annotated[str, Named("DisputeState", one_of(DisputeState.values, "What has become of it."))]


class DisputeWords(TypedDict):
    """What was said in a dispute."""

    text: str
    by: str
    seat: int | None
    at: Moment
    seq: int


class DisputeVote(DisputeWords):
    """The vote of a seat."""

    vote: DisputeStateNow


class DescribedDisputeRuling(DisputeWords):
    """What was decided."""

    clauses: list[str]
    remedy: list[EventData]
    carried_out: bool
    tree: str | None
    answers: list[Annotated[Any, "An answer on the way, small JSON of any kind; of a guide: question and answer."]]


class DisputeAbout(TypedDict):
    """What a dispute is about: a hand, counted from 1, and something in it."""

    hand: int
    event: NotRequired[int | None]
    trick: NotRequired[int | None]
    score_line: NotRequired[int | None]
    seq: NotRequired[int | None]


class DescribedDispute(TypedDict):
    """A dispute as it stands."""

    id: int
    state: DisputeStateNow
    about: DisputeAbout
    situation: str
    paused: bool
    claim: str
    by: str
    seat: int | None
    at: Moment
    seq: int
    votes: list[DisputeVote]
    proposal: DisputeWords | None
    ruling: DescribedDisputeRuling | None


class Disputes(TypedDict):
    """The disputes of a table, or a part of them."""

    rules_by: WhoRules
    disputes: list[DescribedDispute]
    next: str | None


class DisputeEvidence(TypedDict):
    """What the record itself tells of a dispute."""

    event: EventData | None
    trick: DescribedTrick | None
    score_line: DescribedScoreLine | None
    findings: list[DescribedIrregularity]
    unchecked: list[DescribedReason]
    held: bool


class DisputeInFull(DescribedDispute):
    """A dispute, and what the record itself tells of it."""

    record: DisputeEvidence


class DisputeDone(TypedDict):
    """What came of an act on a dispute."""

    version: int
    dispute: DescribedDispute


DONE = {201: DisputeDone, **problems(409)}


OF_DISPUTE = OF_TABLE | {"number": "The number of the dispute, from 1."}


class DisputesView(TableAPIView):
    """The disputes of a table."""

    tag = "disputes"

    write_permission = Records

    @extend_schema(
        operation_id="list_disputes",
        summary="The disputes of a table, oldest first",
        description="Open and decided ones. `rules_by`: who keeps the score decides, the majority, or a neutral phone.",
        parameters=[PageQuery],
        responses={200: Disputes},
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(PageQuery)
        part = part_of(disputes_now(self.table), lambda each: (each.number,), query)
        found = [describe_dispute(each) for each in part.items]
        rules_by = self.table.ruled_by.get("kind", SCOREKEEPER)
        return paged(request, {"rules_by": rules_by, "disputes": found}, part.following)

    @extend_schema(
        operation_id="raise_dispute",
        summary="Call the referee",
        description=(
            "Everybody who records may, a player in the own name. `about` points at something; without it the words "
            "say it all. With `pause` the hand waits for the ruling."
        ),
        request=DisputeBody,
        responses=DONE,
    )
    def post(self, request: Request, code: str) -> Response:
        body = self.read(DisputeBody)
        about = body["about"] and {**body["about"], "hand": _index(body["about"]["hand"])}
        claim = Claim(text=body["claim"], about=about, seat=body["seat"], pause=body["pause"])
        return done(self.code, raise_dispute(self.code, claim, caller_of(request, self.own_link)))


class DisputeView(TableAPIView):
    """One dispute."""

    tag = "disputes"
    address = OF_DISPUTE

    @extend_schema(
        operation_id="get_dispute",
        summary="A dispute, and what the record itself tells of it",
        description="`record` says what was played, what is proved, what is not, and what no record can know.",
        responses={200: DisputeInFull},
    )
    def get(self, request: Request, code: str, number: int) -> Response:
        each = there(self.table, number)
        keeps = self.link is not None and self.link.keeps
        evidence = what_the_record_tells(self.table, each, keeps=keeps)
        record = {key: value for key, value in evidence.items() if key not in ("numbers", "rows")}
        return Response(describe_dispute(each) | {"record": record})


class Speaks(Records):
    """Whoever has a link: who of them may decide, the table says."""

    def may(self, link: Link) -> bool:
        return True


def acts(operation: str, summary: str, body: type[Any], description: str = "") -> Callable[..., Any]:
    """Document an act on a dispute."""
    return extend_schema(
        operation_id=operation, summary=summary, description=description or None, request=body, responses=DONE
    )


class RulingView(TableAPIView):
    """The ruling on a dispute."""

    tag = "disputes"
    address = OF_DISPUTE
    write_permission = Speaks

    @acts(
        "rule_on_dispute",
        "Decide a dispute",
        DisputeRulingBody,
        "Who may, the table says (`rules_by`). Where the majority decides, this is the vote of a seat. The events of "
        "`remedy` are recorded with the ruling, all or none, where the caller keeps the score; otherwise they stand in "
        "it until who keeps the score carries them out. `tree` and `answers` say how a guided ruling came to it.",
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        body = self.read(DisputeRulingBody)
        return done(self.code, rule(self.code, number, decision(body), caller_of(request, self.own_link)))


class AgreementView(TableAPIView):
    """What the two sides of a dispute agree on."""

    tag = "disputes"
    address = OF_DISPUTE
    write_permission = Records

    @acts(
        "agree_on_dispute",
        "Offer words to the other side, or agree with what it has offered",
        WordsBody,
        "The second of the two sides to say the same settles the dispute; an empty text means the offer.",
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        body = self.read(WordsBody)
        return done(self.code, agree(self.code, number, body["text"].strip(), caller_of(request, self.own_link)))


class WithdrawalView(TableAPIView):
    """A dispute taken back."""

    tag = "disputes"
    address = OF_DISPUTE
    write_permission = Records

    @acts(
        "withdraw_dispute",
        "Take a dispute back",
        WordsBody,
        "Whoever raised it, or keeps the score, may, as long as it is open. It stays readable.",
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        body = self.read(WordsBody)
        return done(self.code, withdraw(self.code, number, body["text"].strip(), caller_of(request, self.own_link)))


class PauseView(TableAPIView):
    """Whether the hand waits for the ruling."""

    tag = "disputes"
    address = OF_DISPUTE
    write_permission = Records

    @acts(
        "pause_for_dispute",
        "Let the hand wait for the ruling, or go on",
        PauseBody,
        "For who raised it, or keeps the score. While it waits, no card is taken (409 `table-paused`).",
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        body = self.read(PauseBody)
        return done(self.code, pause(self.code, number, caller_of(request, self.own_link), paused=body["paused"]))


class RemedyView(TableAPIView):
    """The remedy that a ruling has decided."""

    tag = "disputes"
    address = OF_DISPUTE
    write_permission = KeepsScore

    @acts(
        "carry_out_ruling",
        "Record what a ruling has decided",
        Nothing,
        "For who keeps the score, where somebody else has ruled.",
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        self.read(Nothing)
        return done(self.code, carry_out_ruling(self.code, number, caller_of(request, self.own_link)))


def decision(body: dict[str, Any]) -> Decision:
    """Return what a body decides."""
    return Decision(
        state=DisputeState(body["state"]), text=body["text"], clauses=body["clauses"], remedy=body["remedy"],
        tree=body["tree"], answers=body["answers"],
    )  # fmt: skip


def _index(hand: int | None) -> int | None:
    return None if hand is None else hand - 1


def there(row: Table, number: int) -> DisputeNow:
    """Return a dispute of a table; raises ``NoSuchDispute``."""
    each = dispute_now(row, number)
    if each is None:
        raise NoSuchDispute
    return each


def done(code: str, disputed: Disputed) -> Response:
    """Answer an act: the version, and the dispute as it stands."""
    row = find_table(code)
    assert row is not None
    body = {"version": disputed.version, "dispute": describe_dispute(there(row, disputed.number))}
    address = reverse("table-dispute", args=[code, disputed.number])
    return Response(body, status=201, headers={"ETag": etag(disputed.version), "Location": address})


def describe_dispute(each: DisputeNow) -> DescribedDispute:
    """Describe a dispute as it stands."""
    claim, about = each.claim, {**each.about, "hand": (each.about["hand"] or 0) + 1}
    return {
        "id": each.number, "state": each.state.value, "about": cast(DisputeAbout, about), "situation": each.situation,
        "paused": each.paused, "claim": claim.text, "by": claim.by, "seat": claim.seat, "at": claim.at,
        "seq": claim.seq,
        "votes": _votes(each),
        "proposal": None if each.proposal is None or not each.is_open else describe_statement(each.proposal),
        "ruling": None if each.ruling is None else describe_ruling_made(each.ruling),
    }  # fmt: skip


def _votes(each: DisputeNow) -> list[DisputeVote]:
    votes = sorted(each.votes.items())
    return [{**describe_statement(vote), "vote": each.voted[seat].value} for seat, vote in votes]


def describe_statement(statement: Statement) -> DisputeWords:
    """Describe what was said in a dispute."""
    return {
        "text": statement.text,
        "by": statement.by,
        "seat": statement.seat,
        "at": statement.at,
        "seq": statement.seq,
    }


def describe_ruling_made(ruling: RulingMade) -> DescribedDisputeRuling:
    """Describe what was decided."""
    return {
        **describe_statement(ruling),
        "clauses": list(ruling.clauses), "remedy": [dict(event) for event in ruling.remedy],
        "carried_out": ruling.carried_out, "tree": ruling.tree, "answers": list(ruling.answers),
    }  # fmt: skip
