"""Who sits where in a round of American Deuce, and how many cards each is dealt."""

from collections.abc import Sequence

from referee.engine.options import Options

TITLES = ("President-Elect", "Vice", "Secretary")
"""Titles from the President-Elect clockwise; the seat at her right is the Deplorable (AD-4, AD-A3)."""
LAST_TITLE = "Deplorable"
PACK = 52
ONE_PACK = 4


def titles(seating: tuple[int, ...]) -> tuple[str | None, ...]:
    """Return the title of each seat, by seat; in the middle of a big table there is none (AD-4, AD-A3).

    >>> titles((2, 3, 0, 1))
    ('Secretary', 'Deplorable', 'President-Elect', 'Vice')
    """
    held = {seating[-1]: LAST_TITLE} | dict(zip(seating, TITLES, strict=False))
    return tuple(held.get(seat) for seat in range(len(seating)))


def seats_from(seating: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Return the seats clockwise, beginning with this one (AD-14).

    >>> seats_from((0, 1, 2, 3), 2)
    (2, 3, 0, 1)
    """
    place = seating.index(first)
    return seating[place:] + seating[:place]


def reseated(seating: tuple[int, ...], worst: Sequence[int]) -> tuple[int, ...]:
    """Return the seating with the losers moved: the best at the winner's left (AD-A2, AD-Q23).

    ``worst`` has a number per seat, the lowest for the best; equal ones keep their order.
    """
    return (seating[0], *sorted(seating[1:], key=lambda seat: worst[seat]))


def cards_each(players: int, options: Options) -> tuple[int, ...]:
    """Return how many cards are dealt, from the dealer's left; the dealer is last (AD-Q14).

    >>> cards_each(7, {"deal": "all"})
    (15, 15, 15, 15, 15, 15, 14)
    """
    cards = PACK if players == ONE_PACK else 2 * PACK
    each, over = divmod(cards, players)
    if options["deal"] == "even":
        over = 0
    return tuple(each + (place < over) for place in range(players))


def hand_sizes(seating: tuple[int, ...], options: Options) -> tuple[int, ...]:
    """Return how many cards each seat is dealt, by seat (AD-Q5)."""
    from_left = (*seating[1:], seating[0])
    sizes = dict(zip(from_left, cards_each(len(seating), options), strict=True))
    return tuple(sizes[seat] for seat in range(len(seating)))
