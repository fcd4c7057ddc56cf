"""Carrying out what a table decides about a finding, and changing scores."""

import re
from html import unescape

import pytest

from scoring.models import Table
from scoring.tables.reads.log import record
from tests.referee.telling import told as record_of
from tests.referee.test_equity import HARM
from tests.scoring.pages.conftest import REVOKE
from tests.scoring.pages.german import GermanPhone
from tests.scoring.pages.reading import in_order, text

# --- A proved revoke: a scene of the cards led, played and shown, and one tap to settle it

NEXT = "0:2SY 1:7WY 2:6SY"


def settle(device, address, remedy, finding="0-0", **more):
    return device.post(f"{address}settle/", {"finding": finding, "remedy": remedy, **more})


def scenes(device, address):
    """Return the text of each undecided finding's scene on a table's page."""
    page = device.get(address).content.decode()
    found = re.findall(r'<section class="caught".*?</section>', page, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", each)).split()) for each in found]


def events():
    return [entry.event for entry in Table.objects.get().log.order_by("seq") if entry.event]


def test_a_finding_names_the_irregularity_and_shows_its_cards(device, revoked):
    (scene,) = scenes(device, revoked)
    assert scene.startswith("Bob had a Moon.")
    assert "Ann led Moons, Suns 2 2 Origin Bob played no Moons, Suns 3 3 Journey now Bob shows Moons" in scene
    assert "Revoke in trick 1, found in trick 2. AT-5" in scene
    assert "Bob didn’t follow suit with the Origin (2 of Waves and Leaves), but now shows the Journey" in scene
    assert "AT-5 " in scene
    assert "We’ll know the cost once Bob has won another trick" in scene


def test_matching_suits_are_highlighted(device, revoked):
    page = device.get(revoked).content.decode()
    lit = re.findall(
        r'<a class="laid-card lit ([\w -]*)"[^>]*><span class="card[^"]*" role="img" aria-label="([\w ]+)', page
    )
    assert lit == [("lit-moons lit-suns", "Diplomat "), ("", "Origin "), ("lit-moons", "Journey ")]


def test_in_wildcat_chicane_suits_are_highlighted_by_the_players_reading(device):
    ruling = [{"type": "ruling-card", "seat": seat, "cards": [card]} for seat, card in enumerate(("XM", "AK", "XY"))]
    bids = [{"type": "bid", "seat": seat, "tricks": 4} for seat in range(3)]
    cards = [(0, "9WY"), (1, "2SY"), (2, "7WY"), (0, "4YK"), (1, "5SW")]
    laid = [{"type": "play", "seat": seat, "cards": [card]} for seat, card in cards]
    head = {"game": "wildcat-chicane", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}
    told = head | {"hands": [{"events": [*ruling, *bids, *laid]}]}
    address = device.bring(told)
    scene = scenes(device, address)[0]
    assert "Ann led Waves 2 2 Desert Bob played no Waves 5 5 Discovery now Bob shows Waves" in scene
    assert "9 to Ann: Waves Waves 5 to Bob: Waves Waves" in scene
    assert "lit-waves" in device.get(address).content.decode()


def test_the_remedies_are_large_buttons_with_the_house_rules_first(device):
    address = device.open_table(plays=f"{REVOKE} {NEXT}", **{"option-revoke": "2"})
    (scene,) = scenes(device, address)
    assert in_order(
        scene, "Give up tricks Your house rule", "Let it stand", "Take points away", "Deal again",
        "No points for this hand",
    )  # fmt: skip
    assert scene.endswith("Wrong tap? Decide later")
    assert device.get(address).content.decode().count('class="price primary"') == 1


def test_spectators_see_a_finding_but_cannot_decide(device, other, revoked):
    (scene,) = scenes(other, revoked)
    assert scene.startswith("Bob had a Moon.")
    assert scene.endswith("Go on")
    assert "/settle/" not in other.get(revoked).content.decode()
    assert "Bob had a Moon." in text(other.get(f"{revoked}screen/"))


def test_each_remedy_previews_its_effect_on_the_totals(device, revoked):
    device.tap(revoked, "result", tricks=["4", "5", "3"])
    page = text(device.get(revoked))
    assert {"Ann from 4 to 0", "Bob from 5 to 0", "Cy from 3 to 0"} <= set(re.findall(r"\w+ from \d+ to \d+", page))
    (scene,) = scenes(device, revoked)
    assert in_order(scene, "scores stay", "per point:", "No points for", "Deal again")


def test_tricks_are_given_up_with_one_tap(device, revoked):
    device.taps(revoked, "play", NEXT)
    assert {"Bob from 1 to 0", "Cy from 1 to 2"} <= set(re.findall(r"\w+ from \d+ to \d+", text(device.get(revoked))))
    assert settle(device, revoked, "bridge").status_code == 302
    assert (events()[-1]["type"], events()[-1]["x_settles"]) == ("transfer", [0, 1])
    assert scenes(device, revoked) == []
    page = text(device.get(revoked))
    assert "✓ 1 trick from Bob to Cy (revoke in trick 1)" in page
    device.tap(revoked, "play", seat="1", cards="XY")
    assert "✓ 1 trick from Bob to Cy (revoke in trick 1)" in text(device.get(revoked)), "the line stays"


def test_a_finding_stays_until_decided(device, other, revoked):
    for play in NEXT.split():
        device.taps(revoked, "play", play)
        assert len(scenes(device, revoked)) == 1
    assert scenes(other, revoked) == [], "who looks on has seen it"
    device.tap(revoked, "result", tricks=["4", "5", "3"])
    assert len(scenes(device, revoked)) == len(scenes(other, revoked)) == 1
    assert "Hand 1 is over." in text(device.get(revoked))


def test_the_settled_finding_precedes_the_hands_summary(device, revoked):
    about = re.compile(r'data-about="([^"]+)"')
    before = about.findall(device.get(revoked).content.decode())
    device.tap(revoked, "result", tricks=["4", "5", "3"])
    over = device.get(revoked).content.decode()
    assert in_order(over, 'class="caught"', 'class="scene"', 'class="next-hand"')
    assert over.count('class="caught"') == 1
    assert len(before) == len(about.findall(over)) == 1
    assert before != about.findall(over), "who has put it aside sees it again"
    device.tap(revoked, "end")
    assert in_order(device.get(revoked).content.decode(), 'class="caught"', 'class="winners"')


def test_a_finding_survives_the_next_deal_but_moves_no_score(device, revoked):
    device.tap(revoked, "result", tricks=["4", "5", "3"])
    device.tap(revoked, "play", seat="1", cards="9WY")
    (scene,) = scenes(device, revoked)
    assert "Hand 1 · Revoke in trick 1, found in trick 2." in scene
    assert f'href="{revoked}amend/?hand=1"' in device.get(revoked).content.decode()
    assert "Bob played no Moons, Suns 3 3 Journey Bob shows Moons" in scene
    assert "per point: Bob from 5 to 4" in scene
    assert "Give up tricks" not in scene
    assert settle(device, revoked, "bridge").status_code == 412
    assert settle(device, revoked, "penalty", points="3").status_code == 302
    assert (events()[-1]["seat"], events()[-1]["points"], events()[-1]["x_settles"]) == (1, -3, [0, 1])
    assert scenes(device, revoked) == []
    told = record(Table.objects.get())
    assert told["hands"][1]["events"][-1]["x_settles"] == [0, 1]
    device.post(f"{revoked}undo/", {})
    assert len(scenes(device, revoked)) == 1


def test_a_settlement_in_a_later_hand_survives_a_correction(device, revoked):
    device.tap(revoked, "result", tricks=["4", "5", "3"])
    device.tap(revoked, "note", text="Tea.")
    device.tap(revoked, "play", seat="1", cards="9WY")
    settle(device, revoked, "stand")
    assert scenes(device, revoked) == []
    assert scenes(device, device.bring(record(Table.objects.get()))) == []


def test_a_table_can_hold_findings_back_until_the_hand_is_over(device, other):
    address = device.open_table()
    first, *others = REVOKE.split()
    device.taps(address, "play", first)
    device.tap(address, "hold-findings")
    device.taps(address, "play", " ".join(others))
    for looking in (device, other):
        for page in (address, f"{address}screen/", f"{address}hands/1/"):
            assert "had a Moon" not in text(looking.get(page))
            assert "Revoke" not in text(looking.get(page))
    device.tap(address, "result", tricks=["4", "5", "3"])
    (scene,) = scenes(device, address)
    assert "Announce revokes at once" in scene
    assert "Bob had a Moon." in text(other.get(f"{address}screen/"))


def test_a_big_screen_shows_findings_and_rulings(device, other, revoked):
    def shown():
        page = other.get(f"{revoked}screen/").content.decode()
        found = re.search(r'<div class="screen-rulings">.*?</div>\s*(?=<aside)', page, re.DOTALL)
        return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split()) if found else ""

    assert shown().startswith("Bob had a Moon.")
    device.taps(revoked, "play", NEXT)
    assert shown() == ""
    assert "Still to be decided" in other.get(f"{revoked}screen/").content.decode()
    settle(device, revoked, "bridge")
    assert "Bob shows" in shown()
    assert shown().endswith("✓ 1 trick from Bob to Cy (revoke in trick 1)")
    device.tap(revoked, "note", text="The neighbours knock.")
    assert "Bob" not in shown(), "it was news until something else happened; it comes back when the hand is over"
    device.tap(revoked, "result", tricks=["4", "5", "3"])
    assert shown() == "Bob had a Moon. ✓ 1 trick from Bob to Cy (revoke in trick 1)"


