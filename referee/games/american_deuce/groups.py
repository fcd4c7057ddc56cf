"""Which cards can be played together: combinations kind by kind, from the strongest down (AD-15 .. AD-29)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, combinations, permutations, product
from operator import or_

from referee.engine.interleaving import interleave
from referee.games.american_deuce.beating import Lying, compare, strength
from referee.games.american_deuce.combinations import COLOURS, RANKS, RIOT_SIZE, STRAIGHTS, recognise
from referee.games.american_deuce.state import RoundState
from referee.packs import Card

FIVE = 5
Group = tuple[Card, ...]
Ranks = Mapping[str, Group]


def card_groups(hand: RoundState, seat: int, choices: Sequence[str], held: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the codes of what a seat can put together from these cards, ``held`` among them.

    Of what lies only the number of cards is looked at, and whether anything beats it; what does the referee judges.
    """
    if not beatable(hand, seat):
        return
    cards = sorted(playable(hand, seat, choices), key=lambda card: strength(card, hand.suits), reverse=True)
    wanted = tuple(card for card in cards if card.code in held)
    if len(wanted) == len(set(held)):
        for group in interleave(kinds(cards, wanted, numbers(hand, seat))):
            yield tuple(card.code for card in group)


def beatable(hand: RoundState, seat: int) -> bool:
    """Return whether any cards that this seat may still hold beat what lies (AD-10); a lead has nothing to beat."""
    if hand.last is None:
        return True
    codes = tuple(card.code for card in hand.rules.pack.cards if not gone_from(hand) >> card.index & 1)
    cards = sorted(playable(hand, seat, codes), key=lambda card: strength(card, hand.suits), reverse=True)
    lying = Lying(len(hand.last.cards), recognise(hand.cards(hand.last.cards)))
    allowed = numbers(hand, seat)
    return any(
        compare(group, lying, suits=hand.suits, options=hand.rules.options, under_five=hand.five).beats
        for play in strongest(cards, allowed)
        if (group := recognise(play)) is not None
    )


def strongest(cards: Sequence[Card], allowed: Sequence[int]) -> Iterator[Group]:
    """Yield the strongest combinations of these cards, the best first: what none of them beats, nothing does."""
    of_rank = {rank: tuple(card for card in cards if card.rank == rank) for rank in reversed(RANKS)}
    of_suit = {suit: tuple(card for card in cards if card.suits[0] == suit) for suit in COLOURS}
    for same in of_rank.values():
        yield from (same[:number] for number in allowed if number <= len(same))
        if RIOT_SIZE in allowed:
            coloured = (tuple(card for card in same if COLOURS[card.suits[0]] == colour) for colour in COLOURS.values())
            yield from (riot[:RIOT_SIZE] for riot in coloured if len(riot) >= RIOT_SIZE)
    if FIVE not in allowed:
        return
    for three, two in permutations(of_rank.values(), 2):
        if len(three) >= 3 and len(two) >= 2:
            yield three[:3] + two[:2]
    for suited in (cards, *of_suit.values()):
        for sequence in STRAIGHTS:
            found = [next((card for card in suited if card.rank == rank), None) for rank in sequence]
            yield tuple(card for card in found if card is not None)
    yield from (suited[:FIVE] for suited in of_suit.values())


def gone_from(hand: RoundState) -> int:
    """Return the cards that have been played."""
    return reduce(or_, hand.played)


def playable(hand: RoundState, seat: int, choices: Sequence[str]) -> Iterator[Card]:
    """Yield the cards that the seat can hold; after an exchange nobody says so beforehand."""
    known = hand.setup.known[seat] if hand.setup.known and hand.exchange is None else None
    for card in hand.rules.pack.cards:
        if card.code in choices and (known is None or known >> card.index & 1):
            yield card


def numbers(hand: RoundState, seat: int) -> tuple[int, ...]:
    """Return how many cards a play of this seat may have now; a riot beats whatever lies."""
    left = hand.left[seat]
    if hand.last is not None:
        allowed = {len(hand.last.cards), RIOT_SIZE}
    elif hand.lock and left >= hand.lock:
        allowed = {hand.lock, RIOT_SIZE}
    else:
        allowed = set(range(1, FIVE + 1))
    return tuple(number for number in sorted(allowed) if number <= left)


def kinds(cards: Sequence[Card], held: Group, allowed: Sequence[int]) -> Iterator[Iterator[Group]]:
    """Yield, for each kind of combination, all of that kind that the held cards are among."""
    of_rank = {rank: tuple(card for card in cards if card.rank == rank) for rank in reversed(RANKS)}
    for number in allowed:
        yield alike(of_rank, held, number)
    if FIVE in allowed:
        yield full_houses(of_rank, held)
        yield straights(of_rank, held)
        yield flushes(cards, held)


def alike(of_rank: Ranks, held: Group, number: int) -> Iterator[Group]:
    """Yield so many cards of one rank."""
    return chain.from_iterable(some(same, held, number) for same in of_rank.values() if set(held) <= set(same))


def full_houses(of_rank: Ranks, held: Group) -> Iterator[Group]:
    """Yield three of one rank with two of another."""
    for three, two in permutations(of_rank, 2):
        if all(card.rank in (three, two) for card in held):
            triples = some(of_rank[three], of(three, held), 3)
            yield from (a + b for a, b in product(triples, tuple(some(of_rank[two], of(two, held), 2))))


def straights(of_rank: Ranks, held: Group) -> Iterator[Group]:
    """Yield five in sequence, of any suits."""
    for sequence in reversed(STRAIGHTS):
        if all(card.rank in sequence for card in held) and len({card.rank for card in held}) == len(held):
            yield from product(*(of(rank, held) or of_rank[rank] for rank in reversed(sequence)))


def flushes(cards: Sequence[Card], held: Group) -> Iterator[Group]:
    """Yield five of one suit."""
    for suit in dict.fromkeys(card.suits[0] for card in cards):
        if all(card.suits[0] == suit for card in held):
            yield from some([card for card in cards if card.suits[0] == suit], held, FIVE)


def of(rank: str, held: Group) -> Group:
    """Return the cards of a rank among those held."""
    return tuple(card for card in held if card.rank == rank)


def some(cards: Sequence[Card], held: Group, number: int) -> Iterator[Group]:
    """Yield so many of these cards, those held among them."""
    others = [card for card in cards if card not in held]
    return (held + more for more in combinations(others, number - len(held))) if number >= len(held) else iter(())
