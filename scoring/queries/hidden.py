"""Hidden choices as the referee asks for them, whatever the game calls them."""

import referee.table as game_table
from referee.asks import Ask
from referee.events import Event
from referee.rulings import Refusal


def with_hand(state: game_table.Table) -> game_table.Table:
    """Return the table with the hand in progress, or the one that comes next."""
    if state.hand is not None and state.coming() is None:
        return state
    dealt = game_table.deal(state)
    return state if isinstance(dealt, Refusal) else dealt


def hidden_ask(state: game_table.Table, event: str | None = None) -> Ask | None:
    """Return what is to be chosen in secret now, of this kind of event or any; ``None``: nothing."""
    hand = with_hand(state).hand
    asks = () if hand is None else hand.asks()
    return next((ask for ask in asks if ask.hidden and event in (None, ask.event)), None)


def is_hidden(state: game_table.Table, event: Event) -> bool:
    """Return whether an event is a hidden choice that its seat has to make now."""
    ask = hidden_ask(state, event.type)
    return ask is not None and getattr(event, "seat", None) in ask.seats
