"""Events of American Deuce, and the state of a round."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Annotated, ClassVar, NamedTuple

from referee.engine.event_kinds import (
    CardSeenOrNot,
    Event,
    Flag,
    Line,
    Numbers,
    Seat,
    SeatOrNobody,
    Shown,
    SuitCode,
    event_kind,
)
from referee.engine.events import Penalty
from referee.engine.hand import Hand
from referee.engine.rulings import Irregularity, Reason, Remedy, ScoreLine, Withdrawn, by_seat
from referee.engine.state import FINISHED, PLAY, Phase, derived, kept, per_seat
from referee.games.american_deuce.rules import ClimbingRules, double_loss, round_lines
from referee.games.american_deuce.worlds import Evidence, Exchange, Late, LedRiot
from referee.packs import Card


@event_kind(
    "suit",
    Line("Suits", "{seat} {suit}", shared=True),
    says="A seat names the next highest suit.",
    log="{seat} names {suit}",
    by_player=True,
)
class NameSuit(Event):
    """President-Elect, Vice or Secretary names the next highest suit (AD-5)."""

    seat: Seat
    suit: SuitCode


@event_kind(
    "drop-deuce",
    Line("Drop a deuce", "{king|nobody} {constipated}", ("gives {given}", "gets {returned}")),
    says="The President-Elect asked for a deuce.",
    log="Drop a Deuce: {king} gave {given}, got {returned}",
)
class DropDeuce(Event):
    """The President-Elect asked for a deuce, and cards were exchanged (AD-7, AD-8).

    ``king`` is the seat that holds the King of diamonds. ``given`` went to the President-Elect and ``returned`` came
    from her; ``?`` if unseen.
    """

    king: SeatOrNobody
    constipated: Flag = False
    given: CardSeenOrNot = None
    returned: CardSeenOrNot = None

    def problem(self) -> str | None:
        if self.king is None and (self.given is not None or self.returned is not None or self.constipated):
            return "Without a king nothing is exchanged: no cards, and nobody is constipated."
        return None


@event_kind(
    "seating",
    Line("Seating", "places {places}"),
    says="After a round: how the players sit in the next one, if not by score.",
    log="Seats for the next round, starting with the President-Elect: {numbers}",
    label="Seats for the next round",
    stays=True,
)
class Seating(Event):
    """Seats for the next round (AD-Q23): for each seat its new place clockwise, 1 for the President-Elect."""

    places: Annotated[Numbers, Shown("Place", 1)]


@event_kind(
    "put-right",
    Line("Put right", "{given} for {returned}"),
    says="A wrong exchange, put right after the first trick: a card for the President-Elect and one for the King.",
    log="The exchange was put right: {given} for {returned}",
    aside=True,
)
class PutRight(Event):
    """A wrong exchange is corrected after the first trick (IR-12).

    ``given`` goes to the President-Elect and ``returned`` comes from her; ``?`` if unseen.
    """

    given: CardSeenOrNot
    returned: CardSeenOrNot


# --- The state of a round

WON_ROUND = "The offender won the round: no one pays, and the winner gets nothing."
LOST_ROUND = "The offender lost the round and pays double; the winner gets it."
LOST_QUICK = "The offender lost the round: the cards left in that hand count double for the winner."
"""What "hand-zero" means for an offender who won, who lost, or who lost under ``winner-only`` (IR-4)."""
SUITS = Phase("suits")
NAMED_SUITS = 3
"""President-Elect, Vice and Secretary each name a suit (AD-5)."""


class Laid(NamedTuple):
    """A seat's action in its turn: the cards played, none for a pass."""

    seat: int
    cards: tuple[int, ...]
    event: int


class Cycle(NamedTuple):
    """A finished trick: a cycle of plays, won by the last one."""

    leader: int
    plays: tuple[Laid, ...]
    winner: int
    reason: Reason


