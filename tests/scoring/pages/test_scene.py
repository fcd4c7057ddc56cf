"""The end of a hand and of a game: scene, results, curve, decisions."""

import re
from html import unescape
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tables.pages import score_sheet
from scoring.tables.pages.links import drawn_qr
from scoring.tables.presenters.curves import HEIGHT, LETTER, WIDTH, draw, scale, spread
from tests.scoring.pages.german import GermanPhone
from tests.scoring.pages.phones import of_a_player
from tests.scoring.pages.reading import in_order, text
from tests.scoring.pages.test_replay import REVOKE, play_hands
from tests.scoring.pages.test_settle import NEXT, settle

FOUR = ["Ann", "Bob", "Cy", "Dot"]
PARTNERS = {"names": FOUR, "option-partners": "1"}

# --- The end of a hand: its result, the ranking, and the next hand


def result(device, address, *tricks):
    assert device.tap(address, "result", tricks=[str(each) for each in tricks]).status_code == 302


def played_out(device, *hands, **more):
    """Open a game of as many hands, and record their results; return its address."""
    address = device.open_table(**{"end": "hands", "end-hands": str(len(hands))}, **more)
    for tricks in hands:
        result(device, address, *tricks)
    return address


def scene(device, address):
    """Return the scene's texts in order; nothing if there is none."""
    found = re.search(r'<section class="scene".*?</section>', device.get(address).content.decode(), re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split()) if found else ""


@pytest.fixture
def address(device):
    return device.open_table()


def test_a_finished_hand_shows_its_result(device, address):
    assert not scene(device, address)
    result(device, address, 5, 4, 3)
    shown = scene(device, address)
    assert shown.startswith("Hand 1 is over. Ann takes the lead.")
    assert "A Ann 5 tricks +5 5 B Bob 4 tricks · 1 behind +4 4 C Cy 3 tricks · 2 behind +3 3" in shown
    assert shown.endswith("End game Keep playing Ann wins with 5. End game Next hand · Ann deals")


def test_a_correction_may_change_the_leader(device, address):
    result(device, address, 5, 4, 3)
    result(device, address, 6, 3, 3)
    assert "Ann leads by 4." in scene(device, address)
    result(device, address, 0, 12, 0)
    assert "Bob takes the lead." in scene(device, address)
    assert in_order(scene(device, address), "Bob up to 1st", "Ann down to 2nd 0 tricks")
    result(device, address, 8, 0, 4)
    assert "Ann and Bob are tied." in scene(device, address)


@pytest.mark.parametrize(
    ("tricks", "told"),
    [
        ((6, 6, 0), "Ann and Bob are tied."),
        ((4, 4, 4), "Three-way tie at the top."),
        ((0, 1, 11), "Cy takes the lead."),
        ((4, 1, 3, 1), "Ann and Cy take the lead."),
    ],
    ids=["two tied", "all tied", "one leads", "partners lead together"],
)
def test_one_sentence_says_what_changed_in_the_ranking(device, tricks, told):
    address = device.open_table(**(PARTNERS if len(tricks) == 4 else {}))
    result(device, address, *tricks)
    assert told in scene(device, address)


def test_each_row_shows_bid_tricks_and_distance_to_the_target(device):
    address = device.open_table("wildcat-chicane", end="score", **{"end-score": "40"})
    device.taps(address, "bid", "0:3 1:3 2:4")
    result(device, address, 3, 2, 6)
    shown = scene(device, address)
    assert "A Ann bid 3, took 3 · 28 to go +12 12" in shown
    assert "B Bob bid 3, took 2, one short · " in shown
    assert "C Cy bid 4, took 6, 2 over · " in shown
    page = device.get(address).content.decode()
    assert page.count('class="tick"') == 1
    assert 'x1="0%" x2="30%"' in page, "the bar grows by what the hand brought"


def test_the_last_trick_is_not_shown_if_a_result_was_entered(device, address):
    device.taps(address, "play", "0:8MS 1:2MK 2:3MW")
    result(device, address, 5, 4, 3)
    assert "last-strip" not in device.get(address).content.decode()