def test_held_back_findings_are_shown_on_request(device, revoked):
    assert "Announce revokes only at the end of the hand" in scenes(device, revoked)[0]
    device.tap(revoked, "hold-findings")
    assert scenes(device, revoked) == []
    assert "Revokes are announced at the end of the hand" in text(device.get(f"{revoked}log/"))
    device.tap(revoked, "tell-findings")
    assert len(scenes(device, revoked)) == 1


def test_a_void_hand_leaves_nothing_to_decide(device, revoked):
    device.tap(revoked, "redeal")
    assert scenes(device, revoked) == []
    device.tap(revoked, "play", seat="0", cards="9WY")
    assert scenes(device, revoked) == []


def test_a_remedy_that_is_not_possible_now_is_refused(device, other, revoked):
    assert settle(device, revoked, "bridge").status_code == 412
    assert settle(device, revoked, "hang").status_code == 412
    for other_finding in ("0-7", "0", "7-0", "²-0", "0-²", ""):
        assert settle(device, revoked, "stand", finding=other_finding).status_code == 412
    assert settle(device, revoked, "stand", version="3").status_code == 412
    assert settle(other, revoked, "stand").status_code == 403
    assert len(events()) == len(REVOKE.split())


def test_an_agreed_penalty_settles_the_finding(device, revoked):
    assert settle(device, revoked, "penalty", points="x").status_code == 422
    assert settle(device, revoked, "penalty", points="99999").status_code == 422
    settle(device, revoked, "penalty", points="-2")
    assert events()[-1].items() >= {"type": "penalty", "seat": 1, "points": -2, "x_settles": [0, 1]}.items()
    assert scenes(device, revoked) == []


