"""Who decides the disputes of a table, agrees on one, and takes one back."""

from typing import NamedTuple

from scoring.models import Role, Table
from scoring.queries.access import standing_links
from scoring.queries.disputes import MAJORITY, NEUTRAL, SCOREKEEPER, WHO_MAY_RULE, DisputeNow
from scoring.queries.log import standing_events


class Speaker(NamedTuple):
    """Who speaks in a dispute: whether this phone keeps the score, whose seat it is, and by which link it is here."""

    keeps: bool
    seat: int | None = None
    link: int | None = None


def who_rules(row: Table) -> str:
    """Return who decides disputes at a table now: a majority takes two phones of seats, a neutral phone its link."""
    rules_by = row.ruled_by.get("kind", SCOREKEEPER)
    if rules_by == MAJORITY and len(seats_with_phone(row)) < 2:
        return SCOREKEEPER
    if rules_by == NEUTRAL and not standing_links(row).filter(pk=row.ruled_by.get("link", 0)).exists():
        return SCOREKEEPER
    return str(rules_by) if rules_by in WHO_MAY_RULE else SCOREKEEPER


def may_rule(row: Table, rules_by: str, who: Speaker) -> bool:
    """Return whether somebody decides disputes at a table, or has a vote."""
    if rules_by == NEUTRAL:
        return bool(who.link == row.ruled_by.get("link"))
    return who.keeps if rules_by == SCOREKEEPER else who.seat in seats_with_phone(row)


def may_withdraw(each: DisputeNow, who: Speaker) -> bool:
    """Return whether somebody takes a dispute back and lets the hand go on: who raised it, or keeps the score."""
    return who.keeps or (who.seat is not None and who.seat == each.claim.seat)


def may_agree(row: Table, each: DisputeNow, who: Speaker) -> bool:
    """Return whether somebody can agree on a dispute: who raised it, who it is about, for others the scorekeeper."""
    if who.seat is None:
        return who.keeps
    return who.seat == each.claim.seat or who.seat in _concerned(row, each)


def seats_with_phone(row: Table) -> set[int]:
    """Return the seats whose players have phones of their own here."""
    links = standing_links(row).filter(role=Role.PLAYER, seat__isnull=False)
    return {int(seat) for seat in links.values_list("seat", flat=True) if seat is not None}


def _concerned(row: Table, each: DisputeNow) -> set[int]:
    """Return the seats that a dispute is about: whose event it was, else everybody."""
    event = each.about.get("event")
    if event is not None:
        entries = standing_events(row, hand=each.about.get("hand") or 0)
        seat = (entries[event].event or {}).get("seat") if event < len(entries) else None
        if type(seat) is int and seat != each.claim.seat:
            return {seat}
    return set(range(len(row.seats)))