def test_a_void_hand_says_so(device, address):
    device.tap(address, "play", seat="0", cards="8MS")
    device.tap(address, "redeal")
    assert scene(device, address).startswith("Hand 1 is void.")


def test_the_summary_ends_with_the_next_hand_and_returns_on_undo(device, address):
    result(device, address, 5, 4, 3)
    device.tap(address, "play", seat="1", cards="8MS")
    assert not scene(device, address)
    device.post(f"{address}undo/")
    assert "Hand 1 is over." in scene(device, address)


def test_spectators_see_the_scene_but_cannot_start_the_next_hand(device, other, address):
    result(device, address, 5, 4, 3)
    assert "Ann takes the lead" in scene(other, address)
    assert "Next hand" not in scene(other, address)
    screen = text(other.get(f"{address}screen/"))
    assert "Ann takes the lead." in screen
    assert "Next hand" not in screen


def test_hidden_points_are_not_revealed(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"], **{"option-totals": "1"})
    device.tap(address, "result", points=["70", "70"])
    shown = scene(device, address)
    assert "Hand 1 is over." in shown
    assert "70" not in shown
    assert "tied" not in shown


def test_the_best_trick_is_named_if_tricks_differ_in_value(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"], 0, plays="1:8H 0:7H+9H 0:AD 1:2C")
    device.tap(address, "result", points=["185", "100"])
    assert "Best trick, number 1: Ann wins with Spoon 30 + Pin 25 + Flush 40: 95 points." in scene(device, address)
    trumps = device.open_table(plays="0:8MS 1:2WL 2:9MS")
    result(device, trumps, 4, 4, 4)
    assert "Best trick" not in scene(device, trumps)


def test_the_end_of_the_game_ranks_everyone(device, other):
    address = played_out(device, (3, 4, 5))
    assert "5 points, 1 ahead of Bob" in text(device.get(address))
    assert 'data-text="Cy wins. Cy 5, Bob 4, Ann 3"' in device.get(address).content.decode()
    for page in (device.get(address), other.get(f"{address}screen/")):
        assert in_order(page, "Cy wins 5", "C Cy 5 1", "B Bob 4 2", "A Ann 3 3")


def test_the_new_offices_are_shown(device):
    address = device.open_table("american-deuce", FOUR)
    device.tap(address, "result", cards_left=["4", "3", "0", "7"])
    assert "Cy President-Elect" in scene(device, address)


def test_players_agree_from_their_own_phone_and_the_sheet_shows_it(device, address):
    result(device, address, 5, 4, 3)
    other = of_a_player(address, 1)
    assert "Is that right?" not in scene(device, address)
    assert "5, 4, 3. Is that right?" in scene(other, address)
    assert f'href="{address}disputes/?hand=1">No' in other.get(address).content.decode()
    assert other.post(f"{address}hands/1/confirm/").status_code == 302
    assert "✓ Bob agrees." in scene(device, address)
    assert "Is that right?" not in scene(other, address)
    result(device, address, 6, 3, 3)
    page = device.get(address).content.decode()
    assert "Agreed: Bob" in page
    assert device.post(f"{address}hands/1/confirm/").status_code == 403
    assert "Bob agrees with hand 1" in device.get(f"{address}log/").content.decode()


def test_agreeing_with_an_undone_hand_is_refused(device, address):
    result(device, address, 5, 4, 3)
    other = of_a_player(address, 1)
    device.post(f"{address}undo/")
    late = other.post(f"{address}hands/1/confirm/")
    assert late.status_code == 412
    assert "Someone else was faster" in text(late)


def test_the_replay_lists_every_answer_and_the_best_one(device):
    address = device.open_table("ace-pit", names=["Ann", "Bob"])
    laid = ("2C", "7H"), ("4D", "9S"), ("6H", "JC"), ("8S", "3C"), ("10C", "5C"), ("QD", "5D"), ("KH", "AD")
    for number, (card, answer) in enumerate(laid, 1):
        device.tap(address, "play", seat="1", cards=card)
        device.tap(address, "play", seat="0", cards=[answer])
        if number == 1:
            assert "We don’t know which cards Ann held." in text(device.get(address))
    told = scene(device, address)
    assert "A Ann Ann wins with Ace Pit 50: 50 points." in told, "the last trick"
    assert "Bob +10" in told
    assert re.search(r"Best answer in Ann’s hand: A ?, Ace Pit 50: 50 points\.", told)
    assert "No answer in Ann’s hand was worth more." in told


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ([10, 25, 10, 10, 10, 10, 10], "Best trick, number 2"),
        ([10, 25, 25, 10, 10, 10, 10], "Best tricks: 2 and 3, 25 points each."),
    ],
    ids=["one", "several"],
)
def test_the_best_tricks_of_a_hand_are_named(device, points, told):
    address = device.open_table("ace-pit", ["Ann", "Bob"], dealer=0)
    leader = 1
    for worth in points:
        winner = leader if worth == 10 else 1 - leader
        assert device.tap(address, "trick", winner=str(winner), points=str(worth)).status_code == 302
        leader = winner
    assert told in unescape(text(device.get(address)))


