"""Reading the lines of a hand: every item becomes an event as records hold it."""

from collections.abc import Callable, Iterator
from typing import Any

from referee.notation import words
from referee.notation.cursor import Cursor, whole
from referee.notation.words import Mistake

Reader = Callable[[Cursor], dict[str, Any]]


def _read_trick_item(line: Cursor) -> dict[str, Any]:
    if line.take("word", "won"):
        return _read_winner(line)
    seat = line.seat()
    if line.take("word", "passes", "pass"):
        return {"type": "pass", "seat": seat}
    return _read_cards("play", line, seat)


def _read_winner(line: Cursor) -> dict[str, Any]:
    if not line.take("word", "by"):
        raise line.wrong("“won by” and a player is expected.")
    data: dict[str, Any] = {"type": "trick", "winner": line.seat()}
    while True:
        line.take("mark", ";")
        if line.take("word", "trump"):
            data["trump"] = None if line.take("word", "none") else line.text("A suit or “none”")
        elif line.take("word", "last"):
            data["last"] = line.text("A card")
        elif line.take("word", "points"):
            own = not line.next_is("object")
            data["points"] = {str(data["winner"]): line.number()} if own else line.pull()
        else:
            return data


def _read_cards(kind: str, line: Cursor, seat: int) -> dict[str, Any]:
    data = {"type": kind, "seat": seat, "cards": line.cards()}
    if line.take("mark", "("):
        data["suit"] = line.text("A suit")
        if not line.take("mark", ")"):
            raise line.wrong("“)” is expected.")
    return data


def _read_deuce(line: Cursor) -> dict[str, Any]:
    king = None if line.take("word", "nobody") else line.seat()
    data: dict[str, Any] = {"type": "drop-deuce", "king": king}
    data["constipated"] = line.take("word", "constipated")
    while True:
        line.take("mark", ";")
        if line.take("word", "gives"):
            data["given"] = line.text("A card")
        elif line.take("word", "gets"):
            data["returned"] = line.text("A card")
        else:
            return data


def _read_result(line: Cursor) -> dict[str, Any]:
    data: dict[str, Any] = {"type": "result"}
    if line.take("word", words.NO_CARDS):
        return data
    while True:
        if line.take("word", "last"):
            data["last"] = line.text("A card")
        elif line.take("word", "tricks"):
            data["tricks"] = _read_numbers(line)
        elif line.take("word", "points"):
            data["points"] = _read_numbers(line)
        elif line.take("word", "cards") and line.take("word", "left"):
            data["cards_left"] = _read_numbers(line)
        else:
            raise line.wrong("“tricks”, “points”, “cards left” or “last” is expected.")
        if not line.take("mark", ";"):
            return data


def _read_numbers(line: Cursor) -> list[int]:
    """Read one number per seat, with the players’ names or in the order of the seats."""
    if line.take("word", words.NO_CARDS):
        return []
    named = not (line.next_is("word") and whole(line.tokens[line.at].value) is not None)
    numbers: dict[int, int] = {}
    while True:
        column = line.column
        seat = line.seat() if named else len(numbers)
        if seat in numbers:
            raise Mistake(column, "This player has a number already.")
        numbers[seat] = line.number()
        if not line.take("mark", ","):
            break
    players = len(line.names.names) if line.names else 0
    if named and sorted(numbers) != list(range(players)):
        raise line.wrong("Every player needs one number.")
    return [numbers[seat] for seat in sorted(numbers)]


def _read_seat_and(kind: str, key: str, read: Callable[[Cursor], object]) -> Reader:
    return lambda line: {"type": kind, "seat": line.seat(), key: read(line)}


def _read_transfer(line: Cursor) -> dict[str, Any]:
    giver = line.seat()
    if not line.take("word", "gives"):
        raise line.wrong("“gives” and a player is expected.")
    data = {"type": "transfer", "from_seat": giver, "to_seat": line.seat(), "tricks": line.number()}
    return data | line.reason()


def _suit(line: Cursor) -> str:
    return line.text("A suit")


READERS: dict[str, Reader] = {
    "trick": _read_trick_item,
    "bids": _read_seat_and("bid", "tricks", Cursor.number),
    "ransom": lambda line: _read_cards("ransom", line, line.seat()),
    "ruling cards": lambda line: _read_cards("ruling-card", line, line.seat()),
    "trump": _read_seat_and("trump", "suit", _suit),
    "suits": _read_seat_and("suit", "suit", _suit),
    "drop a deuce": _read_deuce,
    "result": _read_result,
    "note": lambda line: {"type": "note", "text": line.text("A text")},
    "remark": lambda line: {"type": "note", "seat": line.seat(), "text": line.text("A text")},
    "penalty": lambda line: {
        "type": "penalty", "seat": line.seat(), "points": line.number(), **line.reason(),
    },
    "transfer": _read_transfer,
    "redeal": lambda line: {"type": "redeal", **line.reason()},
    "table ends": lambda line: {"type": "end", **line.reason()},
}  # fmt: skip
"""How the items of a line are read, by the word that begins the line."""


def read_items(head: str, line: Cursor) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the events of a line, each with its column."""
    read = READERS[head]
    while True:
        column = line.column
        yield column, read(line) | line.suffix()
        if line.done():
            return
        if not line.take("mark", ","):
            raise line.wrong("A comma, or the end of the line, is expected.")
