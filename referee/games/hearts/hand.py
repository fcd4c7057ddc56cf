"""A hand of Hearts: passing, tricks in which hearts and the queen of spades cost points, and the moon."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated, ClassVar

from referee.engine import event_kinds as kinds
from referee.engine.cards import Card
from referee.engine.event_kinds import Event, Line, event_kind
from referee.engine.events import Ask, Field, Turn
from referee.engine.rulings import Reason, Refusal, Remedy, ScoreLine, impossible, out_of_turn
from referee.engine.sheet import SeatNumber, TrickEntry
from referee.engine.state import FINISHED, Phase, kept, takes
from referee.tricks.low_club import LowClubHand
from referee.tricks.passing import PassingHand, PassingParts
from referee.tricks.points import PointRules
from referee.tricks.rules import UNSEEN, Played

QUEEN, QUEEN_COSTS, JACK, JACK_BRINGS = "QS", 13, "JD", -10
MOON, FIRST = Phase("moon"), "points-first-trick"
STEPS = {3: (1, 2, 0), 4: (1, 3, 2, 0), 5: (1, 4, 0)}
"""Passing distances in seats clockwise, hand by hand, by number of players (HE-3)."""


@event_kind(
    "moon",
    Line("Moon", "{seat} {subtract}"),
    says="The player who shot the moon says how it is scored.",
    log="{seat} shot the moon",
    by_player=True,
)
class Moon(Event):
    """The shooter takes 26 off (``subtract``), or gives everyone else 26 (HE-10)."""

    seat: kinds.Seat
    subtract: kinds.Flag = False


class HeartsRules(PointRules):
    @cached_property
    def burden(self) -> int:
        """Hearts and the queen of spades, as a mask."""
        return self.suited["H"][0] | 1 << self.codes[QUEEN]

    def worth_of(self, card: Card) -> int:
        if card.code == JACK and self.options["jack"] == "ten":
            return JACK_BRINGS
        return QUEEN_COSTS if card.code == QUEEN else int(card.suits == ("H",))

    def trump_suits(self) -> tuple[str, ...]:
        return ()

    def is_strict(self) -> bool:
        return True


class HeartsParts(PassingParts):
    """Description of a hand, with the player who shot the moon."""

    moon: Annotated[SeatNumber | None, "Who took every heart and the queen of spades."]


class HeartsHand(LowClubHand, PassingHand):
    """A hand of Hearts; ``subtracts`` is the shooter's choice, if there is one (HE-10)."""

    rules: HeartsRules
    subtracts: bool | None = kept(None)

    LED_EARLY = "hearts-led"
    LEAD_OPTION = "hearts_lead"
    AS_PROVED = ("revoke", LED_EARLY, FIRST)
    REMEDIES: ClassVar = {
        **PassingHand.REMEDIES,
        "hand-zero": Remedy(
            "The offender scores all 26 points of the hand; everyone else scores 0, or keeps a score below 0.",
            ("HE-R1",),
            "Take every point of the hand",
        ),
    }
    CITES: ClassVar = {
        "highest-trump": ("HE-5",), "highest-follower": ("HE-5",), "earlier-of-equals": ("HE-5",), "follow": ("HE-5",),
        "lead": ("HE-4", "HE-5"), "tricks": ("HE-9",), "deal": ("HE-2",), "pass": ("HE-3",), LED_EARLY: ("HE-6",),
    }  # fmt: skip

    # -- passing (HE-3) ----------------------------------------------------------------------------

    def pass_to(self) -> tuple[int, ...] | None:
        way, players = self.rules.options["passing"], self.rules.players
        steps = {"left": (1,), "none": (0,)}.get(way, STEPS[players])
        step = steps[self.setup.finished % len(steps)]
        return tuple((seat + step) % players for seat in range(players)) if step else None

    # -- leading and following (HE-4 .. HE-8) ------------------------------------------------------

    def place_cards(self) -> None:
        super().place_cards()
        if self.opens_low():
            self.leader = self.turn = self.to_act()[0] if self.holder() is not None else self.turn

    def begins_with(self) -> Reason:
        low = {"card": self.rules.pack.cards[self.lowest_club().bit_length() - 1]}
        return Reason("pass-then", ("HE-3", "HE-4"), low, "pass-then-low" if self.leads_low() else "")

    def to_act(self) -> tuple[int, ...]:
        shooter = self.moon() if self.phase is MOON else None
        return super().to_act() if shooter is None else (shooter,)

    def held_back(self) -> int:
        return self.rules.suited["H"][0]

    def breaking(self) -> int:
        return self.rules.burden if self.rules.options["breaks"] == "queen" else super().breaking()

    def clean(self) -> bool:
        """Return whether points are barred: from the first trick (HE-8), or as its lead (HE-4)."""
        led = not self.plays and not self.leads_low()
        return self.is_first_trick() and bool(led or self.rules.options["first_trick"] == "clean")

    def guarded(self, seat: int) -> int:
        return self.rules.burden if self.clean() else super().guarded(seat)

    def denial(self, seat: int, card: int) -> int:
        """Cards a follower denies holding: the suit led; with points in the first trick, all cards without points."""
        denied, follows = super().denial(seat, card), self.follows[seat]
        if self.clean() and self.rules.burden >> card & 1:
            among = follows if follows >> card & 1 else self.rules.pack.everything
            denied |= among & ~self.rules.burden
        return denied

    def infractions(self, seat: int, card: int, denial: int) -> tuple[tuple[str, int], ...]:
        if not self.plays:
            return ((FIRST if self.clean() else self.LED_EARLY, denial),) if denial else ()
        revoke = 0 if self.follows[seat] >> card & 1 else denial & self.follows[seat]
        return tuple((code, cards) for code, cards in ((FIRST, denial & ~revoke), ("revoke", revoke)) if cards)

    def guard_clauses(self) -> tuple[str, ...]:
        return self.clauses_of(FIRST if self.clean() else self.LED_EARLY)

    def clauses_of(self, code: str) -> tuple[str, ...]:
        if code == FIRST:
            return ("HE-8",) if self.rules.options["first_trick"] == "clean" else ("HE-4",)
        return self.CITES[code] if code == self.LED_EARLY else super().clauses_of(code)

    def claim_clause(self, code: str) -> str:
        return self.clauses_of(code)[0]

    def why_follow(self, seat: int, cards: Sequence[int], *, all_may: bool) -> Reason:
        if not all_may and not any(self.follows[seat] >> card & 1 for card in cards):
            return Reason(FIRST, self.clauses_of(FIRST), phrase=f"none-{FIRST}")
        return super().why_follow(seat, cards, all_may=all_may)

    def claims_of_cards(self) -> dict[str, Reason]:
        """Claims by card; playing points to the first trick claims that the hand holds nothing else."""
        claims = super().claims_of_cards()
        if self.clean() and claims:
            why = next(iter(claims.values()))
            facts = {"suits": why.facts["suits"]} if self.plays and "suits" in why.facts else {}
            clauses = (*self.clauses_of(FIRST), *why.clauses)
            form = "claims-points-void" if facts else ""
            reason = Reason("claims-points-only", clauses, {"seat": self.turn, **facts}, form)
            claims = dict.fromkeys(claims, reason)
        return {} if self.opens_low() else claims

    # -- the moon and the score (HE-9, HE-10) ------------------------------------------------------

    def moon(self) -> int | None:
        """The seat that took all hearts and the queen of spades, if one did."""
        if self.phase not in (MOON, FINISHED) or self.rules.options["moon"] == "none":
            return None
        taken, jack = self.points_taken(), self.rules.whole - self.rules.most
        shot = (self.rules.most, self.rules.whole)
        shooters = [seat for seat, points in enumerate(taken) if points not in (0, jack)]
        if len(shooters) != 1 or taken[shooters[0]] not in shot:
            return None
        elsewhere = (play for trick in self.taken if trick.winner != shooters[0] for play in trick.plays)
        spoiled = any(play[1] != UNSEEN and self.rules.burden >> play[1] & 1 for play in elsewhere)
        return None if spoiled else shooters[0]

    def highlight(self) -> Reason | None:
        shooter = self.moon()
        return None if shooter is None else Reason("moon", ("HE-10",), {"seat": shooter})

    def close(self) -> None:
        if self.rules.options["moon"] == "choice" and self.moon() is not None:
            self.phase = MOON

    @takes(Moon)
    def take_moon(self, event: Moon) -> Refusal | None:
        """Record the shooter's choice (HE-10)."""
        shooter = self.moon()
        if self.phase is not MOON or shooter is None:
            return self.not_now(event)
        refusal = self.no_such_seat(event.seat) or self.consent(event, out_of_turn(event.seat, shooter, "HE-10"))
        if refusal is None:
            self.subtracts, self.phase = event.subtract, FINISHED
        return refusal

    def odd_result(self, points: tuple[int, ...]) -> Refusal | None:
        """Refuse a result that already applies the moon; it must give the points taken (HE-10)."""
        if sorted(points) != [0, *[self.rules.most] * (len(points) - 1)]:
            return None
        return impossible("bad-result", "HE-10", "REC-11", phrase="bad-result-moon")

    def point_lines(self) -> list[ScoreLine]:
        lines, shooter = super().point_lines(), self.moon()
        if shooter is None or self.phase is not FINISHED:
            return lines
        way, cost = self.rules.options["moon"], self.rules.most
        subtract = way == "subtract" or (way == "choice" and bool(self.subtracts))
        facts = {"seat": shooter, "points": cost}
        moved = [(shooter, -2 * cost)] if subtract else [(shooter, -cost)]
        moved += [] if subtract else [(seat, cost) for seat in range(self.rules.players) if seat != shooter]
        why = Reason("moon-subtract" if subtract else "moon-add", ("HE-10",), facts)
        return [*lines, *(ScoreLine(seat, points, replace(why)) for seat, points in moved)]

    # -- description -------------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not MOON:
            return super().asks()
        says = Turn("{seat} shot the moon: add 26 to everyone else?", "You shot the moon: add 26 to everyone else?")
        takes_off = Field("subtract", "flag", "Take 26 off instead", optional=True)
        return (Ask("moon", "Score the moon", self.to_act(), (takes_off,), turn=says),)

    def entry(self, number: int, leader: int, plays: tuple[Played, ...]) -> TrickEntry:
        told = super().entry(number, leader, plays)
        if number == 1 and not plays and self.leads_low() and self.holder() is None:
            told["leader"] = None
        return told

    def describe(self) -> HeartsParts:
        return {**super().describe(), "has_trump": False, "moon": self.moon()}
