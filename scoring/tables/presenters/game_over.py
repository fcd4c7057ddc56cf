"""Presenter of the end of a game: winner and margin, points as piles of cards, and what decided it."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.engine.sheet import DescribedHand
from referee.engine.table import next_dealer
from scoring.tables.presenters.cards import Face, Shown, faces_of
from scoring.tables.presenters.curves import ScoreSheet
from scoring.tables.presenters.formats import listed, number
from scoring.tables.presenters.people import Somebody, at_table
from scoring.tables.reads.state import Standing
from scoring.wording import filled

FULL = 100
"""Height of the tallest pile, in percent."""
LOW = 30
"""Minimum height of a pile that shows its place."""
STANDS = {1: 24, 2: 24, 3: 18, 4: 16, 5: 7, 6: 6}
"""Longest name, by the number of piles, with which piles stand side by side on a phone; otherwise they are horizontal.
"""
SHORT = 9
"""Longest name that fits beside a horizontal pile."""
ROOM_ABOVE = 60
"""With a few piles, two cards are shown above the lowest one if it is no higher than this."""
SIZES = ((9, 10, ""), (11, 13, "line"), (9, 20, ""), (13, 44, "long"), (19, 76, "longer"))
"""Maximum lengths of a headline's longest word and of the whole headline, with the CSS class of its size."""
MOST_FALLING, OWN_TRICKS, MOST_NAMED = 4, 2, 2
FEWEST_HANDS = 3
"""Minimum number of hands for mentioning a lead that was never lost, or the hand that turned the game."""
BEHIND = {
    2: gettext_lazy("You came second."),
    3: gettext_lazy("You came third."),
    4: gettext_lazy("You came fourth."),
    5: gettext_lazy("You came fifth."),
    6: gettext_lazy("You came sixth."),
    7: gettext_lazy("You came seventh."),
    8: gettext_lazy("You came eighth."),
}


class Pile(NamedTuple):
    """Points as a pile of cards, in percent of the height: ``up`` from zero or ``down``, and the ``rest`` below."""

    who: Somebody
    points: str
    place: int
    up: int
    down: int
    rest: int
    shape: str


class Piles(NamedTuple):
    """Piles by place, and the CSS classes of their list."""

    piles: tuple[Pile, ...]
    shape: str


def piles(people: Sequence[Somebody], totals: Sequence[int], places: Sequence[int]) -> Piles:
    """Return the piles of players, to scale.

    >>> people = [Somebody("Ann", "A", "blue"), Somebody("Bob", "B", "orange")]
    >>> [(pile.up, pile.down, pile.rest) for pile in piles(people, (30, -10), (1, 2)).piles]
    [(75, 0, 25), (0, 25, 0)]
    """
    highest, lowest = max(*totals, 0), min(*totals, 0)

    def share(points: int) -> int:
        return round(points * FULL / (highest - lowest or 1))

    made = [
        Pile(
            people[seat],
            number(total := totals[seat]),
            places[seat],
            share(max(total, 0)),
            share(max(-total, 0)),
            share(min(total, 0) - lowest),
            " ".join(["first"] * (places[seat] == 1) + ["low"] * (not lowest and share(total) < LOW)),
        )
        for seat in sorted(range(len(people)), key=lambda seat: places[seat])
    ]
    longest = max(len(who.name) for who in people)
    lie = longest > STANDS.get(len(made), 0)
    room = not lie and min(pile.up for pile in made) <= ROOM_ABOVE and not lowest
    shape = f"of-{len(made)}" + " lie" * lie + " short" * (longest <= SHORT) + " room" * room
    return Piles(tuple(made), shape)


def places_of(at: Standing, totals: Sequence[int]) -> list[int]:
    """Return each seat's place, from 1; partners and tied players share one."""
    sides = dict.fromkeys(at.rules.sides)
    return [at.state.rules.rank(total, (totals[side[0]] for side in sides)) for total in totals]


def standings(at: Standing) -> Piles:
    totals = at.state.totals()
    return piles(at_table(at.row), totals, places_of(at, totals))


class GameOver(Shown):
    """A finished game: ``headline`` names the winner, in a font ``size``; ``summary`` says by how much.

    On a player's own phone, ``own`` is the player, ``won`` whether they won, ``place`` another player's result, and
    ``cards`` those that won their last tricks. ``falling`` are cards of the last hand, ``turning`` the hand that
    decided the game, ``dealer`` the dealer of a next game.
    """