# --- The end of a game: its best hand, its curve, its rulings, and the picture to share

TWO_HANDS = {"end": "hands", "end-hands": "2"}


def drawn(device, address):
    """Return the words in the picture in order."""
    answer = device.get(f"{address}picture/")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml"
    assert re.fullmatch(r'attachment; filename="[0-9A-Z]{8}\.svg"', answer["Content-Disposition"])
    assert "http" not in answer.content.decode().replace("http://www.w3.org/2000/svg", "")
    elements = ElementTree.fromstring(answer.content).iter()
    return [" ".join("".join(each.itertext()).split()) for each in elements if each]


@pytest.fixture
def finished(device):
    """A finished game of two hands: the first with a proved revoke, the second with a point deduction."""
    address = device.open_table(plays=REVOKE, **TWO_HANDS)
    result(device, address, 5, 4, 3)
    device.tap(address, "penalty", seat="2", points="2", **{"points-way": "takes", "reason": "talked"})
    result(device, address, 2, 7, 3)
    return address


def test_the_best_hand_of_the_game_is_named(other, finished):
    assert "Best hand: Bob in hand 2: +7." in text(other.get(finished))


@pytest.mark.parametrize(
    ("hands", "partners", "named"),
    [
        pytest.param([(6, 4, 2), (2, 4, 6)], {}, ["Ann in hand 1, Cy in hand 2: +6."], id="all who made it"),
        pytest.param([(4, 1, 3, 1), (1, 3, 2, 3)], PARTNERS, ["Ann and Cy in hand 1: +7."], id="partners share it"),
        pytest.param([(5, 4, 3)], {}, [], id="a single hand is not called the best"),
    ],
)
def test_the_best_hand_is_named_with_its_players(device, hands, partners, named):
    shown = text(device.get(played_out(device, *hands, **partners)))
    assert "win" in shown
    assert re.findall(r"Best hand: (.*?\.)", shown) == named


def test_no_best_hand_is_named_before_the_end(device):
    address = device.open_table(**TWO_HANDS)
    result(device, address, 6, 4, 2)
    assert "Best hand" not in text(device.get(address))


def test_the_curve_loads_on_demand_and_is_open_at_the_end(device, address, finished):
    result(device, address, 5, 4, 3)
    assert "curve-line" not in device.get(address).content.decode()
    for page in (f"{address}?open=curve", finished):
        assert device.get(page).content.decode().count('class="curve-line"') == 3


@pytest.mark.parametrize(
    ("tricks", "said"),
    [
        ((12, 0, 0), "Ann wins 12 points, 12 ahead of Bob and Cy"),
        ((4, 4, 4), "Ann, Bob and Cy win 4 points each"),
        ((5, 5, 2), "Ann and Bob win 5 points each, 3 ahead of Cy"),
        ((6, 1, 1, 1), "Ann wins 6 points, 5 ahead"),
    ],
)
def test_the_winner_and_margin_are_one_sentence(device, tricks, said):
    assert said in text(device.get(played_out(device, tricks, names=FOUR[: len(tricks)])))


