"""Single questions of trick-taking games, answered and refused."""

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.engine.game import find_game
from referee.engine.rules import Refused
from tests.games.decktet_tricks.oracle_cards import (
    PLAYERS,
    bid_points,
    chicane_points,
    chicane_winner,
    deck_of,
    full_options,
    is_high,
    ransom_winner,
    reads,
    suits_of,
    trick_winner,
)
from tests.games.decktet_tricks.random_records import random_options
from tests.games.tricks.oracle_plain import Invalid
from tests.referee.telling import ask, exercises

# --- Single questions of Ace Trump, Ransom Trump and Wildcat Chicane: what they answer and what they refuse

Json = dict[str, Any]
seeds = st.integers(0, 2**32 - 1)
SUITED = ("ace-trump", "ransom-trump")


def plays(text: str) -> list[Json]:
    """Read plays such as ``8MS/M XS``, or with ruling cards ``6LK@AY 9MS@XM``."""
    read = []
    for word in text.split():
        code, _, ruling = word.partition("@")
        card, _, suit = code.partition("/")
        read.append({"cards": [card]} | ({"ruling_card": ruling} if ruling else {}) | ({"suit": suit} if suit else {}))
    return read


def winner(text: str, game: str = "ace-trump", **asked: Any) -> tuple[int, str | None]:
    answer = ask("trick", game, plays=plays(text), **asked)
    return answer["winner"], answer["trump"]


@exercises("AT-9")
def test_an_unfinished_trick_has_a_winner_so_far():
    assert winner("8MS") == (0, None)
    assert winner("8MS XS", players=4) == (1, None)
    assert winner("8MS@XW 9MS@XK", "wildcat-chicane") == (1, None)


@given(seeds, st.sampled_from(SUITED))
def test_the_second_adjudicator_agrees_who_wins_a_trick(seed: int, game: str):
    rng = Random(seed)
    players = rng.choice(list(PLAYERS[game]))
    options = random_options(rng, game, players)
    cards = rng.sample(deck_of(game, full(game, options, players)), players)
    spoken = full(game, options, players)
    shown: list[Json] = [{"cards": [card]} for card in cards]
    lead = next(index for index, card in enumerate(cards) if card != "E")
    if spoken["called_suit"] and (lead == 0 or spoken["excuse_led"] != "free"):
        shown[lead]["suit"] = rng.choice(suits_of(cards[lead]))
    trump = rng.choice([None, *"MSWLYK"])
    if spoken.get("trump") == "fixed":
        trump = spoken["fixed_trump"]
    elif spoken.get("trump") == "named":
        trump = trump or "M"
    answer = ask("trick", game, options=options, players=players, trump=trump, plays=shown)
    deciding, after = trumps(spoken, cards, trump) if game == "ace-trump" else (trump, trump)
    assert answer["trump"] == after
    assert answer["winner"] == trick_winner(spoken, shown, deciding)


def full(game: str, options: Json, players: int) -> Json:
    try:
        return full_options(game, options, players)
    except Invalid:
        assume(False)
        raise


def trumps(options: Json, cards: list[str], trump: str | None) -> tuple[str | None, str | None]:
    """Return the trump that decides the trick and the one after it, under AT-8 and its variants."""
    aces = [suits_of(card) for card in cards if card[0] == "A"]
    if not aces or options["trump"] in ("fixed", "named"):
        return trump, trump
    if options["trump"] == "sticky":
        return (trump or aces[0],) * 2
    return aces[0 if options["two_aces"] == "first" else -1], aces[-1]


@given(seeds)
def test_the_second_adjudicator_agrees_who_wins_in_wildcat_chicane(seed: int):
    rng = Random(seed)
    deck = deck_of("wildcat-chicane", {})
    players = rng.choice([3, 4])
    rulings = rng.sample([card for card in deck if is_high(card)], players)
    cards = rng.sample([card for card in deck if card not in rulings], players)
    shown = [{"cards": [card], "ruling": ruling} for card, ruling in zip(cards, rulings, strict=True)]
    asked = [{"cards": play["cards"], "ruling_card": play["ruling"]} for play in shown]
    assert ask("trick", "wildcat-chicane", plays=asked)["winner"] == chicane_winner(shown)


