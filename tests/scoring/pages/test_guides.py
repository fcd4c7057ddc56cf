"""Pages of a guided ruling: large answers, a step back, remedies and their costs."""

import re

import pytest

from scoring.models import Table, TableEvent
from scoring.rulings.reads.disputes import disputes_now
from scoring.tables.presenters.people import at_table, people
from tests.scoring.pages.phones import code_of, disputes_of, of_a_player, shown
from tests.scoring.pages.reading import text

TRUMPED = "0:AY 1:XY 2:2SY 1:5ML 2:7ML 0:XM 0:8MS 1:4YK 2:9MS 1:3MW 2:6MW 0:4MS 2:2WL 0:4WL 1:7WY"
"""Bob trumps the third trick although he could follow, and wins it and the fifth."""


def guide(device, address, query=""):
    return device.get(f"{address}guide/{query}")


def choose(device, address, page, remedy, **more):
    """Tap a remedy of a ruling, using its form."""
    form = next(
        form for form in re.findall(r"<form.*?</form>", page.content.decode(), re.DOTALL) if f'"{remedy}"' in form
    )
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    fields.pop("csrfmiddlewaretoken", None)
    (action,) = re.findall(r'action="([^"]+)"', form)
    return device.post(action, fields | more, follow=True)


def test_a_guide_says_what_to_do_now(device):
    address = device.open_table(plays="1:8MS!")
    assert f'href="{address}guide/"' in device.get(address).content.decode()
    assert "Led out of turn" in text(guide(device, address))
    asked = guide(device, address, "?situation=exposed-card")
    assert "Whose card was seen?" in text(asked)
    assert 'class="seat-choice"' in asked.content.decode()
    ruled = text(guide(device, address, "?situation=lead-out-of-turn"))
    for said in (
        "According to the record, it can only have been Bob.",
        "Bob takes the card back, and the right player leads.",
        "Based on the Laws of Duplicate Bridge 2017, Laws 53, 57 and 60",
        "According to the record, no card has been played after Bob’s yet.",
    ):
        assert said in ruled


def test_a_disproved_accusation_offers_only_a_dispute(device):
    address = device.open_table(plays="0:8MS 1:2WL 2:9MS")
    page = guide(device, address, "?situation=revoke&who=2&trick=1")
    told = text(page)
    assert all(said in told for said in ("The record says otherwise", "Cy followed suit in trick 1", "We disagree"))
    assert "carry-out" not in page.content.decode()
    several = guide(device, address, "?situation=play-out-of-turn")
    assert "According to the record, no one played out of turn" in text(several)


def test_a_refused_play_can_be_taken_back_and_its_ruling_recorded(device, other):
    address = device.open_table(plays="0:8MS 1:2WL 2:9MS")
    refused = device.tap(address, "play", seat="1", cards="7SK")
    assert refused.status_code == 409
    assert all(said in text(refused) for said in ("Bob takes it back", "Wrong tap", "It stands"))
    assert choose(device, address, refused, "lead-out-of-turn").status_code == 200
    assert "Led out of turn: Bob takes the card back" in text(device.get(f"{address}log/"))
    assert Table.objects.get().version == 4
    player = of_a_player(address, 1)
    refused = player.tap(address, "play", seat="1", cards="7SK")
    assert "takes it back" not in text(refused), "A player’s phone writes no ruling down."


def test_people_keep_their_group_colors_in_the_cost_of_a_ruling(device, thursday):
    address = device.open_table(plays="0:8MS 1:2WL 2:9MS", names=("Cy", "Ann", "Bob"), group=code_of(thursday))
    bob = f'p-{at_table(Table.objects.get())[2].colour}"'
    assert bob != f'p-{people(("Cy", "Ann", "Bob"))[2].colour}"'
    costs = guide(device, address, "?situation=revoke&who=1&trick=1").content.decode().partition("Costs</dt>")[2]
    assert bob in costs.partition("</dd>")[0]
    assert bob in device.get(f"{address}disputes/").content.decode()
    assert bob in device.get(f"{address}amend/1/").content.decode()


def test_a_ruling_is_shown_to_the_players_until_the_next_entry(device, other):
    address = device.open_table(plays="0:8MS")
    bob = of_a_player(address, 1)
    choose(device, address, guide(device, address, "?situation=exposed-card&who=1"), "note")
    assert ["I don’t agree" in shown(phone, address) for phone in (bob, device, other)] == [True, False, False]
    assert ["just-ruled" in shown(phone, address) for phone in (bob, device, other)] == [True, False, False]
    assert "Bob picks the card up again." in text(other.get(f"{address}screen/"))
    answer = choose(bob, address, bob.get(address), "I don’t agree.")
    assert answer.redirect_chain[0][0] == f"{address}disputes/1/"
    assert "Bob picks the card up again." in text(answer)
    assert "hand 1, an entry" in text(answer), "a ruling is no card"
    assert disputes_of(address)["paused"] == [1]
    device.post(f"{address}disputes/1/ruling/", {"answer": "overruled:"})
    assert "Bob is not right" in text(bob.get(f"{address}disputes/1/"))
    assert "I don’t agree" not in shown(bob, address)


