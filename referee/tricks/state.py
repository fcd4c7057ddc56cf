"""A trick-taking hand as all its parts know it: its state, how cards are read, and how they come to the table."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add, or_
from typing import ClassVar, NamedTuple, Self

from referee.engine.claims import Claim
from referee.engine.events import CardAside, Play
from referee.engine.hand import Hand
from referee.engine.rules import Setup
from referee.engine.rulings import Oddity, Reason, Refusal, Remedy, Undertaken, impossible
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID, Phase, added, derived, kept, per_seat, summed
from referee.tricks.rules import UNSEEN, Played, TieRule, TrickRules, earlier, resolve

ASKER = 0
"""The seat whose hand, bid or first card a single question is about."""


class Taken(NamedTuple):
    """A finished trick. ``plays`` is empty where only the winner was recorded."""

    leader: int
    plays: tuple[Played, ...]
    winner: int
    trump: str | None
    reason: Reason


class Standing(NamedTuple):
    """Trump between two tricks in one way: ``settled`` by a card of this hand, and no one saw that (``unseen``)."""

    trump: str | None
    settled: bool = False
    unseen: bool = False


class Way(NamedTuple):
    """What comes of a trick in one way: its winner, trump before it, the trump that decides it, trump after it."""

    winner: int
    before: Standing
    trump: str | None
    after: Standing


Able = tuple[int, ...]
"""The cards that each place of a trick can hold, as bit masks; one card where it was seen."""


class Course(NamedTuple):
    """How trump goes in a trick: what decides it, what is left after it, and the cards that lead to that."""

    trump: str | None
    after: Standing
    able: Able


class TrickState(Hand):
    """What is known of one hand of a trick-taking game.

    Card sets are bit masks. ``gone`` are the cards that left the hands, ``follows`` what each seat may follow with in
    this trick, ``denied`` what each seat's standing claims deny. ``there`` are the seats that have played to the trick
    in progress (a bit mask). ``blind`` counts tricks recorded without cards, ``unseen`` cards of the other tricks that
    no one saw; ``spare`` is how many plays the standing claims can outlive for certain (``referee.engine.claims``);
    ``skipped`` says that set-up events were left out and no card can be judged. ``given_up`` lists the tricks that went
    to the other side for a revoke: the event of the revoke and the place of the trick; ``waived`` the events for which
    the table wanted no trick. ``hidden`` are the cards of finished tricks that no one saw: who played each, and what it
    can have been. ``ways`` are all that trump can have been when the trick began, where unseen cards leave more than
    one; ``filled`` what can come of the trick on the table. ``pooled`` are the seats (a bit mask) of which only their
    side's tricks are known.
    """

    rules: TrickRules
    bids: tuple[int | None, ...] = per_seat(None)
    blind: int = kept(0)
    claims: tuple[Claim, ...] = kept(())
    counting: bool = derived(True)
    denied: tuple[int, ...] = per_seat(0)
    elsewhere: tuple[int, ...] = derived(())
    filled: tuple[Way, ...] | None = derived(None)
    follows: tuple[int, ...] = per_seat(0)
    given_up: tuple[tuple[int, int], ...] = kept(())
    gone: int = kept(0)
    hidden: tuple[tuple[int, int], ...] = kept(())
    lead: int | None = kept(None)
    leader: int = kept(0)
    plays: tuple[Played, ...] = kept(())
    pooled: int = kept(0)
    skipped: bool = kept(False)
    spare: int = derived(0)
    strict: bool = derived(False)
    taken: tuple[Taken, ...] = kept(())
    there: int = kept(0)
    total: int = derived(0)
    transfers: tuple[tuple[int, int, int], ...] = kept(())
    moved: tuple[int, ...] = summed()
    trump: str | None = kept(None)
    turn: int = kept(0)
    unseen: int = kept(0)
    waived: tuple[int, ...] = kept(())
    ways: tuple[Standing, ...] = kept(())
    won: tuple[int, ...] = per_seat(0)

    PROVED_REMEDIES: ClassVar[tuple[str, ...]] = (
        "correct", "stand", "bridge", "equity", "hand-zero", "penalty", "redeal",
    )  # fmt: skip
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        **Hand.REMEDIES,
        "bridge": Remedy(
            "Give up tricks: the revoke trick and the next trick won, if the offender’s own card won it."
            " Otherwise one trick: the revoke trick if their side won it, or the next one that it won.",
            ("IR-4",),
            "Give up tricks",
        ),
        "equity": Remedy(
            "The others get what they would have had if suit had been followed, with the cards as they were; the"
            " offender keeps the lower score.",
            ("IR-6",),
            "Make it all good",
        ),
    }
    LED_EARLY: ClassVar[str] = "trump-led"
    """The code of a lead that the rules do not allow while its player holds anything else (``guarded``)."""
    AS_PROVED: ClassVar[tuple[str, ...]] = ("revoke", LED_EARLY)
    REVOKES: ClassVar[tuple[str, ...]] = ("revoke",)
    SET_ASIDE: ClassVar[int] = 0
    """Cards of each hand that are set aside and never played to a trick."""
    ASIDE: ClassVar[Phase | None] = None
    """The phase in which all set a card aside at once, in games in which they do."""
    POOLS: ClassVar[bool] = False
    """Whether partners keep their tricks in one pile, so that a result may tell what both have."""
    EXACT_BIDS: ClassVar[bool] = False
    """Whether a trick more than bid is as bad as one less, so that giving one up could help."""
    CITES: ClassVar[dict[str, tuple[str, ...]]]
    """The clauses of the game by what they are about.

    ``highest-trump``, ``highest-follower`` and ``earlier-of-equals`` say who wins a trick, ``follow`` what may be
    played, ``lead`` who leads, ``tricks`` what they score, ``deal`` how many cards are dealt; ``turn-to-bid`` says who
    bids when, ``hook`` binds the last bid where there is a house rule for it, ``name`` is about a suit named with a
    card, ``LED_EARLY`` about a lead that denies other cards. ``referee.tricks.hand`` holds a game to them.
    """

    def begin(self) -> None:
        self.leader = self.turn = self.rules.clockwise[self.setup.dealer]
        self.trump = self.setup.carry
        self.settle()
        self.phase = self.opening_phase()

    @classmethod
    def set_up(cls, rules: TrickRules, *, cards: int = 2, known: int | None = None) -> Self:
        """Return a hand as a single question tells of it: in play, with so many cards to play each.

        The asker sits at the dealer's left, perhaps with an entered hand. Trump is what the house rules
        fix, else none.
        """
        hands = () if known is None else (known, *(None,) * (rules.players - 1))
        seats = tuple(range(rules.players))
        sizes = (cards + cls.SET_ASIDE,) * rules.players
        trumps = rules.trump_suits()
        hand = cls(rules, Setup(0, seats[-1], seats, sizes, hands, trumps[0] if len(trumps) == 1 else None))
        hand.phase = PLAY
        return hand

    def deal_clauses(self) -> tuple[str, ...]:
        return self.CITES["deal"]

    def settle(self) -> None:
        """Compute what follows from the set-up alone and never changes in a hand."""
        rules, known = self.rules, self.setup.known
        self.total = (self.setup.sizes or (0,))[0] - self.SET_ASIDE
        if any(known):
            everything, entered = rules.pack.everything, reduce(or_, (cards or 0 for cards in known))
            self.elsewhere = tuple(entered if cards is None else everything & ~cards for cards in known)
        self.strict = rules.strict or bool(self.elsewhere)

    def opening_phase(self) -> Phase:
        return self.ASIDE or (BIDDING if self.rules.bidding else PLAY)

    def follow_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which cards have to follow in the trick in progress."""
        return self.CITES["follow"]

    def held(self, seat: int) -> int | None:
        """Return what is left of an entered hand, or ``None`` if the hand is unknown."""
        known = self.entered()[seat] if self.entered() else None
        return None if known is None else known & ~self.gone

    def entered(self) -> tuple[int | None, ...]:
        """Return the hands that were entered, as play begins; ``()`` where there are none."""
        return self.setup.known

    def sure(self, seat: int) -> int:
        """Return the cards that a seat is known to hold, save those that it may have played unseen."""
        return self.placed(seat) & ~self.gone

    def placed(self, seat: int) -> int:
        """Return the cards that a seat is known to hold as play begins."""
        return (self.entered()[seat] or 0) if self.entered() else 0

    def cards_left(self) -> tuple[int, ...]:
        left = self.places_left()
        early = self.phase is VOID and not (self.skipped or self.blind)
        if not self.aside() or (self.phase is not self.ASIDE and not early):
            return left
        return tuple(count + (card is None) for count, card in zip(left, self.aside(), strict=True))

    def places_left(self) -> tuple[int, ...]:
        """Return how many cards each seat holds after the play just made."""
        if sum(self.won) == self.total:
            return self.rules.nobody
        rest = self.total - len(self.taken)
        return tuple(rest - (self.there >> seat & 1) for seat in range(self.rules.players))

    def tricks_counted(self) -> tuple[int, ...]:
        """Return the tricks of each seat; what a side has together stands at one of its seats."""
        return tuple(map(add, self.won, self.moved)) if self.transfers else self.won

    def tricks_won(self) -> tuple[int | None, ...]:
        won = self.tricks_counted()
        return (
            tuple(None if self.pooled >> seat & 1 else count for seat, count in enumerate(won)) if self.pooled else won
        )

    def undertaken(self) -> tuple[Undertaken | None, ...]:
        """Return what each seat bid and won; a side that bids together has one bid, the sum of its seats'."""
        if not self.rules.bidding:
            return super().undertaken()
        won, made = self.tricks_counted(), []
        for side in map(self.scored_with, range(self.rules.players)):
            bids = [bid for seat in side if (bid := self.bids[seat]) is not None]
            told = len(bids) == len(side)
            made.append(Undertaken(sum(bids), sum(won[seat] for seat in side)) if told else None)
        return tuple(made)

    def move(self, giver: int, taker: int, count: int) -> None:
        self.transfers += ((giver, taker, count),)
        self.moved = shifted(self.moved, giver, taker, count)

    def settlements(self) -> int:
        return len(self.penalties) + len(self.transfers)

    def resume(self) -> None:
        super().resume()
        for giver, taker, count in self.transfers:
            self.moved = shifted(self.moved, giver, taker, count)

    def trick_number(self) -> int | None:
        return len(self.taken) + 1 if self.phase is PLAY else None

    def to_act(self) -> tuple[int, ...]:
        if self.phase is self.ASIDE:
            return tuple(seat for seat, card in enumerate(self.aside()) if card is None)
        if self.phase is BIDDING:
            bidder = self.next_bidder()
            return () if bidder is None else (bidder,)
        return (self.turn,) if self.phase is PLAY and self.turn >= 0 else ()

    def next_bidder(self) -> int | None:
        return next((seat for seat in self.from_left() if self.bids[seat] is None), None)

    def bidders(self) -> tuple[int, ...]:
        return self.from_left() if self.phase is BIDDING else ()

    def from_left(self) -> tuple[int, ...]:
        """Return all seats clockwise, from the dealer's left."""
        first = self.setup.dealer + 1
        return tuple((first + step) % self.rules.players for step in range(self.rules.players))

    def not_in_deck(self, code: str) -> Refusal:
        """Refuse a card that this pack does not hold, naming those it does."""
        return impossible("not-in-deck", "REC-5", why=self.rules.pack.explain(code))

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Go past set-up events that no one recorded, in games that have them."""

    def lay_aside(self, event: CardAside) -> tuple[int | None, ...] | Refusal:
        """Return the cards that are set aside once a seat does so before play, or refuse its card."""
        if self.phase is not self.ASIDE:
            return self.not_now(event)
        seat, chosen = event.seat, self.aside()
        refusal = self.no_such_seat(seat)
        if refusal:
            return refusal
        if chosen[seat] is not None:
            return impossible("wrong-phase", "REC-2", phrase="aside-already", seat=seat)
        if len(event.cards) != 1:
            return impossible("wrong-count", "REC-4", phrase="wrong-count-one")
        card = self.rules.pack.find(event.cards[0])
        if card is None:
            return self.not_in_deck(event.cards[0])
        refusal = self.unfit_aside(card)
        if refusal:
            return refusal
        if self.gone >> card & 1:
            return self.gone_already(card)
        if self.elsewhere and self.elsewhere[seat] >> card & 1:
            return self.not_in_hand(seat, card)
        self.gone |= 1 << card
        return (*chosen[:seat], card, *chosen[seat + 1 :])

    def gone_already(self, card: int) -> Refusal:
        """Refuse a card that has left a hand before: to a trick, perhaps unseen, or to be set aside."""
        shown = self.rules.pack.cards[card]
        if card in self.aside():
            return impossible("already-played", "REC-6", phrase="already-aside", card=shown)
        if all(play[1] != card for plays in self.laid() for play in plays):
            return impossible("already-played", "REC-6", "REC-19", phrase="already-unseen", card=shown)
        return impossible("already-played", "REC-6", card=shown)

    def aside(self) -> tuple[int | None, ...]:
        """Return the cards that were set aside before play, by seat, in games that have them."""
        return ()

    def laid(self) -> tuple[tuple[Played, ...], ...]:
        """Return the plays of every trick, the last one being the trick in progress."""
        return (*(trick.plays for trick in self.taken), self.plays)

    def unfit_aside(self, card: int) -> Refusal | None:
        """Refuse a card that this game does not let anyone set aside."""
        return None

    # -- what a game may say otherwise: how cards are read, led and followed ----------------------

    def deciding_trump(self) -> str | None:
        """Return the trump that decides the trick in progress, ``None`` if there is none."""
        return self.trump

    def trumps(self) -> tuple[int, ...]:
        """Return, per seat, the cards that are trump when this seat plays them."""
        return self.rules.suited[self.trump]

    def tie_rule(self) -> TieRule:
        """Return how equal cards that follow are told apart."""
        return earlier

    def reading_of(self, seat: int, suit: str) -> int:
        """Return the cards that are of a suit to this seat."""
        return self.rules.suited[suit][seat]

    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """Settle what follows this lead: the suit named with it, else every card that shares a suit with it.

        A game in which a card leads no suit leaves ``lead`` as it is: the next card settles it.
        """
        self.lead = card
        self.follows = self.rules.suited[suit] if suit else self.rules.alike[card]

    def denial(self, seat: int, card: int) -> int:
        """Return the cards a follower denies holding with this card: all that would have followed, if it does not."""
        follows = self.follows[seat]
        return 0 if (follows | self.rules.free) >> card & 1 else follows

    def guarded(self, seat: int) -> int:
        """Return the cards that this seat may lead now only if it holds nothing else; by default none."""
        return 0

    def lead_denial(self, seat: int, card: int) -> int:
        """Return the cards that a leader denies holding with this card."""
        guarded = self.guarded(seat)
        return self.rules.pack.everything & ~guarded if guarded >> card & 1 else 0

    def lead_key(self, form: str) -> str:
        """Return the sentence of a lead that denies other cards, where a game has other words than its code has."""
        return form

    def guard_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which cards are guarded now."""
        return self.CITES[self.LED_EARLY]

    def lead_clauses(self) -> tuple[str, ...]:
        """Return the clauses that say who leads now; none in the middle of a trick."""
        if self.plays:
            return ()
        return self.CITES["lead"][-1:] if self.taken else self.CITES["lead"][:1]

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Refuse one more card of this kind than the deal can have given this seat."""
        return None

    def dealt_out(self, seat: int) -> int:
        """Return the cards of which this seat has played all that it can have been dealt."""
        return 0

    def may_name(self) -> bool:
        """Return whether suits are named with the cards led at this table."""
        return False

    def names_suit(self, card: int) -> bool:
        """Return whether a suit can be named with this card, as a lead."""
        return False

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        """Collect what is irregular in a lead, in a game that does not let every card be led."""

    def seen_breach(self, code: str, seat: int, card: int, held: int) -> Oddity:
        """Return the revoke, or the unlawful lead, that a hand known to hold these cards shows at once."""
        cards = self.rules.pack.cards
        shown = next(cards[i] for i in self.rules.pack.members(held))
        facts = {"seat": seat, "card": cards[card], "held": shown}
        key = self.lead_key(code) if code == self.LED_EARLY else ""
        return Oddity(code, seat, Reason(code, self.clauses_of(code), facts, key))

    def clauses_of(self, code: str) -> tuple[str, ...]:
        """Return the clauses that an infraction is against, now that a card is played."""
        return self.guard_clauses() if code == self.LED_EARLY else self.follow_clauses()

    def begin_trick(self, leader: int) -> None:
        """Let a seat lead; a game may note how things stood before the trick."""
        self.leader = leader

    def act_on(self, card: int) -> None:
        """Let a card that acts when it falls (``TrickRules.acting``) do so."""

    def explain(self, code: str, card: int) -> Reason:
        """Return why this card won the trick in progress."""
        return Reason(code, self.CITES[code], {"card": self.rules.pack.cards[card]})

    def forbidden_bid(self, seat: int) -> int | None:
        """Return the bid that the hook forbids this seat, if it bids last."""
        others = [bid for other, bid in enumerate(self.bids) if other != seat]
        if not self.rules.options.get("hook") or None in others:
            return None
        return self.total - sum(bid for bid in others if bid is not None)

    def points_of(self, trick: Taken) -> dict[str, int]:
        """Return what a finished trick is itself worth, by seat; nothing if bids decide."""
        return {} if self.rules.bidding else {str(trick.winner): 1}

    # -- cards on the table ------------------------------------------------------------------------

    def look_closer(self, event: Play, card: int, denial: int, oddities: list[Oddity]) -> Refusal | None:
        """Check what only some tables and some plays need; collect what is irregular."""
        seat, bit = event.seat, 1 << card
        if self.there >> seat & 1:
            return impossible("too-many-cards", "REC-7", phrase="too-many-to-a-trick", seat=seat)
        refusal = None if card == UNSEEN else self.beyond_deal(seat, card)
        if refusal:
            return refusal
        if self.elsewhere and self.elsewhere[seat] & bit:
            return self.not_in_hand(seat, card)
        refusal = self.wrong_suit(event, card)
        if refusal:
            return refusal
        if seat not in self.to_act():
            facts = {"seat": seat, "turn": self.to_act()[0]}
            reason = Reason("out-of-turn", (*self.lead_clauses(), "REC-12"), facts)
            oddities.append(Oddity("out-of-turn", seat, reason))
        self.odd_lead(event, card, oddities)
        for code, cards in self.infractions(seat, card, denial):
            held = self.surely_held(seat, bit, cards)
            if held:
                oddities.append(self.seen_breach(code, seat, card, held))
        return None

    def infractions(self, seat: int, card: int, denial: int) -> tuple[tuple[str, int], ...]:
        """Return what a card that denies others is, unless that is true: the codes, each with the cards it denies."""
        return ((self.LED_EARLY if not self.plays else "revoke", denial),) if denial else ()

    def surely_held(self, seat: int, bit: int, denied: int) -> int:
        """Return the cards known to be held that a play denies; none if it may be that they have gone unseen."""
        held = self.sure(seat) & denied & ~bit
        return held if held and not self.may_be_unseen(seat, bit, denied) else 0

    def wrong_suit(self, event: Play, card: int) -> Refusal | None:
        """Refuse a suit named where none can be, or one that the card does not show."""
        suit = event.suit
        if suit is None:
            return None
        if not self.may_name():
            return impossible("bad-suit", *self.CITES.get("name", ()), "REC-9", phrase="names-no-suit")
        unknown = self.not_a_suit(suit)
        if unknown:
            return unknown
        named = self.rules.pack.suit(suit)
        facts: dict[str, object] = {"suit": self.suit_name(named)}
        if not self.names_suit(card):
            return impossible("bad-suit", *self.CITES["name"], "REC-9", phrase="only-lead-names", **facts)
        if card == UNSEEN or named in self.rules.pack.cards[card].suits:
            return None
        facts["card"] = self.rules.pack.cards[card]
        return impossible("bad-suit", *self.CITES["name"], "REC-9", phrase="suit-not-shown", **facts)

    def may_be_unseen(self, seat: int, bit: int, denial: int) -> bool:
        """Return whether cards played unseen may have been the ones that should have followed, each another one."""
        held = self.sure(seat)
        open_ones = [could for owner, could in self.hidden if owner == seat and could & held]
        unseen = self.unseen_of(seat)
        places = [*open_ones, *[held] * (unseen - len(open_ones))]
        members = self.rules.pack.members(held & denial & ~bit)
        return matched([sum((cards >> card & 1) << at for at, cards in enumerate(places)) for card in members])

    def unseen_of(self, seat: int) -> int:
        """Return how many cards of a seat of which cards are known can have left its hand unseen."""
        return self.sure(seat).bit_count() - self.cards_left()[seat]

    def may_hold(self, seat: int) -> int:
        """Return the cards that a seat can have played unseen."""
        held = self.held(seat)
        if held is not None:
            return held & ~self.dealt_out(seat)
        elsewhere = self.elsewhere[seat] if self.elsewhere else 0
        return self.rules.pack.everything & ~self.gone & ~elsewhere & ~self.dealt_out(seat)

    def put_down(self, seat: int, card: int, suit: str | None) -> None:
        """Put a lawful card on the table: turn, lead and trump follow from it."""
        rules = self.rules
        if not self.plays:
            self.begin_trick(seat)
        if self.lead is None or suit:
            self.settle_lead(seat, card, suit)
        self.plays += ((seat, card, self.events, suit),)
        self.filled = None
        if card == UNSEEN:
            self.unseen += 1
        else:
            self.gone |= 1 << card
        if self.hidden:
            self.narrow_hidden()
        if rules.acting >> card & 1:
            self.act_on(card)
        self.there = there = self.there | 1 << seat
        if there != rules.everybody:
            turn = rules.clockwise[seat]
            while there >> turn & 1:  # a play out of turn left a gap (REC-12)
                turn = rules.clockwise[turn]
            self.turn = turn

    def settle_lead(self, seat: int, card: int, suit: str | None) -> None:
        """Settle what follows once this card is played, if it is the lead.

        A suit named after an unseen card says that this card is the lead. Of an unseen lead follows the suit named with
        it, else no one can say.
        """
        if self.lead is not None and not (suit and self.lead == UNSEEN):
            return
        if card == UNSEEN:
            self.lead = UNSEEN
            self.follows = self.rules.suited[suit] if suit else self.rules.nobody
        else:
            self.open_suit(seat, card, suit)

    def narrow_hidden(self, more: tuple[tuple[int, int], ...] = ()) -> bool:
        """Compute what the unseen cards can still be; one that can be no other card has been played.

        Where that leaves nothing for one of them, all stay as they were, and it is ``False``.
        """
        hidden = self.hidden + more
        seen = self.rules.pack.mask(card for card in self.aside() if card is not None)
        seen |= self.rules.pack.mask({play[1] for plays in self.laid() for play in plays} - {UNSEEN})
        self.hidden, before = hidden, None
        while before != self.hidden:
            before = self.hidden
            for place, (seat, could) in enumerate(before):
                if could.bit_count() > 1:
                    could &= ~seen
                    could = could & ~self.dealt_out(seat) or could  # it may be what completes the deal
                    self.hidden = (*self.hidden[:place], (seat, could), *self.hidden[place + 1 :])
                seen |= could if could.bit_count() == 1 else 0
        if all(could for _, could in self.hidden):
            self.gone |= seen
            return True
        self.hidden = hidden
        return False

    def resolved(self) -> Taken:
        """Return the full trick on the table with its winner, all its cards seen."""
        play, code = resolve(self.plays, self.follows, self.trumps(), self.rules.ranks, self.tie_rule)
        return Taken(self.leader, self.plays, play[0], self.deciding_trump(), self.explain(code, play[1]))

    def gather(self, trick: Taken) -> None:
        """Clear the table after a trick; its winner leads."""
        winner = trick.winner
        self.taken += (trick,)
        self.won = (*self.won[:winner], self.won[winner] + 1, *self.won[winner + 1 :])
        self.leader = self.turn = winner
        self.plays = ()
        self.there = 0
        self.lead = None
        self.follows = self.rules.nobody
        self.filled = None
        if len(self.taken) == self.total:
            self.phase = FINISHED

    def laid_again(self, plays: Iterable[Played], number: int | None = None) -> Self:
        """Return a copy of the hand with these cards in the trick, for what had to be followed after them.

        ``number`` is that of the trick: those from it on have not been played then.
        """
        trick = self.copy()
        trick.taken = self.taken if number is None else self.taken[: number - 1]
        trick.plays, trick.lead, trick.follows = (), None, self.rules.nobody
        for play in plays:
            trick.settle_lead(play[0], play[1], play[3])
            trick.plays += (play,)
        return trick


def shifted(sums: tuple[int, ...], giver: int, taker: int, count: int) -> tuple[int, ...]:
    return added(added(sums, giver, -count), taker, count)


def matched(places: Sequence[int]) -> bool:
    """Return whether every place can hold a card of its own."""
    holder: dict[int, int] = {}

    def seat_one(place: int, seen: set[int]) -> bool:
        cards = places[place]
        while cards:
            card = cards & -cards
            cards ^= card
            if card in seen:
                continue
            seen.add(card)
            if card not in holder or seat_one(holder[card], seen):
                holder[card] = place
                return True
        return False

    return all(seat_one(place, set()) for place in range(len(places)))
