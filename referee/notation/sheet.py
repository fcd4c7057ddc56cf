"""The score sheet of a record: what the referee makes of it, in lines that can be compared.

It stands after the record under its own heading. It names reasons by code and clause and holds
no sentences, so that a better wording changes no sheet that somebody has checked by hand.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from referee.engine.adjudication import describe_replay
from referee.engine.bounds import Watch, no_watch
from referee.engine.hand import class_of
from referee.engine.options import Problem, Refused
from referee.engine.records import Record, dump_record, replay
from referee.engine.sheet import (
    Adjudication,
    DescribedHand,
    DescribedIrregularity,
    DescribedReason,
    DescribedSetup,
    DescribedTrick,
)
from referee.engine.sheet import EventData as Data
from referee.engine.translation import phrase
from referee.notation.encodings import plain_lines
from referee.notation.items import write_item
from referee.notation.words import Names, card, cards

Shown = Sequence[tuple[str, str]]
"""Cards per seat that a sheet lists: their key, and their title."""
SHEET_HEADING = "== Score sheet =="
HEADING = re.compile(r"^[ \t]*[=＝]{2}\s*score\s+sheet\s*[=＝]{2}[ \t]*$", re.IGNORECASE | re.MULTILINE)


def write_sheet(record: Record, watch: Watch = no_watch) -> str:
    """Write the score sheet of a record; raises ``Refused`` where it cannot be judged, and as ``watch`` does.

    Where points are hidden until the game is over, it says none before; nor what was proved in a hand that runs, where
    the table holds that back.
    """
    shown = class_of(record.rules).SHEET_CARDS
    judged = replay(record, watch)
    described = describe_replay(judged, record.seats, watch, points=not judged.table.hides_points())
    hand = judged.table.hand
    if hand is not None and hand.holds_back() and described["hands"]:
        last = described["hands"][-1]
        announced = [
            each for each, found in zip(last["irregularities"], hand.irregularities, strict=True) if hand.tells(found)
        ]
        described = {**described, "hands": [*described["hands"][:-1], {**last, "irregularities": announced}]}
    return "\n".join(_lines(described, dump_record(record), Names(record.seats), shown)) + "\n"


def _lines(judged: Adjudication, data: Data, names: Names, shown: Shown) -> Iterator[str]:
    for hand, written in zip(judged["hands"], data["hands"], strict=False):
        yield f"Hand {hand['number']}: {_dealt(hand, names)}"
        for line in _hand(hand, written["events"], names, shown):
            yield f"  {line}"
    yield "Totals: hidden" if judged["points_hidden"] else f"Totals: {names.each(judged['totals'])}"
    if judged["finished"]:
        yield "Winners: " + ", ".join(map(names.write, judged["winners"]))
    if judged["next"]:
        yield f"Next: {_dealt(judged['next'], names)}"
    if judged["rejected"]:
        found = judged["rejected"]
        event = data["hands"][found["hand"]]["events"][found["event"]]
        yield f"Not taken: {write_item(event, names)} is {found['verdict']}, {_why(found['reason'])}"


def _dealt(hand: DescribedSetup, names: Names) -> str:
    sizes = hand["hand_size"]
    if sizes is None:
        dealt = "an unknown number of cards"
    elif len(set(sizes)) == 1:
        dealt = f"{sizes[0]} cards each"
    else:
        dealt = f"cards {names.each(sizes)}"
    seating = ""
    if list(hand["seating"]) != list(range(len(names.names))):
        seating = ", seated " + " ".join(map(names.write, hand["seating"]))
    return f"{names.write(hand['dealer'])} deals, {dealt}{seating}"


def _hand(hand: DescribedHand, events: Sequence[Data], names: Names, shown: Shown) -> Iterator[str]:
    for open_card in hand["face_up"]:
        yield f"{open_card['label']}: {cards(open_card['cards'] or [open_card['suit'] or '?'])}"
    for key, title in shown:
        codes = _codes(hand, key)
        if any(code is not None for code in codes):
            yield f"{title}: " + names.each(["-" if code is None else card(code) for code in codes])
    order = hand.get("suit_order")
    if order:
        yield "suits, highest first: " + " ".join(suit or "?" for suit in order)
    if any(bid is not None for bid in hand.get("bids") or ()):
        yield "bids: " + names.each(["-" if bid is None else bid for bid in hand["bids"]])
    for trick in hand["tricks"]:
        yield _trick(trick, names, trumps=not order)
    if hand["phase"] != "finished":
        yield f"phase: {hand['phase']}"
    if any(hand["cards_left"]):
        yield f"cards left: {names.each(hand['cards_left'])}"
    won = hand.get("tricks_won") or ()
    if won and None not in won:
        yield f"tricks: {names.each(won)}"
    for line in hand["score_lines"]:
        yield f"{names.write(line['seat'])} {line['points']:+}: {_why(line['reason'])}"
    if None not in hand["scores"]:
        yield f"score: {names.each(hand['scores'])}"
    for found in hand["irregularities"]:
        yield _irregularity(found, events, names)
    for reason in hand["unchecked"]:
        yield f"unchecked: {_why(reason)}"


def _codes(hand: Mapping[str, object], key: str) -> Sequence[str | None]:
    """Return what a game lists per seat under a key of its own; nothing where it does not."""
    codes = hand.get(key)
    return codes if isinstance(codes, list) else ()


def _trick(trick: DescribedTrick, names: Names, *, trumps: bool) -> str:
    if trick["winner"] is None:
        return f"{trick['number']}. not finished"
    winner = names.write(trick["winner"])
    mine = [play for play in trick["plays"] if play["seat"] == trick["winner"] and "cards" in play]
    shown = f" with {cards(mine[-1]['cards'])}" if mine else ""
    trump = f", trump {trick['trump']}" if trumps and trick.get("trump") else ""
    why = trick["reason"]
    items = why.get("lines", ()) if why else ()
    counted = ", ".join(f"{item['item']} {item['points']}" for item in items)
    points = {int(seat): made for seat, made in trick.get("points", {}).items()}
    scored = "; ".join(f"{names.write(seat)} {made:+}" for seat, made in sorted(points.items()))
    scored += f" ({counted})" if counted else ""
    worth = f", {scored}" if items or points not in ({}, {trick["winner"]: 1}) else ""
    return f"{trick['number']}. {winner} wins{shown}{trump}{worth}" + (f": {_why(why)}" if why else "")


def _why(reason: DescribedReason) -> str:
    return f"{reason['code']} ({', '.join(reason['clauses'])})"


def _irregularity(found: DescribedIrregularity, events: Sequence[Data], names: Names) -> str:
    acts = [position for _, position in found.get("claims") or [found["event"]]]
    who = ", ".join(map(names.write, found["suspects"]))
    act = "; ".join(write_item(events[position], names) for position in acts)
    trick = f" in trick {found['trick']}" if found["trick"] else ""
    shown = "; ".join(write_item(events[position], names) for _, position in found["proved_by"])
    proof = f", shown by {shown}" if shown else ""
    proposed = [remedy["code"] for remedy in found["remedies"] if remedy.get("proposed")]
    proposal = f", proposed: {proposed[0]}" if proposed else ""
    return (
        f"irregular: {found['code']} ({found['certainty']}) by {who}: {act}{trick}{proof}{proposal},"
        f" {_why(found['reason'])}"
    )


# -- comparing ----------------------------------------------------------------------------


def split_sheet(text: str) -> tuple[str, str | None]:
    """Part a text into the record and the score sheet that it states, if it states one."""
    text = plain_lines(text)
    found = HEADING.search(text)
    return (text, None) if found is None else (text[: found.start()], text[found.end() :].lstrip("\n"))


def check_sheet(text: str, record: Record, watch: Watch = no_watch) -> None:
    """Compare the score sheet a text states with what the referee makes of its record.

    Raises ``Refused`` at the first line that differs, and what ``watch`` raises. Comments and blank lines do not count.
    """
    text = plain_lines(text)
    stated = split_sheet(text)[1]
    if stated is None:
        return
    first = text[: len(text) - len(stated)].count("\n") + 1
    stated_lines = [
        (number, line.strip())
        for number, line in enumerate(stated.split("\n"), first)
        if line.strip() and not line.strip().startswith("#")
    ]
    expected_lines = [line.strip() for line in write_sheet(record, watch).split("\n") if line]
    end = (text.count("\n") + 1, "")
    for position in range(max(len(stated_lines), len(expected_lines))):
        number, line = stated_lines[position] if position < len(stated_lines) else end
        expected = expected_lines[position] if position < len(expected_lines) else ""
        if line != expected:
            detail = phrase(
                "The score sheet says “{line}”; from the record follows “{expected}”.",
                line=line[:200],
                expected=expected[:200],
            )
            raise Refused([Problem(f"line {number}, column 1", "other-score", detail)])
