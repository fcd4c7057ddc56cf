"""What a round of American Deuce holds at every moment, and what can be read off it."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from referee.engine.event_kinds import Event
from referee.engine.events import Penalty
from referee.engine.hand import Hand
from referee.engine.phases import FINISHED, PLAY, Phase
from referee.engine.rulings import Irregularity, Reason, Remedy, ScoreLine, by_seat
from referee.engine.state import derived, kept, per_seat
from referee.games.american_deuce.riots import LedRiot
from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.scoring import double_loss, round_lines
from referee.games.american_deuce.worlds import Evidence, Exchange
from referee.packs import Card

SUITS = Phase("suits")
NAMED_SUITS = 3
"""President-Elect, Vice and Secretary name a suit each (AD-5)."""


class Laid(NamedTuple):
    """What a seat did in its turn: cards played, none for a pass."""

    seat: int
    cards: tuple[int, ...]
    event: int


class Cycle(NamedTuple):
    """A finished trick: one cycle of plays, won by the last."""

    leader: int
    plays: tuple[Laid, ...]
    winner: int
    reason: Reason


class RoundState(Hand):
    """The state of one round, as far as it is recorded.

    ``suits`` are those named so far, highest first; ``played`` the cards each seat has played,
    as bit masks, ``left`` how many it still holds. Of the trick in progress, ``plays`` lists
    what happened, ``last`` is the play to be beaten, ``passed`` the seats that are out of it,
    and ``five`` says that a five of a kind was played. ``lock`` is the number of cards fixed
    for the round, 0 for none. ``winner`` is the seat that went out, ``recorded`` says that only a result told it.
    """

    rules: ClimbingRules
    claims: tuple[str, ...] = kept(())
    clockwise: tuple[int, ...] = derived(())
    exchange: Exchange | None = kept(None)
    five: bool = kept(False)
    last: Laid | None = kept(None)
    leader: int = kept(0)
    left: tuple[int, ...] = kept(())
    lock: int = kept(0)
    passed: tuple[int, ...] = kept(())
    played: tuple[int, ...] = per_seat(0)
    plays: tuple[Laid, ...] = kept(())
    recorded: bool = kept(False)
    riots: tuple[LedRiot, ...] = kept(())
    strict: bool = derived(False)
    suits: tuple[str, ...] = kept(())
    taken: tuple[Cycle, ...] = kept(())
    turn: int = kept(0)
    winner: int | None = kept(None)

    CLIMBS: ClassVar[bool] = True
    PROVED_REMEDIES: ClassVar[tuple[str, ...]] = (
        "correct", "stand", "redo-exchange", "claim-deuce", "swap-back", "hand-zero", "penalty", "redeal",
    )  # fmt: skip
    AS_PROVED: ClassVar[tuple[str, ...]] = ("denied-deuce", "not-lowest", "king-elsewhere")
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        **Hand.REMEDIES,
        "hand-zero": Remedy("The offender pays double for this round.", ("IR-4",), "Pay double"),
        "redo-exchange": Remedy(
            "Do the exchange again, while the first trick is not over.", ("IR-12",), "Exchange again"
        ),
        "claim-deuce": Remedy(
            "The President-Elect may take a 2 that the King’s hand still holds, for their own lowest card.",
            ("IR-12",),
            "Hand over a 2",
        ),
        "swap-back": Remedy(
            "Swap the card back that was not the lowest, as long as it has not been played.", ("IR-12",), "Swap it back"
        ),
    }

    def begin(self) -> None:
        """Let the President-Elect name the first suit, and lead."""
        self.leader = self.turn = self.setup.seating[0]
        self.left = self.setup.sizes or ()
        self.settle()
        self.phase = SUITS

    def settle(self) -> None:
        """Work out what follows from the set-up alone and never changes in a hand."""
        seating = self.setup.seating
        left_of = dict(zip(seating, seating[1:] + seating[:1], strict=True))
        self.clockwise = tuple(left_of[seat] for seat in range(self.rules.players))
        self.strict = any(hand is not None for hand in self.setup.known)

    def tricks_won(self) -> tuple[int | None, ...]:
        """Return the tricks of each seat; a result tells the cards that are left, not who won the tricks."""
        if self.recorded:
            return (None,) * self.rules.players
        return tuple(sum(trick.winner == seat for trick in self.taken) for seat in range(self.rules.players))

    def tells_all_tricks(self) -> bool:
        """Return whether the round was played out on record, and not told by its result."""
        return not self.recorded

    # -- remedies -------------------------------------------------------------------------

    def applies(self, remedy: str, found: Irregularity) -> bool:
        """Return whether a remedy can still be had; an exchange is done again only in the first trick (IR-12)."""
        late, running = bool(self.taken), self.phase is PLAY
        match remedy:
            case "redo-exchange":
                return running and not late and found.code in self.AS_PROVED
            case "claim-deuce":
                return running and late and found.code == "denied-deuce"
            case "swap-back":
                returned = None if self.exchange is None else self.exchange.returned
                played = returned is not None and any(cards >> returned & 1 for cards in self.played)
                return running and late and found.code == "not-lowest" and not played
        return super().applies(remedy, found)

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        """Return the events that carry out a remedy; an exchange put right is an entry corrected (IR-12)."""
        match remedy:
            case "redo-exchange":
                return Reason("remedy-redo-exchange", ("IR-12",))
            case "claim-deuce" | "swap-back":
                return Reason("remedy-late-exchange", ("IR-12",))
        return super().carry_out(remedy, found, why)

    def laid_cards(self, event: int) -> bool:
        """Return whether an event of this round put cards on the table."""
        tricks = (*(trick.plays for trick in self.taken), self.plays)
        return any(laid.event == event and laid.cards for plays in tricks for laid in plays)

    # -- what stands ----------------------------------------------------------------------

    @property
    def president(self) -> int:
        """Return the seat of the President-Elect, the first of the seating (AD-2, AD-14)."""
        return self.setup.seating[0]

    def evidence(self, *, played: tuple[int, ...] | None = None, exchange: Exchange | None = None) -> Evidence:
        """Return what has been shown of the hands; with one more play, or with an exchange."""
        return Evidence(
            self.rules.pack.everything,
            self.president,
            self.setup.sizes or (),
            self.setup.known or (None,) * self.rules.players,
            self.played if played is None else played,
            exchange or self.exchange,
        )

    def cards(self, indices: tuple[int, ...]) -> tuple[Card, ...]:
        """Return the cards of these indices, in this order."""
        return tuple(self.rules.pack.cards[index] for index in indices)

    def trick_number(self) -> int | None:
        """Return the number of the trick in progress; ``None`` before play."""
        return len(self.taken) + 1 if self.phase is PLAY else None

    def to_act(self) -> tuple[int, ...]:
        """Return the seat that may act now."""
        if self.phase is SUITS:
            return (self.setup.seating[len(self.suits)],)
        return (self.turn,) if self.phase is PLAY else ()

    def ahead(self) -> int | None:
        """Return who played last: the trick is theirs if all others pass (AD-12)."""
        return self.last.seat if self.last else None

    def to_beat(self) -> int | None:
        """Return whose play the next one has to beat (AD-10)."""
        return self.ahead()

    def cards_left(self) -> tuple[int, ...]:
        """Return the number of cards each seat still holds (AD-Q25)."""
        return self.left

    def points(self) -> tuple[int, ...] | None:
        """Return what each seat made, once the round is over."""
        if self.phase is not FINISHED:
            return None
        return by_seat(self.point_lines(), self.rules.players)

    def point_lines(self) -> list[ScoreLine]:
        """Return the lines that add up to ``points`` (AD-25, AD-26)."""
        return round_lines(self.left, self.setup.sizes or (), self.rules.options)

    def score_nothing(self, offender: int, why: str) -> tuple[Event, ...]:
        """Return the penalties that make an offender pay double, or be paid nothing for going out (IR-4)."""
        due = double_loss(offender, self.left, self.setup.sizes or (), self.rules.options)
        return tuple(Penalty(seat, points, why) for seat, points in enumerate(due) if points)

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked from what was recorded (REC-19)."""
        reasons = []
        unknown = self.rules.players - sum(hand is not None for hand in self.setup.known)
        if unknown:
            facts = {"count": unknown}
            clauses = ("REC-17", "REC-19")
            reasons.append(Reason("hands-unknown", clauses, facts, "hands-unknown-exchange"))
        exchange = self.exchange
        if exchange and exchange.king is not None and None in exchange:
            reasons.append(Reason("exchange-unseen", ("REC-19",)))
        if self.recorded:
            reasons.append(Reason("result-only", ("REC-19",), {}, "result-only-round"))
        return reasons
