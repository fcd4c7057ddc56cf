"""What the golden records of Ace Trump, Ransom Trump and Wildcat Chicane share: variants, and how they are played."""

import random
from collections.abc import Callable
from typing import Any

from tests.games.decktet_tricks.oracle import Table
from tests.games.decktet_tricks.random_story import Story
from tests.games.tricks.random_story import Mischief
from tests.golden.variant import Variant, both, cards, clean, code, irregular, scored, trick

NONE = dict.fromkeys(
    ("liars", "disorder", "impossible", "refuse", "settlements", "known", "aliases", "coarse", "unfinished"), 0.0
)


def play(variant: Variant, record: dict, rng: random.Random) -> bool:
    """Play the hands of a record at random by the rules; say whether it turned out fit."""
    mischief = Mischief(**{**NONE, "accept": 1.0, "liars": variant.lies, "coarse": variant.coarse})
    story = Story(rng, mischief, Table(record))
    while len(record["hands"]) < variant.hands and not story.stopped and story.table.refusal() is None:
        record["hands"].append(story.tell_hand())
    return not story.stopped and not story.table.running()


LAST = 6
"""Aces are looked for before this trick, so that what they do to later tricks is seen too."""


def aces(number: int) -> Callable[[dict], bool]:
    return lambda each: sum(card[0] == "A" for card in cards(each)) >= number and each["number"] < LAST


def late_ace(each: dict) -> bool:
    """A card wins as trump that an Ace, played after it, has made trump."""
    played = cards(each)
    won = next(play["cards"][0] for play in each["plays"] if play["seat"] == each["winner"])
    late = played[played.index(won) + 1 :]
    return any(card[0] == "A" and card[1] in won[1:] for card in late)


def excuse_first(each: dict) -> bool:
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


EQUAL = "cards of one rank follow"


def shared(game: str, name: str, *, pairs: str, bids: str) -> list[Variant]:
    bid = {"bidding": True}
    pair = {"partners": True}

    def make(file: str, about: str, options: dict, players: int = 3, **more: Any) -> Variant:
        return Variant(game, file, f"{name}, {about}", options, players, **more)

    return [
        make(
            "early-bird",
            "Early Bird (AT-V2): of equal cards that follow, the earlier wins.",
            {"ties": "early"},
            4,
            shows=both(clean, code("earlier-of-equals", EQUAL)),
        ),
        make(
            "late-bird",
            "Late Bird (AT-V8): of equal cards that follow, the later wins.",
            {"ties": "late"},
            4,
            shows=both(clean, code("later-of-equals", EQUAL)),
        ),
        make(
            "called-suit",
            "Called Suit (AT-V7): the leader names one suit of the card, and only that is followed.",
            {"called_suit": True},
            4,
            shows=both(clean, trick("a card that shares only the suit not called", uncalled)),
        ),
        make(
            "excuse",
            "with the Excuse (AT-16): it may be played though its holder could follow, and never wins.",
            {"excuse": True},
            shows=both(clean, trick("the Excuse", lambda e: "E" in cards(e)[1:])),
        ),
        make(
            "excuse-led",
            "Excuse led (AT-Q9): the card after it counts as led.",
            {"excuse": True},
            shows=both(clean, trick("the Excuse is led", excuse_first)),
        ),
        make(
            "excuse-led-free",
            "Excuse led, free (AT-Q9): anything may follow it, and the highest trump or else the highest rank wins.",
            {"excuse": True, "excuse_led": "free"},
            4,
            keep=("excuse",),
            shows=both(clean, trick("the Excuse is led", excuse_first)),
        ),
        make(
            "excuse-led-forbidden",
            "Excuse led, forbidden (AT-Q9): leading it from other cards is irregular.",
            {"excuse": True, "excuse_led": "forbidden"},
            keep=("excuse",),
            shows=both(
                irregular("excuse-led", "the Excuse led, which the table accepted"),
                trick("the Excuse is led", excuse_first),
            ),
        ),
        make(
            "pawns",
            "with Pawns (AT-17): between 9 and Crown, and of two equal Pawns the earlier wins.",
            {"pawns": True},
            4,
            shows=both(clean, trick("two Pawns", two_of("P"))),
        ),
        make(
            "courts",
            "with Courts (AT-Q11): between Pawn and Crown, and of two equal Courts the earlier wins.",
            {"courts": True},
            4,
            shows=both(clean, trick("two Courts", two_of("C"))),
        ),
        make(
            "partners", f"Partners ({pairs}): opposite seats add their scores, and share the win.", pair, 4, shows=clean
        ),
        make(
            "bidding",
            f"Bidding ({bids}): 5 for each trick bid and 1 for each overtrick, nothing below the bid.",
            bid,
            shows=both(clean, scored("bid-missed", "a bid that was missed"), scored("bid-made", "a bid that was made")),
        ),
        make(
            "hook",
            "the hook (AT-Q15): the last bid made the bids add up to the tricks, and the table accepted it.",
            {**bid, "hook": True},
            keep=("bidding",),
            shows=irregular("forbidden-bid", "the last bid"),
        ),
        make(
            "joint-bids",
            "joint bids (AT-Q16): partners’ bids and tricks are added before they are scored.",
            {**bid, **pair, "partner_bid": "joint"},
            4,
            keep=("bidding", "partners"),
            shows=clean,
        ),
    ]