# -- proofs by counting ------------------------------------------------------------------------


def counted(device, players, cards, **hand):
    """Open a recorded one-hand game in which counting proves something; return its page and address."""
    plays = [{"type": "play", "seat": int(each[0]), "cards": [each[2:]]} for each in cards.split()]
    seats = ["Ann", "Bob", "Cy", "Dot"][:players]
    told = {"game": "ace-trump", "seats": seats, "first_dealer": players - 1, "hands": [{"events": plays, **hand}]}
    address = device.bring(told)
    return device.get(address).content.decode(), address


CY = {"known": {"2": ["AL", "AY", "AK", "2WL", "3LY", "4WL", "4YK", "5YK", "6LK", "7WY", "8WL", "8YK"]}}


def test_a_proof_by_counting_shows_its_argument(device):
    page, address = counted(device, 4, "0:XM 1:AS 2:AL 3:AY")
    (said,) = scenes(device, address)
    assert said.startswith("Bob, Cy or Dot didn’t follow suit.")
    assert in_order(said, "Still out", "Bob: no Moons", "Cy: no Moons", "Dot: no Moons", "9 such cards are still out.")
    assert (
        "Ann can hold only 8. So Bob, Cy or Dot had one and didn’t follow. Revoke in trick 1, shown by counting."
        in said
    )
    assert (
        "Only 8 of AM, 2MK, 3MW, 4MS, 5ML, 6MW, 7ML, 8MS and 9MS can be with Ann. By their plays, Bob, Cy and Dot said"
        in said
    )
    assert "The count can’t tell who did it." in said
    assert 'class="agreed"' not in page
    told = GermanPhone().get(address).content.decode()
    assert "ist bei Ann nur 8-mal Platz: Bob, Cy und Dot haben so gespielt" in told


