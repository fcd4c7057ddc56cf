"""Why a trick of Ace Pit went as it did, in a sentence with its clauses."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.engine.language import AND, Listing, say
from referee.engine.rulings import Reason
from referee.games.ace_pit.sets import ACE, CLAUSES, NAMES, RESPONDER, Item, Outcome, unanswered
from referee.packs import Card


def outcome_reason(
    laid: Card,
    response: Sequence[Card],
    outcome: Outcome,
    options: Mapping[str, Any],
    *,
    leader: object,
    responder: object,
) -> Reason:
    """Return the reason of a trick; ``leader`` and ``responder`` are seats, or words for them."""
    if outcome.winner is None:
        return accepted_reason(laid, response, options, leader=leader)
    if outcome.winner == RESPONDER:
        cites = clauses(outcome.items, "AP-13", *(("AP-20",) if laid.rank == ACE else ()))
        facts = {"seat": responder, "sets": listed(outcome.items), "sum": outcome.points}
        return Reason("set", cites, facts)
    facts = {"seat": leader, "laid": laid, "card": response[0], "sum": outcome.points}
    code = outcome.items[0].item
    cites = ("AP-20", "AP-Q8") if code == "ace-laid" else ("AP-12",)
    return Reason(code, cites, facts)


def accepted_reason(laid: Card, response: Sequence[Card], options: Mapping[str, Any], *, leader: object) -> Reason:
    """Return the reason of a trick in which two cards that are no set were accepted."""
    facts = {"seat": leader, "cards": both(response), "sum": unanswered(laid, options).points}
    return Reason("no-set", ("AP-12", "AP-Q4", "REC-21"), facts)


def no_set_reason(response: Sequence[Card], options: Mapping[str, Any]) -> Reason:
    """Say that two cards are no set, and what two cards have to be (AP-5, AP-Q4)."""
    phrase = "no-set-free" if options["free_pairs"] else "no-set-pair"
    return Reason("no-combination", ("AP-5", "AP-Q4"), {"cards": both(response)}, phrase)


def both(response: Sequence[Card]) -> Listing:
    """Name the cards of a response."""
    return Listing(tuple(response), last=AND)


def listed(items: Sequence[Item]) -> Listing:
    """List items for a sentence.

    >>> str(listed((Item("pin", 25), Item("flush", 40))))
    'Pin 25 + Flush 40'
    """
    named = tuple(Listing((say(NAMES[item.item]), item.points), between=" ") for item in items)
    return Listing(named, between=" + ")


def clauses(items: Sequence[Item], *more: str) -> tuple[str, ...]:
    """Return the clauses of these items, each once."""
    return tuple(dict.fromkeys((*(CLAUSES[item.item] for item in items), *more)))
