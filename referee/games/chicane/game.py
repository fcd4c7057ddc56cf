"""Chicane, by P. D. Magnus, for three or four players with the Decktet.

All cards are dealt. The player at the dealer's left calls either how everyone reads the number cards, by their top or
bottom suit, or a trump suit; the next player calls the other. Bidding starts with the player after that, who also
leads. Trump may not be led until one has been played. Follow suit as the cards are read; the highest trump wins, else
the highest card of the suit led. An exact bid scores four times the bid, one off twice, two off once.

Source: "Chicane", P. D. Magnus, Decktet wiki; scoring as in the post on Wildcat Chicane. Deviations: none; where the
page is silent, the defaults CH-4, CH-9 and CH-10 apply.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, ClassVar, Self, cast

from referee.engine.event_kinds import Event, FieldType, Line, Seat, SuitCode, event_kind
from referee.engine.events import Ask, FaceUp, Field, Turn
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen
from referee.engine.reader import Reader
from referee.engine.rules import BY_SCORE, EndRule, Option, Options, Preset, switch
from referee.engine.rulings import Reason, Refusal, impossible, out_of_turn
from referee.engine.shapes import CARD, FLAG, NULL_SUIT, REASON, Schema, nullable, text
from referee.engine.state import BIDDING, FINISHED, VOID, Phase, kept, takes
from referee.engine.texts import noun, phrase
from referee.games.decktet_tricks.suited import BOTTOM_SUIT, TOP_SUIT, ExactBidsHand, ExactBidsRules
from referee.packs import Pack, decktet
from referee.packs.decktet import SUIT_NAMES
from referee.tricks import questions
from referee.tricks.hand import BIDS, TrickGame, TrickHand
from referee.tricks.leads import BrokenHand, BrokenParts
from referee.tricks.questions import DEAL, LEGAL, SCORE, TRICK
from referee.tricks.rules import TrickRules
from referee.tricks.state import ASKER

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

    def first_bidder(self) -> int:
        """The seat that bids first and leads: after the second caller, or the dealer's left (CH-4)."""
        left = self.setup.dealer + 1
        if self.rules.options["first_bid"] == "left":
            return left % self.rules.players
        later = self.calls[1][0] if len(self.calls) > 1 else left + 1
        return (later + 1) % self.rules.players

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


# --- The game


# --- Questions of Chicane: those of a plain game, plus the reading

READING: Schema = {"type": ["string", "null"], "enum": [*READINGS, None], "description": "How the cards are read."}


def read_by(question: QuestionReader, hand: TrickHand) -> ChicaneHand:
    """Set the hand's reading from the question (CH-3)."""
    assert isinstance(hand, ChicaneHand)
    reading = question.text("reading")
    if reading is None:
        question.lacking("reading", "Say how the cards are read: top or bottom.")
    elif reading not in READINGS:
        question.reader.value("/reading", "Cards are read by their top or their bottom suit.", "bad-value")
    question.check()
    hand.reading = reading
    return hand


def trick(payload: Mapping[str, object]) -> dict[str, object]:
    """Who wins or is winning a trick, by the called reading and trump (CH-7)."""
    question, rules, plays, cards = questions.read_trick(payload)
    hand = read_by(question, ChicaneHand.set_up(cast(ExactBidsRules, rules)))
    questions.reported_trump(question, hand)
    question.check()
    return questions.finish_trick(question, hand, plays, cards)


def legal(payload: Mapping[str, object]) -> dict[str, object]:
    """Which cards of a hand may be played or led (CH-5, CH-6)."""
    return questions.legal(payload, tell)


def tell(question: QuestionReader, hand: TrickHand) -> None:
    question.text("trump")
    asked = read_by(question, hand)
    asked.broke = question.flag("broken")
    questions.reported_trump(question, asked)
    question.check()


def suit(payload: Mapping[str, object]) -> dict[str, object]:
    """Which suit a card is by a reading (CH-3)."""
    question = QuestionReader(payload, "suit")
    named = question.text("card", needed=True)
    question.text("reading")
    question.check()
    rules = cast(ExactBidsRules, next(question.possible_rules()))
    card = question.card(rules.pack, named or "", "/card")
    hand = read_by(question, ChicaneHand.set_up(rules))
    read, shown = str(hand.suit_of(ASKER, card)), rules.pack.cards[card]
    facts = {"card": shown, "suit": noun(SUIT_NAMES[read])}
    key = f"read-{hand.reading}-suit" if len(shown.suits) > 1 else ""
    return {"suit": read, "reason": Reason("read", ("CH-3",), facts, key)}


def reading_blank(rules: ExactBidsRules, filled: FilledIn) -> tuple[Blank, ...]:
    return (Blank("reading", "choice", "Reading", choices=READINGS, words=tuple(READS.values())),)


def trick_blanks(rules: ExactBidsRules, filled: FilledIn) -> tuple[Blank, ...]:
    return (*questions.trick_blanks(rules, filled), *reading_blank(rules, filled))


