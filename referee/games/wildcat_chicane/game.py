"""Wildcat Chicane, by P. D. Magnus, for three or four players with the Decktet.

Aces and Crowns are dealt evenly, then the number cards. Everyone chooses an Ace or Crown as ruling card; all are
revealed together. With an Ace, its owner reads number cards by the bottom suit, with a Crown by the top suit, and the
ruling card's suit is its owner's trump. Players bid tricks from the dealer's left. No one may lead their own trump
while holding another suit. The suit led is the one its owner reads; others follow it by their own reading. Trumps win,
each being trump by its owner's ruling card; of equal trumps, the earlier one. An exact bid scores four times the bid,
one off twice, two off once.

Source: "Wildcat Chicane", P. D. Magnus, Decktet blog, 2019. Deviations: none; where the post is silent, the defaults
WC-Q1 .. WC-Q11 apply.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated, ClassVar, cast

from referee.engine.claims import Places
from referee.engine.event_kinds import Line, event_kind
from referee.engine.events import Ask, CardAside, Field, Turn
from referee.engine.game import Dealing
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen
from referee.engine.rules import EndRule, Option, Options, Preset, Problem, Rules, Setup, switch
from referee.engine.rulings import Reason, Refusal, impossible
from referee.engine.shapes import CARD, NULL_CARD, NULL_SUIT, REASON, text
from referee.engine.sheet import EachText, HandParts
from referee.engine.state import BIDDING, Phase, per_seat, takes
from referee.engine.texts import noun, phrase, sentences
from referee.games.decktet_tricks.suited import BOTTOM_SUIT, TOP_SUIT, ExactBidsHand, ExactBidsRules
from referee.packs import Pack, decktet
from referee.packs.decktet import ACE, CROWN, SUIT_NAMES
from referee.tricks import questions
from referee.tricks.hand import BIDS, TrickGame, TrickHand
from referee.tricks.questions import DEAL, LEGAL, PLAYS, SCORE, TRICK
from referee.tricks.rules import UNSEEN
from referee.tricks.state import ASKER


@event_kind(
    "ruling-card",
    Line("Ruling cards", "{seat} {cards}", shared=True),
    says="A seat’s ruling card.",
    log="{seat}’s ruling card: {cards}",
    by_player=True,
    secret=True,
)
class RulingCard(CardAside):
    """A seat's ruling card (WC-3)."""


RULING_CARD = Phase("ruling-card")
CHOOSES = Turn(
    "{seat} puts a ruling card face down.",
    "Put a ruling card face down.",
    "Everyone puts a ruling card face down.",
    "{seats} each put a ruling card face down.",
)
HAND_SIZES = {3: 12, 4: 9}
HIGH_CARDS = {3: 4, 4: 3}
"""Aces and Crowns in each hand, by number of players (WC-2)."""
HIGHS = phrase(" Only Aces and Crowns are counted here: they were dealt separately.")
NUMBERS = phrase(" Only number cards are counted here: they were dealt separately.")
"""Notes on joint proofs, which count each class of cards separately (WC-2)."""
READS = {ACE: "BOTTOM", CROWN: "TOP"}
"""Readings as shown on pages, by rank of the ruling card (WC-4)."""


class ChicaneRules(ExactBidsRules):
    @cached_property
    def high(self) -> int:
        """Aces and Crowns, as a mask."""
        return self.pack.mask(card.index for card in self.pack.cards if card.rank in READS)

    def trump_suits(self) -> tuple[str, ...]:
        """No suit is trump for everyone (WC-5)."""
        return ()


class ChicaneParts(HandParts):
    """Description of a hand, with each seat's ruling card."""

    ruling_cards: Annotated[EachText, "Each seat’s ruling card."]


