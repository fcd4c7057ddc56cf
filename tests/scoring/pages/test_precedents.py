"""Precedents and the law book."""

import re

import pytest

from scoring.models import Dispute, Group, Precedent, Table
from scoring.rulings.acts.precedents import share_law_book
from scoring.rulings.pages import precedents
from scoring.rulings.reads import precedents as reads
from scoring.rulings.reads.precedents import CaseWanted, cases_of, without_names
from scoring.tables.acts.keys import Caller
from scoring.tables.reads.access import token_hash
from tests.scoring.conftest import play
from tests.scoring.groups import make_group
from tests.scoring.pages.phones import code_of
from tests.scoring.pages.reading import text
from tests.scoring.pages.test_groups import open_table

# --- A group's decisions, and a season under other rules, on pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(thursday):
    return f"{thursday}law-book/"


@pytest.fixture
def address(device, thursday):
    """A table of the group."""
    return str(open_table(device, thursday, "Ann", "Bob", "Cy")["Location"])


def decide(device, page, **more):
    return device.post(page, {"question": "May she look?", "decision": "No.", "game": "", "clause": ""} | more)


def rule_on(device, address, claim, ruling, *, number=1, clause=""):
    """Call the referee, and rule in words."""
    device.post(f"{address}disputes/", {"claim": claim, "hand": "1"})
    said = {"state": "upheld", "text": ruling, "more": clause}
    assert device.post(f"{address}disputes/{number}/ruling/", said).status_code == 302


def make_rule(device, page, address, number=1):
    """Make a table's ruling the group's rule."""
    assert device.post(page, {"table": code_of(address), "dispute": str(number)}).status_code == 302
    return Precedent.objects.latest("pk")


def test_a_group_can_set_and_change_a_house_rule(device, page):
    assert "Nothing yet." in text(device.get(page))
    assert decide(device, page).status_code == 302
    assert "May she look?" in text(device.get(page))
    pk = Precedent.objects.get().pk
    device.post(f"{page}{pk}/", {"decision": "Yes, once."})
    assert "Yes, once." in text(device.get(page))
    device.post(f"{page}{pk}/", {"drop": "1", "decision": "Yes, once."})
    assert "Nothing yet." in text(device.get(page))


def test_a_house_rule_set_for_good_applies_to_the_next_table(device, thursday, page):
    assert "We play Ace Trump" in text(device.get(f"{page}ace-trump/"))
    assert device.post(f"{page}ace-trump/", {"option-ties": "1"}).status_code == 302
    shown = text(device.get(page))
    assert "We play Ace Trump, ties to the earlier card (Early Bird)" in shown, re.findall("We play.{99}", shown)
    made = Precedent.objects.get()
    assert (made.game, made.option, made.value) == ("ace-trump", "ties", "early")
    open_table(device, thursday, "Ann", "Bob", "Cy")
    assert Table.objects.get().options["ties"] == "early"
    device.post(f"{page}ace-trump/", {"option-ties": "1", "option-pawns": "1"})
    assert Precedent.objects.get(option="ties").pk == made.pk, "what stays keeps its day"
    device.post(f"{page}ace-trump/", {"option-ties": "0", "option-pawns": "1"})
    assert [each.option for each in Precedent.objects.all()] == ["pawns"]


def test_a_shared_law_book_hides_names_and_its_link_can_be_turned_off(device, other, thursday, page, address):
    decide(device, page, question="May Ann look at Bob’s cards?", decision="No, Ann.", game="ace-trump", clause="AT-5")
    rule_on(device, address, "Bob had a Sun", "Bob pays two.", clause="IR-4")
    make_rule(device, page, address)
    assert other.get(page).status_code == 404
    reading = law_book_link(device.post(page, {"share": "1"}))
    assert "/laws/" not in device.get(page).content.decode(), "it is shown once"
    assert "is active" in text(device.get(page))
    shown = text(other.get(reading))
    assert "May … look at …’s cards?" in shown
    assert "ruled on" in shown
    assert not {"Ann", "Bob", "Cy", code_of(address)} & set(re.findall(r"\w+", shown))
    again = law_book_link(device.post(page, {"share": "1"}))
    assert [other.get(each).status_code for each in (reading, again)] == [404, 200], "a new one takes its place"
    device.post(page, {"share": "0"})
    assert other.get(again).status_code == 404


