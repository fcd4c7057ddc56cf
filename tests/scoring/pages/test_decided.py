"""What the table decided about a revoke can be seen afterwards: what was given to whom, and why."""

from tests.scoring.pages.reading import text
from tests.scoring.pages.test_settle import NEXT, address, settle  # noqa: F401 - the table at which Bob did not follow


def test_a_trick_that_was_given_up_says_so_wherever_it_is_looked_at(device, other, address):  # noqa: F811
    for seat, card in NEXT:
        device.tap(address, "play", seat=seat, cards=card)
    settle(device, address, "bridge")
    device.tap(address, "result", tricks=["4", "4", "4"])
    replay = text(other.get(f"{address}hands/1/?trick=3"))
    assert "The trick went to Cy: revoke in trick 1." in replay
    assert "Bob → Cy" in replay
    assert "What the table decided 1 trick from Bob to Cy (revoke in trick 1)" in replay
    assert "The trick went to" not in text(other.get(f"{address}hands/1/?trick=2"))
    page = text(other.get(f"{address}?open=lines"))
    assert "1 trick from Bob to Cy (revoke in trick 1)" in page[page.index("Where the points") :]
    assert "Bob → Cy 1" in page[page.index("Score sheet") :]
    device.tap(address, "play", seat="1", cards="8MS")
    assert "Bob → Cy 1" in text(other.get(address)), "also when the next hand runs"


def test_what_was_let_stand_says_so_too(device, address):  # noqa: F811
    settle(device, address, "stand")
    replay = text(device.get(f"{address}hands/1/"))
    assert "What the table decided Note: Let it stand and play on. Bob did not follow" in replay