class ChicaneHand(ExactBidsHand):
    """A hand of Wildcat Chicane; ``rulings`` are the ruling cards by seat."""

    rules: ChicaneRules
    rulings: tuple[int | None, ...] = per_seat(None)

    SHEET_CARDS = (("ruling_cards", "ruling cards"),)
    GUIDES = (*TrickHand.GUIDES, "games/decktet_tricks")
    SET_ASIDE: ClassVar[int] = 1
    ASIDE = RULING_CARD
    CITES = {
        "highest-trump": ("WC-13",), "highest-follower": ("WC-13", "WC-12"), "earlier-of-equals": ("WC-14",),
        "follow": ("WC-11",), "name": ("WC-Q7",), "turn-to-bid": ("WC-7",), "hook": ("WC-Q3",),
        "trump-led": ("WC-10",), "tricks": ("WC-16",), "far-off": ("WC-16", "WC-Q1"), "zero-bid": ("WC-Q2",),
        "lead": ("WC-9", "WC-10", "WC-15"),
        "deal": ("WC-2", "WC-8"),
    }  # fmt: skip

    @takes(RulingCard)
    def take_ruling_card(self, event: RulingCard) -> Refusal | None:
        """Record a seat's ruling card, an Ace or a Crown (WC-3)."""
        laid = self.lay_aside(event)
        if isinstance(laid, Refusal):
            return laid
        self.rulings = laid
        if None not in laid:
            self.phase = BIDDING
        return None

    def instructions(self) -> tuple[Reason, ...]:
        return (Reason("lay-ruling-card", ("WC-3",)),) if self.phase is RULING_CARD else ()

    def unfit_aside(self, card: int) -> Refusal | None:
        if self.rules.high >> card & 1:
            return None
        return impossible("not-in-deck", "WC-3", phrase="no-ruling-card", card=self.rules.pack.cards[card])

    def lead_clauses(self) -> tuple[str, ...]:
        bid_early = any(found.code == "out-of-turn" and found.trick is None for found in self.irregularities)
        first = not (self.taken or self.plays)
        return (*super().lead_clauses(), *(("WC-Q12",) if bid_early and first else ()))

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        if not self.dealt_out(seat) >> card & 1:
            return None
        phrase = "too-many-high" if self.rules.high >> card & 1 else "too-many-numbers"
        shown_card = self.rules.pack.cards[card]
        return impossible("too-many-cards", "REC-7", "WC-2", phrase=phrase, seat=seat, card=shown_card)

    def dealt_out(self, seat: int) -> int:
        """Cards of each class (Aces and Crowns, number cards) of which a seat has played its whole share (WC-2).

        An unseen card counts if it can only belong to one class.
        """
        ruling, high = self.rulings[seat], self.rules.high
        left = [] if ruling is None else [1 << ruling]
        left += [1 << play[1] for plays in self.laid() for play in plays if play[0] == seat and play[1] != UNSEEN]
        left += [could for owner, could in self.hidden if owner == seat]
        dealt = HIGH_CARDS[self.rules.players]
        out = high if sum(not could & ~high for could in left) >= dealt else 0
        numbers = sum(not could & high for could in left)
        return out | (0 if numbers < HAND_SIZES[self.rules.players] - dealt else self.rules.pack.everything & ~high)

    def place_read(self, seat: int) -> int | None:
        """The bottom suit counts for the owner of an Ace, the top suit for that of a Crown (WC-4)."""
        ruling = self.rulings[seat]
        if ruling is None:
            return None
        return BOTTOM_SUIT if self.rules.pack.cards[ruling].rank == ACE else TOP_SUIT

    def read_by(self, *rulings: int) -> None:
        """Set the ruling cards for a question; seats without one get the first, since theirs do not matter."""
        self.rulings = (*rulings, *rulings[:1] * (self.rules.players - len(rulings)))

    def own_trump(self, seat: int) -> str | None:
        """A seat's own trump: the suit of its ruling card (WC-5)."""
        ruling = self.rulings[seat]
        return None if ruling is None else self.rules.pack.cards[ruling].suits[0]

    def suit_read(self) -> str:
        """Which suit the player in turn reads: ``last`` (bottom) with an Ace, else ``first`` (WC-4)."""
        acting = self.to_act()
        place = self.place_read(acting[0]) if len(acting) == 1 else None
        return {TOP_SUIT: "first", BOTTOM_SUIT: "last", None: ""}[place]

    def guarded(self, seat: int) -> int:
        """A seat may lead its own trump only if it holds nothing else (WC-10)."""
        return self.trumps()[seat]

    def lead_key(self, form: str) -> str:
        return f"own-{form}"

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Aces and Crowns are counted separately from number cards, as they were dealt (WC-2)."""
        (places,) = super().split(gone, left)
        high, dealt = self.rules.high, HIGH_CARDS[self.rules.players]
        shown = [(seat, card) for seat, card in enumerate(self.rulings) if card is not None]
        shown += [(play[0], play[1]) for plays in self.laid() for play in plays]
        out = Counter(seat for seat, card in shown if high >> card & gone >> card & 1)
        highs = tuple(dealt - out[seat] if room else 0 for seat, room in enumerate(places.room))
        numbers = tuple(room - apart for room, apart in zip(places.room, highs, strict=True))
        return (Places(places.unseen & high, highs, HIGHS), Places(places.unseen & ~high, numbers, NUMBERS))

    def trump_fits(self, trump: str | None) -> bool:
        """No suit is trump for everyone (WC-5)."""
        return trump is None

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        return "own-trumps", {}

    def aside(self) -> tuple[int | None, ...]:
        return self.rulings

    def trump_clauses(self) -> tuple[str, ...]:
        return ("WC-5",)

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not RULING_CARD:
            return super().asks()
        high = [card for card in self.rules.pack.cards if card.rank in (ACE, CROWN)]
        choices = tuple(card.code for card in high if not self.gone >> card.index & 1)
        taken = tuple(card.code for card in high if self.gone >> card.index & 1)
        card = Field("cards", "cards", "Ruling card", choices, taken)
        ruling = Ask("ruling-card", "Ruling card", self.to_act(), (card,), secret=True, turn=CHOOSES)
        first = self.first_bidder()
        bid = Ask("bid", "Enter the bids first", (first,), self.bid_fields(first), turn=BIDS)
        return (ruling, bid, *super().asks())

    def describe(self) -> ChicaneParts:
        cards = self.rules.pack.cards
        shown = [None if card is None else cards[card].code for card in self.rulings]
        trumps = [self.own_trump(seat) for seat in range(self.rules.players)]
        return {
            **super().describe(),
            "trump": None, "has_trump": False, "ruling_cards": shown, "trumps": trumps,
            "seat_notes": [None if card is None else READS[cards[card].rank] for card in self.rulings],
        }  # fmt: skip


# --- The game


# --- Questions of Wildcat Chicane, where each player reads cards by a ruling card


def read_ruling(question: QuestionReader, rules: ChicaneRules, text: str, pointer: str) -> int:
    """Parse a ruling card; reports a problem unless it is an Ace or a Crown (WC-3)."""
    card = question.card(rules.pack, text, pointer)
    if card >= 0 and not rules.high >> card & 1:
        detail = phrase(sentences()["no-ruling-card"], card=rules.pack.cards[card])
        question.reader.value(pointer, detail, "not-in-deck")
    return card


def suit(payload: Mapping[str, object]) -> dict[str, object]:
    """Which suit a card is for the owner of a ruling card (WC-4)."""
    question = QuestionReader(payload, "suit")
    text, ruling_text = question.text("card", needed=True), question.text("ruling_card")
    if ruling_text is None:
        question.lacking("ruling_card", "The player’s ruling card is needed.")
    question.check()
    rules = cast(ChicaneRules, next(question.possible_rules()))
    card = question.card(rules.pack, text or "", "/card")
    ruling = read_ruling(question, rules, ruling_text or "", "/ruling_card")
    question.check()
    hand = ChicaneHand.set_up(rules)
    hand.read_by(ruling)
    read = str(hand.suit_of(ASKER, card))
    read_card = rules.pack.cards[card]
    facts = {"card": read_card, "suit": noun(SUIT_NAMES[read]), "ruling": rules.pack.cards[ruling]}
    end = "bottom" if rules.pack.cards[ruling].rank == ACE else "top"
    key = f"read-{end}" if len(read_card.suits) > 1 else ""
    return {"suit": read, "reason": Reason("read", ("WC-4",), facts, key)}


def trick(payload: Mapping[str, object]) -> dict[str, object]:
    """Who wins or is winning a trick; each play has its player's ruling card."""
    question, rules, plays, cards = questions.read_trick(payload)
    hand = ChicaneHand.set_up(cast(ChicaneRules, rules))
    rulings: list[int] = []
    for position, play in enumerate(plays):
        pointer = f"/plays/{position}"
        text = play.get("ruling_card")
        if text is None:
            question.lacking("ruling_card", "Give the ruling card of every player in the trick.", pointer)
            continue
        ruling = read_ruling(question, hand.rules, text, f"{pointer}/ruling_card")
        if ruling >= 0 and (ruling in cards or ruling in rulings):
            question.twice(rules.pack, ruling, f"{pointer}/ruling_card")
        rulings.append(ruling)
    questions.reported_trump(question, hand)
    question.check()
    hand.read_by(*rulings)
    return questions.finish_trick(question, hand, plays, cards)