def legal(hand: str, game: str = "ace-trump", **asked: Any) -> str:
    return " ".join(ask("legal", game, hand=hand.split(), **asked)["legal"])


@exercises("AT-3")
def test_anything_may_be_led():
    assert legal("9MS AK 2WL") == "9MS AK 2WL"
    assert legal("9MS AK 2WL", "ransom-trump", led_card=None) == "9MS AK 2WL"
    assert legal("9MS AK", options={"called_suit": True}) == "9MS AK"


@exercises("AT-V7")
def test_only_the_called_suit_is_followed():
    called = {"called_suit": True}
    assert legal("3MW XS 2WL", led_card="8MS", led_suit="S", options=called) == "XS"
    assert legal("3MW XS 2WL", led_card="8MS", options=called) == "3MW XS"


@exercises("AT-Q9")
def test_the_excuse_is_led_by_house_rule():
    assert legal("2MK E", options={"excuse": True}) == "2MK E"
    assert legal("2MK E", options={"excuse": True, "excuse_led": "forbidden"}) == "2MK"
    assert legal("E", options={"excuse": True, "excuse_led": "forbidden"}) == "E"


@exercises("AT-Q9")
@pytest.mark.parametrize("mode", ["next-card", "free", "forbidden"])
def test_nothing_has_to_follow_the_excuse(mode: str):
    assert legal("2MK XS", led_card="E", options={"excuse": True, "excuse_led": mode}) == "2MK XS"


@exercises("WC-11")
def test_the_suit_led_may_be_given_by_its_name():
    assert legal("8MS 3SK", "wildcat-chicane", ruling_card="XK", led_suit="suns") == "3SK"


@given(seeds, st.sampled_from(SUITED))
def test_the_legal_cards_are_those_that_follow_or_all(seed: int, game: str):
    rng = Random(seed)
    options = {key: rng.random() < 0.5 for key in ("excuse", "pawns", "courts")}
    deck = deck_of(game, options)
    led, *hand = rng.sample(deck, rng.randint(2, 10))
    following = [card for card in hand if set(suits_of(card)) & set(suits_of(led))]
    expected = [card for card in hand if card in following or card == "E"] if following else hand
    answer = ask("legal", game, options=options, hand=hand, led_card=led)
    assert answer["legal"] == expected
    assert [each["card"] for each in answer["illegal"]] == [card for card in hand if card not in expected]


@given(seeds)
def test_wildcat_chicane_lists_the_legal_cards(seed: int):
    rng = Random(seed)
    deck = deck_of("wildcat-chicane", {})
    high, numbers = [card for card in deck if is_high(card)], [card for card in deck if not is_high(card)]
    ruling, *hand = rng.sample(high, rng.randint(1, 4))
    hand += rng.sample(numbers, rng.randint(0 if hand else 1, 8))
    rng.shuffle(hand)
    led = rng.choice([None, *"MSWLYK"])
    if led is None:
        fitting = [card for card in hand if reads(card, ruling) != suits_of(ruling)]
    else:
        fitting = [card for card in hand if reads(card, ruling) == led]
    answer = ask("legal", "wildcat-chicane", hand=hand, ruling_card=ruling, led_suit=led)
    assert answer["legal"] == (fitting or hand)


@exercises("WC-4")
@given(st.sampled_from(deck_of("wildcat-chicane", {})), st.sampled_from([r + s for r in "AX" for s in "MSWLYK"]))
def test_a_card_is_read_by_the_ruling_card(card: str, ruling: str):
    assert ask("suit", "wildcat-chicane", card=card, ruling_card=ruling)["suit"] == reads(card, ruling)


