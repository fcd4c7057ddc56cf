"""What may be recorded next, and results that players confirm, in every language."""

import re
from random import Random

import pytest

from referee.engine.game import all_games
from scoring.models import SecretChoice, Table, TableEvent
from scoring.operating.reads import differences
from tests.scoring.conftest import OpenTable, holder, open_table, play
from tests.scoring.pages.german import english_games
from tests.seeds import FIRST, as_often_as

WITH_CARDS = [game for game in all_games() if game.revoke is not None]
"""Games whose plays are recorded card by card."""

# --- What may be recorded next, for programs that know no rules; and dry runs of events

pytestmark = pytest.mark.django_db


def asks(client, table, **query):
    answer = client.get(f"{table.url}asks/", query)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def send(client, table, event, *, dry_run=False):
    address = f"{table.url}events/"
    return client.post(f"{address}?dry_run=1" if dry_run else address, event)


def test_the_next_events_are_listed(table, stranger):
    answer = asks(stranger, table)
    play_ask = answer["asks"][0]
    assert (play_ask["event"], play_ask["seats"], play_ask["yours"], play_ask["players"]) == ("play", [0], False, [0])
    assert len(play_ask["events"]) == 36
    assert play_ask["complete"]
    assert play_ask["forced"] is None
    assert answer["hand"] == {"number": 1, "begins": True, "dealer": 2, "phase": "play", "to_act": [0]}
    assert answer["beside"] == []


def test_a_card_that_would_claim_a_void_cites_the_clause(table, scorekeeper):
    table.record(play(0, "AM"))
    answer = asks(scorekeeper, table)
    (cards,) = answer["asks"][0]["fields"]
    (claim,) = cards["claims"]
    assert claim["reason"]["code"] == "claims-void"
    assert "REC-17" in claim["reason"]["clauses"]
    assert "AS" in claim["choices"]
    assert "XM" not in claim["choices"]
    assert "AM" not in cards["choices"]
    assert answer["asks"][0]["yours"]
    assert {ask["event"] for ask in answer["beside"]} >= {"note", "penalty", "redeal", "end"}


def test_players_see_what_their_link_may_record(table):
    bob = holder(table.link("player", 1))
    assert not asks(bob, table)["asks"][0]["yours"]
    table.record(play(0, "AM"))
    assert [ask["yours"] for ask in asks(bob, table)["asks"]] == [True]


def test_cards_combined_are_named():
    table = open_table(game="american-deuce", seats=["Ann", "Bob", "Cy", "Dee"])
    for suit in "SHC":
        client = table.keeper
        (ask,) = [ask for ask in asks(client, table)["asks"] if ask["event"] == "suit"]
        event = next(event for event in ask["events"] if event["suit"] == suit)
        assert send(client, table, event).status_code == 201
    found = asks(client, table, cards="3S,3H")["asks"][0]
    assert found["named"]["fits"]
    assert "air of threes" in found["named"]["reasons"][0]["text"]
    assert all({"3S", "3H"} <= set(event["cards"]) for event in found["events"])
    assert client.get(f"{table.url}asks/", {"cards": "ZZ"}).status_code == 400


@pytest.mark.parametrize("game", WITH_CARDS, ids=lambda game: game.id)
def test_a_table_can_be_played_from_asks_alone(game):
    chance = Random(FIRST)
    seats = ["Ann", "Bob", "Cy", "Dee"][: max(number for number in game.players if number <= 4)]
    table = open_table(game=game.id, seats=seats, first_dealer=0, end={"kind": "hands", "value": 1})
    client = table.keeper
    for _ in range(300):
        answer = asks(client, table)
        if answer["finished"]:
            assert answer["why_not"]["code"] == "hand-finished"
            assert answer["asks"] == []
            return
        likely = [ask for ask in answer["asks"] if ask["events"] and ask["event"] != "result"]
        if likely:
            sent = send(client, table, chance.choice(chance.choice(likely)["events"]))
            assert sent.status_code == 201, sent.json()
        else:
            tell_the_rest(client, table, answer["asks"][0]["fields"][0], chance)
    pytest.fail("the hand does not end")


