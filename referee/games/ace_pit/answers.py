"""The best answers to a laid card: of all cards, or of a hand that the record knows.

While a hand is played nobody's cards are looked at: what is told then follows from the rules and from the cards that
lie open. Once it is over, every card a player held has been shown; only when a drawn card came can be open (AP-14).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from referee.engine.options import Options
from referee.engine.rulings import Reason
from referee.games.ace_pit.reasons import both, listed
from referee.games.ace_pit.sets import (
    RESPONDER,
    RESPONSE_OPTIONS,
    Item,
    Outcome,
    breakdown,
    is_fork,
    is_pin,
)
from referee.games.ace_pit.state import LONGEST_RESPONSE, TRICKS, PitState, PitTrick
from referee.packs import Card, Pack


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
