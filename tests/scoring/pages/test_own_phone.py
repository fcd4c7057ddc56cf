"""A player's own phone: its seat, its turn, its secret choices."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import Device as StoredDevice
from scoring.models import Link, Role, SecretChoice, Table
from tests.scoring.conftest import holder
from tests.scoring.pages.phones import code_of, join, make_link
from tests.scoring.pages.reading import PAD, UNFOLDED, tells, text

# --- A player's own phone: its seat comes first, and hidden things are shown to no one else

CHOICES = {
    "ransom-trump": ("ransom", "XM", "2MK", "Huntress"),
    "wildcat-chicane": ("ruling-card", "XM", "AM", "Huntress"),
}


def shown(client, address):
    """Return a page without the cards that can be tapped."""
    return PAD.sub("", client.get(address + UNFOLDED).content.decode())


def phones_of(device, address, seats=3):
    return [join(make_link(device, address, f"player:{seat}")) for seat in range(seats)]


class Round:
    """Three phones before a secret choice, and everyone else who could look."""

    def __init__(self, device, game):
        self.event, self.card, self.other_card, self.name = CHOICES[game]
        self.device = device
        self.address = device.open_table(game)
        self.phones = self.ann, self.bob, self.cy = phones_of(device, self.address)

    def choose(self, phone, seat, card):
        return phone.tap(self.address, self.event, seat=str(seat), cards=card)

    def everybody_else(self):
        """Return everyone not on Ann's phone: others, and her own seat through another link."""
        make = (make_link(self.device, self.address, whom) for whom in ("player:0", "scorekeeper", "spectator"))
        return [self.bob, self.cy, self.device, Client(), *(join(url) for url in make)]

    def places(self):
        """Return every address that shows something of the table."""
        api = f"/api/v1/tables/{code_of(self.address)}/"
        pages = [self.address + part for part in ("", "screen/", "log/", "share/", "continue/", "amend/")]
        records = [f"{api}record/?as={kind}" for kind in ("json", "text&annotate=1", "csv", "csv&part=scores")]
        files = [f"{self.address}export/{shape}/" for shape in ("json", "text", "events", "scores")]
        return [*pages, *files, api, f"{api}events/", f"{api}links/", *records]


@pytest.fixture(params=CHOICES)
def at(request, device):
    return Round(device, request.param)


# -- the own hidden card ----------------------------------------------------------------------


def test_players_can_look_at_their_own_choice(at):
    at.choose(at.ann, 0, at.card)
    own = shown(at.ann, at.address)
    assert "Show your choice" in own
    assert '<details class="peek" id="peek">' in own, "it lies face down until then"
    assert at.name in own.split('id="own-choice"')[1].split("</details>")[0]


@pytest.mark.parametrize("whom", ["player:0", "player:1", "scorekeeper", "spectator"])
def test_the_phone_that_chose_still_shows_the_choice_after_a_new_link(at, whom):
    at.choose(at.ann, 0, at.card)
    at.ann.open_link(make_link(at.device, at.address, whom))
    assert at.name in shown(at.ann, at.address).split('id="own-choice"')[1].split("</details>")[0]
    assert "own-choice" not in shown(at.bob, at.address)


def test_a_phone_that_forgot_the_table_no_longer_shows_the_choice(at):
    at.choose(at.ann, 0, at.card)
    at.ann.post(f"{at.address}forget/")
    at.ann.open_link(make_link(at.device, at.address, "player:0"))
    own = shown(at.ann, at.address)
    assert "You have chosen." in own
    assert "own-choice" not in own


def test_a_shared_phone_does_not_show_choices_made_on_it(at):
    SecretChoice.objects.create(
        table=Table.objects.get(),
        hand=0,
        seat=2,
        device=StoredDevice.objects.get(tables__link__role=Role.SCOREKEEPER),
        by=Role.SCOREKEEPER,
        event={"type": at.event, "seat": 2, "cards": [at.card]},
    )
    Table.objects.update(choosing={"chosen": [2], "again": []})
    assert "own-choice" not in shown(at.device, at.address)


