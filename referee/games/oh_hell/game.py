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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, cast

from referee.engine.claims import Places
from referee.engine.events import Ask, Bid, Turn
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, deal_blanks
from referee.engine.rules import END_KINDS, EndKind, EndRule, Option, Options, Preset, Rules, Setup, switch
from referee.engine.rulings import Oddity, Reason, Refusal, ScoreLine, impossible
from referee.engine.shapes import nullable, number
from referee.engine.state import BIDDING
from referee.packs import Pack, french
from referee.tricks.hand import BIDS, TrickHand
from referee.tricks.questions import DEAL, LEGAL, SCORE, TRICK, describe_deal
from referee.tricks.rules import TrickRules
from referee.tricks.turned import TURN_UP, TurnedGame, TurnedHand, TurnedParts

# --- What the house rules determine: the sequence of hands, and trump

USUAL_AND_MOST = {3: (10, 17), 4: (10, 13), 5: (10, 10), 6: (8, 8), 7: (7, 7)}
"""Usual and largest possible size of the largest hand, by number of players (OH-2, OH-V2)."""
TRUMPS_IN_ORDER = ("S", "H", "D", "C", None)
"""Trump of successive hands in a fixed order, which repeats (OH-V4)."""


def course(options: Options) -> tuple[int, ...]:
    """Return the hand sizes of one full sequence (OH-2, OH-V1 .. OH-V3).

    >>> course({"course": "down-up", "largest": 3, "twice_one": False})
    (3, 2, 1, 2, 3)
    """
    up = tuple(range(1, options["largest"] + 1))
    down = up[::-1]
    match options["course"]:
        case "down":
            return down
        case "up":
            return up
        case "up-down":
            return up + down[1:]
    return down + (up if options["twice_one"] else up[1:])


def place_after(before: Sequence[int], finished: int, now: Sequence[int]) -> int:
    """Return the index in sequence ``now`` at which play continues after ``finished`` hands of ``before`` (OH-Q7).

    The hand there has the size that would have come next, or the nearest one, in the same direction.

    >>> place_after((5, 4, 3, 2, 1, 2, 3, 4, 5), 3, (3, 2, 1, 2, 3)), place_after((5, 4, 3, 2, 1), 1, (3, 2, 1))
    (1, 0)
    >>> place_after((5, 4, 3, 2, 1, 2, 3, 4, 5), 7, (3, 2, 1, 2, 3))
    4
    """
    place = finished % len(before)
    if not place:
        return 0
    same_way = [there for there in range(len(now)) if _falls(now, there) == _falls(before, place)]
    return min(same_way, key=lambda there: abs(now[there] - before[place]), default=0)


def _falls(sizes: Sequence[int], place: int) -> bool:
    """Return whether the hand sizes decrease at this place; for the first hand, the next one decides."""
    place = max(1, min(place, len(sizes) - 1))
    return len(sizes) > 1 and sizes[place] < sizes[place - 1]


def course_clauses(options: Options, players: int) -> tuple[str, ...]:
    house = {
        "OH-V1": options["course"] != "down-up",
        "OH-V2": options["largest"] != USUAL_AND_MOST[players][0],
        "OH-V3": options["twice_one"] and options["course"] == "down-up",
    }
    return ("OH-2", *(clause for clause, holds in house.items() if holds))


@dataclass(frozen=True)
class OhHellRules(TrickRules):
    """Rules of a table: ``course`` holds the hand sizes; ``together``: everyone bids in secret at once."""

    course: tuple[int, ...] = field(init=False)
    together: bool = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "course", course(self.options))
        object.__setattr__(self, "together", self.options["bidding"] == "together")

    def has_bids(self) -> bool:
        return True

    def trump_suits(self) -> tuple[str, ...]:
        return () if self.options["trump"] == "none" else super().trump_suits()

    def most_dealt(self) -> int:
        return max(self.course)

    def turns_up(self, size: int) -> bool:
        """Return whether a card is turned up in a hand of this size: only if one is left (OH-3)."""
        return self.options["trump"] == "turned" and size * self.players < len(self.pack)


