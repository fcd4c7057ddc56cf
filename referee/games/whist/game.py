"""Whist, for four players in partnerships with a pack of 52.

Partners sit opposite, and everyone is dealt 13 cards. The last card, the dealer's, is turned up: its suit is trump, and
it belongs to the dealer's hand. The dealer's left leads any card; follow suit if you can. The highest trump wins the
trick, else the highest card of the suit led. The side with more tricks scores a point for each one above six. The game
is to 7 points.

Variants: trump in a fixed order or none, and honours.

Source: traditional. Deviations: none; where tables differ, the defaults of WH-6 and WH-R1 apply.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar

from referee.engine.event_kinds import Event, Line, Number, Seat, Shown, event_kind
from referee.engine.events import Ask, Penalty
from referee.engine.game import conflict
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn
from referee.engine.rules import BY_SCORE, EndRule, Option, Options, Preset, Problem, Rules
from referee.engine.rulings import Irregularity, Reason, Refusal, Remedy, ScoreLine, by_seat, impossible
from referee.engine.shapes import nullable, number
from referee.engine.state import FINISHED, VOID, kept, takes
from referee.packs import Pack, french
from referee.tricks.bridge import PRICE, THREE_TRICKS, give_three, revoke_option, three_tricks
from referee.tricks.questions import LEGAL, SCORE, TRICK, scored
from referee.tricks.rules import TrickRules, opposite
from referee.tricks.turned import DealersCard, TurnedGame, TurnedParts

HONOUR_RANKS = ("A", "K", "Q", "J")
HONOURS = len(HONOUR_RANKS)
SCORED: Mapping[int, int] = {3: 2, 4: 4}
"""Points by number of honours (WH-7)."""
ABOVE = 6
"""Tricks that score nothing (WH-5): only those above this number do."""
THREE_POINTS, THREE_OFF = "three-points", "three-off"
TURNED_BACK = ("correct", "redeal")
"""Remedies that undo or replay the hand."""
THREES = (THREE_TRICKS, THREE_POINTS, THREE_OFF)
"""Penalties for a revoke, at the other side's choice (WH-R1)."""


@event_kind(
    "honours",
    Line("Honours", "{seat} {held}"),
    says="Either partner claims three or four honours for their side.",
    log="{seat} claims {held} honours",
    label="Claim honours",
    by_player=True,
    stays=True,
    aside=True,
)
class Honours(Event):
    """A side claims the honours it was dealt (WH-7)."""

    seat: Annotated[Seat, Shown("Player")]
    held: Annotated[Number, Shown("Honours", 3, HONOURS)]


class WhistRules(TrickRules):
    """Rules of Whist, which may be played without trump (WH-2)."""

    def trump_suits(self) -> tuple[str, ...]:
        return () if self.options["trump"] == "none" else super().trump_suits()


class WhistParts(TurnedParts):
    """Description of a hand with the card turned up and each side's honours."""

    honours: Annotated[list[int] | None, "Honours of each side, that of seat 0 first; null while they are unknown."]


def odd_tricks(seat: int, tricks: int) -> ScoreLine:
    points = max(0, tricks - ABOVE)
    facts = {"seat": seat, "tricks": tricks, "sum": points}
    return ScoreLine(seat, points, Reason("odd-tricks", ("WH-5",), facts, "" if points else "no-odd-tricks"))


def honours_line(seat: int, held: int) -> ScoreLine:
    points = SCORED[held]
    return ScoreLine(seat, points, Reason("honours", ("WH-7",), {"seat": seat, "held": held, "sum": points}))