def game_over(
    at: Standing, described: DescribedHand | None, sheet: ScoreSheet, own: int | None, *, goes_on: bool, shown: bool
) -> GameOver:
    names, people, totals = at.names, at_table(at.row), at.state.totals()
    first = at.state.winners()
    places = places_of(at, totals)
    won = own is not None and own in first and not goes_on
    headline = _("You win!") if won else headline_of([names[seat] for seat in first], goes_on=goes_on)
    cards = own_cards(at, described, own) if won and own is not None else ()
    return GameOver(
        headline=headline,
        size=size_of(headline),
        summary=summary_of(at, first) if shown else "",
        hands=sum(hand.settled for hand in sheet.hands),
        piles=standings(at) if shown else None,
        own=None if own is None else people[own],
        won=won,
        place="" if own is None or won or goes_on or not shown else str(BEHIND.get(places[own], "")),
        cards=cards,
        card_names=", ".join(card.short for card in cards),
        falling=falling_cards(at, described),
        turning=turning_point(sheet, first) if not goes_on else "",
        dealer=names[next_dealer(at.state)],
        totals=", ".join(number(total) for total in sorted(totals, key=at.state.rules.worth, reverse=True))
        if shown
        else "",
    )


def headline_of(names: Sequence[str], *, goes_on: bool) -> str:
    if goes_on:
        return filled(ngettext("{names} leads", "{names} lead", len(names)), names=listed(names))
    return filled(ngettext("{names} wins", "{names} win", len(names)), names=listed(names))


def size_of(headline: str) -> str:
    """Return the CSS class of a font size with which a headline fits on a phone.

    >>> size_of("Anna wins"), size_of("Dominik wins"), size_of("Anna and Ben win"), size_of("Bartholomew wins")
    ('', 'line', '', 'long')
    """
    longest = max(map(len, headline.split()))
    return next((size for word, whole, size in SIZES if longest <= word and len(headline) <= whole), "longest")


def summary_of(at: Standing, first: Sequence[int]) -> str:
    """Describe the winners' points, and how far behind the next players are."""
    totals, rules, sides = at.state.totals(), at.state.rules, at.state.rules.sides
    most = totals[first[0]]
    points = filled(ngettext("{points} point", "{points} points", most), points=number(most))
    if len({sides[seat] for seat in first}) > 1:
        points = filled(ngettext("{points} point each", "{points} points each", most), points=number(most))
    behind = [total for total in totals if total != most]
    if not behind:
        return points
    second = max(behind, key=rules.worth)
    after = [at.names[seat] for seat, total in enumerate(totals) if total == second]
    margin = number(abs(most - second))
    if rules.lowest_wins and len(after) <= MOST_NAMED:
        return filled(_("{points}, {margin} fewer than {names}"), points=points, margin=margin, names=listed(after))
    if len(after) > MOST_NAMED:
        return filled(_("{points}, {margin} ahead"), points=points, margin=margin)
    return filled(_("{points}, {margin} ahead of {names}"), points=points, margin=margin, names=listed(after))


def turning_point(sheet: ScoreSheet, winners: Sequence[int]) -> str:
    """Describe in which hand the winners took the lead for good; empty for short games."""
    rows = sheet.totals if sheet.shown else ()
    if len(rows) <= FEWEST_HANDS or len({sheet.rules.sides[seat] for seat in winners}) > 1:
        return ""
    led = [set(sheet.rules.ahead(totals)) == set(winners) for _hand, totals in rows]
    if not led[-1]:
        return ""
    names = listed(sheet.names[seat] for seat in winners)
    since = len(led) - led[::-1].index(False) if False in led else 0
    if since <= 1:
        return ""
    hand = _("the last hand") if since == len(led) - 1 else filled(_("hand {number}"), number=rows[since][0])
    lead = filled(ngettext("{names} takes the lead.", "{names} take the lead.", len(winners)), names=names)
    return f"{hand}, {lead}"


def own_cards(at: Standing, described: DescribedHand | None, seat: int) -> tuple[Face, ...]:
    """Return the cards with which a player won their last tricks, the latest last."""
    tricks = [trick for trick in (described["tricks"] if described else ()) if trick["winner"] == seat]
    played = [
        play.get("cards", ()) for trick in tricks[-OWN_TRICKS:] for play in trick["plays"] if play["seat"] == seat
    ]
    return faces_of((cards[-1] for cards in played if cards and cards[-1] in at.rules.pack.codes), at.rules.pack)


def falling_cards(at: Standing, described: DescribedHand | None) -> tuple[Face, ...]:
    """Return cards of the last hand, starting with its last tricks."""
    tricks = reversed(described["tricks"] if described else ())
    codes = dict.fromkeys(code for trick in tricks for play in trick["plays"] for code in play.get("cards", ()))
    return faces_of([code for code in codes if code in at.rules.pack.codes][:MOST_FALLING], at.rules.pack)
