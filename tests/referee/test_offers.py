"""What may be recorded next, what it would mean, and the first trick of a lesson."""

from random import Random
from typing import Any

import pytest

from referee.engine.events import Ask, Play, Preview
from referee.engine.first_trick import FirstDeal, FirstTrick, choices, first_deal, first_trick
from referee.engine.game import Game, all_games
from referee.engine.hand import Hand
from referee.engine.offers import offers
from referee.engine.records import load_event, load_record, replay
from referee.engine.rules import Refused, Rules
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import hand_for, judge, open_table
from tests.games.american_deuce.told_rounds import NAMED, TABLE, name
from tests.games.discovery import JUDGED
from tests.referee.telling import bids, exercises, known, plays, ruling_cards, told
from tests.seeds import FIRST, as_often_as

# --- Offers suffice for a program that knows no rules: every offered event is accepted as it is

LONGEST_HAND = 400
GAMES: Any = {game.id: game for game in all_games()}
HANDS = range(FIRST, FIRST + as_often_as(always=20, hunting=60, again=1, quick=7))
"""Random hands per game in one run; `make offered N=10000` plays any number."""


def random_rules(chance: Random, game: Game) -> Rules:
    while True:
        chosen = [option for option in game.all_options() if chance.random() < 0.2]
        values = {o.key: chance.choice(o.values) if o.values else chance.randint(*(o.span or (0, 0))) for o in chosen}
        try:
            return game.rules(values, chance.choice(game.players))
        except Refused:
            continue


def dealt(game, players, **options):
    table = hand_for(open_table(GAMES[game].rules(options, players), first_dealer=players - 1))
    assert not isinstance(table, Refusal)
    return table


def after(table, *events):
    for event in events:
        ruling = judge(table, load_event(event))
        assert ruling.verdict is Verdict.ACCEPTED, ruling.reason
        table = ruling.table
    return table


def offered(table, event, **asked):
    return next(o for o in offers(table, table.hand.asks(), **asked) if o.ask.event == event)


def told_result(table, chance):
    """Return the table after the requested result: numbers that add up, until the cards allow them."""
    (wanted,) = [ask.fields[0] for ask in table.hand.asks()]
    for _ in range(1000):
        numbers = list(wanted.floors)
        while (left := wanted.total - sum(numbers)) > 0:
            numbers[chance.randrange(len(numbers))] += chance.choice([each for each in (1, 10, 13) if each <= left])
        ruling = judge(table, load_event({"type": "result", wanted.name: numbers}))
        if ruling.verdict is Verdict.ACCEPTED:
            return ruling.table
    raise AssertionError((table.rules.options, wanted))


def play_what_is_offered(game: str, seed: int) -> int:
    """Play a random hand under random house rules, using only offers; return its number of events.

    Fails if an offered event is refused, if nothing is offered, or if the hand does not end.
    """
    chance = Random(seed)
    rules = random_rules(chance, GAMES[game])
    table: Any = hand_for(open_table(rules, first_dealer=chance.randrange(rules.players)))
    rarely = {"result"} if chance.random() < 0.3 else {"result", "trick"}
    for events in range(LONGEST_HAND):
        if isinstance(table, Refusal) or table.hand.is_over():
            return events
        beside = chance.random() < 0.03
        found = [
            offer for offer in offers(table, table.hand.table_asks() if beside else table.hand.asks()) if offer.events
        ]
        if not (beside or found):
            table = told_result(table, chance)
            continue
        likely = [o for o in found if o.ask.event not in rarely or chance.random() < 0.03] or found
        if likely:
            event = chance.choice(chance.choice(likely).events)
            ruling = judge(table, load_event(event))
            assert ruling.verdict is Verdict.ACCEPTED, (game, seed, event, ruling.reason)
            table = ruling.table
    pytest.fail(f"the hand of {game} by seed {seed} does not end")


@pytest.mark.parametrize("game", JUDGED)
def test_offered_events_are_always_accepted_and_end_the_hand(game):
    for seed in HANDS:
        play_what_is_offered(game, seed)


def test_a_bid_forbidden_by_the_hook_cites_its_clause():
    bid = offered(after(dealt("ransom-trump", 3, bidding=True, hook=True), *bids("0:5 1:4")), "bid")
    assert [(each.values, each.reason.code) for each in bid.barred] == [((0,), "forbidden-bid")]
    assert 0 not in (bid.values or ())
    assert all(event["tricks"] != 0 for event in bid.events)


def round_of_four(text: str = ""):
    """Return a table of American Deuce after its suits were named, and these plays; seat 3 names, and plays, first."""
    return after(dealt("american-deuce", 4), name(3, "S"), name(0, "H"), name(1, "C"), *plays(text))


