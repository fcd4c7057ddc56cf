"""Any game: 2-8 players play what they like, and the table keeps the score.

A round is one number for each player and ends when all are entered. The highest or the lowest total wins, individually
or in teams. Nothing is judged: there are no cards, questions or revokes.

Source: house rule. Deviations: none.
"""

from types import MappingProxyType
from typing import ClassVar

from referee.engine import event_kinds as kinds
from referee.engine.event_kinds import Event, Line, event_kind
from referee.engine.events import Ask, Field, HoldFindings, Result, TellFindings, Turn
from referee.engine.game import Game, conflict
from referee.engine.hand import Hand
from referee.engine.rules import BY_SCORE, BY_TIME, OPEN, EndKind, Option, Options, Problem, Rules, Setup
from referee.engine.rulings import Reason, Refusal, ScoreLine, impossible
from referee.engine.sheet import HandParts
from referee.engine.state import FINISHED, Phase, kept, per_seat, takes
from referee.packs import Pack, french

SCORING = Phase("scoring")
MOST = 9999
LONGEST_NAME = 60
STEPS = (1, 5, 10, -10)
HIGHEST, LOWEST = "highest", "lowest"
ALONE, TWO, PAIRS = "none", "two", "pairs"
ROUNDS = EndKind(
    "hands",
    "after this many rounds",
    "{value} rounds",
    "{value} round",
    until="for {value} rounds",
    until_one="for 1 round",
)


NAME = Field("name", "text", "Name of the round", most=LONGEST_NAME)
ROUND = Turn("How many points this round?")
SCORES = Turn("How many points does {seat} score?", "How many points do you score?", ROUND.one, ROUND.one)


@event_kind(
    "score",
    Line("Scores", "{seat} {points}", shared=True),
    says="A seat scores a number of points in this round.",
    log="{seat} scores {points}",
    by_player=True,
)
class Score(Event):
    seat: kinds.Seat
    points: kinds.Number


@event_kind("round", Line("Round", "{name}"), says="The round has a name.", log="Round: {name}", aside=True)
class Round(Event):
    name: kinds.Text


class AnyHand(Hand):
    LEAVES_OUT = (HoldFindings, TellFindings)

    entered: tuple[int | None, ...] = per_seat(None)
    name: str | None = kept(None)

    def begin(self) -> None:
        self.phase = SCORING

    @takes(Score)
    def take_score(self, event: Score) -> Refusal | None:
        """Record a player's points; the last one ends the round (AG-2)."""
        seat, entered = event.seat, self.entered
        if self.phase is not SCORING:
            return self.not_now(event)
        if refusal := self.no_such_seat(seat):
            return refusal
        if entered[seat] is not None:
            phrase = "scored-already"
            return impossible("wrong-phase", "AG-2", "AG-7", phrase=phrase, seat=seat, points=entered[seat])
        return self._enter((*entered[:seat], event.points, *entered[seat + 1 :]))

    @takes(Result)
    def take_result(self, event: Result) -> Refusal | None:
        """Record the points of a whole round; those already recorded must match (AG-2)."""
        if self.phase is not SCORING:
            return self.not_now(event)
        if event.points is None or len(event.points) != self.rules.players:
            return impossible("bad-result", "AG-2", "REC-11", phrase="round-length", players=self.rules.players)
        for seat, (there, points) in enumerate(zip(self.entered, event.points, strict=True)):
            if there not in (None, points):
                return impossible("bad-result", "AG-2", "REC-11", phrase="round-differs", seat=seat, points=there)
        return self._enter(event.points)

    @takes(Round)
    def take_round(self, event: Round) -> Refusal | None:
        """Name the round, once (AG-6)."""
        if self.ended or not (self.phase is SCORING or self.keeps(event)):
            return self.is_finished(event)
        if self.name is not None:
            return impossible("wrong-phase", "AG-6", phrase="round-named", name=self.name)
        if not 1 <= len(name := event.name.strip()) <= LONGEST_NAME:
            return impossible("bad-result", "AG-6", phrase="round-name-length", most=LONGEST_NAME)
        self.name = name
        return None

    def keeps(self, event: Event) -> bool:
        """A finished round without a name takes one; a further name starts the next round (AG-6)."""
        nameless = self.phase is FINISHED and not self.ended and self.name is None
        return nameless if isinstance(event, Round) else super().keeps(event)

    def _enter(self, entered: tuple[int | None, ...]) -> Refusal | None:
        if any(points is not None and abs(points) > MOST for points in entered):
            return impossible("bad-result", "AG-2", phrase="points-too-many", most=MOST)
        self.entered = entered
        if None not in entered:
            self.phase = FINISHED
        return None

    def to_act(self) -> tuple[int, ...]:
        waiting = enumerate(self.entered) if self.phase is SCORING else ()
        return tuple(seat for seat, points in waiting if points is None)

    def cards_left(self) -> tuple[int, ...]:
        return (0,) * self.rules.players

    def points(self) -> tuple[int, ...] | None:
        made = tuple(points for points in self.entered if points is not None)
        return made if len(made) == self.rules.players else None

    def point_lines(self) -> list[ScoreLine]:
        return [
            ScoreLine(seat, points, Reason("round-score", ("AG-2",), {"seat": seat, "points": points}))
            for seat, points in enumerate(self.points() or ())
        ]

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not SCORING:
            return ()
        one = Field("points", "number", "Points", least=-MOST, most=MOST, steps=STEPS)
        every = Field("points", "numbers", "Each player’s points", least=-MOST, most=MOST)
        return (
            Ask("score", "Points of one player", self.to_act(), (one,), turn=SCORES),
            Ask("result", "Points of this round", (), (every,), turn=ROUND),
            *((Ask("round", "Name this round", (), (NAME,)),) if self._can_be_named() else ()),
        )

    def table_asks(self) -> tuple[Ask, ...]:
        last = self.phase is FINISHED and self._can_be_named()
        return (*((Ask("round", "Name the last round", (), (NAME,)),) if last else ()), *super().table_asks())

    def _can_be_named(self) -> bool:
        """Return whether the round can be named: it is the first, or has an event, so the last round is not meant."""
        begun = self.events > 0 or self.setup.index == 0
        return begun and self.name is None and not self.ended

    def describe(self) -> HandParts:
        return {"tricks": [], "entered": list(self.entered), "name": self.name}


