"""What a golden record is to show: a house rule at work, and where."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Shows = Callable[[dict], list[str] | None]


@dataclass(frozen=True)
class Variant:
    """A golden record to be made: its rules, what it is about, and what it has to show.

    ``about`` are the options without which something must come out otherwise; ``shows`` returns
    what to look at, or ``None`` where a record does not show it.
    """

    game: str
    name: str
    about_it: str
    options: Mapping[str, Any] = field(default_factory=dict)
    players: int = 3
    hands: int = 1
    end: dict | None = None
    lies: float = 0.0
    coarse: float = 0.0
    shows: Shows | None = None
    keep: tuple[str, ...] = ()

    @property
    def about(self) -> set[str]:
        """The options this record is about: all but those another one only needs."""
        return set(self.options) - set(self.keep)


def trick(said: str, test: Callable[[dict], bool]) -> Shows:
    """A trick that passes the test."""

    def shows(judged: dict) -> list[str] | None:
        for hand in judged["hands"]:
            for each in hand["tricks"]:
                if test(each):
                    return [f"hand {hand['number']}, trick {each['number']}: {said}"]
        return None

    return shows


def code(name: str, said: str) -> Shows:
    """A trick decided for this reason."""
    return trick(said, lambda each: bool(each["reason"]) and each["reason"]["code"] == name)


def irregular(name: str, said: str) -> Shows:
    """Exactly one irregularity, of this kind."""

    def shows(judged: dict) -> list[str] | None:
        found = [each for hand in judged["hands"] for each in hand["irregularities"]]
        return [said] if [each["code"] for each in found] == [name] else None

    return shows


def both(*all_of: Shows) -> Shows:
    """Everything at once."""

    def shows(judged: dict) -> list[str] | None:
        seen = [each(judged) for each in all_of]
        return None if None in seen else [line for lines in seen if lines for line in lines]

    return shows


def clean(judged: dict) -> list[str] | None:
    """Nothing irregular."""
    return None if any(hand["irregularities"] for hand in judged["hands"]) else []


def cards(each: dict) -> list[str]:
    """The cards of a trick in order, passes left out."""
    return [card for play in each["plays"] for card in play.get("cards", ())]


def scored(name: str, said: str) -> Shows:
    """A score line for this reason."""

    def shows(judged: dict) -> list[str] | None:
        lines = [line["reason"]["code"] for hand in judged["hands"] for line in hand["score_lines"]]
        return [said] if name in lines else None

    return shows


LAST = 6
"""Aces are looked for before this trick, so that what they do to later tricks is seen too."""


def aces(number: int) -> Callable[[dict], bool]:
    """A trick with so many Aces."""
    return lambda each: sum(card[0] == "A" for card in cards(each)) >= number and each["number"] < LAST


def late_ace(each: dict) -> bool:
    """A card wins as trump that an Ace, played after it, has made trump."""
    played = cards(each)
    won = next(play["cards"][0] for play in each["plays"] if play["seat"] == each["winner"])
    late = played[played.index(won) + 1 :]
    return any(card[0] == "A" and card[1] in won[1:] for card in late)


def excuse_first(each: dict) -> bool:
    """The Excuse is led."""
    return cards(each)[:1] == ["E"] and len(cards(each)) > 2


def two_of(rank: str) -> Callable[[dict], bool]:
    """A trick in which two of this rank are equal and the earlier one wins."""
    return lambda each: (
        each["reason"]["code"] == "earlier-of-equals" and sum(card[0] == rank for card in cards(each)) == 2
    )


def uncalled(each: dict) -> bool:
    """A higher card shares the led card's other suit, and loses for it."""
    led, *others = cards(each)
    if not each["called_suit"] or each["reason"]["code"] != "highest-follower":
        return False
    won = next(play["cards"][0] for play in each["plays"] if play["seat"] == each["winner"])
    ranks = "A23456789PCX"
    shares = [card for card in others if set(card[1:]) & set(led[1:]) and each["called_suit"] not in card[1:]]
    return any(ranks.index(card[0]) > ranks.index(won[0]) for card in shares)


def last_excuse(judged: dict) -> list[str] | None:
    """A hand of several cards ends with the Excuse, and another follows."""
    for hand in judged["hands"][:-1]:
        if hand["hand_size"][0] > 1 and cards(hand["tricks"][-1])[-1] == "E":
            return [f"hand {hand['number']}, its last card, and the size of hand {hand['number'] + 1}"]
    return None
