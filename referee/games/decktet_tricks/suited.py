"""What Decktet games share: two-suit cards, tie rules, the Excuse, bids, house rules, and questions."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import ClassVar

from referee.engine.cards import Card
from referee.engine.claims import Claim, proved
from referee.engine.event_kinds import Event, Line, Seat, SuitCode, event_kind
from referee.engine.events import Field, Play, Trick
from referee.engine.game import conflict
from referee.engine.questions import Blank, FilledIn, Seen
from referee.engine.rules import Option, Options, Problem, switch
from referee.engine.rulings import Irregularity, Oddity, Reason, Refusal, ScoreLine
from referee.engine.shapes import NULL_SUIT
from referee.engine.sheet import TrickEntry
from referee.engine.state import BIDDING, PLAY, Phase, kept
from referee.engine.texts import Listing, noun, phrase
from referee.packs import Pack, decktet
from referee.packs.decktet import COURT, EXCUSE, PAWN, SUIT_NAMES, plural
from referee.tricks import questions
from referee.tricks.hand import TrickGame, TrickHand
from referee.tricks.questions import LEGAL, TRICK, shown, suit_codes
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
    """Trump is named, by the ransom winner (RT-7) or by the table (AT-V6)."""

    suit: SuitCode
    seat: Seat | None = None


class SuitedRules(TrickRules):
    """Rules of a table at which all players read both suits of a card."""

    @property
    def excuse(self) -> int:
        """The Excuse as a mask; it is the only card that may be played at any time (AT-16)."""
        return self.free

    def is_free(self, card: Card) -> bool:
        return card.rank == EXCUSE

    def bids_together(self) -> int:
        """Two if partners bid jointly, else one (AT-Q16)."""
        return 2 if self.options["partner_bid"] == "joint" else 1


TRUMP = Phase("trump")
PER_TRICK_BID = 5
PER_OVERTRICK = 1
SINGLE = {"P": "AT-17", "C": "AT-Q11"}
"""Ranks whose ties always go to the earlier card, with the clause."""
TOP_AND_BOTTOM = ("top", "bottom")
"""Symbol positions of most cards; Pawns and Courts have a third between them."""


class SuitedHand(TrickHand):
    """A hand in which all players read both suits of a card; ``named``: trump is fixed for the hand."""

    rules: SuitedRules
    named: bool = kept(False)

    GUIDES = (*TrickHand.GUIDES, "games/decktet_tricks")

    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """Determine which cards follow (TT-2, AT-V7); after a led Excuse, by default, the next card decides (AT-Q9)."""
        rules = self.rules
        if 1 << card != rules.excuse:
            super().open_suit(seat, card, suit)
        elif rules.options["excuse_led"] == "free" and not self.plays:
            self.lead = card
            self.follows = (rules.pack.everything ^ rules.excuse,) * rules.players

    def may_name(self) -> bool:
        return bool(self.rules.options["called_suit"])

    def names_suit(self, card: int) -> bool:
        """Return whether a suit can be named with this card: a lead, with the house rule Called Suit (AT-V7).

        The second card of a trick also counts as a lead if the first was unseen and may be the Excuse.
        """
        rules, leads = self.rules, self.lead is None
        if len(self.plays) == 1 and self.plays[0][1] == UNSEEN and rules.options["excuse_led"] != "free":
            leads = leads or bool(self.can_be(self.plays, 0) & rules.excuse)
        return self.may_name() and leads and 1 << card != rules.excuse

    def can_be(self, plays: Sequence[Played], place: int) -> int:
        """Possible cards of one play; an unseen one before a called suit is the Excuse (AT-V7)."""
        called = any(play[3] for play in plays[place + 1 :])
        return self.rules.excuse if called and plays[place][1] == UNSEEN else super().can_be(plays, place)

    def settle_lead(self, seat: int, card: int, suit: str | None) -> None:
        """Determine which cards follow; a suit called after an unseen card means it was the Excuse (AT-Q9, AT-V7)."""
        if suit and self.lead == UNSEEN:
            self.gone |= self.rules.excuse
        super().settle_lead(seat, card, suit)

    def suits_named(self, plays: Sequence[Played], card: int) -> tuple[str | None, ...]:
        """Suits that may have been called with a card, if an unseen one came before it (AT-V7)."""
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
        """Clauses on following suit, including a called suit and a led Excuse."""
        called = self.CITES["name"][-1:] if any(play[3] for play in self.plays) else ()
        led = ("AT-Q9",) if self.plays and 1 << self.plays[0][1] == self.rules.excuse else ()
        return (*super().follow_clauses(), *called, *led)

    def called(self, claim: Claim) -> str | None:
        """The suit called in the trick of a claim, if any."""
        plays = next((plays for plays in self.laid() if any(play[2] == claim.event for play in plays)), ())
        return next((play[3] for play in plays if play[3]), None)

    def more_clauses(self, claim: Claim) -> tuple[str, ...]:
        """Clauses on the called suit, if one had to be followed (AT-V7)."""
        return self.CITES["name"] if self.called(claim) else ()

    def proved(self, claim: Claim, card: Card) -> Irregularity:
        """The finding for a contradicted claim; names the called suit, if any (AT-V7)."""
        suit = self.called(claim)
        if suit is None:
            return super().proved(claim, card)
        return proved(
            claim, event=self.events, card=card, first=self.act(claim.event),
            clauses=self.more_clauses(claim), phrase="proved-revoke-called", suit=noun(SUIT_NAMES[suit]),
        )  # fmt: skip

    def why_follow(self, seat: int, cards: Sequence[int], *, all_may: bool) -> Reason:
        """Why these cards may be played; the Excuse always may, and leads nothing (AT-16, AT-Q9)."""
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
        """Field for the suit the leader calls, if the house rule is on (AT-V7)."""
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
        """Return the tie rule for followers of equal rank (AT-12, AT-V2, AT-V8).

        Of Pawns and Courts, the earlier card wins. Otherwise a house rule decides: the card that has the higher of the
        led card's symbols, the earlier card, or the later card.
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
        """Seats that share a bid; a joint score is entered at the lower seat (AT-Q16)."""
        return self.rules.sides[seat] if self.rules.bids_together() > 1 else (seat,)

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        """One point a trick (AT-14), or the points of the bid (AT-V4)."""
        return self.bid_line(seat, tricks, bid) if self.rules.bidding else super().score_line(seat, tricks, bid)

    def bid_line(self, seat: int, tricks: int, bid: int, *clauses: str) -> ScoreLine:
        """5 points for each trick bid and 1 for each overtrick, 0 for a missed bid (AT-V4, AT-Q16)."""
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
        return self.CITES["deal-extended"] if self.is_extended() else super().deal_clauses()

    def is_extended(self) -> bool:
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

    # -- trump named for the whole hand, by the ransom winner or by the table ------------------------------

    def settle_trump(self, suit: str | None) -> None:
        """Fix trump for the whole hand, including earlier tricks recorded without cards."""
        self.trump, self.ways, self.filled = suit, (), None
        if not self.named and self.taken:
            self.taken = tuple(
                trick._replace(trump=suit) if trick.reason.code == "recorded-winner" else trick for trick in self.taken
            )
        self.named = True

    def after_naming(self) -> Phase:
        return BIDDING if self.rules.bidding else PLAY

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Skip set-up that was not recorded; after a bid, cards can no longer be judged."""
        if self.phase not in (BIDDING, PLAY):
            self.skipped = by_bid

    def take_trick(self, event: Trick) -> Refusal | None:
        refusal = super().take_trick(event)
        if refusal is None and self.phase is PLAY and not self.skipped and self.is_to_be_named():
            self.phase = TRUMP
        return refusal

    def trump_not_recorded(self, *clauses: str) -> Reason:
        """Reason stating that this hand's trump was not recorded."""
        return Reason("trump-unknown", (*clauses, "REC-19"), phrase="trump-not-recorded")


