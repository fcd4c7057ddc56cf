"""What may be recorded next, told to programs that know no rule; and events tried before they are recorded."""

from random import Random

import pytest

from referee.engine.catalogue import all_games
from scoring.models import SecretChoice, TableEvent
from tests.scoring.conftest import OpenTable, holder, open_table, play
from tests.seeds import FIRST

pytestmark = pytest.mark.django_db


def asks(client, table, **query):
    answer = client.get(f"/api/v1/tables/{table.code}/asks/", query)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def send(client, table, event, **query):
    address = f"/api/v1/tables/{table.code}/events/"
    return client.post(f"{address}?dry_run=1" if query.get("dry_run") else address, event)


def test_it_works(table, stranger):
    answer = asks(stranger, table)
    play_ask = answer["asks"][0]
    assert (play_ask["event"], play_ask["seats"], play_ask["yours"], play_ask["players"]) == ("play", [0], False, [0])
    assert len(play_ask["events"]) == 36
    assert play_ask["complete"]
    assert play_ask["forced"] is None
    assert answer["hand"] == {"number": 1, "begins": True, "dealer": 2, "phase": "play", "to_act": [0]}
    assert answer["beside"] == []


def test_a_card_that_would_claim_a_void_is_told_with_the_clause(table, scorekeeper):
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


def test_a_player_is_told_what_the_own_link_may_record(table):
    bob = holder(table.link("player", 1))
    assert not asks(bob, table)["asks"][0]["yours"]
    table.record(play(0, "AM"))
    assert [ask["yours"] for ask in asks(bob, table)["asks"]] == [True]


def test_a_version_that_is_known_is_not_sent_again(table, stranger):
    first = stranger.get(f"/api/v1/tables/{table.code}/asks/")
    again = stranger.get(f"/api/v1/tables/{table.code}/asks/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304


def test_cards_put_together_are_named():
    table = open_table(game="american-deuce", seats=["Ann", "Bob", "Cy", "Dee"])
    for suit in "SHC":
        client = holder(table.token)
        (ask,) = [ask for ask in asks(client, table)["asks"] if ask["event"] == "suit"]
        event = next(event for event in ask["events"] if event["suit"] == suit)
        assert send(client, table, event).status_code == 201
    found = asks(client, table, cards="3S,3H")["asks"][0]
    assert found["named"]["fits"]
    assert "air of threes" in found["named"]["reasons"][0]["text"]
    assert all({"3S", "3H"} <= set(event["cards"]) for event in found["events"])
    assert client.get(f"/api/v1/tables/{table.code}/asks/", {"cards": "ZZ"}).status_code == 400


@pytest.mark.parametrize("game", [game.id for game in all_games()])
def test_a_table_is_played_by_what_is_asked_alone(game):
    chance = Random(FIRST)
    seats = ["Ann", "Bob", "Cy", "Dee"][: max(n for n in _players(game) if n <= 4)]
    table = open_table(game=game, seats=seats, first_dealer=0, end={"kind": "hands", "value": 1})
    client = holder(table.token)
    for _ in range(300):
        answer = asks(client, table)
        if answer["finished"]:
            assert answer["why_not"]["code"] == "hand-finished"
            assert answer["asks"] == []
            return
        likely = [ask for ask in answer["asks"] if ask["events"] and ask["event"] != "result"]
        sent = send(client, table, chance.choice(chance.choice(likely)["events"]))
        assert sent.status_code == 201, sent.json()
    pytest.fail("the hand does not end")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_cards_are_asked_for_before_what_came_of_them(game):
    seats = ["Ann", "Bob", "Cy", "Dee"][: 4 if 4 in game.players else max(game.players)]
    table = open_table(game=game.id, seats=seats, first_dealer=0)
    client, asked = holder(table.token), set()
    for _ in range(12):
        first = asks(client, table)["asks"][0]
        assert first["event"] not in ("trick", "result")
        asked.add(first["event"])
        assert send(client, table, first["events"][-1]).status_code == 201
    assert "play" in asked


def _players(game):
    return next(each.players for each in all_games() if each.id == game)


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


def test_a_dry_run_of_what_is_irregular_answers_with_the_ruling_and_counts(table, scorekeeper):
    tried = send(scorekeeper, table, play(1, "8MS"), dry_run=True)
    assert (tried.status_code, tried.json()["code"]) == (409, "out-of-turn")
    assert tried.json()["ruling"]["verdict"] == "irregular"
    row = table.row
    assert row.version == 0
    assert row.writes, "asking counts as an act"


def test_a_dry_run_is_for_who_may_record(table, stranger):
    assert send(stranger, table, play(0, "8MS"), dry_run=True).status_code == 401
    bob = holder(table.link("player", 1))
    assert send(bob, table, play(0, "8MS"), dry_run=True).json()["code"] == "not-your-seat"
    assert send(holder(table.token), table, play(0, "8MS"), dry_run=True).status_code == 200


def test_a_dry_run_shows_nothing_that_lies_face_down():
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


def test_another_word_than_0_or_1_is_malformed(table, scorekeeper):
    answer = scorekeeper.post(f"/api/v1/tables/{table.code}/events/?dry_run=yes", play(0, "8MS"))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-query")