@exercises("RT-4", "RT-5", "RT-6", "RT-7", "RT-8", "RT-Q2")
@given(st.lists(st.sampled_from(deck_of("ransom-trump", dict.fromkeys(("excuse", "pawns", "courts"), True))),
                min_size=2, max_size=4, unique=True))  # fmt: skip
def test_the_highest_rank_shown_once_wins_the_ransom(cards: list[str]):
    options = {"excuse": True, "pawns": True, "courts": True}
    answer = ask("ransom", "ransom-trump", options=options, cards=cards)
    expected = ransom_winner(cards)
    suits = [] if expected is None else list(suits_of(cards[expected]))
    assert (answer["winner"], answer["suits"]) == (expected, suits)


@exercises("AT-V4", "AT-14", "RT-15", "AT-Q16")
def test_tricks_score_by_the_bid_if_bids_are_made():
    for game in SUITED:
        assert ask("score", game, tricks=5)["points"] == 5
        assert ask("score", game, tricks=0)["points"] == 0
        assert ask("score", game, tricks=5, bid=None)["points"] == 5
    joint = {"bidding": True, "partners": True, "partner_bid": "joint"}
    answer = ask("score", options=joint, bid=5, tricks=7)
    assert (answer["points"], answer["reason"].clauses) == (27, ("AT-V4", "AT-Q16"))


@given(st.integers(0, 11), st.integers(0, 11), st.integers(0, 20), st.integers(0, 20))
def test_the_second_adjudicator_agrees_what_bids_score(bid: int, tricks: int, zero: int, miss: int):
    assert ask("score", options={"bidding": True}, bid=bid, tricks=tricks)["points"] == bid_points(bid, tricks)
    options = {"zero_bid": zero, "miss_penalty": miss}
    answer = ask("score", "wildcat-chicane", options=options, bid=bid, tricks=tricks)
    assert answer["points"] == chicane_points(options, bid, tricks)
    assert sum(line.points for line in answer["lines"]) == answer["points"]


EXCUSE, PAWNS, ALL, TIDES = {"excuse": True}, {"pawns": True}, {"two_player_deal": "all"}, {"tides": True}


@exercises("AT-2", "AT-15", "AT-Q12", "AT-V5", "RT-2", "RT-Q7", "RT-9", "WC-2", "WC-8")
@pytest.mark.parametrize(
    ("game", "options", "players", "each", "aside", "tricks", "clauses"),
    [
        ("ace-trump", {}, 2, 9, 18, 9, ("AT-2",)),
        ("ace-trump", {}, 5, 7, 1, 7, ("AT-2",)),
        ("ace-trump", EXCUSE, 2, 9, 19, 9, ("AT-Q12",)),
        ("ace-trump", EXCUSE, 3, 12, 1, 12, ("AT-15",)),
        ("ace-trump", EXCUSE | PAWNS | {"courts": True}, 4, 11, 1, 11, ("AT-15",)),
        ("ace-trump", ALL, 2, 18, 0, 18, ("AT-2", "AT-Q12")),
        ("ace-trump", ALL | EXCUSE, 2, 18, 1, 18, ("AT-Q12",)),
        ("ace-trump", ALL | PAWNS, 2, 20, 0, 20, ("AT-Q12",)),
        ("ace-trump", TIDES, 4, 1, 32, 1, ("AT-V5",)),
        ("ransom-trump", {}, 3, 10, 6, 9, ("RT-2", "RT-9")),
        ("ransom-trump", EXCUSE, 2, 10, 17, 9, ("RT-Q7", "RT-9")),
        ("ransom-trump", PAWNS, 4, 9, 4, 8, ("RT-Q7", "RT-9")),
        ("wildcat-chicane", {}, 3, 12, 0, 11, ("WC-2", "WC-8")),
        ("wildcat-chicane", {}, 4, 9, 0, 8, ("WC-2", "WC-8")),
    ],
)
def test_a_deal_says_how_many_cards_and_cites_why(game, options, players, each, aside, tricks, clauses):
    answer = ask("deal", game, options=options, players=players)
    assert (answer["cards_each"], answer["aside"], answer["tricks"]) == ([each] * players, aside, tricks)
    assert answer["reason"].clauses == clauses