def test_only_plays_that_beat_the_last_one_are_offered():
    play = offered(round_of_four("3:2S"), "play")
    assert play.complete
    assert {len(event["cards"]) for event in play.events} == {4}, "riots alone beat the highest card"


def test_an_unbeatable_play_allows_only_a_pass():
    beaten = round_of_four("3:3S 0:2S+2H+2C+2D")
    assert [ask.event for ask in beaten.hand.asks()] == ["pass", "play", "result"]
    told = offers(beaten, beaten.hand.asks())
    assert [offer.ask.event for offer in told] == ["pass", "result"], "nobody can answer an ask for a play"
    assert told[0].forced() == {"type": "pass", "seat": 1}


def test_the_only_card_that_may_be_played_is_forced():
    others = "AS AW AL AY AK 2SY 2WL 3LY 3SK 4WL 4YK"
    table = replay(load_record(told(known(plays("0:AM"), s1=f"{others} XM")))).table
    play = offered(table, "play")
    assert play.forced() == {"type": "play", "seat": 1, "cards": ["XM"]}
    assert {each.reason.code for each in play.barred} == {"revoke"}
    assert {value for each in play.barred for value in each.values} == {*others.split()}


def test_combinations_are_offered_from_the_held_cards():
    some = offered(round_of_four(), "play", held=("3S", "3H", "4H"))
    assert some.events
    assert all({"3S", "3H", "4H"} <= set(event["cards"]) for event in some.events)
    assert {len(event["cards"]) for event in some.events} == {5}


def test_possible_inputs_do_not_reveal_hidden_points():
    table = dealt("ace-pit", 2, totals="hidden")
    assert [offer.events for offer in offers(table, table.hand.asks()) if offer.ask.event == "result"] == [()]


# --- Previews of an event, and what a card would claim if played


def hand_of(*hands: Any, **more: Any) -> Hand:
    hand = replay(load_record(told(*hands, **more))).table.hand
    assert hand is not None
    return hand


def deuce(*events: Any) -> Hand:
    return hand_of([*NAMED, *(move for part in events for move in part)], **TABLE)


def seen(hand: Hand, seat: int, cards: str) -> tuple[bool | None, list[str]]:
    preview = hand.preview(Play(seat, tuple(cards.split())))
    assert isinstance(preview, Preview)
    return preview.fits, [reason.sentence(("Ann", "Bob", "Cy", "Dot")) for reason in preview.reasons]


@exercises("AD-10", "AD-22", "AD-24", "AD-Q12")
@pytest.mark.parametrize(
    ("lying", "cards", "fits", "said"),
    [
        ("", "8S 8H 8C 4D 4S", True, "Full house, eights."),
        ("0:7S+7H+7C+3D+3S", "8S 8H 8C 4D 4S", True, "Full house, eights. The … beats the full house, sevens."),
        ("0:7S+7H+7C+3D+3S", "6S 6H 6C 4D 4S", False, "Full house, sixes. The … doesn’t beat the full house, sevens."),
        ("0:7S", "9H", True, "9 of hearts. The … beats the 7 of spades."),
        ("0:7S", "8S 9H", False, "Not a combination: the 8 of spades and the 9 of hearts."),
        ("0:7S", "7S", False, "The 7 of spades has already been played."),
        ("0:7S+7H", "9H 9S 9C", False, "Triple of nines. The … doesn’t beat the pair of sevens. It takes 2"),
    ],
)  # fmt: skip
def test_a_combination_is_named_while_it_is_built(lying: str, cards: str, fits: bool, said: str):
    found, sentences = seen(deuce(plays(lying)), 1, cards)
    assert found == fits
    for part in said.split("…"):
        assert part.strip() in " ".join(sentences)


@exercises("AP-8", "AP-11", "AP-12", "AP-Q4")
@pytest.mark.parametrize(
    ("cards", "fits", "said"),
    [
        ("8H 10H", True, "Bob wins with Spoon 30 + Pin 25 + Flush 40: 95 points."),
        ("2C", None, "2 of clubs makes no set with 9 of hearts, so it’s a Throw Away: Ann wins, 10 points."),
        ("2C 3C", False, "Not a set: 2 of clubs and 3 of clubs. Two cards must be a Pin or a Double Fork."),
    ],
)
def test_a_response_is_broken_down_before_it_is_confirmed(cards: str, fits: bool | None, said: str):
    laid = hand_of(plays("0:9H"), game="ace-pit", players=2)
    found, (sentence,) = seen(laid, 1, cards)
    assert (found, sentence.replace("The ", "").replace("the ", "")) == (fits, said)
    assert laid.preview(Play(1, ("9H",))) is None
    assert laid.preview(Play(1, ("2C", "3C", "4C"))) is None
    assert hand_of([], game="ace-pit", players=2).preview(Play(0, ("9H",))) is None


