"""Writing a record as text."""

from collections.abc import Mapping, Sequence

from referee.engine.adjudication import describe_irregularity, describe_rejected
from referee.engine.bounds import TooCostly, Watch, no_watch
from referee.engine.catalogue import event_kinds
from referee.engine.describing import describe_reason
from referee.engine.hand import Hand
from referee.engine.options import Refused
from referee.engine.records import Record, Replay, dump_record, replay
from referee.engine.rulings import Certainty
from referee.engine.sheet import EventData as Data
from referee.notation import words
from referee.notation.items import head_of, is_shared, write_item
from referee.notation.words import Names


def write_text(record: Record, *, annotate: bool = False, watch: Watch = no_watch) -> str:
    """Write a record as text that ``read_text`` turns into the same record.

    With ``annotate`` the referee's comments stand among the lines: who won each trick and why,
    irregularities, what was not taken. They begin with ``#`` and are not read back.
    """
    data = dump_record(record)
    names = Names(record.seats)
    judged = _judge(record, watch)
    lines = _header(data, record, names)
    for number, hand in enumerate(data["hands"]):
        found = judged.hands[number] if judged and number < len(judged.hands) else None
        rejected = judged.rejected if judged and judged.rejected and judged.rejected.hand == number else None
        lines += ["", _heading(number, found, names)]
        lines += [f"Known: {names.write(int(s))} {words.cards(c)}" for s, c in hand.get("known", {}).items()]
        lines += _extra(hand)
        comments: dict[int, list[str]] = {}
        if annotate and found is not None:
            points = not judged.table.hides_points() if judged else True
            comments = _comments(hand["events"], found, record.seats, points=points)
        if annotate and rejected is not None:
            reason = describe_rejected(rejected, record.seats)["reason"]
            comments.setdefault(rejected.event, []).append(f"# Not taken: {_because(reason)}")
        lines += _event_lines(hand["events"], _tricks(found), names, comments)
    return "\n".join(lines) + "\n"


def _judge(record: Record, watch: Watch) -> Replay | None:
    try:
        return replay(record, watch)
    except TooCostly:
        raise
    except Refused:
        return None  # hands that cannot have been dealt: written as they stand, tricks not numbered


# -- the head of the record ---------------------------------------------------------------


def _header(data: Data, record: Record, names: Names) -> list[str]:
    options = {option.key: option for option in record.rules.game.all_options()}
    usual = {key: each.standard_for(record.rules.players) for key, each in options.items() if not each.by_players}
    lines = [f"Format: {data['format']}", f"Game: {words.line_text(data['game'])}"]
    lines += [
        f"Option: {words.word(key)} = {words.option_value(value)}"
        for key, value in data["options"].items()
        if key not in usual or value != usual[key]
    ]
    lines.append("End: " + " ".join(str(part) for part in data["end"].values()))
    lines.append("Seats: " + ", ".join(_listed(name) for name in data["seats"]))
    lines.append(f"First dealer: {names.write(data['first_dealer'])}")
    if "carried" in data:
        lines.append(f"Carried: {names.each(data['carried'])}")
    if "hands_before" in data:
        lines.append(f"Hands before: {data['hands_before']}")
    return lines + _extra(data)


def _listed(name: str) -> str:
    """Write a name in the list of seats, where it may hold spaces."""
    bare = words.is_plain(name) and not any(comma in name for comma in words.COMMAS)
    return name if bare else words.value(name)


def _extra(data: Data) -> list[str]:
    """Write ``x_`` keys, each on a line."""
    return [f"{_key(key)}: {words.value(item)}" for key, item in data.items() if key.startswith("x_")]


def _key(key: str) -> str:
    return key if words.BARE_WORD.fullmatch(key) else words.value(key)


def _heading(number: int, hand: Hand | None, names: Names) -> str:
    dealt = "" if hand is None else f", {names.write(hand.setup.dealer)} deals"
    return f"== Hand {number + 1}{dealt} =="


# -- tricks -------------------------------------------------------------------------------


