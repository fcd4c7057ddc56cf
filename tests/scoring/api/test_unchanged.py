"""What has not changed is not sent again; what has is, whatever the version says. And where everything is."""

import pytest

from tests.scoring.conftest import play

pytestmark = pytest.mark.django_db


def again(client, address, tag):
    return client.get(address, headers={"If-None-Match": tag})


@pytest.mark.parametrize(
    "address", ["games/", "games/ace-trump/", "games/ace-trump/rulebook/", "decks/", "decks/french/", ""]
)
def test_the_catalogue_may_be_kept_for_an_hour(client, address):
    first = client.get(f"/api/v1/{address}")
    assert {"max-age=3600", "public"} <= set(first["Cache-Control"].split(", "))
    second = again(client, f"/api/v1/{address}", first["ETag"])
    assert (second.status_code, second.content) == (304, b"")
    assert again(client, f"/api/v1/{address}", '"other"').status_code == 200


def test_what_is_not_there_is_not_kept(client):
    assert "max-age" not in client.get("/api/v1/games/no-such-game/").get("Cache-Control", "")


@pytest.mark.parametrize("address", ["events/", "record/", "record/?as=text", "record/?as=csv"])
def test_log_and_record_have_tags_of_their_own(table, stranger, address):
    table.record(play(0, "8MS"), play(1, "XS"))
    url = f"/api/v1/tables/{table.code}/{address}"
    first = stranger.get(url)
    assert again(stranger, url, first["ETag"]).status_code == 304
    table.record(play(2, "XM"))
    assert again(stranger, url, first["ETag"]).status_code == 200


@pytest.mark.parametrize("address", ["", "events/", "record/"])
def test_a_condition_for_writing_hinders_no_reading(table, scorekeeper, address):
    answer = scorekeeper.get(f"/api/v1/tables/{table.code}/{address}", headers={"If-Match": '"4"'})
    assert answer.status_code == 200


def test_each_format_of_a_record_has_its_own(table, stranger):
    table.record(play(0, "8MS"))
    url = f"/api/v1/tables/{table.code}/record/"
    assert len({stranger.get(url, {"as": kind})["ETag"] for kind in ("json", "text", "csv")}) == 3


@pytest.mark.parametrize("change", [{"private": True}, {"seats": ["Anna", "Bob", "Cy"]}])
def test_what_changes_beside_the_record_changes_the_tag(table, scorekeeper, change):
    url = f"/api/v1/tables/{table.code}/"
    table.record(play(0, "8MS"))
    tag = scorekeeper.get(url)["ETag"]
    assert (tag.partition("-")[0], again(scorekeeper, url, tag).status_code) == ('"1', 304)
    changed = scorekeeper.patch(url, change)
    told = again(scorekeeper, url, tag)
    assert (told.status_code, told["ETag"]) == (200, changed["ETag"])
    assert told["ETag"] != tag
    assert again(scorekeeper, f"{url}asks/", tag).status_code == 200
    assert again(scorekeeper, url, told["ETag"]).status_code == 304
    events, more = f"{url}events/", play(1, "XS")
    for seen in (tag, told["ETag"]):  # no event was recorded since either of them
        assert scorekeeper.post(f"{events}?dry_run=1", more, headers={"If-Match": seen}).status_code == 200
    assert scorekeeper.post(events, more, headers={"If-Match": told["ETag"]}).status_code == 201
    assert scorekeeper.get(url)["ETag"].startswith('"2-')
    assert scorekeeper.post(events, play(2, "XM"), headers={"If-Match": told["ETag"]}).status_code == 412


# -- lists a part at a time -----------------------------------------------------------------


def followed(client, address, key):
    """Read a list to its end, two entries at a time."""
    found, next_ = [], f"{address}?limit=2"
    while next_:
        answer = client.get(next_)
        part, next_ = answer.json()[key], answer.json()["next"]
        assert answer.get("Link") == (f'<{next_}>; rel="next"' if next_ else None)
        assert 0 < len(part) <= 2
        found += part
    return found


def test_what_can_grow_is_read_a_part_at_a_time(table, scorekeeper, stranger):
    url = f"/api/v1/tables/{table.code}/"
    for number in range(5):
        scorekeeper.post(f"{url}links/", {"role": "spectator", "name": f"Phone {number}"})
        scorekeeper.post(f"{url}disputes/", {"claim": f"That was not so, {number}."})
    made = stranger.post("/api/v1/groups/", {"name": "Us", "people": list("ABCDE")}).json()
    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {made['token']}")
    group = f"/api/v1/groups/{made['code']}/"
    for number in range(5):
        stranger.post(f"{group}links/", {"role": "viewer", "name": f"Phone {number}"})
        stranger.post(
            f"{group}precedents/", {"question": f"What of {number}?", "decision": "It counts.", "clause": "AT-9"}
        )
    for client, address, key, count in (
        (scorekeeper, f"{url}links/", "links", 6), (scorekeeper, f"{url}disputes/", "disputes", 5),
        (scorekeeper, f"{url}events/", "events", 5), (stranger, f"{group}people/", "people", 5),
        (stranger, f"{group}links/", "links", 6), (stranger, f"{group}precedents/", "precedents", 5),
    ):  # fmt: skip
        whole = client.get(address).json()
        assert (len(whole[key]), whole["next"]) == (count, None), key
        assert followed(client, address, key) == whole[key]
        refused = client.get(f"{address}?limit=0").json()
        assert (refused["code"], refused["errors"][0]["parameter"]) == ("bad-query", "limit")
    for nothing in ("x", f"{2**53 + 1}", f"1.{2**63}"):
        refused = stranger.get(f"{group}people/?cursor={nothing}")
        assert (refused.status_code, refused.json()["errors"][0]["parameter"]) == (400, "cursor"), nothing


# -- addresses ------------------------------------------------------------------------------


def test_the_index_names_every_address(client):
    told = client.get("/api/v1/").json()
    assert told["links"]["tables"] == "/api/v1/tables/"
    for address in (*told["links"].values(), *told["questions"].values()):
        assert client.get(address).status_code in (200, 405), address


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("tables/ZZZZZZZZ/", "no-such-table"),
        ("tables/ZZZZZZZZ/events/", "no-such-table"),
        ("games/bridge/", "unknown-game"),
        ("decks/tarot/", "unknown-deck"),
        ("nowhere/", "not-found"),
    ],
)
def test_what_is_not_there_has_a_code_of_its_own(client, address, code):
    answer = client.get(f"/api/v1/{address}")
    assert (answer.status_code, answer.json()["code"]) == (404, code)


def test_links_and_people_have_theirs(table, scorekeeper, stranger):
    assert scorekeeper.delete(f"/api/v1/tables/{table.code}/links/99999/").json()["code"] == "no-such-link"
    made = stranger.post("/api/v1/groups/", {"name": "Us"}).json()
    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {made['token']}")
    answer = stranger.patch(f"/api/v1/groups/{made['code']}/people/99999/", {"name": "x"})
    assert answer.json()["code"] == "no-such-person"


def test_a_post_without_the_last_slash_is_told_where_to_go(client):
    answer = client.post("/api/v1/tables", {}, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "no-slash")
    assert "/api/v1/tables/." in answer.json()["detail"]
