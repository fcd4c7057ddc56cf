"""A hand of Oh Hell: a card turned up, bids that have to be met exactly, and tricks."""

from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Annotated, ClassVar

from referee.engine.claims import Places
from referee.engine.event_kinds import Event, FieldType, Line, SuitCode, card_code, event_kind
from referee.engine.events import Ask, Bid, FaceUp, Field, Play, Turn
from referee.engine.reader import Reader
from referee.engine.rulings import Oddity, Reason, Refusal, ScoreLine, impossible
from referee.engine.sheet import HandParts
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID, Phase, derived, kept, takes
from referee.engine.texts import phrase
from referee.games.oh_hell.rules import OhHellRules, bid_line, course_clauses
from referee.packs.french import SUIT_NAMES
from referee.tricks.hand import TrickHand
from referee.tricks.view import BIDS

UNSEEN = "?"
"""Stands for a card of which only the suit was seen."""
TurnedCard = Annotated[
    str,
    FieldType(
        "card",
        Reader.text,
        {"type": "string", "maxLength": 60, "description": "A card, or `?` where only its suit was seen."},
        card_code,
    ),
]
"""A card by its code, or ``?``."""


@event_kind(
    "turn-up",
    Line("Turned up", "{card} ({suit})"),
    says="The card turned up for trump.",
    log="Turned up: {card} ({suit})",
)
class TurnUp(Event):
    """The card turned up for trump; of ``?`` the suit is said (OH-3, OH-Q2)."""

    card: TurnedCard
    suit: SuitCode | None = None


TURN_UP = Phase("turn-up")
BIDS_TOGETHER = Turn(
    "{seat} bids in secret: how many tricks?",
    "You bid in secret: how many tricks?",
    "Everyone bids in secret: how many tricks?",
    "{seats} bid in secret: how many tricks?",
)


class OhHellParts(HandParts):
    """A hand with the card turned up (``?`` where only its suit was seen) and its place in the course, from 1."""

    turned: Annotated[str | None, "The card turned up, `?` where only its suit was seen."]
    hand_of_course: Annotated[int, "Its place in the course, from 1."]


