"""Helpers that describe events at a table, so that a test reads like the rule it checks.

``told`` makes a record, ``judged`` its adjudication, ``hand`` its only hand, ``refused`` the answer to its last event.
Everything judged here is also checked: every reason cites existing clauses, and lines add up to scores.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, TypeVar, cast

from referee.engine import rulebook
from referee.engine.adjudication import View, adjudicate
from referee.engine.game import all_games, find_game
from referee.engine.records import Record, dump_record, load_record
from referee.engine.rulings import Reason
from referee.engine.what_if import judge_as_it_lay
from referee.engine.what_if_sheet import describe_what_if

Json = dict[str, Any]
NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal")
Test = TypeVar("Test", bound=Callable[..., Any])


def exercises(*clauses: str) -> Callable[[Test], Test]:
    """Name the clauses without which the test would fail."""
    unknown = [clause for clause in clauses if clause not in clause_ids()]
    assert not unknown, f"no such clauses: {unknown}"
    return lambda test: test


def clause_ids() -> frozenset[str]:
    return _clause_ids(tuple(game.id for game in all_games()))


@cache
def _clause_ids(_: tuple[str, ...]) -> frozenset[str]:
    books = [rulebook.shared(), *(game.rulebook() for game in all_games())]
    return frozenset(clause.id for book in books for clause in book)


# -- events -----------------------------------------------------------------------------------


def plays(text: str) -> list[Json]:
    """Read plays such as ``0:8MS 1:XS 2:XM``, passes and plays of several cards: ``0:8S+8H 1:-``.

    ``0:8MS/M`` calls a suit, ``1:XS!`` is accepted as irregular.
    """
    return [_play(word) for word in text.split()]


def _play(word: str) -> Json:
    seat, laid = word.rstrip("!").split(":")
    cards, _, suit = laid.partition("/")
    event: Json = {"type": "play", "seat": int(seat), "cards": cards.split("+")}
    if cards == "-":
        event = {"type": "pass", "seat": int(seat)}
    if suit:
        event["suit"] = suit
    if word.endswith("!"):
        event["accepted"] = True
    return event


def in_order(cards: str, kind: str = "play") -> list[Json]:
    """Play these cards from seat 0 on."""
    return [{"type": kind, "seat": seat, "cards": [card]} for seat, card in enumerate(cards.split())]


def ransoms(cards: str) -> list[Json]:
    return in_order(cards, "ransom")


def ruling_cards(cards: str) -> list[Json]:
    return in_order(cards, "ruling-card")


def bids(text: str) -> list[Json]:
    """Read bids such as ``0:2 1:0 2:3!``, the last one irregular and accepted."""
    return [_bid(word) for word in text.split()]


def _bid(word: str) -> Json:
    seat, number = word.rstrip("!").split(":")
    event: Json = {"type": "bid", "seat": int(seat), "tricks": int(number)}
    return event | ({"accepted": True} if word.endswith("!") else {})


def names(seat: int, suit: str) -> Json:
    """Name the trump of a hand."""
    return {"type": "trump", "seat": seat, "suit": suit}


def turn_up(card: str, suit: str | None = None) -> Json:
    """Turn a card up, or with ``?`` only its suit."""
    return {"type": "turn-up", "card": card} | ({"suit": suit} if suit else {})


def trick(winner: int, **more: object) -> Json:
    return {"type": "trick", "winner": winner, **more}


def result(*tricks: int, **more: object) -> Json:
    return {"type": "result", "tricks": list(tricks), **more}


def penalty(seat: int, points: int) -> Json:
    return {"type": "penalty", "seat": seat, "points": points, "reason": "agreed"}


def transfer(giver: int, taker: int, tricks: int) -> Json:
    return {"type": "transfer", "from_seat": giver, "to_seat": taker, "tricks": tricks}


def accepted(event: Json) -> Json:
    return event | {"accepted": True}


NOTE: Json = {"type": "note", "text": "tea"}
REDEAL: Json = {"type": "redeal", "reason": "agreed"}
END: Json = {"type": "end", "reason": "agreed"}

REVOKE = plays("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW")
"""Bob does not follow the Diplomat, a Moon and a Sun, and shows the Journey, a Moon; he wins neither trick."""
TRUMPED = plays("0:AY 1:XY 2:2SY 1:5ML 2:7ML 0:XM 0:8MS 1:4YK 2:9MS 1:3MW 2:6MW 0:4MS")
"""Bob trumps the third trick although he holds the Journey, and wins it."""
BOB_WINS = plays("2:2WL 0:4WL 1:7WY")
"""The trick after TRUMPED; without Bob's Cave, Ann's Battle would win it."""


# -- records ----------------------------------------------------------------------------------


def told(
    *hands: list[Json] | Json, game: str = "ace-trump", players: int = 3, dealer: int | None = None, **more: Any
) -> Json:
    """Make a record; by default seat 0 is at the first dealer's left.

    Each hand is a list of its events, or the result of ``known``.
    """
    assert not any("hands" in hand for hand in hands), "this is a whole record already: judged_record judges it"
    return {
        "format": "table-record/1",
        "game": game,
        "seats": list(NAMES[:players]),
        "first_dealer": players - 1 if dealer is None else dealer,
        "hands": [hand if isinstance(hand, dict) else {"events": hand} for hand in hands],
        **more,
    }


def known(events: list[Json], **hands: str) -> Json:
    """Make a hand with some seats' cards entered: ``known([...], s0="8MS XM ...")``."""
    return {"events": events, "known": {seat.removeprefix("s"): cards.split() for seat, cards in hands.items()}}


