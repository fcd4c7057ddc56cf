"""What the table decided about a revoke can be seen afterwards: what was given to whom, and why."""

from tests.scoring.pages.reading import text
from tests.scoring.pages.test_settle import NEXT, settle


def test_a_trick_that_was_given_up_says_so_wherever_it_is_looked_at(device, other, revoked):
    for seat, card in NEXT:
        device.tap(revoked, "play", seat=seat, cards=card)
    settle(device, revoked, "bridge")
    device.tap(revoked, "result", tricks=["4", "4", "4"])
    replay = text(other.get(f"{revoked}hands/1/?trick=3"))
    assert "The trick went to Cy: revoke in trick 1." in replay
    assert "Bob → Cy" in replay
    assert "What the table decided 1 trick from Bob to Cy (revoke in trick 1)" in replay
    assert "The trick went to" not in text(other.get(f"{revoked}hands/1/?trick=2"))
    page = text(other.get(f"{revoked}?open=lines"))
    assert "1 trick from Bob to Cy (revoke in trick 1)" in page[page.index("Where the points") :]
    assert "Bob → Cy 1" in page[page.index("Score sheet") :]
    device.tap(revoked, "play", seat="1", cards="8MS")
    assert "Bob → Cy 1" in text(other.get(revoked)), "also when the next hand runs"


def test_what_was_let_stand_says_so_too(device, revoked):
    settle(device, revoked, "stand")
    replay = text(device.get(f"{revoked}hands/1/"))
    assert "What the table decided Note: Let it stand and play on. Bob did not follow" in replay
