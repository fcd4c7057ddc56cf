"""The statistics of a group as pages: every number in a table, every picture with its numbers, what is chosen kept."""

import re

import pytest

from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
END = {"type": "end"}


def bids(*tricks):
    return [{"type": "bid", "seat": seat, "tricks": tricks[seat]} for seat in (0, 1, 2)]


@pytest.fixture
def group(device):
    """A group of three that has played two games of Ace Trump with bids, on this device."""
    group = make_group()
    for made in ([6, 4, 2], [2, 4, 6]):
        table = group.open_table(options={"bidding": True})
        table.record(*bids(6, 4, 3), {"type": "result", "tricks": made}, END)
    assert device.post(f"/g/{group.code}/join/", {"token": group.token}).status_code == 302
    return group


def text(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def page(device, group, part="", status=200):
    answer = device.get(f"/g/{group.code}/statistics/{part}")
    assert answer.status_code == status
    return answer.content.decode()


def test_it_works(device, group):
    shown = text(page(device, group))
    assert "Who has made what" in shown
    assert "Ann – Cy" in shown
    assert "1 of 2" in shown


def test_what_is_chosen_goes_along_from_page_to_page(device, group):
    shown = page(device, group, "?game=ace-trump&first=2020-01-01&last=2999-12-31")
    assert 'href="/g/' in shown
    assert "ratings/?game=ace-trump&amp;first=2020-01-01&amp;last=2999-12-31" in shown
    assert "From Jan 1, 2020 to Dec 31, 2999" in text(shown)
    assert "No table is over yet" in text(page(device, group, "?first=2999-01-01"))
    assert "Who has made what" in text(page(device, group, "?first=yesterday&game=chess"))


def test_ratings_are_drawn_with_their_numbers(device, group):
    shown = page(device, group, "ratings/")
    assert shown.count('class="curve-line"') == 3
    assert re.findall(r'<th scope="row">(\d)</th>', shown) == ["0", "1", "2"]
    assert "No table is over yet" in page(device, group, "ratings/?game=ace-pit")


def test_points_and_bids_are_drawn_with_their_numbers(device, group):
    shown = page(device, group, "hands/")
    assert "Points a hand at Ace Trump" in shown
    assert "this is the one you play most: Ace Trump" in text(shown)
    assert shown.count('class="chart-bar"') > 1
    assert shown.count('class="chart-disc made"') == 2
    assert "the one you play most" not in text(page(device, group, "hands/?game=ace-trump"))


def test_somebody_has_a_page_with_everything(device, group):
    people = group.people()
    shown = text(page(device, group, f"people/{people['Ann']}/"))
    for each in ("At every game", "Best hand", "1 game won in a row", "All tables", "Bob", "How the rating came"):
        assert each in shown
    assert "Partners" not in shown
    assert page(device, group, "people/999999/", status=404)


def test_partners_have_played_together(device, group):
    names = ["Ann", "Bob", "Cy", "Zoe"]
    table = group.open_table(seats=names, options={"partners": True})
    table.record({"type": "result", "tricks": [4, 1, 3, 1]}, END)
    people = group.people()
    assert "Together with" in text(page(device, group, f"people/{people['Ann']}/"))
    pair = text(page(device, group, f"people/{people['Ann']}/with/{people['Cy']}/"))
    assert "As partners" in pair
    assert "As time went by" in pair


def test_two_who_never_met_are_told_so(device, group):
    made = group.member.post(f"{group.url}people/", {"name": "Dan"}).json()["id"]
    ann = group.people()["Ann"]
    assert "at no table together" in page(device, group, f"people/{ann}/with/{made}/")
    assert page(device, group, f"people/{ann}/with/{ann}/", status=404)
    assert "no table that counts" in page(device, group, f"people/{made}/")


def test_a_stranger_learns_nothing(other, group):
    for part in ("", "ratings/", "hands/", "people/1/", "people/1/with/2/"):
        assert other.get(f"/g/{group.code}/statistics/{part}").status_code == 404


def test_what_was_played_is_taken_away_as_it_was_chosen(device, other, group):
    shown = page(device, group, "?game=ace-trump")
    assert f"/g/{group.code}/export/history/?game=ace-trump" in shown
    answer = device.get(f"/g/{group.code}/export/history/?game=ace-trump")
    assert answer["Content-Disposition"].endswith('-history.csv"')
    assert answer.content.decode().count("Ann") == 2
    assert device.get(f"/g/{group.code}/export/history/?game=ace-pit").content.decode().count("Ann") == 0
    assert device.get(f"/g/{group.code}/export/pdf/").status_code == 404
    assert other.get(f"/g/{group.code}/export/text/").status_code == 404


def test_a_game_that_is_over_goes_to_paper_and_to_bg_stats(device, group):
    table = group.open_table()
    table.record({"type": "result", "tricks": [6, 4, 2]})
    assert "bgstatsapp" not in device.get(f"/t/{table.code}/").content.decode()
    table.record(END)
    shown = device.get(f"/t/{table.code}/").content.decode()
    assert 'href="https://app.bgstatsapp.com/createPlay.html?data=%7B' in shown
    assert f"/t/{table.code}/print/" in shown
    paper = text(device.get(f"/t/{table.code}/print/").content.decode())
    assert "Total 6 4 2" in paper
