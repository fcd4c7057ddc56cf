"""Ransom Trump, by P. D. Magnus, for two to four players with the Decktet.

Everyone puts a card from hand face down as ransom; all are revealed together. Ranks shown more than once cancel; the
highest remaining card wins the ransom. Its suit is trump, or its owner names one of its suits; if no card remains,
there is no trump. Ransom cards are set aside. The ransom winner leads; following suit and winning tricks are as in Ace
Trump, without the effect of Aces. Every trick scores a point.

Source: "Ransom Trump", P. D. Magnus, Decktet page. Deviations: none; where the page is silent, the defaults RT-Q1 ..
RT-Q10 apply. Variants of Ace Trump are offered where they make sense.
"""

from collections.abc import Mapping
from typing import cast

from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen
from referee.engine.rulebook import Clause, clauses
from referee.engine.rules import Option, Preset, Problem, Rules
from referee.engine.shapes import CARD, INTEGER, REASON, array, nullable, text
from referee.engine.state import BIDDING
from referee.games.decktet_tricks.suited import (
    SHARED,
    SUITED_LEGAL,
    SUITED_TRICK,
    TRUMP,
    NameTrump,
    SuitedGame,
    SuitedRules,
)
from referee.games.ransom_trump.hand import HAND_SIZES, RANSOM, Ransom, RansomHand
from referee.tricks.hand import TrickHand
from referee.tricks.questions import DEAL, SCORE

# --- Questions of Ransom Trump: who wins the ransom, and those of a plain game


def ransom(payload: Mapping[str, object]) -> dict[str, object]:
    """Who wins the ransom, and which suits the winner may name (RT-4 .. RT-8)."""
    question = QuestionReader(payload, "ransom")
    texts = question.texts("cards")
    question.check()
    misfit = Problem("/cards", "wrong-count", "Give one card for each player.")
    rules = question.fitting_rules(None, lambda rules: rules.players == len(texts), misfit)
    cards = question.cards(rules.pack, texts, "/cards")
    question.check()
    hand = RansomHand.set_up(cast(SuitedRules, rules))
    hand.ransoms = cards
    hand.reveal()
    return {"winner": hand.buyer, "suits": list(hand.choices()), "reason": hand.ransom_reason()}


def ransom_seen(hand: Seen) -> FilledIn:
    """Prefill: the ransom cards from the dealer's left, once all are revealed."""
    cards = hand.get("ransom_cards") or [None]
    first = hand["dealer"] + 1
    return {} if None in cards else {"cards": [cards[(first + place) % len(cards)] for place in range(len(cards))]}


RANSOM_QUESTION = Question(
    "ransom",
    "Who wins the ransom?",
    ransom,
    hint="Whose card wins, and which suits they may name.",
    blanks=lambda rules, filled: (
        Blank(
            "cards", "cards", "Ransom cards", "One card from each player, starting on the dealer’s left.",
            most=rules.game.players[-1],
        ),
    ),
    seen=ransom_seen,
    help=(
        "`cards` are the ransom cards, seat by seat. Returns the seat that names trump, and the suits it can choose "
        "from.",
    ),
    request={"cards": array(CARD, "One card for each seat.")},
    needed=("cards",),
    response={"winner": nullable(INTEGER), "suits": array(text()), "reason": REASON},
    examples=(
        Example(
            "The Crowns cancel each other",
            {"cards": ["XM", "XY", "9MS", "6MW"]},
            {"winner": 2, "suits": ["M", "S"]},
        ),
    ),
    sole=True,
)  # fmt: skip
QUESTIONS = (RANSOM_QUESTION, SUITED_TRICK, SUITED_LEGAL, SCORE, DEAL)


BORROWED = (
    "AT-5", "AT-6", "AT-9", "AT-10", "AT-12", "AT-15", "AT-16", "AT-17", "AT-V2", "AT-V3", "AT-V4", "AT-V7", "AT-V8",
    "AT-Q6", "AT-Q7", "AT-Q8", "AT-Q9", "AT-Q10", "AT-Q11", "AT-Q15", "AT-Q16", "AT-Q17",
)  # fmt: skip
"""Clauses of Ace Trump that also apply here (RT-11 .. RT-13, RT-16)."""


class RansomTrump(SuitedGame):
    id = "ransom-trump"
    place = 2
    name = "Ransom Trump"
    tagline = "Offer a card for the right to name trump, then win tricks."
    gist = "bid for trump"
    emblem = ("8MS", "AL")
    source = "P. D. Magnus, Ransom Trump"
    with_cards = "with the basic pack"
    lesson = ("RT-2", "RT-3", "RT-4", "RT-7", "RT-11", "RT-12", "RT-13", "RT-15")
    players = (2, 3, 4)
    PAIRS = (4,)
    rules_class = SuitedRules
    hand_class = RansomHand
    beside_tricks = frozenset({"partners", "bidding", "hook", "partner_bid"})
    events = (Ransom, NameTrump)
    phases = (RANSOM, TRUMP, BIDDING)
    QUESTIONS = QUESTIONS
    options = (
        *SHARED,
        Option(
            "no_ransom_lead", "Who leads if no one wins the ransom", "Who then leads to the first trick.",
            ("RT-Q1",), ("left", "dealer"), ("the dealer’s left", "the dealer"),
            says=("", "the dealer leading if no one wins the ransom"),
        ),
    )  # fmt: skip

    presets = (
        Preset("Early Bird", {"ties": "early"}),
        Preset("With bidding", {"bidding": True}),
        Preset("Partners with bidding", {"partners": True, "bidding": True}),
    )

    def rulebook(self) -> tuple[Clause, ...]:
        return (*clauses(self.id), *(clause for clause in clauses("ace-trump") if clause.id in BORROWED))

    def size(self, rules: Rules, before: TrickHand | None) -> int:
        return HAND_SIZES[rules.players]


GAME = RansomTrump()
