"""The part of a hand of Oh Hell about the card turned up: what it makes trump, and that nobody can play it."""

from referee.engine.claims import Places
from referee.engine.events import Play
from referee.engine.phases import BIDDING, FINISHED, PLAY, VOID, Phase
from referee.engine.rulings import Reason, Refusal, impossible
from referee.engine.state import derived, kept, takes
from referee.engine.translation import phrase
from referee.games.oh_hell.events import UNSEEN, TurnUp
from referee.games.oh_hell.rules import OhHellRules
from referee.packs.french import SUIT_NAMES
from referee.tricks.hand import TrickHand

TURN_UP = Phase("turn-up")


class TurnedHand(TrickHand):
    """A hand in which a card may be turned up for trump.

    ``turned`` is that card, ``suit_only`` says that nobody saw more of it than its suit; ``turns_up`` whether there
    is such a card at all. Where a bid came before it, it was not recorded: trump is unknown and the hand ``skipped``
    it, until a trick tells.
    """

    rules: OhHellRules
    turned: int | None = kept(None)
    suit_only: bool = kept(False)
    turns_up: bool = derived(False)

    def settle(self) -> None:
        """Work out what follows from the set-up alone: whether a card is left to be turned up (OH-3)."""
        super().settle()
        self.turns_up = self.rules.turns_up(self.total)

    def opening_phase(self) -> Phase:
        """Begin with the card turned up, where there is one."""
        return TURN_UP if self.turns_up else BIDDING

    def instructions(self) -> tuple[Reason, ...]:
        """Return that a card is turned up (OH-3)."""
        return (Reason("turn-card-up", ("OH-3",)),) if self.phase is TURN_UP else ()

    # -- turning it up --------------------------------------------------------------------------

    @takes(TurnUp)
    def take_turn_up(self, event: TurnUp) -> Refusal | None:
        """Take the card turned up, or its suit alone (OH-3, OH-Q2)."""
        if self.phase is not TURN_UP:
            return self.too_late(event)
        pack = self.rules.pack
        if event.card == UNSEEN:
            suit = self.suit_seen(event.suit)
            if isinstance(suit, Refusal):
                return suit
            self.trump, self.suit_only = suit, True
        else:
            card = self.card_seen(event)
            if isinstance(card, Refusal):
                return card
            self.trump, self.turned = pack.cards[card].suits[0], card
        self.phase = BIDDING
        return None

    def too_late(self, event: TurnUp) -> Refusal:
        """Refuse a card turned up when none is awaited: there was one already, or bids came before it (OH-Q3)."""
        if self.phase not in (FINISHED, VOID) and self.turns_up and not self.seen_turned():
            return impossible("wrong-phase", "OH-Q3", "REC-2", phrase="turn-up-late")
        return self.not_now(event)

    def seen_turned(self) -> bool:
        """Return whether the card turned up was recorded, if only by its suit."""
        return self.turned is not None or self.suit_only

    def card_seen(self, event: TurnUp) -> int | Refusal:
        """Return the card that was turned up; one that lies in an entered hand, or not of the suit said, was not."""
        pack = self.rules.pack
        card = pack.find(event.card)
        if card is None:
            return self.not_in_deck(event.card)
        shown = pack.cards[card]
        if self.entered() >> card & 1:
            return impossible("not-in-hand", "OH-Q1", "REC-8", phrase="turned-card-entered", card=shown)
        if event.suit is not None and pack.suit(event.suit) != shown.suits[0]:
            text = event.suit[:40]
            return impossible("bad-suit", "OH-3", "REC-9", phrase="turn-up-other-suit", card=shown, suit=text)
        return card

    def suit_seen(self, text: str | None) -> str | Refusal:
        """Return the suit of a card of which nobody saw more (OH-Q2)."""
        suit = None if text is None else self.rules.pack.suit(text)
        if suit is None:
            return impossible("bad-suit", "OH-Q2", "REC-9", phrase="turn-up-no-suit")
        if not self.unplaced(suit):
            name = phrase(SUIT_NAMES[suit])
            return impossible("bad-suit", "OH-Q2", "REC-9", phrase="turn-up-suit-entered", suit=name)
        return suit

    def entered(self) -> int:
        """Return the cards of all entered hands together, as a bit mask."""
        cards = 0
        for known in self.setup.known:
            cards |= known or 0
        return cards

    def unplaced(self, suit: str) -> int:
        """Return the cards of a suit that were not shown and lie in no entered hand: one turned up is among them."""
        return self.rules.suited[suit][0] & ~self.gone & ~self.entered()

    def is_turned(self, card: int) -> bool:
        """Return whether this can only be the card that was turned up (OH-Q1, OH-Q2)."""
        if self.turned is not None:
            return card == self.turned
        return self.turns_up and self.trump is not None and self.unplaced(self.trump) == 1 << card

    # -- play -----------------------------------------------------------------------------------

    def take_play(self, event: Play) -> Refusal | None:
        """Take one card to the trick; without knowing trump none can be judged (OH-Q3)."""
        if self.skipped and self.phase is PLAY:
            return impossible("wrong-phase", "OH-Q3", "REC-2", phrase="trump-unknown-play")
        return super().take_play(event)

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Refuse the card that was turned up: it was dealt to nobody (OH-Q1, OH-Q2)."""
        if not self.is_turned(card):
            return None
        shown = self.rules.pack.cards[card]
        if self.turned is not None:
            return impossible("not-in-hand", "OH-Q1", "REC-8", phrase="turned-card-played", card=shown)
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
        """Return whether a trick can tell this trump: the one that is known, or of a card that can have been turned."""
        if not self.skipped:
            return trump == self.trump
        return trump is not None and trump in self.rules.suited and bool(self.unplaced(trump))

    def reported_trump(self, trump: str | None) -> None:
        """Take the trump that a recorded trick tells; from then on cards can be judged (OH-Q3)."""
        super().reported_trump(trump)
        self.skipped = False

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        """Return the sentence that says why a trick cannot tell this trump, and its facts."""
        if not self.skipped:
            return super().why_no_trump(trump)
        return ("trick-without-trump" if trump is None else "turn-up-suit-entered"), {}

    def trump_clauses(self) -> tuple[str, ...]:
        """Return the clauses that say what trump a trick can tell."""
        return ("OH-Q3",) if self.skipped else ("OH-3",)
