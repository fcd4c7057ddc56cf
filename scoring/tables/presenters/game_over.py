"""The end of a game, as a scene: who has won and by how much, the points as piles, and what decided it."""

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
"""How tall the tallest pile is, in hundredths of the room."""
LOW = 30
"""A pile that is lower has no room for its place."""
STANDS = {1: 24, 2: 24, 3: 18, 4: 16, 5: 7, 6: 6}
"""Letters that the longest name may have for so many piles to stand side by side on a phone; else they lie."""
SHORT = 9
"""A name of so many letters has room beside a pile that lies."""
ROOM_ABOVE = 60
"""Where the lowest of a few piles is no higher, two cards lie above it."""
SIZES = ((9, 10, ""), (11, 13, "line"), (9, 20, ""), (13, 44, "long"), (19, 76, "longer"))
"""How long the longest word and the whole of a headline are at most, and the class of its size."""
MOST_FALLING, OWN_TRICKS, MOST_NAMED = 4, 2, 2
FEWEST_HANDS = 3
"""In so many hands, a lead that was never lost is worth a sentence, and so is the hand that turned the game."""
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
    """Points as a pile of cards, in hundredths of the room: ``up`` from nothing or ``down``, and the ``rest`` below."""

    who: Somebody
    points: str
    place: int
    up: int
    down: int
    rest: int
    shape: str


class Piles(NamedTuple):
    """Piles from the first place, and the classes of their list."""

    piles: tuple[Pile, ...]
    shape: str


def piles(people: Sequence[Somebody], totals: Sequence[int], places: Sequence[int]) -> Piles:
    """Return the piles of some people, in true proportion.

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


def places_of(at: Standing) -> list[int]:
    """Return the place of each seat, from 1; partners share one, and so do those that are tied."""
    totals, sides = at.state.totals(), dict.fromkeys(at.rules.sides)
    return [at.state.rules.rank(total, (totals[side[0]] for side in sides)) for total in totals]


def standings(at: Standing) -> Piles:
    return piles(at_table(at.row), at.state.totals(), places_of(at))


class GameOver(Shown):
    """A game that is over: ``headline`` says who has won, in letters of a ``size``; ``summary`` by how much.

    On their own phone of a player, ``own`` is that player, ``won`` whether it is one of the winners, ``place`` what has
    become of another, and ``cards`` are those that won their last tricks. ``falling`` are cards of the last hand,
    ``turning`` is the hand that decided the game, ``dealer`` who deals if it is played again.
    """


def game_over(
    at: Standing, described: DescribedHand | None, sheet: ScoreSheet, own: int | None, *, goes_on: bool, shown: bool
) -> GameOver:
    names, people, totals = at.names, at_table(at.row), at.state.totals()
    first = at.state.winners()
    places = places_of(at)
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
    """Return the class of letters in which a headline does not break out of a phone.

    >>> size_of("Anna wins"), size_of("Dominik wins"), size_of("Anna and Ben win"), size_of("Bartholomew wins")
    ('', 'line', '', 'long')
    """
    longest = max(map(len, headline.split()))
    return next((size for word, whole, size in SIZES if longest <= word and len(headline) <= whole), "longest")


def summary_of(at: Standing, first: Sequence[int]) -> str:
    """Describe what the winners have, and how far the next ones are behind."""
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
    """Describe in which hand the winners took the lead for good; nothing of a game of few hands."""
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
    """Return the cards with which someone won the last tricks of the last hand, the last one last."""
    tricks = [trick for trick in (described["tricks"] if described else ()) if trick["winner"] == seat]
    played = [
        play.get("cards", ()) for trick in tricks[-OWN_TRICKS:] for play in trick["plays"] if play["seat"] == seat
    ]
    return faces_of((cards[-1] for cards in played if cards and cards[-1] in at.rules.pack.codes), at.rules.pack)


def falling_cards(at: Standing, described: DescribedHand | None) -> tuple[Face, ...]:
    """Return cards of the last hand, those of its last tricks first."""
    tricks = reversed(described["tricks"] if described else ())
    codes = dict.fromkeys(code for trick in tricks for play in trick["plays"] for code in play.get("cards", ()))
    return faces_of([code for code in codes if code in at.rules.pack.codes][:MOST_FALLING], at.rules.pack)
