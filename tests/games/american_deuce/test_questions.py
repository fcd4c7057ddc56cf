"""Single questions and sentences of American Deuce."""

from typing import Any

import pytest

from referee.engine.rules import Refused
from referee.games.american_deuce.game import GAME
from tests.games.american_deuce.told_rounds import HERS, NAMED, TABLE, drop, hand, left, name, refusal, with_known
from tests.referee.telling import (
    Json,
    accepted,
    exercises,
    hand_as_it_lay,
    irregular_now,
    plays,
    told,
    what_if,
)

# --- Single questions about American Deuce; the worked cases are in ``cases.jsonl``

SUITS = ["S", "H", "C", "D"]


def beats(play: str, on: str | None, decks: int = 1, **more: Any) -> Json:
    """Ask whether a play beats the one on the table."""
    lies = None if on is None else on.split()
    asked = {"decks": decks, "suit_order": SUITS, "on": lies, "play": play.split(), "options": {}, **more}
    return GAME.answer("beats", asked)


@exercises("AD-9", "AD-Q12")
def test_any_combination_may_be_led_except_a_forbidden_riot():
    assert beats("3S", None)["beats"]
    assert beats("3S 3H 3C 3D", None)["beats"]
    refused = beats("3S 3H 3C 3D", None, options={"riot_lead": "never"})
    assert not refused["beats"]
    assert refused["reason"].code == "riot-led"
    assert beats("3S 4S", None) | {"reason": None} == {"beats": False, "combination": None, "reason": None}


def test_the_answer_names_the_play_and_the_reason():
    answer = beats("8S 8H 8C 4D 4S", "2S AS KS QS 9S")
    assert answer["combination"]["kind"] == "full-house"
    assert str(answer["combination"]["name"]) == "full house, eights"
    assert answer["reason"].clauses == ("AD-19",)
    assert answer["reason"].text == "The full house, eights beats the flush in spades, 2 high."


@pytest.mark.parametrize(
    ("question", "asked", "pointer", "malformed"),
    [
        ("beats", {"decks": 3}, "/decks", False),
        ("beats", {"decks": "1"}, "/decks", True),
        ("beats", {"suit_order": ["S", "H", "C"]}, "/suit_order", False),
        ("beats", {"suit_order": ["S", "H", "C", "S"]}, "/suit_order", False),
        ("beats", {"on": []}, "/on", False),
        ("beats", {"on": "3S"}, "/on", True),
        ("beats", {"play": []}, "/play", False),
        ("beats", {"play": ["3S*"]}, "/play/0", False),
        ("beats", {"play": ["3S", "3S"]}, "/play/1", False),
        ("beats", {"on": ["9S"], "play": ["9S"]}, "/play/0", False),
        ("beats", {"under_five_of_a_kind": 1}, "/under_five_of_a_kind", True),
        ("beats", {"options": {"riot_equal": "never"}}, "/options/riot_equal", False),
        ("score", {"cards_left": [0, 1, 2], "dealt": [13, 13, 13]}, "/cards_left", False),
        ("score", {"cards_left": [0, 1, 2, 14], "dealt": [13] * 4}, "/cards_left", False),
        ("score", {"cards_left": [0, 1, 2, 0], "dealt": [13] * 4}, "/cards_left", False),
        ("score", {"cards_left": [0, 1, 2, 3], "dealt": [13] * 5}, "/dealt", False),
        ("score", {"cards_left": [0, 1, 2, "3"], "dealt": [13] * 4}, "/cards_left/3", True),
        ("deal", {"players": 3}, "/players", False),
        ("deal", {"players": None}, "/players", True),
    ],
)
def test_an_unanswerable_question_is_refused(question: str, asked: Json, pointer: str, malformed: bool):
    plain: Json = {"decks": 1, "suit_order": SUITS, "on": None, "play": ["3S"]} if question == "beats" else {}
    with pytest.raises(Refused) as refused:
        GAME.answer(question, plain | asked)
    assert refused.value.problems[0].pointer == pointer
    assert refused.value.malformed is malformed


