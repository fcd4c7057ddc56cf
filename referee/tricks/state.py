"""State of a trick-taking hand, shared by its mixins: how cards are read, and how they are played."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add, or_
from typing import ClassVar, NamedTuple, Self

from referee.engine.claims import Claim
from referee.engine.events import CardAside, Play
from referee.engine.hand import Hand
from referee.engine.rules import Setup
from referee.engine.rulings import Oddity, Reason, Refusal, Remedy, Undertaken, impossible, out_of_turn
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID, Phase, added, derived, kept, per_seat, summed
from referee.tricks.rules import UNSEEN, Played, TieRule, TrickRules, earlier, resolve

ASKER = 0
"""The asker's seat in a question."""


class Taken(NamedTuple):
    """A finished trick. ``plays`` is empty where only the winner was recorded."""

    leader: int
    plays: tuple[Played, ...]
    winner: int
    trump: str | None
    reason: Reason


class Standing(NamedTuple):
    """One possibility for trump between two tricks: ``settled`` by a card of this hand, possibly an ``unseen`` one."""

    trump: str | None
    settled: bool = False
    unseen: bool = False


class Way(NamedTuple):
    """One possible outcome of a trick: winner, trump before, deciding trump, trump after."""

    winner: int
    before: Standing
    trump: str | None
    after: Standing


Able = tuple[int, ...]
"""Cards possible at each place of a trick, as masks; a single bit where the card was seen."""


class Course(NamedTuple):
    """One course of trump in a trick: the deciding trump, trump after it, and the cards that lead to it."""

    trump: str | None
    after: Standing
    able: Able


