"""A table's house rules, and what they hide."""

import re
from html import unescape

import pytest

from scoring.models import Role, Table, TableEvent
from tests.scoring.pages.german import GermanPhone
from tests.scoring.pages.phones import joined, row_of
from tests.scoring.pages.reading import UNFOLDED, text

# --- Changing house rules between two hands, on the page of the table (REC-23)

RESULT = {"tricks": ["5", "4", "3"]}


@pytest.fixture
def address(device):
    opened = device.open_table(names=["Ann", "Bob", "Cy"])
    device.tap(opened, "result", **RESULT)
    return opened


def version(address):
    return row_of(address).version


def agree(device, address, **fields):
    """Submit the form as the page has it, with these fields chosen."""
    body = {"version": version(address)} | {f"option-{key}": value for key, value in fields.items()}
    return device.post(f"{address}rules/", body)


def shown(device, address):
    return text(device.get(address))


def test_a_rule_change_applies_from_the_next_hand(device, address):
    page = text(device.get(f"{address}rules/"))
    assert all(words in page for words in ("From hand 2 on We play Ace Trump", "Keep the rules"))
    assert agree(device, address, ties="1").status_code == 302
    assert TableEvent.objects.get(seq=2).event == {"type": "rules", "options": {"ties": "early"}}


def test_every_phone_learns_of_a_rule_change_and_sees_the_rules_of_each_hand(device, other, address):
    agree(device, address, ties="1")
    assert "New house rules from the next hand on" in shown(other, address)
    device.tap(address, "result", **RESULT)
    looked = shown(other, address)
    assert "New house rules" not in looked
    assert all(words in looked for words in ("since hand 2", "New:")), "the score sheet says where they began"
    assert "House rules from the next hand" in shown(other, f"{address}log/")
    assert "What the table decided House rules from the next hand" in shown(other, f"{address}hands/1/")
    assert "House rules of this hand" in shown(other, f"{address}hands/2/")
    assert "House rules of this hand" not in shown(other, f"{address}hands/1/")


def preview(device, address, **chosen):
    """Return the form after a choice in it."""
    body = {"version": version(address), "was": "", **chosen}
    return device.post(f"{address}rules/", body, headers={"HX-Request": "true"}).content.decode()


def test_dependent_options_are_adjusted_and_previewed(device, address):
    drawn = preview(device, address, look="1", **{"option-trump": "2"})
    assert "Agreed: from hand 2 on" in unescape(drawn)
    assert re.search(r'name="option-fixed_trump"\s+value="1" checked', drawn)
    agree(device, address, trump="2")
    assert TableEvent.objects.get(seq=2).event["options"] == {"trump": "fixed", "fixed_trump": "M"}


def test_choosing_a_named_rule_set_sets_all_its_rules(device, address):
    assert "New:" in preview(device, address, preset="1")


def test_an_unchanged_rule_form_records_nothing(device, address):
    assert agree(device, address).status_code == 302
    assert version(address) == 1


def test_the_page_says_who_may_change_rules_and_when(device, other, address):
    assert "The scorekeeper records" in text(other.get(f"{address}rules/"))
    assert agree(other, address, ties="1").status_code == 403
    device.tap(address, "play", seat="1", cards="8MS")
    assert "between two hands" in text(device.get(f"{address}rules/"))
    assert agree(device, address, ties="1").status_code == 422
    assert version(address) == 2


def test_an_outdated_form_records_nothing(device, address):
    assert device.post(f"{address}rules/", {"version": 0, "option-ties": "1"}).status_code == 412
    assert version(address) == 1


def test_cards_removed_from_the_pack_keep_their_faces(device, address):
    agree(device, address, excuse="1")
    device.taps(address, "play", "1:E 2:AM 0:AS")
    device.tap(address, "result", **RESULT)
    agree(device, address)
    assert version(address) == 7
    assert "Excuse" in shown(device, f"{address}hands/2/")


# --- A table that hides its points until the game is over (AP-18): each device's pages

NUMBERS = ("235", "345", "95", "380", "145")
PAGES = ("", UNFOLDED, "screen/", "log/", "share/", "hands/1/", "hands/2/?trick=1")


@pytest.fixture
def hiding(device):
    """A hand recorded by result, and two tricks of the next one, at a table of two hands that hides its points."""
    house = {"option-totals": "1", "end": "hands", "end-hands": "2"}
    address = device.open_table("ace-pit", ("Ann", "Bob"), 1, **house)
    assert Table.objects.get().options["totals"] == "hidden"
    device.tap(address, "result", points=["235", "345"])
    device.taps(address, "play", "1:8H 0:7H+9H 0:AD 1:2C")
    return address