# --- The score of a bid

EXACT = 10
"""Points for an exact bid, in addition to those for its tricks (OH-9)."""
EXACT_ZERO = 5
"""Points for an exact bid of 0, if it is worth less (OH-V11)."""


def bid_line(seat: int, bid: int, tricks: int, options: Options) -> ScoreLine:
    """Score a bid by the table's house rule (OH-9, OH-V8 .. OH-V11)."""
    off = abs(tricks - bid)
    facts = {"seat": seat, "bid": bid, "tricks": tricks, "off": off}
    clause, missed, code, phrase = WAYS[options["scoring"]]
    if off:
        points = missed(tricks, off)
        return ScoreLine(seat, points, Reason(code, (clause,), facts | {"sum": points}, phrase))
    squared, five = options["scoring"] == "squares", bid == 0 and options["zero"] == "five"
    ten = EXACT_ZERO if five else EXACT
    points = ten + (tricks * tricks if squared else tricks)
    phrase = "bid-exact-square" if squared else "bid-exact-ten"
    cited = (clause, "OH-V11") if five else (clause,)
    return ScoreLine(seat, points, Reason("bid-exact", cited, facts | {"ten": ten, "sum": points}, phrase))


WAYS: dict[str, tuple[str, Callable[[int, int], int], str, str]] = {
    "exact": ("OH-9", lambda tricks, off: 0, "bid-missed", "bid-missed-nothing"),
    "tricks-and-ten": ("OH-V8", lambda tricks, off: tricks, "bid-off-by", "bid-tricks-only"),
    "difference": ("OH-V9", lambda tricks, off: -off, "bid-off-by", "bid-difference"),
    "squares": ("OH-V10", lambda tricks, off: -off * off, "bid-off-by", "bid-square"),
}
"""Per scoring rule: clause, points of a missed bid by tricks and difference, reason code, sentence key."""


# --- The hand of Oh Hell

BIDS_TOGETHER = Turn(
    "{seat} bids in secret: how many tricks?",
    "You bid in secret: how many tricks?",
    "Everyone bids in secret: how many tricks?",
    "{seats} bid in secret: how many tricks?",
)


class OhHellParts(TurnedParts):
    """Description of a hand with the card turned up and its place in the sequence."""

    hand_of_course: Annotated[int, "Its place in the course, from 1."]


