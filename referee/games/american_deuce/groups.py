"""Which cards can be played together: combinations kind by kind, from the strongest down (AD-15 .. AD-29)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations, product

from referee.engine.interleaving import in_turns
from referee.games.american_deuce.beating import strength
from referee.games.american_deuce.combinations import RANKS, RIOT_SIZE, STRAIGHTS
from referee.games.american_deuce.state import RoundState
from referee.packs import Card

FIVE = 5
Group = tuple[Card, ...]
Ranks = Mapping[str, Group]


def card_groups(hand: RoundState, seat: int, choices: Sequence[str], held: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the codes of what a seat can put together from these cards, ``held`` among them.

    Of what lies only the number of cards is looked at; whether it is beaten the referee judges.
    """
    cards = sorted(playable(hand, seat, choices), key=lambda card: strength(card, hand.suits), reverse=True)
    wanted = tuple(card for card in cards if card.code in held)
    if len(wanted) == len(set(held)):
        for group in in_turns(kinds(cards, wanted, numbers(hand, seat))):
            yield tuple(card.code for card in group)


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
