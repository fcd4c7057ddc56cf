"""A member of a group takes over the score of one of its tables: a lost phone loses nothing."""

from scoring.models import Group, GroupLink, Role, Table
from scoring.queries.access import standing_links
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import NoSuchTable, TooManyLinks
from scoring.services.group_turns import group_turn
from scoring.services.keys import Caller
from scoring.services.links import MOST_LINKS, NewLink, new_link, new_token
from scoring.services.short_lived import keep_token, kept_token


@past_deadlocks
def keep_score(code: str, table: str, own: GroupLink, caller: Caller) -> NewLink:
    """Make a scorekeeper's link to a table of a group, called as the member's own link to the group.

    Raises ``NoSuchTable`` where the group has no such table, ``TooManyLinks``, and what ``group_turn`` raises.
    """
    fingerprint = caller.fingerprint("keep-score", table)

    with group_turn(code, caller, fingerprint) as turn:
        row = _table(turn.group, table)
        if turn.repeats:
            link = standing_links(row).filter(pk=turn.made or 0).first()
            if link is None:
                raise NoSuchTable
            return NewLink(link, kept_token(caller.key, fingerprint))
        if standing_links(row).count() >= MOST_LINKS:
            raise TooManyLinks
        token = keep_token(caller.key, fingerprint, new_token())
        made = new_link(row, Role.SCOREKEEPER, label=own.name, token=token, group_link=own.pk)
        turn.made = made.link.pk
        return made


def _table(group: Group, code: str) -> Table:
    row = Table.objects.filter(group=group, code=code).first()
    if row is None:
        raise NoSuchTable
    return row
