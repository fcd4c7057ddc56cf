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

from referee.engine.game import conflict
from referee.engine.questions import Example
from referee.engine.rules import BY_SCORE, REVOKE, EndRule, Option, Options, Preset, Problem, Rules, Setup
from referee.games.hearts.hand import MOON, HeartsHand, HeartsRules, Moon
from referee.packs import Pack, french
from referee.tricks.hand import TrickGame
from referee.tricks.leads import BROKEN, FREE
from referee.tricks.passing import PASSING, PassCards
from referee.tricks.point_questions import DEAL_PASSED, LEGAL_POINTS, SCORE_POINTS, TRICK_POINTS

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