# --- Questions, in which a suit can be called with the lead

CALLED = "called_suit"


def called(rules: SuitedRules, name: str) -> tuple[Blank, ...]:
    """Form field for the suit called, if the house rule is on (AT-V7)."""
    if not rules.options["called_suit"]:
        return ()
    return (Blank(name, "suit", "Suit called", choices=suit_codes(rules), optional=True),)


def plays(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, object]:
    """Build the payload of a trick; the suit goes with the first card that is not the Excuse (AT-Q9)."""
    payload = questions.plays([blank for blank in blanks if blank.name != CALLED], filled)
    suit = filled.get(CALLED, ())
    for play in [play for play in payload["plays"] if play["cards"] != [EXCUSE]][:1]:
        play |= {"suit": suit[-1]} if suit else {}
    return payload


def trick_blanks(rules: SuitedRules, filled: FilledIn) -> tuple[Blank, ...]:
    return (*questions.trick_blanks(rules, filled), *called(rules, CALLED))


def legal_blanks(rules: SuitedRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Form fields for what may be played; a suit can be called only with a card led."""
    led, *rest = questions.legal_blanks(rules, filled)
    return (led, *(called(rules, "led_suit") if filled.get("led_card") else ()), *rest)


def suit_seen(hand: Seen, *, running: bool = False) -> list[str]:
    """Prefill: the suit called in the last trick."""
    trick = questions.last_trick(hand, running=running)
    suit = trick.get("called_suit") if trick else None
    return [suit] if suit else []


SUITED_TRICK = replace(
    TRICK,
    seen=lambda hand: {**questions.trick_seen(hand), CALLED: suit_seen(hand)},
    blanks=trick_blanks,
    compose=plays,
    help=(*TRICK.help, "Under the house rule Called Suit, the lead names its `suit`."),
    request={**TRICK.request, "plays": shown(suit=NULL_SUIT)},
)
SUITED_LEGAL = replace(
    LEGAL,
    seen=lambda hand: {**questions.legal_seen(hand), "led_suit": suit_seen(hand, running=True)},
    blanks=legal_blanks,
    request={**LEGAL.request, "led_suit": NULL_SUIT},
)


# --- House rules that both games have

TIES = Option(
    "ties", "Equal ranks", "Which of two equal cards wins if no trump was played.", ("AT-12", "AT-V2", "AT-V8"),
    ("symbol", "early", "late"),
    ("the led card’s upper suit", "the earlier card (Early Bird)", "the later card (Late Bird)"),
    says=(
        "ties broken by the led card’s upper suit", "ties to the earlier card (Early Bird)",
        "ties to the later card (Late Bird)",
    ),
)  # fmt: skip
CALLED_SUIT = switch(
    "called_suit", "Called suit", "The leader calls one suit of the card led, and only that suit has to be followed.",
    "AT-V7", says="the leader calling the suit",
)  # fmt: skip
WITH_EXCUSE = switch(
    "excuse",
    "Play with the Excuse",
    "You may play it at any time, and it never wins.",
    "AT-15",
    "AT-16",
    says="with the Excuse",
)
PAWNS = switch(
    "pawns", "Play with Pawns", "Four cards with three suits, between 9 and Crown.", "AT-15", "AT-17", says="with Pawns"
)
COURTS = switch(
    "courts", "Play with Courts", "Four cards with three suits, between Pawn and Crown.", "AT-Q11", says="with Courts"
)
EXCUSE_LED = Option(
    "excuse_led", "When the Excuse is led", "What the others have to follow if the Excuse is led.", ("AT-Q9",),
    ("next-card", "free", "forbidden"),
    ("the next card counts as led", "anything may be played", "not allowed, unless it is the last card"),
    says=("", "anything allowed after a led Excuse", "the Excuse led only as the last card"),
    needs="excuse",
)  # fmt: skip
PARTNERS = switch(
    "partners",
    "Partners",
    "Players who sit opposite each other are partners; their scores are added up.",
    "AT-V3",
    says="with partners",
)
WITH_BIDS = switch(
    "bidding", "Bidding",
    "Bid your tricks before play: 5 points for each trick you bid, 1 for each extra trick; nothing if you win fewer.",
    "AT-V4",
    says="bidding for tricks",
)  # fmt: skip
HOOK = switch(
    "hook",
    "Hook",
    "The last bidder may not make the bids add up to the number of tricks.",
    "AT-Q15",
    says="with the hook",
)
PARTNER_BID = Option(
    "partner_bid", "Partners’ bids", "Whether partners’ bids are scored separately or together.", ("AT-Q16",),
    ("separate", "joint"), ("separately", "together"), says=("", "partners’ bids counted together"),
)  # fmt: skip

SHARED = (TIES, CALLED_SUIT, WITH_EXCUSE, PAWNS, COURTS, EXCUSE_LED, PARTNERS, WITH_BIDS, HOOK, PARTNER_BID)


class SuitedGame(TrickGame):
    """A game with these house rules; ``PAIRS`` are the numbers of players that allow partners (AT-V3, AT-Q17)."""

    PAIRS: ClassVar[tuple[int, ...]]

    def pack(self, options: Options, players: int) -> Pack:
        return decktet(excuse=options["excuse"], pawns=options["pawns"], courts=options["courts"])

    def check(self, options: Options, players: int) -> list[Problem]:
        problems = []
        if options["partners"] and players not in self.PAIRS:
            allowed, option = Listing(self.PAIRS, last="{first} or {last}"), phrase(PARTNERS.label)
            needed = phrase("{option}: only for {allowed} players.", option=option, allowed=allowed)
            problems.append(conflict("partners", needed))
        if options["hook"] and not options["bidding"]:
            problems.append(conflict("hook", "hook works only with bidding."))
        if options["partner_bid"] == "joint" and not (options["partners"] and options["bidding"]):
            problems.append(conflict("partner_bid", "partner_bid=joint works only with partners and bidding."))
        return problems


# --- Cards read by one suit, and exact bids
# What Chicane and Wildcat Chicane share.


MULTIPLES = (4, 2, 1)
"""Multipliers of a bid that is exact, one off, two off."""
TOP_SUIT, BOTTOM_SUIT = 0, -1


@cache
def readings(pack: Pack, place: int) -> dict[str, int]:
    """Return the cards of each suit, as masks, if the suit at this place of each card counts."""
    return {suit.code: pack.mask(c.index for c in pack.cards if c.suits[place] == suit.code) for suit in pack.suits}


class ExactBidsRules(TrickRules):
    def has_bids(self) -> bool:
        return True


class ExactBidsHand(TrickHand):
    """A hand in which an exact bid scores four times itself, one off twice, two off once.

    Each seat reads one suit of every card (``place_read``), and has a trump of its own (``own_trump``), which may be
    everyone's. Further keys of ``CITES``: ``far-off`` and ``zero-bid``.
    """

    EXACT_BIDS: ClassVar[bool] = True

    # -- how cards are read ------------------------------------------------------------------------

    @abstractmethod
    def place_read(self, seat: int) -> int | None:
        """Return ``TOP_SUIT`` or ``BOTTOM_SUIT``; ``None`` while that is open."""

    def own_trump(self, seat: int) -> str | None:
        return self.trump

    def own(self, seat: int) -> dict[str, int]:
        """Masks of the cards of each suit as this seat reads them; empty while that is open."""
        place = self.place_read(seat)
        return {} if place is None else readings(self.rules.pack, place)

    def suit_of(self, seat: int, card: int) -> str | None:
        return next((suit for suit, cards in self.own(seat).items() if cards >> card & 1), None)

    def reading_of(self, seat: int, suit: str) -> int:
        return self.own(seat).get(suit, 0)

    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """The suit led is the one that its player reads; the others follow it by their own reading."""
        self.lead = card
        led = str(self.suit_of(seat, card))
        self.follows = tuple(self.own(other)[led] for other in range(self.rules.players))

    def trumps(self) -> tuple[int, ...]:
        return tuple(self.reading_of(seat, self.own_trump(seat) or "") for seat in range(self.rules.players))

    def entry(self, number: int, leader: int, plays: tuple[Played, ...]) -> TrickEntry:
        """Describe a trick; ``reads`` gives each card's suit as its player reads it."""
        return {**super().entry(number, leader, plays), "reads": [self.suit_of(seat, card) for seat, card, *_ in plays]}

    # -- bids --------------------------------------------------------------------------------------

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        off, options = abs(tricks - bid), self.rules.options
        facts = {"seat": seat, "bid": bid, "tricks": tricks, "off": off}
        if bid == 0 and off == 0:
            points = options["zero_bid"]
            return ScoreLine(seat, points, Reason("zero-bid", self.CITES["zero-bid"], facts | {"sum": points}))
        if off < len(MULTIPLES):
            points = MULTIPLES[off] * bid
            facts |= {"times": MULTIPLES[off], "sum": points}
            return ScoreLine(seat, points, Reason("bid-off-by" if off else "bid-exact", self.CITES["tricks"], facts))
        points = -options["miss_penalty"]
        return ScoreLine(seat, points, Reason("bid-far-off", self.CITES["far-off"], facts | {"sum": points}))

    def bid_fields(self, seat: int) -> tuple[Field, ...]:
        (field,) = super().bid_fields(seat)
        zero = Reason("zero-brings-nothing", self.CITES["zero-bid"])
        return (replace(field, warnings=(*field.warnings, *(() if self.rules.options["zero_bid"] else (zero,)))),)