@exercises("AD-25", "AD-Q15", "AD-A1", "AD-Q14")
def test_the_score_has_a_line_per_player_and_the_deal_names_undealt_cards():
    answer = GAME.answer(
        "score", {"cards_left": [16, 0, 5, 5, 17], "dealt": [21, 21, 21, 21, 20], "options": {"bands": "scaled"}}
    )
    assert answer["points"] == [-16, 60, -5, -5, -34]
    assert [(line.seat, line.points) for line in answer["lines"]] == list(enumerate(answer["points"]))
    even = GAME.answer("deal", {"players": 7, "options": {"deal": "even"}})
    assert (even["cards_each"], even["aside"], even["tricks"]) == ([14] * 7, 6, None)


# --- Sentences about plays: true under every house rule, citing the deciding clause

TWIN = ": rank and suit are equal, and the {card} of spades of the trump deck is better than its twin."
FIVE = "3S 3S* 3H 3D 3C"
ONE_COLOUR = ": it is in one color, as a riot has to be after five of a kind."


def answer(play: str, on: str, **more: object) -> tuple[str, tuple[str, ...]]:
    """Ask whether a play beats another with two packs; return the sentence and its clauses."""
    asked = {"decks": 2, "suit_order": SUITS, "on": on.split(), "play": play.split(), "options": {}, **more}
    reason = GAME.answer("beats", asked)["reason"]
    return reason.text, reason.clauses


@exercises("AD-6", "AD-16", "AD-17", "AD-20", "AD-21", "AD-23", "AD-28", "AD-Q4", "AD-Q17")
@pytest.mark.parametrize(
    ("play", "on", "why", "clauses"),
    [
        ("10S", "9S", ".", ("AD-16",)),
        ("9S", "9H*", ": the ranks are equal, and spades rank above hearts.", ("AD-16", "AD-6")),
        ("9S*", "9S", TWIN.format(card="9"),
         ("AD-28",)),
        ("9S 9D", "9H 9C", ": the ranks are equal, and spades rank above hearts.", ("AD-17", "AD-6")),
        ("9S* 9D", "9S 9H*", TWIN.format(card="9"),
         ("AD-Q17", "AD-28")),
        ("9S 9D 9D*", "9H 9H* 9C", ": the ranks are equal, and spades rank above hearts.", ("AD-Q17", "AD-6")),
        ("9S 9D 9D* 4S 4H", "9H 9H* 9C 2S 2H", ": the ranks are equal, and spades rank above hearts.",
         ("AD-Q17", "AD-6")),
        ("2S 3D 4C 5H 6D", "2H 3S 4S 5S 6C", ": the ranks are equal, and spades rank above hearts.",
         ("AD-20", "AD-Q4")),
        ("7S* 6D 5C 4H 3D", "7S 6S 5S 4S 3H",
         TWIN.format(card="7"),
         ("AD-Q4", "AD-28")),
        ("7S 6S 5S 4S 3S", "7H 6H 5H 4H 3H", ": the ranks are equal, and spades rank above hearts.", ("AD-23", "AD-6")),
        ("KS 10S 8S 7S 3S", "KD 10D 8D 7D 3D", ": the ranks are equal, and spades rank above diamonds.",
         ("AD-21", "AD-6")),
        ("KD JD 8D 7D 3D", "KS 10S 8S 7S 3S", ": the ranks first differ at jack against 10.", ("AD-21",)),
        ("KS* 10S 8S 7S 3S", "KS 10S* 8S* 7S* 3S*",
         TWIN.format(card="king"),
         ("AD-Q4", "AD-28")),
        ("4S 4S* 4H 4D 4C", FIVE, ".", ("AD-29",)),
        (FIVE, "10H JH QH KH AH", ".", ("AD-29",)),
    ],
)  # fmt: skip
def test_the_deciding_clause_is_cited(play: str, on: str, why: str, clauses: tuple[str, ...]):
    beats, other_way = answer(play, on), answer(on, play)
    assert beats[0].endswith(why)
    assert " beats the " in beats[0]
    assert beats[1] == other_way[1] == clauses
    if ": the ranks first" not in why:
        assert other_way[0].endswith(why)
    assert " doesn’t beat the " in other_way[0]


