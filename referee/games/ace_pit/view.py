"""How a hand of Ace Pit is shown: score sheet, tricks with their items, what may come next, the best answers."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Annotated, NamedTuple

from referee.engine.event_kinds import Event
from referee.engine.events import Ask, Field, Play, Preview
from referee.engine.rules import Options
from referee.engine.rulings import Reason, ScoreLine
from referee.engine.sheet import BestParts, DescribedPlayMade, HandParts, TrickParts
from referee.engine.state import PLAY
from referee.games.ace_pit.sets import (
    RESPONDER,
    RESPONSE_OPTIONS,
    Item,
    Outcome,
    both,
    breakdown,
    is_fork,
    is_pin,
    listed,
    no_set_reason,
    outcome_reason,
    without_points,
)
from referee.games.ace_pit.state import LONGEST_RESPONSE, STEP, TRICKS, PitState, PitTrick, most_made
from referee.packs import Card, Pack

# --- The best answers to a laid card: of all cards, or of a hand that the record knows
# While a hand is played nobody's cards are looked at: what is told then follows from the rules and from the cards that
# lie open. Once it is over, every card a player held has been shown; only when a drawn card came can be open (AP-14).


class Answer(NamedTuple):
    """A response that wins, with what it scores."""

    cards: tuple[Card, ...]
    points: int
    items: tuple[Item, ...]


class Best(NamedTuple):
    """The best answer there was to a laid card: ``known`` says that it is of the hand which the responder held.

    ``answer`` is ``None`` where no card of that hand could win.
    """

    known: bool
    answer: Answer | None
    reason: Reason


def best_answer(pack: Pack, laid: int, among: int, options: Options, *, single: bool) -> Answer | None:
    """Return the response that scores most, among some cards (a bit mask); ``single``: of one card (AP-Q11)."""
    switches = tuple((key, bool(options[key])) for key in RESPONSE_OPTIONS)
    return _best(pack, laid, among, switches, options["ace_lead"], single=single)


@lru_cache(maxsize=4096)
def _best(
    pack: Pack, laid: int, among: int, switches: tuple[tuple[str, bool], ...], ace_lead: int, *, single: bool
) -> Answer | None:
    options = {**dict(switches), "ace_lead": ace_lead}
    lay = pack.cards[laid]
    cards = [pack.cards[card] for card in pack.members(among)]
    alone = list(winning(lay, ((card,) for card in cards), options))
    pairs = () if single else winning(lay, pairs_of(lay, cards, alone, options), options)
    return max((*alone, *pairs), key=lambda answer: answer.points, default=None)


def pairs_of(laid: Card, cards: Sequence[Card], alone: Iterable[Answer], options: Options) -> Iterator[Sequence[Card]]:
    """Yield the pairs that can be a set: Pins, Double Forks, and by a house rule two cards that win alone (AP-Q4)."""
    yield from (pair for pair in combinations(cards, 2) if is_pin(laid, pair) or is_fork(pair))
    if options["free_pairs"]:
        singles = [answer.cards[0] for answer in alone]
        yield from (pair for pair in combinations(singles, 2) if not (is_pin(laid, pair) or is_fork(pair)))


def winning(laid: Card, responses: Iterable[Sequence[Card]], options: Options) -> Iterator[Answer]:
    """Yield those of some responses that win, with their points."""
    for response in responses:
        outcome: Outcome = breakdown(laid, response, options)
        if outcome.winner == RESPONDER:
            yield Answer(tuple(response), outcome.points, outcome.items)


# -- in a hand that is played ---------------------------------------------------------------


def best_of(hand: PitState, number: int) -> Best | None:
    """Return the best answer to the card laid in a trick (from 1); nothing where its cards were not recorded."""
    trick = hand.taken[number - 1]
    if trick.laid is None:
        return None
    seat, single = 1 - trick.leader, number == TRICKS
    out = hand.rules.pack.everything & ~gone_before(hand, number) & ~(1 << trick.laid)
    options = hand.rules.options
    most = best_answer(hand.rules.pack, trick.laid, out, options, single=single)
    made = trick.points if trick.winner == seat else 0
    held = hand_of(hand, seat, number)
    facts: dict[str, object] = {"seat": seat}
    if most is None or made >= most.points:
        return Best(held is not None, most, Reason("no-better-answer", ("AP-5",), facts))
    if held is None:
        facts |= {"laid": hand.card(trick.laid), **best_facts(most)}
        if len(hand.taken) == TRICKS and hand.drawn[seat]:
            return Best(False, most, Reason("best-answer-at-all", ("AP-5", "AP-14"), facts, "best-answer-drawn"))
        return Best(False, most, Reason("best-answer-at-all", ("AP-5",), facts))
    best = best_answer(hand.rules.pack, trick.laid, held, options, single=single)
    if best is None:
        return Best(True, None, Reason("no-answer-in-hand", ("AP-5", "AP-12"), facts))
    if made >= best.points:
        return Best(True, best, Reason("no-better-in-hand", ("AP-5",), facts))
    return Best(True, best, Reason("best-answer-in-hand", ("AP-5",), facts | best_facts(best)))


def best_facts(answer: Answer) -> dict[str, object]:
    """Return the cards of an answer and what it scores, for a sentence."""
    return {"cards": both(answer.cards), "sets": listed(answer.items), "sum": answer.points}


def gone_before(hand: PitState, number: int) -> int:
    """Return the cards that were shown in the tricks before one."""
    return union(hand, hand.taken[: number - 1])


def union(hand: PitState, tricks: Iterable[PitTrick]) -> int:
    """Return all cards of some tricks."""
    pack = hand.rules.pack
    shown = 0
    for trick in tricks:
        shown |= pack.mask(trick.response) | (0 if trick.laid is None else 1 << trick.laid)
    return shown


def hand_of(hand: PitState, seat: int, number: int) -> int | None:
    """Return what a seat held when it had to answer in a trick, once the hand is over and if the record tells it.

    Every card left is played by then. A card drawn later lies among those played later; which of them it was is known
    only where none was drawn, or where the hand dealt was entered and holds the others.
    """
    if len(hand.taken) < TRICKS or any(trick.laid is None for trick in hand.taken):
        return None
    later = hand.taken[number - 1 :]
    played = shown_by(hand, seat, later)
    # The draw of this trick itself comes after the answer.
    if not any(draws(trick, seat) for trick in later):
        return played
    entered = hand.setup.known[seat] if hand.setup.known else None
    if entered is None:
        return None
    before = hand.taken[: number - 1]
    drawn = sum(draws(trick, seat) for trick in before)
    shown_already = (shown_by(hand, seat, before) & ~entered).bit_count()
    return played & entered if drawn == shown_already else None


def shown_by(hand: PitState, seat: int, tricks: Iterable[PitTrick]) -> int:
    """Return the cards a seat played in some tricks."""
    cards = 0
    for trick in tricks:
        if trick.leader == seat:
            cards |= 0 if trick.laid is None else 1 << trick.laid
        else:
            cards |= hand.rules.pack.mask(trick.response)
    return cards


def draws(trick: PitTrick, seat: int) -> bool:
    """Return whether a seat drew a card after a trick: it answered with two (AP-14)."""
    return trick.leader != seat and len(trick.response) == LONGEST_RESPONSE


# --- How a hand of Ace Pit is shown: its score sheet, its tricks with their items, what may come next


class PitParts(HandParts):
    """A hand as it is described: besides, how many cards each seat has drawn."""

    drawn: Annotated[list[int], "Cards that each seat has drawn."]


class View(PitState):
    """Describes points and tricks, and what the record can take next."""

    def points(self) -> tuple[int, ...]:
        """Return the points so far: every trick counts at once."""
        made = self.recorded()
        return made if self.rest is None else tuple(a + b for a, b in zip(made, self.rest, strict=True))

    def point_lines(self) -> list[ScoreLine]:
        """Return one line for each trick, and one for what a result added."""
        lines = [ScoreLine(trick.winner, trick.points, self.reason(trick)) for trick in self.taken]
        for seat, points in enumerate(self.rest or ()):
            if points:
                reason = Reason("rest-of-hand", ("AP-18", "REC-19"), {"seat": seat, "points": points})
                lines.append(ScoreLine(seat, points, reason))
        return lines

    def reason(self, trick: PitTrick) -> Reason:
        """Return why a trick went as it did."""
        if trick.laid is None:
            return Reason("recorded-winner", ("REC-19",), {"seat": trick.winner})
        cards, options = self.rules.pack.cards, self.rules.options
        laid, response = cards[trick.laid], [cards[card] for card in trick.response]
        outcome = breakdown(laid, response, options)
        return outcome_reason(laid, response, outcome, options, leader=trick.leader, responder=1 - trick.leader)

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked from what was recorded (REC-19)."""
        reasons = []
        unknown = self.rules.players - sum(known is not None for known in self.setup.known)
        if unknown:
            facts = {"count": unknown}
            reasons.append(Reason("hands-unknown", ("REC-8", "REC-19"), facts, "hands-unknown-cards"))
        empty = sum(trick.laid is None for trick in self.taken)
        if empty:
            reasons.append(Reason("tricks-without-cards", ("REC-19",), {"count": empty}, "tricks-without-cards-points"))
        if self.rest is not None:
            count = TRICKS - len(self.taken)
            reasons.append(Reason("result-only", ("REC-19",), {"count": count}, "result-only-points"))
        return reasons

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next: a lay, or a response, or a summary instead."""
        if self.phase is not PLAY:
            return ()
        pack = self.rules.pack
        choices = tuple(card.code for card in pack.cards if not self.gone >> card.index & 1)
        seats = self.to_act()
        if self.laid is not None:
            most = min(LONGEST_RESPONSE, self.cards_left()[seats[0]])
            response = Field("cards", "cards", "Response", choices=choices, count=(1, most))
            return (Ask("play", "Respond", seats, (response,), preview=True),)
        lay = Field("cards", "cards", "Card", choices=choices)
        least, most = self.range_of_points()
        hidden = self.hides_points()
        made = Field(
            "points", "numbers", "Points of each player", least=least, most=most,
            floors=() if hidden else self.recorded(), step=STEP,
        )  # fmt: skip
        return (
            Ask("play", "Lay", seats, (lay,)),
            Ask("trick", "Trick won by", (), self.trick_fields()),
            Ask("result", "Result of the hand", (), (made,), telling=hidden),
        )

    def range_of_points(self) -> tuple[int, int]:
        """Return the least and the most a player can have at the end of the hand, as far as may be told (AP-18)."""
        if self.hides_points():
            return 0, most_made(self.rules.options, tricks=TRICKS)
        made = self.recorded()
        return min(made), max(made) + most_made(self.rules.options, tricks=TRICKS - len(self.taken))

    def preview(self, event: Event) -> Preview | None:
        """Say what a response would win, and with which sets, before it is confirmed."""
        laid = self.laid
        if laid is None or not isinstance(event, Play) or not 1 <= len(event.cards) <= LONGEST_RESPONSE:
            return None
        pack, options = self.rules.pack, self.rules.options
        found = [card for code in event.cards if (card := pack.find(code)) is not None]
        if len(found) < len(event.cards) or pack.mask(found) & self.gone:
            return None
        response = [pack.cards[card] for card in found]
        outcome = breakdown(pack.cards[laid], response, options)
        if outcome.winner is None:
            return Preview(False, (no_set_reason(pack.cards[laid], response, options),))
        seats = {"leader": self.leader, "responder": 1 - self.leader}
        full = outcome_reason(pack.cards[laid], response, outcome, options, **seats)
        reason = without_points(full) if self.hides_points() else full
        return Preview(True if outcome.winner == RESPONDER else None, (reason,))

    def trick_fields(self) -> tuple[Field, ...]:
        """Return what a trick without cards needs: its winner, and what it can have been worth."""
        worths = sorted(self.possible(0) | self.possible(1))
        return (
            Field("winner", "seat", "Winner", ("0", "1")),
            Field("points", "points", "Points", tuple(map(str, worths)), least=worths[0], most=worths[-1]),
        )

    def describe(self) -> PitParts:
        """Return this hand's tricks for the adjudication, and the cards each seat has drawn."""
        tricks = [self.entry(number, trick) for number, trick in enumerate(self.taken, 1)]
        if self.laid is not None:
            plays = [self.shown(self.leader, (self.laid,))]
            number = len(self.taken) + 1
            tricks.append(
                {
                    "number": number, "leader": self.leader, "plays": plays,
                    "winner": None, "points": {}, "trump": None, "reason": None,
                }
            )  # fmt: skip
        return {
            "trump": None, "suit_order": None, "bids": [None, None],
            "tricks_won": list(self.tricks_won()), "drawn": list(self.drawn), "tricks": tricks,
        }  # fmt: skip

    def describe_without_points(self) -> HandParts:
        """Return this hand's tricks with cards and winners, and what was made of them only by name (AP-18)."""
        described = super().describe_without_points()
        for shown in described["tricks"]:
            if shown["reason"] is not None:
                shown["reason"] = without_points(shown["reason"])
                shown["details"] = {"lines": []}
        return described

    def entry(self, number: int, trick: PitTrick) -> TrickParts:
        """Describe a finished trick, its items as lines of the reason, and the best answer there was."""
        plays = []
        if trick.laid is not None:
            plays = [self.shown(trick.leader, (trick.laid,)), self.shown(1 - trick.leader, trick.response)]
        entry: TrickParts = {
            "number": number, "leader": trick.leader, "plays": plays, "winner": trick.winner,
            "points": {str(trick.winner): trick.points}, "trump": None, "reason": self.reason(trick),
            "details": {"lines": [{"item": item.item, "points": item.points} for item in trick.items]},
        }  # fmt: skip
        best = best_of(self, number)
        if best is not None:
            answer = best.answer
            parts: BestParts = {
                "known": best.known,
                "cards": [] if answer is None else [card.code for card in answer.cards],
                "points": 0 if answer is None else answer.points,
                "reason": best.reason,
            }
            entry["best"] = parts
        return entry

    def shown(self, seat: int, cards: Sequence[int]) -> DescribedPlayMade:
        """Return the cards that a seat laid or responded with, as the adjudication lists a play."""
        return {"seat": seat, "cards": [self.card(card).code for card in cards]}
