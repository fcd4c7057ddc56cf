"""Secret choices, and points hidden until the hand is over."""

import json
import logging
import re
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.models import Link, Role, SecretChoice, Table
from tests.scoring.conftest import AS_ONE, OpenTable, holder, open_table, play, refusal
from tests.scoring.pages.reading import tells

# --- Secret choices: made on each player's phone, and revealed together

GAMES = {
    "ransom-trump": ("ransom", ["2MK", "XM", "9WY"], "Author"),
    "wildcat-chicane": ("ruling-card", ["AM", "XS", "AY"], "Ace of Moons"),
}


KEY = {"Idempotency-Key": "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c13"}


class Round:
    """A table of three at a game that starts with a secret choice, and everyone around it."""

    def __init__(self, game):
        self.table = open_table(game=game)
        self.type, self.cards, self.name = GAMES[game]
        self.ann = self.table.keeper
        self.players = [holder(self.table.link("player", seat)) for seat in range(3)]
        self.url = self.table.url
        self.heard = []

    def choice(self, seat, card=None):
        return {"type": self.type, "seat": seat, "cards": [card or self.cards[seat]]}

    def choose(self, seat, card=None, headers=None, **more):
        answer = self.players[seat].post(f"{self.url}events/", self.choice(seat, card) | more, headers=headers)
        self.heard.append(answer.content.decode())
        return answer

    def look(self):
        """Return everything that anyone can read about the table."""
        dee, eve = holder(self.table.link("spectator")), APIClient()
        answers = []
        for client in (self.ann, *self.players, dee, eve):
            answers += [client.get(self.url + part) for part in ("", "events/", "record/", "links/")]
            answers.append(client.post(f"{self.url}events/", {"type": "note"}))
            answers.append(client.post(f"{self.url}events/", {"type": "end"}, HTTP_IF_MATCH='"0"'))
        return [*self.heard, *(answer.content.decode() for answer in answers)]


@pytest.fixture(params=GAMES)
def at(request, db):
    return Round(request.param)


def test_secret_choices_are_revealed_together(at):
    first = at.choose(0).json()
    assert (first["sealed"], "ruling" in first) == ([0], False)
    assert at.choose(2).json()["sealed"] == [0, 2]
    last = at.choose(1).json()
    assert (last["sealed"], [ruling["verdict"] for ruling in last["rulings"]]) == ([], ["accepted"] * 3)
    events = [entry for entry in at.ann.get(f"{at.url}events/").json()["events"] if entry["event"]]
    assert [(e["event"]["seat"], e["event"]["cards"], e["by"]) for e in events] == [
        (seat, [at.cards[seat]], f"player-{seat}") for seat in range(3)
    ]
    assert not SecretChoice.objects.exists()


def test_everyone_sees_who_has_chosen_and_the_version_increases(at):
    at.choose(2)
    told = APIClient().get(at.url).json()
    assert (told["version"], told["sealed"], told["choose_again"]) == (1, [2], [])
    assert told["state"]["hands"] == []
    entry = APIClient().get(f"{at.url}events/").json()["events"][0]
    assert (entry["event"], entry["hidden"]["seat"], entry["by"]) == (None, 2, "player-2")


def test_secret_choices_are_hidden_in_every_answer_and_the_log(at, caplog):
    caplog.set_level(logging.DEBUG, logger="scoring")
    at.choose(0)
    at.choose(2)
    for said in (*at.look(), caplog.text):
        assert not tells(said, at.cards[0])
        assert not tells(said, at.cards[2])
        assert at.name not in said


def test_no_other_log_row_contains_a_secret_choice(at):
    at.choose(0)
    row = Table.objects.get(code=at.table.code)
    kept = json.dumps([row.snapshot, row.hand_start, row.choosing, row.extra])
    assert at.cards[0] not in kept
    assert [(entry.event, entry.choosing) for entry in row.log.all()] == [
        (None, {"seat": 0, "chosen": [0], "again": []})
    ]


def test_a_choice_may_be_changed_until_the_reveal(at):
    at.choose(0, "AS" if at.type == "ruling-card" else "3SK")
    at.choose(0)
    at.choose(1)
    at.choose(2)
    event = at.table.row.log.filter(event__isnull=False).order_by("seq").first().event
    assert event["cards"] == [at.cards[0]]
    assert refusal(at.choose(0)) == (422, "wrong-phase")
    assert at.players[2].post(f"{at.url}undo/", {}).json()["code"] == "not-your-seat"


