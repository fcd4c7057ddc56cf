"""Writes a record as text, and its score sheet."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from referee.engine import sheet
from referee.engine.adjudication import View, describe_irregularity, describe_rejected, describe_replay
from referee.engine.game import event_kinds
from referee.engine.hand import Hand
from referee.engine.records import Record, Replay, dump_record, replay
from referee.engine.replaying import TooCostly, Watch, no_watch
from referee.engine.rules import Problem, Refused
from referee.engine.rulings import Certainty
from referee.engine.sheet import EventData as Data
from referee.engine.texts import phrase
from referee.notation import words
from referee.notation.patterns import ANY_EVENT, pattern_of, write_item
from referee.notation.words import Names, card, cards, plain_lines


def write_text(record: Record, *, annotate: bool = False, watch: Watch = no_watch) -> str:
    """Write a record as text that ``read_text`` turns into the same record.

    With ``annotate``, the referee's comments are added: who won each trick and why, irregularities, what was refused.
    They begin with ``#`` and are not read back.
    """
    data, names = dump_record(record), Names(record.seats)
    judged: Replay | None = None
    try:
        judged = replay(record, watch)
    except TooCostly:
        raise
    except Refused:
        pass  # hands that cannot have been dealt are written as they are, tricks without numbers
    lines = _header(data, record, names)
    for number, hand in enumerate(data["hands"]):
        found = judged.hands[number] if judged and number < len(judged.hands) else None
        dealt = "" if found is None else f", {names.write(found.setup.dealer)} deals"
        lines += ["", f"== Hand {number + 1}{dealt} =="]
        lines += [f"Known: {names.write(int(s))} {words.cards(c)}" for s, c in hand.get("known", {}).items()]
        lines += _extra(hand)
        comments: dict[int, list[str]] = {}
        if annotate and judged and found is not None:
            comments = _comments(hand["events"], found, record.seats, points=not judged.table.hides_points())
        if annotate and judged and judged.rejected and judged.rejected.hand == number:
            reason = describe_rejected(judged.rejected, record.seats)["reason"]
            comments.setdefault(judged.rejected.event, []).append(f"# Not taken: {_because(reason)}")
        tricks = () if found is None else found.describe().get("tricks") or ()
        lines += _event_lines(hand["events"], tricks, names, comments)
    return "\n".join(lines) + "\n"


def _header(data: Data, record: Record, names: Names) -> list[str]:
    options = {option.key: option for option in record.rules.game.all_options()}
    usual = {key: each.standard_for(record.rules.players) for key, each in options.items() if not each.by_players}
    lines = [f"Format: {data['format']}", f"Game: {words.line_text(data['game'])}"]
    if "title" in data:
        lines.append(f"Title: {words.line_text(data['title'])}")
    lines += [
        f"Option: {words.word(key)} = {words.option_value(value)}"
        for key, value in data["options"].items()
        if key not in usual or value != usual[key]
    ]
    lines.append("End: " + " ".join(str(part) for part in data["end"].values()))
    seats = [
        name if words.is_plain(name) and not set(name) & set(words.COMMAS) else words.value(name)
        for name in data["seats"]
    ]
    lines.append(f"Seats: {', '.join(seats)}")
    lines.append(f"First dealer: {names.write(data['first_dealer'])}")
    if "carried" in data:
        lines.append(f"Carried: {names.each(data['carried'])}")
    if "carried_bags" in data:
        lines.append(f"Carried bags: {names.each(data['carried_bags'])}")
    if "hands_before" in data:
        lines.append(f"Hands before: {data['hands_before']}")
    return lines + _extra(data)


def _extra(data: Data) -> list[str]:
    return [
        f"{key if words.BARE_WORD.fullmatch(key) else words.value(key)}: {words.value(item)}"
        for key, item in data.items()
        if key.startswith("x_")
    ]


def number_tricks(events: Sequence[Data], tricks: Sequence[Data]) -> list[int | None]:
    """Return the number of each event's trick, as far as the referee followed the record."""
    numbers: list[int | None] = [None] * len(events)
    index = seen = 0
    for position, event in enumerate(events):
        if index == len(tricks):
            break
        if not event_kinds()[event["type"]].in_trick:
            continue
        plays = tricks[index]["plays"]
        # The winner was recorded by an event of its own, perhaps after some of the cards.
        reason = tricks[index]["reason"]
        code = reason["code"] if isinstance(reason, Mapping) else getattr(reason, "code", None)
        by_winner = code == "recorded-winner"
        if "winner" in event:
            if seen < len(plays) or (plays and not by_winner):
                break
            numbers[position] = index + 1
            index, seen = index + 1, 0
            continue
        if seen < len(plays) and _same(plays[seen], event):
            seen += 1
        elif "cards" in event:
            break  # differs from the referee's trick: the rest is written one event per line
        numbers[position] = index + 1
        if seen == len(plays) and not by_winner and index + 1 < len(tricks):
            index += 1
            seen = 0
    return numbers


def _same(play: Data, event: Data) -> bool:
    if "cards" not in event:
        return bool(play.get("pass")) and play.get("seat") == event["seat"]
    return play.get("seat") == event["seat"] and sorted(play.get("cards", ())) == sorted(event["cards"])


