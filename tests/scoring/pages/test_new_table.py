"""Opening a table, and continuing with other people."""

import re

import pytest

from referee.engine.game import all_games, playable, settled
from scoring.models import Table
from scoring.tables.presenters.house_rules import in_words
from tests.scoring.pages.reading import text

GAMES = {game.id: game for game in all_games()}

# --- Opening a table through its form


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_form_opens_a_table(device, game):
    assert device.get(f"/new/{game.id}/").status_code == 200
    names = [f"Player {n}" for n in range(game.players[0])]
    address = device.open_table(game.id, names, dealer=1)
    table = Table.objects.get()
    assert address == f"/t/{table.code}/"
    assert (table.seats, table.first_dealer) == (names, 1)
    usual = {option.key: option.standard for option in game.all_options() if not option.by_players}
    assert table.options == usual, "What follows the number of players is not stored as chosen."


def test_every_house_rule_is_explained(device):
    page = device.get("/new/ace-trump/").content.decode()
    assert "Tides of Fortune" in page
    assert "The last card of a hand sets the size of the next." in page
    assert '/games/ace-trump/#AT-V5"' in page


def test_house_rules_are_submitted_by_position(device):
    device.open_table(**{"option-ties": "1", "option-tides": "1"})
    options = Table.objects.get().options
    assert (options["ties"], options["tides"]) == ("early", True)


def test_number_options_are_submitted_as_numbers(device):
    device.open_table("wildcat-chicane", **{"option-zero_bid": "5", "end": "score", "end-score": "60"})
    table = Table.objects.get()
    assert table.options["zero_bid"] == 5
    assert table.end == {"kind": "score", "value": 60}


def test_empty_seats_are_left_out(device):
    device.open_table(names=["Ann", "", "Cy", " ", "Eve"], dealer=2)
    table = Table.objects.get()
    assert table.seats == ["Ann", "Cy", "Eve"]
    assert table.seats[table.first_dealer] == "Cy"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"option-fixed_trump": "1"}, "fixed_trump works only with trump=fixed, which needs it."),
        ({"option-ties": "9"}, "9 is not one of the available choices."),
        ({"end": "hands", "end-hands": ""}, "This must be a whole number."),
        ({"end": "whenever"}, "whenever is not one of the available choices."),
        ({"name": ["Ann"]}, "Add at least 2 players first."),
        ({"name": ["Ann", *"BCDEFG"]}, "is for 2 to 6 players"),
        ({"name": ["Ann", "Bob", ""], "dealer": "2"}, "That seat is empty. Choose who deals."),
        ({"name": ["Ann", "Bob", "ann "]}, "Two of you are called ann. Add an initial."),
    ],
)
def test_errors_are_explained_and_no_input_is_lost(device, fields, said):
    form = {"name": ["Ann", "Bob"], "dealer": "0", "end": "open"} | fields
    answer = device.post("/new/ace-trump/", form)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert said in page
    assert 'value="Ann"' in page
    assert not Table.objects.exists()


def test_errors_are_summarized_and_linked_to_their_field(device):
    form = {"name": ["Ann", "Ann"], "end": "open", "option-hook": "1"}
    page = device.post("/new/ace-trump/", form).content.decode()
    assert 'href="#pick-hook">Hook</a>: hook works only with bidding.</li>' in page
    assert page.index("Add an initial.") < page.index("What do you tap?") < page.index("hook works only")
    assert re.findall(r'id="([a-z-]+)" tabindex="-1"( autofocus)?', page) == [
        ("at-table", " autofocus"),
        ("at-rules", ""),
    ]
    assert 'class="word wrong" id="word-hook"' in page


