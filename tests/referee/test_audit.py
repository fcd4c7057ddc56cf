"""Hands audited in full, injected infractions, and hidden hands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import count, islice
from random import Random
from typing import Any, cast

import pytest

from referee.engine.adjudication import View, adjudicate, describe_findings, describe_irregularity, scores_of
from referee.engine.audit import audit, audit_hand, describe_audits
from referee.engine.event_kinds import Event
from referee.engine.game import Game, all_games
from referee.engine.hand import Hand
from referee.engine.records import Record, load_event, load_record, opened, replay
from referee.engine.replaying import play_hands
from referee.engine.rules import Refused
from referee.engine.rulings import Certainty, Refusal, Verdict
from referee.engine.table import TableState, hand_for, judge
from referee.engine.texts import table as words
from referee.notation import read_text
from referee.tricks.hand import TrickHand
from tests.games.discovery import HONEST, INVALID, JUDGED, ORACLES, RANDOM
from tests.referee.random_tables import replayed
from tests.referee.telling import REVOKE, Json, check_reasons, exercises, known, plays, result, told
from tests.referee.test_equity import HARM
from tests.referee.test_golden import GOLDEN
from tests.seeds import FIRST, as_often_as

# --- A hand audited in full (REC-19)

SEEDS = as_often_as(always=12, hunting=200, quick=4)
SMALL = {"seats": ["Ann", "Bob"], "first_dealer": 1, "options": {"tides": True}}


def checked(record: Record | Json) -> list[Json]:
    """Audit every hand of a record, and check what every answer must satisfy."""
    loaded = record if isinstance(record, Record) else load_record(record)
    answer = cast(Json, describe_audits(*audit(loaded), View(loaded.seats)))
    check_reasons(answer)
    for each in answer["hands"]:
        looked_at = each["plays"] or each["complete"] or each["infractions"]
        assert each["clean"] == (not each["infractions"] if looked_at else None)
        assert each["clean"] is not None or each["unchecked"] or loaded.rules.game.revoke is None
        assert not (each["complete"] and each["unchecked"])
    return cast(list[Json], answer["hands"])


def tide(text: str, *more: Json) -> Json:
    (only,) = checked({"game": "ace-trump", **SMALL, "hands": [{"events": [*plays(text), *more]}]})
    return only


@exercises("REC-19")
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_hand_without_recorded_cards_is_not_clean(game: Game):
    players = game.players[0]
    record = {"game": game.id, "seats": ["Ann", "Bob", "Cy", "Dot"][:players], "first_dealer": 0}
    (only,) = checked({**record, "hands": [{"events": [{"type": "note", "text": "tea"}]}]})
    assert (only["clean"], only["complete"], only["plays"]) == (None, False, 0)
    assert only["verdict"]["text"] == "No card of this hand was recorded, so nothing could be checked."


@exercises("REC-19")
def test_a_hand_is_clean_by_its_cards_and_not_by_its_bids():
    told_by_bids = told([{"type": "bid", "seat": 0, "tricks": 3}], options={"bidding": True})
    (only,) = checked(told_by_bids)
    assert (only["clean"], only["bids"]) == (None, 1)
    assert only["verdict"]["text"] == "No card of this hand was recorded, so only the bids could be checked."
    only = tide("0:8MS 1:9WY")
    assert (only["complete"], only["clean"], only["plays"]) == (True, True, 2)
    assert only["verdict"]["text"] == "Every card of this hand is known, and no rule was broken."


def test_a_running_hand_is_checked_as_far_as_it_goes():
    (only,) = checked(told(REVOKE))
    assert (only["complete"], only["clean"]) == (False, False)
    assert [(each["code"], each["certainty"], each["seat"]) for each in only["infractions"]] == [
        ("revoke", "proved", 1)
    ]
    assert [reason["code"] for reason in only["unchecked"]] == ["hands-unknown"]


def test_full_information_resolves_what_counting_left_open():
    for golden in GOLDEN:
        record = read_text(golden.text)
        judged, hands = audit(record)
        for hand, each in zip(judged.hands, hands, strict=True):
            if each.complete:
                assert all(found.certainty is not Certainty.JOINT for found in each.infractions), golden.name
            certain = {(found.code, found.event) for found in hand.irregularities if not found.claims}
            assert certain <= {(found.code, found.event) for found in each.infractions}, golden.name
        checked(record)


@pytest.mark.parametrize("game", HONEST)
def test_honest_play_is_never_accused(game: str):
    complete = 0
    for seed, record, _ in replayed(game, SEEDS, HONEST):
        hands = checked(record)
        complete += sum(each["complete"] for each in hands)
        insisted = any(event.accepted for hand in record.hands for event in hand.events)
        assert insisted or all(each["clean"] is not False for each in hands), seed
    assert complete or game in ("american-deuce", "ace-pit"), "Cards are left, or drawn, that nobody sees."


@pytest.mark.parametrize("game", RANDOM)
def test_a_proof_stays_proved(game: str):
    for seed, record, _ in replayed(game, SEEDS):
        judged, hands = audit(record)
        for hand, each in zip(judged.hands, hands, strict=True):
            certain = {(found.code, found.event) for found in hand.irregularities if not found.claims}
            assert certain <= {(found.code, found.event) for found in each.infractions}, (game, seed)


def test_results_are_counted_and_entered_hands_checked_at_once():
    (only,) = checked(told([result(4, 4, 4)]))
    assert (only["complete"], only["plays"]) == (False, 0)
    assert {"hands-unknown", "result-only"} <= {reason["code"] for reason in only["unchecked"]}
    entered = known([*plays("0:8MS 1:9WY!")], s1="9WY 3MW 2SY XK AK AL AY 5SW 4WL")
    (only,) = checked(told(entered, players=2))
    assert [(each["code"], each["certainty"]) for each in only["infractions"]] == [("revoke", "seen")]


@exercises("IR-6")
def test_losses_beyond_the_tricks_given_up_are_shown_in_numbers():
    (only,) = checked(told(HARM))
    (found,) = only["infractions"]
    assert found["equity"]["reason"]["text"] == (
        "If Ann had followed suit, with the cards as they were, Cy would have scored 2."
        " Giving up tricks makes it only 1."
    )
    assert {key: found["equity"][key] for key in ("played", "repaired", "lawful", "better", "harmed")} == {
        "played": [2, 9, 1], "repaired": [1, 10, 1], "lawful": [1, 9, 2], "better": [1, 10, 2], "harmed": [2],
    }  # fmt: skip


def test_unknowable_losses_are_reported():
    (only,) = checked(told(REVOKE))
    (found,) = only["infractions"]
    assert (found["equity"]["reason"]["code"], found["equity"]["better"]) == ("equity-at-end", None)


# --- Hands with injected infractions of every kind: what is found, when, about whom, at what cost
# The makers of random records play with hands that nobody sees and break every rule now and then. Whatever is provable
# is announced at its first provable moment, which the second adjudicators find for themselves; of the innocent nothing
# is said, as the hands show once they are played out; and a price that is shown before is what comes of it. `make hunt`
# goes on with thousands of other hands.

MOMENTS = as_often_as(always=2, hunting=25, quick=1)
"""Hands per game checked at each finding, just before it, and at the end."""
HANDS = as_often_as(always=15, hunting=250)
"""Hands per game checked for guilt and costs."""
OF_FINDING = ("code", "certainty", "seat", "suspects", "event", "trick", "proved_by", "claims")


def first_hands(game: str, seeds: Iterable[int]) -> Iterator[tuple[int, Record, list[TableState]]]:
    """Yield first hands with whatever infractions happened, and the table after each accepted event, if any."""
    for seed in seeds:
        data = RANDOM[game](Random(seed))
        try:
            record = load_record({**data, "hands": data["hands"][:1]})
            hands, _ = play_hands(opened(record), record.hands, rulings=True)
        except Refused:
            continue
        reached = [ruling.table for hand in hands for ruling in hand.rulings]
        if reached:
            yield seed, record, reached


def found_in(hand: Hand) -> list[Json]:
    """Return the findings of a hand, on which both adjudicators agree."""
    described = [cast(Json, describe_irregularity(found, hand, View(()))) for found in hand.irregularities]
    return [{key: each.get(key) for key in OF_FINDING} for each in described]


@pytest.mark.parametrize("game", JUDGED)
def test_a_provable_irregularity_is_announced_at_once(game: str):
    hands = first_hands(game, count(FIRST + 1))
    guilty = ((seed, reached) for seed, _, reached in hands if hand_of(reached[-1]).irregularities)
    for seed, reached in islice(guilty, MOMENTS):
        for events in telling_moments(reached):
            mine, theirs = found_in(hand_of(reached[events - 1])), by_the_oracle(game, seed, events)
            assert mine == theirs, f"{game}, seed {seed}, after {events} events"


def telling_moments(reached: list[TableState]) -> list[int]:
    """Return the event counts at which something new is found, those just before, and the last.

    A finding says which event proved it, so one announced too late shows up at the next of these moments.
    """
    found = [hand_of(table).irregularities for table in reached]
    changed = [count for count in range(1, len(found)) if found[count] != found[count - 1]]
    return sorted({*(each for count in changed for each in (count, count + 1)), len(found)})


def by_the_oracle(game: str, seed: int, count: int) -> list[Json]:
    """Return the second adjudicator's findings after this many events of the first hand."""
    data = RANDOM[game](Random(seed))
    cut = {**data["hands"][0], "events": data["hands"][0]["events"][:count]}
    try:
        answer = ORACLES[game]({**data, "hands": [cut]})
    except INVALID:
        return []
    return [{key: each.get(key) for key in OF_FINDING} for each in answer["hands"][0]["irregularities"]]