def law_book_link(page):
    (reading,) = set(re.findall(r"/laws/[0-9A-Z]{24}/", page.content.decode()))
    return reading


def test_a_shared_law_book_names_neither_guests_nor_the_group(device, other, thursday, page):
    open_table(device, thursday, "Ann", "Wilhelmina", "Cy")
    decide(device, page, question="Did Wilhelmina cheat Ann on Thursday?", decision="Yes: WILHELMINA’s Sun, players.")
    shown = text(other.get(law_book_link(device.post(page, {"share": "1"}))))
    assert "Did … cheat … on …? Yes: …’s Sun, players." in re.sub(r"\s+", " ", shown)
    assert "Thursday" not in shown


def test_the_link_of_a_law_book_is_stored_as_a_hash(device, thursday, page):
    book = code_of(law_book_link(device.post(page, {"share": "1"})))
    assert Group.objects.get().law_book_hash == token_hash(book)


def test_retrying_to_share_a_law_book_shows_the_same_link(thursday):
    caller = Caller(key="5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c15")
    first, again = (share_law_book(code_of(thursday), caller, shared=True) for _ in range(2))
    assert first == again


def test_publicly_shared_rulings_name_no_guest_from_another_table(group, of_group):
    group.open_table(seats=["Ann", "Wilhelmina", "Zoe"])
    Group.objects.update(shares_rulings=True)
    ruled(of_group, claim="Wilhelmina saw it.")
    assert shared()[0] == "… saw it."


def dealt(device, address):
    """Submit a new table's form unchanged; return its sentence of house rules, and the table."""
    page = device.get(address).content.decode()
    fields = re.findall(r'<input type="radio"[^>]* name="(option-[^"]+)"\s+value="([^"]*)" checked', page)
    assert dict(fields)["option-ties"]
    group = re.findall(r'name="group" value="(\w+)"', page)
    sent = {"name": ["Ann", "Bob", "Cy"], "dealer": "0", "end": "open", "group": group, **dict(fields)}
    assert device.post("/new/ace-trump/", sent).status_code == 302
    return page, Table.objects.latest("pk")


def test_the_next_tables_form_starts_with_the_groups_rules(device, other, thursday, page):
    address = f"/new/ace-trump/?group={code_of(thursday)}"
    shown, table = dealt(device, address)
    assert (table.options["ties"], "Decided on" in shown) == ("symbol", False)
    device.post(f"{page}ace-trump/", {"option-ties": "1"})
    shown, table = dealt(device, address)
    assert table.options["ties"] == Precedent.objects.get().value != "symbol"
    assert re.search(r"Decided on [^:]+: ", text(device.get(address)))
    assert "Decided on" not in dealt(device, "/new/ace-trump/")[0], "A table of nobody’s group is played as usual."


def test_a_table_played_again_keeps_its_rules_except_later_decisions(device, thursday, page):
    device.post(f"{page}ace-trump/", {"option-ties": "1"})
    open_table(device, thursday, "Ann", "Bob", "Cy", **{"option-ties": "0"})
    again = Table.objects.get().code
    shown, table = dealt(device, f"/new/ace-trump/?again={again}")
    assert table.options["ties"] == "symbol"
    assert "This table plays it differently" in shown
    device.post(f"{page}ace-trump/", {"option-ties": "2"})
    assert dealt(device, f"/new/ace-trump/?again={again}")[1].options["ties"] != "symbol"


def test_the_groups_rules_override_the_devices(device, thursday, page):
    device.cookies["rules-ace-trump"] = "option-ties=2&option-trump=1"
    device.post(f"{page}ace-trump/", {"option-ties": "1"})
    _shown, table = dealt(device, f"/new/ace-trump/?group={code_of(thursday)}")
    assert table.options["ties"] == Precedent.objects.get().value


def test_an_unknown_house_rule_is_not_decided(device, page):
    assert device.post(f"{page}whist-of-mars/", {"option-ties": "1"}).status_code == 404
    device.post(f"{page}ace-trump/", {"option-ties": "99", "option-mars": "1"})
    assert not Precedent.objects.exists()