def _tricks(hand: Hand | None) -> Sequence[Data]:
    return () if hand is None else hand.describe().get("tricks") or ()


def number_tricks(events: Sequence[Data], tricks: Sequence[Data]) -> list[int | None]:
    """Say of each event which trick it belongs to, as far as the referee followed it."""
    numbers: list[int | None] = [None] * len(events)
    index = seen = 0
    for position, event in enumerate(events):
        if index == len(tricks):
            break
        if not event_kinds()[event["type"]].in_trick:
            continue
        plays = tricks[index]["plays"]
        by_winner = tells_winner(tricks[index])
        if "winner" in event:
            if seen < len(plays) or (plays and not by_winner):
                break
            numbers[position] = index + 1
            index, seen = index + 1, 0
            continue
        if seen < len(plays) and _same(plays[seen], event):
            seen += 1
        elif "cards" in event:
            break  # not as the referee has it: the rest stands one event on a line
        numbers[position] = index + 1
        if seen == len(plays) and not by_winner and index + 1 < len(tricks):
            index += 1
            seen = 0
    return numbers


def tells_winner(trick: Data) -> bool:
    """Say whether an event of its own told who won a trick, be it after some of its cards."""
    reason = trick["reason"]
    code = reason["code"] if isinstance(reason, Mapping) else getattr(reason, "code", None)
    return code == "recorded-winner"


def _same(play: Data, event: Data) -> bool:
    if "cards" not in event:
        return bool(play.get("pass")) and play.get("seat") == event["seat"]
    return play.get("seat") == event["seat"] and sorted(play.get("cards", ())) == sorted(event["cards"])


def _event_lines(
    events: Sequence[Data], tricks: Sequence[Data], names: Names, comments: Mapping[int, list[str]]
) -> list[str]:
    """Write the events: one line per trick, and the comments after the line they belong to."""
    numbers = number_tricks(events, tricks)
    lines: list[str] = []
    items: list[str] = []
    after: list[str] = []
    open_head = ""
    for position, event in enumerate(events):
        number = numbers[position]
        head = head_of(event) if number is None else f"{number}."
        if not (items and head == open_head and (number or is_shared(event))):
            lines += _finish(open_head, items, after)
            open_head, items, after = head, [], []
        items.append(write_item(event, names))
        after += comments.get(position, ())
    return lines + _finish(open_head, items, after)


def _finish(head: str, items: Sequence[str], comments: Sequence[str]) -> list[str]:
    if not items:
        return []
    mark = "" if head.endswith(".") else ":"
    return [f"{head}{mark} {', '.join(items)}".rstrip() if items != [""] else head, *comments]


# -- comments of the referee --------------------------------------------------------------


def _comments(events: Sequence[Data], hand: Hand, seats: Sequence[str], *, points: bool) -> dict[int, list[str]]:
    """Return what the referee says, by the event after which it is known; without ``points`` no sentence says any."""
    comments: dict[int, list[str]] = {}
    tricks = (hand.describe() if points else hand.describe_without_points()).get("tricks") or ()
    last = {number: position for position, number in enumerate(number_tricks(events, tricks)) if number}
    for number, trick in enumerate(tricks, 1):
        if trick["winner"] is not None and trick["reason"] is not None and number in last:
            reason = describe_reason(trick["reason"], seats)
            won = f"# {words.escape(seats[trick['winner']])} wins the trick. {_because(reason)}"
            comments.setdefault(last[number], []).append(won)
    for irregularity in hand.irregularities:
        if not hand.tells(irregularity):
            continue
        found = describe_irregularity(irregularity, hand, seats)
        after = irregularity.proved_by[0] if irregularity.proved_by else irregularity.event
        certain = {Certainty.SEEN: "Irregular", Certainty.PROVED: "Proved", Certainty.JOINT: "By counting"}
        comment = f"# {certain[irregularity.certainty]}, {found['code']}: {_because(found['reason'])}"
        comments.setdefault(after, []).append(comment)
    return comments


def _because(reason: Data) -> str:
    return f"{words.escape(reason['text'])} ({', '.join(reason['clauses'])})"
