"""Hearts, for three to five players with a pack of 52.

Everyone is dealt the same number of cards and passes three of them before play. The player with the two of clubs leads
it; follow suit if you can. The highest card of the suit led wins the trick. Each heart taken costs a point, the queen
of spades thirteen; taking them all shoots the moon. Hearts may not be led until they are broken, and no points may be
played to the first trick. The game ends when someone reaches 100; the lowest total wins.

Source: common property; hand sizes and passing for three and five players as printed by the United States Playing Card
Company. Deviations: none; where tables differ, the defaults of HE-2, HE-3, HE-7 and HE-12 apply.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated, ClassVar

from referee.engine import event_kinds as kinds
from referee.engine.cards import Card
from referee.engine.event_kinds import Event, Line, event_kind
from referee.engine.events import Ask, Field, Turn
from referee.engine.game import conflict
from referee.engine.questions import Example
from referee.engine.rules import BY_SCORE, REVOKE, EndRule, Option, Options, Preset, Problem, Rules, Setup
from referee.engine.rulings import Reason, Refusal, Remedy, ScoreLine, impossible, out_of_turn
from referee.engine.sheet import SeatNumber, TrickEntry
from referee.engine.state import FINISHED, Phase, kept, takes
from referee.packs import Pack, french
from referee.tricks.hand import TrickGame
from referee.tricks.leads import BROKEN, FREE, LowClubHand
from referee.tricks.passing import PASSING, PassCards, PassingHand, PassingParts
from referee.tricks.point_questions import DEAL_PASSED, LEGAL_POINTS, SCORE_POINTS, TRICK_POINTS
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
        return self.suited["H"][0] | 1 << self.pack.codes[QUEEN]

    def worth_of(self, card: Card) -> int:
        if card.code == JACK and self.options["jack"] == "ten":
            return JACK_BRINGS
        return QUEEN_COSTS if card.code == QUEEN else int(card.suits == ("H",))

    def trump_suits(self) -> tuple[str, ...]:
        return ()


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

    def instructions(self) -> tuple[Reason, ...]:
        """What opens play after passing, for tables that do not record passes."""
        if self.phase is not PASSING:
            return super().instructions()
        low = {"card": self.rules.pack.cards[self.lowest_club().bit_length() - 1]}
        return (Reason("pass-then", ("HE-3", "HE-4"), low, "pass-then-low" if self.leads_low() else ""),)

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


# --- The game


OUT = {3: ("2D",), 4: (), 5: ("2D", "2C")}
"""Cards removed, by number of players (HE-2)."""

TAKEN = Example(
    "Hearts: the queen of spades falls",
    {"game": "hearts", "plays": [{"cards": [card]} for card in ("KS", "4S", "QS", "AS")]},
    {"winner": 3, "points": 13},
)
UNBROKEN = Example(
    "Hearts: a lead before hearts are broken",
    {"game": "hearts", "hand": ["4H", "9H", "QS"], "led_card": None},
    {"legal": ["QS"]},
)
SHOT = Example("Hearts: the moon", {"game": "hearts", "taken": [26, 0, 0, 0]}, {"points": [0, 26, 26, 26]})
SECOND = Example(
    "Hearts for four, the second hand",
    {"game": "hearts", "players": 4, "hand": 2},
    {"cards_each": [13, 13, 13, 13], "aside": 0, "pass_to": "right"},
)


class Hearts(TrickGame):
    id = "hearts"
    name = "Hearts"
    tagline = "Avoid hearts and the queen of spades, or take them all."
    gist = "duck every heart"
    emblem = ("QS", "AH")
    source = "Traditional"
    with_cards = "with French cards"
    lesson = ("HE-2", "HE-3", "HE-4", "HE-5", "HE-9", "HE-8", "HE-6", "HE-10")
    players = tuple(OUT)
    end = EndRule(BY_SCORE.name, 100)
    rules_class = HeartsRules
    hand_class = HeartsHand
    beside_tricks = frozenset({"passing", "pass_count", "moon", "tie", "leftover"})
    events = (PassCards, Moon)
    phases = (PASSING, MOON)
    QUESTIONS = (
        replace(TRICK_POINTS, examples=(TAKEN,)),
        replace(LEGAL_POINTS, examples=(UNBROKEN,)),
        replace(SCORE_POINTS, examples=(SHOT,)),
        replace(DEAL_PASSED, examples=(SECOND,)),
    )
    revoke = replace(
        REVOKE,
        clauses=("IR-2", "IR-3", "HE-R1"),
        values=("ask", "stand", "hand-zero", "redeal"),
        labels=("ask the table", "let it stand", "the offender takes every point of the hand", "deal again"),
        says=("", *(REVOKE.says[place] for place in (1, 3, 4))),
    )
    options = (
        Option(
            "leftover", "Cards left over", "What happens to cards that can’t be dealt evenly.", ("HE-2",),
            ("remove", "kitty"), ("taken out before the deal", "face down, for the winner of the first trick"),
            says=("", "with a kitty for the first trick"),
        ),
        Option(
            "passing", "Passing", "Which way cards are passed before play.", ("HE-3",), ("usual", "left", "none"),
            ("in turn", "always to the left", "not at all"),
            says=("", "cards always passed to the left", "no cards passed"),
        ),
        Option(
            "pass_count", "Cards to pass", "How many cards everyone passes.", ("HE-3",), span=(1, 5),
            default=3, says=("{value} cards passed", "one card passed"),
        ),
        Option(
            "opening", "First lead", "Who leads to the first trick.", ("HE-4",), ("low-club", "left"),
            ("the lowest club", "the dealer’s left"), says=("", "the player on the dealer’s left leading first"),
        ),
        Option(
            "hearts_lead", "Leading hearts", "When a heart may be led.", ("HE-6",), (BROKEN, FREE),
            ("once hearts are broken", "at any time"), says=("", "hearts led at any time"),
        ),
        Option(
            "breaks", "What breaks hearts", "Whether the queen of spades breaks hearts, too.", ("HE-7",),
            ("heart", "queen"), ("a heart", "a heart or the queen of spades"),
            says=("", "the queen of spades breaking hearts"),
        ),
        Option(
            "first_trick", "First trick", "Whether points may be played to the first trick.", ("HE-8",),
            ("clean", FREE), ("no points", "any cards"), says=("", "points allowed in the first trick"),
        ),
        Option(
            "jack", "Jack of diamonds", "Whether the jack of diamonds takes 10 points off.", ("HE-9",), ("off", "ten"),
            ("an ordinary card", "takes 10 off"), says=("", "the jack of diamonds taking 10 off"),
        ),
        Option(
            "moon", "Shooting the moon", "What taking all 26 points scores.", ("HE-10",),
            ("add", "subtract", "choice", "none"),
            ("26 for everyone else", "26 off your own score", "as the shooter likes", "nothing special"),
            says=("", "the moon taking 26 off", "the shooter choosing how the moon counts", "no moon"),
        ),
        Option(
            "tie", "Tie for the lowest", "What happens if players tie for the lowest total.", ("HE-12",),
            ("share", "play-on"), ("they share the win", "another hand"), says=("", "ties played on"),
        ),
    )  # fmt: skip
    presets = (
        Preset("Jack of diamonds", {"jack": "ten"}),
        Preset("No passing", {"passing": "none"}),
    )

    def pack(self, options: Options, players: int) -> Pack:
        return french(without=OUT[players] if options["leftover"] == "remove" else ())

    def lowest_wins(self, options: Options) -> bool:
        return True

    def plays_on(self, rules: Rules, totals: Sequence[int]) -> bool:
        """With ``play-on``, a tie for the lowest total calls for another hand (HE-12)."""
        return rules.options["tie"] == "play-on" and len(rules.ahead(totals)) > 1

    def check(self, options: Options, players: int) -> list[Problem]:
        """The queen cannot break hearts if they may be led at any time (HE-7)."""
        idle = options["breaks"] == "queen" and options["hearts_lead"] == FREE
        return [conflict("breaks", "If hearts may be led at any time, nothing has to break them.")] if idle else []

    def further_on(self, rules: Rules, setup: Setup, finished: int) -> Setup:
        """The passing direction depends on the number of finished hands (HE-3)."""
        return replace(setup, finished=finished)

    def course_place(self, before: Rules, finished: int, now: Rules) -> int:
        return finished


GAME = Hearts()
