"""A naive referee of American Deuce."""

from __future__ import annotations

from tests.games.american_deuce.oracle_round import Round, penalty_points
from tests.games.french.oracle_common import (
    Invalid,
    Json,
    Shape,
    demand,
    filled_options,
    is_int,
    is_text,
    list_of,
    or_null,
)
from tests.games.french.oracle_table import Deal, Game, Hand, judge_record

__all__ = ["Invalid", "judge"]

OPTIONS = {
    "scoring": ("zero-sum", "winner-only"),
    "reseat": ("no", "round", "total"),
    "count_lock": ("trick", "round"),
    "same_type": (False, True),
    "riot_lead": ("quads-only", "never", "always"),
    "riot_equal": ("colour", "never"),
    "deal": ("all", "even"),
    "bands": ("flat", "scaled"),
}
TWO_DECK_OPTIONS = ("riot_equal", "deal")
EVENTS: dict[str, tuple[Shape, Shape]] = {
    "suit": ({"seat": is_int, "suit": is_text}, {}),
    "drop-deuce": (
        {
            "king": or_null(is_int),
            "constipated": lambda value: isinstance(value, bool),
            "given": or_null(is_text),
            "returned": or_null(is_text),
        },
        {},
    ),
    "pass": ({"seat": is_int}, {}),
    "result": ({"cards_left": list_of(is_int)}, {}),
}


def check_options(given: object, players: int) -> Json:
    """Options with defaults, or `Invalid`."""
    options = filled_options(given, OPTIONS)
    if players == 4:
        for key in TWO_DECK_OPTIONS:
            demand(options[key] == OPTIONS[key][0], f"{key} needs two decks")
    return options


def check_more(event: Json) -> None:
    """A drop-deuce without a king exchanges nothing; one with a king exchanges two cards."""
    if event["type"] != "drop-deuce":
        return
    cards = [event["given"], event["returned"]]
    if event["king"] is None:
        demand(cards == [None, None] and not event["constipated"], "no king, no exchange")


def cards_each(players: int, options: Json) -> list[int]:
    """Cards per seat from the dealer's left, the dealer last (AD-3, AD-Q5, AD-Q14)."""
    cards = 52 if players == 4 else 104
    share, rest = divmod(cards, players)
    if options["deal"] == "even":
        rest = 0
    return [share + (1 if place < rest else 0) for place in range(players)]


def deal_to(seating: list[int], options: Json) -> Deal:
    sizes = cards_each(len(seating), options)
    by_seat = dict(zip(seating[1:] + seating[:1], sizes, strict=True))
    return Deal(seating[0], seating, [by_seat[seat] for seat in sorted(seating)])


def first_deal(players: int, first_dealer: int, options: Json) -> Deal:
    """The first round: seats in order, starting with the first President-Elect."""
    return deal_to([(first_dealer + step) % players for step in range(players)], options)


def next_deal(hand: Hand, totals: list[int]) -> Deal:
    """The winner deals; losers may change seats (AD-14, AD-A2, AD-Q23)."""
    winner = hand.cards_left.index(0)
    place = hand.deal.seating.index(winner)
    losers = hand.deal.seating[place + 1 :] + hand.deal.seating[:place]
    if hand.options["reseat"] == "round":
        sizes, bands = hand.deal.hand_size, hand.options["bands"]
        losers = sorted(losers, key=lambda seat: penalty_points(hand.cards_left[seat], sizes[seat], bands))
    elif hand.options["reseat"] == "total":
        losers = sorted(losers, key=lambda seat: -totals[seat])
    return deal_to([winner, *losers], hand.options)


GAME = Game(
    name="american-deuce",
    players=range(4, 9),
    default_end={"kind": "score", "value": 270},
    events=EVENTS,
    check_options=check_options,
    check_more=check_more,
    first_deal=first_deal,
    next_deal=next_deal,
    new_hand=Round,
)


def judge(record: Json) -> Json:
    """The adjudication of a record; `Invalid` where the answer is 400 or 422."""
    return judge_record(record, GAME)