def test_the_hand_that_turned_the_game_is_named(device):
    address = played_out(device, (7, 4, 1), (4, 6, 2), (2, 8, 2), (4, 4, 4))
    assert "Turning point: hand 3, Bob takes the lead." in text(device.get(address))


def test_players_see_how_the_game_stands_on_their_own_phone(device, other):
    address = played_out(device, (5, 4, 3))
    for seat, said in enumerate(("You win! 5 points", "You came second.", "You came third.")):
        assert said in text(of_a_player(address, seat).get(address))
    assert "You" not in text(other.get(address)).split("Is that right")[0].split("Ann wins")[1].split("Copy")[0]


def test_negative_points_are_drawn_below_the_line(device):
    address = device.open_table("american-deuce", FOUR, end="hands", **{"end-hands": "1"})
    device.tap(address, "result", cards_left=["4", "3", "0", "7"])
    page = device.get(address).content.decode()
    piles = re.findall(
        r'class="pile-block" width="(\d+)%".*?class="pile-pit" width="(\d+)%".*?"pile-rest" width="(\d+)%', page
    )
    assert [sum(map(int, pile)) for pile in piles[:1]] == [100]
    assert [int(down) > 0 for _up, down, _rest in piles] == [False, True, True, True]


def test_a_ruling_is_shown_with_its_clauses_on_request(device, other, finished):
    assert "talked" not in text(other.get(finished)).split("Rule breaks")[0]
    page = other.get(f"{finished}?open=rulings")
    said = text(page)
    assert "Revoke: Bob proved · trick 1" in said
    assert re.search(r'class="clause" href="/games/ace-trump/#AT-\d+"', page.content.decode())
    assert "Cy: −2 points (talked)" in said
    assert "Nicht bedient: Bob" in text(GermanPhone().get(f"{finished}?open=rulings"))


def test_a_finding_shows_its_settlement(device, finished):
    device.post(f"{finished}settle/", {"finding": "0-0", "remedy": "stand"})
    said = text(device.get(f"{finished}?open=rulings"))
    assert re.search(r"Revoke: Bob proved · trick 1 (?:[A-Z]+-\d+ )+✓ Note: Let it stand", said)
    assert said.count("Let it stand (revoke") <= 1, "not among the decisions of the last hand, too"


def test_a_game_without_a_ruling_offers_none(device):
    address = played_out(device, (5, 4, 3), (5, 4, 3))
    assert "Rulings" not in text(device.get(address))


def test_the_picture_ranks_everyone_with_points_and_curve(device, other, finished):
    said = " ".join(drawn(other, finished))
    assert "Ace Trump" in said
    assert "2 hands" in said
    assert in_order(said, "1. Bob 11", "2. Ann 7", "3. Cy 4")
    assert "Best hand: Bob in hand 2: +7." in said
    assert f'href="{finished}picture/"' in other.get(finished).content.decode()


def test_the_score_is_a_qr_code_any_phone_can_read(device, other, finished, monkeypatch):
    told = []

    def drawn(text):
        told.append(text)
        return drawn_qr(text)

    monkeypatch.setattr(score_sheet, "drawn_qr", drawn)
    code = other.get(f"{finished}score-code/")
    assert code["Content-Type"] == "image/svg+xml"
    assert "<path" in code.content.decode()
    lines = told[0].split("\n")
    assert lines[0].startswith("Ace Trump, ")
    assert lines[-3:] == ["Bob 11", "Ann 7", "Cy 4"]
    assert len(told[0].encode()) <= score_sheet.LONGEST_CODE
    assert f'src="{finished}score-code/"' in other.get(finished).content.decode()