def _event_lines(
    events: Sequence[Data], tricks: Sequence[Data], names: Names, comments: Mapping[int, list[str]]
) -> list[str]:
    """Return the lines of the events, one per trick, each followed by its comments."""
    numbers = number_tricks(events, tricks)
    lines: list[str] = []
    items: list[str] = []
    after: list[str] = []
    head = ""

    def finish() -> None:
        if items:
            mark = "" if head.endswith(".") else ":"
            lines.append(f"{head}{mark} {', '.join(items)}".rstrip() if items != [""] else head)
            lines.extend(after)

    for position, event in enumerate(events):
        number, pattern = numbers[position], pattern_of(event)
        begins = f"{number}." if number else pattern.line.head if pattern else ANY_EVENT
        if not (items and begins == head and (number or (pattern and pattern.line.shared))):
            finish()
            head, items, after = begins, [], []
        items.append(write_item(event, names))
        after += comments.get(position, ())
    finish()
    return lines


def _comments(events: Sequence[Data], hand: Hand, seats: Sequence[str], *, points: bool) -> dict[int, list[str]]:
    """Return the referee's comments, by the event after which they are known; ``points=False`` omits points."""
    comments: dict[int, list[str]] = {}
    tricks = (hand.describe() if points else hand.describe_without_points()).get("tricks") or ()
    last = {number: position for position, number in enumerate(number_tricks(events, tricks)) if number}
    for number, trick in enumerate(tricks, 1):
        if trick["winner"] is not None and trick["reason"] is not None and number in last:
            reason = sheet.describe_reason(trick["reason"], seats)
            won = f"# {words.escape(seats[trick['winner']])} wins the trick. {_because(reason)}"
            comments.setdefault(last[number], []).append(won)
    for irregularity in hand.irregularities:
        if not hand.tells(irregularity):
            continue
        found = describe_irregularity(irregularity, hand, View(seats))
        after = irregularity.proved_by[0] if irregularity.proved_by else irregularity.event
        certain = {Certainty.SEEN: "Irregular", Certainty.PROVED: "Proved", Certainty.JOINT: "By counting"}
        comment = f"# {certain[irregularity.certainty]}, {found['code']}: {_because(found['reason'])}"
        comments.setdefault(after, []).append(comment)
    return comments


def _because(reason: Data) -> str:
    return f"{words.escape(reason['text'])} ({', '.join(reason['clauses'])})"


# --- The score sheet of a record, in lines that can be compared
# It follows the record under its own heading. It gives reasons by code and clause instead of sentences, so that
# rewording a sentence changes no sheet that somebody has checked by hand.

Shown = Sequence[tuple[str, str]]  # the cards per seat that a sheet lists: (key, title)
SHEET_HEADING = "== Score sheet =="
HEADING = re.compile(r"^[ \t]*[=＝]{2}\s*score\s+sheet\s*[=＝]{2}[ \t]*$", re.IGNORECASE | re.MULTILINE)


def write_sheet(record: Record, watch: Watch = no_watch) -> str:
    """Write the score sheet of a record; raises ``Refused`` if it cannot be judged, and what ``watch`` raises.

    Points that are hidden until the game is over are left out; so is what was proved in a hand in progress, if the
    table holds that back.
    """
    shown = record.rules.game.hand_class.SHEET_CARDS
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


def _lines(judged: sheet.Adjudication, data: Data, names: Names, shown: Shown) -> Iterator[str]:
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


def _dealt(hand: sheet.DescribedSetup, names: Names) -> str:
    sizes = hand["hand_size"]
    if sizes is None:
        dealt = ", an unknown number of cards"
    elif not any(sizes):
        dealt = ""
    elif len(set(sizes)) == 1:
        dealt = f", {sizes[0]} cards each"
    else:
        dealt = f", cards {names.each(sizes)}"
    seating = ""
    if list(hand["seating"]) != list(range(len(names.names))):
        seating = ", seated " + " ".join(map(names.write, hand["seating"]))
    return f"{names.write(hand['dealer'])} deals{dealt}{seating}"


def _hand(hand: sheet.DescribedHand, events: Sequence[Data], names: Names, shown: Shown) -> Iterator[str]:
    for open_card in hand["face_up"]:
        shown_cards = open_card["cards"] or [suit for suit in (open_card["suit"],) if suit]
        yield f"{open_card['label']}: {cards(shown_cards)}" if shown_cards else open_card["label"]
    for key, title in shown:
        listed: object = hand.get(key)
        codes: Sequence[str | None] = listed if isinstance(listed, list) else ()
        if any(code is not None for code in codes):
            yield f"{title}: " + names.each(["-" if code is None else card(code) for code in codes])
    to: object = hand.get("pass_to")
    if isinstance(to, list):
        yield "cards go to: " + names.each([names.write(seat) for seat in to])
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


def _trick(trick: sheet.DescribedTrick, names: Names, *, trumps: bool) -> str:
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


def _why(reason: sheet.DescribedReason) -> str:
    return f"{reason['code']} ({', '.join(reason['clauses'])})"


def _irregularity(found: sheet.DescribedIrregularity, events: Sequence[Data], names: Names) -> str:
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


def split_sheet(text: str) -> tuple[str, str | None]:
    """Split a text into the record and the score sheet it states, if any."""
    text = plain_lines(text)
    found = HEADING.search(text)
    return (text, None) if found is None else (text[: found.start()], text[found.end() :].lstrip("\n"))


def check_sheet(text: str, record: Record, watch: Watch = no_watch) -> None:
    """Compare a text's score sheet with the referee's; raises ``Refused`` at the first line that differs."""
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
    for there, expected in zip_longest(stated_lines, expected_lines, fillvalue=None):
        number, line = there or (text.count("\n") + 1, "")
        expected = expected or ""
        if line != expected:
            detail = phrase(
                "The score sheet says “{line}”, but the record gives “{expected}”.",
                line=line[:200],
                expected=expected[:200],
            )
            raise Refused([Problem(f"line {number}, column 1", "other-score", detail)])
