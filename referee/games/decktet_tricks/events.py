"""The event by which trump is named."""

from referee.engine.event_kinds import Event, Line, Seat, SuitCode, event_kind


@event_kind(
    "trump",
    Line("Fixed trump", "{suit}"),
    Line("Trump", "{seat} {suit}"),
    says="The winner of the ransom names trump; in Ace Trump the table, without a seat, before each deal.",
    log="Trump: {suit} ({seat})",
    prompt="{seat} chooses trump",
    by_player=True,
)
class NameTrump(Event):
    """The trump of a hand is named, by the ransom winner (RT-7) or by the table (AT-V6)."""

    suit: SuitCode
    seat: Seat | None = None
