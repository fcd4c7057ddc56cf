"""A hand of Chicane: a reading and a trump are called for everyone, and bids must be met exactly."""

from typing import Annotated, ClassVar, Self

from referee.engine.event_kinds import Event, FieldType, Line, Seat, SuitCode, event_kind
from referee.engine.events import Ask, FaceUp, Field, Turn
from referee.engine.reader import Reader
from referee.engine.rulings import Reason, Refusal, impossible, out_of_turn
from referee.engine.state import BIDDING, FINISHED, VOID, Phase, kept, takes
from referee.engine.texts import noun, phrase
from referee.games.decktet_tricks.exact import BOTTOM_SUIT, TOP_SUIT, ExactBidsHand, ExactBidsRules
from referee.packs.decktet import SUIT_NAMES
from referee.tricks.broken import BrokenHand, BrokenParts
from referee.tricks.rules import TrickRules
from referee.tricks.state import ASKER
from referee.tricks.view import BIDS

TOP, BOTTOM = "top", "bottom"
READINGS = (TOP, BOTTOM)
READS = {TOP: "TOP", BOTTOM: "BOTTOM"}
"""Names of the readings as called."""
Reading = Annotated[
    str,
    FieldType("choice", Reader.text, {"type": "string", "enum": list(READINGS), "description": "How cards are read."}),
]


@event_kind(
    "call",
    Line("Calls", "{seat} {reading} ({suit})", shared=True),
    says="A seat calls a reading (top or bottom) or a trump suit.",
    log="{seat} calls [{reading}] [{suit}]",
    by_player=True,
)
class Call(Event):
    """A seat calls a reading or a trump suit, for everyone (CH-2)."""

    seat: Seat
    reading: Reading | None = None
    suit: SuitCode | None = None


CALLING = Phase("calling")
CALLS = Turn("{seat} calls TOP, BOTTOM or a trump suit.", "You call TOP, BOTTOM or a trump suit.")
CALLS_TRUMP = Turn("{seat} calls a trump suit.", "You call a trump suit.")
CALLS_READING = Turn("{seat} calls TOP or BOTTOM.", "You call TOP or BOTTOM.")


class ChicaneParts(BrokenParts):
    """Description of a hand with the reading that was called."""

    reading: Annotated[str | None, "How everyone reads the cards, `top` or `bottom`; null before it is called."]