def legal_blanks(rules: ExactBidsRules, filled: FilledIn) -> tuple[Blank, ...]:
    led, hand = questions.legal_blanks(rules, filled)
    return (
        *reading_blank(rules, filled), *questions.trump_before(rules), led, hand,
        Blank("broken", "flag", "A trump has already been played"),
    )  # fmt: skip


def called(hand: Seen) -> FilledIn:
    """Prefill: the reading called in the hand."""
    return {"reading": [hand["reading"]] if hand.get("reading") else []}


def legal_seen(hand: Seen) -> FilledIn:
    trump = hand.get("trump")
    return {**questions.legal_seen(hand), **called(hand), "trump": [trump] if trump else []}


BY_BOTTOM = Example(
    "Read by the bottom suit, a trump wins",
    {
        "game": "chicane", "reading": BOTTOM, "trump": "W",
        "plays": [{"cards": ["8YK"]}, {"cards": ["9LK"]}, {"cards": ["3MW"]}],
    },
    {"winner": 2, "trump": "W"},
)  # fmt: skip
SUNS_LED = Example(
    "The top suit of the card led is Suns",
    {"game": "chicane", "reading": TOP, "hand": ["3SK", "9MS", "XS", "2SY", "AK"], "led_card": "5SW"},
    {"legal": ["3SK", "XS", "2SY"]},
)
READ_BY_BOTTOM = Example(
    "Read by the bottom suit", {"game": "chicane", "card": "8YK", "reading": BOTTOM}, {"suit": "K"}
)
QUESTIONS = (
    replace(
        TRICK, answer=trick, blanks=trick_blanks, seen=lambda hand: {**questions.trick_seen(hand), **called(hand)},
        help=(*TRICK.help, "Chicane needs the `reading`."), request={**TRICK.request, "reading": READING},
        examples=(BY_BOTTOM,),
    ),
    replace(
        LEGAL, answer=legal, blanks=legal_blanks, seen=legal_seen,
        help=(*LEGAL.help, "Chicane needs the `reading`; there, `broken` says whether trump was played before."),
        request={**LEGAL.request, "reading": READING, "trump": NULL_SUIT, "broken": nullable(FLAG)},
        examples=(SUNS_LED,),
    ),
    Question(
        "suit", "Which suit is this card?", suit, hint="How everyone reads a card.",
        blanks=lambda rules, filled: (*reading_blank(rules, filled), Blank("card", "card", "Card")),
        help=("In Chicane, by the `reading` called.",),
        request={"card": CARD, "reading": READING}, needed=("card",), response={"suit": text(), "reason": REASON},
        examples=(READ_BY_BOTTOM,),
    ),
    replace(SCORE, examples=(Example("Chicane: one off", {"game": "chicane", "bid": 4, "tricks": 5}, {"points": 8}),)),
    DEAL,
)  # fmt: skip


class Chicane(TrickGame):
    id = "chicane"
    place = 4
    name = "Chicane"
    tagline = "Call a reading and a trump for everyone, then bid your tricks exactly."
    gist = "one reading for all"
    emblem = ("XW", "8YK")
    source = "P. D. Magnus, Chicane"
    with_cards = "with the basic deck"
    lesson = ("CH-1", "CH-2", "CH-3", "CH-4", "CH-5", "CH-6", "CH-7", "CH-8", "CH-9")
    players = (3, 4)
    end = EndRule(BY_SCORE.name, 40)
    rules_class = ExactBidsRules
    hand_class = ChicaneHand
    beside_tricks = frozenset({"hook", "zero_bid", "miss_penalty"})
    events = (Call,)
    phases = (CALLING, BIDDING)
    QUESTIONS = QUESTIONS
    options = (
        Option(
            "first_bid", "First bid", "Who bids first, and leads to the first trick.", ("CH-4",),
            ("after-calls", "left"), ("the player after the second caller", "the player on the dealer’s left"),
            says=("", "the player on the dealer’s left bidding first"),
        ),
        Option(
            "trump_lead", "Leading trump", "When trump may be led.", ("CH-5",), ("broken", "never", "free"),
            ("once a trump has been played", "only with nothing else in hand", "at any time"),
            says=("", "trump led only with nothing else in hand", "trump led at any time"),
        ),
        switch(
            "hook", "Hook", "The last bidder may not make the bids add up to the number of tricks.", "CH-4",
            says="with the hook",
        ),
        Option(
            "zero_bid", "A bid of 0", "Points for making a bid of 0.", ("CH-9",), span=(0, 20), default=0,
            says=("{value} points for an exact bid of 0", "one point for an exact bid of 0"),
        ),
        Option(
            "miss_penalty", "Three or more off", "Points lost for missing a bid by three or more.", ("CH-9",),
            span=(0, 20), default=0, says=("losing {value} for missing by three or more",),
        ),
    )  # fmt: skip

    presets = (Preset("With the hook", {"hook": True}), Preset("Daring", {"zero_bid": 5, "miss_penalty": 5}))

    def words(self) -> Iterable[tuple[str, str]]:
        return (("", word) for word in (*READS.values(), *READINGS, "trump"))

    def pack(self, options: Options, players: int) -> Pack:
        return decktet()


GAME = Chicane()