@exercises("AD-24", "AD-30", "AD-Q18", "AD-Q19", "AD-Q20", "AD-31")
@pytest.mark.parametrize(
    ("play", "on", "more", "said", "clauses"),
    [
        ("9S 9H 9C 9D", "2S", {}, "beats the 2 of spades, as every riot does.", ("AD-24",)),
        ("9S 9H 9C 9D", FIVE, {}, "After five of a kind a riot has to be in one color; the riot of nines is not.",
         ("AD-30",)),
        ("9S 9S* 9C 9C*", FIVE, {}, "beats the five of a kind, threes" + ONE_COLOUR, ("AD-30",)),
        ("9S 9H 9C 9D", "4S 4S* 4C 4C*", {"under_five_of_a_kind": True},
         "After five of a kind a riot has to be in one color; the riot of nines is not.", ("AD-30", "AD-Q20")),
        ("9S 9S* 9C 9C*", "7S 7H", {"under_five_of_a_kind": True}, "beats the pair of sevens" + ONE_COLOUR,
         ("AD-24", "AD-30", "AD-Q20")),
        ("9S 9S* 9C 9C*", "9H 9H* 9D 9D*", {}, ": the ranks are equal, and the color of trump ranks higher.",
         ("AD-Q18", "AD-31")),
        ("9D 9H 9C 9D*", "9S 9S* 9C* 9H*", {}, ": the ranks are equal, and spades rank above hearts.",
         ("AD-Q18", "AD-6")),
        ("9H 9H* 9D 9D*", "9S 9S* 9C 9C*", {}, ": the ranks are equal, and the color of trump ranks higher.",
         ("AD-Q18", "AD-31")),
        ("9D 9D* 9H 9H*", "9S 9S* 9C 9C*", {"options": {"riot_equal": "never"}},
         "at this table only a riot of higher rank beats a riot.", ("AD-24", "AD-Q18")),
        ("9S 9H 9C 9D", "8S 8S* 8C 8C*", {}, "beats the all-black riot of eights (BLM).", ("AD-24", "AD-Q19")),
        ("9S 9H 9C 9D", "8S 8H 8C 8D", {}, "beats the riot of eights.", ("AD-24",)),
        ("9S 9S* 9C 9C*", "8S 8H 8C 8D", {}, "beats the riot of eights.", ("AD-24",)),
        ("2S", "8S 8H 8C 8D", {}, "only a higher riot does.", ("AD-24",)),
    ],
)  # fmt: skip
def test_what_leading_a_riot_claims(play: str, on: str, more: Json, said: str, clauses: tuple[str, ...]):
    text, cited = answer(play, on, **more)
    assert text.endswith(said)
    assert cited == clauses


@exercises("AD-10", "AD-Q28", "AD-Q20")
@pytest.mark.parametrize(
    ("play", "on", "more", "said"),
    [
        ("9S 9H", "2S", {}, "It takes 1 card, or a riot."),
        ("9S 9H", FIVE, {}, "It takes 5 cards, or a riot in one color."),
        ("9S 9H", "4S 5S 7S 9D", {}, "The pair of nines doesn’t beat the last play: only a riot does."),
        ("4S 5S 7S 9S JS", "3S 4H 5H 6H 7H", {"options": {"same_type": True}}, "only the same kind does, or a riot."),
        ("4S 5S 7S 9S JS", FIVE, {"options": {"same_type": True}}, "only the same kind does, or a riot in one color."),
    ],
)
def test_a_riot_may_beat_any_kind_of_play(play: str, on: str, more: Json, said: str):
    assert answer(play, on, **more)[0].endswith(said)


@exercises("AD-Q1", "AD-Q12")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "you lead 1 card or a riot, unless you hold fewer."),
        ({"riot_lead": "always"}, "you lead 1 card or a riot, unless you hold fewer."),
        ({"riot_lead": "never"}, "you lead 1 card, unless you hold fewer."),
    ],
)
def test_the_required_lead_size_allows_riots_only_if_riots_may_be_led(options: Json, said: str):
    events = [*NAMED, *plays("0:3S 1:- 2:- 3:- 0:4S+4H")]
    told = refusal(events, options=options | {"count_lock": "round"})
    assert told["reason"]["text"].endswith(said)


@exercises("IR-15", "AD-10")
def test_cards_that_form_no_combination_are_listed():
    events = [*NAMED, *plays("0:3S+3H 1:10H+JH!")]
    assert [i["reason"]["text"] for i in hand(events)["irregularities"]] == [
        "Bob played 10H JH, which is not a combination.",
        "Not a combination, so it doesn’t beat the pair of threes: 10H JH.",
    ]
    taken = hand(events, plays("2:- 3:- 0:-"))
    assert taken["tricks"][0]["reason"]["text"] == "Bob wins the trick with the cards 10H JH: everyone else passed."


