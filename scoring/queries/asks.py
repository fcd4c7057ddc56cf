"""What may be recorded at a table now, by whom: as forms and programs offer it, and as forms are read."""

from dataclasses import replace
from functools import lru_cache

from referee.engine.asks import Ask
from referee.engine.catalogue import event_kinds
from referee.engine.hand import Hand
from referee.engine.rulings import Refusal
from referee.engine.table import hand_for
from scoring.queries.state import Standing


def all_asks(at: Standing) -> list[Ask]:
    """Return everything that can be recorded now: what the hand asks for, and what the table may add."""
    return [*hand_asks(at), *table_asks(at)]


def hand_asks(at: Standing) -> tuple[Ask, ...]:
    """Return what the hand asks for; who has put a choice face down on an own phone is not asked again."""
    chosen = at.row.choosing.get("chosen", ())
    return tuple(
        replace(ask, seats=tuple(seat for seat in ask.seats if seat not in chosen)) if ask.secret else ask
        for ask in _asks(at)
    )


def _asks(at: Standing) -> tuple[Ask, ...]:
    """Return what the hand in progress asks for, or the one that comes next."""
    state = hand_for(at.state)
    return () if isinstance(state, Refusal) or state.hand is None else _asks_of(state.hand)


@lru_cache(maxsize=1000)
def _asks_of(hand: Hand) -> tuple[Ask, ...]:
    """Return what a hand asks for: a form shows it, and is read by it when it comes back. A hand never changes."""
    return hand.asks()


def player_asks(at: Standing, seat: int) -> list[Ask]:
    """Return what the player of a seat may record now on an own phone: nothing while the table waits for something."""
    kinds = event_kinds()
    asks = _asks(at)
    if asks and not asks[0].seats:
        return []
    # While others choose in secret, no player goes on without them.
    open_to_players = [ask for ask in asks if ask.secret] or asks
    return [replace(ask, seats=(seat,)) for ask in open_to_players if kinds[ask.event].by_player and seat in ask.seats]


def table_asks(at: Standing) -> tuple[Ask, ...]:
    """Return what the table may record for itself; before the first deal there is nothing yet."""
    return at.hand.table_asks() if at.hand else ()
