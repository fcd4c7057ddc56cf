"""Oh Hell, for three to seven players with a pack of 52.

Each hand has one card fewer than the last, down to a single card, and then one more each time. The dealer turns up the
next card after the deal: its suit is trump. From the dealer's left, everyone bids how many tricks they will take; the
dealer, who bids last, may not make the bids add up to the number of tricks. The dealer's left leads; follow suit if you
can. The highest trump wins the trick, else the highest card of the suit led. An exact bid scores 10 and a point for
each trick; any other scores nothing.

Variants: other sequences of hands, trump in a fixed order or none, no hook, bids made together, and other scoring.

Source: traditional; played under many names. Deviations: none; where tables differ, the defaults OH-2, OH-5, OH-9 and
OH-Q4 .. OH-Q7 apply.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, deal_blanks
from referee.engine.rules import END_KINDS, EndKind, EndRule, Option, Options, Preset, Rules, Setup, switch
from referee.engine.rulings import Reason
from referee.engine.shapes import nullable, number
from referee.engine.state import BIDDING
from referee.games.oh_hell.hand import (
    TRUMPS_IN_ORDER,
    USUAL_AND_MOST,
    OhHellHand,
    OhHellRules,
    course_clauses,
    place_after,
)
from referee.packs import Pack, french
from referee.tricks.hand import TrickHand
from referee.tricks.questions import DEAL, LEGAL, SCORE, TRICK, describe_deal
from referee.tricks.turned import TURN_UP, TurnedGame

# --- Questions of Oh Hell: those of a plain game, and the deal of each hand in the sequence

LAST_HAND = 2000
"""Highest hand number accepted."""


def deal(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the deal of a hand in the sequence, by default the first (OH-2, OH-3)."""
    question = QuestionReader(payload, "deal")
    players, hand = question.integer("players"), question.integer("hand", needed=False)
    question.check()
    rules = cast(OhHellRules, question.rules(players or 0))
    place = 1 if hand is None else hand
    question.between("hand", place, 1, LAST_HAND)
    question.check()
    size = rules.course[(place - 1) % len(rules.course)]
    clauses = (*course_clauses(rules.options, rules.players), "OH-3")
    phrase = "dealt-turned" if rules.turns_up(size) else ""
    return describe_deal(rules, size, Reason("dealt", clauses, phrase=phrase))


def dealt_blanks(rules: OhHellRules, filled: FilledIn) -> tuple[Blank, ...]:
    hint = "Leave it empty for the first hand."
    hand = Blank("hand", "number", "Number of the hand", hint, least=1, most=len(rules.course), optional=True)
    return (*deal_blanks(rules, filled), hand)


TRUMPED = Example(
    "Oh Hell: a trump takes the trick",
    {"game": "oh-hell", "trump": "H", "plays": [{"cards": ["AS"]}, {"cards": ["2H"]}, {"cards": ["KS"]}]},
    {"winner": 1, "trump": "H"},
)
FOLLOW = Example(
    "Oh Hell: spades are led",
    {"game": "oh-hell", "hand": ["5S", "AH", "KS", "2D"], "led_card": "9S"},
    {"legal": ["5S", "KS"]},
)
BID_MADE = Example("Oh Hell: a bid made exactly", {"game": "oh-hell", "bid": 3, "tricks": 3}, {"points": 13})
FOURTH_HAND = Example(
    "Oh Hell for four, the fourth hand",
    {"game": "oh-hell", "players": 4, "hand": 4},
    {"cards_each": [7, 7, 7, 7], "aside": 24},
)
NUMBERED = "In Oh Hell, `hand` is the number of the hand, from 1; after its last hand the course starts again."

QUESTIONS = (
    replace(TRICK, examples=(TRUMPED,)),
    replace(LEGAL, examples=(FOLLOW,)),
    replace(SCORE, examples=(BID_MADE,)),
    replace(
        DEAL,
        answer=deal,
        blanks=dealt_blanks,
        help=(*DEAL.help, NUMBERED),
        request={**DEAL.request, "hand": nullable(number("Which hand; null or absent: the first."))},
        examples=(FOURTH_HAND,),
    ),
)


BY_COURSE = EndKind(
    "course",
    "after the last hand in the sequence",
    "One full sequence",
    counted=False,
    until="one full sequence",
)