def test_an_impossible_house_rule_is_explained(device, page):
    answer = decide(device, page, clause="XX-1")
    assert (answer.status_code, "There is no such clause" in text(answer)) == (422, True)


def test_a_refusal_shows_earlier_rulings_on_the_same_clause(device, address, page):
    device.tap(address, "play", seat="1", cards="8MS")
    assert "You decided this on" not in text(device.tap(address, "play", seat="0", cards="9WY"))
    decide(device, page, clause="REC-12", decision="The card goes back.")
    refused = text(device.tap(address, "play", seat="0", cards="9WY"))
    assert re.search(r"You decided this on .*: The card goes back\.", refused)


def test_a_finding_shows_earlier_rulings(device, address, page):
    decide(device, page, clause="REC-12", decision="The card goes back.", game="ace-trump")
    device.post(f"{address}record/", {"event": "play", "seat": "2", "cards": "8MS", "accepted": "1"})
    assert "The card goes back." in text(device.get(address))


def test_an_answer_shows_earlier_rulings(device, address, page):
    asked = "/ask/ace-trump/trick/?cards=8MS&cards=XS&cards=XM"
    decide(device, page, clause="AT-10", decision="As it is printed.")
    assert "As it is printed." in text(device.get(f"{asked}&table={code_of(address)}"))
    assert "As it is printed." not in text(device.get(asked))


def test_one_tap_makes_a_ruling_the_rule(device, other, address, page):
    rule_on(device, address, "She looked", "Once is enough.")
    dispute = f"{address}disputes/1/"
    assert "Make it a rule at Thursday" in text(device.get(dispute))
    assert "Make it a rule" not in text(other.get(dispute)), "that takes a member of the group"
    made = make_rule(device, page, address)
    assert "Make it a rule" not in text(device.get(dispute)), "once is enough"
    assert (made.question, made.decision) == ("She looked", "Once is enough.")


def test_a_dispute_shows_earlier_rulings_on_its_clauses(device, other, address, page):
    device.post(f"{address}record/", {"event": "play", "seat": "2", "cards": "8MS", "accepted": "1"})
    device.post(f"{address}disputes/", {"claim": "It was not your turn!", "hand": "1", "about": "event-0"})
    assert "You decided this on" not in text(device.get(f"{address}disputes/1/"))
    decide(device, page, clause="REC-12", decision="The card goes back.", game="ace-trump")
    assert re.search(r"You decided this on .*: The card goes back\.", text(device.get(f"{address}disputes/1/")))


def test_a_guided_ruling_becomes_a_rule_for_its_situation(device, thursday, page):
    address = str(open_table(device, thursday, "Ann", "Bob", "Dora Ω")["Location"])
    device.tap(address, "play", seat="1", cards="8MS")
    asked = f"{address}guide/?situation=exposed-card&who=0"
    assert "You decided this on" not in text(device.get(asked))
    device.post(f"{address}disputes/", {"claim": "Dora Ω dropped the 9 of Moons!", "hand": "1"})
    guided = {"situation": "exposed-card", "remedy": "note", "dispute": "1", "answer-who": "2"}
    assert device.post(f"{address}guide/carry-out/", guided).status_code in (302, 303)
    made = make_rule(device, page, address)
    assert (made.code, made.clause, made.question) == ("exposed-card", "IR-7", "A card was shown by accident")
    assert made.decision.startswith("The player picks the card up again.")
    listed = text(device.get(page))
    assert "A card was shown by accident" in listed
    assert "Dora" not in listed
    assert "You decided this on" in text(device.get(asked))
    assert "You decided this on" not in text(device.get(f"{address}guide/?situation=misdeal"))
    api = f"/api/v1/tables/{code_of(address)}/guide/?situation=exposed-card&who=0"
    (known,) = device.get(api).json()["precedents"]
    assert known["question"] == "A card was shown by accident"