@exercises("AD-7", "AD-Q6", "AD-Q16", "AD-8", "AD-Q8")
@pytest.mark.parametrize(
    ("exchange", "played", "hands", "said"),
    [
        (drop(1), "0:3S 2:KD", {}, "Cy shows the king of diamonds, which Bob was said to hold."),
        (drop(None), "0:3S 2:KD", {},
         "Cy shows the king of diamonds, which no one in the cabinet was said to hold."),
        (drop(1), "", {"s2": HERS.replace("4D", "KD")},
         "Bob was said to hold the king of diamonds, but Cy did."),
        (drop(None), "", {"s2": HERS.replace("4D", "KD")},
         "No one in the cabinet was said to hold the king of diamonds, but Cy did."),
        (drop(0, None, None), "", {"s0": HERS},
         "No one said they held the king of diamonds, but one of these players had it: Bob, Cy and Dot."),
        (drop(1), "", {"s1": HERS}, "Bob was said to hold the king of diamonds, but did not."),
        (drop(1), "0:5C 1:KD 1:2C", {"s0": HERS},
         "Bob owed a 2; since the 2 of clubs we know that another card was given."),
        (drop(1, constipated=True), "0:2C", {"s0": HERS},
         "Bob said they held the king of diamonds and denied having a 2; since the 2 of clubs we know"
         " that there was one."),
        (drop(1, "5C", "4D", constipated=True), "0:5C 1:KD 1:2C", {"s0": HERS},
         "Bob denied having a 2, but now shows the 2 of clubs."),
        (drop(1, "5C", "4D", constipated=True), "0:5C 1:2C", {"s0": HERS},
         "Bob said they held the king of diamonds and denied having a 2, but now shows the 2 of clubs."),
        (drop(1, "2S"), "0:3C 2:3D", {},
         "Ann gave back a card as the lowest; since the 3 of diamonds we know that it wasn’t. Bob said they"
         " held the king of diamonds."),
        (drop(1, "2S", "4C"), "0:3C", {},
         "Ann gave back a card as the lowest, but now shows the 3 of clubs. Bob said they held the king of"
         " diamonds."),
        (drop(1, "2S", "4C"), "0:4S 1:KD 0:3C+9S", {},
         "Ann gave back a card as the lowest, but now shows the 3 of clubs."),
        (drop(1, "5S", "3D"), "", {},
         "Bob said they held the king of diamonds and gave the 5 of spades, and it wasn’t recorded that"
         " there was no 2. Unless that was a slip, Bob owed a 2."),
        (drop(1, "2S", "3D", constipated=True), "", {},
         "Bob said they held the king of diamonds, was recorded as having no 2, but gave the 2 of spades."),
    ],
)  # fmt: skip
def test_a_wrong_exchange_names_the_player_and_the_reason(exchange, played, hands, said):
    done = with_known([*NAMED, accepted(exchange), *map(accepted, plays(played))], **hands)
    codes = ("king-elsewhere", "denied-deuce", "not-lowest")
    found = [each for each in done["irregularities"] if each["code"] in codes]
    assert [each["reason"]["text"] for each in found] == [said]
    assert "AD-Q16" not in found[0]["reason"]["clauses"]


@exercises("AD-Q16")
def test_the_king_with_two_packs_is_in_the_trump_deck():
    done = hand(NAMED, drop(1), [*map(accepted, plays("0:3S 2:KD*"))], players=5)
    (found,) = [each for each in done["irregularities"] if each["code"] == "king-elsewhere"]
    assert found["reason"]["text"] == "Cy shows the king of diamonds of the trump deck, which Bob was said to hold."
    assert "AD-Q16" in found["reason"]["clauses"]


@exercises("AD-24", "AD-19", "IR-15")
def test_four_of_a_kind_with_a_fifth_card_cite_the_rule_of_riots():
    told = refusal([*NAMED, *plays("0:4S+4H+4D+4C+9S")])["reason"]
    assert (told["code"], told["clauses"]) == ("no-combination", ["AD-19", "AD-24", "IR-15"])
    assert told["text"].endswith("four of a kind are a riot only without a fifth card.")
    other = refusal([*NAMED, *plays("0:4S+4H+4D+5C+9S")])["reason"]
    assert other["clauses"] == ["AD-19", "IR-15"]