class WhistHand(DealersCard):
    """A hand of Whist. The card turned up is the dealer's (WH-2); ``claimed`` is (seat, number of honours)."""

    rules: WhistRules
    claimed: tuple[int, int] | None = kept(None)

    POOLS: ClassVar[bool] = True
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        **DealersCard.REMEDIES,
        THREE_TRICKS: three_tricks("WH-R1"),
        THREE_POINTS: Remedy("The other side scores three points.", ("WH-R1",), "Three points to them"),
        THREE_OFF: Remedy("The offender’s side loses three points.", ("WH-R1",), "Three points off"),
    }
    PROVED_REMEDIES: ClassVar[tuple[str, ...]] = (
        "correct", "stand", *THREES, "bridge", "equity", "hand-zero", "penalty", "redeal",
    )  # fmt: skip
    CITES = {
        "highest-trump": ("WH-4",), "highest-follower": ("WH-4",), "earlier-of-equals": ("WH-4",),
        "follow": ("WH-4",), "lead": ("WH-3", "WH-4"), "tricks": ("WH-5",), "deal": ("WH-1",),
        "turn-up": ("WH-2",), "turned-place": ("WH-2",), "suit-only": ("WH-2",), "not-turned": ("WH-2",),
        "in-order": ("WH-2",), "no-trump": ("WH-2",),
    }  # fmt: skip

    # -- scores: a side's points are entered at its lower seat ---------------------------------

    def scored_with(self, seat: int) -> tuple[int, ...]:
        return self.rules.sides[seat][:1]

    def points_of(self, trick: object) -> dict[str, int]:
        """A trick by itself scores nothing (WH-5)."""
        return {}

    def points(self) -> tuple[int, ...] | None:
        return by_seat(self.point_lines(), self.rules.players) if self.phase is FINISHED else None

    def both_sides(self) -> tuple[tuple[int, ...], ...]:
        return tuple(dict.fromkeys(self.rules.sides))

    def point_lines(self) -> list[ScoreLine]:
        """Score lines for odd tricks and honours (WH-5, WH-7)."""
        counted = self.tricks_counted()
        lines = [odd_tricks(side[0], sum(counted[seat] for seat in side)) for side in self.both_sides()]
        lines = [line for line in lines if line.points]
        held = self.honours_held() or ()
        scoring = [(side[0], number) for side, number in zip(self.both_sides(), held, strict=False) if number in SCORED]
        return [*lines, *(self.honours_or_not(*each, lines) for each in scoring)]

    def won_by(self, totals: Sequence[int]) -> tuple[int, ...]:
        """If both sides reach the target, penalties count before tricks (WH-8)."""
        end, before = self.rules.end, self.setup.totals
        if end.kind == BY_SCORE.name and end.value is not None and before:
            fined = [before[side[0]] + sum(self.fined[seat] for seat in side) for side in self.both_sides()]
            reached = [side for side, points in zip(self.both_sides(), fined, strict=True) if points >= end.value]
            if len(reached) == 1:
                return reached[0]
        return super().won_by(totals)

    def honours_or_not(self, seat: int, held: int, tricks: Sequence[ScoreLine]) -> ScoreLine:
        """Score line for honours; 0 points if penalties and tricks decide first (WH-8)."""
        end, facts = self.rules.end, {"seat": seat, "held": held}
        if end.kind != BY_SCORE.name or end.value is None:
            return honours_line(seat, held)
        before, so_far = self.setup.totals or self.rules.nobody, by_seat(tricks, self.rules.players)
        reached = [before[side[0]] + sum(so_far[at] + self.fined[at] for at in side) for side in self.both_sides()]
        if before[seat] == end.value - 1:
            return ScoreLine(seat, 0, Reason("honours-not-scored", ("WH-8",), facts))
        if max(reached) >= end.value:
            return ScoreLine(seat, 0, Reason("honours-not-scored", ("WH-8",), facts, "honours-game-over"))
        return honours_line(seat, held)

    # -- honours ---------------------------------------------------------------------------------

    def honours_seen(self) -> list[int] | None:
        """Honours each side is known to have been dealt; ``None`` without trump."""
        if self.trump is None:
            return None
        cards = self.rules.pack.mask(self.rules.pack.codes[rank + self.trump] for rank in HONOUR_RANKS)
        known, own = self.setup.known or self.rules.nobody, []
        for side in self.both_sides():
            held = reduce(or_, (known[seat] or 0 for seat in side), self.shown_by(*side))
            held |= 1 << self.turned if self.turned is not None and self.setup.dealer in side else 0
            own.append((held & cards).bit_count())
        return own

    def honours_held(self) -> list[int] | None:
        """Honours of each side, if all are known or a side has claimed them (WH-7)."""
        if self.rules.options["honours"] == "off":
            return None
        seen = self.honours_seen()
        if seen is not None and sum(seen) == HONOURS:
            return seen
        if self.claimed is None:
            return None
        seat, held = self.claimed
        return [held if seat in side else HONOURS - held for side in self.both_sides()]

    @takes(Honours)
    def take_honours(self, event: Honours) -> Refusal | None:
        """Record a claim of honours, between the end of the hand and the next one (WH-7)."""
        if self.phase is VOID or self.ended:
            return self.is_finished(event)
        if self.rules.options["honours"] == "off":
            return impossible("wrong-phase", "WH-7", "REC-2", phrase="honours-not-played")
        if self.phase is not FINISHED:
            code = "hand-finished" if self.setup.finished else "wrong-phase"
            return impossible(code, "WH-7", "REC-1" if self.setup.finished else "REC-2", phrase="honours-when-over")
        refusal = self.no_such_seat(event.seat)
        if refusal:
            return refusal
        facts = {"seat": event.seat, "held": event.held}
        if event.held not in SCORED:
            return impossible("bad-result", "WH-7", "REC-11", phrase="honours-three-or-four", **facts)
        if self.claimed is not None:
            return impossible("bad-result", "WH-7", "REC-11", phrase="honours-claimed", **facts)
        seen = self.honours_seen()
        most = [HONOURS - event.held if event.seat not in side else event.held for side in self.both_sides()]
        if seen is not None and any(count > able for count, able in zip(seen, most, strict=True)):
            return impossible("bad-result", "WH-7", "REC-11", phrase="honours-elsewhere", **facts)
        self.claimed = (event.seat, event.held)
        return None

    def table_asks(self) -> tuple[Ask, ...]:
        """Honours can be recorded only while they can be claimed."""
        open_now = self.rules.options["honours"] == "on" and self.phase is FINISHED and self.honours_held() is None
        return tuple(ask for ask in super().table_asks() if ask.event != Honours.type or (open_now and not self.ended))

    def describe(self) -> WhistParts:
        return {**super().describe(), "honours": self.honours_held()}

    def unchecked(self) -> list[Reason]:
        open_still = self.rules.options["honours"] == "on" and self.phase is FINISHED and self.honours_held() is None
        return [*super().unchecked(), *([Reason("honours-unknown", ("WH-7", "REC-19"))] if open_still else [])]

    # -- penalties for a revoke --------------------------------------------------------------------

    def remedy(self, code: str, found: Irregularity | None) -> Remedy:
        said = super().remedy(code, found)
        both = len(self.revoking()) > 1 and code not in TURNED_BACK
        return replace(said, clauses=(*said.clauses, "WH-R2")) if both else said

    def revoking(self) -> tuple[tuple[int, ...], ...]:
        """Sides with a revoke on record."""
        seats = {found.offender for found in self.irregularities if found.code in self.REVOKES or found.claims}
        return tuple(side for side in self.both_sides() if not seats.isdisjoint(side))

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        """Return the events of a remedy; sides that revoked stay one point short of the target (WH-R1, WH-R2)."""
        if remedy not in THREES:
            events = super().carry_out(remedy, found, why)
            both = set(self.revoking())
            if self.phase is not FINISHED or remedy in TURNED_BACK or isinstance(events, Reason) or len(both) < 2:
                return events
            return (*events, *self.stops_short(both, events, why))
        if found.offender is None:
            return Reason("remedy-nobody", ("REC-18",))
        if self.phase is not FINISHED:
            return Reason("remedy-at-end", ("WH-R1",))
        own = self.rules.sides[found.offender]
        other = next(side for side in self.both_sides() if side != own)
        events = tuple(give_three(self, found.offender, why))
        if remedy != THREE_TRICKS:
            seat, points = (other[0], PRICE) if remedy == THREE_POINTS else (own[0], -PRICE)
            events = (Penalty(seat, points, why),)
        return (*events, *self.stops_short({own, *self.revoking()}, events, why))

    def stops_short(self, sides: set[tuple[int, ...]], events: Sequence[Event], why: str) -> Iterator[Penalty]:
        """Yield penalties that keep these sides one point below the target."""
        end, after = self.rules.end, self.copy()
        for event in events:
            after.take(event)
        if end.kind != BY_SCORE.name or end.value is None or not self.setup.totals:
            return
        for side in sorted(sides) * 2:  # without these points, honours may count again
            made = after.scores() or self.rules.nobody
            over = self.setup.totals[side[0]] + sum(made[seat] for seat in side) - (end.value - 1)
            if over > 0:
                yield (fine := Penalty(side[0], -over, why))
                after.take(fine)


