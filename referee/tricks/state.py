"""The state of a trick-taking hand: what every part of it reads, and how it is copied."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from operator import add
from typing import ClassVar, NamedTuple, Self

from referee.engine.claims import Claim
from referee.engine.events import CardAside, Play
from referee.engine.hand import Hand
from referee.engine.rules import Setup
from referee.engine.rulings import Oddity, Reason, Refusal, Remedy, Undertaken, impossible
from referee.engine.state import BIDDING, PLAY, Phase, added, derived, kept, per_seat, summed
from referee.tricks.rules import Played, TieRule, TrickRules

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
    """What is trump between two tricks, in one way in which cards can have fallen unseen.

    ``settled`` says that a card of this hand made it trump, ``unseen`` that nobody saw that card.
    """

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

    Card sets are bit masks. ``gone`` are the cards that left the hands, ``follows`` what each
    seat may follow with in this trick, ``denied`` what each seat's standing claims deny.
    ``there`` are the seats that have played to the trick in progress (a bit mask). ``blind``
    counts tricks recorded without cards, ``unseen`` cards of the other tricks that nobody saw;
    ``spare`` is how many plays the standing claims can outlive for certain (``referee.engine.claims``);
    ``skipped`` says that set-up events were left out and no card can be judged. ``given_up`` lists
    the tricks that went to the other side for a revoke: the event of the revoke and the place of the
    trick; ``waived`` the events for which the table wanted no trick. ``hidden`` are the cards of finished tricks that
    nobody saw: who played each, and what it can have been. ``ways`` are all that trump can have been when the
    trick began, where unseen cards leave more than one; ``filled`` what can come of the trick on the table.
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
            "Give up tricks: the revoke trick and the next trick won, if the offender’s own card won it; else one"
            " trick, the revoke trick if the side won it, or the next one that it won.",
            ("IR-4",),
            "Give up tricks",
        ),
        "equity": Remedy(
            "The others get what they would have had, as the cards lay, if the suit had been followed; the offender"
            " keeps the lower score.",
            ("IR-6",),
            "Make good all of it",
        ),
    }
    AS_PROVED: ClassVar[tuple[str, ...]] = ("revoke", "trump-led")
    REVOKES: ClassVar[tuple[str, ...]] = ("revoke",)
    SET_ASIDE: ClassVar[int] = 0
    """Cards of each hand that are set aside and never played to a trick."""
    EXACT_BIDS: ClassVar[bool] = False
    """Whether a trick more than bid is as bad as one less, so that giving one up could help."""
    CITES: ClassVar[dict[str, tuple[str, ...]]]
    """The clauses of the game by what they are about.

    ``highest-trump``, ``highest-follower`` and ``earlier-of-equals`` say who wins a trick, ``follow`` what may be
    played, ``lead`` who leads, ``tricks`` what they score, ``deal`` how many cards are dealt; ``turn-to-bid`` says who
    bids when, ``hook`` binds the last bid where there is a house rule for it, ``name`` is about a suit named with a
    card, ``trump-led`` about a lead that denies other cards. ``referee.tricks.hand`` holds a game to them.
    """

    def begin(self) -> None:
        """Let the dealer's left lead, in the phase in which the game begins."""
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
        """Return the clauses by which a hand like this one is dealt."""
        return self.CITES["deal"]

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
        return BIDDING if self.rules.bidding else PLAY

    def follow_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which cards have to follow in the trick in progress."""
        return self.CITES["follow"]

    def held(self, seat: int) -> int | None:
        """Return what is left of an entered hand, or ``None`` where the hand is unknown."""
        known = self.setup.known[seat] if self.setup.known else None
        return None if known is None else known & ~self.gone

    def places_left(self) -> tuple[int, ...]:
        """Return how many cards each seat holds after the play just made."""
        if sum(self.won) == self.total:
            return self.rules.nobody
        rest = self.total - len(self.taken)
        return tuple(rest - (self.there >> seat & 1) for seat in range(self.rules.players))

    def cards_left(self) -> tuple[int, ...]:
        """Return the number of cards each seat still holds."""
        return self.places_left()

    def tricks_won(self) -> tuple[int, ...]:
        """Return the tricks of each seat, transfers included."""
        return tuple(map(add, self.won, self.moved)) if self.transfers else self.won

    def undertaken(self) -> tuple[Undertaken | None, ...]:
        """Return what each seat bid and won; a side that bids together has one bid, the sum of its seats'."""
        if not self.rules.bidding:
            return super().undertaken()
        won, together = self.tricks_won(), map(self.scored_with, range(self.rules.players))
        return tuple(self._undertaken(side, won) for side in together)

    def _undertaken(self, side: tuple[int, ...], won: tuple[int, ...]) -> Undertaken | None:
        bids = [bid for seat in side if (bid := self.bids[seat]) is not None]
        return Undertaken(sum(bids), sum(won[seat] for seat in side)) if len(bids) == len(side) else None

    def move(self, giver: int, taker: int, count: int) -> None:
        """Move tricks from one seat to another."""
        self.transfers += ((giver, taker, count),)
        self.moved = shifted(self.moved, giver, taker, count)

    def settlements(self) -> int:
        """Return how many penalties and transfers this hand holds."""
        return len(self.penalties) + len(self.transfers)

    def resume(self) -> None:
        """Work out what follows from the values of a snapshot."""
        super().resume()
        for giver, taker, count in self.transfers:
            self.moved = shifted(self.moved, giver, taker, count)

    def trick_number(self) -> int | None:
        """Return the number of the trick in progress; ``None`` before play."""
        return len(self.taken) + 1 if self.phase is PLAY else None

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may act now."""
        if self.phase is BIDDING:
            bidder = self.next_bidder()
            return () if bidder is None else (bidder,)
        return (self.turn,) if self.phase is PLAY and self.turn >= 0 else ()

    def next_bidder(self) -> int | None:
        """Return the first seat from the dealer's left without a bid."""
        return next((seat for seat in self.from_left() if self.bids[seat] is None), None)

    def bidders(self) -> tuple[int, ...]:
        """Return the seats in the order in which they bid, while they do."""
        return self.from_left() if self.phase is BIDDING else ()

    def from_left(self) -> tuple[int, ...]:
        """Return all seats clockwise, from the dealer's left."""
        first = self.setup.dealer + 1
        return tuple((first + step) % self.rules.players for step in range(self.rules.players))

    def not_in_deck(self, code: str) -> Refusal:
        """Refuse a card that this pack does not hold, naming those it does."""
        why = self.rules.pack.explain(code)
        return impossible("not-in-deck", "REC-5", why=why)

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Go past set-up events that nobody recorded, in games that have them."""

    def card_aside(self, event: CardAside, phase: Phase, chosen: tuple[int | None, ...]) -> int | Refusal:
        """Return the card that a seat sets aside before play, or refuse it; nothing is changed."""
        if self.phase is not phase:
            return self.not_now(event)
        seat = event.seat
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
        unfit = self.unfit_aside(card)
        if unfit:
            return unfit
        if self.gone >> card & 1:
            return self.gone_already(card)
        if self.elsewhere and self.elsewhere[seat] >> card & 1:
            return self.not_in_hand(seat, card)
        return card

    def gone_already(self, card: int) -> Refusal:
        """Refuse a card that has left a hand before: to a trick, perhaps unseen, or to be set aside."""
        shown = self.rules.pack.cards[card]
        if card in self.aside():
            return impossible("already-played", "REC-6", phrase="already-aside", card=shown)
        tricks = (*(trick.plays for trick in self.taken), self.plays)
        if all(play[1] != card for plays in tricks for play in plays):
            return impossible("already-played", "REC-6", "REC-19", phrase="already-unseen", card=shown)
        return impossible("already-played", "REC-6", card=shown)

    def aside(self) -> tuple[int | None, ...]:
        """Return the cards that were set aside before play, by seat, in games that have them."""
        return ()

    def unfit_aside(self, card: int) -> Refusal | None:
        """Refuse a card that this game does not let anybody set aside."""
        return None

    # -- what the parts of a hand ask of one another ----------------------------------------

    @abstractmethod
    def gather(self, trick: Taken) -> None:
        """Clear the table after a trick; its winner leads."""

    @abstractmethod
    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """Settle what follows this lead."""

    @abstractmethod
    def trumps(self) -> tuple[int, ...]:
        """Return, per seat, the cards that are trump when this seat plays them."""

    @abstractmethod
    def tie_rule(self) -> TieRule:
        """Return how equal cards that follow are told apart."""

    @abstractmethod
    def look_closer(self, event: Play, card: int, denial: int, oddities: list[Oddity]) -> Refusal | None:
        """Check what only some tables and some plays need; collect what is irregular."""

    @abstractmethod
    def put_down(self, seat: int, card: int, suit: str | None) -> None:
        """Put a card on the table: turn, lead and trump follow from it."""

    @abstractmethod
    def complete(self) -> None:
        """Give a full trick to its winner."""

    @abstractmethod
    def resolved(self) -> Taken:
        """Return the full trick on the table with its winner, all its cards seen."""

    def leads_nothing(self) -> bool:
        """Return whether no card of the trick on the table is the lead yet."""
        return self.lead is None

    @abstractmethod
    def standings(self) -> tuple[Standing, ...]:
        """Return what can be trump before the trick on the table, or the next one."""

    @abstractmethod
    def courses(self, before: Standing, plays: Sequence[Played], able: Able) -> Iterator[Course]:
        """Yield how trump can go in a trick."""

    @abstractmethod
    def suits_named(self, plays: Sequence[Played], card: int) -> tuple[str | None, ...]:
        """Return the suits that may have been named with a card, the last of these plays, where none is recorded."""

    @abstractmethod
    def kept_aside(self) -> tuple[int, ...]:
        """Return, for each card that lies aside and was not seen, what it can be."""

    @abstractmethod
    def possible_winners(self) -> frozenset[int]:
        """Return whom the record may name as winner of the trick that runs, or the next one."""

    @abstractmethod
    def waits_for_winner(self) -> bool:
        """Return whether a full trick lies there whose winner has to be told."""

    @abstractmethod
    def settle_lead(self, seat: int, card: int, suit: str | None) -> None:
        """Settle what follows once this card is played, if it is the lead."""

    @abstractmethod
    def miss_trump(self) -> None:
        """Go past the rest of a hand that nobody saw, and of which nobody said what trump is after it."""

    @abstractmethod
    def names_suit(self, card: int) -> bool:
        """Return whether a suit can be named with this card, as a lead."""

    @abstractmethod
    def closed(self) -> bool:
        """Return whether no trick or result can come now."""

    @abstractmethod
    def trump_fits(self, trump: str | None) -> bool:
        """Return whether a trick can have left this trump, by what is known."""

    @abstractmethod
    def forbidden_bid(self, seat: int) -> int | None:
        """Return the bid that the hook forbids this seat."""

    @abstractmethod
    def points_of(self, trick: Taken) -> dict[str, int]:
        """Return what a finished trick is itself worth, by seat."""

    def deciding_trump(self) -> str | None:
        """Return the trump that decides the trick in progress, ``None`` where there is none."""
        return self.trump

    @abstractmethod
    def reading_of(self, seat: int, suit: str) -> int:
        """Return the cards that are of a suit to this seat."""

    @abstractmethod
    def denial(self, seat: int, card: int) -> int:
        """Return the cards that a follower denies holding with this card."""

    @abstractmethod
    def may_hold(self, seat: int) -> int:
        """Return the cards that a seat can have played unseen."""

    @abstractmethod
    def narrow_hidden(self, more: tuple[tuple[int, int], ...] = ()) -> bool:
        """Work out what the cards that nobody saw can still be, with more of them."""

    @abstractmethod
    def takes_hidden(self, event: Play, card: int) -> bool:
        """Return whether this card is needed for one that nobody saw."""

    @abstractmethod
    def wrong_suit(self, event: Play, card: int) -> Refusal | None:
        """Refuse a suit named where none can be, or one that the card does not show."""

    @abstractmethod
    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Refuse one more card of this kind than the deal can have given this seat."""

    @abstractmethod
    def lead_denial(self, seat: int, card: int) -> int:
        """Return the cards that a leader denies holding with this card."""


def shifted(sums: tuple[int, ...], giver: int, taker: int, count: int) -> tuple[int, ...]:
    """Return the sums with so many moved from one seat to another."""
    return added(added(sums, giver, -count), taker, count)
