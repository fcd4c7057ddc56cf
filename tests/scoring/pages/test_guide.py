"""The pages of a guided ruling: large answers, one step back, and what to do now with its price."""

import re

import pytest

from scoring.models import Table, TableEvent
from scoring.queries.disputes import disputes_now
from scoring.services.disputing import Claim, raise_dispute
from scoring.services.keys import Caller
from tests.scoring.pages.reading import text

TRUMPED = "0:AY 1:XY 2:2SY 1:5ML 2:7ML 0:XM 0:8MS 1:4YK 2:9MS 1:3MW 2:6MW 0:4MS 2:2WL 0:4WL 1:7WY"
"""Bob trumps the third trick although he could follow, and wins it and the fifth."""


def opened(device, cards="", **more):
    """Open a table and play cards at it; return its address."""
    address = device.open_table(**more)
    for word in cards.split():
        seat, card = word.rstrip("!").split(":")
        accepted = {"accepted": "1"} if word.endswith("!") else {}
        assert device.tap(address, "play", seat=seat, cards=card, **accepted).status_code == 302
    return address


def guide(device, address, query=""):
    return device.get(f"{address}guide/{query}")


def choose(device, address, page, remedy, **more):
    """Tap a remedy of a ruling, as its form has it."""
    form = next(
        form for form in re.findall(r"<form.*?</form>", page.content.decode(), re.DOTALL) if f'"{remedy}"' in form
    )
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    fields.pop("csrfmiddlewaretoken", None)
    (action,) = re.findall(r'action="([^"]+)"', form)
    return device.post(action, fields | more, follow=True)


def test_it_works(device):
    address = opened(device, "1:8MS!")
    assert f'href="{address}guide/"' in device.get(address).content.decode()
    assert "Somebody led out of turn" in text(guide(device, address))
    asked = guide(device, address, "?situation=exposed-card")
    assert "Whose card was seen?" in text(asked)
    assert 'class="answer"' in asked.content.decode()
    ruled = guide(device, address, "?situation=lead-out-of-turn")
    assert "By the record it can only have been Bob." in text(ruled)
    assert "Bob takes the card back, and whoever has the lead plays first." in text(ruled)
    assert "After the Laws of Duplicate Bridge 2017, Laws 53, 57 and 60" in text(ruled)
    assert "By the record nobody has played after Bob yet." in text(ruled)


def test_what_the_record_disproves_offers_nothing_but_a_dispute(device):
    address = opened(device, "0:8MS 1:2WL 2:9MS")
    page = guide(device, address, "?situation=revoke&who=2&trick=1")
    assert "The record says otherwise" in text(page)
    assert "Cy followed suit in trick 1" in text(page)
    assert "carry-out" not in page.content.decode()
    assert f'href="{address}disputes/"' in page.content.decode()
    several = guide(device, address, "?situation=play-out-of-turn")
    assert "By the record no one played out of turn" in text(several)


def test_one_tap_takes_the_card_back_and_writes_the_ruling_down(device):
    address = opened(device, "1:8MS!")
    page = guide(device, address, "?situation=lead-out-of-turn&who=1")
    after = choose(device, address, page, "take-back")
    assert after.status_code == 200
    log = [(entry.amends, entry.event and entry.event["type"]) for entry in TableEvent.objects.order_by("seq")]
    assert log[1:] == [(1, None), (None, "note")]


def test_a_price_is_shown_before_and_comes_true(device):
    address = opened(device, TRUMPED)
    result = {"tricks-0": "4", "tricks-1": "5", "tricks-2": "3"}
    assert device.tap(address, "result", **result).status_code == 302
    page = guide(device, address, "?situation=revoke&who=1&trick=3")
    assert "Bob from 5 to 3" in text(page)
    assert "Ann from 4 to 5" in text(page)
    shown = text(choose(device, address, page, "bridge"))
    assert "Bob takes the lead" not in shown
    log = text(device.get(f"{address}log/"))
    assert "1 trick from Bob to Ann" in log
    assert "Somebody did not follow: Bob gives up the trick of the revoke" in log


def test_points_are_taken_away_as_the_table_agrees(device):
    address = opened(device, "0:8MS")
    page = guide(device, address, "?situation=remark&who=2")
    assert "For each point" in text(page)
    choose(device, address, page, "penalty", points="5")
    assert "-5" in text(device.get(f"{address}log/")).replace("−", "-")


def test_one_step_back_is_one_answer_less(device):
    address = opened(device, "0:8MS")
    page = guide(device, address, "?situation=wrong-number&who=1&count=many").content.decode()
    assert f'href="{address}guide/?situation=wrong-number&amp;who=1"' in page
    first = guide(device, address, "?situation=wrong-number").content.decode()
    assert f'class="button" href="{address}guide/"' in first


def test_who_was_there_may_know_better_than_the_record(device):
    address = opened(device, "1:8MS!")
    page = guide(device, address, "?situation=lead-out-of-turn&who=1").content.decode()
    assert "next-played=yes" in page
    better = guide(device, address, "?situation=lead-out-of-turn&who=1&next-played=yes")
    assert "The lead stands" in text(better)


def test_who_only_looks_on_reads_the_ruling_and_carries_nothing_out(device, other):
    address = opened(device, "1:8MS!")
    page = guide(other, address, "?situation=lead-out-of-turn&who=1")
    assert "Bob takes the card back" in text(page)
    assert "<form" not in re.sub(r"<form[^>]*language.*?</form>", "", page.content.decode(), flags=re.DOTALL)
    sent = other.post(
        f"{address}guide/carry-out/", {"situation": "lead-out-of-turn", "remedy": "note", "answer-who": "1"}
    )
    assert sent.status_code == 403


def test_a_form_that_comes_late_does_nothing(device):
    address = opened(device, "1:8MS!")
    page = guide(device, address, "?situation=lead-out-of-turn&who=1")
    device.tap(address, "play", seat="2", cards="9MS")
    assert choose(device, address, page, "take-back").status_code == 412
    assert Table.objects.get().version == 2


@pytest.mark.parametrize("query", ["?situation=rain", "?situation=revoke&who=9", "?situation=revoke&why=1"])
def test_what_cannot_be_is_said_and_one_can_begin_anew(device, query):
    page = guide(device, opened(device, "0:8MS"), query)
    assert page.status_code == 422
    assert 'role="alert"' in page.content.decode()
    assert "Somebody did not follow" in text(page)


def test_there_is_no_guide_for_a_hand_that_was_not_dealt(device):
    assert guide(device, opened(device, "0:8MS"), "?situation=misdeal&hand=7").status_code == 404


def test_a_dispute_is_decided_by_it(device):
    address = opened(device, "1:8MS!")
    code = Table.objects.get().code
    raise_dispute(code, Claim(text="It was Ann’s lead."), Caller())
    offered = guide(device, address, "?situation=lead-out-of-turn&who=1")
    assert "Decides “It was Ann’s lead.”" in text(offered)
    assert "situation=lead-out-of-turn&amp;dispute=1" in offered.content.decode()
    page = guide(device, address, "?situation=lead-out-of-turn&who=1&dispute=1")
    assert 'name="dispute" value="1"' in page.content.decode()
    choose(device, address, page, "take-back")
    (dispute,) = disputes_now(Table.objects.get())
    assert (dispute.state.value, dispute.ruling and dispute.ruling.tree) == ("upheld", "lead-out-of-turn")