def hand_of(table: TableState) -> Hand:
    assert table.hand is not None
    return table.hand


@pytest.mark.parametrize("game", JUDGED)
def test_no_innocent_player_is_accused_and_previews_are_exact(game: str):
    kinds: Counter[str] = Counter()
    for seed, record, reached in first_hands(game, range(FIRST, FIRST + HANDS)):
        check_guilt(record, reached, f"{game}, seed {seed}")
        rng = Random(seed)
        for table in (reached[-1], rng.choice(reached)):
            hand = hand_of(table)
            kinds.update(found.code for found in hand.irregularities)
            check_remedies(hand, table, record.seats, record.hands[0].events[: hand.events], f"{game}, seed {seed}")
    assert kinds, "infractions of some kind are met"
    assert set(kinds) <= {*words("irregular"), "joint-revoke"}


def check_guilt(record: Record, reached: list[TableState], where: str) -> None:
    """Once all cards are shown, every player ever accused must be guilty, and one of every group of suspects."""
    last = hand_of(reached[-1])
    checked = audit_hand(last, record.hands[0].events[: len(reached)])
    if not checked.complete:
        return
    guilty = {(found.code, found.event) for found in checked.infractions}
    for table in reached:
        for found in hand_of(table).irregularities:
            if found.certainty is Certainty.JOINT:
                acts = {event for _, event in guilty}
                assert acts & {*found.claims}, f"{where}: of the suspects nobody did it"
            elif found.certainty is Certainty.PROVED:
                assert (found.code, found.event) in guilty, f"{where}: {found.seat} did nothing of the kind"