def judged(*hands: list[Json] | Json, **more: Any) -> Json:
    return judged_record(told(*hands, **more))


def judged_record(data: Json) -> Json:
    record = load_record(json.loads(json.dumps(data)))
    answer = cast(Json, adjudicate(record))
    look_over(answer)
    assert adjudicate(load_record(dump_record(record))) == answer
    return answer


def hand(*events: Json | list[Json], **more: Any) -> Json:
    """Judge a record of one hand with no event refused; return that hand."""
    answer = judged(entering(events, more), **more)
    assert answer["rejected"] is None, answer["rejected"]
    assert len(answer["hands"]) == 1
    only: Json = answer["hands"][0]
    return only


def refused(*events: Json | list[Json], hands: tuple[Any, ...] = (), **more: Any) -> tuple[str, str]:
    """Judge a record whose last event is refused; return the verdict and the code."""
    rejected = refusal(*events, hands=hands, **more)
    return rejected["verdict"], rejected["reason"]["code"]


def refusal(*events: Json | list[Json], hands: tuple[Any, ...] = (), **more: Any) -> Json:
    """Judge a record whose last event is refused; return the whole answer to it."""
    last = entering(events, more)
    answer = judged(*hands, last, **more)
    rejected = answer["rejected"]
    assert rejected is not None, "every event was taken"
    assert [rejected["hand"], rejected["event"]] == [len(hands), len(last["events"]) - 1], rejected
    assert rejected["reason"]["text"]
    assert rejected["reason"]["clauses"]
    return cast(Json, rejected)


def entering(events: tuple[Json | list[Json], ...], more: Json) -> Json:
    """Make a hand of these events; ``known_hands`` among ``more`` are the cards entered for it, by seat."""
    entered = more.pop("known_hands", None)
    return {"events": flat(events)} | ({"known": entered} if entered else {})


def telling_of(game: str, **table: Any) -> tuple[Callable[..., Json], Callable[..., tuple[str, str]]]:
    """Return ``hand`` and ``refused`` for one game, with this number of ``players`` or another ``dealer``."""
    return partial(hand, game=game, **table), partial(refused, game=game, **table)


