"""An event is read, asked whether it can be and whether it may be, and taken or not."""

from __future__ import annotations

from tests.games.decktet_tricks.oracle_cards import parse_card, parse_suit
from tests.games.decktet_tricks.oracle_hand import Event, Hand
from tests.games.decktet_tricks.oracle_impossible import IMPOSSIBLE
from tests.games.decktet_tricks.oracle_irregular import IRREGULAR
from tests.games.decktet_tricks.oracle_taking import take

Verdict = tuple[str, str]  # ("impossible" | "irregular", code)


def judge_event(hand: Hand, raw: Event) -> Verdict | None:
    """Take the event (None) or say why it is not taken; a refused event changes nothing."""
    event = canonical(raw)
    for code, test in IMPOSSIBLE:
        if test(hand, event):
            return "impossible", code
    codes = [code for code, test in IRREGULAR if test(hand, event)]
    if codes and raw.get("accepted") is not True:
        return "irregular", codes[0]
    take(hand, event, codes)
    hand.position += 1
    return None


def canonical(event: Event) -> Event:
    """The event with aliases resolved; what no card or suit has becomes "" (never taken)."""
    event = dict(event)
    if "cards" in event:
        unseen = ["?"] if event["type"] == "play" else []
        event["cards"] = [card if card in unseen else parse_card(card) or "" for card in event["cards"]]
    if event.get("last") is not None:
        event["last"] = parse_card(event["last"]) or ""
    for key in ("suit", "trump"):
        if event.get(key) is not None:
            event[key] = parse_suit(event[key]) or ""
    return event