def check_remedies(hand: Hand, table: TableState, names: Sequence[str], events: Sequence[Event], where: str) -> int:
    """Carry out every remedy of a hand's findings, compare the result with the preview, and count them."""
    carried = 0
    for found in describe_findings(hand, names, table, events=events):
        for remedy in found["remedies"]:
            done = cast(Json | None, remedy if remedy.get("events") is not None else remedy.get("each"))
            if done is None:
                assert remedy["pending"], where
                continue
            after = table
            for event in done["events"]:
                ruling = judge(after, load_event(event))
                assert ruling.verdict is Verdict.ACCEPTED, (where, remedy["code"], event, ruling.reason)
                after = ruling.table
            assert list(after.totals()) == done["effect"]["totals"]["after"], (where, remedy["code"])
            assert list(scores_of(after)) == done["effect"]["scores"]["after"], (where, remedy["code"])
            carried += 1
    return carried


def test_every_remedy_of_every_golden_record_can_be_carried_out():
    """At each finding, at the end of the record, and for earlier hands (IR-5)."""
    carried = 0
    for golden in GOLDEN:
        record = read_text(golden.text)
        hands, _ = play_hands(opened(record), record.hands, rulings=True)
        for played in hands:
            events, before = record.hands[played.number].events, played.start
            for number, table in enumerate((ruling.table for ruling in played.rulings), 1):
                hand = hand_of(table)
                if hand.irregularities != hand_of(before).irregularities or number == len(events):
                    moment = f"{golden.name}, hand {played.number + 1}, event {number}"
                    carried += check_remedies(hand, table, record.seats, events[:number], moment)
                before = table
        for played in hands[:-1]:
            hand, events = hand_of(played.state), record.hands[played.number].events
            where = f"{golden.name}, hand {played.number + 1}"
            carried += check_remedies(hand, hands[-1].state, record.seats, events, where)
    assert carried > len(GOLDEN)