def test_a_verbal_ruling_is_titled_by_its_clause_and_names_no_player(device, thursday, page):
    address = str(open_table(device, thursday, "Ann", "Bob", "Dora Ω")["Location"])
    rule_on(device, address, "Dora Ω had a Sun", "Dora Ω pays Ann two.", clause="IR-4")
    made = make_rule(device, page, address)
    assert (made.question, made.decision) == ("Paying for an established revoke", "The player pays the player two.")
    rule_on(device, address, "Bob, you looked at Ann’s cards", "Bob does not do it again.", number=2)
    latest = make_rule(device, page, address, 2)
    assert (latest.question, latest.code) == ("The player, you looked at the player’s cards", "")


def test_a_season_what_if_shows_both_results(device, other, thursday):
    for _ in range(2):
        address = str(open_table(device, thursday, "Ann", "Bob", "Cy", **{"option-ties": "2"})["Location"])
        device.taps(address, "play", "1:8MS 2:XS 0:XM")
        device.tap(address, "result", tricks=["4", "4", "4"])
        device.tap(address, "end")
    bare = str(open_table(device, thursday, "Ann", "Bob", "Cy")["Location"])
    device.tap(bare, "result", tricks=["4", "4", "4"])
    device.tap(bare, "end")
    season = f"{thursday}what-if/"
    assert "What if you had always played by other rules?" in text(device.get(season))
    assert "Early Bird" in text(device.get(f"{season}?game=ace-trump"))
    shown = text(device.get(f"{season}?game=ace-trump&ties=early"))
    assert "3 of 3 tables checked" in shown
    assert "2 tables change. 1 has only its result, so we can’t tell." in shown
    assert re.search("Cy 12 → 14 .*Bob 12 .*Ann 12 → 10 ", shown), "who gains most is first"
    assert shown.index("Player") < shown.index("1 trick changes hands")
    assert device.get(f"{season}?game=ace-trump&hook=true").status_code in (200, 422)
    assert other.get(season).status_code == 404


# --- Searching rulings: by a group, and without names by everyone if shared


def ruled(table, claim="Bob, you had a Sun!", text="Bob revoked, says Zoe."):
    """Raise a dispute at a table, and rule on it."""
    ann, url = table.keeper, f"{table.url}disputes/"
    number = ann.post(url, {"claim": claim}).json()["dispute"]["id"]
    answer = ann.post(f"{url}{number}/acts/", {"act": "rule", "status": "upheld", "text": text, "clauses": ["AT-5"]})
    assert answer.status_code == 201, answer.json()


def shared(**wanted):
    return [case.claim for case in cases_of(None, CaseWanted(**wanted)).cases]


@pytest.fixture
def group(db):
    return make_group("Ann", "Bob", "Zoe")


@pytest.fixture
def of_group(group):
    """A table of the group with a ruling."""
    table = group.open_table()
    ruled(table)
    return table


def test_a_groups_rulings_are_listed(group, of_group):
    (case,) = group.member.get(f"{group.url}rulings/").json()["rulings"]
    assert (case["claim"], case["status"], case["clauses"], case["game"], case["table"]) == (
        "Bob, you had a Sun!", "upheld", ["AT-5"], "ace-trump", of_group.code,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("game=ace-trump", 1),
        ("game=ace-pit", 0),
        ("clause=AT-5", 1),
        ("clause=AT-1", 0),
        ("situation=words", 1),
        ("situation=revoke", 0),
        ("q=sun+bob", 1),
        ("q=moon", 0),
    ],
)
def test_a_group_can_search_its_rulings(group, of_group, query, found):
    assert len(group.member.get(f"{group.url}rulings/?{query}").json()["rulings"]) == found


def test_long_lists_come_in_pages(group, of_group):
    ruled(of_group, claim="Once more.")
    url = f"{group.url}rulings/?limit=1"
    first = group.member.get(url).json()
    second = group.member.get(first["next"]).json()
    assert [each["rulings"][0]["claim"] for each in (first, second)] == ["Once more.", "Bob, you had a Sun!"]
    assert second["next"] is None


def test_a_search_resumes_after_what_it_has_seen(group, of_group, monkeypatch):
    ruled(of_group, claim="Once more.")
    monkeypatch.setattr(reads, "MOST_LOOKED_AT", 1)
    first = group.member.get(f"{group.url}rulings/?q=sun").json()
    assert first["rulings"] == []
    assert [each["claim"] for each in group.member.get(first["next"]).json()["rulings"]] == ["Bob, you had a Sun!"]


