"""Trump from a French card turned up after the deal, or from a fixed order of suits."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Annotated, ClassVar

from referee.engine.claims import Places
from referee.engine.event_kinds import Event, FieldType, Line, SuitCode, card_code, event_kind
from referee.engine.events import Ask, FaceUp, Field, Play, Turn
from referee.engine.reader import Reader
from referee.engine.rules import Dealt, Rules, Setup
from referee.engine.rulings import Oddity, Reason, Refusal, impossible
from referee.engine.sheet import HandParts
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID, Phase, derived, kept, takes
from referee.engine.texts import noun
from referee.packs.french import SUIT_NAMES
from referee.tricks.hand import TrickGame, TrickHand
from referee.tricks.rules import CODE, UNSEEN

TurnedCard = Annotated[
    str,
    FieldType(
        "card",
        Reader.text,
        {"type": "string", "maxLength": 60, "description": "A card, or `?` if only its suit was seen."},
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
    """The card turned up for trump; for ``?``, ``suit`` gives its suit."""

    card: TurnedCard
    suit: SuitCode | None = None


TURN_UP = Phase("turn-up")


class TurnedParts(HandParts):
    """Description of a hand with a card turned up."""

    turned: Annotated[str | None, "The card turned up, `?` if only its suit was seen."]


class TurnedHand(TrickHand):
    """A hand whose trump may be the suit of a card turned up after the deal.

    ``turned`` is that card, ``suit_only`` is set if only its suit was seen, ``turns_up`` if a card is turned up in this
    hand at all. If the next event was recorded without it, the hand is ``skipped``: trump is unknown until a trick
    reports it. Further keys of ``CITES``: ``turn-up``, ``turned-place`` (where the card belongs), ``suit-only``,
    ``not-turned`` (not recorded), ``in-order`` (fixed order) and ``no-trump``.
    """

    turned: int | None = kept(None)
    suit_only: bool = kept(False)
    turns_up: bool = derived(False)

    def settle(self) -> None:
        super().settle()
        self.turns_up = self.has_turned_card()

    def has_turned_card(self) -> bool:
        return bool(self.rules.options["trump"] == "turned")

    def opening_phase(self) -> Phase:
        return TURN_UP if self.turns_up else super().opening_phase()

    def instructions(self) -> tuple[Reason, ...]:
        return (Reason("turn-card-up", self.CITES["turn-up"]),) if self.phase is TURN_UP else ()

    @takes(TurnUp)
    def take_turn_up(self, event: TurnUp) -> Refusal | None:
        """Record the card turned up, or only its suit."""
        cites = self.CITES
        if self.phase is not TURN_UP:
            if self.phase not in (FINISHED, VOID) and self.turns_up and not self.seen_turned():
                return impossible("wrong-phase", *cites["not-turned"], "REC-2", phrase="turn-up-late")
            return self.not_now(event)
        pack = self.rules.pack
        suit = None if event.suit is None else pack.suit(event.suit)
        if event.card == CODE:
            if suit is None:
                return impossible("bad-suit", *cites["suit-only"], "REC-9", phrase="turn-up-no-suit")
            if not self.unplaced(suit):
                facts: dict[str, object] = {"suit": noun(SUIT_NAMES[suit])}
                return impossible("bad-suit", *cites["suit-only"], "REC-9", phrase="turn-up-suit-entered", **facts)
            self.trump, self.suit_only = suit, True
        else:
            card = pack.find(event.card)
            if card is None:
                return self.not_in_deck(event.card)
            shown = pack.cards[card]
            if self.entered_elsewhere() >> card & 1:
                why = "turned-card-entered"
                return impossible("not-in-hand", *cites["turned-place"], "REC-8", phrase=why, card=shown)
            if event.suit is not None and suit != shown.suits[0]:
                facts = {"card": shown, "suit": event.suit[:40]}
                return impossible("bad-suit", *cites["turn-up"], "REC-9", phrase="turn-up-other-suit", **facts)
            self.trump, self.turned = shown.suits[0], card
        self.phase = BIDDING if self.rules.bidding else PLAY
        return None

    def seen_turned(self) -> bool:
        return self.turned is not None or self.suit_only

    def entered_elsewhere(self) -> int:
        """Cards that cannot be the one turned up, because they are in entered hands."""
        return reduce(or_, (known or 0 for known in self.setup.known), 0)

    def unplaced(self, suit: str) -> int:
        """Cards of a suit that may still be the one turned up."""
        return self.rules.suited[suit][0] & ~self.gone & ~self.entered_elsewhere()

    def take_play(self, event: Play) -> Refusal | None:
        if self.skipped and self.phase is PLAY:
            return impossible("wrong-phase", *self.CITES["not-turned"], "REC-2", phrase="trump-unknown-play")
        return super().take_play(event)

    # -- a turned-up card that was not recorded -------------------------------------------------

    def lacks_trump(self) -> bool:
        """Return whether trump is still unknown because the card turned up was not recorded."""
        return self.turns_up and self.trump is None

    def trump_fits(self, trump: str | None) -> bool:
        if not self.lacks_trump():
            return trump == self.trump
        return trump is not None and trump in self.rules.suited and bool(self.unplaced(trump))

    def reported_trump(self, trump: str | None) -> None:
        """Set trump as reported with a trick; cards can be judged from then on."""
        super().reported_trump(trump)
        self.skipped = False

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        if not self.lacks_trump():
            return super().why_no_trump(trump)
        return ("trick-without-trump" if trump is None else "turn-up-suit-entered"), {}

    def trump_clauses(self) -> tuple[str, ...]:
        return self.CITES["not-turned" if self.lacks_trump() else "turn-up"]

    # -- description ----------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not TURN_UP:
            return super().asks()
        suits = tuple(suit.code for suit in self.rules.pack.suits if self.unplaced(suit.code))
        card = Field("card", "card", "Card turned up", choices=self.cards_turned())
        suit, turns = Field("suit", "suit", "Suit", choices=suits), Turn("Turn up a card for trump.")
        return (
            Ask("turn-up", "Card turned up", fields=(card,), turn=turns),
            Ask("turn-up", "Only the suit was seen", fields=(suit,), fixed={"card": CODE}, turn=turns),
            *super().asks(),
        )

    def cards_turned(self) -> tuple[str, ...]:
        return self.unplayed()

    def trump_field(self) -> tuple[Field, ...]:
        if not self.lacks_trump():
            return ()
        suits = tuple(suit.code for suit in self.rules.pack.suits if self.trump_fits(suit.code))
        return (Field("trump", "suit", "Trump", suits, optional=True, none="not known"),)

    def face_up(self) -> tuple[FaceUp, ...]:
        if not self.seen_turned():
            return ()
        cards = () if self.turned is None else (self.rules.pack.cards[self.turned].code,)
        return (FaceUp("turned up", cards, self.trump),)

    def describe(self) -> TurnedParts:
        card = None if self.turned is None else self.rules.pack.cards[self.turned].code
        return {
            **super().describe(),
            "has_trump": bool(self.rules.trump_suits()) and not self.skipped,
            "turned": CODE if self.suit_only else card,
            "opening": self.trump_reason(),
        }

    def trump_reason(self) -> Reason | None:
        """Why this suit, or none, is trump; ``None`` while the deal does not show it."""
        way, cites = self.rules.options["trump"], self.CITES
        facts: dict[str, object] = {} if self.trump is None else {"suit": noun(SUIT_NAMES[self.trump])}
        if way == "none":
            return Reason("no-trump", cites["no-trump"])
        if way == "fixed-order":
            return Reason("trump-in-order", cites["in-order"], facts, "" if facts else "no-trump")
        if self.trump is None or not self.seen_turned():
            return None
        if self.turned is None:
            return Reason("turned-up", (*cites["turn-up"], *cites["suit-only"]), facts, "turned-up-suit")
        return Reason("turned-up", cites["turn-up"], facts | {"card": self.rules.pack.cards[self.turned]})

    def unchecked(self) -> list[Reason]:
        reasons = super().unchecked()
        missed = self.turns_up and any(trick.trump is None for trick in self.taken)
        if missed or (self.skipped and not (self.rules.bidding and None in self.bids)):
            reasons.append(
                Reason("trump-unknown", (*self.CITES["not-turned"], "REC-19"), phrase="trump-unknown-turned")
            )
        return reasons


class DealersCard(TurnedHand):
    """A hand in which the card turned up belongs to the dealer."""

    def entered_elsewhere(self) -> int:
        """Cards that cannot be the one turned up; if the dealer's hand was entered, all others."""
        known, dealer = self.setup.known, self.setup.dealer
        own = known[dealer] if known else None
        return super().entered_elsewhere() if own is None else self.rules.pack.everything & ~own

    def turned_of(self) -> int:
        """Cards that may be the one turned up: that card, or those of its suit not shown by other seats."""
        if self.turned is not None:
            return 1 << self.turned
        if not self.suit_only:
            return 0
        return self.rules.suited[self.trump][0] & ~self.entered_elsewhere() & ~self.shown_by(*self.others())

    def others(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.rules.players) if seat != self.setup.dealer)

    def shown_by(self, *seats: int) -> int:
        plays = (play for plays in self.laid() for play in plays if play[0] in seats and play[1] != UNSEEN)
        return self.rules.pack.mask(play[1] for play in plays)

    def still_held(self) -> int:
        """Cards of which the dealer must still hold one; 0 if the card turned up may have been played."""
        could, dealer = self.turned_of(), self.setup.dealer
        shown = self.shown_by(dealer)
        unseen = self.total - self.places_left()[dealer] - shown.bit_count()
        unseen -= sum(owner == dealer and not cards & could for owner, cards in self.hidden)
        return 0 if shown & could or unseen else could

    def dealt_out(self, seat: int) -> int:
        """The card turned up, for every seat except the dealer, once it is certain which card that is."""
        if seat == self.setup.dealer:
            return 0
        could = self.turned_of() if self.turned is not None else self.still_held()
        return could if could.bit_count() == 1 else 0

    def last_is_turned(self, seat: int) -> int:
        """What the dealer's last card must be, if the card turned up is still to be played; else 0."""
        return self.still_held() if seat == self.setup.dealer and self.places_left()[seat] == 1 else 0

    def may_hold(self, seat: int) -> int:
        return super().may_hold(seat) & (self.last_is_turned(seat) or self.rules.pack.everything)

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Refuse the card turned up from other seats, and a last card of the dealer that must be another."""
        cites = self.CITES["turned-place"]
        facts: dict[str, object] = {"seat": self.setup.dealer, "card": self.rules.pack.cards[card]}
        if self.dealt_out(seat) >> card & 1:
            return impossible("not-in-hand", *cites, "REC-8", phrase="turned-card-of-dealer", **facts)
        last = self.last_is_turned(seat)
        if last and not last >> card & 1:
            return impossible("not-in-hand", *cites, "REC-8", phrase="last-card-is-turned", **facts)
        return None

    def surely_held(self, seat: int, bit: int, denial: int) -> int:
        """Add the card turned up to the cards known to be held by the dealer."""
        held = super().surely_held(seat, bit, denial)
        if held or seat != self.setup.dealer:
            return held
        held = self.still_held()
        return 0 if held & ~denial else held

    def seen_breach(self, code: str, seat: int, card: int, held: int) -> Oddity:
        oddity = super().seen_breach(code, seat, card, held)
        if self.suit_only and self.held(seat) is None and held & (held - 1):
            facts = {"seat": seat, "card": self.rules.pack.cards[card], "suit": noun(SUIT_NAMES[str(self.trump)])}
            cited = (*self.follow_clauses(), *self.CITES["turned-place"])
            return replace(oddity, reason=Reason("revoke", cited, facts, "revoke-turned-suit"))
        return oddity

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Where unseen cards can be; the card turned up is in the dealer's hand until played."""
        (places,) = super().split(gone, left)
        dealer = self.setup.dealer
        if self.turned is None or gone >> self.turned & 1 or not places.room[dealer]:
            return (places,)
        room = tuple(count - (seat == dealer) for seat, count in enumerate(places.room))
        return (Places(places.unseen & ~(1 << self.turned), room),)


