"""Ransom Trump, by P. D. Magnus, for two to four players with the Decktet.

Everyone puts a card from hand face down as ransom; all are revealed together. Ranks shown more than once cancel; the
highest remaining card wins the ransom. Its suit is trump, or its owner names one of its suits; if no card remains,
there is no trump. Ransom cards are set aside. The ransom winner leads; following suit and winning tricks are as in Ace
Trump, without the effect of Aces. Every trick scores a point.

Source: "Ransom Trump", P. D. Magnus, Decktet page. Deviations: none; where the page is silent, the defaults RT-Q1 ..
RT-Q10 apply. Variants of Ace Trump are offered where they make sense.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Annotated, ClassVar, cast

from referee.engine.event_kinds import Line, event_kind
from referee.engine.events import Ask, CardAside, Field, Play, Turn
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen
from referee.engine.rulebook import Clause, clauses
from referee.engine.rules import Option, Preset, Problem, Rules
from referee.engine.rulings import Reason, Refusal, impossible, out_of_turn
from referee.engine.shapes import CARD, INTEGER, REASON, array, nullable, text
from referee.engine.sheet import EachText, HandParts, SeatNumber
from referee.engine.state import BIDDING, Phase, kept, per_seat, takes
from referee.games.decktet_tricks.suited import (
    SHARED,
    SUITED_LEGAL,
    SUITED_TRICK,
    TRUMP,
    NameTrump,
    SuitedGame,
    SuitedHand,
    SuitedRules,
)
from referee.packs import Card
from referee.packs.decktet import EXCUSE, RANKS
from referee.tricks.hand import BIDS, TrickHand
from referee.tricks.questions import DEAL, SCORE
from referee.tricks.state import Taken, Way


@event_kind(
    "ransom",
    Line("Ransom", "{seat} {cards}", shared=True),
    says="A seat’s ransom card.",
    log="{seat} offers {cards} as ransom",
    by_player=True,
    secret=True,
)
class Ransom(CardAside):
    """A seat's ransom card (RT-3)."""


RANSOM = Phase("ransom")
LAYS = Turn(
    "{seat} puts a ransom card face down.",
    "Put a ransom card face down.",
    "Everyone puts a ransom card face down.",
    "{seats} each put a ransom card face down.",
)
HAND_SIZES = {2: 10, 3: 10, 4: 9}
BY_RANK = {"X": "RT-6", "A": "RT-8", "P": "RT-Q6", "C": "RT-Q6"}
"""Clauses by which a winning ransom card sets trump, by rank; RT-7 for number cards."""


def ransom_winner(cards: Sequence[Card | None]) -> int | None:
    """The seat whose rank is the highest shown only once (RT-4); the Excuse has no rank and cancels nothing (RT-Q6)."""
    shown = Counter(card.rank for card in cards if card)
    single = [
        (RANKS.index(card.rank), owner)
        for owner, card in enumerate(cards)
        if card and card.rank != EXCUSE and shown[card.rank] == 1
    ]
    return max(single)[1] if single else None


@lru_cache(maxsize=256)
def winning_ranks(
    shown: tuple[str, ...], missing: int, free: tuple[tuple[str, int], ...]
) -> frozenset[tuple[str | None, bool]]:
    """Return the ranks that can win the ransom when ``missing`` cards of ``free`` join those shown.

    ``free`` holds pairs (rank, number of cards). Each result is (rank, whether a shown card has it); rank ``None``: no
    one wins.
    """
    stock, found = dict(free), set()
    for joined in combinations_with_replacement([rank for rank, _ in free], missing):
        if any(joined.count(rank) > stock[rank] for rank in joined):
            continue
        laid = shown + joined
        single = [rank for rank in laid if rank != EXCUSE and laid.count(rank) == 1]
        winner = max(single, key=RANKS.index) if single else None
        found.add((winner, winner in shown))
    return frozenset(found)


class RansomParts(HandParts):
    """Description of a hand, with each seat's ransom card and the ransom winner."""

    ransom_cards: Annotated[EachText, "Each seat’s ransom card."]
    ransom_winner: SeatNumber | None