class OhHellHand(TrickHand):
    """A hand of Oh Hell: bids in turn or in secret, tricks with the trump turned up, and a score for each bid.

    ``turned`` is that card, ``suit_only`` says that nobody saw more of it than its suit; ``turns_up`` whether there
    is such a card at all. Where a bid came before it, it was not recorded: trump is unknown and the hand ``skipped``
    it, until a trick tells.
    """

    rules: OhHellRules
    turned: int | None = kept(None)
    suit_only: bool = kept(False)
    turns_up: bool = derived(False)

    EXACT_BIDS: ClassVar[bool] = True
    CITES = {
        "highest-trump": ("OH-8",), "highest-follower": ("OH-8",), "earlier-of-equals": ("OH-8",),
        "follow": ("OH-7",), "turn-to-bid": ("OH-4",), "hook": ("OH-5",), "tricks": ("OH-9",),
        "lead": ("OH-6",), "deal": ("OH-2", "OH-3"),
    }  # fmt: skip

    def settle(self) -> None:
        """Work out what follows from the set-up alone: whether a card is left to be turned up (OH-3)."""
        super().settle()
        self.turns_up = self.rules.turns_up(self.total)

    def opening_phase(self) -> Phase:
        """Begin with the card turned up, where there is one."""
        return TURN_UP if self.turns_up else BIDDING

    def instructions(self) -> tuple[Reason, ...]:
        return (Reason("turn-card-up", ("OH-3",)),) if self.phase is TURN_UP else ()

    @takes(TurnUp)
    def take_turn_up(self, event: TurnUp) -> Refusal | None:
        """Take the card turned up, or its suit alone (OH-3, OH-Q2); it is in no entered hand (OH-Q1)."""
        if self.phase is not TURN_UP:
            late = self.phase not in (FINISHED, VOID) and self.turns_up and not self.seen_turned()
            if late:  # bids came before it
                return impossible("wrong-phase", "OH-Q3", "REC-2", phrase="turn-up-late")
            return self.not_now(event)
        pack = self.rules.pack
        suit = None if event.suit is None else pack.suit(event.suit)
        if event.card == UNSEEN:
            if suit is None:
                return impossible("bad-suit", "OH-Q2", "REC-9", phrase="turn-up-no-suit")
            if not self.unplaced(suit):
                name = phrase(SUIT_NAMES[suit])
                return impossible("bad-suit", "OH-Q2", "REC-9", phrase="turn-up-suit-entered", suit=name)
            self.trump, self.suit_only = suit, True
        else:
            card = pack.find(event.card)
            if card is None:
                return self.not_in_deck(event.card)
            shown = pack.cards[card]
            if any((known or 0) >> card & 1 for known in self.setup.known):
                return impossible("not-in-hand", "OH-Q1", "REC-8", phrase="turned-card-entered", card=shown)
            if event.suit is not None and suit != shown.suits[0]:
                text = event.suit[:40]
                return impossible("bad-suit", "OH-3", "REC-9", phrase="turn-up-other-suit", card=shown, suit=text)
            self.trump, self.turned = shown.suits[0], card
        self.phase = BIDDING
        return None

    def seen_turned(self) -> bool:
        return self.turned is not None or self.suit_only

    def unplaced(self, suit: str) -> int:
        """Return the cards of a suit that were not shown and lie in no entered hand: one turned up is among them."""
        entered = reduce(or_, (known or 0 for known in self.setup.known), 0)
        return self.rules.suited[suit][0] & ~self.gone & ~entered

    def take_play(self, event: Play) -> Refusal | None:
        if self.skipped and self.phase is PLAY:
            return impossible("wrong-phase", "OH-Q3", "REC-2", phrase="trump-unknown-play")
        return super().take_play(event)

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        shown = self.rules.pack.cards[card]
        if self.turned is not None:
            wrong = impossible("not-in-hand", "OH-Q1", "REC-8", phrase="turned-card-played", card=shown)
            return wrong if card == self.turned else None
        if not self.turns_up or self.trump is None or self.unplaced(self.trump) != 1 << card:
            return None
        return impossible("not-in-hand", "OH-Q1", "OH-Q2", "REC-8", phrase="last-of-turned-suit", card=shown)

    def may_hold(self, seat: int) -> int:
        """Return the cards that a seat can have played unseen; the card turned up is none of them (OH-Q1)."""
        return super().may_hold(seat) & ~(0 if self.turned is None else 1 << self.turned)

    def kept_aside(self) -> tuple[int, ...]:
        """Return what the card turned up can be, where no more than its suit is known (OH-Q2)."""
        if self.turned is not None or not self.turns_up or self.trump is None:
            return ()
        return (self.unplaced(self.trump),)

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Return where unseen cards can be; the card turned up lies aside, perhaps unseen but for its suit (OH-Q2)."""
        (places,) = super().split(gone, left)
        if self.turned is not None:
            return (Places(places.unseen & ~(1 << self.turned), places.room),)
        if not self.suit_only:
            return (places,)
        other_suits = self.rules.pack.everything & ~self.rules.suited[self.trump][0]
        return (Places(places.unseen, places.room, kept=((other_suits, 1),)),)

    # -- a card that was not recorded -----------------------------------------------------------

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Go past a card turned up that nobody recorded (OH-Q3)."""
        if self.phase is TURN_UP:
            self.skipped = True

    def trump_fits(self, trump: str | None) -> bool:
        if not self.skipped:
            return trump == self.trump
        return trump is not None and trump in self.rules.suited and bool(self.unplaced(trump))

    def reported_trump(self, trump: str | None) -> None:
        """Take the trump that a recorded trick tells; from then on cards can be judged (OH-Q3)."""
        super().reported_trump(trump)
        self.skipped = False

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        if not self.skipped:
            return super().why_no_trump(trump)
        return ("trick-without-trump" if trump is None else "turn-up-suit-entered"), {}

    def trump_clauses(self) -> tuple[str, ...]:
        return ("OH-Q3",) if self.skipped else ("OH-3",)

    def deal_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which a hand like this one is dealt."""
        return (*course_clauses(self.rules.options, self.rules.players), "OH-3")

    def bidders(self) -> tuple[int, ...]:
        """Return the seats in the order in which they bid; together there is none (OH-V7)."""
        return () if self.rules.together else super().bidders()

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may act now; together, all who have not bid (OH-V7)."""
        return self.bid_next() if self.rules.together and self.phase is BIDDING else super().to_act()

    def bid_next(self) -> tuple[int, ...]:
        """Return the seats that can bid next: one after the other, or together all who have not (OH-4, OH-V7)."""
        without = tuple(seat for seat in self.from_left() if self.bids[seat] is None)
        return tuple(sorted(without)) if self.rules.together else without[:1]

    def odd_bid(self, event: Bid) -> list[Oddity]:
        """Return what is irregular: nothing of bids made together (OH-V7); a hook on no dealer says why (OH-Q4)."""
        odd = [] if self.rules.together else super().odd_bid(event)
        for place, oddity in enumerate(odd):
            if oddity.code == "forbidden-bid" and event.seat != self.setup.dealer:
                reason = replace(oddity.reason, clauses=(*oddity.reason.clauses, "OH-Q4"))
                odd[place] = replace(oddity, reason=reason)
        return odd

    def forbidden_bid(self, seat: int) -> int | None:
        """Return the bid that the hook forbids this seat, if it bids last (OH-5)."""
        return None if self.rules.together else super().forbidden_bid(seat)

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        return bid_line(seat, bid, tricks, self.rules.options)

    # -- what is shown --------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next, the card turned up, or its suit alone, among it (OH-3, OH-Q2)."""
        secret = self.rules.together
        bids = BIDS_TOGETHER if secret else BIDS
        if self.phase is TURN_UP:
            seats = self.bid_next()
            suits = tuple(suit.code for suit in self.rules.pack.suits if self.unplaced(suit.code))
            card, turns = (
                Field("card", "card", "Card turned up", choices=self.unplayed()),
                Turn("Turn up a card for trump."),
            )
            suit = Field("suit", "suit", "Suit", choices=suits)
            return (
                Ask("turn-up", "Card turned up", fields=(card,), turn=turns),
                Ask("turn-up", "Only the suit was seen", fields=(suit,), fixed={"card": UNSEEN}, turn=turns),
                Ask("bid", "Enter the bids first", seats, self.bid_fields(seats[0]), secret=secret, turn=bids),
            )
        if self.phase is BIDDING and secret:
            seats = self.to_act()
            return (Ask("bid", "Bid", seats, self.bid_fields(seats[0]), secret=True, turn=bids),)
        return super().asks()

    def trump_field(self) -> tuple[Field, ...]:
        """Return the field for a trump that a trick can tell, where the card turned up was not recorded (OH-Q3)."""
        if not self.skipped:
            return ()
        suits = tuple(suit.code for suit in self.rules.pack.suits if self.trump_fits(suit.code))
        return (Field("trump", "suit", "Trump", suits, optional=True, none="not known"),)

    def unplayed(self) -> tuple[str, ...]:
        turned = None if self.turned is None else self.rules.pack.cards[self.turned].code
        return tuple(code for code in super().unplayed() if code != turned)

    def claims_of_cards(self) -> dict[str, Reason]:
        """Return what playing a card would claim; the one turned up cannot be played (OH-Q1)."""
        left = self.unplayed()
        return {code: claim for code, claim in super().claims_of_cards().items() if code in left}

    def face_up(self) -> tuple[FaceUp, ...]:
        """Return the card turned up, which lies open for the whole hand (OH-3)."""
        if self.turned is None and not self.suit_only:
            return ()
        cards = () if self.turned is None else (self.rules.pack.cards[self.turned].code,)
        return (FaceUp("turned up", cards, self.trump),)

    def describe(self) -> OhHellParts:
        card = None if self.turned is None else self.rules.pack.cards[self.turned].code
        return {
            **super().describe(),
            "has_trump": bool(self.rules.trump_suits()) and not self.skipped,
            "turned": UNSEEN if self.suit_only else card,
            "hand_of_course": self.setup.finished % len(self.rules.course) + 1,
            "opening": self.trump_reason(),
        }

    def trump_reason(self) -> Reason | None:
        """Return why this suit is trump, or none; ``None`` while that is not known by the deal."""
        way = self.rules.options["trump"]
        if way == "none":
            return Reason("no-trump", ("OH-3", "OH-V5"))
        if way == "fixed-order":
            facts = {} if self.trump is None else {"suit": phrase(SUIT_NAMES[self.trump])}
            return Reason("trump-in-order", ("OH-3", "OH-V4"), facts, "" if facts else "no-trump")
        if not self.turns_up:
            return Reason("no-card-left", ("OH-3",))
        if self.trump is None or not self.seen_turned():
            return None
        facts = {"suit": phrase(SUIT_NAMES[self.trump])}
        if self.turned is None:
            return Reason("turned-up", ("OH-3", "OH-Q2"), facts, "turned-up-suit")
        return Reason("turned-up", ("OH-3",), facts | {"card": self.rules.pack.cards[self.turned]})

    def unchecked(self) -> list[Reason]:
        reasons = super().unchecked()
        missed = self.turns_up and any(trick.trump is None for trick in self.taken)
        if missed or (self.skipped and None not in self.bids):
            reasons.append(Reason("trump-unknown", ("OH-Q3", "REC-19"), phrase="trump-unknown-turned"))
        return reasons