@exercises("AD-5", "REC-9")
def test_a_suit_already_named_is_refused_with_the_free_suits():
    told = refusal(name(0, "S"), name(1, "S"))["reason"]
    assert told["text"] == "Spades have already been named. Still free: hearts, clubs or diamonds."
    assert told["clauses"] == ["AD-5", "REC-9"]
    assert refusal(name(0, "M"))["reason"]["text"] == "“M” is not a suit."


def zeroed(round_: Json) -> Json:
    """Return the payment of the whole round that is offered for its only finding."""
    (found,) = round_["irregularities"]
    (zero,) = [remedy for remedy in found["remedies"] if remedy["code"] == "hand-zero"]
    only: Json = zero
    return only


@exercises("IR-4", "AD-25", "AD-26")
@pytest.mark.parametrize(
    ("left_over", "options", "said", "totals"),
    [
        ((0, 5, 3, 10), {}, "The offender lost the round and pays double; the winner gets it.", [33, -10, -3, -20]),
        ((5, 0, 3, 10), {}, "The offender won the round: no one pays, and the winner gets nothing.", [0, 0, 0, 0]),
        ((0, 5, 3, 10), {"scoring": "winner-only"},
         "The offender lost the round: the cards left in that hand count double for the winner.", [33, 0, 0, 0]),
    ],
)  # fmt: skip
def test_the_payment_of_a_round_explains_its_effect(left_over, options, said, totals):
    lied = [*NAMED, drop(1, "5S", "9S", constipated=True), *plays("0:3S 1:2H"), left(*left_over)]
    zero = zeroed(hand(lied, options={"revoke": "hand-zero", **options}))
    assert (zero["text"], zero["proposed"]) == (said, True)
    assert zero["effect"]["totals"]["after"] == totals


def test_before_the_end_of_a_round_its_payment_covers_both_outcomes():
    zero = zeroed(hand(NAMED, drop(1, "5S", "9S", constipated=True), plays("0:3S 1:2H")))
    assert "lost the round pays double" in zero["text"]
    assert "gets nothing, and no one pays" in zero["text"]


# --- What a hand would have been under other house rules (REC-22)


def deuce(*events: Json | list[Json], players: int = 4, options: Json | None = None, **now: Any) -> Json:
    table = TABLE | {"players": players, "options": options or {}}
    return hand_as_it_lay(NAMED, *events, **table, now=now)


@exercises("AD-Q1", "AD-Q28", "AD-24", "AD-26", "AD-Q15", "AD-A1")
def test_a_what_if_notes_acts_that_other_rules_make_irregular():
    assert deuce(left(0, 10, 1, 2), scoring="winner-only")["scores"] == {
        "then": [23, -20, -1, -2],
        "now": [23, 0, 0, 0],
    }
    pair = plays("0:3S+3H 1:- 2:- 3:- 0:4S 1:5S")
    assert irregular_now(deuce(pair, count_lock="round")) == [("does-not-beat", 0)]
    assert irregular_now(deuce(plays("0:3S+4S+5S+6S+8S 1:3H+3D+3C+4H+4D"), same_type=True)) == [("does-not-beat", 1)]
    riot = deuce(plays("0:3S+3H+3D+3C"), options={"riot_lead": "always"}, riot_lead="never")
    assert irregular_now(riot) == [("riot-led", 0)]


@exercises("AD-Q14", "AD-A2", "AD-Q18")
def test_a_what_if_reports_a_different_deal_and_seating():
    record = told([*NAMED, left(0, 14, 1, 2, 3)], NAMED, **TABLE | {"players": 5})
    dealt = what_if(record, deal="even")["hands"][0]
    assert [note["code"] for note in dealt["notes"]] == ["dealt-otherwise"]
    seated = what_if(record, reseat="round")["hands"][1]
    assert [note["code"] for note in seated["notes"]] == ["seated-otherwise"]
    scaled = what_if(record, bands="scaled")["hands"][0]
    assert scaled["scores"] == {"then": [34, -28, -1, -2, -3], "now": [20, -14, -1, -2, -3]}
    riots = plays("0:3S 1:5S+5H+5D+5C 2:5S*+5C*+5H*+5D*")
    assert irregular_now(deuce(riots, players=5, riot_equal="never")) == [("does-not-beat", 2)]