ONE, SAME, WINNING = {"tides_excuse": "one"}, {"tides_excuse": "same"}, {"tides_last": "winning"}


@exercises("AT-V5", "AT-Q18", "AT-Q19")
@pytest.mark.parametrize(
    ("options", "last_trick", "more", "size", "named", "clauses"),
    [
        ({}, "6LK 4YK 8MS", {}, 8, "The Diplomat", ("AT-V5",)),
        (PAWNS, "8MS 9MS PMSL", {}, 9, "The Harvest", ("AT-V5", "AT-Q18")),
        (EXCUSE, "6LK 4YK E", {}, 4, "The Battle", ("AT-V5", "AT-Q18")),
        (EXCUSE | ONE, "6LK 4YK E", {}, 1, "The Excuse", ("AT-V5", "AT-Q18")),
        (EXCUSE | SAME, "6LK 4YK E", {"hand_size": 7}, 7, "The Excuse", ("AT-V5", "AT-Q18")),
        (EXCUSE | SAME, "6LK E 4YK", {}, 4, "The Battle", ("AT-V5",)),
        (WINNING, "8MS 9MS 3SK", {}, 9, "The Pact", ("AT-V5", "AT-Q19")),
        (WINNING, "8MS 9MS 3SK", {"trump": "K"}, 3, "The Painter", ("AT-V5", "AT-Q19")),
        (WINNING, "8MS 2MK AK", {}, 2, "The Author", ("AT-V5", "AT-Q19")),
        (WINNING | PAWNS, "8MS 2MK PMSL", {}, 9, "The Harvest", ("AT-V5", "AT-Q19", "AT-Q18")),
        (WINNING | EXCUSE, "8MS 2MK E", {}, 8, "The Diplomat", ("AT-V5", "AT-Q19")),
    ],
)
def test_a_tide_is_set_by_a_card_of_the_last_trick(options, last_trick, more, size, named, clauses):
    answer = ask("deal", options=TIDES | options, players=3, last_trick=last_trick.split(), **more)
    assert (answer["cards_each"], answer["tricks"]) == ([size] * 3, size)
    assert (answer["reason"].text.startswith(named), answer["reason"].clauses) == (True, clauses)


# --- Unanswerable questions: malformed, or well-formed but impossible, with a pointer

AT, RT, WC = "ace-trump", "ransom-trump", "wildcat-chicane"
FIXED = {"trump": "fixed", "fixed_trump": "L"}
CALLED, BID = {"called_suit": True}, {"bidding": True}


