"""Ace Pit, for two players with a French pack of 52.

Each player is dealt seven cards. The player who did not deal lays a card. The other responds with one or two cards and
scores every set in the response: a Spoon (same suit, next in rank), Even Stevens (same rank), a Pin (two cards of one
suit around the laid card), a Double Fork (two cards of one rank), an Ace Pit (any Ace), and, along with another set, a
Flush for cards of the laid suit. A single card that makes no set is a Throw Away: the leader takes the trick for 10. A
laid Ace scores an Ace Pit for its player unless it is answered by Even Stevens, a Double Fork or an Ace. After
responding with two cards, a player draws one. The winner lays the next card; a hand is seven tricks, a game eleven
hands.

Source: "Ace Pit", by Matthew Maunder and Matthew Stublefield, scoring and structure by James Candy and Bill Hurn.
Deviations: none. Points missing from the page are taken from its examples; where it is silent, the defaults AP-Q1 ..
AP-Q16 apply. The variant for more players is not described there and not offered.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen, deal_question
from referee.engine.rules import EndRule, Option, Options, Preset, Rules, Setup, switch
from referee.engine.rulings import Reason
from referee.engine.shapes import CARD, INTEGER, REASON, answer, array, text
from referee.engine.texts import phrase
from referee.games.ace_pit.hand import PitHand
from referee.games.ace_pit.sets import ACE_PIT, NAMES, THROW_AWAY, breakdown, no_set_reason, outcome_reason
from referee.games.ace_pit.state import LONGEST_RESPONSE, TRICKS
from referee.packs import Pack, french

PLAYERS = 2


def response(payload: Mapping[str, object]) -> dict[str, object]:
    question = QuestionReader(payload, "response")
    laid, answered = question.text("laid", needed=True), question.texts("response")
    question.check()
    rules = question.rules(PLAYERS)
    if not 1 <= len(answered) <= LONGEST_RESPONSE:
        question.reader.value("/response", "A response is one or two cards.", "wrong-count")
    first = question.card(rules.pack, laid or "", "/laid")
    cards = question.cards(rules.pack, answered, "/response")
    if first >= 0 and first in cards:
        question.twice(rules.pack, first, f"/response/{cards.index(first)}")
    question.check()
    known = rules.pack.cards
    shown = [known[card] for card in cards]
    outcome = breakdown(known[first], shown, rules.options)
    if outcome.winner is None:
        reason = no_set_reason(known[first], shown, rules.options)
    else:
        reason = outcome_reason(
            known[first], shown, outcome, rules.options, leader=phrase("the leader"), responder=phrase("The responder")
        )
    lines = [item._asdict() for item in outcome.items]
    return {"winner": outcome.winner, "points": outcome.points, "lines": lines, "reason": reason}


def deal(payload: Mapping[str, object]) -> dict[str, object]:
    question = QuestionReader(payload, "deal")
    players = question.integer("players")
    question.check()
    rules = question.rules(players or 0)
    each = list(question.game.first(rules, 0).sizes or ())
    aside = len(rules.pack) - sum(each)
    reason = Reason("dealt", ("AP-2",), {"each": each[0], "aside": aside})
    return {"cards_each": each, "aside": aside, "tricks": TRICKS, "reason": reason}


def response_seen(hand: Seen) -> FilledIn:
    """Prefill: the card laid in the last trick, and the response to it."""
    plays = [play.get("cards", []) for trick in hand.get("tricks", ())[-1:] for play in trick["plays"]]
    return dict(zip(("laid", "response"), plays, strict=False))


QUESTIONS = (
    Question(
        "response",
        "What is this response worth?",
        response,
        hint="Who wins, for which sets, and how many points.",
        blanks=lambda rules, filled: (
            Blank("laid", "card", "Card laid"),
            Blank("response", "cards", "Response", "One card or two.", most=LONGEST_RESPONSE),
        ),
        seen=response_seen,
        help=("Returns who wins the trick, and for which items, if `response` is played on the `laid` card.",),
        request={"laid": CARD, "response": array(CARD, "One card or two.")},
        needed=("laid", "response"),
        response={
            "winner": {"type": ["string", "null"], "enum": ["leader", "responder", None]},
            "points": INTEGER,
            "lines": array(answer({"item": text(example="pin"), "points": INTEGER})),
            "reason": REASON,
        },
        examples=(
            Example(
                "A pin",
                {"laid": "5C", "response": ["3H", "9H"]},
                {"winner": "responder", "points": 25, "lines": [{"item": "pin", "points": 25}]},
            ),
        ),
        sole=True,
    ),
    deal_question(
        deal,
        lambda rules, filled: (
            Blank("players", "number", "Players", least=PLAYERS, most=PLAYERS, standard=(str(PLAYERS),)),
        ),
    ),
)


OPEN, HIDDEN = "open", "hidden"
HANDS = 11
"""Hands in a game (AP-17)."""
DEALT = TRICKS
"""Cards dealt to each player (AP-2)."""


class AcePit(Game):
    id = "ace-pit"
    place = 5
    name = "Ace Pit"
    tagline = "Answer a laid card with Pins, Forks, Spoons and Aces."
    gist = "answer with a pair"
    emblem = ("AC", "8H")
    source = "Matthew Maunder and Matthew Stublefield, Ace Pit"
    with_cards = "with French cards"
    feat = "Highest answer"
    lesson = ("AP-2", "AP-4", "AP-5", "AP-7", "AP-8", "AP-9", "AP-10", "AP-12", "AP-14", "AP-17")
    players = (2,)
    end = EndRule("hands", HANDS)
    hand_class: ClassVar[type[Hand]] = PitHand
    beside_tricks = frozenset({"totals"})
    QUESTIONS = QUESTIONS
    options = (
        switch(
            "free_pairs", "Free pairs",
            "Two cards that would each win alone may be played together, and both score.", "AP-Q4", says="free pairs",
        ),
        switch(
            "ace_pit_once", "One Ace Pit at most", "Two Aces in one answer score a single Ace Pit.", "AP-Q5",
            says="one Ace Pit at most",
        ),
        switch(
            "fork_spoon", "Spoons in a Double Fork", "A Spoon also counts in a Double Fork.", "AP-Q3", on=True,
            says="no Spoon in a Double Fork",
        ),
        switch(
            "spoon_beats_ace", "A Spoon beats a laid Ace",
            "The King of its suit beats a laid Ace, for 15.", "AP-Q7", says="a Spoon beating a laid Ace",
        ),
        Option(
            "ace_lead", "Laid Ace", "What a laid Ace scores if it isn’t beaten.", ("AP-20", "AP-Q8"),
            (ACE_PIT, ACE_PIT + THROW_AWAY, THROW_AWAY),
            ("50, an Ace Pit", "60, an Ace Pit and a Throw Away", "10, a Throw Away"),
            says=("", "60 for a laid Ace", "10 for a laid Ace"),
        ),
        Option(
            "totals", "Points", "Whether players see the points as they grow, or only at the end of the game.",
            ("AP-18",), (OPEN, HIDDEN), ("shown as they are scored", "hidden until the game is over"),
            says=("points open to everyone", "points shown only at the end"),
        ),
    )  # fmt: skip

    presets = (Preset("Points at the end", {"totals": HIDDEN}), Preset("Free pairs", {"free_pairs": True}))

    def words(self) -> Iterable[tuple[str, str]]:
        return (("", name) for name in (*NAMES.values(), self.feat))

    def pack(self, options: Options, players: int) -> Pack:
        return french()

    def hides_points(self, options: Options) -> bool:
        """Points may be hidden until the end of the game (AP-18)."""
        return bool(options["totals"] == HIDDEN)

    def first(self, rules: Rules, dealer: int) -> Setup:
        return Setup(0, dealer, (0, 1), (DEALT, DEALT))


GAME = AcePit()