class TrickState(Hand):
    """What is known of one hand of a trick-taking game.

    Card sets are bit masks. ``gone`` are cards that left the hands, ``follows`` per seat the cards that follow the
    lead, ``denied`` per seat the cards denied by standing claims, ``there`` a mask of the seats that have played to the
    current trick. ``blind`` counts tricks recorded without cards, ``unseen`` the unseen cards of other tricks;
    ``spare`` is the number of plays during which the standing claims cannot conflict (``referee.engine.claims``).
    ``skipped``: set-up events were left out, so no card can be judged. ``given_up`` lists tricks given up for a revoke,
    as (event of the revoke, index of the trick); ``waived`` the events for which the table wanted none. ``hidden``
    lists unseen cards of finished tricks, as (seat, possible cards). ``ways`` lists the possible trumps at the start of
    the trick if unseen cards leave several; ``filled`` the possible outcomes of the current trick. ``pooled`` is a mask
    of seats for which only the side's tricks are known.
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
            "Make up the whole loss",
        ),
    }
    LED_EARLY: ClassVar[str] = "trump-led"
    """Code of leading a ``guarded`` card while holding other cards."""
    AS_PROVED: ClassVar[tuple[str, ...]] = ("revoke", LED_EARLY)
    REVOKES: ClassVar[tuple[str, ...]] = ("revoke",)
    SET_ASIDE: ClassVar[int] = 0
    """Cards of each hand that are set aside and never played."""
    ASIDE: ClassVar[Phase | None] = None
    """Phase in which all players set a card aside, in games that have it."""
    POOLS: ClassVar[bool] = False
    """Whether partners pool their tricks, so that a result may give one number for both."""
    EXACT_BIDS: ClassVar[bool] = False
    """Whether overtricks count against a bid, so that giving up a trick could help."""
    CITES: ClassVar[dict[str, tuple[str, ...]]]
    """The game's clauses by topic.

    ``highest-trump``, ``highest-follower`` and ``earlier-of-equals``: who wins a trick. ``follow``: what may be played.
    ``lead``: who leads. ``tricks``: what they score. ``deal``: hand sizes. ``turn-to-bid``: order of bids. ``hook``:
    the limit on the last bid. ``name``: a suit named with a card. ``LED_EARLY``: leads that deny other cards.
    ``referee.tricks.hand`` checks that all are there.
    """

    def begin(self) -> None:
        self.leader = self.turn = self.rules.clockwise[self.setup.dealer]
        self.trump = self.setup.carry
        self.settle()
        self.phase = self.opening_phase()

    @classmethod
    def set_up(cls, rules: TrickRules, *, cards: int = 2, known: int | None = None) -> Self:
        """A hand in play for a question, with this many cards for each player.

        The asker sits at the dealer's left; ``known`` is the asker's hand, if given. Trump is the one fixed by the
        house rules, if any.
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
        """Compute the values that the set-up alone determines."""
        rules, known = self.rules, self.setup.known
        self.total = (self.setup.sizes or (0,))[0] - self.SET_ASIDE
        if any(known):
            everything, entered = rules.pack.everything, reduce(or_, (cards or 0 for cards in known))
            self.elsewhere = tuple(entered if cards is None else everything & ~cards for cards in known)
        self.strict = rules.strict or bool(self.elsewhere)

    def opening_phase(self) -> Phase:
        return self.ASIDE or (BIDDING if self.rules.bidding else PLAY)

    def follow_clauses(self) -> tuple[str, ...]:
        """Clauses on following suit in the current trick."""
        return self.CITES["follow"]

    def held(self, seat: int) -> int | None:
        """The remaining cards of an entered hand; ``None`` if unknown."""
        known = self.entered()[seat] if self.entered() else None
        return None if known is None else known & ~self.gone

    def entered(self) -> tuple[int | None, ...]:
        """Entered hands at the start of play, as masks; ``()`` if there are none."""
        return self.setup.known

    def sure(self, seat: int) -> int:
        """Cards a seat is known to hold, except those it may have played unseen."""
        return self.placed(seat) & ~self.gone

    def placed(self, seat: int) -> int:
        """Cards a seat is known to hold at the start of play."""
        return (self.entered()[seat] or 0) if self.entered() else 0

    def cards_left(self) -> tuple[int, ...]:
        left = self.places_left()
        early = self.phase is VOID and not (self.skipped or self.blind)
        if not self.aside() or (self.phase is not self.ASIDE and not early):
            return left
        return tuple(count + (card is None) for count, card in zip(left, self.aside(), strict=True))

    def places_left(self) -> tuple[int, ...]:
        """Cards each seat still has to play, after the last play."""
        if sum(self.won) == self.total:
            return self.rules.nobody
        rest = self.total - len(self.taken)
        return tuple(rest - (self.there >> seat & 1) for seat in range(self.rules.players))

    def tricks_counted(self) -> tuple[int, ...]:
        """Tricks of each seat after transfers; a side's pooled tricks are at one of its seats."""
        return tuple(map(add, self.won, self.moved)) if self.transfers else self.won

    def tricks_won(self) -> tuple[int | None, ...]:
        won = self.tricks_counted()
        return (
            tuple(None if self.pooled >> seat & 1 else count for seat, count in enumerate(won)) if self.pooled else won
        )

    def undertaken(self) -> tuple[Undertaken | None, ...]:
        """Bid and tricks of each seat; joint bids are summed over the side."""
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
        """All seats clockwise from the dealer's left."""
        first = self.setup.dealer + 1
        return tuple((first + step) % self.rules.players for step in range(self.rules.players))

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Skip set-up events that were not recorded; without them, no card can be judged."""
        if self.phase not in (BIDDING, PLAY, FINISHED, VOID):
            self.skipped = True

    def lay_aside(self, event: CardAside) -> tuple[int | None, ...] | Refusal:
        """Return the cards set aside by each seat after this event, or a refusal."""
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
        """Refuse a card that was already played, perhaps unseen, or set aside."""
        shown = self.rules.pack.cards[card]
        if card in self.aside():
            return impossible("already-played", "REC-6", phrase="already-aside", card=shown)
        if all(play[1] != card for plays in self.laid() for play in plays):
            return impossible("already-played", "REC-6", "REC-19", phrase="already-unseen", card=shown)
        return impossible("already-played", "REC-6", card=shown)

    def aside(self) -> tuple[int | None, ...]:
        """Cards set aside before play, by seat; ``()`` in games without that."""
        return ()

    def laid(self) -> tuple[tuple[Played, ...], ...]:
        """Plays of every trick; the last one is the current trick."""
        return (*(trick.plays for trick in self.taken), self.plays)

    def unfit_aside(self, card: int) -> Refusal | None:
        """Hook: refuse a card that may not be set aside."""
        return None

    # -- hooks for games: how cards are read, led and followed ------------------------------------

    def deciding_trump(self) -> str | None:
        """The trump that decides the current trick; ``None`` if there is none."""
        return self.trump

    def trumps(self) -> tuple[int, ...]:
        """Per seat, the cards that are trump when that seat plays them."""
        return self.rules.suited[self.trump]

    def tie_rule(self) -> TieRule:
        """The rule that decides between followers of equal rank."""
        return earlier

    def reading_of(self, seat: int, suit: str) -> int:
        """Cards that this seat reads as the suit."""
        return self.rules.suited[suit][seat]

    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """Determine which cards follow this lead: those of the suit named with it, else all that share a suit with it.

        A game in which some card leads no suit leaves ``lead`` unset; the next card then counts as the lead.
        """
        self.lead = card
        self.follows = self.rules.suited[suit] if suit else self.rules.alike[card]

    def denial(self, seat: int, card: int) -> int:
        """Cards that a follower denies holding by playing this card: all that follow, unless it follows itself."""
        follows = self.follows[seat]
        return 0 if (follows | self.rules.free) >> card & 1 else follows

    def guarded(self, seat: int) -> int:
        """Cards that this seat may lead now only if it holds nothing else."""
        return 0

    def lead_denial(self, seat: int, card: int) -> int:
        """Cards that a leader denies holding by leading this card."""
        guarded = self.guarded(seat)
        return self.rules.pack.everything & ~guarded if guarded >> card & 1 else 0

    def lead_key(self, form: str) -> str:
        """Hook: replace the sentence key of a lead that denies other cards."""
        return form

    def guard_clauses(self) -> tuple[str, ...]:
        """Clauses that restrict leads now."""
        return self.CITES[self.LED_EARLY]

    def lead_clauses(self) -> tuple[str, ...]:
        """Clauses on who leads now; none during a trick."""
        if self.plays:
            return ()
        return self.CITES["lead"][-1:] if self.taken else self.CITES["lead"][:1]

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Hook: refuse a card that the deal cannot have given this seat."""
        return None

    def dealt_out(self, seat: int) -> int:
        """Hook: card classes of which this seat has played its whole share of the deal, as a mask."""
        return 0

    def may_name(self) -> bool:
        """Return whether a suit can be named with a lead at this table."""
        return False

    def names_suit(self, card: int) -> bool:
        """Return whether a suit can be named with this card if it is led now."""
        return False

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        """Hook: collect irregularities of a lead."""

    def seen_breach(self, code: str, seat: int, card: int, held: int) -> Oddity:
        """The revoke or unlawful lead that is evident at once, because these cards are known to be held."""
        cards = self.rules.pack.cards
        shown = next(cards[i] for i in self.rules.pack.members(held))
        facts = {"seat": seat, "card": cards[card], "held": shown}
        key = self.lead_key(code) if code == self.LED_EARLY else ""
        return Oddity(code, seat, Reason(code, self.clauses_of(code), facts, key))

    def clauses_of(self, code: str) -> tuple[str, ...]:
        return self.guard_clauses() if code == self.LED_EARLY else self.follow_clauses()

    def begin_trick(self, leader: int) -> None:
        """Start a trick; a game may save state from before it."""
        self.leader = leader

    def act_on(self, card: int) -> None:
        """Hook: apply the effect of a card in ``TrickRules.acting``."""

    def explain(self, code: str, card: int) -> Reason:
        return Reason(code, self.CITES[code], {"card": self.rules.pack.cards[card]})

    def forbidden_bid(self, seat: int) -> int | None:
        """The bid that the hook forbids if this seat bids last."""
        others = [bid for other, bid in enumerate(self.bids) if other != seat]
        if not self.rules.options.get("hook") or None in others:
            return None
        return self.total - sum(bid for bid in others if bid is not None)

    def points_of(self, trick: Taken) -> dict[str, int]:
        """Points of a finished trick, by seat; none if bids decide the score."""
        return {} if self.rules.bidding else {str(trick.winner): 1}

    # -- playing cards -----------------------------------------------------------------------------

    def look_closer(self, event: Play, card: int, denial: int, oddities: list[Oddity]) -> Refusal | None:
        """Checks that only some plays need; collects irregularities in ``oddities``."""
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
            oddities += out_of_turn(seat, self.to_act()[0], *self.lead_clauses())
        self.odd_lead(event, card, oddities)
        for code, cards in self.infractions(seat, card, denial):
            held = self.surely_held(seat, bit, cards)
            if held:
                oddities.append(self.seen_breach(code, seat, card, held))
        return None

    def infractions(self, seat: int, card: int, denial: int) -> tuple[tuple[str, int], ...]:
        """Infractions if what this card denies is false: pairs of code and denied cards."""
        return ((self.LED_EARLY if not self.plays else "revoke", denial),) if denial else ()

    def surely_held(self, seat: int, bit: int, denied: int) -> int:
        """Known held cards among those denied; 0 if they may have been played unseen."""
        held = self.sure(seat) & denied & ~bit
        return held if held and not self.may_be_unseen(seat, bit, denied) else 0

    def wrong_suit(self, event: Play, card: int) -> Refusal | None:
        """Refuse a suit that cannot be named, or that the card does not have."""
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
        """Return whether every known card that should have followed may already have been played unseen."""
        held = self.sure(seat)
        open_ones = [could for owner, could in self.hidden if owner == seat and could & held]
        unseen = self.unseen_of(seat)
        places = [*open_ones, *[held] * (unseen - len(open_ones))]
        members = self.rules.pack.members(held & denial & ~bit)
        return matched([sum((cards >> card & 1) << at for at, cards in enumerate(places)) for card in members])

    def unseen_of(self, seat: int) -> int:
        """Number of known cards that may have left this hand unseen."""
        return self.sure(seat).bit_count() - self.cards_left()[seat]

    def may_hold(self, seat: int) -> int:
        """Cards that a seat may have played unseen."""
        held = self.held(seat)
        if held is not None:
            return held & ~self.dealt_out(seat)
        elsewhere = self.elsewhere[seat] if self.elsewhere else 0
        return self.rules.pack.everything & ~self.gone & ~elsewhere & ~self.dealt_out(seat)

    def put_down(self, seat: int, card: int, suit: str | None) -> None:
        """Play a lawful card; updates turn, lead and trump."""
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
        """Determine which cards follow, if this card is the lead.

        A suit named after an unseen card shows that the named card is the lead. For an unseen lead, only a suit named
        with it tells what follows.
        """
        if self.lead is not None and not (suit and self.lead == UNSEEN):
            return
        if card == UNSEEN:
            self.lead = UNSEEN
            self.follows = self.rules.suited[suit] if suit else self.rules.nobody
        else:
            self.open_suit(seat, card, suit)

    def narrow_hidden(self, more: tuple[tuple[int, int], ...] = ()) -> bool:
        """Narrow what each unseen card can be; a card with one possibility left counts as played.

        Returns ``False``, and keeps the old possibilities, if none would remain for some card.
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
                    could = could & ~self.dealt_out(seat) or could  # it may be the card that completed the share
                    self.hidden = (*self.hidden[:place], (seat, could), *self.hidden[place + 1 :])
                seen |= could if could.bit_count() == 1 else 0
        if all(could for _, could in self.hidden):
            self.gone |= seen
            return True
        self.hidden = hidden
        return False

    def resolved(self) -> Taken:
        """The finished trick with its winner, when all its cards were seen."""
        play, code = resolve(self.plays, self.follows, self.trumps(), self.rules.ranks, self.tie_rule)
        return Taken(self.leader, self.plays, play[0], self.deciding_trump(), self.explain(code, play[1]))

    def gather(self, trick: Taken) -> None:
        """Finish a trick; its winner leads next."""
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
        """A copy of the hand with these plays in the current trick.

        With ``number``, tricks from that number on are removed.
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
    """Return whether each place can be assigned a different card of its set (bipartite matching)."""
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
