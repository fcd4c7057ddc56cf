"""Tables in the API: opened, read, changed, with their players, hands and house rules."""

import pytest
from rest_framework.test import APIClient

from scoring.models import HandSheet, Link, Table, TableEvent
from scoring.operating.reads import differences
from scoring.tables.acts.importing import import_record
from tests.referee.rules_events import rules
from tests.scoring.conftest import ACE_TRUMP, OpenTable, holder, open_table, play, refusal
from tests.scoring.groups import make_group

# --- POST tables/

URL = "/api/v1/tables/"
HAND = {"type": "result", "tricks": [4, 4, 4]}


def post(client: APIClient, table: OpenTable, *events: dict, **query: str):
    return client.post(f"{table.url}events/", {"events": list(events)}, query_params=query)


def pointer(answer) -> tuple[int, str]:
    """Return the status of a refused request, and where its first error is."""
    return answer.status_code, answer.json()["errors"][0]["pointer"]


def beside(client: APIClient, table: OpenTable) -> dict[str, dict]:
    """Return what can be recorded beside the next event, by event."""
    return {ask["event"]: ask for ask in client.get(f"{table.url}asks/").json()["beside"]}


def test_a_table_is_opened(stranger):
    answer = stranger.post(URL, ACE_TRUMP)
    assert answer.status_code == 201
    table = answer.json()
    assert (table["version"], table["state"]["hands"], table["state"]["next"]["dealer"]) == (0, [], 2)
    assert len(table["token"]) > 30
    assert answer["Location"] == table["links"]["self"] == f"/api/v1/tables/{table['code']}/"
    assert answer["ETag"] == '"0"'


@pytest.mark.parametrize(
    ("wrong", "status", "place"),
    [
        ({"options": {"ties": "coin"}}, 422, "/options/ties"),
        ({"game": "no-such-game"}, 422, "/game"),
        ({"seats": ["Ann"], "first_dealer": 0}, 422, "/seats"),
        ({"seats": "Ann"}, 400, "/seats"),
        ({"first_dealer": 3}, 422, "/first_dealer"),
        ({"colour": "red"}, 400, "/colour"),
        ({"people": [1, 2, 3]}, 422, "/people"),
    ],
)
def test_an_impossible_table_is_refused(stranger, wrong, status, place):
    answer = stranger.post(URL, ACE_TRUMP | wrong)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert [each["pointer"] for each in answer.json()["errors"]] == [place]
    assert not Table.objects.exists()


# --- GET tables/{code}/


def test_a_table_is_read(stranger, table):
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"))
    answer = stranger.get(table.url)
    told = answer.json()
    assert (answer.status_code, told["version"], told["seats"]) == (200, 3, ["Ann", "Bob", "Cy"])
    assert told["state"]["hands"][0]["tricks"][0]["winner"] == 2
    assert told["state"]["totals"] == [0, 0, 1]
    assert "token" not in told


def three_hands(table: OpenTable) -> str:
    for tricks in ([12, 0, 0], [0, 12, 0]):
        table.record({"type": "result", "tricks": tricks})
    table.record(play(2, "8MS"))
    return table.url


@pytest.mark.parametrize(
    ("asked", "numbers"), [("", [3]), ("last", [3]), ("all", [1, 2, 3]), ("2", [2]), ("3,1", [1, 3]), ("1,1", [1])]
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_last_hand_or_the_requested_hands_are_returned(stranger, table, asked, numbers, language):
    answer = stranger.get(three_hands(table), {"hands": asked} if asked else {}, HTTP_ACCEPT_LANGUAGE=language)
    assert [hand["number"] for hand in answer.json()["state"]["hands"]] == numbers
    assert answer.json()["state"]["totals"] == [12, 12, 0]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"hands": "4"}, 404, "no-such-hand"), ({"hands": "1,4"}, 404, "no-such-hand"),
        ({"hands": "0"}, 400, "bad-query"), ({"hands": "first"}, 400, "bad-query"), ({"hands": "1,"}, 400, "bad-query"),
        ({"hands": ",".join("1" * 21)}, 400, "bad-query"), ({"expand": "hand"}, 400, "bad-query"),
    ],
)  # fmt: skip
def test_a_missing_hand_is_not_found(stranger, table, query, status, code):
    assert refusal(stranger.get(three_hands(table), query)) == (status, code)