def test_there_is_no_picture_before_the_end_or_of_hidden_points(device):
    address = device.open_table(**TWO_HANDS)
    result(device, address, 5, 4, 3)
    assert device.get(f"{address}picture/").status_code == 404
    assert device.get(f"{address}score-code/").status_code == 404
    pit = device.open_table("ace-pit", ["Ann", "Bob"], 1, **{"option-totals": "1", "end": "hands", "end-hands": "1"})
    assert device.get(f"{pit}picture/").status_code == 404
    device.tap(pit, "result", points=["70", "75"])
    assert "75" in " ".join(drawn(device, pit))


def test_a_private_tables_picture_needs_a_link(device, other):
    address = played_out(device, (5, 4, 3), private="1")
    assert other.get(f"{address}picture/").status_code == 404
    assert "1. Ann 5" in " ".join(drawn(device, address))


def test_names_are_escaped_in_the_picture(device):
    said = " ".join(drawn(device, played_out(device, (5, 4, 3), names=["<b>&", "B" * 60, "Cy"])))
    assert "<b>&" in said
    assert "B" * 27 + "…" in said


@pytest.mark.parametrize(
    ("event", "fields", "version", "said"),
    [
        ("play", {"seat": "0", "cards": "8MS"}, "1", "The game is over"),
        ("play", {"seat": "0", "cards": "8MS"}, "", "The game is over"),
        ("note", {"text": "Well played."}, "1", "Someone else was faster"),
    ],
    ids=["a card", "a card without version", "a note"],
)
def test_a_late_act_at_a_finished_table_reports_why_it_came_too_late(device, finished, event, fields, version, said):
    """On a slow connection a card is tapped before the page shows that the game has ended."""
    late = device.tap(finished, event, version=version, **fields)
    assert late.status_code == 412
    assert re.findall("The game is over|Someone else was faster", text(late)) == [said]


# --- A hand's result without scripts: an error keeps the numbers, and the result is shown

CHOSEN = re.compile(r'name="tricks-(\d)" value="(\d+)" checked')


def numbers(*tricks):
    return {f"tricks-{seat}": str(number) for seat, number in enumerate(tricks)}


def test_a_wrong_sum_keeps_the_numbers_beside_the_error(device):
    address = device.open_table(names=FOUR)
    answer = device.tap(address, "result", **numbers(3, 3, 3, 3))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "these numbers add up to 12" in text(answer)
    assert CHOSEN.findall(page) == [("0", "3"), ("1", "3"), ("2", "3"), ("3", "3")]
    assert 'id="other-result" open>' in page
    assert 'href="#kept">Change it</a>' in page
    assert "over-all" not in page.split("<section")[1], "nothing lies over the form"
    assert "checked" not in device.get(address).content.decode().split('data-event="result"')[1].split("</form>")[0]


