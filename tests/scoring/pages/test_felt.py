"""What lies on the felt, and what can be unfolded."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Table
from scoring.tables.pages.table import OPEN
from tests.e2e.thumb import whole_hand
from tests.scoring.pages.phones import join, make_link
from tests.scoring.pages.reading import UNFOLDED, text

# --- The felt: each player's cards, who is winning, and why a suit is trump


def played(device, address, plays):
    device.taps(address, "play", plays)
    return device.get(address)


@pytest.fixture
def chicane(device):
    """A table of Wildcat Chicane whose ruling cards are chosen."""
    address = device.open_table("wildcat-chicane")
    device.taps(address, "ruling-card", "0:XM 1:AK 2:XY")
    return address


def round_of_deuce(device, suits="S H C"):
    """Open a table of American Deuce with its suits named; return its address."""
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0)
    device.taps(address, "suit", suits)
    return address


def seats(answer):
    """Return what each seat says, by the name of its player."""
    found = re.findall(r'<li class="seat.*?</li>', answer.content.decode(), re.DOTALL)
    return {seat.split('seat-name">')[1].split("<")[0]: seat for seat in found}


def ahead(answer):
    return [name for name, seat in seats(answer).items() if " ahead" in seat]


def test_the_card_currently_winning_the_trick_is_marked(device):
    address = device.open_table()
    assert ahead(played(device, address, "0:8MS")) == ["Ann"]
    assert ahead(played(device, address, "1:9MS")) == ["Bob"]
    done = played(device, address, "2:2SY")
    assert ahead(done) == ["Bob"]
    assert " took" in seats(done)["Bob"]
    assert ahead(played(device, address, "1:2MK")) == ["Bob"], "of the trick before nothing is left"


def test_an_ace_that_falls_late_puts_another_card_ahead(device):
    address = device.open_table()
    page = played(device, address, "0:8MS 1:5ML 2:AL")
    assert ahead(page) == ["Bob"], "it is the higher trump now"
    assert "is the highest trump. The Ace of Leaves made it trump." in text(page)


def test_the_trump_line_names_its_ace_while_it_holds(device):
    page = text(device.get(device.open_table(plays="0:AS 1:2SY 2:3SK 2:9MS")))
    assert "Trump Suns" in page
    assert "The Ace of Suns made it trump." in page


def test_the_suits_led_are_shown(device):
    assert "Suit led Moons, Suns" in text(device.get(device.open_table(plays="0:8MS")))


def test_a_card_in_a_sentence_is_drawn(device):
    page = device.get(device.open_table(plays="0:8MS 1:9MS 2:2SY")).content.decode()
    assert re.search(r'Pact <span class="card small in-words" role="img" aria-label="\(9 of Moons and Suns\)"', page)


def test_wildcat_chicane_shows_each_players_reading_of_every_card(device, chicane):
    device.taps(chicane, "bid", "0:2 1:2 2:2")
    assert "reads-first" in device.get(chicane).content.decode()
    assert "reads-last" in played(device, chicane, "0:2WL").content.decode()


def test_matching_ransom_cards_are_struck_out_once_all_are_revealed(device):
    address = device.open_table("ransom-trump")
    for seat, card in enumerate(("8YK", "8WL", "3LY")):
        assert "canceled" not in device.get(address).content.decode()
        device.tap(address, "ransom", seat=str(seat), cards=card)
    shown = seats(device.get(address))
    assert [name for name, seat in shown.items() if "canceled" in seat] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("game", "event", "cards"),
    [("ransom-trump", "ransom", "8YK 8WL 3LY"), ("wildcat-chicane", "ruling-card", "XM AW XY")],
)
def test_cards_put_aside_stay_face_down_until_all_are_revealed(device, other, game, event, cards):
    address = device.open_table(game)
    for seat, card in enumerate(cards.split()):
        for phone in (device, other):
            shown = seats(phone.get(address))
            assert ["card-down" in each for each in shown.values()] == [seat > owner for owner in range(3)]
            assert not any("card laid" in each for each in shown.values())
        device.tap(address, event, seat=str(seat), cards=card)
    shown = seats(device.get(address))
    assert all("card laid" in each and "card-down" not in each for each in shown.values())


def test_the_play_to_beat_is_centered_and_passes_are_shown_at_the_seats(device):
    address = round_of_deuce(device)
    device.tap(address, "play", seat="0", cards=["7S", "7H"])
    device.tap(address, "pass", seat="1")
    page = device.get(address)
    assert re.search(r"To beat: Ann.* Pair of sevens", text(page))
    assert ["passed-word" in each for each in seats(page).values()] == [False, True, False, False]


@pytest.mark.parametrize("private", [False, True])
def test_the_big_screen_shows_the_table_address_unless_the_table_is_private(device, private):
    address = device.open_table(**({"private": "1"} if private else {}))
    page = device.get(f"{address}screen/").content.decode()
    assert ("QR code of this table" in page) is not private


@pytest.mark.parametrize(
    ("game", "players", "event", "taps", "said"),
    [
        ("ransom-trump", 3, "", "", "Turn them over together, then tap each one."),
        ("wildcat-chicane", 3, "", "", "Turn them over together, then tap each one."),
        ("american-deuce", 4, "", "", "Ann is the President-Elect: this suit ranks highest."),
        ("american-deuce", 4, "suit", "0:S", "Bob picks the second suit."),
        ("ace-pit", 2, "play", "1:7H 0:6C+8C", "Ann draws a card."),
    ],
)
def test_instructions_for_the_real_cards_appear_when_needed(device, game, players, event, taps, said):
    address = device.open_table(game, ["Ann", "Bob", "Cy", "Dot"][:players], dealer=0)
    assert said not in text(device.get(address)) or not taps
    device.taps(address, event, taps)
    assert said in text(device.get(address))


def test_a_bid_that_can_score_nothing_triggers_a_warning(device, chicane):
    assert "A bid of 0 scores nothing, even if you make it." in text(device.get(chicane))


def test_the_keys_of_american_deuce_run_from_three_to_two_in_the_named_suit_order(device):
    address = round_of_deuce(device, "H C D")
    page = device.get(address).content.decode()
    keys = re.findall(r'name="cards" value="(\w+)" id="play-', page)
    assert (keys[0], keys[12], keys[13], keys[-1]) == ("3H", "2H", "3C", "2S")
    places = re.findall(r'class="suit-place">.*?</svg>\s*<span [^>]*>(\w+): </span>(\w+)<', page, re.DOTALL)
    assert places == [("Hearts", "top"), ("Clubs", "2nd"), ("Diamonds", "3rd"), ("Spades", "low")]
    assert re.search(r'value="single" checked', page)
    device.tap(address, "play", seat="0", cards=["7S", "7H"])
    assert 'value="single"' not in device.get(address).content.decode(), "taps collect, the button plays"


def test_cards_that_beat_nothing_are_marked(device):
    address = round_of_deuce(device)
    device.tap(address, "play", seat="0", cards="KS")
    page = device.get(address).content.decode()
    alone = re.findall(r'class="card weak weak-alone"[^>]*title="(\w+) of', page)
    assert ("Queen" in alone, "King" in alone, len(alone)) == (True, False, 40), "four of a kind would beat it"


def test_everyone_passes_in_one_act_only_if_all_may(device):
    address = round_of_deuce(device)
    assert 'id="do-all-pass"' not in device.get(address).content.decode(), "nothing is to be beaten"
    together = {"event": "pass", "seat": "0", "everybody": "1", "version": "3"}
    assert device.post(f"{address}record/", together).status_code == 412
    device.tap(address, "play", seat="0", cards="7S")
    assert 'id="do-all-pass"' in device.get(address).content.decode()
    headers = {"HX-Request": "true", "Idempotency-Key": str(uuid4())}
    for _retry in range(2):
        answer = device.post(f"{address}record/", together | {"seat": "", "version": "4"}, headers=headers)
        assert (answer.status_code, Table.objects.get().version) == (200, 7)
    assert "Ann leads." in text(answer)
    stale = device.post(f"{address}record/", together | {"version": "4"})
    assert (stale.status_code, Table.objects.get().version) == (412, 7)
    assert device.post(f"{address}undo/", {"version": "7"}).status_code == 302
    assert "Bob beats it or passes." in text(device.get(address))


def test_dropping_a_deuce_preselects_no_king(device):
    address = round_of_deuce(device)
    page = device.get(address).content.decode()
    form = page[page.index('data-event="drop-deuce"') :]
    assert re.findall(r'name="(\w+)" value="\w*" checked', form[: form.index("</form>")]) == ["constipated"]
    device.tap(address, "drop-deuce", king="2", constipated="1", given="", returned="")
    assert "Cy is the Constipated King: no 2 to give." in text(device.get(address))


def test_tricks_won_stand_beside_the_bids(device, chicane):
    device.taps(chicane, "bid", "0:2 1:0 2:1")
    for winner in ("0", "1"):
        device.tap(chicane, "trick", winner=winner)
    made = {name: re.findall(r"<b>(\d)</b><span>/(\d)", seat) for name, seat in seats(device.get(chicane)).items()}
    assert made == {"Ann": [("1", "2")], "Bob": [("1", "0")], "Cy": [("0", "1")]}


def test_a_finished_game_shows_its_winner_in_place_of_the_felt(device):
    """Dot wins; Bob took the last trick, of which nothing remains that could look like a win."""
    page = device.get(device.bring(whole_hand("ace-trump", 4, house_rules=False)))
    assert "Dot wins" in text(page)
    assert seats(page) == {}
    assert 'data-event="play"' not in page.content.decode()


# --- Folds of a table's page are rendered when opened

LOGGED = "Ann plays Diplomat (8 of Moons and Suns)"


@pytest.fixture
def after_a_trick(device):
    return device.open_table(plays="8MS 3MW AM")


def test_a_fold_is_loaded_when_opened(device, after_a_trick):
    page = device.get(after_a_trick).content.decode()
    assert f"<span>{LOGGED}" not in page
    for name in ("log", "tricks"):
        assert f'href="?open={name}#fold-{name}"' in page
        assert f'id="fold-{name}" data-fold="{name}">' in page


def test_without_scripts_a_link_opens_a_fold(device, after_a_trick):
    page = device.get(f"{after_a_trick}?open=log").content.decode()
    assert f"<span>{LOGGED}" in page
    assert 'data-fold="log" open>' in page
    assert 'href="?open=tricks#fold-tricks"' in page


def test_open_folds_are_in_every_answer(device):
    address = device.open_table()
    fields = {"event": "play", "seat": "", "version": "0", "cards": "8MS"}
    answer = device.post(f"{address}record/", fields, headers={"HX-Request": "true", OPEN: "log,nonsense"})
    html = answer.content.decode()
    assert f"<span>{LOGGED}" in html
    fold = html.split('id="fold-log"')[1].split("<summary")[0]
    assert " open>" not in fold, "who closed it meanwhile keeps it closed"


def test_each_spectator_gets_only_the_folds_open_on_their_page(other, after_a_trick):
    """One has the log open, the other does not; the cached rendering of one is not shown to the other."""
    for opened in ("", "log", ""):
        page = other.get(after_a_trick, headers={"HX-Request": "true", OPEN: opened}).content.decode()
        assert (f"<span>{LOGGED}" in page) is bool(opened)


def rows_read(made):
    """Return the queries that read log rows; the last of them finds what undo would remove."""
    return [one for one in made if "scoring_tableevent" in one["sql"] and '"seq" >' in one["sql"]]


def test_a_closed_log_is_not_loaded(device, after_a_trick):
    with CaptureQueriesContext(connection) as folded:
        device.get(after_a_trick)
    with CaptureQueriesContext(connection) as unfolded:
        device.get(after_a_trick + UNFOLDED)
    assert not rows_read(folded)
    assert rows_read(unfolded)


@pytest.fixture
def three_hands(device):
    address = device.open_table()
    for tricks in (["12", "0", "0"], ["0", "12", "0"], ["0", "0", "12"]):
        assert device.tap(address, "result", tricks=tricks).status_code == 302
    return address


def test_earlier_hands_are_read_once(device, three_hands):
    """A tap costs no more with a score sheet of a hundred hands than with one of two."""
    device.get(three_hands)
    with CaptureQueriesContext(connection) as made:
        page = text(device.get(three_hands))
    assert not [one for one in made if '"scoring_handsheet"."sheet"' in one["sql"]]
    assert "Hand 4" in page


def test_a_hand_that_is_corrected_is_read_again(device, three_hands):
    before = rows(device.get(three_hands))
    form = {"event": "result", "tricks": ["0", "0", "12"], "version": "3"}
    assert device.post(f"{three_hands}amend/1/", form).status_code == 302
    after = rows(device.get(three_hands))
    assert before[0] == list(reversed(after[0])) != after[0]
    assert before[1:] == after[1:]


def rows(page):
    """Return the scores of each hand as the sheet shows them."""
    body = page.content.decode().split('class="sheet"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return [[cell.split("</td>")[0] for cell in row.split("<td>")[1:]] for row in body.split("<tr>")[1:]]


# --- Each game at any depth: what a page shows beyond cards and buttons


@pytest.fixture
def deuce(device):
    return round_of_deuce(device)


def test_a_combination_is_named_while_its_cards_are_tapped(device, deuce):
    device.tap(deuce, "play", seat="0", cards=["7S", "7H"])
    seen = text(device.get(f"{deuce}preview/", {"event": "play", "seat": "1", "cards": ["9S", "9H"]}))
    assert seen.split("✓ ")[-1].strip() == "Pair of nines. The pair of nines beats the pair of sevens. Play two nines"
    assert Table.objects.get().version == 4
    assert "✗" in text(device.get(f"{deuce}preview/", {"event": "play", "seat": "1", "cards": ["6S", "6H"]}))


@pytest.mark.parametrize(
    "asked", [{}, {"event": "play"}, {"event": "bid", "tricks": "2"}, {"event": "play", "seat": "x"}]
)
def test_no_notice_is_shown_without_a_reason(device, deuce, asked):
    answer = device.get(f"{deuce}preview/", asked)
    assert (answer.status_code, text(answer).strip() in ("", "Play")) == (200, True)


def test_cards_that_would_claim_a_void_are_marked_but_stay_playable(device):
    address = device.open_table(plays="0:8MS")
    page = device.get(address).content.decode()
    assert "Dashed cards: only if Bob has no Moons and no Suns." in page
    assert page.count('class="card claims"') == 19, "17 of the 36 cards are Moons or Suns"
    assert page.count(' aria-disabled="true">') == 1
    assert device.tap(address, "play", seat="1", cards="2WL").status_code == 302


def test_readings_and_bids_are_shown_beside_the_players(device, chicane):
    device.tap(chicane, "bid", seat="0", tricks="4")
    page = text(device.get(chicane))
    assert [page.count(word) for word in ("Bid 4", "Bid …", "TOP", "BOTTOM")] == [1, 2, 2, 1]
    device.taps(chicane, "bid", "1:3 2:3")
    device.tap(chicane, "play", seat="0", cards="4WL")
    assert '<span class="visually-hidden">Waves</span>' in device.get(chicane).content.decode()


def test_simultaneous_phases_show_who_has_chosen(device):
    address = device.open_table("ransom-trump")
    device.tap(address, "ransom", seat="1", cards="XM")
    page = device.get(address).content.decode()
    assert page.count("has chosen") == 1
    assert 'for="ransom-seat-1"' not in page
    assert 'name="seat" value="1"' not in page.split('data-event="ransom"')[1].split("</form>")[0]


# -- depths -----------------------------------------------------------------------------------


def front(device, address):
    """Return the event of the form in front."""
    return device.get(address).content.decode().split('data-event="')[1].split('"')[0]


def test_the_recording_depth_can_change_during_a_hand(device):
    address = device.open_table()
    assert front(device, address) == "play"
    chosen = device.get(address, {"depth": "trick"})
    assert (chosen.status_code, chosen["Location"]) == (302, address), "the table's own address"
    for _ in range(3):
        assert front(device, address) == "trick"
        device.tap(address, "trick", winner="1")
    device.tap(address, "play", seat="1", cards="8MS")
    assert front(device, address) == "play"
    device.get(address, {"depth": ""})
    assert front(device, address) == "play"
    device.get(address, {"depth": "nonsense"})
    assert device.get(address).status_code == 200


@pytest.mark.parametrize(
    ("game", "more"),
    [
        pytest.param("wildcat-chicane", {}, id="ruling card"),
        pytest.param("ransom-trump", {"option-bidding": "1"}, id="ransom"),
        pytest.param("oh-hell", {}, id="turned card"),
        pytest.param("oh-hell", {"option-bidding": "1"}, id="simultaneous bids"),
    ],
)
def test_a_hand_recorded_by_its_result_begins_with_the_bids(device, game, more):
    address = device.open_table(game, **more)
    assert front(device, address) in ("ruling-card", "ransom", "turn-up")
    assert "Enter the bids first" in text(device.get(address))
    device.get(address, {"depth": "result"})
    dealer = Table.objects.get().first_dealer
    for place in (1, 2, 3):
        assert front(device, address) == "bid"
        device.tap(address, "bid", seat=str((dealer + place) % 3), tricks="1")
    assert front(device, address) == "result"


@pytest.mark.parametrize("depth", ["trick", "result"])
@pytest.mark.parametrize("game", ["ransom-trump", "wildcat-chicane", "oh-hell", "american-deuce"])
def test_summary_recording_hides_card_instructions(device, game, depth):
    address = device.open_table(game, ["Ann", "Bob", "Cy", "Dee"])
    for chosen, told in (("", True), (depth, game == "american-deuce" and depth == "trick")):  # it has no such depth
        device.get(address, {"depth": chosen})
        felt = device.get(address).content.decode().partition('class="felt-foot"')[2].partition("</div>")[0]
        assert "deals" in felt
        assert ("<strong>" in felt) is told, felt


@pytest.mark.parametrize("depth", ["trick", "result"])
def test_a_finished_game_offers_no_other_depth(device, depth):
    address = device.open_table(**{"end": "hands", "end-hands": "1"})
    device.get(address, {"depth": depth})
    assert "Go back to recording cards" in text(device.get(address))
    device.tap(address, "result", **{"tricks-0": "4", "tricks-1": "4", "tricks-2": "4"})
    assert "Go back to recording cards" not in text(device.get(address))


def test_a_players_phone_cannot_skip_what_others_choose(device):
    address = device.open_table("wildcat-chicane")
    phone = join(make_link(device, address, "player:0"))
    assert "Ruling card" in text(phone.get(address))
    assert "Enter the bids first" not in text(phone.get(address))


def test_the_player_who_went_out_is_inferred(device, deuce):
    page = text(device.get(deuce))
    assert "Cards left" in page
    assert "Leave one blank and we’ll fill in 0." in page
    given = {"cards_left-0": "4", "cards_left-1": "", "cards_left-2": "6", "cards_left-3": "1"}
    assert device.tap(deuce, "result", **given).status_code == 302
    assert Table.objects.get().log.get(seq=4).event["cards_left"] == [4, 0, 6, 1]


def test_the_last_number_of_a_result_is_implied(device):
    address = device.open_table()
    assert "12 in all. Leave one blank and we’ll fill it in." in text(device.get(address))
    answer = device.tap(address, "result", **{"tricks-0": "3", "tricks-1": "", "tricks-2": "5"})
    assert answer.status_code == 302
    assert Table.objects.get().log.get().event["tricks"] == [3, 4, 5]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (("3", "", ""), ""),
        (("7", "8", ""), "these numbers add up to 15"),
        (("3", "4", "6"), "these numbers add up to 13"),
        (("x", "4", ""), ""),
    ],
)
def test_an_impossible_result_is_refused(device, numbers, said):
    address = device.open_table()
    given = {f"tricks-{seat}": number for seat, number in enumerate(numbers)}
    refused = device.tap(address, "result", **given)
    assert (refused.status_code, said in text(refused)) == (422, True)
    assert Table.objects.get().version == 0