class RoundState(Hand):
    """The recorded state of one round.

    ``suits`` are the suits named so far, highest first. Per seat, ``played`` is a mask of the cards played and ``left``
    the number still held. In the current trick, ``plays`` lists plays and passes, ``last`` is the play to beat,
    ``passed`` the seats that are out, and ``five`` is set after a five of a kind. ``lock`` is the number of cards fixed
    for the round (0: none); ``unlocked``: it was lifted, because no one could lead that many. ``late`` is an exchange
    corrected after the first trick. ``winner`` is the seat that went out; ``recorded``: only a result says so.
    ``withdrawn`` are findings disproved by later cards. ``seated`` is the recorded seating of the next round, clockwise
    from its President-Elect.
    """

    rules: ClimbingRules
    claims: tuple[str, ...] = kept(())
    clockwise: tuple[int, ...] = derived(())
    exchange: Exchange | None = kept(None)
    five: bool = kept(False)
    last: Laid | None = kept(None)
    late: Late | None = kept(None)
    leader: int = kept(0)
    left: tuple[int, ...] = kept(())
    lock: int = kept(0)
    passed: tuple[int, ...] = kept(())
    played: tuple[int, ...] = per_seat(0)
    plays: tuple[Laid, ...] = kept(())
    recorded: bool = kept(False)
    riots: tuple[LedRiot, ...] = kept(())
    seated: tuple[int, ...] = kept(())
    strict: bool = derived(False)
    suits: tuple[str, ...] = kept(())
    taken: tuple[Cycle, ...] = kept(())
    turn: int = kept(0)
    unlocked: bool = kept(False)
    winner: int | None = kept(None)
    withdrawn: tuple[Withdrawn, ...] = kept(())

    CLIMBS: ClassVar[bool] = True
    PROVED_REMEDIES: ClassVar[tuple[str, ...]] = (
        "correct", "stand", "redo-exchange", "claim-deuce", "swap-back", "hand-zero", "penalty", "redeal",
    )  # fmt: skip
    AS_PROVED: ClassVar[tuple[str, ...]] = ("denied-deuce", "not-lowest", "king-elsewhere")
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        **Hand.REMEDIES,
        "hand-zero": Remedy(
            "An offender who lost the round pays double; one who won it gets nothing, and no one pays.",
            ("IR-4",),
            "Pay double, or get nothing",
        ),
        "redo-exchange": Remedy(
            "Do the exchange again, as long as the first trick is not over.", ("IR-12",), "Exchange again"
        ),
        "claim-deuce": Remedy(
            "The President-Elect may take a 2 that is still in the King’s hand, in exchange for their own lowest card.",
            ("IR-12",),
            "Hand over a 2",
        ),
        "swap-back": Remedy(
            "Swap back the card that wasn’t the lowest, as long as it has not been played.", ("IR-12",), "Swap it back"
        ),
    }

    def begin(self) -> None:
        self.leader = self.turn = self.setup.seating[0]
        self.left = self.setup.sizes or ()
        self.settle()
        self.phase = SUITS

    def settle(self) -> None:
        seating = self.setup.seating
        left_of = dict(zip(seating, seating[1:] + seating[:1], strict=True))
        self.clockwise = tuple(left_of[seat] for seat in range(self.rules.players))
        self.strict = any(hand is not None for hand in self.setup.known)

    def tricks_won(self) -> tuple[int | None, ...]:
        if self.recorded:
            return (None,) * self.rules.players
        return tuple(sum(trick.winner == seat for trick in self.taken) for seat in range(self.rules.players))

    def tells_all_tricks(self) -> bool:
        return not self.recorded

    # -- remedies -------------------------------------------------------------------------

    def applies(self, remedy: str, found: Irregularity) -> bool:
        """Return whether a remedy is still available; an exchange can be redone only in the first trick (IR-12)."""
        late, running = bool(self.taken), self.phase is PLAY
        match remedy:
            case "redo-exchange":
                return running and not late and found.code in self.AS_PROVED
            case "claim-deuce":
                there = self.rules.twos & ~self.gone()
                return running and late and not self.late and bool(there) and found.code == "denied-deuce"
            case "swap-back":
                returned = None if self.exchange is None else self.exchange.returned
                played = returned is not None and any(cards >> returned & 1 for cards in self.played)
                return running and late and not self.late and found.code == "not-lowest" and not played
        return super().applies(remedy, found)

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        """Return the events of a remedy; unseen cards are exchanged unseen (IR-12)."""
        if remedy == "redo-exchange":
            return ()
        return self.put_right(remedy) or super().carry_out(remedy, found, why)

    def put_right(self, remedy: str) -> tuple[Event, ...]:
        """The event of a late correction, if this remedy is one."""
        if remedy == "claim-deuce":
            return (PutRight("?", "?"),)
        back = None if self.exchange is None else self.exchange.returned
        shown = "?" if back is None else self.rules.pack.cards[back].code
        return (PutRight(shown, "?"),) if remedy == "swap-back" else ()

    def strikes(self, remedy: str, found: Irregularity) -> tuple[int, ...]:
        """Events to strike before an exchange is redone: the exchange and the trick begun after it."""
        if remedy != "redo-exchange" or self.exchange is None:
            return ()
        return (self.exchange.event, *(laid.event for laid in self.plays))

    def remedy(self, code: str, found: Irregularity | None) -> Remedy:
        """The remedy; once the round is over, its text says what it means for the winner or a loser."""
        said = super().remedy(code, found)
        offender = None if found is None else found.offender
        if code != "hand-zero" or self.phase is not FINISHED or None in (offender, self.winner):
            return said
        if offender == self.winner:
            return replace(said, text=WON_ROUND)
        return replace(said, text=LOST_QUICK if self.rules.options["scoring"] == "winner-only" else LOST_ROUND)

    def laid_cards(self, event: int) -> bool:
        return self.play_of(event) is not None

    def disproved(self) -> tuple[Withdrawn, ...]:
        return self.withdrawn

    def tricks_shown(self) -> Iterator[tuple[int, tuple[Laid, ...]]]:
        """Yield the number and plays of every trick, the current one last."""
        yield from enumerate((*(trick.plays for trick in self.taken), self.plays), 1)

    def play_of(self, event: int) -> tuple[int, Laid] | None:
        """Trick number and play of an event; ``None`` if it played no cards."""
        laid = ((number, play) for number, plays in self.tricks_shown() for play in plays if play.cards)
        return next((each for each in laid if each[1].event == event), None)

    # -- current state --------------------------------------------------------------------

    @property
    def president(self) -> int:
        """The President-Elect's seat, the first of the seating (AD-2, AD-14)."""
        return self.setup.seating[0]

    def evidence(
        self, *, played: tuple[int, ...] | None = None, exchange: Exchange | None = None, late: Late | None = None
    ) -> Evidence:
        """Evidence about the hands so far, with any of the arguments in place of the recorded values."""
        exchange, late = exchange or self.exchange, late or self.late
        played = self.played if played is None else played
        if exchange is not None and late is not None and late.back:  # as if the lowest card had been returned at once
            back = exchange.returned if late.given is None else late.given
            hers = played[self.president] | (0 if back is None else 1 << back)
            played = (*played[: self.president], hers, *played[self.president + 1 :])
            exchange, late = exchange._replace(returned=late.returned), None
        sizes, known = self.setup.sizes or (), self.setup.known or (None,) * self.rules.players
        return Evidence(self.rules.pack.everything, self.president, sizes, known, played, exchange, late)

    def gone(self) -> int:
        """Cards played so far, as a mask."""
        return reduce(or_, self.played)

    def cards(self, indices: tuple[int, ...]) -> tuple[Card, ...]:
        return tuple(self.rules.pack.cards[index] for index in indices)

    def trick_number(self) -> int | None:
        return len(self.taken) + 1 if self.phase is PLAY else None

    def may_pass_lead(self, seat: int) -> bool:
        """Return whether a seat may pass the lead for lack of a combination of the fixed number of cards."""
        return bool(self.lock) and self.left[seat] >= self.lock

    def to_act(self) -> tuple[int, ...]:
        if self.phase is SUITS:
            return (self.setup.seating[len(self.suits)],)
        return (self.turn,) if self.phase is PLAY else ()

    def ahead(self) -> int | None:
        """The last player, who wins the trick if all others pass (AD-12)."""
        return self.last.seat if self.last else None

    def to_beat(self) -> int | None:
        return self.ahead()

    def cards_left(self) -> tuple[int, ...]:
        return self.left

    def points(self) -> tuple[int, ...] | None:
        if self.phase is not FINISHED:
            return None
        return by_seat(self.point_lines(), self.rules.players)

    def point_lines(self) -> list[ScoreLine]:
        return round_lines(self.left, self.setup.sizes or (), self.rules.options)

    def score_nothing(self, offender: int, why: str) -> tuple[Event, ...]:
        """Return penalties: an offender pays double, or wins nothing for going out; none if already paid (IR-4)."""
        due = double_loss(offender, self.left, self.setup.sizes or (), self.rules.options)
        moved = [(seat, points) for seat, points in enumerate(due) if points]
        paid = [(seat, points) for seat, points, _ in self.penalties]
        return () if all(each in paid for each in moved) else tuple(Penalty(*each, why) for each in moved)

    def unchecked(self) -> list[Reason]:
        reasons = []
        unknown = self.rules.players - sum(hand is not None for hand in self.setup.known)
        if unknown:
            reasons.append(Reason("hands-unknown", ("REC-17", "REC-19"), {"count": unknown}, "hands-unknown-exchange"))
        if self.exchange and self.exchange.king is not None and None in self.exchange:
            reasons.append(Reason("exchange-unseen", ("REC-19",)))
        return [*reasons, Reason("result-only", ("REC-19",), {}, "result-only-round")] if self.recorded else reasons