def marks(hand: Hand) -> dict[str, str]:
    ask: Ask = next(ask for ask in hand.asks() if ask.event == "play")
    return {code: reason.sentence(("Ann", "Bob", "Cy")) for code, reason in ask.fields[0].marks.items()}


@exercises("AT-5", "REC-17", "AT-16")
def test_a_card_that_does_not_follow_would_claim_a_void():
    assert marks(hand_of([])) == {}
    marked = marks(hand_of(plays("0:8MS 1:9MS"), options={"excuse": True}))
    assert set(marked.values()) == {"Dashed cards: only if Cy has no Moons and no Suns."}
    assert {"2WL", "AK"} <= set(marked)
    assert not {"4MS", "AM", "*", "8MS"} & set(marked)


@exercises("AT-V7")
def test_only_the_suit_that_was_called_is_claimed():
    called = hand_of(plays("0:8MS/S"), options={"called_suit": True})
    assert set(marks(called).values()) == {"Dashed cards: only if Bob has no Suns."}


@exercises("WC-10", "WC-11")
def test_each_card_claims_by_its_players_reading():
    ready = [*ruling_cards("XM AK XY"), *bids("0:4 1:4 2:4")]
    lead = marks(hand_of(ready, game="wildcat-chicane"))
    assert set(lead.values()) == {"Dashed cards: only if Ann holds nothing but trump."}
    assert "AM" in lead
    assert "4WL" not in lead
    follow = marks(hand_of([*ready, *plays("0:4WL")], game="wildcat-chicane"))
    assert set(follow.values()) == {"Dashed cards: only if Bob has no Waves."}
    assert "3MW" not in follow, "Bob reads bottoms: Waves"
    assert "6MW" not in follow
    assert "8WL" in follow


def test_marks_do_not_depend_on_entered_hands():
    dealt = "8MS 9MS XM AM 2MK 3MW 5ML 7ML 4MS AS 3SK XS"
    entered = known(plays("0:8MS"), s0=dealt)
    assert marks(hand_of(entered)) == marks(hand_of(plays("0:8MS")))


# --- The first trick of a lesson: a real deal, played by taps; illegal cards are refused with a reason

TAUGHT = [game for game in all_games() if game.lesson]


def at(game: Game, *taps: str) -> FirstTrick:
    return first_trick(game, deal_of(game), taps)


def deal_of(game: Game) -> FirstDeal:
    deal = first_deal(game.id)
    assert deal is not None
    return deal


def tap_of(told: FirstTrick, game: Game, before: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return the taps that are accepted now, and those that are not."""
    taken: list[str] = []
    refused: list[str] = []
    for ask in told.asks:
        for value in choices(ask, told.held) or ("",):
            tap = f"{ask.event}:{value}"
            (refused if at(game, *before, tap).why else taken).append(tap)
    return taken, refused


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)
def test_every_lesson_uses_a_valid_deal(game: Game):
    deal = deal_of(game)
    rules = game.rules({}, len(deal.hands))
    sizes = game.first(rules, deal.dealer).sizes
    assert sizes == tuple(map(len, deal.hands))
    dealt = [card for hand in deal.hands for card in hand]
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) <= set(rules.pack.codes)


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)
def test_every_lesson_can_be_played_by_taps_and_refuses_a_card(game: Game):
    taps: tuple[str, ...] = ()
    wrong = 0
    while not (told := at(game, *taps)).over:
        taken, refused = tap_of(told, game, taps)
        for tap in refused:
            again = at(game, *taps, tap)
            assert (again.wrong, again.taps, again.held) == (tap, taps, told.held)
            assert again.why is not None
            assert again.why.clauses
        wrong += len(refused)
        taps += (taken[0],)
    assert wrong or game.id == "ace-pit", "two cards that are no set are refused there"
    (trick,) = (trick for trick in told.hand.describe()["tricks"] if trick["winner"] is not None)
    assert trick["reason"]
    assert any(play["seat"] == 0 for play in trick["plays"])


def test_two_cards_are_selected_together_if_they_may_be_played_together():
    assert at(GAMES["ace-pit"], "play:7S+9S").why is not None
    assert at(GAMES["ace-pit"], "play:7S+AS").over


@pytest.mark.parametrize("tap", ["play:2MK", "play:", "play", "bid:3", "", "play:XM+XL+XY+", "nothing:XM", "play:?"])
def test_an_impossible_tap_changes_nothing(tap: str):
    told = at(GAMES["ace-trump"], tap)
    assert (told.over, told.taps) == (False, ())
    assert told.asks
