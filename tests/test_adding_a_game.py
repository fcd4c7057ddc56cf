"""CONTRIBUTING's instructions for adding a game work: its example is added to a copy of the tree and played."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.test_changes_of_the_page import PAGE, ROOT, changes_in, run, take_in

FILES = dict(re.findall(r"```(?:python|toml)\n# ((?:referee|tests)/games/\S+)\n(.*?)```", PAGE, re.DOTALL))
PARTS = dict(re.findall(r"```python\n# in (\S+)\n(.*?)```", PAGE, re.DOTALL))
"""What the page adds to existing files, each in its place."""
BEFORE = {
    "referee/engine/events.py": "SHARED_EVENTS: tuple",
    "referee/engine/hand.py": "    @takes(kinds.Penalty)\n",
}
TESTING = ("tests/referee/telling.py", "tests/referee/test_golden.py", "tests/games/discovery.py", "tests/golden")
"""What a game's tests depend on."""
PLAYED = """
import json, sys
from referee.engine.adjudication import adjudicate
from referee.engine.game import event_kinds, find_game
from referee.engine.records import dump_record, load_record
from referee.engine.offers import offers
from referee.engine.table import hand_for, open_table
from referee.guides.sheet import guides_listed
from referee.notation import read_text, write_sheet, write_text

data = json.load(sys.stdin)
record = load_record(data)
text = write_text(record)
assert dump_record(read_text(text)) == dump_record(record), text
judged = adjudicate(record)
game = find_game("plain-whist")
asked = game.answer("trick", {"trump": "H", "plays": [{"cards": [c]} for c in ("AS", "2H", "KS", "QS")]})
dealt = hand_for(open_table(game.rules({}, 4), first_dealer=3))
legal = game.answer("legal", {"hand": ["2S", "3H"], "led_card": "AS"})
print(json.dumps({
    "judged": judged, "text": text, "sheet": write_sheet(record), "winner": asked["winner"], "legal": legal["legal"],
    "kinds": list(event_kinds()), "forms": forms_of(record), "guides": [guide.id for guide in guides_listed(game)],
    "offered": [len(offer.events) for offer in offers(dealt, dealt.hand.asks())],
}))
"""
FORMS = """
from referee.engine.records import replay

def forms_of(record):
    hand = replay(record).hands[-1]
    return {ask.event: [field.label for field in ask.fields] for ask in hand.table_asks()}
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the rules with the page's game and events; nothing else is changed."""
    copy = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "referee", copy / "referee", ignore=shutil.ignore_patterns("__pycache__", "locale", "api"))
    for path, body in FILES.items():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(body, encoding="utf-8")
    (copy / "referee/games/plain_whist/__init__.py").touch()
    for path, part in PARTS.items():
        before, place, after = (copy / path).read_text(encoding="utf-8").partition(BEFORE[path])
        (copy / path).write_text(f"{before}{part}\n\n{place}{after}", encoding="utf-8")
    for path in TESTING:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        copied = shutil.copytree if (ROOT / path).is_dir() else shutil.copy
        copied(ROOT / path, copy / path)
    return copy


def play(house: Path, events: list[dict]) -> dict:
    data = {
        "game": "plain-whist", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 3, "hands": [{"events": events}],
    }  # fmt: skip
    answer: dict = json.loads(run(house, "-c", FORMS + PLAYED, given=json.dumps(data)))
    return answer


def card(seat: int, code: str) -> dict:
    return {"type": "play", "seat": seat, "cards": [code]}


def test_the_game_on_the_page_can_be_played(house):
    trick = [card(0, "AS"), card(1, "KS"), card(2, "2H"), card(3, "QS")]
    played = play(house, [{"type": "bottom-card", "card": "7H"}, *trick, card(2, "AH")])
    (hand,) = played["judged"]["hands"]
    assert played["judged"]["rejected"] is None
    assert (hand["trump"], hand["to_act"], hand["scores"]) == ("H", [3], [0, 0, 1, 0])
    assert hand["tricks"][0]["reason"]["clauses"] == ["PW-4"]
    assert "Bottom card: 7H" in played["text"]
    assert "2. not finished" in played["sheet"]
    assert (played["winner"], played["legal"]) == (1, ["2S"])
    assert "bottom-card" in played["kinds"]


def test_a_refused_event_gives_its_reason(house):
    refused = play(house, [{"type": "bottom-card", "card": "8MS"}])["judged"]["rejected"]
    assert (refused["verdict"], refused["reason"]["code"]) == ("impossible", "not-in-deck")
    early = play(house, [card(0, "AS")])["judged"]["rejected"]
    assert (early["verdict"], early["reason"]["code"]) == ("impossible", "wrong-phase")


def test_a_revoke_is_proved_without_extra_code(house):
    first = [card(0, "AS"), card(1, "KD"), card(2, "2S"), card(3, "QS")]
    played = play(house, [{"type": "bottom-card", "card": "7H"}, *first, card(0, "KS"), card(1, "3S")])
    (found,) = played["judged"]["hands"][0]["irregularities"]
    assert (found["code"], found["certainty"], found["seat"]) == ("revoke", "proved", 1)


def test_the_events_common_to_all_tables_are_accepted_and_have_a_form(house):
    played = play(house, [{"type": "bottom-card", "card": "7H"}, {"type": "claim-rest", "seat": 2}, card(0, "AS")])
    assert played["judged"]["rejected"] is None
    assert "Claim: Cy claims the rest" in played["text"]
    assert played["forms"]["claim-rest"] == ["Player"]
    nobody = play(house, [{"type": "bottom-card", "card": "7H"}, {"type": "claim-rest", "seat": 4}])
    assert nobody["judged"]["rejected"]["reason"]["code"] == "no-such-seat"


def test_a_field_for_any_card_offers_every_card(house):
    assert play(house, [])["offered"] == [52]


def test_a_game_without_bids_has_no_guide_about_bids(house):
    guides = play(house, [])["guides"]
    assert "revoke" in guides
    assert [guide for guide in guides if "bid" in guide] == []


QUIETLY = (
    "-q", "-p", "no:django", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-c", os.devnull,
    "--import-mode=importlib",
)  # fmt: skip
GOLDEN = ["plain", "revoke-stand", "revoke-bridge", "revoke-hand-zero", "revoke-redeal"]


def test_the_tests_on_the_page_pass_and_its_golden_records_are_played(house):
    """Nothing else is written by hand: the game has no German, lesson or examples, and its version is recorded."""
    made = run(house, "-m", "tests.golden.make").split()
    assert [Path(path).stem for path in made] == [*GOLDEN, "rules_version"]
    game = ("-k", "plain_whist or plain-whist")
    run(house, "-m", "pytest", *QUIETLY, "--rootdir", str(house), *game, "tests/games", "tests/referee")


def test_a_house_rule_takes_four_files(house, tmp_path):
    copy = tmp_path / "house"
    shutil.copytree(house, copy)
    changes = changes_in("Adding a house rule")
    assert len(changes) == 4
    take_in(copy, changes)
    (copy / "tests/games/plain_whist/golden.txt").unlink(missing_ok=True)
    made = run(copy, "-m", "tests.golden.make").split()
    assert sorted(Path(path).stem for path in made) == sorted([*GOLDEN, "no-trump", "rules_version"])
    run(copy, "-m", "pytest", *QUIETLY, "--rootdir", str(copy), "tests/games/plain_whist")
