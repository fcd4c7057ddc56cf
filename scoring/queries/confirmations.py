"""Which players have agreed with the result of a hand."""

from collections.abc import Mapping

from scoring.queries.state import Standing, left_before


def hand_scores(at: Standing, number: int) -> list[int | None]:
    """Return what a hand has brought each seat; ``None`` while it runs."""
    hand = at.hand
    if hand is not None and hand.setup.index == number:
        scores = hand.scores()
        return [None] * len(at.names) if scores is None or not hand.is_over() else list(scores)
    return list(left_before(at.row).hands[number].scores)


def confirmations(at: Standing) -> Mapping[int, Mapping[int, int]]:
    """Return the seats that agree with each hand, by its index, each with the row of the log that says so.

    Who has agreed with a result that was corrected since does not.
    """
    last = -1 if at.hand is None else at.hand.setup.index
    return {
        int(number): {int(seat): seq for seat, seq in sorted(agreed["seats"].items())}
        for number, agreed in sorted(at.row.agreed.items(), key=lambda item: int(item[0]))
        if int(number) <= last and agreed["scores"] == hand_scores(at, int(number))
    }