def test_a_single_suspect_can_be_given_a_penalty(device):
    page, address = counted(device, 3, "0:8MS 1:XW 2:2WL", **CY)
    said = text(device.get(address))
    assert "can be with Ann. Bob said" in said
    assert "Bob didn’t follow suit." in said
    assert "The count can’t tell who did it." not in said
    assert 'class="agreed"' in page
    assert settle(device, address, "penalty", points="-2").status_code == 302
    assert (events()[-1]["type"], events()[-1]["seat"], events()[-1]["points"]) == ("penalty", 1, -2)
    told = GermanPhone().get(address).content.decode()
    assert "ist bei Ann nur 11-mal Platz: Bob hat so gespielt" in told


# -- two revokes of one player, and amendments around them -------------------------------------

TWICE = "0:8MS", "1:2WL 2:9MS 2:4MS 0:6MW 1:5YK 0:9LK 1:2MK"
"""Bob denies Moons and Suns twice, with the Origin and the Soldier, and then shows a Moon."""


@pytest.fixture
def twice(device):
    address = device.open_table(plays=TWICE[0])
    device.tap(address, "note", text="The soup is ready.")
    device.taps(address, "play", TWICE[1])
    return address


def raised(device, address):
    """Return the numbers of the first hand's findings that need a decision now."""
    return re.findall(r'<section class="caught" id="finding-0-(\d)-revoke"', device.get(address).content.decode())


def strike(device, address, seq):
    version = Table.objects.get().version
    answer = device.post(f"{address}amend/{seq}/", {"strike": "1", "version": str(version)})
    assert answer.status_code == 302, text(answer)


def test_two_revokes_are_distinguished_and_settled_separately(device, twice):
    assert raised(device, twice) == ["0", "1"]
    assert "Revoke (2)" in text(device.get(twice))
    settle(device, twice, "stand", finding="0-0")
    assert events()[-1]["x_settles"] == [0, 2]
    assert raised(device, twice) == ["1"]
    assert "Revoke (" not in text(device.get(twice))
    settle(device, twice, "penalty", finding="0-1", points="-3")
    assert events()[-1]["x_settles"] == [0, 6]
    assert raised(device, twice) == []


def test_the_next_finding_waits_until_the_first_ruling_has_been_read(device, twice):
    one, other = scenes(device, twice)
    assert ("1 of 2" in one, "2 of 2" in other) == (True, True)
    settle(device, twice, "stand", finding="0-0")
    page = device.get(twice).content.decode()
    told = page[page.index('class="caught settled"') :]
    assert in_order(told, "Let it stand and play on.", "One more to decide", "Bob had a")
    settle(device, twice, "stand", finding="0-1")
    assert 'class="caught' not in device.get(twice).content.decode(), "then the felt says it"