def legal(payload: Mapping[str, object]) -> dict[str, object]:
    """Which cards of a hand may be played to the suit led, or led (WC-10, WC-11)."""
    question = QuestionReader(payload, "legal")
    texts = question.texts("hand")
    ruling_text, led = question.text("ruling_card"), question.text("led_suit")
    led_card = question.text("led_card")
    if ruling_text is None:
        question.lacking("ruling_card", "Give the player’s ruling card.")
    question.check()
    rules = cast(ChicaneRules, next(question.possible_rules()))
    cards = question.cards(rules.pack, texts, "/hand")
    ruling = read_ruling(question, rules, ruling_text or "", "/ruling_card")
    if ruling in cards and ruling >= 0:
        question.twice(rules.pack, ruling, "/ruling_card")
    led_suit = None if led is None else rules.pack.suit(led)
    if led is not None and led_suit is None:
        question.reader.value("/led_suit", phrase("“{suit}” is not a suit.", suit=led[:40]), "bad-suit")
    if led_card is not None:
        question.reader.value("/led_card", "Give the suit led: it depends on who led the card.")
    question.check()
    dealt = rules.pack.mask((*cards, ruling))
    highs = (dealt & rules.high).bit_count()
    most_high = rules.high.bit_count() // rules.players
    most_numbers = len(rules.pack) // rules.players - most_high
    if not cards:
        question.reader.value("/hand", "A hand needs at least one card.", "wrong-count")
    if highs > most_high or dealt.bit_count() - highs > most_numbers:
        detail = phrase(
            "No player is dealt more than {high} Aces and Crowns and {numbers} number cards.",
            high=most_high, numbers=most_numbers,
        )  # fmt: skip
        question.reader.wrong.append(Problem("/hand", "too-many-cards", detail))
    question.check()
    hand = ChicaneHand.set_up(rules, cards=len(cards), known=dealt)
    hand.read_by(ruling)
    hand.gone |= 1 << ruling
    if led_suit is not None:
        leader = rules.players - 1  # some card of that suit was led; the ruling card stands in for it
        hand.follows = tuple(hand.own(seat)[led_suit] for seat in range(rules.players))
        hand.lead, hand.plays, hand.there = ruling, ((leader, ruling, 0, None),), 1 << leader
    return questions.judge_each(hand, cards)


