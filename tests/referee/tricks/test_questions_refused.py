"""Questions that cannot be answered: what is malformed, what is well-formed and yet cannot be, and where."""

from typing import Any

import pytest

from referee.engine.catalogue import find_game
from referee.engine.options import Refused
from tests.games.decktet_tricks.oracle_cards import deck_of
from tests.referee.tricks.test_questions import plays

Json = dict[str, Any]
AT, RT, WC = "ace-trump", "ransom-trump", "wildcat-chicane"
CALLED, TIDES = {"called_suit": True}, {"tides": True}
BID = {"bidding": True}


def problems(question: str, game: str = AT, **asked: Any) -> tuple[bool, list[tuple[str, str]]]:
    """Return what is wrong with a question: whether it is malformed, and each pointer with its code."""
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
        (
            "trick", AT,
            {"plays": plays("8MS XM"), "trump": "M", "options": {"trump": "fixed", "fixed_trump": "L"}},
            "/trump", "bad-suit",
        ),
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
            "deal", AT,
            {
                "players": 2, "last_trick": ["8MS", "E"],
                "options": {"tides": True, "excuse": True, "tides_excuse": "same"},
            },
            "/hand_size", "missing-key",
        ),
        ("deal", WC, {"players": 2}, "/players", "bad-players"),
        ("beats", AT, {"play": ["8MS"]}, "/game", "unknown-question"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(question: str, game: str, asked: Json, pointer: str, code: str):
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