@pytest.mark.smoke
def test_the_generator_produces_every_kind_of_infraction():
    missing = {*words("irregular"), "joint-revoke"}
    for seed in range(FIRST, FIRST + 1000):
        for game in RANDOM:
            for _, _, reached in first_hands(game, [seed]):
                missing -= {found.code for found in hand_of(reached[-1]).irregularities}
        if not missing:
            break
    assert not missing


# --- Honest hands with unseen parts: no accusation, no wrong winner, nothing called impossible
# The truth is a record in which every card is known and nobody breaks a rule. Some of its cards are then not seen, some
# tricks are told by their winner and trump, some hands are entered; whatever is told is true.

RECORDS = as_often_as(always=8, hunting=600)
TRICK_GAMES = tuple(game.id for game in all_games() if game.id in HONEST and issubclass(game.hand_class, TrickHand))


def judged(record: Json) -> Json:
    return cast(Json, adjudicate(load_record(deepcopy(record))))


def last_hand(record: Json) -> TrickHand:
    return cast(TrickHand, replay(load_record(deepcopy(record))).hands[-1])


def masked(rng: Random, events: list[Json], truth: Json) -> list[Json]:
    """Hide part of a hand's events: cards, or whole tricks except for their true winner and trump."""
    tricks = [trick for trick in truth["tricks"] if trick["winner"] is not None]
    players, number = len(truth["scores"]), 0
    told: list[Json] = []
    trick: list[Json] = []
    own_trumps = truth.get("trumps") is not None
    for event in events:
        if event["type"] != "play":
            told.append(event)
            continue
        trick.append(event)
        if len(trick) < players:
            continue
        after = tricks[number + 1]["trump_before"] if number + 1 < len(tricks) else truth["trump"]
        closing: Json = {"type": "trick", "winner": tricks[number]["winner"]}
        if not own_trumps:
            closing["trump"] = after
        style = rng.random()
        if style < 0.15:
            told.append(closing)
        elif style < 0.55:
            hide = rng.choice([0.2, 0.5, 1.0])
            laid = [
                {"type": "play", "seat": play["seat"], "cards": ["?"]} if rng.random() < hide else play
                for play in trick
            ]
            seen = laid if rng.random() < 0.7 else laid[: rng.randint(1, players)]
            told += [*seen, closing | {"maybe": True}] if any(play["cards"] == ["?"] for play in laid) else trick
        else:
            told += trick
        number, trick = number + 1, []
    return told + trick


def with_trumps(record: Json, truth: Json) -> Json:
    """Note the trump before each trick, as it was before its first card."""
    for place, each in enumerate(truth["hands"]):
        number = -1
        events = record["hands"][place]["events"]
        plays = [at for at, event in enumerate(events) if event["type"] == "play"]
        for number, trick in enumerate(each["tricks"]):
            at = plays[number * len(each["scores"])]
            cut = {**record, "hands": [*record["hands"][:place], {**record["hands"][place], "events": events[:at]}]}
            trick["trump_before"] = last_hand(cut).trump
    return truth