def ask(question: str, game: str = "ace-trump", **asked: Any) -> Json:
    """Put a question to a game; check that its reasons cite existing clauses."""
    posed = find_game(game)
    assert posed is not None
    answer: Json = posed.answer(question, asked)
    for reason in [answer["reason"], *(each["reason"] for each in answer.get("illegal", []))]:
        assert isinstance(reason, Reason)
        assert reason.text
        assert reason.clauses
        assert set(reason.clauses) <= clause_ids()
    return answer


def flat(events: tuple[Json | list[Json], ...]) -> list[Json]:
    return [event for part in events for event in (part if isinstance(part, list) else [part])]


def look_over(answer: Json) -> None:
    """Check what holds for every adjudication: reasons have clauses, sums are right."""
    check_reasons(answer)
    for each in answer["hands"]:
        sums = [0] * len(each["scores"])
        for line in each["score_lines"]:
            sums[line["seat"]] += line["points"]
        assert each["scores"] in (sums, [None] * len(sums)), each["score_lines"]
        assert each["unchecked"] or each["phase"] == "void" or fully_known(each), each["number"]


def check_reasons(answer: Json) -> None:
    """Check that every reason of an answer has a whole sentence and cites existing clauses."""
    for reason in reasons(answer):
        assert reason["clauses"], reason
        assert set(reason["clauses"]) <= clause_ids(), reason
        assert reason["text"], reason
        assert "{" not in reason["text"], reason


def fully_known(each: Json) -> bool:
    return "hands-unknown" not in unchecked(each)


def reasons(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        if {"code", "text", "clauses"} <= set(value):
            yield value
        for part in value.values():
            yield from reasons(part)
    elif isinstance(value, list):
        for part in value:
            yield from reasons(part)


def found(each: Json) -> list[tuple[str, str, int | None]]:
    """Return the irregularities of a hand: code, certainty, seat."""
    return [(i["code"], i["certainty"], i["seat"]) for i in each["irregularities"]]


def finding(*events: Json | list[Json], **more: Any) -> Json:
    """Judge a record of one hand; return its only irregularity."""
    (only,) = hand(*events, **more)["irregularities"]
    return cast(Json, only)


def remedy(found: Json, code: str) -> Json:
    return next(each for each in found["remedies"] if each["code"] == code)


def winners(each: Json) -> list[int | None]:
    return [entry["winner"] for entry in each["tricks"]]


def unchecked(each: Json) -> dict[str, str]:
    """Return the sentences about what could not be checked in a hand, by code."""
    return {reason["code"]: reason["text"] for reason in each["unchecked"]}


def unknown_trump(each: Json) -> list[list[str]]:
    """Return the clauses under which the trump of a hand could not be determined."""
    return [reason["clauses"] for reason in each["unchecked"] if reason["code"] == "trump-unknown"]


# -- a hand judged under other house rules (REC-22) -------------------------------------------


def what_if(record: Record | Json, /, **options: Any) -> Json:
    """Judge a record under other rules, and check what every answer must satisfy."""
    loaded = record if isinstance(record, Record) else load_record(record)
    answer = cast(Json, describe_what_if(judge_as_it_lay(loaded, options), View(loaded.seats)))
    check_reasons(answer)
    return answer


def hand_as_it_lay(*events: Json | list[Json], players: int = 3, game: str = "ace-trump", **more: Any) -> Json:
    """Judge one hand under other rules: ``options`` are those it was played by, ``now`` the changed ones."""
    now = more.pop("now")
    (only,) = what_if(told(flat(events), players=players, game=game, **more), **now)["hands"]
    return cast(Json, only)


def winners_as_it_lay(only: Json, when: str) -> list[int | None]:
    return [each[when] and each[when]["winner"] for each in only["tricks"]]


def irregular_now(only: Json) -> list[tuple[str, int | None]]:
    """Return the acts that only the other rules make irregular."""
    return [(each["code"], each["seat"]) for each in only["irregularities"] if each["now"] and not each["then"]]
