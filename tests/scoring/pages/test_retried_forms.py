"""A form that is sent again under its key, because no answer came, is recorded once; a tap in turn needs no seat."""

from uuid import uuid4

import pytest

from scoring.models import Table


def send(device, address, act="record", *, key=None, **fields):
    headers = {"HX-Request": "true", "Idempotency-Key": str(key or uuid4())}
    return device.post(f"{address}{act}/", fields, headers=headers)


def played():
    return [
        (entry.event["seat"], *entry.event["cards"]) for entry in Table.objects.get().log.filter(event__isnull=False)
    ]


def test_it_works(device):
    address = device.open_table()
    answer = send(device, address, event="play", seat="", cards="8MS", version="0")
    assert (answer.status_code, answer["Recorded-Version"], answer["Table-Version"]) == (200, "1", "1")
    assert played() == [(0, "8MS")]


def test_taps_in_turn_follow_the_turn(device):
    address = device.open_table()
    for version, card in enumerate(("8MS", "XS", "XM", "AW")):
        send(device, address, event="play", seat="", cards=card, version=str(version))
    assert played() == [(0, "8MS"), (1, "XS"), (2, "XM"), (2, "AW")]


def test_the_same_form_again_is_recorded_once(device):
    address, key = device.open_table(), uuid4()
    fields = {"event": "play", "seat": "", "cards": "8MS", "version": "0"}
    first = send(device, address, key=key, **fields)
    again = send(device, address, key=key, **fields)
    assert (first.status_code, again.status_code) == (200, 200)
    assert played() == [(0, "8MS")]


def test_it_is_known_again_after_the_table_has_gone_on(device):
    address, key = device.open_table(**{"option-bidding": "1"}), uuid4()
    last_bid = {"event": "bid", "seat": "", "tricks": "2", "version": "2"}
    for version in "01":
        send(device, address, event="bid", seat="", tricks="2", version=version)
    send(device, address, key=key, **last_bid)
    # Nobody is asked for a bid any more, and the version is another one.
    send(device, address, event="play", seat="", cards="8MS", version="3")
    again = send(device, address, key=key, **last_bid)
    assert (again.status_code, again["Recorded-Version"], again["Table-Version"]) == (200, "3", "4")
    assert Table.objects.get().version == 4


def test_what_is_taken_back_twice_under_one_key_is_taken_back_once(device):
    address, key = device.open_table(), uuid4()
    for version, card in enumerate(("8MS", "XS")):
        send(device, address, event="play", seat="", cards=card, version=str(version))
    for _ in range(2):
        answer = send(device, address, "undo", key=key, version="2")
        assert (answer.status_code, answer["Recorded-Version"]) == (200, "3")
    assert Table.objects.get().log.filter(amended_by=None, event__isnull=False).count() == 1


def test_a_refused_form_may_be_sent_again_under_its_key(device):
    address, key = device.open_table(), uuid4()
    assert send(device, address, key=key, event="play", seat="1", cards="8MS", version="0").status_code == 409
    device.tap(address, "play", seat="0", cards="XS", version="0")
    assert send(device, address, key=key, event="play", seat="1", cards="8MS", version="1").status_code == 200
    assert played() == [(0, "XS"), (1, "8MS")]


@pytest.mark.parametrize("key", ["", "1", "not a key"])
def test_a_key_is_a_uuid(device, key):
    address = device.open_table()
    headers = {"Idempotency-Key": key}
    answer = device.post(f"{address}record/", {"event": "play", "seat": "0", "cards": "8MS"}, headers=headers)
    assert answer.status_code == 400
    assert Table.objects.get().version == 0


# -- two devices at the same moment -----------------------------------------------------------


def test_the_same_card_tapped_on_two_devices_is_played_once(device):
    address = device.open_table()
    both = {"event": "play", "seat": "", "cards": "8MS", "version": "0"}
    first = send(device, address, **both)
    second = send(device, address, **both)
    assert [(one.status_code, one["Recorded-Version"]) for one in (first, second)] == [(200, "1"), (200, "1")]
    assert played() == [(0, "8MS")]


def test_so_it_is_with_a_whole_trick_tapped_without_a_network(device):
    address = device.open_table()
    for _ in range(2):
        for version, card in enumerate(("8MS", "XS", "XM")):
            answer = send(device, address, event="play", seat="", cards=card, version=str(version))
            assert answer["Recorded-Version"] == str(version + 1)
    assert played() == [(0, "8MS"), (1, "XS"), (2, "XM")]


def test_the_last_bid_is_the_same_bid_although_nobody_is_asked_any_more(device):
    address = device.open_table(**{"option-bidding": "1"})
    for version in "012":
        for _ in range(2):
            assert send(device, address, event="bid", seat="", tricks="2", version=version).status_code == 200
    assert Table.objects.get().version == 3


@pytest.mark.parametrize(
    "other", [{"cards": "XS"}, {"cards": "8MS", "seat": "1"}, {"cards": "8MS", "accepted": "1"}, {"version": "1"}]
)
def test_anything_else_is_told_that_the_table_has_moved_on(device, other):
    address = device.open_table()
    send(device, address, event="play", seat="", cards="8MS", version="0")
    if "version" in other:
        send(device, address, "undo", version="1")
    second = send(device, address, **{"event": "play", "seat": "", "cards": "8MS", "version": "0"} | other)
    assert second.status_code == 412


def test_a_penalty_is_not_given_twice_in_one_moment(device):
    address = device.open_table()
    send(device, address, event="play", seat="", cards="8MS", version="0")
    for _ in range(2):
        send(device, address, event="penalty", seat="1", points="-5", version="1")
    assert Table.objects.get().version == 2