def test_typed_text_stays_in_its_field_after_an_error(device):
    form = {"name": ["Ann", "", "Cy", "Dee"], "dealer": "2", "end": "score", "end-score": "60", "private": "1"}
    answer = device.post("/new/wildcat-chicane/", form | {"option-zero_bid": "99", "option-revoke": "2"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert re.findall(r'name="name" value="([^"]*)"', page)[:4] == ["Ann", "", "Cy", "Dee"]
    checked = set(re.findall(r'name="([\w-]+)"\s+value="([^"]*)"\s+checked', page))
    assert checked >= {("dealer", "2"), ("end", "score"), ("private", "1"), ("option-revoke", "2")}
    assert 'value="60"' in page
    assert 'value="99"' in page
    assert re.search(r'<p class="problem">Bid of 0 cannot be 99; it takes [^<]*</p>', page)


@pytest.mark.parametrize("number", ["soon", "1.5", "9" * 5000])
def test_an_invalid_number_is_refused(device, number):
    form = {"name": ["Ann", "Bob", "Cy"], "end": "open", "option-zero_bid": number}
    answer = device.post("/new/wildcat-chicane/", form)
    assert answer.status_code == 422
    assert '<p class="problem">Enter a whole number.</p>' in answer.content.decode()
    assert not Table.objects.exists()


def test_an_empty_number_means_the_default(device):
    device.open_table("wildcat-chicane", **{"option-zero_bid": ""})
    (usual,) = (option for option in GAMES["wildcat-chicane"].all_options() if option.key == "zero_bid")
    assert Table.objects.get().options["zero_bid"] == usual.standard


def test_play_again_starts_with_the_same_people_and_rules(device):
    address = device.open_table(**{"option-ties": "1"})
    page = device.get("/new/ace-trump/", {"again": address.split("/")[2]}).content.decode()
    assert 'value="Cy"' in page
    assert "ties to the earlier card (Early Bird)</a>" in page


# -- how much is recorded, and who begins ---------------------------------------------------------------------


def depth_chosen(device, game):
    found = re.findall(r'name="depth" value="(\w*)"( checked)?', device.get(f"/new/{game}/").content.decode())
    assert [value for value, _on in found] == ["", *GAMES[game].depths]
    return next(value for value, on in found if on)


@pytest.mark.parametrize(("depth", "next_time"), [("", ""), ("trick", ""), ("result", "result"), ("nonsense", "")])
def test_a_chosen_depth_opens_the_table_and_is_remembered(device, depth, next_time):
    address = device.open_table(depth=depth)
    page = device.get(address, follow=True).content.decode()
    assert page.split('data-event="')[1].split('"')[0] == (depth if depth in ("trick", "result") else "play")
    assert depth_chosen(device, "american-deuce") == next_time
    assert depth_chosen(device, "ace-trump") == (depth if depth in ("trick", "result") else "")


@pytest.mark.parametrize(
    ("game", "names", "button"),
    [
        ("ace-trump", ["Ann", "Bob", "Cy"], "Deal · Ann leads"),
        ("ace-trump", ["Ann", "", ""], "Deal"),
        ("ace-trump", ["Ann", "", "Cy"], "Deal · Ann leads"),
        ("american-deuce", ["Ann", "Bob", "Cy", "Dee"], "Deal · Cy begins"),
        ("ransom-trump", ["Ann", "Bob", "Cy"], "Deal"),
    ],
)
def test_the_button_names_who_starts(device, game, names, button):
    form = {"name": names, "dealer": "2", "end": "open", "look": "1"}
    page = device.post(f"/new/{game}/", form, headers={"HX-Request": "true"}).content.decode()
    assert re.findall(r'id="deal"[^>]*>([^<]*)</button>', page) == [button]


def test_a_continued_table_keeps_its_recording_depth(device):
    address, _, depth = device.open_table(depth="result").partition("?")
    device.get(f"{address}?{depth}")
    device.tap(address, "result", tricks=["5", "4", "3"])
    assert device.post(f"{address}continue/", {"name": ["Ann", "Bob", "Dee"]})["Location"].endswith("?depth=result")


# -- the sentence -------------------------------------------------------------------------------------------


def sentence(page) -> str:
    """Return the sentence of the house rules, its words separated by bars."""
    (found,) = re.findall(r'<p class="sentence">(.*?)</p>', page.content.decode(), re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found.replace("</a>", " |")).split())


def test_the_game_and_its_cards_can_be_tapped_too(device):
    page = look(device, **{"option-pawns": "1"}).content.decode()
    games = page.split('id="pick-game"')[1].split("</ul>")[0]
    assert 'href="/new/ransom-trump/?name=Ann&amp;name=Bob"' in games
    deck = page.split('id="pick-deck"')[1].split("</ul>")[0]
    assert re.findall(r'popovertarget="pick-([a-z]+)"\s+aria-pressed="(true|false)"', deck) == [
        ("excuse", "false"),
        ("pawns", "true"),
        ("courts", "false"),
    ]
    french = device.get("/new/ace-pit/").content.decode().split('id="pick-deck"')[1]
    assert "This game is always played with these cards." in french.split("</div>")[0]


def look(device, game="ace-trump", **fields):
    """Choose something in the form, as its script or its *Done* button does."""
    page = device.post(f"/new/{game}/", {"name": ["Ann", "Bob", "", "", "", ""], "end": "open", "look": "1"} | fields)
    assert page.status_code == 200
    assert not Table.objects.exists()
    return page


def ticked(page, key) -> str:
    """Return the position of the value chosen for a house rule."""
    found = re.search(rf'name="option-{key}"\s+value="(\d+)" checked', page.content.decode())
    return found[1] if found else ""


def test_the_house_rules_are_a_sentence(device):
    assert sentence(device.get("/new/ace-trump/")) == (
        "We play Ace Trump | with the basic pack |, every Ace changing trump |,"
        " ties broken by the led card’s upper suit |, until we stop |."
    )
    page = look(device, **{"option-ties": "1", "option-excuse": "1", "end": "score", "end-score": "40"})
    chosen = "ties to the earlier card (Early Bird) |, with the Excuse |, until a player has 40 points |"
    assert chosen in sentence(page)


def test_dependent_options_appear_only_with_their_choice(device):
    assert "pick-hook" not in device.get("/new/ace-trump/").content.decode()
    assert "pick-hook" in look(device, **{"option-bidding": "1"}).content.decode()
    assert "pick-excuse_led" not in device.get("/new/ransom-trump/").content.decode()
    assert "pick-excuse_led" in look(device, "ransom-trump", **{"option-excuse": "1"}).content.decode()


def test_dependent_options_follow_the_choice(device):
    fixed = look(device, **{"option-trump": "2", "was": ""})
    assert ticked(fixed, "fixed_trump") == "1"
    assert "Moons as trump" in sentence(fixed)
    loose = look(device, **{"option-trump": "0", "option-fixed_trump": "1", "was": "trump=2&fixed_trump=1"})
    assert "pick-fixed_trump" not in loose.content.decode()
    assert ticked(look(device, **{"option-hook": "1", "was": "bidding=1&hook=1"}), "hook") == ""


def test_options_for_other_player_counts_cannot_be_chosen(device):
    page = look(device, name=["Ann", "Bob", "Cy", "Dee", "Eve"]).content.decode()
    assert "pick-tides" not in page
    assert re.search(r'value="4" [^>]*disabled>Tides of Fortune', page)
    assert "pick-deal" not in look(device, "ransom-trump").content.decode()


def test_well_known_rule_sets_are_named(device):
    page = device.post("/new/ace-trump/", {"name": ["Ann", "Bob", "Cy", "Dee"], "end": "open", "preset": "3"})
    assert "with partners |, bidding for tricks" in sentence(page)
    assert re.search(r'value="3" [^>]*aria-pressed="true"', page.content.decode())
    assert 'value="Dee"' in page.content.decode()


def test_a_device_remembers_its_house_rules(device, other):
    kept = look(device, **{"option-ties": "2", "end": "hands", "end-hands": "8", "keep": "1"})
    assert "Saved on this phone." in kept.content.decode()
    again = device.get("/new/ace-trump/")
    assert "ties to the later card (Late Bird) |, for 8 hands" in sentence(again)
    assert "Our rules" in again.content.decode()
    assert "Late Bird) |" not in sentence(other.get("/new/ace-trump/"))
    assert device.cookies["rules-ace-trump"]["path"] == "/new/ace-trump/"
    device.cookies["rules-ace-trump"] = "option-ties=99&option-none=1&end=never&dealer=7"
    assert device.get("/new/ace-trump/").status_code == 200


def test_without_scripts_a_name_moves_up_together_with_the_dealer(device):
    form = {"name": ["Ann", "Bob", "Cy"], "dealer": "2", "end": "open", "up": "2"}
    page = device.post("/new/ace-trump/", form).content.decode()
    assert re.findall(r'name="name" value="(\w+)"', page) == ["Ann", "Cy", "Bob"]
    assert 'name="dealer" value="1" checked' in page
    assert device.post("/new/ace-trump/", form | {"up": "0"}).status_code == 200


def test_a_script_gets_a_fragment_and_a_redirect(device):
    form = {"name": ["Ann", "Bob"], "end": "open"}
    fragment = device.post("/new/ace-trump/", form | {"look": "1"}, headers={"HX-Request": "true"})
    assert "<html" not in fragment.content.decode()
    opened = device.post("/new/ace-trump/", form, headers={"HX-Request": "true"})
    assert (opened.status_code, opened["HX-Redirect"]) == (204, f"/t/{Table.objects.get().code}/")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_named_rules_can_be_played(game):
    named = game.named_rules()
    assert len({str(preset.options) for preset in named}) == len(named)
    for preset in named:
        assert playable(game, preset.options, game.players), preset.name


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_house_rule_can_be_chosen(game):
    for option in game.all_options():
        beside = {option.needs: True} if option.needs else {}
        for value in option.values or (option.span[1] if option.span else None,):
            chosen = settled(game, {**beside, option.key: value}, game.players, keep=frozenset({option.key}))
            if chosen is None:  # it depends on another one
                continue
            assert playable(game, chosen, game.players)
            assert value == option.standard or in_words(option, value)


# --- Continuing with other people, from the page


@pytest.fixture
def address(device):
    address = device.open_table(end="score", **{"end-score": "50"})
    device.tap(address, "result", tricks=["5", "4", "3"])
    return address


def test_staying_players_keep_their_points_and_others_join(device, address):
    assert "Change players" in text(device.get(address))
    assert 'value="Bob"' in device.get(f"{address}continue/").content.decode()
    answer = device.post(f"{address}continue/", {"name": ["Ann", "", "Cy", "Dee"], "newcomer": "lowest"})
    assert answer.status_code == 302
    after = Table.objects.get(previous__isnull=False)
    assert (after.seats, after.carried) == (["Ann", "Cy", "Dee"], [5, 3, 3])
    assert answer["Location"] == f"/t/{after.code}/"
    assert device.tap(answer["Location"], "result", tricks=["12", "0", "0"]).status_code == 302
    assert f'href="/t/{after.code}/"' in device.get(address).content.decode()


@pytest.mark.parametrize(
    ("names", "said"),
    [(["Ann", "", ""], "is for 2 to 6 players"), (["Ann", "Bob", "Bob"], "Two of you are called Bob.")],
)
def test_a_refused_continuation_explains_the_reason(device, address, names, said):
    answer = device.post(f"{address}continue/", {"name": names})
    assert (answer.status_code, said in text(answer)) == (422, True)


def test_typed_text_is_kept_when_a_table_cannot_continue(device, address):
    answer = device.post(f"{address}continue/", {"name": ["", "Bob", ""], "newcomer": "lowest"})
    assert 'id="name-1" name="name" value="Bob"' in answer.content.decode()
    assert 'value="lowest" checked' in answer.content.decode()
    answer = device.post(f"{address}continue/", {"name": ["Ann", "Bob"], "newcomer": "ten"})
    assert answer.status_code == 422
    assert "ten is not one of the available choices." in text(answer)


def test_players_cannot_change_during_a_hand(device, address):
    device.tap(address, "play", seat="1", cards="8MS")
    assert "Change players" not in text(device.get(address))
    answer = device.post(f"{address}continue/", {"name": ["Ann", "Bob"]})
    assert "A hand is still being played" in text(answer)


def test_a_table_can_have_a_time_limit(device):
    address = device.open_table(end="time", **{"end-time": "60"})
    assert "No new hand after 60 minutes" in text(device.get(address))


@pytest.fixture
def after(device, address):
    """The next table, at which Ann, Bob and Dee continue with 5, 4 and 0 points."""
    return device.post(f"{address}continue/", {"name": ["Ann", "Bob", "Dee"]})["Location"]


def test_a_continued_table_has_no_winner(device, address, after):
    page = text(device.get(address))
    assert "Ann leads." in page
    assert [said for said in ("wins", "By 1 point.", "Play again") if said in page] == []
    assert "Ann leads." in text(device.get("/"))


def test_undo_links_to_the_next_table(device, address, after):
    assert 'id="amend"' in device.get(f"{address}?open=log").content.decode()
    answer = device.post(f"{address}undo/", {"version": str(Table.objects.get(next__isnull=False).version)})
    assert "This game continues at another table" in text(answer)
    assert "Go to that table" in text(answer)


def test_a_correction_previews_changes_at_the_next_table(device, address, after):
    wrong = {"event": "result", "tricks-0": "1", "tricks-1": "8", "tricks-2": "3"}
    shown = text(device.get(f"{address}amend/1/", wrong))
    assert "Then at the next table, with Ann, Bob and Dee Ann 5 to 1 Bob 4 to 8" in shown
    assert "wins the game" not in shown
    assert device.post(f"{address}amend/1/", wrong | {"version": "2"}).status_code == 302
    log = text(device.get(f"{after}log/"))
    assert "An earlier table was corrected. Totals this table starts from: Ann 5 to 1, Bob 4 to 8" in log


def test_a_misfit_at_the_next_table_is_named(device, address, after):
    Table.objects.filter(previous__isnull=False).update(end={"kind": "score", "value": 9})
    for _ in range(2):
        device.tap(after, "result", tricks=["2", "2", "8"])
    wrong = {"event": "result", "tricks-0": "8", "tricks-1": "1", "tricks-2": "3"}
    shown = text(device.get(f"{address}amend/1/", wrong))
    assert "That breaks a later table" in shown
    assert "Hand 2 at the next table would no longer fit." in shown