def test_strangers_cannot_see_a_secret_choice_anywhere(at):
    at.choose(at.ann, 0, at.card)
    for someone in at.everybody_else():
        for place in at.places():
            said = shown(someone, place)
            assert at.name not in said, place
            assert not tells(said, at.card), place
            assert "own-choice" not in said, place


def test_answers_to_other_phones_do_not_reveal_a_choice(at):
    at.choose(at.ann, 0, at.card)
    answer = at.bob.tap(at.address, at.event, htmx=True, seat="1", cards=at.other_card)
    assert at.name not in PAD.sub("", answer.content.decode())


def test_a_revoked_link_no_longer_shows_the_choice(at):
    at.choose(at.ann, 0, at.card)
    Link.objects.filter(seat=0).update(revoked="2026-01-01T00:00Z")
    assert "own-choice" not in shown(at.ann, at.address)


def test_a_choice_entered_by_the_scorekeeper_is_not_shown_on_the_seats_phone(at):
    own = Link.objects.filter(role=Role.PLAYER, seat=0)
    own.update(revoked=timezone.now())
    keeper = holder(make_link(at.device, at.address, "scorekeeper").split("#")[1])
    event = {"type": at.event, "seat": 0, "cards": [at.card], "sealed": True}
    assert keeper.post(f"/api/v1/tables/{code_of(at.address)}/events/", event).status_code == 201
    own.update(revoked=None)
    assert "You have chosen." in text(at.ann.get(at.address))
    assert "own-choice" not in shown(at.ann, at.address)


def test_an_undone_choice_is_gone(at):
    at.device.tap(at.address, at.event, seat="2", cards=at.other_card)
    at.choose(at.ann, 0, at.card)
    at.device.post(f"{at.address}undo/")
    assert "own-choice" not in shown(at.ann, at.address)
    assert "You have chosen" not in text(at.ann.get(at.address))


# -- the own seat, and whose turn it is -------------------------------------------------------


def seats(client, address):
    """Return the seats in the order the page shows them."""
    return re.findall(
        r'<li class="(seat[^"]*)">\s*<(?:div|label|button) class="plate[^>]*>\s*<span class="seat-name">(\w+)<',
        client.get(address).content.decode(),
    )


def test_your_seat_is_first_and_the_others_follow_clockwise(device):
    address = device.open_table()
    ann, bob, cy = phones_of(device, address)
    assert [[name for _, name in seats(phone, address)] for phone in (ann, bob, cy, device)] == [
        ["Ann", "Bob", "Cy"],
        ["Bob", "Cy", "Ann"],
        ["Cy", "Ann", "Bob"],
        ["Ann", "Bob", "Cy"],
    ]
    assert "mine" in seats(bob, address)[0][0]
    assert not any("mine" in marks for marks, _ in [*seats(device, address), *seats(bob, address)[1:]])


def test_a_phone_announces_your_turn(device):
    address = device.open_table()
    ann, bob, _cy = phones_of(device, address)
    page = ann.get(address).content.decode()
    assert '<p class="status yours">You lead.' in page
    assert re.search(r'id="announce"[^>]*>You lead.<', page)
    for other in (device, bob):
        page = text(other.get(address))
        assert ("Ann leads." in page, "You lead" in page) == (True, False)
    answer = ann.tap(address, "play", htmx=True, seat="0", cards="8MS").content.decode()
    assert "You follow" not in answer
    assert re.search(r'id="announce"[^>]*>You follow Moons or Suns.<', bob.get(address).content.decode())


def test_the_fragment_announces_your_turn_too(device):
    address = device.open_table()
    _ann, bob, _cy = phones_of(device, address)
    device.tap(address, "play", seat="0", cards="8MS")
    fragment = bob.get(address, headers={"HX-Request": "true"}).content.decode()
    assert re.search(r'id="announce" hx-swap-oob="innerHTML">You follow Moons or Suns.<', fragment)


