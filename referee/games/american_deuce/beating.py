"""What beats what: two combinations compared under the order of suits the cabinet named.

The number of cards has to agree and the better rank wins, then the better suit, then the trump
deck; riots beat everything but better riots (AD-10, AD-24) and, mixed ones, five of a kind
(AD-30).
"""

from collections.abc import Sequence
from typing import NamedTuple

from referee.engine.language import say
from referee.engine.options import Options
from referee.engine.rulings import Reason
from referee.games.american_deuce.combinations import (
    COLOURS,
    RANK_OF,
    Combination,
    Kind,
    name_combination,
)
from referee.packs import Card

FIVE_CARDS = (Kind.STRAIGHT, Kind.FLUSH, Kind.FULL_HOUSE, Kind.STRAIGHT_FLUSH, Kind.FIVE)
"""Five-card combinations from low to high (AD-19, AD-29)."""
CLAUSES = {
    Kind.SINGLE: "AD-16", Kind.PAIR: "AD-17", Kind.TRIPLE: "AD-18", Kind.STRAIGHT: "AD-20",
    Kind.FLUSH: "AD-21", Kind.FULL_HOUSE: "AD-22", Kind.STRAIGHT_FLUSH: "AD-23",
    Kind.RIOT: "AD-24", Kind.FIVE: "AD-29",
}  # fmt: skip


class Lying(NamedTuple):
    """What is to be beaten: so many cards, and the combination they are.

    ``combination`` is ``None`` for an accepted play that was none: it is below every
    combination of as many cards, and below every riot.
    """

    number: int
    combination: Combination | None


class Comparison(NamedTuple):
    """Whether a play beats what lies, and why."""

    beats: bool
    reason: Reason


def strength(card: Card, suits: Sequence[str]) -> tuple[int, int, bool]:
    """Return a card's strength: rank, then suit, then deck (AD-16, AD-28).

    ``suits`` is the order of suits, highest first.
    """
    return (RANK_OF[card.rank], -suits.index(card.suits[0]), card.star)


def compare(
    play: Combination,
    lying: Lying,
    *,
    suits: Sequence[str],
    options: Options,
    under_five: bool,
) -> Comparison:
    """Decide whether ``play`` beats what is ``lying`` on the table.

    ``under_five`` says that a five of a kind has been played to this trick (AD-Q20).
    """
    on = lying.combination
    if play.kind is Kind.RIOT:
        return _riot(play, on, suits=suits, options=options, under_five=under_five)
    if on is not None and on.kind is Kind.RIOT:
        return _answer(play, on, "AD-24", beats=False, phrase="riot-lies")
    if play.number != lying.number:
        return _answer(play, on, "AD-10", beats=False, phrase="other-number", number=lying.number)
    if on is None:
        return _answer(play, on, "AD-10", "IR-15", beats=True, phrase="beats-no-combination")
    if on.kind is not play.kind:
        if options["same_type"]:
            return _answer(play, on, "AD-Q28", beats=False, phrase="other-kind")
        better = FIVE_CARDS.index(play.kind) > FIVE_CARDS.index(on.kind)
        above = ("AD-29",) if Kind.FIVE in (play.kind, on.kind) else ()
        return _answer(play, on, "AD-19", *above, beats=better)
    clauses = [CLAUSES[play.kind]]
    if play.ranks != on.ranks:
        return _answer(play, on, *clauses, beats=play.ranks > on.ranks)
    if play.kind in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH):
        clauses.append("AD-Q4")
    best, other = _best(play, suits), _best(on, suits)
    if best[1] == other[1] or play.kind in (Kind.TRIPLE, Kind.FULL_HOUSE):
        clauses += ["AD-28", "AD-Q17"]
    return _answer(play, on, *clauses, "AD-6", beats=best > other)


def _riot(
    play: Combination,
    on: Combination | None,
    *,
    suits: Sequence[str],
    options: Options,
    under_five: bool,
) -> Comparison:
    """Compare a riot: by rank, then, at most tables, by colour and best card (AD-Q18)."""
    if under_five and play.colour is None:
        return _answer(play, on, "AD-30", "AD-Q20", beats=False, phrase="riot-too-weak")
    if on is None or on.kind is not Kind.RIOT:
        over = ("AD-30",) if under_five else ()
        return _answer(play, on, "AD-24", *over, beats=True, phrase="riot-beats")
    if play.ranks != on.ranks:
        above = () if play.colour == on.colour else ("AD-Q19",)
        return _answer(play, on, "AD-24", *above, beats=play.ranks > on.ranks)
    if options["riot_equal"] == "never":
        return _answer(play, on, "AD-24", "AD-Q18", beats=False)
    colour = COLOURS[suits[0]]
    weights = [(riot.colour is not None, riot.colour == colour, _best(riot, suits)) for riot in (play, on)]
    return _answer(play, on, "AD-Q18", "AD-31", beats=weights[0] > weights[1])


def _best(combination: Combination, suits: Sequence[str]) -> tuple[int, int, bool]:
    return max(strength(card, suits) for card in combination.heads)


def _answer(
    play: Combination,
    on: Combination | None,
    *clauses: str,
    beats: bool,
    phrase: str = "",
    **facts: object,
) -> Comparison:
    """Return the answer with its reason."""
    facts |= {"play": name_combination(play), "on": name_combination(on) if on else say("last play")}
    code = "beats" if beats else "does-not-beat"
    return Comparison(beats, Reason(code, clauses, facts, phrase))