class RansomHand(SuitedHand):
    """A hand of Ransom Trump.

    ``ransoms`` holds each seat's ransom card, ``buyer`` is the ransom winner's seat; ``guessed``: cards were judged
    before trump was known.
    """

    buyer: int | None = kept(None)
    guessed: bool = kept(False)
    ransoms: tuple[int | None, ...] = per_seat(None)

    SHEET_CARDS = (("ransom_cards", "ransom cards"),)
    SET_ASIDE: ClassVar[int] = 1
    ASIDE = RANSOM
    CITES = {
        "highest-trump": ("RT-12", "AT-9"), "highest-follower": ("RT-12", "AT-10"),
        "higher-symbol": ("RT-13", "AT-12"), "earlier-of-equals": ("RT-12", "AT-17"), "follow": ("RT-11",),
        "name": ("RT-16", "AT-V7"), "turn-to-bid": ("RT-16", "AT-V4"), "hook": ("RT-16", "AT-Q15"),
        "bid": ("RT-16", "AT-V4"), "tricks": ("RT-15",), "lead": ("RT-10", "RT-14"), "deal": ("RT-2", "RT-9"),
        "deal-extended": ("RT-Q7", "RT-9"),
    }  # fmt: skip

    @takes(Ransom)
    def take_ransom(self, event: Ransom) -> Refusal | None:
        """Record a seat's ransom card; the last one decides the ransom (RT-3 .. RT-8)."""
        laid = self.lay_aside(event)
        if isinstance(laid, Refusal):
            return laid
        self.ransoms = laid
        if None not in laid:
            self.reveal()
        return None

    def reveal(self) -> None:
        """Reveal the ransom cards: set the winner, and trump if there is no choice."""
        self.buyer = ransom_winner(self.ransom_cards())
        if self.buyer is None:
            self.named = True
            if self.rules.options["no_ransom_lead"] == "dealer":
                self.leader = self.turn = self.setup.dealer
        else:
            self.leader = self.turn = self.buyer
            suits = self.choices()
            if len(suits) == 1:
                self.settle_trump(suits[0])
        self.phase = self.after_naming() if self.named else TRUMP

    def instructions(self) -> tuple[Reason, ...]:
        return (Reason("lay-ransom", ("RT-3",)),) if self.phase is RANSOM else ()

    def ransom_reason(self) -> Reason | None:
        """Why someone or no one won the ransom, once all cards are revealed (RT-4, RT-5)."""
        if None in self.ransoms:
            return None
        winning = self.winning()
        if winning is None:
            return Reason("no-ransom", ("RT-5",))
        return Reason("ransom-won", ("RT-4", self.named_by()), {"card": winning})

    def struck_out(self) -> tuple[int, ...]:
        """Seats whose ransom cards cancel because they share a rank (RT-4)."""
        if None in self.ransoms:
            return ()
        ranks = [card.rank if card else "" for card in self.ransom_cards()]
        return tuple(seat for seat, rank in enumerate(ranks) if rank != EXCUSE and ranks.count(rank) > 1)

    def why_trump(self) -> Reason | None:
        """Who set trump, and with which ransom card (RT-6 .. RT-8)."""
        card = self.winning() if self.named else None
        if self.trump is None or card is None:
            return None
        return Reason("trump-by-ransom", (self.named_by(),), {"seat": self.buyer, "card": card})

    def named_by(self) -> str:
        """The clause by which the winning ransom card sets trump."""
        winning = self.winning()
        return "RT-7" if winning is None else BY_RANK.get(winning.rank, "RT-7")

    def ransom_cards(self) -> tuple[Card | None, ...]:
        """Ransom card of each seat; ``None`` if not chosen yet."""
        cards = self.rules.pack.cards
        return tuple(None if card is None else cards[card] for card in self.ransoms)

    def winning(self) -> Card | None:
        """The winning ransom card."""
        return None if self.buyer is None else self.ransom_cards()[self.buyer]

    def choices(self) -> tuple[str, ...]:
        """Suits of the winning ransom card."""
        winning = self.winning()
        return () if winning is None else winning.suits

    @takes(NameTrump)
    def take_trump(self, event: NameTrump) -> Refusal | None:
        """Record the trump named by the ransom winner, a suit of the winning card (RT-7)."""
        if self.phase is not TRUMP:
            return self.not_now(event)
        if event.seat is None:
            return impossible("no-such-seat", "REC-3", phrase="who-names-trump")
        refusal = self.no_such_seat(event.seat) or self.not_a_suit(event.suit)
        if refusal:
            return refusal
        suit, clause = self.rules.pack.suit(event.suit), self.named_by()
        if suit not in self.choices():
            facts = {"suit": self.suit_name(suit), "card": self.winning()}
            return impossible("bad-suit", clause, "REC-9", phrase="not-on-ransom", **facts)
        refusal = self.consent(event, out_of_turn(event.seat, self.buyer, clause))
        if refusal is None:
            self.settle_trump(suit)
            self.phase = self.after_naming()
        return refusal

    def is_to_be_named(self) -> bool:
        return not (self.named or None in self.ransoms)

    def no_card_now(self, event: Play) -> Refusal:
        """Refuse a card until the ransom winner has named trump (RT-7, RT-Q4)."""
        if self.phase is TRUMP:
            return impossible("wrong-phase", self.named_by(), "RT-Q4", "REC-2", phrase="trump-first", seat=self.buyer)
        return super().no_card_now(event)

    def aside(self) -> tuple[int | None, ...]:
        return self.ransoms

    def trump_fits(self, trump: str | None) -> bool:
        """Trump is the same for the whole hand (RT-Q3) and must be on the winning ransom card."""
        if self.named:
            return trump == self.trump
        if self.ways:
            return any(each.trump == trump for each in self.ways)
        if None not in self.ransoms:
            return trump in self.choices()
        return super().trump_fits(trump) and trump in self.open_trumps()

    def trump_clauses(self) -> tuple[str, ...]:
        return ("RT-Q3",) if self.named or None in self.ransoms else (self.named_by(), "RT-Q3")

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        if self.named or trump is None:
            return super().why_no_trump(trump)
        card = self.winning()
        if card is None or trump in self.choices():
            return "trump-by-cards", {}
        return "not-on-ransom", {"card": card}

    def open_trumps(self) -> frozenset[str | None]:
        """Possible trumps given the known ransom cards, while others are missing."""
        loose = [card for card in self.rules.pack.cards if not self.gone >> card.index & 1]
        shown = [card for card in self.ransom_cards() if card]
        if not shown:
            return frozenset(self.rules.suited)
        free = Counter(card.rank for card in loose)
        ranks, missing = tuple(card.rank for card in shown), len(self.ransoms) - len(shown)
        suits: set[str | None] = set()
        for rank, laid in winning_ranks(ranks, missing, tuple(sorted(free.items()))):
            suits.update(suit for card in (shown if laid else loose) if card.rank == rank for suit in card.suits)
            suits.update([None] if rank is None else [])
        return frozenset(suits)

    def reported_trump(self, trump: str | None) -> None:
        self.settle_trump(trump)

    def conclude(self, found: Iterable[Way]) -> None:
        """Fix trump if only one is possible after a trick with unseen cards; else keep the possibilities."""
        able = () if self.named else tuple(dict.fromkeys(way.after for way in found))
        if len(able) == 1:
            self.settle_trump(able[0].trump)
        elif able:
            self.ways = able

    def gather(self, trick: Taken) -> None:
        self.guessed = self.guessed or not (self.named or trick.reason.code == "recorded-winner")
        super().gather(trick)

    def unchecked(self) -> list[Reason]:
        reasons = super().unchecked()
        if self.guessed or (self.taken and not self.named):
            reasons.append(self.trump_not_recorded("RT-12"))
        return reasons

    def to_act(self) -> tuple[int, ...]:
        return (self.buyer,) if self.phase is TRUMP and self.buyer is not None else super().to_act()

    def asks(self) -> tuple[Ask, ...]:
        asks = []
        if self.phase is RANSOM:
            card = Field("cards", "cards", "Ransom card", choices=self.unplayed())
            asks.append(Ask("ransom", "Ransom card", self.to_act(), (card,), secret=True, turn=LAYS))
            if self.rules.bidding:
                first = self.first_bidder()
                asks.append(Ask("bid", "Enter the bids first", (first,), self.bid_fields(first), turn=BIDS))
        if self.phase is TRUMP:
            suit = Field("suit", "suit", "Trump", choices=self.choices())
            names = Turn("{seat} names trump.", "You name trump.")
            asks.append(Ask("trump", "Name trump", self.to_act(), (suit,), turn=names))
        return (*asks, *super().asks())

    def describe(self) -> RansomParts:
        shown = [card.code if card else None for card in self.ransom_cards()]
        opening = self.ransom_reason()
        return {**super().describe(), "ransom_cards": shown, "ransom_winner": self.buyer, "opening": opening}


# --- The game


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