def tell_the_rest(client, table, wanted, chance):
    """Record the requested result with numbers that add up, until the remaining cards allow them."""
    for _ in range(1000):
        numbers = list(wanted["least_each"])
        while (left := wanted["total"] - sum(numbers)) > 0:
            numbers[chance.randrange(len(numbers))] += chance.choice([each for each in (1, 10, 13) if each <= left])
        if send(client, table, {"type": "result", wanted["name"]: numbers}).status_code == 201:
            return
    pytest.fail("no result is taken")


@pytest.mark.parametrize("game", WITH_CARDS, ids=lambda game: game.id)
def test_cards_are_asked_for_before_results(game):
    seats = ["Ann", "Bob", "Cy", "Dee"][: 4 if 4 in game.players else max(game.players)]
    table = open_table(game=game.id, seats=seats, first_dealer=0)
    client, asked = table.keeper, set()
    for _ in range(12):
        first = asks(client, table)["asks"][0]
        assert first["event"] not in ("trick", "result")
        asked.add(first["event"])
        assert send(client, table, first["events"][-1]).status_code == 201
    assert "play" in asked


# -- dry runs -------------------------------------------------------------------------------


def test_a_dry_run_answers_as_recording_would_and_records_nothing(table, scorekeeper):
    event = play(0, "8MS")
    tried = send(scorekeeper, table, event, dry_run=True)
    assert tried.status_code == 200
    assert tried["ETag"] == '"0"'
    assert table.row.version == 0
    done = send(scorekeeper, table, event)
    told = tried.json()
    assert told.pop("dry_run") is True
    assert told.pop("named") is None
    assert told | {"version": 1} == done.json()
    assert TableEvent.objects.filter(table=table.row).count() == 1


def test_a_dry_run_of_an_irregular_event_returns_its_ruling(table, scorekeeper):
    tried = send(scorekeeper, table, play(1, "8MS"), dry_run=True)
    assert (tried.status_code, tried.json()["code"]) == (409, "out-of-turn")
    assert tried.json()["ruling"]["verdict"] == "irregular"
    row = table.row
    assert row.version == 0
    assert row.writes, "asking counts as an act"


def test_a_dry_run_requires_the_right_to_record(table, stranger):
    assert send(stranger, table, play(0, "8MS"), dry_run=True).status_code == 401
    bob = holder(table.link("player", 1))
    assert send(bob, table, play(0, "8MS"), dry_run=True).json()["code"] == "not-your-seat"
    assert send(table.keeper, table, play(0, "8MS"), dry_run=True).status_code == 200


def test_a_dry_run_reveals_nothing_face_down():
    table = open_table(game="ransom-trump", seats=["Ann", "Bob"], first_dealer=1)
    ann, bob = (holder(table.link("player", seat)) for seat in (0, 1))
    first = {"type": "ransom", "seat": 0, "cards": ["AM"]}
    assert send(ann, table, first).status_code == 201
    last = {"type": "ransom", "seat": 1, "cards": ["AM"]}
    for sealed in (None, True, False):
        event = last if sealed is None else last | {"sealed": sealed}
        tried = send(bob, table, event, dry_run=True)
        assert tried.status_code == 200
        assert "AM" not in str({**tried.json(), "ruling": "", "rulings": "", "state": ""})
        assert tried.json()["version"] == 1
    hidden = send(bob, table, last, dry_run=True).json()
    assert hidden["sealed"] == [0, 1]
    assert "ruling" not in hidden
    assert "AM" not in str(hidden)
    assert SecretChoice.objects.filter(table=table.row).count() == 1
    assert OpenTable(table.code, table.token).row.choosing["chosen"] == [0]


# --- What a German program is asked and offered is German throughout