# --- The game


# --- Questions of Whist: those of a plain game, and the score of a side

PLAYERS, TRICKS = 4, 13


def score(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Score the tricks of a side, and its honours if they count (WH-5, WH-7)."""
    question = QuestionReader(payload, "score")
    tricks, honours = question.integer("tricks"), question.integer("honours", needed=False) or 0
    question.check()
    rules = question.rules(PLAYERS)
    question.between("tricks", tricks or 0, 0, TRICKS)
    if honours not in (0, *SCORED):
        question.reader.value("/honours", "A side can claim three or four honours.", "bad-value")
    elif honours and rules.options["honours"] == "off":
        question.reader.value("/honours", "Honours are not scored at this table.", "bad-value")
    question.check()
    lines = [odd_tricks(0, tricks or 0), *([honours_line(0, honours)] if honours else [])]
    return scored(lines)


def score_blanks(rules: Rules, filled: FilledIn) -> tuple[Blank, ...]:
    tricks = Blank("tricks", "number", "Tricks of the side", most=TRICKS)
    if rules.options["honours"] == "off":
        return (tricks,)
    hint = "Leave it empty for fewer than three."
    return (tricks, Blank("honours", "number", "Honours of the side", hint, least=3, most=HONOURS, optional=True))


TRUMPED = Example(
    "Whist: a trump takes the trick",
    {
        "game": "whist", "trump": "H",
        "plays": [{"cards": ["KD"]}, {"cards": ["AD"]}, {"cards": ["2H"]}, {"cards": ["QD"]}],
    },
    {"winner": 2, "trump": "H"},
)  # fmt: skip
FOLLOW = Example(
    "Whist: diamonds are led", {"game": "whist", "hand": ["5D", "AH", "KD"], "led_card": "9D"}, {"legal": ["5D", "KD"]}
)
NINE = Example("Whist: nine tricks", {"game": "whist", "tricks": 9}, {"points": 3})

QUESTIONS = (
    replace(TRICK, examples=(TRUMPED,)),
    replace(LEGAL, examples=(FOLLOW,)),
    replace(
        SCORE,
        answer=score,
        blanks=score_blanks,
        hint="The points of one side.",
        help=("With `tricks` of both partners, and `honours` (3 or 4): the points of one side.",),
        request={"tricks": number(), "honours": nullable(number("Honours that a side holds; null or absent: none."))},
        examples=(NINE,),
    ),
)


class Whist(TurnedGame):
    id = "whist"
    name = "Whist"
    tagline = "Two against two: every trick above six counts."
    gist = "tricks above six"
    emblem = ("AS", "QH")
    source = "Traditional"
    with_cards = "with French cards"
    lesson = ("WH-1", "WH-2", "WH-3", "WH-4", "WH-5", "WH-6")
    players = (PLAYERS,)
    end = EndRule(BY_SCORE.name, 7)
    rules_class = WhistRules
    hand_class = WhistHand
    TRUMPS_IN_ORDER = ("H", "C", "D", "S")
    beside_tricks = frozenset({"honours"})
    events = (*TurnedGame.events, Honours)
    revoke = revoke_option("WH-R1", "WH-R2")
    QUESTIONS = QUESTIONS
    options = (
        Option(
            "trump", "Trump", "What makes a suit trump.", ("WH-2",), ("turned", "fixed-order", "none"),
            ("the dealer’s last card, turned up", "hearts, clubs, diamonds, spades in turn", "no trump at all"),
            says=("the dealer’s last card making trump", "trump suits in a fixed order", "without trump"),
        ),
        Option(
            "honours", "Honours", "Ace, king, queen and jack of trump score for the side that was dealt three or four.",
            ("WH-7", "WH-8"), ("off", "on"), ("not scored", "scored"), says=("", "scoring honours"),
        ),
    )  # fmt: skip

    presets = (Preset("With honours", {"honours": "on"}), Preset("Trumps in turn", {"trump": "fixed-order"}))

    def pack(self, options: Options, players: int) -> Pack:
        return french()

    def sides(self, options: Options, players: int) -> tuple[tuple[int, ...], ...]:
        return opposite(players)

    def check(self, options: Options, players: int) -> list[Problem]:
        """Honours need a trump suit (WH-7)."""
        if options["honours"] == "off" or options["trump"] != "none":
            return []
        return [conflict("honours", "Honours are cards of the trump suit: without trump there are none.")]


GAME = Whist()