def test_a_players_phone_names_their_reading_and_trump(device):
    address = device.open_table("wildcat-chicane")
    _ann, bob, cy = phones_of(device, address)
    device.taps(address, "ruling-card", "0:XM 1:AK 2:XY")
    for phone, reading, trump in ((bob, "BOTTOM", "Knots"), (cy, "TOP", "Wyrms")):
        page = text(phone.get(address))
        assert reading in page.split("You ")[1]
        assert re.findall(r"Your trump (\w+)", page) == [trump]
    assert "Your trump" not in text(device.get(address))


def test_every_players_own_title_is_shown_to_them(device):
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0)
    phones = phones_of(device, address, seats=4)
    device.taps(address, "suit", "0:S 1:H 2:C")
    device.tap(address, "result", cards_left=["0", "3", "5", "7"])
    titles = [re.search(r"You (?:▸ )?(?:D )?own phone connected (\w+)", text(phone.get(address))) for phone in phones]
    assert len({found[1] for found in titles if found}) == 4, [text(phone.get(address))[:900] for phone in phones]


# --- Whose turn it is and what is asked: on the felt, and beside the form in front

NAMES = ["Anna", "Ben", "Clara", "Dominik"]


def lit(page):
    """Return the players marked as being in turn."""
    return re.findall(r'<li class="seat [^"]*\bacting\b.*?seat-name[^>]*>([^<]*)<', page.content.decode(), re.DOTALL)


def status(page):
    found = re.findall(r'<p class="status[^>]*>(.*?)</p>', page.content.decode(), re.DOTALL)
    return " ".join(found[0].split())


@pytest.fixture
def chicane(device):
    address = device.open_table("wildcat-chicane", NAMES, dealer=3)
    device.get(f"{address}?depth=result")
    return address


def test_a_bid_before_the_ruling_cards_names_whose_turn_it_is(device, chicane):
    page = device.get(chicane)
    assert (status(page), lit(page)) == ("Anna bids: how many tricks?", ["Anna"])
    assert 'role="radiogroup" aria-label="Anna bids: how many tricks?"' in page.content.decode()
    device.tap(chicane, "bid", seat="0", tricks="2")
    page = device.get(chicane)
    assert "Ben bids: how many tricks?" in text(page)
    assert lit(page) == ["Ben"]


def test_the_result_of_a_hand_is_shown_beside_the_bids(device, chicane):
    device.taps(chicane, "bid", "0:2 1:1 2:0 3:4")
    page = device.get(chicane)
    assert re.findall(r'bid-made">(bid \d)<', page.content.decode())[:4] == ["bid 2", "bid 1", "bid 0", "bid 4"]
    assert (status(page), lit(page)) == ("How many tricks did each player take?", [])


def test_recording_every_card_asks_for_ruling_cards(device):
    address = device.open_table("wildcat-chicane", NAMES, dealer=3)
    page = device.get(address)
    assert lit(page) == NAMES
    assert "Anna bids: how many tricks?" in text(page), "in the fold below"


def test_the_suit_order_disappears_with_its_round(device):
    address = device.open_table("american-deuce", NAMES, dealer=0)
    device.taps(address, "suit", "0:S 1:H 2:C")
    assert "Suits from high to low" in text(device.get(address))
    device.tap(address, "result", cards_left=["3", "0", "8", "2"])
    page = text(device.get(address))
    assert all(words in page for words in ("President-Elect", "Ben picks the top suit."))
    assert "Suits from high to low" not in page


def test_ending_a_game_after_a_hand_previews_the_result(device, other):
    address = device.open_table(names=["Anna", "Ben", "Clara"])
    device.tap(address, "result", tricks=["5", "5", "2"])
    assert "Anna and Ben tie with 5." in text(device.get(address))
    assert 'id="end-game"' not in other.get(address).content.decode()
    device.tap(address, "end")
    assert 'id="end-game"' not in device.get(address).content.decode()
    counted = device.open_table(names=["Anna", "Ben", "Clara"], **{"end": "hands", "end-hands": "3"})
    device.tap(counted, "result", tricks=["4", "3", "5"])
    assert "The game ends early. Clara wins with 5." in text(device.get(counted))