def test_next_events_and_scores_are_included(ann, table):
    url = three_hands(table)
    told = ann.get(url, {"expand": "sheet,asks"}).json()
    assert told["asks"] == ann.get(f"{url}asks/").json()
    scores = [(hand["number"], hand["phase"], hand["scores"]) for hand in told["sheet"]["hands"]]
    assert scores == [(1, "finished", [12, 0, 0]), (2, "finished", [0, 12, 0]), (3, "play", [0, 0, 0])]
    assert told["sheet"]["totals"] == [12, 12, 0]


@pytest.mark.parametrize(
    ("tags", "status"),
    [
        *((same, 304) for same in ("*", "W/{}", '"7", {}', '"of another, with a comma", W/{}')),
        *((another, 200) for another in ("", "0", '"1"', '"00"', '"1", "2"')),
    ],
)
def test_only_a_different_etag_gets_the_table(stranger, table, tags, status):
    tag = stranger.get(table.url)["ETag"]
    assert stranger.get(table.url, HTTP_IF_NONE_MATCH=tags.format(tag)).status_code == status


def test_a_code_may_be_typed_as_it_is_read_aloud(stranger, table):
    typed = f"{table.code[:4].lower()}-{table.code[4:].lower()}"
    assert stranger.get(f"/api/v1/tables/{typed}/").json()["code"] == table.code


# --- tables/{code}/: correcting names, moving a table into a group, deleting it

pytestmark = pytest.mark.django_db
RESULT = {"type": "result", "tricks": [12, 0, 0]}


def test_a_corrected_spelling_keeps_the_score(ann, url):
    for _ in range(2):
        assert ann.post(f"{url}events/", RESULT).status_code == 201
    before = ann.get(url).json()
    after = ann.patch(url, {"seats": ["Anne", "Bob", "Cy"]}).json()
    assert after["seats"] == ["Anne", "Bob", "Cy"]
    assert (after["version"], after["state"]["totals"]) == (before["version"], before["state"]["totals"])
    assert "Ann " not in str(after)
    assert "Ann " not in str(ann.get(f"{url}?hands=all").json())
    assert HandSheet.objects.exclude(sheet=None).exists()  # recomputed when read
    assert ann.post(f"{url}events/", RESULT).status_code == 201


@pytest.mark.parametrize(
    ("seats", "status", "place"),
    [
        (["Ann", "Bob"], 422, "/seats"),
        (["Ann", "Bob", " "], 422, "/seats/2"),
        (["Ann", "Bob", 3], 400, "/seats/2"),
        ("Ann", 400, "/seats"),
    ],
)
def test_names_are_corrected_for_all_seats_or_none(ann, url, seats, status, place):
    assert pointer(ann.patch(url, {"seats": seats, "private": True})) == (status, place)
    told = ann.get(url).json()
    assert (told["seats"], told["private"]) == (["Ann", "Bob", "Cy"], False)


def test_a_deleted_table_leaves_nothing(ann, url):
    ann.post(f"{url}events/", RESULT)
    assert ann.delete(url, headers={"If-Match": '"0"'}).status_code == 412
    assert ann.get(url).status_code == 200
    assert ann.delete(url).status_code == 204
    assert ann.get(url).status_code == 404
    assert [model.objects.count() for model in (Table, TableEvent, Link)] == [0, 0, 0]


def test_a_scorekeeper_can_move_an_old_table_into_a_group(db):
    group, table = make_group("Ann", "Bob", "Cyril"), open_table()
    url, keeper, named = table.url, table.keeper, [group.people()[name] for name in ("Ann", "Bob", "Cyril")]
    given = {"group": group.code, "group_token": group.token}
    assert holder(table.link("player", 0)).patch(url, given).status_code == 403
    assert keeper.patch(url, given | {"group_token": group.link("viewer")}).status_code == 403
    assert keeper.patch(url, given | {"group_token": "no"}).json()["code"] == "no-such-group"
    assert pointer(keeper.patch(url, {"group": group.code})) == (400, "/group_token")
    for body in ({"people": named}, {"group_token": "x"}, given | {"group": None}):
        assert pointer(keeper.patch(url, body)) == (400, "/group")
    assert table.row.group is None
    taken = group.adopt(table).json()
    assert (taken["group"], taken["people"]) == (group.code, [*named[:2], None])
    assert group.adopt(table, named).json()["people"] == named
    assert pointer(make_group(name="Others").adopt(table)) == (422, "/group")


# --- The rights of a player's link


def test_a_player_plays_their_own_cards(bob, table):
    table.record(play(0, "8MS"))
    assert post(bob, table, play(1, "XS")).status_code == 201
    assert bob.get(f"{table.url}events/").json()["events"][-1]["by"] == "player-1"


