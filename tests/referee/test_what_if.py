"""What if: a record judged as it lay under other house rules (REC-22)."""

from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.bounds import TooCostly
from referee.engine.catalogue import all_games, find_game
from referee.engine.game import Game
from referee.engine.options import REVOKE, Option, Refused
from referee.engine.records import Record, dump_record, load_record
from referee.engine.what_if import judge_as_it_lay
from referee.engine.what_if_sheet import View, describe_what_if
from referee.notation import read_text
from tests.games.discovery import COMPARED, HONEST, ORACLES, RANDOM
from tests.referee.telling import Json, bids, clause_ids, exercises, flat, plays, ransoms, reasons, result, told, trick
from tests.referee.test_golden import FILES, chosen, name
from tests.seeds import FIRST, as_often_as

SEEDS = as_often_as(always=12, hunting=200)


def what_if(record: Record | Json, /, **options: Any) -> Json:
    """Judge a record under other rules, and look over what every answer must keep."""
    loaded = record if isinstance(record, Record) else load_record(record)
    answer = cast(Json, describe_what_if(judge_as_it_lay(loaded, options), View(loaded.seats)))
    for reason in reasons(answer):
        assert reason["clauses"], reason
        assert set(reason["clauses"]) <= clause_ids(), reason
        assert "{" not in reason["text"], reason
    return answer


def hand(*events: Json | list[Json], players: int = 3, game: str = "ace-trump", **more: Any) -> Json:
    """Judge one hand under other rules: ``options`` are those it was played by, ``now`` those that are others."""
    now = more.pop("now")
    (only,) = what_if(told(flat(events), players=players, game=game, **more), **now)["hands"]
    return cast(Json, only)


def winners(only: Json, when: str) -> list[int | None]:
    """Who won each trick, then or now."""
    return [each[when] and each[when]["winner"] for each in only["tricks"]]


def irregular_now(only: Json) -> list[tuple[str, int | None]]:
    """What only the other rules call irregular."""
    return [(each["code"], each["seat"]) for each in only["irregularities"] if each["now"] and not each["then"]]