def said_on(phone, address) -> str:
    page = phone.get(address)
    assert page.status_code == 200, address
    # A form contains other numbers: the possible values.
    html = re.sub(r"<form\b.*?</form>", "", page.content.decode(), flags=re.DOTALL)
    told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))
    return unescape(told) + " ".join(re.findall(r'(?:aria-label|title)="([^"]*)"', html))


def leaks(said: str) -> list[str]:
    return [number for number in NUMBERS if re.search(rf"(?<![\w.:-]){number}(?![\w:-])", said)]


@pytest.mark.parametrize("role", ["scorekeeper", "player", "spectator", "stranger"])
def test_no_page_shows_hidden_points_by_default(device, other, hiding, role):
    seat = 1 if role == "player" else None
    phone = {"scorekeeper": device, "stranger": other}.get(role) or joined(hiding, role, seat)
    for tail in PAGES:
        assert leaks(said_on(phone, hiding + tail)) == [], tail


def test_tricks_and_winners_are_shown(device, hiding):
    said = said_on(device, hiding)
    assert "Trick 2: Ann." in said
    assert "The 2 of clubs doesn’t beat the ace of diamonds: Ann wins." in said
    assert "Points are hidden until the game is over." in said
    assert not [word for word in ("Score curve", "Total") if word in said]
    assert "Ann wins with Spoon, Pin and Flush." in said_on(device, f"{hiding}hands/2/?trick=1")
    for part in ("log/", "amend/?hand=1"):
        assert "Just the result of the hand" in said_on(device, f"{hiding}{part}")


def test_the_scorekeeper_can_ask_for_the_points(device, other, hiding):
    assert "Show the points" in said_on(device, hiding)
    said = said_on(device, f"{hiding}points/")
    assert {"235", "345", "380", "145"} <= set(re.findall(r"\d+", said))
    assert "Ann +95" in said
    assert leaks(said_on(device, hiding)) == []
    for phone in (other, joined(hiding, Role.PLAYER, 1), joined(hiding, Role.SPECTATOR)):
        assert "Show the points" not in said_on(phone, hiding)
        answer = phone.get(f"{hiding}points/")
        assert (answer.status_code, answer["Location"]) == (302, hiding)


def test_a_preview_without_points_names_the_combination(device, hiding):
    device.tap(hiding, "play", seat="0", cards="8S")
    asked = {"event": "play", "seat": "1", "cards": ["8D", "8C"]}
    seen = text(device.get(f"{hiding}preview/", asked))
    assert "Bob wins with Even Stevens and Double Fork." in seen
    assert not re.search(r"\d+ points", seen)


def test_the_front_page_and_a_continued_table_hide_totals(device, hiding):
    home = said_on(device, "/")
    assert all(words in home for words in ("Ace Pit Hand 2", "A Ann B Bob"))
    assert leaks(home) == []
    device.tap(hiding, "redeal")
    assert leaks(said_on(device, f"{hiding}continue/")) == []


def test_a_correction_reveals_no_points(device, hiding):
    device.tap(hiding, "result", points=["185", "100"])
    assert "380" not in said_on(device, f"{hiding}amend/")
    another = device.open_table("ace-pit", ("Ann", "Bob"), 1, plays="0:8H 1:7H+9H", **{"option-totals": "1"})
    said = text(device.get(f"{another}amend/2/", {"event": "play", "seat": "1", "cards": ["7H", "10H"]}))
    assert "Points are hidden until the game is over." in said
    assert not [points for points in ("95", "80") if points in said]


def test_everything_is_shown_when_the_game_is_over(device, other, hiding):
    device.tap(hiding, "result", points=["185", "100"])
    for phone in (device, other):
        said = said_on(phone, hiding)
        assert {"235", "345", "420", "445"} <= set(re.findall(r"\d+", said))
        assert "hidden" not in said
    answer = device.get(f"{hiding}points/")
    assert (answer.status_code, answer["Location"]) == (302, hiding)


def test_pages_that_hide_points_are_in_german(device, hiding):
    said = said_on(GermanPhone(), hiding)
    assert "Die Punkte bleiben verdeckt, bis das Spiel zu Ende ist." in said
    assert leaks(said) == []