class AnyGame(Game):
    id = "any-game"
    place = 900
    name = "Any game"
    tagline = "Keep score for any game you like."
    gist = "just the score"
    source = "House rule"
    players = (2, 3, 4, 5, 6, 7, 8)
    single = "One result for the whole game"
    depth_words = MappingProxyType(
        {"": ("Each player", "on a number pad"), "result": ("Whole rounds", "all in one list")}
    )
    hand_word = "round"
    takes_title = True
    partners_change = True
    revoke = None
    ends = (OPEN, BY_SCORE, ROUNDS, BY_TIME)
    events = (Score, Round)
    phases = (SCORING,)
    hand_class: ClassVar[type[Hand]] = AnyHand
    options = (
        Option(
            "wins", "Who wins", "Whether the highest or the lowest total wins.", ("AG-3",), (HIGHEST, LOWEST),
            ("the highest total", "the lowest total"), says=("the highest total wins", "the lowest total wins"),
        ),
        Option(
            "teams", "Teams", "Who plays together. What a player scores counts for the whole team.", ("AG-4",),
            (ALONE, TWO, PAIRS), ("everyone alone", "two teams", "pairs"), says=("", "two teams", "pairs"),
        ),
    )  # fmt: skip

    @property
    def pack_name(self) -> str:
        return ""

    def pack(self, options: Options, players: int) -> Pack:
        return french()  # never dealt: no event of this game names a card

    def lowest_wins(self, options: Options) -> bool:
        return bool(options["wins"] == LOWEST)

    def check(self, options: Options, players: int) -> list[Problem]:
        uneven = options["teams"] != ALONE and (players < 4 or players % 2)
        return [conflict("teams", "Teams need 4, 6 or 8 players.")] if uneven else []

    def sides(self, options: Options, players: int) -> tuple[tuple[int, ...], ...]:
        """Teams are every second seat, or opposite seats (AG-4)."""
        apart = {ALONE: players, TWO: 2, PAIRS: players // 2}[options["teams"]]
        return tuple(tuple(range(seat % apart, players, apart)) for seat in range(players))

    def first(self, rules: Rules, dealer: int) -> Setup:
        return Setup(0, dealer, tuple(range(rules.players)), (0,) * rules.players)


GAME = AnyGame()
