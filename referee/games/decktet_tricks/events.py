"""The event by which trump is named."""

from referee.engine.event_kinds import Event, Line, Seat, SuitCode, event_kind


@event_kind(
    "trump",
    Line("Trump", "{seat} {suit}"),
    says="The winner of the ransom names trump.",
    log="{seat} names {suit} as trump",
    by_player=True,
)
class NameTrump(Event):
    """The ransom winner chooses trump (RT-7)."""

    seat: Seat
    suit: SuitCode