def test_dealing_without_names_reports_what_is_missing(device):
    answer = device.post("/new/ace-trump/", {"name": ["", "", ""], "dealer": "0", "end": "open"})
    assert answer.status_code == 422
    assert ("Add at least 2 players first." in text(answer), "That seat is empty" in text(answer)) == (True, False)


def test_a_long_reason_does_not_hide_the_recorded_event(device):
    address = device.open_table(names=["Anna", "Ben", "Clara"], plays="0:8MS 1:2MK 2:3MW")
    why = "Ben didn’t follow suit with the Ace of Knots, but now shows the Soldier"
    device.tap(address, "penalty", seat="1", points="5", reason=why, **{"points-way": "takes"})
    page = text(device.get(address))
    assert "Recorded: Ben: −5 points" in page
    assert "shows the Soldier" not in page.partition("Score sheet")[0], "the log has it whole"


# --- Secret choices on the players' own phones


@pytest.fixture
def ransom(device):
    return Round(device, "ransom-trump")


def test_choices_are_secret_until_all_have_chosen(ransom):
    device, address, (ann, bob, _cy) = ransom.device, ransom.address, ransom.phones
    hidden = "It stays hidden until everyone has chosen"
    assert hidden in text(ann.get(address))
    assert ransom.choose(ann, 0, "2MK").status_code == 302
    assert all(words in text(ann.get(address)) for words in (f"You have chosen. {hidden}.", "Change your choice"))
    for watcher in (device, bob):
        page = text(watcher.get(address))
        assert ("Chosen so far: Ann" in page, "You have chosen" in page) == (True, False)
        assert "Ann has chosen" in text(watcher.get(address + UNFOLDED))
    assert "Bob and Cy each put a ransom card face down." in text(device.get(address))
    assert "Put a ransom card face down." in text(bob.get(address))
    for seat, card in enumerate(("XW", "9WY", "XM")):
        ransom.choose(ransom.phones[seat], seat, card)
    log = text(device.get(f"{address}log/"))
    assert "Ann offers" in log
    assert log.count("has chosen") == 3
    assert "Chosen so far" not in text(device.get(address))


def test_duplicate_choices_make_everyone_choose_again(ransom):
    for seat, card in enumerate(("2MK", "XM", "XM")):
        ransom.choose(ransom.phones[seat], seat, card)
    for phone in (ransom.device, *ransom.phones):
        assert "These choices clash: everyone chooses again." in text(phone.get(ransom.address))
    assert "These choices clash: everyone chooses again" in text(ransom.device.get(f"{ransom.address}log/"))


def test_the_fragment_that_answers_a_tap_hides_the_choice(ransom):
    answer = ransom.ann.tap(ransom.address, "ransom", htmx=True, seat="0", cards="2MK")
    shown = PAD.sub("", answer.content.decode())
    shown, folds = re.subn(r'<details class="peek" id="peek">.*?</details>', "", shown, flags=re.DOTALL)
    assert folds == 1
    assert not tells(shown, "2MK")
    assert not tells(shown, "Author")


def test_one_phone_enters_the_remaining_secret_choices(ransom):
    device, address = ransom.device, ransom.address
    ransom.choose(ransom.ann, 0, "2MK")
    page = device.get(address).content.decode()
    assert 'for="ransom-seat-0"' not in page
    assert re.search(r'name="seat" value="1"[^>]* checked', page)
    device.taps(address, "ransom", "XM 9WY")
    log = text(device.get(f"{address}log/"))
    assert all(offer in log for offer in ("Ann offers Author", "Bob offers Huntress", "Cy offers Darkness"))