NOT_A_PLAYERS = {
    "another seat's card": [play(0, "8MS")],
    "a batch with another seat's card": [play(1, "XS", accepted=True), play(2, "XM")],
    "a note": [{"type": "note", "text": "Hm.", "seat": 1}],
    "a penalty": [{"type": "penalty", "seat": 1, "points": 5}],
    "a trick": [{"type": "trick", "winner": 1}],
    "a result": [{"type": "result", "tricks": [0, 12, 0]}],
    "another deal": [{"type": "redeal"}],
    "the end": [{"type": "end"}],
}


@pytest.mark.parametrize("events", NOT_A_PLAYERS.values(), ids=NOT_A_PLAYERS)
def test_a_player_can_only_play(bob, table, events):
    assert refusal(post(bob, table, *events)) == (403, "not-your-seat")
    assert table.row.version == 0


def test_a_player_undoes_their_last_act(bob, table):
    undo = f"{table.url}undo/"
    table.record(play(0, "8MS"))
    assert bob.post(undo, {}).json()["code"] == "not-your-seat"
    table.record(play(1, "XS"))
    assert bob.post(undo, {}).status_code == 201
    table.record(play(1, "XS"), play(2, "XM"))
    assert bob.post(undo, {}).status_code == 403
    assert table.row.version == 5


def test_a_play_never_settles_a_finding(bob, scorekeeper, table):
    table.record(play(0, "8MS"))
    for sender in (bob, scorekeeper):
        assert pointer(sender.post(f"{table.url}events/", play(1, "XS", x_settles=[0, 0]))) == (422, "/x_settles")
    several = post(bob, table, play(1, "XS"), {"type": "note", "text": "Done.", "x_settles": [0, 0]})
    assert several.status_code in (403, 422), several.json()
    assert table.row.version == 1


# --- A table's hands are numbered from 1; positions in a record count from 0


def hands_in(value):
    """Yield every number under the key ``hand``, except inside events, which belong to the record."""
    if isinstance(value, dict):
        if isinstance(value.get("hand"), int):
            yield value["hand"]
        value = [inner for key, inner in value.items() if key != "event"]
    for inner in value if isinstance(value, list) else ():
        yield from hands_in(inner)


def test_every_answer_numbers_the_first_hand_one(table, ann, bob):
    url = table.url
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"), HAND)
    claim = {"claim": "That was mine.", "about": {"hand": 1, "event": 1}}
    slip = {"seq": 3, "event": play(2, "2MK"), "rethread": True}
    answers = [
        ann.get(url), ann.get(f"{url}events/"), ann.post(f"{url}amendments/?dry_run=1", slip),
        bob.post(f"{url}hands/1/confirmation/", {}), ann.get(f"{url}hands/1/confirmation/"),
        ann.post(f"{url}disputes/", claim), ann.get(f"{url}disputes/"), ann.get(f"{url}disputes/1/"),
        ann.post(f"{url}links/", {"role": "reader", "hand": 1}), ann.get(f"{url}links/"), ann.get(f"{url}events/"),
        ann.post(f"{url}amendments/", {"seq": 1, "event": None}),
    ]  # fmt: skip
    named = [number for answer in answers for number in hands_in(answer.json())]
    assert len(named) > 12
    assert set(named) == {1}
    agreed = [row["hidden"] for row in answers[10].json()["events"] if row["hidden"] and "confirmed" in row["hidden"]]
    assert agreed == [{"seat": 1, "confirmed": 1}]
    for path in ("hands/0/audit/", "hands/0/confirmation/", "hands/2/audit/"):
        assert ann.get(f"{url}{path}").status_code == 404
    for hand in (0, 3):
        assert pointer(ann.post(f"{url}disputes/", {"claim": "x", "about": {"hand": hand}})) == (422, "/about/hand")


# --- Reseating by score in American Deuce, and correcting that score afterwards (AD-Q23)

SEATS = ["Ann", "Bob", "Cy", "Dee"]


def left(*cards):
    return {"type": "result", "cards_left": list(cards)}


def suit(seat, named):
    return {"type": "suit", "seat": seat, "suit": named}


def penalty(seat, points):
    return {"type": "penalty", "seat": seat, "points": points, "reason": "late"}


def opened(reseat, *hands):
    told = {"game": "american-deuce", "options": {"reseat": reseat}, "seats": SEATS, "first_dealer": 0}
    return brought_in(told | {"hands": [{"events": events} for events in hands]})


def brought_in(record):
    made = import_record(record)
    return OpenTable(made.table.code, made.token)


def amend(table, *, dry_run=False, **body):
    return table.keeper.post(f"{table.url}amendments/{'?dry_run=1' if dry_run else ''}", body)