def problems(question: str, game: str = AT, **asked: Any) -> tuple[bool, list[tuple[str, str]]]:
    """Return whether a question is malformed, and each pointer with its code."""
    found = find_game(game)
    assert found is not None
    with pytest.raises(Refused) as refused:
        found.answer(question, asked)
    assert all(problem.detail for problem in refused.value.problems)
    return refused.value.malformed, [(problem.pointer, problem.code) for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("question", "game", "asked", "pointer", "code"),
    [
        ("trick", AT, {"plays": plays("8MS 9SK")}, "/plays/1/cards/0", "not-in-deck"),
        ("trick", AT, {"plays": plays("8MS E")}, "/plays/1/cards/0", "not-in-deck"),
        ("trick", AT, {"plays": plays("8MS diplomat")}, "/plays/1/cards/0", "already-played"),
        ("trick", AT, {"plays": []}, "/plays", "wrong-count"),
        ("trick", AT, {"plays": plays("8MS XM XS AK AL AM 2MK")}, "/plays", "wrong-count"),
        ("trick", AT, {"plays": plays("8MS XM XS"), "players": 2}, "/plays", "wrong-count"),
        ("trick", AT, {"plays": [{"cards": []}]}, "/plays/0/cards", "wrong-count"),
        ("trick", AT, {"plays": [{"cards": ["8MS", "XM"]}]}, "/plays/0/cards", "wrong-count"),
        ("trick", AT, {"plays": plays("8MS XM"), "players": 9}, "/players", "bad-players"),
        ("trick", AT, {"plays": plays("8MS XM"), "trump": "hearts"}, "/trump", "bad-suit"),
        ("trick", AT, {"plays": plays("8MS/M XM")}, "/plays/0/suit", "bad-suit"),
        ("trick", AT, {"plays": plays("8MS@XM XM")}, "/plays/0/ruling_card", "bad-value"),
        ("trick", AT, {"plays": plays("E"), "options": {"excuse": True}}, "/plays", "wrong-count"),
        ("trick", AT, {"plays": plays("8MS/K XM"), "options": CALLED}, "/plays/0/suit", "bad-suit"),
        ("trick", AT, {"plays": plays("8MS XM/M"), "options": CALLED}, "/plays/1/suit", "bad-suit"),
        ("trick", AT, {"plays": plays("8MS XM"), "options": {"hook": True}}, "/options/hook", "option-conflict"),
        ("trick", AT, {"plays": plays("8MS XM"), "options": {"magic": 1}}, "/options/magic", "unknown-option"),
        ("trick", AT, {"plays": plays("8MS XM"), "trump": "M", "options": FIXED}, "/trump", "bad-suit"),
        ("trick", WC, {"plays": plays("8MS@XM XS")}, "/plays/1/ruling_card", "missing-key"),
        ("trick", WC, {"plays": plays("8MS@XM XS@XM")}, "/plays/1/ruling_card", "already-played"),
        ("trick", WC, {"plays": plays("8MS@XS XS@XM")}, "/plays/0/ruling_card", "already-played"),
        ("trick", WC, {"plays": plays("8MS@9MS XS@XM")}, "/plays/0/ruling_card", "not-in-deck"),
        ("trick", WC, {"plays": plays("8MS@XM XS@AM"), "trump": "M"}, "/trump", "bad-suit"),
        ("legal", AT, {"hand": []}, "/hand", "wrong-count"),
        ("legal", AT, {"hand": ["8MS", "diplomat"]}, "/hand/1", "already-played"),
        ("legal", AT, {"hand": ["8MS"], "led_card": "8MS"}, "/led_card", "already-played"),
        ("legal", AT, {"hand": ["8MS"], "led_card": "ZZ"}, "/led_card", "not-in-deck"),
        ("legal", AT, {"hand": ["8MS"], "led_suit": "M"}, "/led_suit", "bad-suit"),
        ("legal", AT, {"hand": ["8MS"], "led_card": "XM", "led_suit": "M"}, "/led_suit", "bad-suit"),
        ("legal", AT, {"hand": ["8MS"], "ruling_card": "XM"}, "/ruling_card", "bad-value"),
        ("legal", AT, {"hand": deck_of("wildcat-chicane", {})[:19]}, "/hand", "too-many-cards"),
        ("legal", WC, {"hand": ["8MS"]}, "/ruling_card", "missing-key"),
        ("legal", WC, {"hand": ["8MS", "XM"], "ruling_card": "XM"}, "/ruling_card", "already-played"),
        ("legal", WC, {"hand": ["8MS"], "ruling_card": "9MS"}, "/ruling_card", "not-in-deck"),
        ("legal", WC, {"hand": ["8MS"], "ruling_card": "XM", "led_suit": "D"}, "/led_suit", "bad-suit"),
        ("legal", WC, {"hand": ["8MS"], "ruling_card": "XM", "led_card": "9MS"}, "/led_card", "bad-value"),
        ("legal", WC, {"hand": ["XS", "XW", "XL", "XY"], "ruling_card": "XM"}, "/hand", "too-many-cards"),
        ("suit", WC, {"card": "8MS", "ruling_card": "9MS"}, "/ruling_card", "not-in-deck"),
        ("suit", WC, {"card": "E", "ruling_card": "XM"}, "/card", "not-in-deck"),
        ("ransom", RT, {"cards": ["8MS"]}, "/cards", "wrong-count"),
        ("ransom", RT, {"cards": ["8MS", "8MS"]}, "/cards/1", "already-played"),
        ("ransom", RT, {"cards": ["8MS", "E"]}, "/cards/1", "not-in-deck"),
        ("score", AT, {"tricks": 40}, "/tricks", "bad-value"),
        ("score", AT, {"tricks": -1}, "/tricks", "bad-value"),
        ("score", AT, {}, "/tricks", "missing-key"),
        ("score", AT, {"tricks": 3, "options": BID}, "/bid", "missing-key"),
        ("score", AT, {"tricks": 3, "bid": -1, "options": BID}, "/bid", "bad-value"),
        ("score", AT, {"tricks": 3, "dealt": [3]}, "/dealt", "bad-value"),
        ("deal", AT, {"players": 7}, "/players", "bad-players"),
        ("deal", AT, {"players": 2, "last_trick": ["8MS", "XM"]}, "/last_trick", "bad-value"),
        ("deal", AT, {"players": 2, "last_trick": ["8MS"], "options": TIDES}, "/last_trick", "wrong-count"),
        (
            "deal", AT, {"players": 2, "last_trick": ["8MS", "E"], "options": TIDES | EXCUSE | SAME},
            "/hand_size", "missing-key",
        ),
        ("deal", WC, {"players": 2}, "/players", "bad-players"),
        ("beats", AT, {"play": ["8MS"]}, "/game", "unknown-question"),
    ],
)  # fmt: skip
def test_impossible_values_are_refused(question: str, game: str, asked: Json, pointer: str, code: str):
    assert problems(question, game, **asked) == (False, [(pointer, code)])