def test_conflicting_choices_make_everyone_choose_again_anonymously(at):
    at.choose(0)
    at.choose(1, at.cards[2])
    told = at.choose(2).json()
    assert (told["sealed"], told["choose_again"]) == ([], [0, 1, 2])
    for said in at.look():
        assert not tells(said, at.cards[0])
        assert not tells(said, at.cards[2])
    assert APIClient().get(at.url).json()["choose_again"] == [0, 1, 2]
    assert not SecretChoice.objects.exists()
    assert at.choose(0).json()["choose_again"] == [1, 2]
    assert at.choose(1).json()["choose_again"] == [2]
    assert at.choose(2).json()["sealed"] == []
    assert len(at.ann.get(f"{at.url}record/").json()["hands"][0]["events"]) == 3


@pytest.mark.parametrize(
    ("cards", "code"), [(["ZZ"], "not-in-deck"), ([], "wrong-count"), (["AM", "AS"], "wrong-count")]
)
def test_impossible_values_are_refused_immediately(at, cards, code):
    assert refusal(at.choose(0, cards=cards)) == (422, code)
    assert at.table.row.version == 0


def test_a_duplicate_choice_is_refused_only_if_the_other_is_open(at):
    at.choose(0)
    assert at.choose(1, at.cards[0]).status_code == 201
    at.ann.post(f"{at.url}events/", at.choice(2))
    assert refusal(at.choose(0, at.cards[2])) == (422, "already-played")


def test_an_open_entry_replaces_the_seats_secret_choice(at):
    at.choose(0)
    assert at.ann.post(f"{at.url}events/", at.choice(0)).json()["sealed"] == []
    assert at.choose(1).json()["sealed"] == [1]
    assert not SecretChoice.objects.filter(seat=0).exists()


def test_a_secret_choice_ruled_out_by_an_open_one_is_made_again(at):
    at.choose(1, at.cards[0])
    at.ann.post(f"{at.url}events/", at.choice(0))
    assert at.choose(2).json()["choose_again"] == [1, 2]
    assert at.choose(1).json()["choose_again"] == [2]
    assert at.choose(2).json()["sealed"] == []


def test_no_one_else_chooses_for_a_seat_with_its_own_phone(at):
    for other in (at.ann, at.players[1]):
        assert refusal(other.post(f"{at.url}events/", at.choice(0) | {"sealed": True})) == (403, "not-your-seat")
    assert not SecretChoice.objects.exists()
    assert at.choose(0, sealed=False).json()["ruling"]["verdict"] == "accepted", "a player may show the own choice"


def test_the_only_phone_may_choose_for_each_player_in_turn(at):
    Link.objects.filter(role=Role.PLAYER).update(revoked=timezone.now())
    for seat in range(3):
        assert at.ann.post(f"{at.url}events/", at.choice(seat) | {"sealed": True}).status_code == 201
    assert len(at.ann.get(f"{at.url}record/").json()["hands"][0]["events"]) == 3


def test_only_secret_choices_can_be_made_in_secret(at):
    bid = {"type": "bid", "seat": 0, "tricks": 2, "sealed": True}
    note = {"type": "note", "text": "psst", "sealed": True}
    assert at.ann.post(f"{at.url}events/", note).status_code == 422
    assert at.ann.post(f"{at.url}events/", bid).status_code == 422
    both = {"events": [at.choice(0), at.choice(1)], "sealed": True}
    assert refusal(at.ann.post(f"{at.url}events/", both)) == (422, "hidden-choice")
    assert at.ann.post(f"{at.url}events/", at.choice(0) | {"sealed": 1}).status_code == 400


def test_a_list_of_one_secret_choice_stays_hidden(at):
    told = at.players[0].post(f"{at.url}events/", {"events": [at.choice(0)], "sealed": True}).json()
    assert (told["sealed"], "ruling" in told) == ([0], False)


def test_a_players_batch_never_reveals_a_choice_by_mistake(at):
    assert at.players[0].post(f"{at.url}events/", {"events": [at.choice(0)]}).status_code == 201
    twice = at.players[0].post(f"{at.url}events/", {"events": [at.choice(0), at.choice(0)]})
    assert refusal(twice) == (422, "hidden-choice")


