"""Every way of filling in the cards of a trick that nobody saw: who wins with them, and what is trump then (REC-19).

A card can have been any that its player may have held: not played, not in another entered hand, not lying aside. A way
takes one trump before the trick, one course of the cards that change it, one lead and one winning card; whether cards
that lose to it are left for the other places is a question of matching. So no way is missed and none is made up,
however many cards are open.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count

from referee.tricks.resolve import Played
from referee.tricks.state import Able, TrickState, Way

MOST_TRIED = 20_000
"""So many matchings are tried for one trick; what is left then is taken as possible."""


def ways(hand: TrickState, plays: Sequence[Played], able: Able) -> Iterator[Way]:
    """Yield each way once, for a trick of these plays whose places can hold these cards."""
    trial, tried, aside = hand.copy(), count(), hand.kept_aside()
    found: set[Way] = set()
    for before in hand.standings():
        for trump, after, cards in hand.courses(before, plays, able):
            open_places = [place for place, play in enumerate(plays) if Way(play[0], before, trump, after) not in found]
            for laid in leads(trial, plays, cards):
                if not open_places:
                    break
                trial.trump = trump
                for place in tuple(open_places):
                    if can_win(trial, plays, laid, place, aside, tried):
                        open_places.remove(place)
                        way = Way(plays[place][0], before, trump, after)
                        found.add(way)
                        yield way


def leads(trial: TrickState, plays: Sequence[Played], able: Able, place: int = 0) -> Iterator[Able]:
    """Yield the cards with one of them led, which is then the lead of the trial hand."""
    if place == len(plays):
        return
    seat, _, _, suit = plays[place]
    for card in trial.rules.pack.members(able[place]):
        laid = (*able[:place], 1 << card, *able[place + 1 :])
        for named in (suit,) if suit else trial.suits_named(plays[: place + 1], card):
            trial.plays, trial.lead, trial.follows = tuple(plays[:place]), None, trial.rules.nobody
            trial.open_suit(seat, card, named)
            if trial.leads_nothing():
                yield from leads(trial, plays, laid, place + 1)
                break
            yield laid


def can_win(
    trial: TrickState, plays: Sequence[Played], able: Able, place: int, aside: tuple[int, ...], tried: Iterator[int]
) -> bool:
    """Return whether a card in this place can win by the lead and the trump of the trial hand."""
    for card in reversed(trial.rules.pack.members(able[place])):
        losing = beaten_by(trial, plays, able, place, card)
        if losing is not None and (next(tried) > MOST_TRIED or matched((*losing, *aside))):
            return True
    return False


def beaten_by(trial: TrickState, plays: Sequence[Played], able: Able, place: int, card: int) -> Able | None:
    """Return the cards in every place that lose to this one, itself in its own; ``None`` where it cannot win."""
    rules, seat = trial.rules, plays[place][0]
    trumps, follows = trial.trumps(), trial.follows
    trumped = trumps[seat] >> card & 1
    if not trumped and not follows[seat] >> card & 1:
        return None
    lower, equal = around(rules.ranks, rules.ranks[card])
    losing = []
    for other, cards in enumerate(able):
        own, asked = trumps[plays[other][0]], follows[plays[other][0]]
        if other == place:
            lost = 1 << card
        elif trumped:
            lost = cards & (~own | lower | (equal if other > place else 0))
        else:
            lost = cards & ~own & (~asked | lower)
            tied = cards & ~own & asked & equal
            lost |= sum(
                1 << rival for rival in rules.pack.members(tied) if wins_tie(trial, (place, card), (other, rival))
            )
        if not lost:
            return None
        losing.append(lost)
    return tuple(losing)


def wins_tie(trial: TrickState, winning: tuple[int, int], rival: tuple[int, int]) -> bool:
    """Return whether the first of two equal cards that follow beats the other; each comes with its place."""
    pair = sorted((winning, rival))
    return trial.tie_rule()([(place, card, place, None) for place, card in pair])[0][1] == winning[1]


@lru_cache(maxsize=512)
def around(ranks: tuple[int, ...], rank: int) -> tuple[int, int]:
    """Return the cards below a rank, and those of it, as bit masks."""
    lower = sum(1 << card for card, each in enumerate(ranks) if each < rank)
    return lower, sum(1 << card for card, each in enumerate(ranks) if each == rank)


def matched(places: Sequence[int]) -> bool:
    """Return whether every place can hold a card of its own."""
    holder: dict[int, int] = {}

    def seat_one(place: int, seen: set[int]) -> bool:
        cards = places[place]
        while cards:
            card = cards & -cards
            cards ^= card
            if card in seen:
                continue
            seen.add(card)
            if card not in holder or seat_one(holder[card], seen):
                holder[card] = place
                return True
        return False

    return all(seat_one(place, set()) for place in range(len(places)))