def state(table):
    return table.keeper.get(f"{table.url}?hands=all").json()["state"]


def record(table):
    return table.keeper.get(f"{table.url}record/").json()


def test_without_keep_seats_the_next_round_no_longer_fits(db):
    table = opened("round", [left(0, 5, 3, 4)], [suit(0, "S"), suit(2, "H"), suit(3, "C"), left(2, 3, 0, 1)])
    assert refusal(amend(table, seq=1, event=left(0, 3, 5, 4))) == (409, "later-event-not-taken")


@pytest.mark.parametrize("reseat", ["round", "total", "no"])
def test_keep_seats_changes_only_points(db, reseat):
    seated = {"no": (0, 1, 2), "round": (0, 2, 3), "total": (0, 2, 3)}[reseat]
    suits = [suit(seat, named) for seat, named in zip(seated, "SHC", strict=True)]
    table = opened(reseat, [left(0, 5, 3, 4)], [*suits, left(2, 3, 0, 1)], [])
    before = state(table)
    right = left(4, 5, 3, 0) if reseat == "no" else left(0, 3, 5, 4)
    tried = amend(table, seq=1, event=right, keep_seats=True, dry_run=True).json()
    assert (tried["later"], tried["reseated"]) == (None, [])
    answer = amend(table, seq=1, event=right, keep_seats=True)
    assert (answer.status_code, answer.json()["changes"]) == (201, tried["changes"])
    after = state(table)
    assert [hand["seating"] for hand in after["hands"]] == [hand["seating"] for hand in before["hands"]]
    assert after["hands"][0]["scores"] != before["hands"][0]["scores"]
    assert after["hands"][1]["scores"] == before["hands"][1]["scores"]
    told = record(table)
    assert [event["type"] for event in told["hands"][0]["events"]] == ["result", "seating"]
    assert [hand["seating"] for hand in state(brought_in(told))["hands"]] == [h["seating"] for h in after["hands"]]


def test_a_penalty_moves_points_but_no_seats(db):
    suits = [suit(0, "S"), suit(2, "H"), suit(3, "C")]
    table = opened("total", [left(0, 5, 3, 4), penalty(1, -3)], [*suits, left(2, 3, 0, 1)])
    moves = amend(table, seq=2, event=penalty(2, -30), dry_run=True).json()
    assert moves["reseated"] == [{"hand": 2, "before": [0, 2, 3, 1], "after": [0, 3, 1, 2]}]
    assert moves["later"]["seq"] == 4
    assert amend(table, seq=2, event=penalty(2, -30), keep_seats=True).status_code == 201
    assert state(table)["hands"][1]["seating"] == [0, 2, 3, 1]


def test_an_unchanged_seating_needs_no_event(db):
    table = opened("round", [left(0, 5, 3, 4)], [suit(0, "S")])
    assert amend(table, seq=1, event=left(0, 6, 3, 4), keep_seats=True).status_code == 201
    assert [event["type"] for event in record(table)["hands"][0]["events"]] == ["result"]


def test_reseating_a_round_recorded_by_its_result_is_reported(db):
    table = opened("round", [left(0, 5, 3, 4)], [left(2, 3, 0, 1)])
    tried = amend(table, seq=1, event=left(0, 3, 5, 4), dry_run=True).json()
    assert tried["later"] is None
    assert tried["reseated"] == [{"hand": 2, "before": [0, 2, 3, 1], "after": [0, 1, 3, 2]}]


def test_a_different_seating_can_be_recorded_after_the_round(db):
    table = opened("round", [left(0, 5, 3, 4)])
    keeper, seating = table.keeper, {"type": "seating", "places": [2, 1, 3, 4]}
    assert "seating" in beside(keeper, table)
    assert post(keeper, table, seating | {"places": [1, 2, 2, 4]}).status_code == 422
    assert post(keeper, table, seating, suit(1, "S")).status_code == 201
    assert state(table)["hands"][1]["seating"] == [1, 0, 2, 3]
    assert post(keeper, table, seating).json()["code"] == "wrong-phase"


def test_without_its_result_a_round_changes_no_seats(db):
    table = opened("round", [left(0, 5, 3, 4)], [suit(0, "S")])
    assert refusal(amend(table, seq=1, event=None, keep_seats=True)) == (409, "later-event-not-taken")
    assert amend(table, seq=1, event={"type": "redeal", "reason": "x"}, keep_seats=True).status_code == 201
    assert state(table)["hands"][1]["seating"] == [0, 1, 2, 3], "a void round is dealt again as it was"


# --- House rules that change between two hands, over the API (REC-23)

