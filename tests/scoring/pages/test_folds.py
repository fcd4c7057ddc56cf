"""What lies folded on a table's page is put together when somebody opens it."""

from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.pages.views.table import OPEN
from tests.scoring.pages.reading import UNFOLDED, text

LOGGED = "Ann plays Diplomat (8 of Moons and Suns)"
TRICK = ("8MS", "3MW", "AM")


@contextmanager
def statements():
    with CaptureQueriesContext(connection) as made:
        yield made


def a_table_after_a_trick(device):
    address = device.open_table()
    for card in TRICK:
        assert device.tap(address, "play", seat="", cards=card).status_code == 302
    return address


def test_it_is_not_there_until_it_is_opened(device):
    address = a_table_after_a_trick(device)
    page = device.get(address).content.decode()
    assert f"<span>{LOGGED}" not in page
    for name in ("log", "tricks"):
        assert f'href="?open={name}#fold-{name}"' in page
        assert f'id="fold-{name}" data-fold="{name}">' in page


def test_without_scripts_a_link_opens_one(device):
    address = a_table_after_a_trick(device)
    page = device.get(f"{address}?open=log").content.decode()
    assert f"<span>{LOGGED}" in page
    assert 'data-fold="log" open>' in page
    assert 'href="?open=tricks#fold-tricks"' in page


def test_what_is_open_comes_with_every_answer_and_stays_as_it_is(device):
    address = device.open_table()
    fields = {"event": "play", "seat": "", "version": "0", "cards": "8MS"}
    answer = device.post(f"{address}record/", fields, headers={"HX-Request": "true", OPEN: "log,nonsense"})
    html = answer.content.decode()
    assert f"<span>{LOGGED}" in html
    assert " open>" not in html.split('id="fold-log"')[1].split("<summary")[0], (
        "who closed it meanwhile keeps it closed"
    )


def test_who_looks_on_gets_what_is_open_there(device, other):
    """One has the log open, the other has not; what was drawn for one is not shown to the other."""
    address = a_table_after_a_trick(device)
    htmx = {"HX-Request": "true"}
    assert f"<span>{LOGGED}" not in other.get(address, headers=htmx).content.decode()
    assert f"<span>{LOGGED}" in other.get(address, headers=htmx | {OPEN: "log"}).content.decode()
    assert f"<span>{LOGGED}" not in other.get(address, headers=htmx).content.decode()


def rows_read(made):
    """Return the statements that read rows of the log; its last one tells what an undo would take back."""
    return [one for one in made if "scoring_tableevent" in one["sql"] and '"seq" >' in one["sql"]]


def test_a_folded_log_is_not_read(device):
    address = a_table_after_a_trick(device)
    with statements() as folded:
        device.get(address)
    with statements() as unfolded:
        device.get(address + UNFOLDED)
    assert not rows_read(folded)
    assert rows_read(unfolded)


def test_hands_that_were_left_are_read_once(device):
    """A score sheet of a hundred hands costs a tap no more than one of two."""
    address = device.open_table()
    for winner in (0, 1, 2, 0):
        tricks = ["0"] * 3
        tricks[winner] = "12"
        assert device.tap(address, "result", tricks=tricks).status_code == 302
    device.get(address)
    with statements() as made:
        page = text(device.get(address))
    assert not [one for one in made if '"scoring_handsheet"."sheet"' in one["sql"]]
    assert "Hand 5" in page


def test_a_hand_that_is_corrected_is_read_again(device):
    """The totals of the sheet follow an amendment of a hand that was left long ago."""
    address = device.open_table()
    for tricks in (["12", "0", "0"], ["0", "12", "0"], ["0", "0", "12"]):
        assert device.tap(address, "result", tricks=tricks).status_code == 302
    before = rows(device.get(address))
    form = {"event": "result", "tricks": ["0", "0", "12"], "version": "3"}
    assert device.post(f"{address}amend/1/", form).status_code == 302
    after = rows(device.get(address))
    assert before[0] == list(reversed(after[0])) != after[0]
    assert before[1:] == after[1:]


def rows(page):
    """Return the scores of each hand as the sheet shows them."""
    body = page.content.decode().split('class="sheet"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return [[cell.split("</td>")[0] for cell in row.split("<td>")[1:]] for row in body.split("<tr>")[1:]]
