"""Writing the events of a hand: each is an item of a line.

Events are taken as records hold them (``dump_event``); one of a kind that no line knows is
written on a line ``Event:``, as it stands.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.notation import words
from referee.notation.words import Names

Data = Mapping[str, Any]


def write_item(event: Data, names: Names) -> str:
    """Write one event as an item, with the table's consent (``!``) and its ``x_`` keys."""
    writer = WRITERS.get(event["type"])
    return writer(event, names) + suffix(event) if writer else words.value(event)


def suffix(event: Data) -> str:
    """Write what any event may carry."""
    extra = {key: item for key, item in event.items() if key.startswith("x_")}
    return (" !" if event.get("accepted") else "") + (f" {words.value(extra)}" if extra else "")


def head_of(event: Data) -> str:
    """Return the word that begins the line of an event."""
    if event["type"] == "note" and event.get("seat") is not None:
        return "Remark"
    return HEADS.get(event["type"], "Event")


def _play(event: Data, names: Names) -> str:
    called = f" ({words.word(event['suit'])})" if event.get("suit") is not None else ""
    return f"{names.write(event['seat'])} {words.cards(event['cards'])}{called}"


def _deuce(event: Data, names: Names) -> str:
    king = event["king"]
    said = "nobody" if king is None else names.write(king)
    if event["constipated"]:
        said += " constipated"
    parts = (("gives", "given"), ("gets", "returned"))
    return said + ";".join(f" {verb} {words.card(event[key])}" for verb, key in parts if event.get(key) is not None)


def _trick(event: Data, names: Names) -> str:
    said = [f"won by {names.write(event['winner'])}"]
    if "trump" in event:
        said.append("trump " + ("none" if event["trump"] is None else words.word(event["trump"])))
    if event.get("last") is not None:
        said.append(f"last {words.card(event['last'])}")
    if event.get("points") is not None:
        own = list(event["points"]) == [str(event["winner"])]
        points = event["points"][str(event["winner"])] if own else words.value(event["points"])
        said.append(f"points {points}")
    return "; ".join(said)


RESULTS = (("tricks", "tricks"), ("cards left", "cards_left"), ("points", "points"))


def _result(event: Data, names: Names) -> str:
    said = [f"{name} {_numbers(event[key], names)}" for name, key in RESULTS if event.get(key) is not None]
    if event.get("last") is not None:
        said.append(f"last {words.card(event['last'])}")
    return "; ".join(said) or words.NO_CARDS


def _numbers(numbers: Sequence[int], names: Names) -> str:
    if len(numbers) == len(names.names):
        return names.each(numbers)
    return ", ".join(map(str, numbers)) or words.NO_CARDS


def _note(event: Data, names: Names) -> str:
    said = words.value(event["text"])
    if event.get("seat") is not None:
        return f"{names.write(event['seat'])} {said}"
    return said if suffix(event) else words.line_text(event["text"])


def _reason(event: Data) -> str:
    return f" {words.value(event['reason'])}" if event.get("reason") is not None else ""


def _seat_and(key: str) -> "Writer":
    def write(event: Data, names: Names) -> str:
        said = event[key]
        shown = str(said) if isinstance(said, int) else words.word(said)
        return f"{names.write(event['seat'])} {shown}"

    return write


Writer = Callable[[Data, Names], str]
WRITERS: dict[str, Writer] = {
    "play": _play,
    "pass": lambda e, n: f"{n.write(e['seat'])} passes",
    "trick": _trick,
    "bid": _seat_and("tricks"),
    "ransom": _play,
    "ruling-card": _play,
    "trump": _seat_and("suit"),
    "suit": _seat_and("suit"),
    "drop-deuce": _deuce,
    "result": _result,
    "note": _note,
    "penalty": lambda e, n: f"{n.write(e['seat'])} {e['points']}{_reason(e)}",
    "transfer": lambda e, n: f"{n.write(e['from_seat'])} gives {n.write(e['to_seat'])} {e['tricks']}{_reason(e)}",
    "redeal": lambda e, n: _reason(e).strip(),
    "end": lambda e, n: _reason(e).strip(),
}
HEADS = {
    "play": "Trick", "pass": "Trick", "trick": "Trick", "bid": "Bids", "ransom": "Ransom",
    "ruling-card": "Ruling cards", "trump": "Trump", "suit": "Suits", "drop-deuce": "Drop a deuce",
    "result": "Result", "note": "Note", "penalty": "Penalty", "transfer": "Transfer",
    "redeal": "Redeal", "end": "Table ends",
}  # fmt: skip
SHARING = frozenset({"Bids", "Ransom", "Ruling cards", "Suits"})
"""Lines that take several events of their kind in a row."""