def values(option: Option, players: int) -> tuple[Any, ...]:
    """Every value of an option; of a number the ends and the middle."""
    span = option.span_for(players)
    return option.values if span is None else tuple(sorted({span[0], sum(span) // 2, span[1]}))


# -- laws -------------------------------------------------------------------------------------


def random_records() -> Iterator[tuple[str, Record]]:
    """Random records of every game, those that can be judged."""
    for game, make in RANDOM.items():
        for seed in range(FIRST, FIRST + SEEDS):
            try:
                record = load_record(make(Random(seed)))
                adjudicate(record)
            except Refused:
                continue
            yield f"{game} {seed}", record


RECORDS = [*((name(path), read_text(path.read_text())) for path in FILES), *random_records()]


def test_under_its_own_rules_nothing_about_a_record_changes():
    for which, record in RECORDS:
        mine, answer = what_if(record), adjudicate(record)
        assert mine["totals"] == {"then": answer["totals"], "now": answer["totals"]}, which
        assert mine["winners"] == {"then": answer["winners"], "now": answer["winners"]}, which
        assert (mine["finished"]["now"], mine["over_after"]) == (answer["finished"], None), which
        for laid, judged in zip(mine["hands"], answer["hands"], strict=True):
            assert not laid["changed"], which
            assert (laid["notes"], laid["left_out"], laid["unscored"]) == ([], [], None), which
            assert laid["scores"] == {"then": judged["scores"], "now": judged["scores"]}, which
            assert laid["score_lines"]["now"] == judged["score_lines"], which
            for each, trick_then in zip(laid["tricks"], judged["tricks"], strict=True):
                outcome = {key: trick_then[key] for key in each["now"]}  # type: ignore[literal-required]
                assert each["then"] == each["now"] == outcome, which
            assert all(each["then"] and each["now"] for each in laid["irregularities"]), which
            assert len(laid["irregularities"]) == len(judged["irregularities"]), which


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_value_of_every_option_is_answered_for_every_golden_record(game: Game):
    for path in FILES:
        record = read_text(path.read_text())
        if record.rules.game.id != game.id:
            continue
        for option in game.all_options():
            for value in values(option, record.rules.players):
                if option is REVOKE or value == record.rules.options[option.key]:
                    continue
                answer = answered(record, **{option.key: value})
                if answer is not None:
                    keeps_the_cards(answer, path.stem)


def answered(record: Record, **options: Any) -> Json | None:
    """The answer, or nothing where these rules cannot be: then each problem says which option it is about."""
    try:
        return what_if(record, **options)
    except Refused as refused:
        pointers = [problem.pointer for problem in refused.problems]
    assert all(pointer.startswith(("/options/", "/carried")) for pointer in pointers), options
    return None


def keeps_the_cards(answer: Json, which: str) -> None:
    """Every trick has an outcome, or the hand says why it has none."""
    for laid in answer["hands"]:
        missing = [each["number"] for each in laid["tricks"] if each["now"] is None]
        assert laid["judged"] or laid["unscored"], which
        assert not missing or not laid["judged"], which
        assert laid["unscored"] is None or set(laid["scores"]["now"]) == {None}, which
        for each in laid["tricks"]:
            assert not laid["judged"] or (each["then"]["winner"] is None) == (each["now"]["winner"] is None), which


def test_the_house_rules_of_a_golden_record_matter_here_too():
    for path in FILES:
        record = read_text(path.read_text())
        usual = {option.key: option.standard_for(record.rules.players) for option in game_of(record).all_options()}
        for key in chosen(record):
            if key in (REVOKE.key, "totals"):
                continue  # what is proposed for a revoke, and who may look, decides no trick and no score
            try:
                answer = what_if(record, **{key: usual[key]})
            except Refused:
                continue  # another option of this record needs it
            hands = answer["hands"]
            said = any(laid["changed"] or laid["notes"] or laid["left_out"] or laid["unscored"] for laid in hands)
            reasons_differ = any(each["then"] != each["now"] for laid in hands for each in laid["tricks"])
            totals = answer["totals"]["then"] != answer["totals"]["now"]
            over = answer["over_after"] or answer["finished"]["then"] != answer["finished"]["now"]
            assert said or reasons_differ or totals or over or key in DEALS_ONLY, (path.stem, key)


DEALS_ONLY = ("tides_excuse", "tides_last", "tides", "reseat", "course", "twice_one", "largest", "deal", "revoke")
"""Options that say only how the next hand is dealt: a record of one hand does not show them."""


def game_of(record: Record) -> Game:
    """The game of a record."""
    game = find_game(record.rules.game.id)
    assert game is not None
    return game


# -- a second adjudicator ---------------------------------------------------------------------


@pytest.mark.parametrize("game", COMPARED)
def test_a_second_adjudicator_agrees_where_the_same_cards_are_dealt(game: str):
    compared = 0
    for seed in range(FIRST, FIRST + SEEDS):
        rng = Random(seed)
        record = (HONEST if seed % 2 else RANDOM)[game](rng)
        try:
            loaded = load_record(record)
            before = loaded.rules.options
            option = rng.choice([option for option in game_of(loaded).options if option.key != "totals"])
            value = rng.choice([each for each in values(option, loaded.rules.players) if each != before[option.key]])
            mine = what_if(loaded, **{option.key: value})
        except Refused:
            continue
        told_alike = not any(laid["notes"] or laid["left_out"] or laid["unscored"] for laid in mine["hands"])
        if mine["rejected"] or mine["over_after"] or not told_alike:
            continue
        theirs = by_the_oracle(loaded, mine)
        if theirs is None:
            continue
        compared += 1
        for laid, other in zip(mine["hands"], theirs["hands"], strict=True):
            where = (game, seed, option.key, value, laid["number"])
            assert winners(laid, "now") == [each["winner"] for each in other["tricks"]], where
            assert laid["scores"]["now"] == other["scores"], where
        assert mine["totals"]["now"] == theirs["totals"], (game, seed, option.key, value)
    assert compared >= SEEDS // 10


def by_the_oracle(record: Record, mine: Json) -> Json | None:
    """Let the oracle judge the record by the other rules, every act accepted; ``None`` where it was told by results."""
    data = dump_record(record)
    data["options"] = mine["options"]["now"]
    for written in data["hands"]:
        for event in written["events"]:
            if event["type"] in ("trick", "result", "transfer"):
                return None
            event["accepted"] = True
            if event["type"] == "play" and not data["options"].get("called_suit"):
                event.pop("suit", None)
    answer = ORACLES[data["game"]](data)
    return None if answer["rejected"] else answer


# -- Ace Trump --------------------------------------------------------------------------------

TIE = plays("0:8MS 1:XS 2:XM")
"""Two Crowns follow: the higher symbol wins, by Early Bird the earlier one."""


@exercises("REC-22", "AT-V2", "AT-12")
def test_with_early_bird_the_earlier_crown_wins_and_the_wrong_player_led_on():
    only = hand(TIE, plays("2:9LK 0:3LY 1:4WL"), now={"ties": "early"})
    assert (winners(only, "then"), winners(only, "now")) == ([2, 2], [1, 2])
    first, second = only["tricks"]
    assert first["change"]["text"] == "With Early Bird trick 1 goes to Bob, not to Cy."
    assert first["change"]["clauses"] == ["AT-12", "AT-V2", "AT-V8", "REC-22"]
    assert first["now"]["reason"]["clauses"] == ["AT-10", "AT-V2"]
    assert (second["leader"], second["change"]) == (2, None)
    assert irregular_now(only) == [("out-of-turn", 2)]
    assert only["scores"] == {"then": [0, 0, 2], "now": [0, 1, 1]}


@exercises("AT-V1", "AT-V6")
def test_aces_rule_as_the_other_rules_have_it():
    aces = plays("0:AM 1:2SY 2:3SK 0:AS 1:XM 2:5SW")
    anew = hand(aces, now={"trump": "sticky"})
    assert winners(anew, "then") == [0, 2]
    assert winners(anew, "now") == [0, 1]
    assert anew["tricks"][1]["now"]["reason"]["clauses"] == ["AT-9", "AT-V1"]
    fixed = hand(aces, now={"trump": "fixed", "fixed_trump": "S"})
    assert (winners(fixed, "now"), fixed["tricks"][0]["now"]["trump"]) == ([2, 2], "S")


@exercises("AT-Q2")
def test_the_first_of_two_aces_rules_the_trick():
    only = hand(plays("0:AM 1:AS 2:XM"), plays("2:9WY 0:9MS 1:2SY"), now={"two_aces": "first"})
    assert (winners(only, "then")[0], winners(only, "now")[0]) == (1, 2)


@exercises("AT-V7")
def test_a_suit_that_nobody_called_is_noted_and_one_that_was_called_falls_away():
    silent = hand(TIE, now={"called_suit": True})
    assert (winners(silent, "now"), irregular_now(silent)) == ([2], [("no-suit-called", 0)])
    called = hand(plays("0:8MS/S 1:9MS 2:XM"), options={"called_suit": True}, now={"called_suit": False})
    assert (winners(called, "then"), winners(called, "now"), called["left_out"]) == ([1], [2], [])


@exercises("AT-Q9", "AT-16")
def test_a_led_excuse_counts_as_the_other_rules_have_it():
    led = plays("0:E 1:8MS 2:XK")
    free = hand(led, options={"excuse": True}, now={"excuse_led": "free"})
    assert (winners(free, "then"), winners(free, "now")) == ([1], [2])
    forbidden = hand(led, options={"excuse": True}, now={"excuse_led": "forbidden"})
    assert irregular_now(forbidden) == [("excuse-led", 0)]
    assert not forbidden["tricks"][0]["change"]


@exercises("AT-15", "REC-22")
def test_a_pack_without_a_card_that_was_played_judges_nothing():
    only = hand(plays("0:E 1:8MS 2:XK"), options={"excuse": True}, now={"excuse": False})
    assert (only["judged"], only["unscored"]["code"]) == (False, "cards-not-in-pack")
    assert only["tricks"][0]["now"] is None
    more = hand(TIE, now={"excuse": True})
    assert (more["judged"], winners(more, "now"), more["notes"][0]["code"]) == (True, [2], "other-pack")
    pawns = hand(TIE, players=4, now={"pawns": True})
    assert [note["code"] for note in pawns["notes"]] == ["dealt-otherwise", "other-pack"]
    assert pawns["notes"][0]["text"].startswith("By these rules the cards of each player would have been 10;")


@exercises("AT-V4", "AT-Q15", "REC-22")
def test_bids_that_nobody_made_leave_the_score_open_and_those_made_fall_away():
    silent = hand(TIE, now={"bidding": True})
    assert (winners(silent, "now"), silent["unscored"]["code"]) == ([2], "bids-missing")
    assert silent["unscored"]["clauses"] == ["AT-V4", "REC-22"]
    made = [*bids("0:1 1:1 2:10"), result(0, 2, 10)]
    bid = hand(*made, options={"bidding": True}, now={"bidding": False})
    assert bid["scores"] == {"then": [0, 6, 50], "now": [0, 2, 10]}
    assert [left["reason"]["code"] for left in bid["left_out"]] == ["wrong-phase"] * 3
    hooked = hand(*made, options={"bidding": True}, now={"hook": True})
    assert irregular_now(hooked) == [("forbidden-bid", 2)]


@exercises("AT-V3", "AT-Q16")
def test_partners_share_what_they_made():
    alone = told([result(1, 2, 3, 3)], players=4)
    assert what_if(alone, partners=True)["totals"] == {"then": [1, 2, 3, 3], "now": [4, 5, 4, 5]}
    pair = told([*bids("0:1 1:1 2:5 3:0"), result(2, 1, 4, 2)], players=4, options={"bidding": True, "partners": True})
    only = what_if(pair, partner_bid="joint")["hands"][0]
    assert only["scores"] == {"then": [6, 5, 0, 2], "now": [30, 7, 0, 0]}
    with pytest.raises(Refused, match="partners needs 4 or 6 players"):
        what_if(told(TIE), partners=True)
    with pytest.raises(Refused, match="/carried"):
        what_if(alone | {"carried": [1, 2, 3, 4]}, partners=True)


@exercises("AT-Q3", "AT-V5", "AT-Q12")
def test_what_other_rules_would_deal_is_said_and_the_cards_stay():
    record = told([*plays("0:AM 1:2SY 2:3SK"), result(12, 0, 0)], plays("1:8MS 2:XS 0:XM"))
    carried = what_if(record, trump_carry=True)["hands"][1]["tricks"][0]
    assert (carried["then"]["trump"], carried["now"]["trump"]) == (None, "M")
    tides = what_if(record, tides=True)["hands"][0]
    assert [note["code"] for note in tides["notes"]] == ["dealt-otherwise"]
    assert not tides["changed"]
    two = hand(plays("0:8MS 1:XS"), players=2, now={"two_player_deal": "all"})
    assert "18" in two["notes"][0]["text"]


def test_what_depends_on_a_rule_goes_back_to_usual_with_it():
    record = told([*bids("0:1 1:1 2:1"), *TIE], options={"bidding": True, "hook": True})
    answer = what_if(record, bidding=False)
    assert [each["key"] for each in answer["changed"]] == ["bidding", "hook"]
    with pytest.raises(Refused, match="/options/fixed_trump"):
        what_if(told(TIE), trump="fixed")
    with pytest.raises(Refused, match="no option"):
        what_if(told(TIE), colour="red")


@exercises("REC-19", "REC-22")
def test_what_was_told_without_cards_stays_where_it_went():
    only = hand(TIE, trick(0), result(3, 4, 5), now={"ties": "early"})
    assert winners(only, "now") == [1, 0]
    assert only["scores"] == {"then": [3, 4, 5], "now": [3, 5, 4]}


def test_an_unseen_card_is_won_as_it_was_told_or_as_the_cards_say():
    told_then = hand(plays("0:8MS 1:? 2:XM"), trick(1), plays("1:9WY"), now={"trump": "fixed", "fixed_trump": "M"})
    assert (winners(told_then, "then"), winners(told_then, "now")) == ([1, None], [2, None])
    assert irregular_now(told_then) == [("out-of-turn", 1)]


def test_a_game_that_would_have_been_over_says_when():
    record = told(TIE + [result(0, 5, 7)], [result(4, 4, 4)], end={"kind": "score", "value": 8})
    answer = what_if(record, ties="early")
    assert (answer["over_after"], answer["totals"]["now"]) == (None, [4, 10, 10])
    early = what_if(told([*TIE, result(0, 7, 5)], [result(4, 4, 4)], end={"kind": "score", "value": 8}), ties="early")
    assert early["over_after"] == 1


# -- the other games --------------------------------------------------------------------------


@exercises("RT-Q1", "RT-13")
def test_in_ransom_trump_the_dealer_would_have_led():
    events = [ransoms("2MK 2SY 2WL"), plays("0:8MS 1:XS 2:XM")]
    only = hand(*events, game="ransom-trump", now={"no_ransom_lead": "dealer"})
    assert (winners(only, "now"), irregular_now(only)) == ([2], [("out-of-turn", 0)])
    assert winners(hand(*events, game="ransom-trump", now={"ties": "late"}), "now") == [2]


CHICANE = [*bids("0:0 1:11 2:0"), result(0, 4, 7)]


@exercises("WC-Q1", "WC-Q2", "WC-Q3")
def test_in_chicane_bids_score_otherwise():
    def scores(**now: Any) -> Json:
        return cast(Json, hand(CHICANE, game="wildcat-chicane", now=now)["scores"])

    assert scores(zero_bid=7) == {"then": [0, 0, 0], "now": [7, 0, 0]}
    assert scores(miss_penalty=5) == {"then": [0, 0, 0], "now": [0, -5, -5]}
    assert irregular_now(hand(CHICANE, game="wildcat-chicane", now={"hook": True})) == [("forbidden-bid", 2)]


SUITS = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHD")]


def deuce(*events: Json | list[Json], players: int = 4, **now: Any) -> Json:
    """Judge a round of American Deuce under other rules."""
    return hand(SUITS, *events, players=players, dealer=0, game="american-deuce", now=now)


@exercises("AD-Q1", "AD-Q28", "AD-24", "AD-26", "AD-Q15", "AD-A1")
def test_in_american_deuce_what_would_have_been_irregular_is_noted_and_play_goes_on():
    left: Json = {"type": "result", "cards_left": [0, 10, 1, 2]}
    assert deuce(left, scoring="winner-only")["scores"] == {"then": [23, -20, -1, -2], "now": [23, 0, 0, 0]}
    pair = plays("0:3S+3H 1:- 2:- 3:- 0:4S 1:5S")
    assert irregular_now(deuce(pair, count_lock="round")) == [("does-not-beat", 0)]
    assert irregular_now(deuce(plays("0:3S+4S+5S+6S+8S 1:3H+3D+3C+4H+4D"), same_type=True)) == [("does-not-beat", 1)]
    riot = hand(
        SUITS, plays("0:3S+3H+3D+3C"), players=4, dealer=0, game="american-deuce",
        options={"riot_lead": "always"}, now={"riot_lead": "never"},
    )  # fmt: skip
    assert irregular_now(riot) == [("riot-led", 0)]


@exercises("AD-Q14", "AD-A2", "AD-Q18")
def test_in_american_deuce_another_deal_and_other_seats_are_said():
    five: Json = {"type": "result", "cards_left": [0, 14, 1, 2, 3]}
    record = told([*SUITS, five], [*SUITS], players=5, dealer=0, game="american-deuce")
    dealt = what_if(record, deal="even")["hands"][0]
    assert [note["code"] for note in dealt["notes"]] == ["dealt-otherwise"]
    seated = what_if(record, reseat="round")["hands"][1]
    assert [note["code"] for note in seated["notes"]] == ["seated-otherwise"]
    assert what_if(record, bands="scaled")["hands"][0]["scores"] == {
        "then": [34, -28, -1, -2, -3],
        "now": [20, -14, -1, -2, -3],
    }
    riots = plays("0:3S 1:5S+5H+5D+5C 2:5S*+5C*+5H*+5D*")
    equal = deuce(riots, players=5, riot_equal="never")
    assert [code for code, _ in irregular_now(equal)] == ["does-not-beat"]


def pit(text: str, /, options: Json | None = None, **now: Any) -> Json:
    """Judge tricks of Ace Pit under other rules."""
    return hand(plays(text), players=2, game="ace-pit", options=options or {}, now=now)


@exercises("AP-Q3", "AP-Q4", "AP-Q5", "AP-Q7", "AP-Q8")
def test_in_ace_pit_sets_are_worth_something_else():
    def change(text: str, /, options: Json | None = None, **now: Any) -> tuple[Any, Any]:
        (each,) = pit(text, options, **now)["tricks"]
        return each["then"]["points"], each["now"]["points"]

    assert change("0:8H 1:9H+9S", fork_spoon=False) == ({"1": 65}, {"1": 50})
    assert change("0:KS 1:AS+AH", ace_pit_once=True) == ({"1": 165}, {"1": 115})
    assert change("0:AS 1:KS", spoon_beats_ace=True) == ({"0": 50}, {"1": 15})
    assert change("0:AS 1:2D", ace_lead=60) == ({"0": 50}, {"0": 60})
    assert change("0:8H 1:9H+8S", {"free_pairs": True}, free_pairs=False)[1] == {"0": 10}
    only = pit("0:8H 1:9H+9S", fork_spoon=False)
    assert only["tricks"][0]["change"]["text"] == "By these rules trick 1 brings Bob 50 points, not 65."
    lost = pit("0:AS 1:KS 0:2D", spoon_beats_ace=True)
    assert irregular_now(lost) == [("out-of-turn", 0)]


def test_in_ace_pit_points_told_without_cards_stay():
    events = [*plays("0:8H 1:9H+9S"), {"type": "trick", "winner": 1, "points": {"1": 50}}]
    rest: Json = {"type": "result", "points": [60, 145]}
    only = hand(events, rest, players=2, game="ace-pit", now={"fork_spoon": False, "ace_lead": 60})
    assert only["judged"]
    assert only["scores"] == {"then": [60, 145], "now": [60, 130]}


# -- bounds -----------------------------------------------------------------------------------


def test_whoever_calls_can_stop_it():
    looks = iter(range(100))

    def watch() -> None:
        if next(looks) == 3:
            raise TooCostly

    with pytest.raises(TooCostly):
        judge_as_it_lay(load_record(told(*[[result(4, 4, 4)]] * 5)), {"ties": "early"}, watch)


def test_its_cost_grows_with_the_events():
    def work(hands: int) -> int:
        record, looks = load_record(told(*[[*TIE, result(4, 4, 4)]] * hands)), []
        judge_as_it_lay(record, {"ties": "early"}, lambda: looks.append(1))
        return len(looks)

    assert work(200) <= 2 * work(100) + 1