EARLY = rules(ties="early")
CROWNS = [play(1, "8MS"), play(2, "XS"), play(0, "XM")]


@pytest.fixture
def between(table: OpenTable) -> OpenTable:
    """The table with one hand played."""
    table.record(HAND)
    return table


def test_a_rule_change_applies_from_the_next_hand(ann, between):
    answer = post(ann, between, EARLY)
    assert (answer.status_code, answer.json()["version"]) == (201, 2)
    assert (state(between)["options"]["ties"], state(between)["options_now"]["ties"]) == ("symbol", "early")
    post(ann, between, *CROWNS)
    first, second = state(between)["hands"]
    assert ("options" in first, second["options"]["ties"], second["tricks"][0]["winner"]) == (False, "early", 2)
    assert not differences(between.row)


def test_a_rule_change_is_offered_only_between_hands(ann, table):
    assert "rules" not in beside(ann, table)
    table.record(HAND)
    (field,) = beside(ann, table)["rules"]["fields"]
    assert (field["name"], field["type"]) == ("options", "options")
    table.record(*CROWNS)
    assert "rules" not in beside(ann, table)


def test_a_rule_change_can_be_previewed_and_refused_with_its_clause(ann, bob, between):
    assert post(ann, between, EARLY, dry_run="1").status_code == 200
    assert "options_now" not in state(between)
    answer = post(ann, between, rules(hook=True))
    assert refusal(answer) == (422, "bad-rules")
    assert answer.json()["ruling"]["reason"]["clauses"] == ["REC-23", "AT-Q15"]
    assert post(ann, between, {"type": "rules"}).status_code == 400
    assert post(bob, between, EARLY).json()["code"] == "not-your-seat"
    post(ann, between, *CROWNS)
    assert post(ann, between, EARLY).json()["code"] == "wrong-phase"


def test_undoing_or_amending_a_rule_change_rejudges_later_hands(ann, between):
    post(ann, between, EARLY)
    ann.post(f"{between.url}undo/")
    assert "options_now" not in state(between)
    seq = post(ann, between, EARLY).json()["version"]
    post(ann, between, *CROWNS)
    changed = amend(between, seq=seq, event=rules(ties="late"), reason="misheard")
    assert changed.status_code == 201
    (trick,) = changed.json()["changes"]["tricks"]
    assert (trick["before"]["winner"], trick["after"]["winner"]) == (2, 0)
    assert amend(between, seq=8, event=None).status_code == 201
    assert "options" not in state(between)["hands"][1]
    assert not differences(between.row)


def test_a_rule_change_round_trips_in_every_format(ann, between):
    post(ann, between, EARLY)
    post(ann, between, *CROWNS, {"type": "note", "text": "tea"})
    whole = record(between)
    assert (whole["options"]["ties"], whole["hands"][0]["events"][1]) == ("symbol", EARLY)
    text = ann.get(f"{between.url}record/", {"as": "text", "annotate": "1"}).content.decode()
    assert "House rules: ties = early" in text
    assert '"{""ties"":""early""}"' in ann.get(f"{between.url}record/", {"as": "csv"}).content.decode()
    for body in (whole, {"text": text}):
        again = brought_in(body)
        assert not differences(again.row)
        assert record(again)["hands"][0]["events"][1] == EARLY


def test_a_continued_table_uses_the_current_rules(ann, between):
    post(ann, between, EARLY)
    assert state(between.go_on("Ann", "Bob", "Dot"))["options"]["ties"] == "early"


def test_a_rule_change_discards_secret_choices_for_the_next_hand(db):
    table = open_table(game="ransom-trump")
    table.record({"type": "result", "tricks": [5, 4, 0]})
    sealed = {"type": "ransom", "seat": 1, "cards": ["AS"], "sealed": True}
    holder(table.link("player", 1)).post(f"{table.url}events/", sealed)
    assert table.keeper.get(table.url).json()["sealed"] == [1]
    post(table.keeper, table, rules(pawns=True))
    assert table.keeper.get(table.url).json()["sealed"] == []


def test_a_what_if_keeps_rule_changes(ann, between):
    post(ann, between, rules(ties="late"))
    post(ann, between, *CROWNS)
    answer = ann.get(f"{between.url}what-if/", query_params={"pawns": "true"}).json()
    assert [option["key"] for option in answer["changed"]] == ["pawns"]
    assert answer["hands"][1]["tricks"][0]["now"]["winner"] == 0
    answer = ann.get(f"{between.url}what-if/", query_params={"ties": "early"}).json()
    assert answer["hands"][1]["tricks"][0]["now"]["winner"] == 2
