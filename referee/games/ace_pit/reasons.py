"""Why a trick of Ace Pit went as it did, in a sentence with its clauses."""

from collections.abc import Sequence
from dataclasses import replace

from referee.engine.options import Options
from referee.engine.rulings import Reason
from referee.engine.translation import AND, Listing, phrase
from referee.games.ace_pit.sets import (
    ACE,
    CLAUSES,
    NAMES,
    RESPONDER,
    Item,
    Outcome,
    is_fork,
    is_pin,
    spoons,
    unanswered,
)
from referee.packs import Card


def outcome_reason(
    laid: Card,
    response: Sequence[Card],
    outcome: Outcome,
    options: Options,
    *,
    leader: object,
    responder: object,
) -> Reason:
    """Return the reason of a trick; ``leader`` and ``responder`` are seats, or words for them."""
    if outcome.winner is None:
        return accepted_reason(laid, response, options, leader=leader)
    if outcome.winner == RESPONDER:
        facts = {"seat": responder, "sets": listed(outcome.items), "names": named(outcome.items), "sum": outcome.points}
        return Reason("set", clauses(laid, response, outcome.items), facts)
    facts = {"seat": leader, "laid": laid, "card": response[0], "sum": outcome.points}
    code = outcome.items[0].item
    failed = ("AP-Q7",) if laid.rank == ACE and spoons(laid, response) else ()
    return Reason(code, (*without_a_set(laid), *failed), facts)


def accepted_reason(laid: Card, response: Sequence[Card], options: Options, *, leader: object) -> Reason:
    """Return the reason of a trick in which two cards that are no set were accepted."""
    facts = {"seat": leader, "cards": both(response), "sum": unanswered(laid, options).points}
    return Reason("no-set", (*without_a_set(laid), "AP-Q4", "REC-21"), facts)


def without_a_set(laid: Card) -> tuple[str, ...]:
    """Return why the leader wins, and how much: a Throw Away, or an Ace that was not beaten."""
    return ("AP-20", "AP-Q8") if laid.rank == ACE else ("AP-12",)


def no_set_reason(laid: Card, response: Sequence[Card], options: Options) -> Reason:
    """Say that two cards are no set, and what two cards have to be (AP-5, AP-Q4).

    Where two cards may be played that win alone, a laid Ace decides what does (AP-20, AP-Q7).
    """
    cites = ["AP-5", "AP-Q4"]
    phrase = "no-set-pair"
    if options["free_pairs"]:
        phrase = "no-set-free"
        cites += ["AP-20"] if laid.rank == ACE else []
        cites += ["AP-Q7"] if laid.rank == ACE and spoons(laid, response) else []
    return Reason("no-combination", tuple(cites), {"cards": both(response)}, phrase)


def both(response: Sequence[Card]) -> Listing:
    """Return the one or two cards of a response as a sentence lists them."""
    return Listing(tuple(response), last=AND)


def listed(items: Sequence[Item]) -> Listing:
    """List items for a sentence.

    >>> str(listed((Item("pin", 25), Item("flush", 40))))
    'Pin 25 + Flush 40'
    """
    named = tuple(Listing((phrase(NAMES[item.item]), item.points), between=" ") for item in items)
    return Listing(named, between=" + ")


def named(items: Sequence[Item]) -> Listing:
    """Name items without their points.

    >>> str(named((Item("pin", 25), Item("flush", 40))))
    'Pin and Flush'
    """
    return Listing(tuple(phrase(NAMES[item.item]) for item in items), last=AND)


WITHOUT_POINTS = {
    "set": "set-without-points",
    "throw-away": "throw-away-without-points",
    "ace-laid": "ace-laid-without-points",
    "no-set": "no-set-without-points",
}
"""The sentences of reasons where points are hidden (AP-18)."""


def without_points(reason: Reason) -> Reason:
    """Return the reason of a trick as it is told where points are hidden."""
    phrase = WITHOUT_POINTS.get(reason.code)
    return reason if phrase is None else replace(reason, phrase=phrase)


def clauses(laid: Card, response: Sequence[Card], items: Sequence[Item]) -> tuple[str, ...]:
    """Return the clauses that decided a trick which the responder won: its sets, and what else was looked at.

    A Spoon inside a Double Fork and a second Ace come under AP-Q3 and AP-Q5 whether they were counted or not.
    """
    cites = [CLAUSES[item.item] for item in items]
    if is_fork(response):
        cites += ["AP-Q3"] if spoons(laid, response) else []
        cites += ["AP-Q5"] if response[0].rank == ACE else []
    elif len(response) > 1 and not is_pin(laid, response):
        cites.append("AP-Q4")
    return (*cites, "AP-13", *(against_ace(laid, response) if laid.rank == ACE else ()))


def against_ace(laid: Card, response: Sequence[Card]) -> tuple[str, ...]:
    """Return why a laid Ace was beaten: by what always beats it (AP-20), or by a Spoon (AP-Q7).

    Two cards that each win alone may do it in both ways.
    """
    if is_fork(response):
        return ("AP-20",)
    cites = {"AP-Q7" if spoons(laid, (card,)) else "AP-20" for card in response}
    return tuple(sorted(cites))
