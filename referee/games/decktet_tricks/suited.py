"""What Ace Trump and Ransom Trump share beyond all trick-taking: two-suit ties and bids."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.engine.cards import Card
from referee.engine.claims import Claim, proved
from referee.engine.event_kinds import Event, Line, Seat, SuitCode, event_kind
from referee.engine.events import Field, Play, Trick
from referee.engine.rulings import Irregularity, Oddity, Reason, Refusal, ScoreLine
from referee.engine.sheet import TrickEntry
from referee.engine.state import BIDDING, PLAY, Phase, kept
from referee.engine.texts import noun
from referee.packs.decktet import COURT, EXCUSE, PAWN, SUITS, plural
from referee.tricks.hand import TrickHand
from referee.tricks.rules import UNSEEN, Played, TieRule, TrickRules, earlier
from referee.tricks.state import ASKER


@event_kind(
    "trump",
    Line("Fixed trump", "{suit}"),
    Line("Trump", "{seat} {suit}"),
    says="The winner of the ransom names trump; in Ace Trump the players do before each deal, without a seat.",
    log="Trump: {suit} ({seat})",
    by_player=True,
)
class NameTrump(Event):
    """The trump of a hand is named, by the ransom winner (RT-7) or by the table (AT-V6)."""

    suit: SuitCode
    seat: Seat | None = None


@dataclass(frozen=True)
class SuitedRules(TrickRules):
    """Rules of a table at which every player reads both suits of a card alike; ``excuse`` is the Excuse as a set."""

    excuse: int = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "excuse", self.free)

    def is_free(self, card: Card) -> bool:
        """Let the Excuse be played at any time (AT-16)."""
        return card.rank == EXCUSE

    def bids_together(self) -> int:
        """Return how many seats' bids are scored as one: two where partners bid jointly (AT-Q16)."""
        return 2 if self.options["partner_bid"] == "joint" else 1

    def is_strict(self) -> bool:
        """Look closely where a lead can lack its suit, or be a forbidden Excuse (AT-V7, AT-Q9)."""
        return bool(self.options["called_suit"]) or self.options["excuse_led"] == "forbidden"


TRUMP = Phase("trump")
PER_TRICK_BID = 5
PER_OVERTRICK = 1
SINGLE = {"P": "AT-17", "C": "AT-Q11"}
"""Ranks whose ties always go to the earlier card, and the clause that says so."""
TOP_AND_BOTTOM = ("top", "bottom")
"""The symbols of most cards; a Pawn or a Court has one more between them."""
SUIT_NAMES = {suit.code: suit.name for suit in SUITS}