@pytest.mark.parametrize(
    ("game", "event"),
    [
        ("ransom-trump", {"type": "result", "tricks": [9, 0, 0]}),
        ("ransom-trump", {"type": "trick", "winner": 0}),
        ("wildcat-chicane", {"type": "bid", "seat": 0, "tricks": 2, "accepted": True}),
    ],
)
def test_continuing_undoes_pending_secret_choices(db, game, event):
    at = Round(game)
    at.choose(0)
    answer = at.ann.post(f"{at.url}events/", event)
    assert (answer.status_code, answer.json()["sealed"]) == (201, []), answer.json()
    assert not SecretChoice.objects.exists()


@pytest.mark.parametrize("act", ["undo", "redeal", "end"])
def test_undo_and_a_new_deal_discard_secret_choices(at, act):
    at.ann.post(f"{at.url}events/", at.choice(2))
    at.choose(0)
    part, body = ("undo/", {}) if act == "undo" else ("events/", {"type": act})
    answer = at.ann.post(at.url + part, body)
    assert (answer.status_code, answer.json()["sealed"]) == (201, [])
    assert not SecretChoice.objects.exists()


def test_a_remark_keeps_pending_secret_choices(at):
    at.choose(0)
    at.ann.post(f"{at.url}events/", at.choice(1))
    note = {"type": "note", "text": "Where is Cy?"}
    assert at.ann.post(f"{at.url}events/", note).json()["sealed"] == [0]
    assert SecretChoice.objects.get().seat == 0


def test_a_retry_reveals_nothing_more(at):
    first = at.choose(0, headers=KEY)
    at.choose(1)
    assert at.choose(0, headers=KEY).json() == first.json()
    assert at.choose(0, at.cards[2], headers=KEY).json()["code"] == "key-reused"
    another = {"Idempotency-Key": str(uuid4())}
    last, again = (at.choose(2, headers=another).json() for _ in range(2))
    assert last == again


def test_a_stolen_idempotency_key_does_not_reveal_the_choice(at):
    at.choose(0, headers=KEY)
    for other in (at.players[1], at.ann):
        right, wrong = (
            other.post(f"{at.url}events/", at.choice(0, card), headers=KEY | AS_ONE)
            for card in (at.cards[0], at.cards[2])
        )
        assert refusal(right) == (422, "key-reused")
        assert right.content == wrong.content
    assert at.choose(0, headers=KEY).status_code == 201


def test_the_next_hand_starts_with_hidden_choices_too(at):
    at.table.record(*(at.choice(seat) for seat in range(3)))
    at.table.record({"type": "redeal"})
    assert at.choose(0).json()["sealed"] == [0]
    told = at.ann.get(at.url).json()
    assert [hand["number"] for hand in told["state"]["hands"]] == [1]
    at.choose(1)
    at.choose(2)
    assert [hand["number"] for hand in at.ann.get(at.url).json()["state"]["hands"]] == [2]


# --- A table that hides its points until the game is over (AP-18): what each caller gets from the API

PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 1, "options": {"totals": "hidden"}}
FIRST = ({"type": "result", "points": [235, 345]},)
SECOND = (play(1, "8H"), play(0, "7H", "9H"), play(0, "AD"), play(1, "2C"))
APART = ("code", "token", "links", "created", "updated", "previous", "next", "type", "detail")
TOLD = ("235", "345", "95", "145", "380", "Flush 40")


@pytest.fixture
def pit(db: None) -> OpenTable:
    """A table with a hand recorded by result, and two tricks of the next one."""
    table = open_table(**PIT, end={"kind": "hands", "value": 2})
    table.record(*FIRST)
    table.record(*SECOND)
    return table


def leaks(data: Any) -> list[str]:
    """Return the numbers an answer reveals, without those in codes, times and addresses."""
    text = json.dumps({key: value for key, value in data.items() if key not in APART})
    return [number for number in TOLD if re.search(rf"\b{number}\b", text)]


@pytest.mark.parametrize(("role", "seat"), [("scorekeeper", None), ("player", 1), ("spectator", None), ("", None)])
def test_points_are_shown_only_on_request(pit, stranger, role, seat):
    caller = holder(pit.link(role, seat)) if role else stranger
    answer = caller.get(pit.url, {"hands": "all", "expand": "sheet"}).json()
    state = answer["state"]
    for part in (answer["sheet"], state):
        assert part["totals"] == [None, None]
        assert [hand["scores"] for hand in part["hands"]] == [[None, None]] * 2
    assert state["points_hidden"] is True
    assert [trick["winner"] for trick in state["hands"][1]["tricks"]] == [0, 0]
    assert state["hands"][1]["tricks"][0]["plays"][1]["cards"] == ["7H", "9H"]
    assert leaks(answer) == []