def test_the_page_links_to_the_next_page(device, group, of_group, monkeypatch):
    ruled(of_group, claim="Once more.")
    monkeypatch.setattr(precedents, "ON_A_PAGE", 1)
    device.open_link(f"/g/{group.code}/join/#{group.token}")
    first = device.get(f"/g/{group.code}/rulings/").content.decode()
    following = re.search(r'href="(\?cursor=[^"]+)"', first)
    assert following is not None
    rest = device.get(f"/g/{group.code}/rulings/{following[1]}").content.decode()
    assert ("Once more." in first, "you had a Sun" in first) == (True, False)
    assert ("Once more." in rest, "you had a Sun" in rest) == (False, True)


def test_the_groups_page_shows_its_rulings(device, group, of_group):
    address = f"/g/{group.code}/"
    device.open_link(f"{address}join/#{group.token}")
    told = device.get(f"{address}rulings/?clause=at-5").content.decode()
    assert "Bob, you had a Sun!" in told
    assert f"/t/{of_group.code}/disputes/1/" in told
    assert "No rulings found." in device.get(f"{address}rulings/?clause=AT-1").content.decode()


def test_only_the_group_can_share_its_rulings(device, group, of_group):
    assert "you had a Sun" not in device.get("/rulings/").content.decode()
    assert shared() == []
    assert group.member.patch(group.url, {"shares_rulings": True}).json()["shares_rulings"] is True
    page = device.get("/rulings/").content.decode().partition("<main")[2]
    assert "…, you had a Sun!" in page
    assert not any(name in page for name in ("Bob", "Zoe", "Ann", of_group.code, group.code))
    assert shared(words="bob") == []
    assert shared(words="sun") == ["…, you had a Sun!"]
    Table.objects.filter(code=of_group.code).update(private=True)
    assert shared() == []


def test_a_table_without_a_group_can_share_its_own_rulings(table):
    ruled(table, text="Bob owes a point.")
    assert shared() == []
    assert table.keeper.patch(table.url, {"shares_rulings": True}).json()["shares_rulings"] is True
    assert shared() == ["…, you had a Sun!"]


def test_a_tables_sharing_survives_its_group(group, of_group):
    Table.objects.filter(code=of_group.code).update(shares_rulings=True)
    assert shared() == []
    Group.objects.update(shares_rulings=True)
    assert len(shared()) == 1


def test_only_decided_disputes_are_listed_as_rulings(table):
    ann, url = table.keeper, f"{table.url}disputes/"
    table.record(play(0, "8MS"))
    ann.patch(table.url, {"shares_rulings": True})
    ann.post(url, {"claim": "Open."})
    ann.post(url, {"claim": "Withdrawn."})
    ann.post(f"{url}2/acts/", {"act": "withdraw"})
    assert Dispute.objects.count() == 2
    assert shared() == []


@pytest.mark.parametrize(
    ("text", "names", "nameless"),
    [
        ("ann and Anna", ["Ann"], "… and Anna"),
        ("Anna Maria led", ["Anna Maria"], "… led"),
        ("Maria led", ["Anna Maria"], "… led"),
        ("Bo+b led", ["Bo+b"], "… led"),
        ("nobody", [], "nobody"),
        ("Annas Sun, not ANNA’s", ["Anna"], "… Sun, not …’s"),
        ("Anna and Lena", ["Anna-Lena"], "… and …"),
        ("_Ann_ looked", ["Ann"], "_…_ looked"),
        ("Rene\u0301 looked", ["Ren\u00e9"], "… looked"),
        ("Ren\u00e9 looked", ["Rene"], "Ren\u00e9 looked"),
    ],
)
def test_a_name_is_left_out_in_any_spelling(text, names, nameless):
    assert without_names(text, names) == nameless


@pytest.mark.parametrize(
    "odd", ["cursor=x", "cursor=", "cursor=%00", "cursor=W10.x", "clause=%00", "situation=" + "a" * 500]
)
def test_unusual_searches_are_answered(device, odd):
    assert device.get(f"/rulings/?{odd}").status_code in (200, 400)