class OhHell(TurnedGame):
    id = "oh-hell"
    name = "Oh Hell"
    tagline = "Bid exactly the tricks you take, in hands that shrink to one card and grow again."
    gist = "take what you bid"
    emblem = ("KC", "5D")
    source = "Traditional"
    with_cards = "with French cards"
    lesson = ("OH-2", "OH-3", "OH-4", "OH-5", "OH-7", "OH-8", "OH-9")
    players = tuple(USUAL_AND_MOST)
    end = EndRule(BY_COURSE.name)
    ends = (BY_COURSE, *END_KINDS)
    rules_class = OhHellRules
    hand_class = OhHellHand
    TRUMPS_IN_ORDER = TRUMPS_IN_ORDER
    beside_tricks = frozenset({"course", "largest", "twice_one", "hook", "bidding", "scoring", "zero"})
    phases = (TURN_UP, BIDDING)
    QUESTIONS = QUESTIONS
    options = (
        Option(
            "course", "Hand sizes", "How the number of cards changes from hand to hand.", ("OH-2", "OH-V1"),
            ("down-up", "up-down", "down", "up"),
            ("down to one and up again", "up from one and down again", "down to one", "up from one"),
            says=(
                "down to one card and up again", "up from one card and down again", "down to one card",
                "up from one card",
            ),
        ),
        Option(
            "largest", "Largest hand", "Cards each in the largest hand.", ("OH-2", "OH-V2"),
            span=(1, max(most for _, most in USUAL_AND_MOST.values())), by_players=USUAL_AND_MOST,
            says=("{value} cards in the largest hand", "1 card in the largest hand"),
        ),
        switch(
            "twice_one", "One card twice", "The one-card hand is played twice where the hands start to grow again.",
            "OH-2", "OH-V3", says="the one-card hand played twice",
        ),
        Option(
            "trump", "Trump", "How the trump suit is found.", ("OH-3", "OH-V4", "OH-V5"),
            ("turned", "none", "fixed-order"), ("the card turned up", "no trump at all", "a fixed order of suits"),
            says=("the card turned up setting trump", "without trump", "trump suits in a fixed order"),
        ),
        switch(
            "hook", "Hook", "The last bidder may not make the bids add up to the number of tricks.", "OH-5", "OH-V6",
            on=True, says="without the hook",
        ),
        Option(
            "bidding", "Bidding", "One after the other, or all in secret and then shown together.", ("OH-4", "OH-V7"),
            ("in-turn", "together"), ("in turn", "all together, in secret"),
            says=("bids in turn", "bids all together, in secret"),
        ),
        Option(
            "scoring", "Scoring", "What a bid scores when you make it or miss it.",
            ("OH-9", "OH-V8", "OH-V9", "OH-V10"), ("exact", "tricks-and-ten", "difference", "squares"),
            (
                "exact bid: 10 and 1 per trick; otherwise nothing",
                "1 per trick, 10 more for an exact bid",
                "exact bid: 10 and 1 per trick; otherwise minus the difference",
                "exact bid: 10 and the square of the tricks; otherwise minus the square of the difference",
            ),
            says=(
                "", "1 point per trick and 10 for an exact bid", "a missed bid costing the difference",
                "a missed bid costing the square of the difference",
            ),
        ),
        Option(
            "zero", "A bid of 0", "What a bid of 0 scores when it is made.", ("OH-9", "OH-V11"),
            ("same", "five"), ("10 points, like any other bid", "5 points"),
            says=("", "5 points for an exact bid of 0"),
        ),
    )  # fmt: skip

    presets = (
        Preset("All bids in secret", {"bidding": "together", "hook": False}),
        Preset("From one card up", {"course": "up-down"}),
        Preset("A point for every trick", {"scoring": "tricks-and-ten"}),
    )

    def pack(self, options: Options, players: int) -> Pack:
        return french()

    def course(self, rules: Rules) -> tuple[int, ...]:
        """Hand sizes of one full sequence (OH-2)."""
        assert isinstance(rules, OhHellRules)
        return rules.course

    def ends_with(self, rules: Rules, finished: int, totals: Sequence[int]) -> bool:
        return rules.end.kind == BY_COURSE.name and finished >= len(self.course(rules))

    def size(self, rules: Rules, before: TrickHand | None) -> int:
        """The next hand size of the sequence, which repeats (OH-2, OH-Q6)."""
        return self.size_after(rules, 0 if before is None else before.setup.finished + 1)

    def size_after(self, rules: Rules, finished: int) -> int:
        sizes = self.course(rules)
        return sizes[finished % len(sizes)]

    def further_on(self, rules: Rules, setup: Setup, finished: int) -> Setup:
        """Size and fixed trump follow from the number of finished hands (OH-2, OH-V4, OH-Q5, OH-Q7)."""
        sizes = (self.size_after(rules, finished),) * rules.players
        return replace(super().further_on(rules, setup, finished), sizes=sizes)

    def course_place(self, before: Rules, finished: int, now: Rules) -> int:
        """The place at which play continues when the sequence of hand sizes is changed (OH-Q7)."""
        return place_after(self.course(before), finished, self.course(now))


GAME = OhHell()
