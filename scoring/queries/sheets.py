"""The sheets of the hands that were left, drawn up again where somebody’s name has changed since."""

from referee.engine.adjudication import describe_hand
from scoring.models import HandSheet, Table
from scoring.queries.log import hands_as_they_were


def sheets_of(row: Table, *, first: int = 0) -> list[HandSheet]:
    """Return the sheets of the hands of a table that others have followed, from an index on, first to last."""
    sheets = list(HandSheet.objects.filter(table=row, number__gte=first).defer("start").order_by("number"))
    empty = {sheet.number: sheet for sheet in sheets if sheet.sheet is None}
    if empty:
        for hand in hands_as_they_were(row, row.version):
            if hand.number in empty and hand.state.hand is not None:
                empty[hand.number].sheet = describe_hand(hand.state.hand, row.seats)
        HandSheet.objects.bulk_update(empty.values(), ["sheet"])
    return sheets