class SuitedHand(TrickHand):
    """A hand in which every player reads both suits of a card alike; ``named`` says that its trump is known."""

    rules: SuitedRules
    named: bool = kept(False)

    GUIDES = (*TrickHand.GUIDES, "games/decktet_tricks")

    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """Settle what follows this lead (TT-2, AT-V7); a led Excuse leaves it to the next card (AT-Q9)."""
        rules = self.rules
        if 1 << card != rules.excuse:
            super().open_suit(seat, card, suit)
        elif rules.options["excuse_led"] == "free" and not self.plays:
            self.lead = card
            self.follows = (rules.pack.everything ^ rules.excuse,) * rules.players

    def may_name(self) -> bool:
        """Return whether suits are named with the cards led at this table: under *called suit* (AT-V7)."""
        return bool(self.rules.options["called_suit"])

    def names_suit(self, card: int) -> bool:
        """Return whether a suit can be named with this card: a lead, under *called suit* (AT-V7).

        That is also the card after an only one that was not seen and may be the Excuse, which leads nothing.
        """
        rules, leads = self.rules, self.lead is None
        if len(self.plays) == 1 and self.plays[0][1] == UNSEEN and rules.options["excuse_led"] != "free":
            leads = leads or bool(self.can_be(self.plays, 0) & rules.excuse)
        return self.may_name() and leads and 1 << card != rules.excuse

    def can_be(self, plays: Sequence[Played], place: int) -> int:
        """Return the cards that one play can have been: an unseen one before a suit is called is the Excuse (AT-V7)."""
        called = any(play[3] for play in plays[place + 1 :])
        return self.rules.excuse if called and plays[place][1] == UNSEEN else super().can_be(plays, place)

    def settle_lead(self, seat: int, card: int, suit: str | None) -> None:
        """Settle what follows; a suit called after an unseen card shows that this was the Excuse (AT-Q9, AT-V7)."""
        if suit and self.lead == UNSEEN:
            self.gone |= self.rules.excuse
        super().settle_lead(seat, card, suit)

    def suits_named(self, plays: Sequence[Played], card: int) -> tuple[str | None, ...]:
        """Return the suits that may have been called with a card of which no one could see that it was led (AT-V7)."""
        if not self.rules.options["called_suit"] or all(play[1] != UNSEEN for play in plays):
            return (None,)
        return (None, *self.rules.pack.cards[card].suits)

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        seat, cards = event.seat, self.rules.pack.cards
        several = card != UNSEEN and len(cards[card].suits) > 1
        if event.suit is None and several and self.lead is None and self.names_suit(card):
            facts = {"seat": seat, "card": cards[card]}
            phrase = "no-suit-called-after-excuse" if self.plays else ""
            oddities.append(Oddity("no-suit-called", seat, Reason("no-suit-called", ("AT-V7",), facts, phrase)))
        forbidden = self.rules.options["excuse_led"] == "forbidden"
        excuse_led = not self.plays and 1 << card == self.rules.excuse
        if forbidden and excuse_led and self.total - len(self.taken) > 1:
            oddities.append(Oddity("excuse-led", seat, Reason("excuse-led", ("AT-Q9",), {"seat": seat})))

    def follow_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which cards have to follow: a suit was called, or the card after an Excuse counts."""
        called = self.CITES["name"][-1:] if any(play[3] for play in self.plays) else ()
        led = ("AT-Q9",) if self.plays and 1 << self.plays[0][1] == self.rules.excuse else ()
        return (*super().follow_clauses(), *called, *led)

    def called(self, claim: Claim) -> str | None:
        """Return the suit that was called in the trick of a claim."""
        plays = next((plays for plays in self.laid() if any(play[2] == claim.event for play in plays)), ())
        return next((play[3] for play in plays if play[3]), None)

    def more_clauses(self, claim: Claim) -> tuple[str, ...]:
        """Return the clauses of a called suit, where one had to be followed (AT-V7)."""
        return self.CITES["name"] if self.called(claim) else ()

    def proved(self, claim: Claim, card: Card) -> Irregularity:
        """Return the finding that a claim is contradicted; where a suit was called it is named (AT-V7)."""
        suit = self.called(claim)
        if suit is None:
            return super().proved(claim, card)
        return proved(
            claim, event=self.events, card=card, first=self.act(claim.event),
            clauses=self.more_clauses(claim), phrase="proved-revoke-called", suit=noun(SUIT_NAMES[suit]),
        )  # fmt: skip

    def why_follow(self, seat: int, cards: Sequence[int], *, all_may: bool) -> Reason:
        """Return why a hand may play what it may play; the Excuse may always be, and leads nothing (AT-16, AT-Q9)."""
        excuse = self.rules.excuse
        if self.lead is None:
            return Reason("any-lead", ("AT-Q9",), phrase="counts-as-led")
        if 1 << self.lead == excuse:
            return Reason("all-follow", ("AT-Q9",), phrase="nothing-to-follow")
        reason = super().why_follow(seat, cards, all_may=all_may)
        if reason.code == "void" or not any(1 << card == excuse for card in cards):
            return reason
        phrase = "must-follow-or-excuse" if reason.code == "must-follow" else ""
        return Reason(reason.code, (*reason.clauses, "AT-16"), phrase=phrase)

    def trump_fits(self, trump: str | None) -> bool:
        return trump is None or trump in self.rules.suited

    def lead_fields(self) -> tuple[Field, ...]:
        """Return the field for the suit that the leader calls, where the house rule has it (AT-V7)."""
        suits = tuple(suit.code for suit in self.rules.pack.suits)
        return (Field("suit", "suit", "Suit called", suits, optional=True),) if self.may_name() else ()

    def entry(self, number: int, leader: int, plays: tuple[Played, ...]) -> TrickEntry:
        entry = super().entry(number, leader, plays)
        entry["called_suit"] = next((play[3] for play in plays if play[3]), None)
        return entry

    def explain(self, code: str, card: int) -> Reason:
        if code == "highest-trump":
            return super().explain(code, card)
        cards, cites = self.rules.pack.cards, self.CITES
        rank = cards[card].rank
        facts: dict[str, object] = {"card": cards[card], "rank": noun(plural(rank))}
        if self.trumps()[0] >> card & 1:
            return Reason(code, (cites["highest-trump"][0], "AT-Q6"), facts, "earlier-pawn")
        follower = cites["highest-follower"]
        if self.lead is not None and 1 << self.lead == self.rules.excuse:
            return Reason(code, ("AT-Q9",), facts, "highest-of-all" if code == "highest-follower" else "")
        after_excuse = ("AT-Q9",) if 1 << self.plays[0][1] == self.rules.excuse else ()
        called = next((play[3] for play in self.plays if play[3]), None)
        led = (*(cites["name"] if called else ()), *after_excuse)
        if code == "highest-follower":
            facts |= {"suit": noun(SUIT_NAMES[called])} if called else {}
            return Reason(code, (*follower, *led), facts, "highest-of-called" if called else "")
        if code == "higher-symbol" and self.lead is not None:
            lead = cards[self.lead]
            suit = next(s for s in lead.suits if s in cards[card].suits)
            three = ("AT-Q7",) if len(lead.suits) > len(TOP_AND_BOTTOM) else ()
            facts |= {"suit": noun(SUIT_NAMES[suit]), "lead": lead}
            return Reason(code, (*cites[code], *three, *led), facts)
        if rank in SINGLE:
            return Reason(code, (follower[0], SINGLE[rank], *led), facts, "earlier-pawn")
        if code == "later-of-equals":
            return Reason(code, (follower[0], "AT-V8", *led), facts)
        return Reason(code, (follower[0], "AT-V2", *led), facts, "earlier-bird")

    def tie_rule(self) -> TieRule:
        """Return how equal cards that follow are told apart (AT-12, AT-V2, AT-V8).

        Pawns and Courts always go to the earlier card. Otherwise, by house rule: the card that
        matches the higher symbol on the card led, the earlier, or the later one.
        """
        lead, mode, cards = self.lead, self.rules.options["ties"], self.rules.pack.cards
        if lead is None or 1 << lead == self.rules.excuse:
            return earlier

        def tie(tied: Sequence[Played]) -> tuple[Played, str]:
            if mode == "early" or cards[tied[0][1]].rank in (PAWN, COURT):
                return tied[0], "earlier-of-equals"
            if mode == "late":
                return tied[-1], "later-of-equals"
            symbols = cards[lead].suits
            heights = [min(symbols.index(s) for s in cards[play[1]].suits if s in symbols) for play in tied]
            return tied[heights.index(min(heights))], "higher-symbol"

        return tie

    def scored_with(self, seat: int) -> tuple[int, ...]:
        """Return the seats of a joint bid, whose one score stands at the lower seat (AT-Q16)."""
        return self.rules.sides[seat] if self.rules.bids_together() > 1 else (seat,)

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        """Return the points of a seat: one for each trick (AT-14), or those of its bid (AT-V4)."""
        return self.bid_line(seat, tricks, bid) if self.rules.bidding else super().score_line(seat, tricks, bid)

    def bid_line(self, seat: int, tricks: int, bid: int, *clauses: str) -> ScoreLine:
        """Give 5 a trick bid and 1 an overtrick, nothing below a bid (AT-V4), perhaps of both partners (AT-Q16)."""
        cites, facts = (*self.CITES["bid"], *clauses), {"seat": seat, "bid": bid, "tricks": tricks}
        over = tricks - bid
        if over < 0:
            return ScoreLine(seat, 0, Reason("bid-missed", cites, facts))
        points = PER_TRICK_BID * bid + PER_OVERTRICK * over
        return ScoreLine(seat, points, Reason("bid-made", cites, facts | {"over": over, "sum": points}))

    def line_for(self, tricks: int, bid: int) -> ScoreLine:
        if self.rules.bids_together() == 1:
            return super().line_for(tricks, bid)
        return self.bid_line(ASKER, tricks, bid, "AT-Q16")

    def deal_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which a hand is dealt; the extended deck has its own."""
        return self.CITES["deal-extended"] if self.is_extended() else super().deal_clauses()

    def is_extended(self) -> bool:
        """Return whether cards of the extended deck are in play (AT-15)."""
        return any(self.rules.options[key] for key in ("excuse", "pawns", "courts"))

    def points(self) -> tuple[int, ...] | None:
        return super().points() if self.rules.bidding else self.tricks_counted()

    def point_lines(self) -> list[ScoreLine]:
        if self.rules.bids_together() == 1:
            return super().point_lines()
        won, bids = self.tricks_counted(), [bid or 0 for bid in self.bids]
        sides = sorted({tuple(sorted(side)) for side in self.rules.sides})
        sums = [(side[0], sum(won[seat] for seat in side), sum(bids[seat] for seat in side)) for side in sides]
        return [self.bid_line(*each, "AT-Q16") for each in sums]

    # -- a trump that is named for the whole hand, by the winner of a ransom or by the table before the deal

    def settle_trump(self, suit: str | None) -> None:
        """Fix trump for the hand, tricks recorded before without their cards included."""
        self.trump, self.ways, self.filled = suit, (), None
        if not self.named and self.taken:
            self.taken = tuple(
                trick._replace(trump=suit) if trick.reason.code == "recorded-winner" else trick for trick in self.taken
            )
        self.named = True

    def after_naming(self) -> Phase:
        """Return the phase that follows when trump is known."""
        return BIDDING if self.rules.bidding else PLAY

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Go past what comes before play and no one recorded; after a bid no card can be judged any more."""
        if self.phase not in (BIDDING, PLAY):
            self.skipped = by_bid

    def take_trick(self, event: Trick) -> Refusal | None:
        refusal = super().take_trick(event)
        if refusal is None and self.phase is PLAY and not self.skipped and self.is_to_be_named():
            self.phase = TRUMP
        return refusal

    def trump_not_recorded(self, *clauses: str) -> Reason:
        """State that the trump of this hand was not recorded."""
        return Reason("trump-unknown", (*clauses, "REC-19"), phrase="trump-not-recorded")
