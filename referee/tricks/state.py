"""State of a trick-taking hand, shared by its mixins: what is known of it, and how its cards are read."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain
from operator import add, or_
from typing import ClassVar, NamedTuple, Self

from referee.engine.claims import Claim
from referee.engine.hand import Hand
from referee.engine.rules import Setup
from referee.engine.rulings import Reason, Remedy, Undertaken
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID, Phase, added, derived, kept, per_seat, summed
from referee.tricks.rules import UNSEEN, Played, TieRule, TrickRules, earlier

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
        return tuple(None if self.pooled >> seat & 1 else won for seat, won in enumerate(self.tricks_counted()))

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
        self._add_moved(giver, taker, count)

    def resume(self) -> None:
        super().resume()
        for transfer in self.transfers:
            self._add_moved(*transfer)

    def _add_moved(self, giver: int, taker: int, count: int) -> None:
        self.moved = added(added(self.moved, giver, -count), taker, count)

    def settlements(self) -> int:
        return len(self.penalties) + len(self.transfers)

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
        return next((seat for seat in self.in_bidding_order() if self.bids[seat] is None), None)

    def bidders(self) -> tuple[int, ...]:
        return self.in_bidding_order() if self.phase is BIDDING else ()

    def first_bidder(self) -> int:
        return self.rules.clockwise[self.setup.dealer]

    def in_bidding_order(self) -> tuple[int, ...]:
        return self.round_from(self.first_bidder())

    def round_from(self, first: int) -> tuple[int, ...]:
        return tuple((first + step) % self.rules.players for step in range(self.rules.players))

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Skip set-up events that were not recorded; without them, no card can be judged."""
        if self.phase not in (BIDDING, PLAY, FINISHED, VOID):
            self.skipped = True

    def aside(self) -> tuple[int | None, ...]:
        """Cards set aside before play, by seat; ``()`` in games without that."""
        return ()

    def laid(self) -> tuple[tuple[Played, ...], ...]:
        """Plays of every trick; the last one is the current trick."""
        return (*(trick.plays for trick in self.taken), self.plays)

    def all_plays(self) -> Iterator[Played]:
        return chain.from_iterable(self.laid())

    def seen_in(self, plays: Iterable[Played]) -> int:
        """Cards of these plays that were seen, as a mask."""
        return self.rules.pack.mask(play[1] for play in plays if play[1] != UNSEEN)

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

    def denied_by(self, seat: int, card: int) -> int:
        """Cards that a player denies holding by playing this card now."""
        return self.denial(seat, card) if self.plays else self.lead_denial(seat, card)

    def guard_clauses(self) -> tuple[str, ...]:
        """Clauses that restrict leads now."""
        return self.CITES[self.LED_EARLY]

    def lead_clauses(self) -> tuple[str, ...]:
        """Clauses on who leads now; none during a trick."""
        if self.plays:
            return ()
        return self.CITES["lead"][-1:] if self.taken else self.CITES["lead"][:1]

    def may_name(self) -> bool:
        """Return whether a suit can be named with a lead at this table."""
        return False

    def names_suit(self, card: int) -> bool:
        """Return whether a suit can be named with this card if it is led now."""
        return False

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