def test_agreeing_with_a_ruling_is_shown_to_everyone(device, other):
    address = device.open_table(plays="0:8MS")
    bob = of_a_player(address, 1)
    choose(device, address, guide(device, address, "?situation=exposed-card&who=1"), "note")
    assert choose(bob, address, bob.get(address), "ruling").status_code == 200
    cy = of_a_player(address, 2)
    seen = [*(shown(phone, address) for phone in (bob, cy, device, other)), text(other.get(f"{address}screen/"))]
    assert all("Bob agrees." in each for each in seen)
    assert all("Bob picks the card up again" in each for each in seen[3:]), "spectators read the ruling, too"
    assert ["I don’t agree" in each for each in seen] == [False, True, False, False, False]
    assert "Bob agrees with the ruling" in text(other.get(f"{address}log/"))
    choose(cy, address, cy.get(address), "ruling")
    assert "Bob and Cy agree." in shown(device, address)
    seq = [entry.seq for entry in TableEvent.objects.order_by("seq") if (entry.event or {}).get("type") == "note"][-1]
    url = f"/api/v1{address.replace('/t/', '/tables/')}hands/1/confirmation/"
    agreed = device.get(url).json()["rulings"]
    assert [(each["ruling"], [one["seat"] for one in each["confirmed"]]) for each in agreed] == [(seq, [1, 2])]
    version = Table.objects.get().version
    bob.post(f"{address}hands/1/confirm/", {"ruling": str(seq)})
    assert Table.objects.get().version == version, "once is enough"
    device.tap(address, "play", seat="1", cards="2WL")
    late = bob.post(f"{address}hands/1/confirm/", {"ruling": str(seq)})
    assert (late.status_code, "agree" in shown(device, address)) == (412, False)
    assert device.post(f"{address}hands/1/confirm/", {"ruling": str(seq)}).status_code == 403


def test_a_previewed_cost_comes_true(device):
    address = device.open_table(plays=TRUMPED)
    result = {"tricks-0": "4", "tricks-1": "5", "tricks-2": "3"}
    assert device.tap(address, "result", **result).status_code == 302
    page = guide(device, address, "?situation=revoke&who=1&trick=3")
    assert all(cost in text(page) for cost in ("Bob from 5 to 3", "Ann from 4 to 5"))
    choose(device, address, page, "bridge")
    log = text(device.get(f"{address}log/"))
    assert "1 trick from Bob to Ann" in log
    assert "Didn’t follow: Bob gives up the revoke trick" in log


def test_points_are_deducted_as_the_table_agrees(device):
    address = device.open_table(plays="0:8MS")
    page = guide(device, address, "?situation=remark&who=2")
    assert "per point:" in text(page)
    choose(device, address, page, "penalty", points="5")
    assert "−5" in text(device.get(f"{address}log/"))


def test_going_back_removes_one_answer(device):
    address = device.open_table(plays="0:8MS")
    page = guide(device, address, "?situation=wrong-number&who=1&count=many").content.decode()
    assert f'href="{address}guide/?situation=wrong-number&amp;who=1"' in page
    first = guide(device, address, "?situation=wrong-number").content.decode()
    assert f'<a href="{address}guide/">Referee</a>' in first


def test_witnesses_may_know_better_than_the_record(device):
    address = device.open_table(plays="1:8MS!")
    page = guide(device, address, "?situation=lead-out-of-turn&who=1").content.decode()
    assert "next-played=yes" in page
    better = guide(device, address, "?situation=lead-out-of-turn&who=1&next-played=yes")
    assert "The lead stands" in text(better)


def test_spectators_read_the_ruling_but_cannot_act(device, other):
    page = guide(other, device.open_table(plays="1:8MS!"), "?situation=lead-out-of-turn&who=1")
    assert "Bob takes the card back" in text(page)
    assert "<form" not in page.content.decode().partition("<main")[2].partition("</main")[0]


def test_a_stale_ruling_form_changes_nothing(device):
    address = device.open_table(plays="1:8MS!")
    page = guide(device, address, "?situation=lead-out-of-turn&who=1")
    device.tap(address, "play", seat="2", cards="9MS")
    assert choose(device, address, page, "take-back").status_code == 412
    assert Table.objects.get().version == 2


@pytest.mark.parametrize("query", ["?situation=rain", "?situation=revoke&who=9", "?situation=revoke&why=1"])
def test_an_invalid_state_is_explained_and_can_be_reset(device, query):
    page = guide(device, device.open_table(plays="0:8MS"), query)
    assert page.status_code == 422
    assert 'role="alert"' in page.content.decode()
    assert "Didn’t follow" in text(page)


def test_a_hand_that_was_never_dealt_has_no_guide(device):
    assert guide(device, device.open_table(plays="0:8MS"), "?situation=misdeal&hand=7").status_code == 404


def test_a_guided_ruling_decides_a_dispute(device):
    address = device.open_table(plays="1:8MS!")

    device.post(f"{address}disputes/", {"claim": "It was Ann’s lead."})
    offered = guide(device, address, "?situation=lead-out-of-turn&who=1")
    assert "Decides “It was Ann’s lead.”" in text(offered)
    assert "situation=lead-out-of-turn&amp;dispute=1" in offered.content.decode()
    page = guide(device, address, "?situation=lead-out-of-turn&who=1&dispute=1")
    assert 'name="dispute" value="1"' in page.content.decode()
    assert choose(device, address, page, "take-back").status_code == 200
    log = [(entry.amends, entry.event and entry.event["type"]) for entry in TableEvent.objects.order_by("seq")]
    assert log[2:4] == [(1, None), (None, "note")], "the card goes back, and the ruling is recorded"
    (dispute,) = disputes_now(Table.objects.get())
    assert (dispute.state.value, dispute.ruling and dispute.ruling.tree) == ("upheld", "lead-out-of-turn")