def test_typed_numbers_are_kept_too(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"])
    page = device.tap(address, "result", **{"points-0": "20", "points-1": "33"}).content.decode()
    assert re.findall(r'name="points-(\d)"[^>]* value="(\d+)"', page) == [("0", "20"), ("1", "33")]


def test_an_impossible_score_change_is_kept_too(device):
    address = device.open_table(plays="0:8MS")
    typed = {"points-typed": "many", "points-way": "gives", "reason": "for the soup"}
    page = device.tap(address, "penalty", seat="1", **typed).content.decode()
    assert 'id="more" open>' in page
    assert 'value="many"' in page
    assert 'value="for the soup"' in page


def test_the_next_hands_numbers_are_kept_right_after_a_hand_ends(device):
    address = device.open_table(names=FOUR)
    assert "Record result" in text(device.get(address))
    assert device.tap(address, "result", **numbers(2, 3, 1, "")).status_code == 302
    page = device.tap(address, "result", **numbers(3, 3, 3, 3)).content.decode()
    assert 'id="after-hand-1" open>' in page, "the cards and forms of the next hand wait behind it"
    assert len(CHOSEN.findall(page)) == 4


@pytest.mark.parametrize(
    ("event", "fields", "recorded"),
    [
        ("penalty", {"seat": "1", "points": "5", "points-way": "takes"}, "Recorded: Bob: −5 points"),
        ("transfer", {"from_seat": "0", "to_seat": "1", "tricks": "1"}, "Recorded: 1 trick from Ann to Bob"),
    ],
)
def test_a_table_decision_is_confirmed(device, event, fields, recorded):
    address = device.open_table(plays="0:8MS 1:2MK 2:3MW")
    assert device.tap(address, event, **fields).status_code == 302
    assert recorded in text(device.get(address))
    device.tap(address, "play", seat="0", cards="9MS")
    assert "Recorded:" not in text(device.get(address))


# --- The score curve and the points left to the target

TOTALS = st.integers(-2000, 2000)


def test_a_table_shows_its_curve_and_the_numbers_behind_it(device):
    address = play_hands(device, 2)
    assert "curve-line" not in device.get(address).content.decode(), "It is drawn for who opens it."
    page = device.get(f"{address}?open=curve").content.decode()
    assert page.count('class="curve-line"') == 2
    dashes = re.findall(r'curve-line" points="[^"]*"( stroke-dasharray="[^"]*")?', page)
    assert len(set(dashes)) == 2, "Lines differ in more than colour."
    assert "The numbers" in page


def test_there_is_no_curve_before_the_first_hand(device):
    assert "fold-curve" not in device.get(device.open_table()).content.decode()


def test_the_points_to_the_target_are_shown_per_player(device):
    address = play_hands(device, 1, end="score", **{"end-score": "40"})
    found = re.search(r"still needs\s+(\d+)\s+(\d+)", text(device.get(address)))
    assert found is not None
    assert sum(map(int, found.groups())) == 80 - 9


@given(st.lists(st.tuples(TOTALS, TOTALS, TOTALS), min_size=1, max_size=40), st.none() | st.integers(1, 500))
def test_every_line_stays_within_the_picture(rows, target):
    drawn = draw(("Ann", "Bob", "Cy"), (("0", (0, 0, 0)), *((str(n), row) for n, row in enumerate(rows, 1))), target)
    for line in drawn.lines:
        assert len(line.marks) == len(rows) + 1
        assert all(0 <= mark.x <= WIDTH and 0 <= mark.y <= HEIGHT for mark in line.marks)
        assert line.points.count(",") == len(line.marks)


@given(TOTALS, st.integers(0, 2000))
def test_the_scale_covers_every_total_in_a_few_round_steps(lowest, more):
    ticks = scale(lowest, lowest + more)
    assert ticks[0] <= lowest
    assert lowest + more <= ticks[-1]
    assert 2 <= len(ticks) <= 7


@pytest.mark.parametrize("heights", [[100.0] * 8, [190.0, 195.0, 10.0], [0.0]])
def test_names_at_the_line_ends_do_not_overlap(heights):
    placed = sorted(spread(heights, 13, 196))
    assert all(below - above >= 13 for above, below in pairwise(placed))
    assert placed[-1] <= 196


def test_a_long_name_is_not_cut_off_at_the_end_of_its_line():
    short, long = ("Ann", "Bartholomäusmaximilianferdinand")
    lines = draw([short, long], [("0", (0, 0)), ("1", (3, 5))]).lines
    assert [line.name for line in lines] == [short, long]
    assert lines[0].squeezed is None
    assert lines[1].label.x + 8 + (lines[1].squeezed or len(long) * LETTER) <= WIDTH
    alone = draw([short, "Maximilian"], [("0", (0, 0)), ("1", (3, 5))]).lines[1]
    assert alone.squeezed is None
    assert alone.label.x + 8 + len("Maximilian") * LETTER <= WIDTH


# --- Decisions about a revoke stay visible: what was given to whom, and why


def test_a_trick_that_was_given_up_is_marked_everywhere(device, other, revoked):
    device.taps(revoked, "play", NEXT)
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


def test_accepted_irregularities_are_labeled(device, revoked):
    settle(device, revoked, "stand")
    replay = text(device.get(f"{revoked}hands/1/"))
    assert "What the table decided Note: Let it stand and play on. Bob didn’t follow" in replay