@pytest.mark.parametrize(
    ("question", "asked", "pointer", "code"),
    [
        ("trick", {}, "/plays", "missing-key"),
        ("trick", {"plays": "8MS"}, "/plays", "wrong-type"),
        ("trick", {"plays": ["8MS"]}, "/plays/0", "wrong-type"),
        ("trick", {"plays": [{"cards": [7]}]}, "/plays/0/cards/0", "wrong-type"),
        ("trick", {"plays": [{"cards": ["8MS"], "seat": 0}]}, "/plays/0/seat", "unknown-key"),
        ("trick", {"plays": plays("8MS"), "trump": 4}, "/trump", "wrong-type"),
        ("trick", {"plays": plays("8MS"), "players": "two"}, "/players", "wrong-type"),
        ("trick", {"plays": plays("8MS"), "options": {"ties": 1}}, "/options/ties", "wrong-type"),
        ("trick", {"plays": plays("8MS"), "magic": True}, "/magic", "unknown-key"),
        ("legal", {}, "/hand", "missing-key"),
        ("legal", {"hand": {}}, "/hand", "wrong-type"),
        ("score", {"tricks": "5"}, "/tricks", "wrong-type"),
        ("score", {"tricks": True}, "/tricks", "wrong-type"),
        ("deal", {}, "/players", "missing-key"),
        ("deal", {"players": 3.0}, "/players", "wrong-type"),
        ("deal", {"players": 3, "options": []}, "/options", "wrong-type"),
    ],
)
def test_a_wrong_shape_is_malformed(question: str, asked: Json, pointer: str, code: str):
    malformed, found = problems(question, **asked)
    assert malformed
    assert (pointer, code) in found