class ChicaneHand(ExactBidsHand, BrokenHand):
    """A hand of Chicane; ``calls`` lists what each seat called."""

    rules: ExactBidsRules
    reading: str | None = kept(None)
    calls: tuple[tuple[int, str], ...] = kept(())

    LEAD_OPTION: ClassVar[str] = "trump_lead"
    CITES = {
        "highest-trump": ("CH-7",), "highest-follower": ("CH-7",), "earlier-of-equals": ("CH-7",),
        "follow": ("CH-6", "CH-3"), "turn-to-bid": ("CH-4",), "hook": ("CH-4",), "trump-led": ("CH-5",),
        "tricks": ("CH-8",), "far-off": ("CH-9",), "zero-bid": ("CH-9",), "lead": ("CH-4", "CH-7"), "deal": ("CH-1",),
    }  # fmt: skip

    # -- calls (CH-2) ------------------------------------------------------------------------------

    def begin(self) -> None:
        super().begin()
        self.leader = self.turn = self.first_bidder()

    def opening_phase(self) -> Phase:
        return CALLING

    @classmethod
    def set_up(cls, rules: TrickRules, *, cards: int = 2, known: int | None = None) -> Self:
        hand = super().set_up(rules, cards=cards, known=known)
        hand.leader = hand.turn = ASKER
        return hand

    @takes(Call)
    def take_call(self, event: Call) -> Refusal | None:
        """Record a reading or a trump suit, whichever has not been called, for everyone (CH-2)."""
        if self.phase is not CALLING:
            late = self.phase not in (FINISHED, VOID)
            return impossible("wrong-phase", "CH-2", "REC-2", phrase="calls-over") if late else self.not_now(event)
        seat, pack = event.seat, self.rules.pack
        refusal = self.no_such_seat(seat)
        if refusal:
            return refusal
        if seat in dict(self.calls):
            return impossible("wrong-phase", "CH-2", "REC-2", phrase="called-already", seat=seat)
        if event.suit is not None and (unknown := self.not_a_suit(event.suit)):
            return unknown
        if (event.suit is None) == (event.reading is None) or event.reading not in (None, *READINGS):
            return impossible("bad-bid", "CH-2", "REC-10", phrase="call-one")
        if self.trump if event.reading is None else self.reading:
            return impossible("bad-bid", "CH-2", "REC-10", phrase="call-other")
        refusal = self.consent(event, out_of_turn(seat, self.next_caller(), "CH-2"))
        if refusal:
            return refusal
        self.reading = event.reading or self.reading
        self.trump = self.trump if event.suit is None else pack.suit(event.suit)
        self.calls += ((seat, event.reading or str(event.suit)),)
        if self.reading and self.trump:
            self.phase = BIDDING
            self.leader = self.turn = self.first_bidder()
        return None

    def next_caller(self) -> int:
        return next(seat for seat in self.round_from(self.setup.dealer + 1) if seat not in dict(self.calls))

    def round_from(self, first: int) -> tuple[int, ...]:
        return tuple((first + step) % self.rules.players for step in range(self.rules.players))

    def first_bidder(self) -> int:
        """The seat that bids first and leads: after the second caller, or the dealer's left (CH-4)."""
        left = self.setup.dealer + 1
        if self.rules.options["first_bid"] == "left":
            return left % self.rules.players
        later = self.calls[1][0] if len(self.calls) > 1 else left + 1
        return (later + 1) % self.rules.players

    def from_left(self) -> tuple[int, ...]:
        """All seats clockwise from the first bidder (CH-4)."""
        return self.round_from(self.first_bidder())

    def to_act(self) -> tuple[int, ...]:
        return (self.next_caller(),) if self.phase is CALLING else super().to_act()

    # -- calls not recorded: the hand continues by tricks and result ----------------------------------

    def trump_fits(self, trump: str | None) -> bool:
        return trump == self.trump if self.trump else self.skipped and trump in SUIT_NAMES

    def reported_trump(self, trump: str | None) -> None:
        """Set trump as reported with a trick; cards can be judged if the reading is known."""
        super().reported_trump(trump)
        self.skipped = self.reading is None

    def trump_clauses(self) -> tuple[str, ...]:
        return ("CH-2",)

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        return super().why_no_trump(trump) if self.trump else ("trump-to-be-named", {})

    def unchecked(self) -> list[Reason]:
        reasons = super().unchecked()
        if self.skipped and None not in self.bids:
            reasons.append(Reason("calls-unknown", ("CH-2", "REC-19")))
        return reasons

    # -- reading cards (CH-3) ----------------------------------------------------------------------

    def place_read(self, seat: int) -> int | None:
        return {TOP: TOP_SUIT, BOTTOM: BOTTOM_SUIT}.get(self.reading or "")

    def suit_read(self) -> str:
        return {TOP: "first", BOTTOM: "last"}.get(self.reading or "", "")

    def held_back(self) -> int:
        """Trump cards, which may not be led until one has been played (CH-5)."""
        return self.trumps()[0]

    def broken(self) -> bool | None:
        """Return whether trump was played; ``None`` also if a trick without cards was recorded before both calls."""
        told = self.reading and self.trump
        return super().broken() if told or all(trick.plays for trick in self.taken) else None

    # -- description -------------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not CALLING:
            return super().asks()
        seats, first = self.to_act(), self.first_bidder()
        suit = Field("suit", "suit", "Trump", choices=tuple(suit.code for suit in self.rules.pack.suits))
        trump = Ask("call", "Call trump", seats, (suit,), turn=CALLS_TRUMP if self.reading else CALLS)
        either = Field("reading", "choice", "Reading", choices=READINGS, words=tuple(READS.values()))
        calls: tuple[Ask, ...] = (trump,)
        if self.trump:
            calls = (Ask("call", "Call a reading", seats, (either,), turn=CALLS_READING),)
        elif not self.reading:
            top = Ask("call", "TOP", seats, fixed={"reading": TOP}, turn=CALLS)
            calls = (trump, top, Ask("call", "BOTTOM", seats, fixed={"reading": BOTTOM}, turn=CALLS))
        return (*calls, Ask("bid", "Bid before the calls are known", (first,), self.bid_fields(first), turn=BIDS))

    def trump_field(self) -> tuple[Field, ...]:
        if self.trump or not self.skipped:
            return ()
        return (Field("trump", "suit", "Trump", tuple(SUIT_NAMES), optional=True, none="not known"),)

    def face_up(self) -> tuple[FaceUp, ...]:
        """The reading, shown during the whole hand."""
        return (FaceUp(READS[self.reading]),) if self.reading else ()

    def notes(self) -> list[str | None]:
        """What each seat has called, for pages."""
        called = dict(self.calls)
        return [READS.get(called[seat], "trump") if seat in called else None for seat in range(self.rules.players)]

    def describe(self) -> ChicaneParts:
        return {
            **super().describe(),
            "has_trump": not self.skipped or self.trump is not None, "reading": self.reading,
            "seat_notes": self.notes(), "opening": self.why_called(),
        }  # fmt: skip

    def why_called(self) -> Reason | None:
        """The called reading and trump; ``None`` until both are called."""
        if not (self.reading and self.trump):
            return None
        facts = {"reading": phrase(READS[self.reading]), "suit": noun(SUIT_NAMES[self.trump])}
        return Reason("called", ("CH-2", "CH-3"), facts)