@pytest.mark.smoke
@pytest.mark.parametrize("game", TRICK_GAMES)
def test_fewer_seen_cards_accuse_no_one_and_change_no_winner(game: str):
    for seed in range(FIRST, FIRST + RECORDS):
        look_at_masked(game, seed)


def look_at_masked(game: str, seed: int) -> bool:
    """Judge an honest hand with part of it hidden; return whether there was one to judge."""
    rng = Random(seed)
    record = HONEST[game](rng)
    record = {**record, "hands": record["hands"][:1]}
    hand = record["hands"][0]
    hand["events"] = [event for event in hand["events"] if event["type"] not in ("note", "penalty", "transfer")]
    if any(event.get("cards") == ["?"] or event["type"] in ("trick", "result") for event in hand["events"]):
        return False
    truth = judged(record)
    if truth["rejected"] or truth["hands"][0]["irregularities"]:
        return False
    truth = with_trumps(record, truth)
    told = masked(rng, hand["events"], truth["hands"][0])
    known = {seat: cards for seat, cards in hand.get("known", {}).items() if rng.random() < 0.3}
    less: Json = {**record, "hands": [{"events": [], **({"known": known} if known else {})}]}
    for event in told:
        if event.pop("maybe", False) and not last_hand(less).plays:
            continue  # the cards say themselves who won
        less["hands"][0]["events"].append(event)
    answer = judged(less)
    assert answer["rejected"] is None, (game, seed, answer["rejected"])
    (after,) = answer["hands"]
    assert after["irregularities"] == [], (game, seed, after["irregularities"])
    winners = [each["winner"] for each in truth["hands"][0]["tricks"]]
    assert [each["winner"] for each in after["tricks"]] == winners, (game, seed)
    return True


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_every_proven_claim_was_false(game: str):
    assert sum(look_at_liars(game, seed) for seed in range(FIRST, FIRST + 3 * RECORDS)) > 0


def look_at_liars(game: str, seed: int) -> int:
    """Judge a random record event by event against the true hands; return the number of findings checked.

    A proved claim was false when made; of claims that cannot all be true, one was false.
    """
    stories: list[Any] = []
    record: Json = cast(Any, RANDOM[game])(Random(seed), stories=stories)
    (story,) = stories
    table, looked_at = opened(load_record({**deepcopy(record), "hands": []})), 0
    for number, hand in enumerate(record["hands"]):
        dealt = hand_for(table)
        if hand.get("known") or isinstance(dealt, Refusal):
            break
        table = dealt
        for index, event in enumerate(hand["events"]):
            if 0 < index < len(story.held[number]) and misdealt(event, story.held[number][index - 1]):
                return looked_at  # what this seat held before is unknown
            ruling = judge(table, load_event(event))
            table = ruling.table
            if ruling.verdict is not Verdict.ACCEPTED or table.hand is None:
                return looked_at
            for found in table.hand.irregularities:
                if found.certainty is not Certainty.SEEN:
                    said_by = found.claims or (found.event,)
                    claims = [each for each in story.table.hands[number].claims if each.event in said_by]
                    assert any(untrue(story.held[number], each) for each in claims), (game, seed, found)
                    looked_at += 1
    return looked_at


def misdealt(event: Json, held: list[list[str]]) -> bool:
    """Whether a story has a seat play a card it did not hold: the table then finds out that it had misdealt."""
    seat = event.get("seat", 0)
    own = [sorted(card) for card in held[seat]] if seat < len(held) else []  # suits may be written either way
    return any(card != "?" and sorted(card) not in own for card in event.get("cards", ()))


def untrue(held: list[list[list[str]]], claim: Any) -> bool:
    """Whether the hand did hold a card the claim denied."""
    return any(claim.denies(card) for card in held[claim.event][claim.seat])
