"""The hand of a trick-taking game: bids, tricks at any depth, claims and their proofs.

A hidden hand makes most revokes invisible. A card that does not follow is therefore taken as a
claim (``referee.claims``), not as an offence; only against an entered hand is it judged at once.
"""

from typing import Any, ClassVar, NamedTuple, Self

from referee.asks import Ask, Field
from referee.claims import Claim, Places, contradictory, joint_finding, minimal, overfull, proved
from referee.events import UNSAID, Bid, Event, Note, Penalty, Play, Result, Transfer, Trick
from referee.hand import FINISHED, PLAY, VOID, Hand, Phase, Setup
from referee.rulings import Certainty, Irregularity, Oddity, Reason, Refusal, impossible
from referee.tricktaking.resolve import Played, TieRule, earlier, resolve
from referee.tricktaking.rules import TrickRules


class Taken(NamedTuple):
    """A finished trick. ``plays`` is empty where only the winner was recorded."""

    leader: int
    plays: tuple[Played, ...]
    winner: int
    trump: str | None
    reason: Reason


class TrickHand(Hand):
    """One hand of Ace Trump, Ransom Trump or Wildcat Chicane.

    Card sets are bit masks. ``gone`` are the cards that left the hands, ``follows`` what each
    seat may follow with in this trick, ``denied`` what each seat's standing claims deny.
    ``there`` are the seats that have played to the trick in progress (a bit mask). ``blind``
    counts tricks recorded without cards; ``skipped`` says that set-up events were left out and
    no card can be judged.
    """

    __slots__ = (
        "bids", "blind", "claims", "counting", "denied", "elsewhere", "follows", "gone", "lead",
        "leader", "plays", "rules", "skipped", "strict", "taken", "there", "total", "transfers", "trump",
        "turn", "won",
    )  # fmt: skip

    rules: TrickRules
    bids: tuple[int | None, ...]
    blind: int
    claims: tuple[Claim, ...]
    counting: bool
    denied: tuple[int, ...]
    elsewhere: tuple[int, ...]
    follows: tuple[int, ...]
    gone: int
    lead: int | None
    leader: int
    plays: tuple[Played, ...]
    skipped: bool
    strict: bool
    taken: tuple[Taken, ...]
    there: int
    total: int
    transfers: tuple[tuple[int, int, int], ...]
    trump: str | None
    turn: int
    won: tuple[int, ...]

    VALUES: ClassVar[tuple[str, ...]] = (
        *Hand.VALUES, "bids", "blind", "claims", "denied", "follows", "gone", "lead", "leader",
        "plays", "skipped", "taken", "there", "transfers", "trump", "turn", "won",
    )  # fmt: skip

    PARTS: ClassVar[tuple[type, ...]] = (*Hand.PARTS, Claim, Taken)
    SET_ASIDE: ClassVar[int] = 0
    """Cards of each hand that are never played to a trick (ransom or ruling card)."""
    CITES: ClassVar[dict[str, tuple[str, ...]]]
    """The clauses behind each code of a trick's reason, and behind ``follow`` and ``bid``."""

    def __init__(self, rules: TrickRules, setup: Setup) -> None:
        super().__init__(rules, setup)
        nobody = rules.nobody
        self.bids = (None,) * rules.players
        self.blind = 0
        self.claims = ()
        self.counting = True
        self.denied = nobody
        self.follows = nobody
        self.gone = 0
        self.lead = None
        self.leader = self.turn = rules.clockwise[setup.dealer]
        self.plays = ()
        self.skipped = False
        self.taken = ()
        self.there = 0
        self.transfers = ()
        self.trump = setup.carry
        self.won = nobody
        self.settle()
        self.phase = self.opening_phase()

    def settle(self) -> None:
        """Work out what follows from the set-up alone and never changes in a hand."""
        rules, setup = self.rules, self.setup
        self.total = (setup.sizes or (0,))[0] - self.SET_ASIDE
        self.elsewhere = self._elsewhere(setup.known) if any(setup.known) else ()
        self.strict = rules.strict or bool(self.elsewhere)

    def _elsewhere(self, known: tuple[int | None, ...]) -> tuple[int, ...]:
        """Return, per seat, the cards that entered hands show to lie elsewhere (REC-8)."""
        everything = self.rules.pack.everything
        entered = 0
        for cards in known:
            entered |= cards or 0
        return tuple(entered if cards is None else everything & ~cards for cards in known)

    def opening_phase(self) -> Phase:
        """Return the phase in which the hand begins."""
        return Phase.BIDDING if self.rules.bidding else PLAY

    def copy(self) -> Self:
        """Return an equal hand that may be changed without touching this one."""
        new = object.__new__(self.__class__)
        new.rules = self.rules
        new.setup = self.setup
        new.phase = self.phase
        new.events = self.events
        new.irregularities = self.irregularities
        new.penalties = self.penalties
        new.ended = self.ended
        new.bids = self.bids
        new.blind = self.blind
        new.claims = self.claims
        new.counting = self.counting
        new.denied = self.denied
        new.elsewhere = self.elsewhere
        new.follows = self.follows
        new.gone = self.gone
        new.lead = self.lead
        new.leader = self.leader
        new.plays = self.plays
        new.skipped = self.skipped
        new.strict = self.strict
        new.taken = self.taken
        new.there = self.there
        new.total = self.total
        new.transfers = self.transfers
        new.trump = self.trump
        new.turn = self.turn
        new.won = self.won
        return new

    # -- plays ----------------------------------------------------------------------------

    def take_play(self, event: Play) -> Refusal | None:
        """Take one card to the trick (AT-4), as a follower, a discard or a lead."""
        if self.phase is not PLAY or self.skipped:
            return self.not_now(event)
        rules = self.rules
        seat = event.seat
        if not 0 <= seat < rules.players:
            return self.no_such_seat(seat)
        if len(event.cards) != 1:
            return impossible("wrong-count", "REC-4", phrase="wrong-count-one")
        card = rules.codes.get(event.cards[0])
        if card is None:
            card = rules.pack.find(event.cards[0])
            if card is None:
                return self.not_in_deck(event.cards[0])
        bit = 1 << card
        if self.gone & bit:
            return impossible("already-played", "REC-6", card=rules.pack.cards[card])
        denial = self.denial(seat, card) if self.plays else self.lead_denial(seat, card)
        if seat != self.turn or self.strict or event.suit is not None:
            oddities: list[Oddity] = []
            refusal = self.look_closer(event, card, denial, oddities)
            if refusal is None:
                refusal = self.consent(event, oddities)
            if refusal is not None:
                return refusal
            if denial and self.held(seat) is not None and not self.unseen_excuse(seat, bit, denial):
                denial = 0  # judged against the entered hand: no claim is left
        if self.denied[seat] & bit:
            self.disprove(seat, bit)
        self.put_down(seat, card, event.suit and rules.pack.suit(event.suit))
        if denial:
            self.claim(seat, denial)
        if self.claims and self.counting:
            self.count(seat)
        if len(self.plays) == rules.players:
            self.complete()
        return None

    def denial(self, seat: int, card: int) -> int:
        """Return the cards that a follower denies holding with this card, 0 where none.

        That is every card that would have followed, when this one does not; the Excuse
        denies nothing (AT-16).
        """
        follows = self.follows[seat]
        bit = 1 << card
        return 0 if follows & bit or bit == self.rules.excuse else follows

    def lead_denial(self, seat: int, card: int) -> int:
        """Return the cards that a leader denies holding with this card."""
        return 0

    def put_down(self, seat: int, card: int, suit: str | None) -> None:
        """Put a lawful card on the table: turn, lead and trump follow from it."""
        rules = self.rules
        if not self.plays:
            self.leader = seat
        if self.lead is None:
            self.open_suit(seat, card, suit)
        self.plays += ((seat, card, self.events, suit),)
        self.gone |= 1 << card
        if card in rules.ace_suits:
            self.ace_falls(rules.ace_suits[card])
        self.there = there = self.there | 1 << seat
        turn = rules.clockwise[seat]
        while there >> turn & 1 and turn != seat:  # a play out of turn left a gap (REC-12)
            turn = rules.clockwise[turn]
        self.turn = turn

    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """Settle what follows this lead (TT-2); a led Excuse leaves it to the next card."""
        if 1 << card != self.rules.excuse:
            self.lead = card
            self.follows = self.rules.suited[suit] if suit else self.rules.alike[card]
        elif self.rules.options["excuse_led"] == "free" and not self.plays:
            self.lead = card
            self.follows = (self.rules.pack.everything ^ self.rules.excuse,) * self.rules.players

    def ace_falls(self, suit: str) -> None:
        """Let an Ace act on trump, in the game where it does (AT-8)."""

    def complete(self) -> None:
        """Resolve the full trick, hand it to its winner and end the hand after the last."""
        trump = self.deciding_trump()
        play, code = resolve(
            self.plays, self.follows, self.trumps(), self.rules.ranks, self.tie_rule()
        )
        winner = play[0]
        facts = {"card": self.rules.pack.cards[play[1]]}
        reason = Reason(code, self.CITES[code], facts)
        self.gather(Taken(self.leader, self.plays, winner, trump, reason))

    def gather(self, trick: Taken) -> None:
        """Clear the table after a trick; its winner leads (AT-13)."""
        winner = trick.winner
        self.taken += (trick,)
        self.won = self.won[:winner] + (self.won[winner] + 1,) + self.won[winner + 1 :]
        self.leader = self.turn = winner
        self.plays = ()
        self.there = 0
        self.lead = None
        self.follows = self.rules.nobody
        if len(self.taken) == self.total:
            self.phase = FINISHED

    def deciding_trump(self) -> str | None:
        """Return the trump that decides the trick in progress."""
        return self.trump

    def trumps(self) -> tuple[int, ...]:
        """Return, per seat, the cards that are trump when this seat plays them."""
        return self.rules.suited[self.trump]

    def tie_rule(self) -> TieRule:
        """Return how equal cards that follow are told apart."""
        return earlier

    # -- what a close look finds ----------------------------------------------------------

    def look_closer(
        self, event: Play, card: int, denial: int, oddities: list[Oddity]
    ) -> Refusal | None:
        """Check what only some tables and some plays need; collect what is irregular."""
        seat, bit = event.seat, 1 << card
        if self.there >> seat & 1 or self.beyond_deal(seat, bit):
            return impossible("too-many-cards", "REC-7", seat=seat)
        if self.elsewhere and self.elsewhere[seat] & bit:
            return impossible("not-in-hand", "REC-8", seat=seat, card=self.rules.pack.cards[card])
        refusal = self.wrong_suit(event, card)
        if refusal:
            return refusal
        if seat != self.turn:
            facts = {"seat": seat, "turn": self.turn}
            oddities.append(Oddity("out-of-turn", seat, Reason("out-of-turn", ("REC-12",), facts)))
        self.odd_lead(event, card, oddities)
        held = self.held(seat)
        if denial and held is not None and not self.unseen_excuse(seat, bit, denial):
            oddities.append(self.seen_breach(seat, card, held & denial))
        return None

    def beyond_deal(self, seat: int, bit: int) -> bool:
        """Return whether the deal cannot have given this seat one more card of this kind."""
        return False

    def names_suit(self, card: int) -> bool:
        """Return whether a suit can be named with this card: a lead, under *called suit*."""
        if not self.rules.options.get("called_suit") or self.lead is not None:
            return False
        return 1 << card != self.rules.excuse

    def wrong_suit(self, event: Play, card: int) -> Refusal | None:
        """Refuse a suit named where none can be, or one that the card does not show (AT-V7)."""
        suit = event.suit
        if suit is None:
            return None
        named = self.rules.pack.suit(suit)
        if self.names_suit(card) and named in self.rules.pack.cards[card].suits:
            return None
        return impossible("bad-suit", "AT-V7", "REC-9", suit=suit)

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        """Collect what is irregular in a lead: a suit not named, a forbidden Excuse."""
        seat, cards = event.seat, self.rules.pack.cards
        if event.suit is None and self.names_suit(card) and len(cards[card].suits) > 1:
            facts = {"seat": seat, "card": cards[card]}
            oddities.append(Oddity("no-suit-called", seat, Reason("no-suit-called", ("AT-V7",), facts)))
        forbidden = self.rules.options.get("excuse_led") == "forbidden"
        excuse_led = not self.plays and 1 << card == self.rules.excuse
        if forbidden and excuse_led and self.total - len(self.taken) > 1:
            oddities.append(Oddity("excuse-led", seat, Reason("excuse-led", ("AT-Q9",), {"seat": seat})))

    def held(self, seat: int) -> int | None:
        """Return what is left of an entered hand, or ``None`` where the hand is unknown."""
        known = self.setup.known[seat] if self.setup.known else None
        return None if known is None else known & ~self.gone

    def unseen_excuse(self, seat: int, bit: int, denial: int) -> bool:
        """Return whether cards played unseen may have been the ones that should have followed."""
        held = self.held(seat) or 0
        unseen = held.bit_count() - self.cards_left()[seat]
        return (held & denial & ~bit).bit_count() <= unseen

    def seen_breach(self, seat: int, card: int, held: int) -> Oddity:
        """Return the revoke that an entered hand shows at once."""
        cards = self.rules.pack.cards
        shown = next(cards[i] for i in self.rules.pack.members(held))
        facts = {"seat": seat, "card": cards[card], "held": shown}
        return Oddity("revoke", seat, Reason("revoke", self.CITES["follow"], facts))

    def not_in_deck(self, code: str) -> Refusal:
        """Refuse a card that this pack does not hold, naming those it does."""
        why = self.rules.pack.explain(code)
        return impossible("not-in-deck", "REC-5", why=why)

    # -- claims and proofs ----------------------------------------------------------------

    def claim(self, seat: int, cards: int) -> None:
        """Note what the play just made asserts about the hand that remains (REC-17)."""
        code, clause = self.claim_kind()
        trick = len(self.taken) + 1
        self.claims += (Claim(seat, self.events, trick, cards, code, clause),)
        denied = self.denied
        self.denied = denied[:seat] + (denied[seat] | cards,) + denied[seat + 1 :]

    def claim_kind(self) -> tuple[str, str]:
        """Return the infraction, and its clause, that a contradicted claim would prove."""
        return "revoke", self.CITES["follow"][0]

    def disprove(self, seat: int, bit: int) -> None:
        """Record each claim that this card contradicts, and open the joint question anew."""
        false = [c for c in self.claims if c.seat == seat and c.cards & bit]
        card = self.rules.pack.cards[bit.bit_length() - 1]
        findings = tuple(
            proved(claim, event=self.events, card=str(card), first=self.act(claim.event))
            for claim in false
        )
        acts = {claim.event for claim in false}
        kept = tuple(
            i for i in self.irregularities
            if not (i.certainty is Certainty.JOINT and acts.intersection(i.claims))
        )  # fmt: skip
        self.irregularities = kept + findings
        self.claims = tuple(c for c in self.claims if c not in false)
        left = 0
        for claim in self.claims:
            if claim.seat == seat:
                left |= claim.cards
        self.denied = self.denied[:seat] + (left,) + self.denied[seat + 1 :]

    def act(self, event: int) -> str:
        """Return the name of the card that was played with one of this hand's events."""
        for plays in (*(trick.plays for trick in self.taken), self.plays):
            for play in plays:
                if play[2] == event:
                    return str(self.rules.pack.cards[play[1]])
        return ""

    def count(self, seat: int) -> None:
        """Look for claims that cannot all be true, by counting the unseen cards (REC-18).

        Nothing is counted after tricks recorded without cards, nor while a finding is open.
        """
        if self.blind or any(i.certainty is Certainty.JOINT for i in self.irregularities):
            return
        places = self.places()
        denied = {seat: cards for seat, cards in enumerate(self.denied) if cards}
        if not any(overfull(denied, place) for place in places):
            return
        core = minimal(self.claims, places)
        since = self.contradictory_since(core)
        self.irregularities += (joint_finding(core, event=since),)

    def count_later(self) -> None:
        """Leave out proofs by counting for now."""
        self.counting = False

    def needs_counting(self) -> bool:
        """Return whether counting could say something about this hand.

        Played to its last card, with no claim contradicted, the hand shows a way to place the
        cards: nothing could be found.
        """
        complete = self.phase is FINISHED and not self.blind
        proofs = any(i.certainty is Certainty.PROVED for i in self.irregularities)
        return bool(self.claims) and not complete or proofs

    def places(self) -> tuple[Places, ...]:
        """Return where the unseen cards can be, after the play just made."""
        return self.split(self.gone, list(self.places_left()))

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Return the places when the cards ``gone`` are seen and ``left`` are in each hand."""
        unseen = self.rules.pack.everything & ~gone
        for seat, known in enumerate(self.setup.known):
            if known is not None:
                unseen &= ~known
                left[seat] = 0
        return (Places(unseen, tuple(left)),)

    def contradictory_since(self, core: tuple[Claim, ...]) -> int:
        """Return the first event after which these claims contradict one another."""
        plays = [play for trick in self.taken for play in trick.plays] + list(self.plays)
        latest = max(claim.event for claim in core)
        gone = self.gone
        left = list(self.places_left())
        for seat, card, _, _ in plays:
            gone &= ~(1 << card)
            left[seat] += 1
        for seat, card, event, _ in plays:
            gone |= 1 << card
            left[seat] -= 1
            if event >= latest and contradictory(core, self.split(gone, left.copy())):
                return event
        return self.events

    def places_left(self) -> tuple[int, ...]:
        """Return how many cards each seat holds after the play just made."""
        if sum(self.won) == self.total:
            return self.rules.nobody
        rest = self.total - len(self.taken)
        return tuple(rest - (self.there >> seat & 1) for seat in range(self.rules.players))

    # -- bids -----------------------------------------------------------------------------

    def take_bid(self, event: Bid) -> Refusal | None:
        """Take a seat's bid (AT-V4, WC-7); the first one skips set-up that was not recorded."""
        if not self.rules.bidding or self.phase in (PLAY, FINISHED, VOID):
            return self.not_now(event)
        seat = event.seat
        refusal = self.no_such_seat(seat)
        if refusal:
            return refusal
        if self.bids[seat] is not None:
            return self.wrong_phase(event)
        if not 0 <= event.tricks <= self.total:
            return impossible("bad-bid", "REC-10", number=event.tricks, most=self.total)
        refusal = self.consent(event, self.odd_bid(event))
        if refusal:
            return refusal
        self.skip_setup(by_bid=True)
        self.bids = self.bids[:seat] + (event.tricks,) + self.bids[seat + 1 :]
        self.phase = Phase.BIDDING if None in self.bids else PLAY
        return None

    def odd_bid(self, event: Bid) -> list[Oddity]:
        """Return what is irregular in a bid: its turn, and the hook (AT-Q15)."""
        oddities = []
        turn = self.next_bidder()
        seat = event.seat
        if turn is not None and seat != turn:
            facts = {"seat": seat, "turn": turn}
            oddities.append(Oddity("out-of-turn", seat, Reason("out-of-turn", ("REC-12",), facts)))
        if event.tricks == self.forbidden_bid(seat):
            facts = {"seat": seat, "number": event.tricks}
            reason = Reason("forbidden-bid", self.CITES["hook"], facts)
            oddities.append(Oddity("forbidden-bid", seat, reason))
        return oddities

    def forbidden_bid(self, seat: int) -> int | None:
        """Return the bid that the hook forbids this seat, if it bids last."""
        others = [bid for other, bid in enumerate(self.bids) if other != seat]
        if not self.rules.options.get("hook") or None in others:
            return None
        return self.total - sum(bid for bid in others if bid is not None)

    def next_bidder(self) -> int | None:
        """Return the first seat from the dealer's left without a bid."""
        for step in range(1, self.rules.players + 1):
            seat = (self.setup.dealer + step) % self.rules.players
            if self.bids[seat] is None:
                return seat
        return None

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Go past set-up events that nobody recorded, in games that have them."""

    # -- other depths ---------------------------------------------------------------------

    def take_trick(self, event: Trick) -> Refusal | None:
        """Take a trick by its winner, without its cards."""
        if self.closed() or self.plays:
            return self.not_now(event)
        refusal = self.no_such_seat(event.winner) or self.bad_last(event.last)
        if refusal:
            return refusal
        trump = event.trump
        if trump is not UNSAID and trump is not None:
            trump = self.rules.pack.suit(trump) or trump
        if trump is not UNSAID and not self.trump_fits(trump):
            return impossible("bad-suit", "REC-9", suit="no trump" if trump is None else trump)
        if event.points is not None:
            return impossible("bad-result", "REC-11", phrase="bad-result-points")
        self.skip_setup()
        self.phase = PLAY
        if trump is not UNSAID:
            self.hear_trump(trump)
        self.blind += 1
        reason = Reason("recorded-winner", ("REC-19",), {"seat": event.winner})
        self.gather(Taken(self.leader, (), event.winner, self.trump, reason))
        if self.phase is FINISHED:
            self.hear_last(event.last)
        return None

    def closed(self) -> bool:
        """Return whether no trick or result can come now: hand over, or bids still missing."""
        if self.phase is FINISHED or self.phase is VOID:
            return True
        return self.rules.bidding and None in self.bids

    def trump_fits(self, trump: str | None) -> bool:
        """Return whether a trick can have left this trump, by what is known."""
        return trump is None or trump in self.rules.suited

    def hear_trump(self, trump: str | None) -> None:
        """Take the trump that a recorded trick reports."""
        self.trump = trump

    def bad_last(self, last: str | None) -> Refusal | None:
        """Refuse a last card that does not exist or has been played."""
        if last is None:
            return None
        card = self.rules.pack.find(last)
        if card is None:
            return self.not_in_deck(last)
        if self.gone >> card & 1:
            return impossible("already-played", "REC-6", card=self.rules.pack.cards[card])
        return None

    def hear_last(self, last: str | None) -> None:
        """Take the last card of a hand recorded without cards, where a game needs it."""

    def take_result(self, event: Result) -> Refusal | None:
        """Take the rest of the hand by the tricks that each seat won in all of it."""
        if self.closed() or self.plays:
            return self.not_now(event)
        refusal = self.bad_last(event.last)
        if refusal:
            return refusal
        tricks = event.tricks
        if tricks is None or event.cards_left is not None or event.points is not None:
            return impossible("bad-result", "REC-11", phrase="bad-result-tricks")
        if len(tricks) != self.rules.players:
            return impossible("bad-result", "REC-11", phrase="bad-result-seats")
        if any(a < b for a, b in zip(tricks, self.won, strict=True)):
            return impossible("bad-result", "REC-11", phrase="bad-result-fewer")
        if sum(tricks) != self.total:
            facts = {"total": self.total, "sum": sum(tricks)}
            return impossible("bad-result", "REC-11", phrase="bad-result-sum", **facts)
        self.skip_setup()
        self.blind += self.total - len(self.taken)
        self.won = tricks
        self.phase = FINISHED
        self.hear_last(event.last)
        return None

    def take_transfer(self, event: Transfer) -> Refusal | None:
        """Move tricks from one seat to another, as the table decided (REC-13)."""
        if self.phase is VOID or self.ended:
            return self.not_now(event)
        refusal = self.no_such_seat(event.from_seat) or self.no_such_seat(event.to_seat)
        if refusal:
            return refusal
        if event.from_seat == event.to_seat:
            return impossible("bad-result", "REC-13", phrase="bad-transfer-self")
        if not 0 < event.tricks <= self.tricks_won()[event.from_seat]:
            return impossible("bad-result", "REC-13", phrase="bad-transfer-more")
        self.transfers += ((event.from_seat, event.to_seat, event.tricks),)
        return None

    # -- what stands ----------------------------------------------------------------------

    def tricks_won(self) -> tuple[int, ...]:
        """Return the tricks of each seat, transfers included."""
        tricks = list(self.won)
        for giver, taker, count in self.transfers:
            tricks[giver] -= count
            tricks[taker] += count
        return tuple(tricks)

    def trick_number(self) -> int | None:
        """Return the number of the trick in progress; ``None`` before play."""
        return len(self.taken) + 1 if self.phase is PLAY else None

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may act now."""
        if self.phase is Phase.BIDDING:
            bidder = self.next_bidder()
            return () if bidder is None else (bidder,)
        return (self.turn,) if self.phase is PLAY else ()

    def cards_left(self) -> tuple[int, ...]:
        """Return the number of cards each seat still holds."""
        return self.places_left()

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked from what was recorded (REC-19)."""
        said = []
        unknown = self.rules.players - sum(k is not None for k in self.setup.known)
        if unknown:
            said.append(Reason("hands-unknown", ("REC-17", "REC-19"), {"count": unknown}))
        empty = sum(not trick.plays for trick in self.taken)
        if empty:
            said.append(Reason("tricks-without-cards", ("REC-19",), {"count": empty}))
        if self.phase is FINISHED and self.blind > empty:
            said.append(Reason("result-only", ("REC-19",), {"count": self.blind - empty}))
        if self.blind:
            said.append(Reason("no-counting", ("REC-18", "REC-19")))
        return said

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next."""
        asks: list[Ask] = []
        if self.phase is Phase.BIDDING:
            for seat in self.to_act():
                hook = self.forbidden_bid(seat)
                struck = () if hook is None else (hook,)
                bid = Field("tricks", "number", "Tricks", least=0, most=self.total, struck=struck)
                asks.append(Ask("bid", "Bid", (seat,), (bid,)))
        if self.phase is PLAY and not self.skipped:
            fields = [Field("cards", "cards", "Card", choices=self.unplayed())]
            if self.rules.options.get("called_suit") and self.lead is None:
                suits = tuple(suit.code for suit in self.rules.pack.suits)
                fields.append(Field("suit", "suit", "Suit called", suits, optional=True))
            asks.append(Ask("play", "Play", self.to_act(), tuple(fields)))
        if not self.closed() and not self.plays:
            seats = tuple(str(s) for s in range(self.rules.players))
            asks.append(Ask("trick", "Trick won by", (), (Field("winner", "seat", "Winner", seats),)))
            result = Field("tricks", "numbers", "Tricks of each player", least=0, most=self.total)
            asks.append(Ask("result", "Result of the hand", (), (result,)))
        return tuple(asks)

    def unplayed(self) -> tuple[str, ...]:
        """Return the codes of the cards that have not left the hands."""
        return tuple(c.code for c in self.rules.pack.cards if not self.gone >> c.index & 1)

    def points_of(self, trick: Taken) -> dict[str, int]:
        """Return what a trick is itself worth, by seat; nothing where bids decide."""
        return {} if self.rules.bidding else {str(trick.winner): 1}

    def describe(self) -> dict[str, Any]:
        """Return this hand's bids, tricks and trump for the adjudication."""
        tricks = [
            self._entry(number, trick.leader, trick.plays)
            | {
                "winner": trick.winner, "points": self.points_of(trick), "trump": trick.trump,
                "reason": trick.reason,
            }
            for number, trick in enumerate(self.taken, 1)
        ]  # fmt: skip
        if self.plays:
            tricks.append(
                self._entry(len(self.taken) + 1, self.leader, self.plays)
                | {"winner": None, "points": {}, "trump": self.deciding_trump(), "reason": None}
            )
        return {
            "trump": self.trump, "suit_order": None, "bids": list(self.bids),
            "tricks_won": list(self.tricks_won()), "tricks": tricks,
        }  # fmt: skip

    def _entry(self, number: int, leader: int, plays: tuple[Played, ...]) -> dict[str, Any]:
        cards = self.rules.pack.cards
        return {
            "number": number, "leader": leader,
            "plays": [
                {"seat": seat, "cards": [cards[card].code]} for seat, card, _, _ in plays
            ],
            "called_suit": next((suit for *_, suit in plays if suit), None),
        }  # fmt: skip


TrickHand.TAKES = {
    **Hand.TAKES,
    Play: TrickHand.take_play,
    Bid: TrickHand.take_bid,
    Trick: TrickHand.take_trick,
    Result: TrickHand.take_result,
    Transfer: TrickHand.take_transfer,
}
__all__ = ["Event", "Irregularity", "Note", "Penalty", "Taken", "TrickHand"]