class TurnedGame(TrickGame):
    """A game whose trump is turned up or follows a fixed order, counted by finished hands."""

    TRUMPS_IN_ORDER: ClassVar[Sequence[str | None]]
    """Trump of successive hands with ``fixed-order``; repeats from the start."""
    events: ClassVar[tuple[type[Event], ...]] = (TurnUp,)
    phases: ClassVar[tuple[Phase, ...]] = (TURN_UP,)

    def trump(self, rules: Rules, before: TrickHand | None) -> str | None:
        return self.trump_after(rules, 0 if before is None else before.setup.finished + 1)

    def trump_after(self, rules: Rules, finished: int) -> str | None:
        """Trump after this many finished hands; ``None`` unless the order is fixed."""
        if rules.options["trump"] != "fixed-order":
            return None
        return self.TRUMPS_IN_ORDER[finished % len(self.TRUMPS_IN_ORDER)]

    def further_on(self, rules: Rules, setup: Setup, finished: int) -> Setup:
        return replace(setup, carry=self.trump_after(rules, finished), finished=finished)

    def dealt_again(self, hand: Dealt, rules: Rules) -> Setup:
        """Deal a void hand again, with the same place in the order of suits."""
        again = super().dealt_again(hand, rules)
        return self.further_on(rules, again, again.finished)