def test_only_a_scorekeeper_can_ask_for_hidden_points(pit, stranger):
    answer = pit.keeper.get(pit.url, {"hidden_points": "1", "hands": "1", "expand": "sheet"}).json()
    for part in (answer["sheet"], answer["state"]):
        assert (part["totals"], part["hands"][0]["scores"]) == ([380, 345], [235, 345])
    assert answer["state"]["points_hidden"] is False
    for client in (holder(pit.link("player", 1)), holder(pit.link("spectator"))):
        assert client.get(pit.url, {"hidden_points": "1"}).status_code == 403
    assert stranger.get(pit.url, {"hidden_points": "1"}).status_code == 401
    assert stranger.get(pit.url, {"hidden_points": "2"}).status_code == 400


def test_answers_to_recording_and_undo_omit_points(pit):
    caller = pit.keeper
    done = caller.post(f"{pit.url}events/", play(0, "5S"))
    back = caller.post(f"{pit.url}undo/", {})
    stale = caller.post(f"{pit.url}events/", play(0, "6S"), headers={"If-Match": '"1"'})
    irregular = caller.post(f"{pit.url}events/", play(1, "5S", accepted=True))
    assert [answer.status_code for answer in (done, back, stale, irregular)] == [201, 201, 412, 201]
    assert irregular.json()["ruling"]["irregularities"][0]["code"] == "out-of-turn"
    assert [leaks(answer.json()) for answer in (done, back, stale, irregular)] == [[]] * 4


def test_a_correction_reveals_tricks_but_no_scores(pit):
    asked = {"seq": 3, "event": play(0, "7H", "10H")}
    tried = pit.keeper.post(f"{pit.url}amendments/?dry_run=1", asked).json()
    assert (tried["changes"]["scores"], tried["changes"]["totals"]) == ([], [])
    done = pit.keeper.post(f"{pit.url}amendments/", asked)
    assert done.status_code == 201
    assert leaks(tried) == leaks(done.json()) == []


def test_the_record_omits_hidden_points(pit, stranger):
    told = stranger.get(f"{pit.url}record/", {"as": "json", "annotate": "1"}).json()
    assert told["hands"][0]["events"] == [*FIRST]
    assert "x_totals" not in told
    assert "x_scores" not in told["hands"][0]
    text = stranger.get(f"{pit.url}record/", {"as": "text", "annotate": "1"}).content.decode()
    assert "Totals: hidden" in text
    assert "Ann wins with Spoon, Pin and Flush." in text
    assert "380" not in text
    assert "95" not in text
    scores = stranger.get(f"{pit.url}record/", {"as": "csv", "part": "scores"}).content.decode()
    assert scores == "hand,phase,Ann,Bob\r\n1,finished,,\r\n2,play,,\r\ntotal,hidden\r\n"


def test_a_text_exported_mid_game_can_be_imported(pit, stranger):
    text = stranger.get(f"{pit.url}record/", {"as": "text", "annotate": "1"}).content.decode()
    brought = stranger.post("/api/v1/tables/import/", {"text": text})
    assert brought.status_code == 201, brought.json()
    assert stranger.get(brought.json()["links"]["self"]).json()["state"]["points_hidden"] is True


def test_everything_is_revealed_when_the_game_is_over(pit, stranger):
    seen = stranger.get(pit.url)
    pit.record({"type": "result", "points": [185, 100]})
    state = stranger.get(pit.url, {"hands": "1,2"}, headers={"If-None-Match": seen["ETag"]}).json()["state"]
    assert (state["finished"], state["totals"]) == (True, [420, 445])
    assert state["hands"][0]["scores"] == [235, 345]
    assert state["hands"][1]["tricks"][0]["points"] == {"0": 95}


def test_a_continued_table_hides_its_points_until_the_last_table_ends(pit, stranger):
    pit.record({"type": "redeal"})
    went_on = pit.keeper.post(f"{pit.url}continue/", {"seats": ["Ann", "Cy"]}).json()
    assert went_on["carried"] == [None, None]
    assert leaks(went_on) == []
    assert leaks(stranger.get(pit.url).json()) == []
    following = OpenTable(went_on["code"], went_on["token"])
    assert following.keeper.get(following.url, {"hidden_points": "1"}).json()["carried"] == [235, 0]
    following.record({"type": "end"})
    assert stranger.get(pit.url).json()["state"]["totals"] == [235, 345]