def test_settlements_survive_changes_to_earlier_entries(device, twice):
    settle(device, twice, "stand", finding="0-1")
    assert raised(device, twice) == ["0"]
    strike(device, twice, 2)
    assert raised(device, twice) == ["0"]
    note = record(Table.objects.get())["hands"][0]["events"][-1]
    assert note["x_settles"] == [0, 5], "the record that is taken away names it where it stands now"
    other = {"event": "play", "seat": "1", "cards": "3LY", "version": "11"}
    assert device.post(f"{twice}amend/3/", other).status_code == 302
    assert raised(device, twice) == ["0"]


def test_export_and_import_keep_settlements(device, twice):
    settle(device, twice, "stand", finding="0-0")
    strike(device, twice, 2)
    told = record(Table.objects.get())
    brought = device.bring(told)
    assert record(Table.objects.latest("pk")) == told
    assert raised(device, brought) == ["1"]


def test_a_decision_about_a_deleted_entry_names_nothing(device, twice):
    settle(device, twice, "stand", finding="0-1")
    for _ in range(2):
        device.post(f"{twice}undo/", {})
    assert "x_settles" not in str(record(Table.objects.get()))


def test_one_tap_compensates_losses_beyond_the_tricks_given_up(device):
    address = device.bring(record_of(HARM))
    (scene,) = scenes(device, address)
    assert "Make up the whole loss" in scene
    assert "Cy would have scored 2. Giving up tricks makes it only 1." in scene
    assert settle(device, address, "equity").status_code == 302
    assert [(event["seat"], event["points"]) for event in events()[-3:]] == [(0, -1), (1, 1), (2, 1)]
    assert not scenes(device, address)


# --- Score changes without scripts: a penalty deducts, whatever sign is typed


@pytest.mark.parametrize(
    ("chosen", "points"),
    [
        pytest.param({"points": "5", "points-way": "takes"}, -5, id="deducted"),
        pytest.param({"points": "5", "points-way": "gives"}, 5, id="given"),
        pytest.param({"points-typed": "7", "points-way": "takes"}, -7, id="typed"),
        pytest.param({"points": "", "points-typed": " 12 ", "points-way": "gives"}, 12, id="typed and given"),
        pytest.param({"points": "5", "points-typed": "7", "points-way": "takes"}, -7, id="typed rather than chosen"),
        pytest.param({"points-typed": "-7", "points-way": "takes"}, -7, id="a minus is not a plus"),
        pytest.param({"points": "-7"}, -7, id="as typed"),
    ],
)
def test_a_score_changes_by_the_chosen_or_typed_number(device, chosen, points):
    address = device.open_table(plays="0:8MS")
    assert device.tap(address, "penalty", seat="2", **chosen).status_code == 302
    assert events()[-1] == {"type": "penalty", "seat": 2, "points": points}


@pytest.mark.parametrize("typed", ["", "0", "x", "99999"])
def test_a_penalty_without_a_number_asks_for_one(device, revoked, typed):
    answer = settle(device, revoked, "penalty", **{"points-typed": typed})
    assert answer.status_code == 422
    assert "Choose how many points the penalty takes away." in text(answer)
    assert events()[-1]["type"] == "play"


def test_the_forms_explain_what_a_number_does(device, revoked):
    page = text(device.get(revoked))
    assert "Points taken away" in page
    assert "Record the penalty" in page
    assert "per point: Bob from 0 to −1" in page
    assert "take away give" in page
    german = text(GermanPhone().get(revoked))
    assert "je Punkt: Bob von 0 auf −1" in german


def test_a_correction_form_starts_with_the_recorded_values(device):
    address = device.open_table(plays="0:8MS")
    device.tap(address, "penalty", seat="2", points="7", **{"points-way": "gives"})
    page = device.get(f"{address}amend/2/").content.decode()
    assert '<input type="radio" name="points-way" value="gives" checked>' in page
    assert 'name="points-typed" min="1" max="9999" value="7"' in page