class OhHellHand(TurnedHand):
    """A hand of Oh Hell: bids in turn or in secret, and tricks with the turned-up trump.

    The card turned up is set aside (OH-Q1).
    """

    rules: OhHellRules

    EXACT_BIDS: ClassVar[bool] = True
    CITES = {
        "highest-trump": ("OH-8",), "highest-follower": ("OH-8",), "earlier-of-equals": ("OH-8",),
        "follow": ("OH-7",), "turn-to-bid": ("OH-4",), "hook": ("OH-5",), "tricks": ("OH-9",),
        "lead": ("OH-6",), "deal": ("OH-2", "OH-3"), "turn-up": ("OH-3",), "turned-place": ("OH-Q1",),
        "suit-only": ("OH-Q2",), "not-turned": ("OH-Q3",), "in-order": ("OH-3", "OH-V4"), "no-trump": ("OH-3", "OH-V5"),
    }  # fmt: skip

    def turns_up(self) -> bool:
        """A card is turned up only if one is left after the deal (OH-3)."""
        return self.rules.turns_up(self.total)

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        shown = self.rules.pack.cards[card]
        if self.turned is not None:
            wrong = impossible("not-in-hand", "OH-Q1", "REC-8", phrase="turned-card-played", card=shown)
            return wrong if card == self.turned else None
        if not self.turns_up() or self.trump is None or self.unplaced(self.trump) != 1 << card:
            return None
        return impossible("not-in-hand", "OH-Q1", "OH-Q2", "REC-8", phrase="last-of-turned-suit", card=shown)

    def may_hold(self, seat: int) -> int:
        """Cards that a seat may have played unseen; never the card turned up (OH-Q1)."""
        return super().may_hold(seat) & ~(0 if self.turned is None else 1 << self.turned)

    def kept_aside(self) -> tuple[int, ...]:
        """Possible cards of the one turned up, if only its suit is known (OH-Q2)."""
        if self.turned is not None or not self.turns_up() or self.trump is None:
            return ()
        return (self.unplaced(self.trump),)

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Where unseen cards can be; the card turned up is set aside (OH-Q2)."""
        (places,) = super().split(gone, left)
        if self.turned is not None:
            return (Places(places.unseen & ~(1 << self.turned), places.room),)
        if not self.suit_only:
            return (places,)
        other_suits = self.rules.pack.everything & ~self.rules.suited[self.trump][0]
        return (Places(places.unseen, places.room, kept=((other_suits, 1),)),)

    def deal_clauses(self) -> tuple[str, ...]:
        return (*course_clauses(self.rules.options, self.rules.players), "OH-3")

    def bidders(self) -> tuple[int, ...]:
        """Seats in bidding order; none if everyone bids together (OH-V7)."""
        return () if self.rules.together else super().bidders()

    def to_act(self) -> tuple[int, ...]:
        """If everyone bids together, all who have not bid may act (OH-V7)."""
        return self.bid_next() if self.rules.together and self.phase is BIDDING else super().to_act()

    def bid_next(self) -> tuple[int, ...]:
        """The seats that can bid next: one in turn, or everyone left if they bid together (OH-4, OH-V7)."""
        without = tuple(seat for seat in self.in_bidding_order() if self.bids[seat] is None)
        return tuple(sorted(without)) if self.rules.together else without[:1]

    def odd_bid(self, event: Bid) -> list[Oddity]:
        """Joint bids are never irregular (OH-V7); a hook on a player who is not the dealer cites OH-Q4."""
        odd = [] if self.rules.together else super().odd_bid(event)
        for place, oddity in enumerate(odd):
            if oddity.code == "forbidden-bid" and event.seat != self.setup.dealer:
                reason = replace(oddity.reason, clauses=(*oddity.reason.clauses, "OH-Q4"))
                odd[place] = replace(oddity, reason=reason)
        return odd

    def forbidden_bid(self, seat: int) -> int | None:
        """The hook does not apply to bids made together (OH-5, OH-V7)."""
        return None if self.rules.together else super().forbidden_bid(seat)

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        return bid_line(seat, bid, tricks, self.rules.options)

    # -- description ----------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        """Adds bids before the card is turned up (OH-Q3), and secret bids (OH-V7)."""
        secret = self.rules.together
        bids = BIDS_TOGETHER if secret else BIDS
        if self.phase is TURN_UP:
            seats = self.bid_next()
            fields = self.bid_fields(seats[0])
            early = Ask("bid", "Enter the bids first", seats, fields, secret=secret, turn=bids)
            return (*super().asks(), early)
        if self.phase is BIDDING and secret:
            seats = self.to_act()
            return (Ask("bid", "Bid", seats, self.bid_fields(seats[0]), secret=True, turn=bids),)
        return super().asks()

    def unplayed(self) -> tuple[str, ...]:
        turned = None if self.turned is None else self.rules.pack.cards[self.turned].code
        return tuple(code for code in super().unplayed() if code != turned)

    def claims_of_cards(self) -> dict[str, Reason]:
        """The card turned up cannot be played, so it claims nothing (OH-Q1)."""
        left = self.unplayed()
        return {code: claim for code, claim in super().claims_of_cards().items() if code in left}

    def describe(self) -> OhHellParts:
        return {**super().describe(), "hand_of_course": self.setup.finished % len(self.rules.course) + 1}

    def trump_reason(self) -> Reason | None:
        """Why this suit, or none, is trump; the deal may have used up the pack (OH-3)."""
        if self.rules.options["trump"] == "turned" and not self.turns_up():
            return Reason("no-card-left", ("OH-3",))
        return super().trump_reason()


# --- The game


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