SAME = {*"ABCDEFGH", "Drop a Deuce", "Text"}
"""Texts that are the same in both languages: names, and one word."""
KEYS = ("label", "says", "none", "title", "text", "question", "detail")


def texts(value):
    """Yield every text for people in an answer."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in KEYS and isinstance(inner, str):
                yield inner
            elif key != "events":
                yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def in_both(client, path, body=None):
    answers = []
    for language in ("en", "de"):
        headers = {"Accept-Language": language}
        answer = client.get(path, headers=headers) if body is None else client.post(path, body, headers=headers)
        assert answer.status_code == 200, answer.content
        assert answer["Content-Language"] == language
        answers.append(list(texts(answer.json())))
    english, german = answers
    assert len(english) == len(german)
    alike = [one for one, other in zip(english, german, strict=True) if one == other and one and one not in SAME]
    return [text for text in alike if text not in english_games()]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_ask_is_translated_into_german(game):
    table = open_table(game=game.id, seats=list("ABCDEFGH")[: game.players[0]], first_dealer=0)
    ann, path, same = table.keeper, table.url, set()
    for number in range(as_often_as(always=24, quick=8)):
        asked = asks(ann, table)["asks"]
        if number < 8 or number % 4 == 0:
            same |= set(in_both(ann, f"{path}asks/"))
        event = next((ask["events"][0] for ask in asked if ask["events"]), None)
        if event is None or ann.post(f"{path}events/", event | {"sealed": False}).status_code != 201:
            break
    assert not same
    assert Table.objects.get().version > 3 or game not in WITH_CARDS


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_guide_is_translated_into_german(client, game):
    table = open_table(game=game.id, seats=list("ABCDEFGH")[: game.players[0]], first_dealer=0)
    path = table.url
    same = [*in_both(client, f"/api/v1/referee/guides/?game={game.id}"), *in_both(client, f"{path}guide/")]
    for guide in (each["situation"] for each in client.get(f"{path}guide/").json()["guides"]):
        same += in_both(client, f"{path}guide/?situation={guide}")
    assert not same


# --- The API in the caller's language: sentences are translated, codes and facts are not

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,de;q=0.9,en;q=0.5"}


def at(answer, path):
    for key in path:
        answer = answer[key]
    return answer


@pytest.mark.parametrize(
    ("wanted", "language"),
    [("de-AT,de;q=0.9,en;q=0.5", "de"), ("es-419", "es"), ("fr-CA", "fr"), ("it-CH", "it"), ("nl-BE", "nl")],
)
def test_sentences_are_translated_and_facts_are_not(ann, table, wanted, language):
    url = table.url
    for seat, card in enumerate(("8MS", "XS", "XM")):
        ann.post(f"{url}events/", play(seat, card))
    english, foreign = ann.get(url), ann.get(url, HTTP_ACCEPT_LANGUAGE=wanted)
    assert (english["Content-Language"], foreign["Content-Language"]) == ("en", language)
    assert "Accept-Language" in foreign["Vary"]
    one, other = (answer.json()["state"]["hands"][0]["tricks"][0]["reason"] for answer in (english, foreign))
    assert (one["code"], one["clauses"], one["facts"]) == (other["code"], other["clauses"], other["facts"])
    assert one["text"] != other["text"]
    assert one["facts"]["card"] in ("XS", "XM"), "a card is a code in every language"


def test_earlier_hands_are_translated_too(ann, table):
    url = table.url
    ann.post(f"{url}events/", {"events": [{"type": "result", "tricks": [4, 4, 4]}]})
    ann.post(f"{url}events/", play(1, "9LK"))
    english, german = (ann.get(f"{url}?hands=all", **headers).json()["state"]["hands"] for headers in ({}, GERMAN))
    assert len(english) == len(german) == 2
    assert english[0]["scores"] == german[0]["scores"]
    assert english[0]["score_lines"][0]["reason"]["text"] != german[0]["score_lines"][0]["reason"]["text"]


@pytest.mark.parametrize(
    ("method", "path", "body", "where"),
    [
        ("get", "games/ace-trump/", None, ["tagline"]),
        ("get", "games/ace-trump/", None, ["options", "properties", "ties", "title"]),
        ("get", "games/ace-trump/rulebook/", None, [0, "text"]),
        ("get", "decks/decktet/", None, ["suits", 0, "name"]),
        ("post", "referee/judge/", {"game": "poker"}, ["title"]),
        ("post", "referee/judge/", {"game": "poker"}, ["errors", 0, "detail"]),
        ("post", "referee/legal/", {"game": "ace-trump", "hand": ["8MS", "9LK"], "led_card": "AM"}, ["reason", "text"]),
        ("get", "tables/NOSUCH22/", None, ["title"]),
        ("post", "tables/{}/amendments/", {"seq": 99, "event": play(0, "8MS"), "reason": "slip"}, ["detail"]),
        ("post", "tables/{}/undo/", {}, ["detail"]),
        ("post", "tables/{}/disputes/7/acts/", {"act": "withdraw"}, ["detail"]),
        ("post", "tables/{}/hands/1/confirmation/", {}, ["detail"]),
    ],
)
def test_every_text_of_the_api_is_translated(ann, table, method, path, body, where):
    path = f"/api/v1/{path.format(table.code)}"
    english, german = (
        at(getattr(ann, method)(path, *([] if body is None else [body]), **headers).json(), where)
        for headers in ({}, GERMAN)
    )
    assert english != german


@pytest.mark.parametrize("wanted", ["", "*", "pl", "tlh, pl;q=0.5", "x" * 300, "de;q=0", "en-GB, de;q=0.1"])
def test_unsupported_languages_fall_back_to_english(stranger, wanted):
    answer = stranger.get("/api/v1/games/ace-trump/", HTTP_ACCEPT_LANGUAGE=wanted)
    assert (answer.status_code, answer["Content-Language"]) == (200, "en")


def test_the_language_cookie_of_the_pages_does_not_affect_the_api(stranger):
    stranger.cookies["language"] = stranger.cookies["django_language"] = "de"
    assert stranger.get("/api/v1/games/")["Content-Language"] == "en"


def test_hidden_points_stay_hidden_in_german(stranger):
    table = open_table(game="ace-pit", seats=["Ann", "Bob"], first_dealer=0, options={"totals": "hidden"})
    table.record(play(1, "AS"), play(0, "2S"))
    german = stranger.get(table.url, **GERMAN).json()
    assert german["state"]["points_hidden"] is True
    assert german["state"]["hands"][0]["score_lines"] == []


REQUESTS = [
    ("get", "", None),
    ("get", "events/", None),
    ("get", "record/?as=text&annotate=1", None),
    ("get", "record/?as=csv", None),
    ("get", "record/?as=nothing", None),
    ("post", "events/", play(1, "8MS")),
    ("post", "events/", {"events": [play(1, "8MS")]}),
    ("post", "events/", {"events": [play(1, "8MS"), play(1, "8MS")]}),
    ("post", "events/", {"events": [play(0, "zz")]}),
    ("post", "events/", {"events": "x"}),
    ("post", "events/", None),
    ("post", "undo/", {}),
    ("post", "amendments/", {"seq": 99, "event": None}),
    ("post", "links/", {"role": "nobody"}),
    ("post", "disputes/7/acts/", {"act": "withdraw"}),
    ("post", "hands/1/confirmation/", {}),
    ("delete", "events/", None),
]


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS)
def test_codes_clauses_and_facts_do_not_depend_on_the_language(db, method, path, body):
    answers = []
    for headers in ({}, GERMAN):
        table = open_table()
        table.record(play(0, "2MK"))
        answer = getattr(table.keeper, method)(f"{table.url}{path}", body, **headers)
        json = answer["Content-Type"].endswith("json")
        answers.append((answer.status_code, list(stable(answer.json())) if json else without_times(answer.content)))
    assert answers[0] == answers[1]


def stable(value):
    """Yield everything that no language changes."""
    if isinstance(value, dict):
        yield from ((key, value[key]) for key in ("clauses", "facts", "verdict", "pointer", "event") if key in value)
        yield from (("code", code) for code in [value.get("code")] if isinstance(code, str) and code.islower())
        for part in value.values():
            yield from stable(part)
    if isinstance(value, list):
        for part in value:
            yield from stable(part)


def without_times(content):
    """Return an exported record, which is in English for everyone, without its times."""
    return re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.Z+]+", "", content.decode())


def test_one_thread_serves_each_caller_in_their_language(ann, table, client):
    client.get(f"/t/{table.code}/", headers={"accept-language": "de"})
    answer = ann.post(f"{table.url}events/", play(0, "8MS"))
    assert (answer.status_code, answer["Content-Language"]) == (201, "en")


def test_the_api_pages_are_in_english(client):
    for address in ("/api/v1/problems/", "/api/v1/docs/"):
        page = client.get(address, headers={"accept-language": "de"})
        assert '<html lang="en">' in page.content.decode()
        assert "Deutsch" not in page.content.decode()


# --- tables/{code}/hands/{n}/confirmation/: a player agrees with the result of a hand

RESULT = {"type": "result", "tricks": [12, 0, 0]}


def agreed(client, url, hand=1):
    return [each["seat"] for each in client.get(f"{url}hands/{hand}/confirmation/").json()["confirmed"]]


def test_the_log_and_the_record_name_players_who_agreed(ann, bob, cy, url, table):
    ann.post(f"{url}events/", RESULT)
    answer = bob.post(f"{url}hands/1/confirmation/")
    assert answer.status_code == 201
    assert [each["seat"] for each in answer.json()["confirmed"]] == [1]
    row = ann.get(f"{url}events/").json()["events"][-1]
    assert (row["by"], row["event"], row["hidden"]) == ("player-1", None, {"seat": 1, "confirmed": 1})
    cy.post(f"{url}hands/1/confirmation/")
    assert agreed(ann, url) == [1, 2]
    assert ann.get(url).json()["version"] == 3
    assert ann.get(f"{url}record/").json()["hands"][0]["x_confirmed"] == [1, 2]
    assert "x_confirmed: [1, 2]" in ann.get(f"{url}record/?as=text").content.decode()
    assert differences(table.row) == []


def test_missing_agreement_blocks_nothing(ann, bob, url):
    ann.post(f"{url}events/", RESULT)
    assert ann.post(f"{url}events/", RESULT).status_code == 201
    assert bob.post(f"{url}hands/1/confirmation/").status_code == 201
    assert ann.post(f"{url}undo/").status_code == 201
    assert agreed(ann, url) == [1]


def test_a_corrected_result_needs_agreement_again(ann, bob, url):
    ann.post(f"{url}events/", RESULT)
    bob.post(f"{url}hands/1/confirmation/")
    other = {"seq": 1, "event": {"type": "result", "tricks": [11, 1, 0]}}
    assert ann.post(f"{url}amendments/", other).status_code == 201
    assert agreed(ann, url) == []
    assert "x_confirmed" not in ann.get(f"{url}record/").json()["hands"][0]
    bob.post(f"{url}hands/1/confirmation/")
    assert agreed(ann, url) == [1]


def test_a_running_or_missing_hand_cannot_be_agreed_with(ann, bob, url):
    assert bob.post(f"{url}hands/1/confirmation/").status_code == 404
    ann.post(f"{url}events/", play(0, "8MS"))
    running = bob.post(f"{url}hands/1/confirmation/")
    assert (running.status_code, running.json()["code"]) == (409, "hand-running")
    assert bob.get(f"{url}hands/7/confirmation/").status_code == 404
    assert bob.get(f"{url}hands/0/confirmation/").status_code == 404