RULING = "ruling_card"


def high(rules: ChicaneRules) -> tuple[str, ...]:
    """Codes of possible ruling cards (WC-3)."""
    return tuple(card.code for card in rules.pack.cards if rules.high >> card.index & 1)


def trick_blanks(rules: ChicaneRules, filled: FilledIn) -> tuple[Blank, ...]:
    most, cards = max(1, len(filled.get(PLAYS, ()))), high(rules)
    rulings = Blank(RULING, "cards", "Ruling cards of the players, in the same order", choices=cards, most=most)
    return (*questions.trick_blanks(rules, filled), rulings)


def plays(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, object]:
    """Build the payload of a trick, each play with its ruling card."""
    payload = questions.plays([blank for blank in blanks if blank.name != RULING], filled)
    for play, ruling in zip(payload["plays"], filled.get(RULING, ()), strict=False):
        play[RULING] = ruling
    return payload


def legal_blanks(rules: ChicaneRules, filled: FilledIn) -> tuple[Blank, ...]:
    hint = "As the player who led it reads it. Leave it empty if you lead."
    return (
        Blank(RULING, "card", "Ruling card", choices=high(rules)),
        Blank("led_suit", "suit", "Suit led", hint, choices=questions.suit_codes(rules), optional=True),
        Blank("hand", "cards", "Cards in hand"),
    )


def trick_seen(hand: Seen) -> FilledIn:
    """Prefill: the cards of the last trick, and the ruling cards of their players."""
    trick = questions.last_trick(hand)
    ruling = hand.get("ruling_cards") or []
    if trick is None or None in ruling:
        return {}
    return {**questions.trick_seen(hand), RULING: [ruling[play["seat"]] for play in trick["plays"]]}


def legal_seen(hand: Seen) -> FilledIn:
    """Prefill: the suit led, as the leader reads the card."""
    trick = questions.last_trick(hand, running=True)
    read = (trick.get("reads") or [None])[0] if trick else None
    return {"led_suit": [read]} if read else {}


