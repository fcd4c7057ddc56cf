"""A hand of Oh Hell: a card turned up, bids that have to be met exactly, and tricks."""

from dataclasses import replace
from typing import Annotated, ClassVar

from referee.engine.asks import Ask, FaceUp, Field
from referee.engine.events import Bid
from referee.engine.phases import BIDDING
from referee.engine.rulings import Oddity, Reason, ScoreLine
from referee.engine.sheet import HandParts
from referee.engine.translation import phrase
from referee.games.oh_hell.course import course_clauses
from referee.games.oh_hell.events import UNSEEN
from referee.games.oh_hell.scoring import bid_line
from referee.games.oh_hell.turned import TURN_UP, TurnedHand
from referee.packs.french import SUIT_NAMES


class OhHellParts(HandParts):
    """A hand with the card turned up (``?`` where only its suit was seen) and its place in the course, from 1."""

    turned: Annotated[str | None, "The card turned up, `?` where only its suit was seen."]
    hand_of_course: Annotated[int, "Its place in the course, from 1."]


class OhHellHand(TurnedHand):
    """A hand of Oh Hell: bids in turn or in secret, tricks with the trump turned up, and a score for each bid."""

    EXACT_BIDS: ClassVar[bool] = True
    CITES: ClassVar[dict[str, tuple[str, ...]]] = {
        "highest-trump": ("OH-8",),
        "highest-follower": ("OH-8",),
        "earlier-of-equals": ("OH-8",),
        "follow": ("OH-7",),
        "turn-to-bid": ("OH-4",),
        "hook": ("OH-5",),
        "tricks": ("OH-9",),
        "lead": ("OH-6",),
        "deal": ("OH-2", "OH-3"),
    }

    def deal_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which a hand like this one is dealt."""
        return (*course_clauses(self.rules.options, self.rules.players), "OH-3")

    # -- bids -----------------------------------------------------------------------------------

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may act now; together, all who have not bid (OH-V7)."""
        if self.rules.together and self.phase is BIDDING:
            return self.bid_next()
        return super().to_act()

    def bidders(self) -> tuple[int, ...]:
        """Return the seats in the order in which they bid; together there is none (OH-V7)."""
        return () if self.rules.together else super().bidders()

    def bid_next(self) -> tuple[int, ...]:
        """Return the seats that can bid next: one after the other, or together all who have not (OH-4, OH-V7)."""
        without = tuple(seat for seat in self.from_left() if self.bids[seat] is None)
        return tuple(sorted(without)) if self.rules.together else without[:1]

    def odd_bid(self, event: Bid) -> list[Oddity]:
        """Return what is irregular in a bid: its turn and the hook, which know no bids made together (OH-V7)."""
        if self.rules.together:
            return []
        odd = super().odd_bid(event)
        return odd if event.seat == self.setup.dealer else [by_last_bidder(oddity) for oddity in odd]

    def forbidden_bid(self, seat: int) -> int | None:
        """Return the bid that the hook forbids this seat, if it bids last (OH-5)."""
        return None if self.rules.together else super().forbidden_bid(seat)

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        """Return the points of a bid (OH-9)."""
        return bid_line(seat, bid, tricks, self.rules.options)

    # -- what is shown --------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next."""
        if self.phase is TURN_UP:
            seats = self.bid_next()
            fields, secret = self.bid_fields(seats[0]), self.rules.together
            return (*self.turn_up_asks(), Ask("bid", "Bid without the turned card", seats, fields, secret=secret))
        if self.phase is BIDDING and self.rules.together:
            seats = self.to_act()
            return (Ask("bid", "Bid", seats, self.bid_fields(seats[0]), secret=True),)
        return super().asks()

    def turn_up_asks(self) -> tuple[Ask, ...]:
        """Return the ways to record the card turned up: the card, or its suit alone (OH-3, OH-Q2)."""
        suits = tuple(suit.code for suit in self.rules.pack.suits if self.unplaced(suit.code))
        card = Field("card", "card", "Card turned up", choices=self.unplayed())
        suit = Field("suit", "suit", "Suit", choices=suits)
        return (
            Ask("turn-up", "Card turned up", fields=(card,)),
            Ask("turn-up", "Only the suit was seen", fields=(suit,), fixed={"card": UNSEEN}),
        )

    def trump_field(self) -> tuple[Field, ...]:
        """Return the field for a trump that a trick can tell, where the card turned up was not recorded (OH-Q3)."""
        if not self.skipped:
            return ()
        suits = tuple(suit.code for suit in self.rules.pack.suits if self.trump_fits(suit.code))
        return (Field("trump", "suit", "Trump", suits, optional=True, none="not known"),)

    def unplayed(self) -> tuple[str, ...]:
        """Return the codes of the cards that can still come: not played, and not turned up."""
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
        """Return this hand's part of the adjudication, with the card turned up and its place in the course."""
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
        """Say what could not be checked; the trump of a hand whose turned card nobody recorded may be unknown."""
        reasons = super().unchecked()
        missed = self.turns_up and any(trick.trump is None for trick in self.taken)
        if missed or (self.skipped and None not in self.bids):
            reasons.append(Reason("trump-unknown", ("OH-Q3", "REC-19"), phrase="trump-unknown-turned"))
        return reasons


def by_last_bidder(oddity: Oddity) -> Oddity:
    """Return a hook that binds another than the dealer, with the clause that says why (OH-Q4)."""
    if oddity.code != "forbidden-bid":
        return oddity
    return replace(oddity, reason=replace(oddity.reason, clauses=(*oddity.reason.clauses, "OH-Q4")))