EVERYBODYS_TRUMP = Example(
    "Everybody has a trump suit",
    {
        "game": "wildcat-chicane",
        "plays": [
            {"cards": ["6LK"], "ruling_card": "XL"},
            {"cards": ["9MS"], "ruling_card": "XM"},
            {"cards": ["9LK"], "ruling_card": "AW"},
        ],
    },
    {"winner": 1},
)
QUESTIONS = (
    replace(
        TRICK,
        answer=trick,
        blanks=trick_blanks,
        seen=trick_seen,
        compose=plays,
        help=(*TRICK.help, "Wildcat Chicane needs each player’s `ruling_card`."),
        request={**TRICK.request, "plays": questions.shown(ruling_card=NULL_CARD, suit=NULL_SUIT)},
        examples=(EVERYBODYS_TRUMP,),
    ),
    replace(
        LEGAL,
        answer=legal,
        blanks=legal_blanks,
        seen=legal_seen,
        help=(*LEGAL.help, "Wildcat Chicane needs `ruling_card`, and `led_suit` instead of `led_card`."),
        request={**LEGAL.request, "ruling_card": NULL_CARD, "led_suit": NULL_SUIT},
    ),
    Question(
        "suit",
        "Which suit is this card?",
        suit,
        hint="How you read a card with your ruling card.",
        blanks=lambda rules, filled: (
            Blank(RULING, "card", "Ruling card", choices=high(rules)),
            Blank("card", "card", "Card"),
        ),
        help=("Returns the suit of a card as its owner reads it, by the ruling card.",),
        request={"card": CARD, "ruling_card": NULL_CARD},
        needed=("card", "ruling_card"),
        response={"suit": text(), "reason": REASON},
        examples=(Example("Read by a Crown", {"card": "8YK", "ruling_card": "XM"}, {"suit": "Y"}),),
        sole=True,
    ),
    SCORE,
    DEAL,
)


TARGET = 40


class WildcatChicane(TrickGame):
    id = "wildcat-chicane"
    place = 3
    name = "Wildcat Chicane"
    tagline = "Bid your tricks exactly; your ruling card sets your suits and your trump."
    gist = "bid it exactly"
    emblem = ("XY", "7WY")
    source = "P. D. Magnus, Wildcat Chicane"
    with_cards = "with the basic pack"
    lesson = ("WC-2", "WC-3", "WC-4", "WC-5", "WC-7", "WC-10", "WC-11", "WC-13", "WC-16")
    players = (3, 4)
    end = EndRule("score", TARGET)
    rules_class = ChicaneRules
    hand_class = ChicaneHand
    beside_tricks = frozenset({"hook", "zero_bid", "miss_penalty"})
    events = (RulingCard,)
    phases = (RULING_CARD, BIDDING)
    QUESTIONS = QUESTIONS
    options = (
        switch(
            "hook", "Hook", "The last bidder may not make the bids add up to the number of tricks.", "WC-Q3",
            says="with the hook",
        ),
        Option(
            "zero_bid", "Bid of 0", "Points for making a bid of 0.", ("WC-Q2",), span=(0, 20), default=0,
            says=("{value} points for an exact bid of 0", "1 point for an exact bid of 0"),
        ),
        Option(
            "miss_penalty", "Three or more off", "Points lost for missing a bid by three or more.", ("WC-Q1",),
            span=(0, 20), default=0,
            says=("{value} points off for missing by three or more", "1 point off for missing by three or more"),
        ),
    )  # fmt: skip

    presets = (Preset("With the hook", {"hook": True}), Preset("Daring", {"zero_bid": 5, "miss_penalty": 5}))

    def words(self) -> Iterable[tuple[str, str]]:
        return (("", name) for name in READS.values())

    def pack(self, options: Options, players: int) -> Pack:
        return decktet()

    def dealing(self, setup: Setup, dealer: str) -> Dealing:
        """Aces and Crowns are dealt first, then number cards (WC-2)."""
        high = HIGH_CARDS[len(setup.seating)]
        low = HAND_SIZES[len(setup.seating)] - high
        words = phrase(
            "{dealer} deals {high} Aces and Crowns to each, then {low} number cards.", dealer=dealer, high=high, low=low
        )
        return Dealing((high, low), words)

    def can_hold(self, rules: Rules, cards: int) -> bool:
        """A hand has a fixed number of Aces and Crowns (WC-2)."""
        assert isinstance(rules, ChicaneRules)
        return (cards & rules.high).bit_count() == HIGH_CARDS[rules.players]


GAME = WildcatChicane()
