"""A group on pages: its people, links, archive and recovery code."""

import re
from io import BytesIO
from time import thread_time
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from referee.engine.replaying import deadline
from scoring.groups.acts.group_access import make_recovery_code, recover_group
from scoring.models import Group, GroupLink, Person, RecoveryCode, Role, Table
from scoring.models.table import RECOVERY_LENGTH
from scoring.tables.acts.exceptions import GroupMovedOn, NoSuchRecoveryCode
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import make_link
from tests.scoring.conftest import holder
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import made_url
from tests.scoring.pages.reading import text

# --- A group on phones: created on one, opened on another, managed on both

pytestmark = pytest.mark.django_db


def people():
    return {person.name: person.pk for person in Person.objects.all()}


def link_for(device, group, role="member", name="Bob’s phone"):
    return made_url(device.post(f"{group}links/", {"role": role, "name": name}))


def open_table(device, group, *names, **more):
    """Send the form for a table of Ann, Bob and Cy, or of others, in this group."""
    names, code = names or ("Ann", "Bob", "Cy"), group.split("/")[2]
    form = {"name": list(names), "dealer": "0", "end": "open", "group": code} | more
    return device.post("/new/ace-trump/", form)


def test_a_new_group_appears_on_the_front_page_with_its_people(device, thursday):
    assert [person.name for person in Person.objects.order_by("pk")] == ["Ann", "Bob", "Cy"]
    assert "Thursday" in device.get("/").content.decode()
    assert "Only this phone can open the group" in device.get(thursday).content.decode()


@pytest.mark.parametrize(
    "form", [{"name": " "}, {"name": "T", "people": "Ann\nann"}, {"name": "T", "people": "x" * 61}]
)
def test_an_invalid_group_shows_the_error_beside_its_field(device, form):
    answer = device.post("/g/new/", form)
    assert answer.status_code == 422
    assert 'class="problem"' in answer.content.decode()
    assert not Group.objects.exists()


def test_strangers_cannot_tell_a_group_from_none(other, thursday):
    known, unknown = other.get(thursday), other.get("/g/ABCDEFGH/")
    assert known.status_code == unknown.status_code == 404
    pages = [re.sub(r'/g/\w+/|value="\w{64}"', "", answer.content.decode()) for answer in (known, unknown)]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("sent", ["its token", "the whole address"])
def test_a_second_phone_opens_the_group_with_its_link(device, other, thursday, sent):
    address = link_for(device, thursday)
    page, _, token = address.partition("#")
    assert "?" not in page  # no server log contains the token
    assert other.post(f"{thursday}join/", {"token": "nonsense"}).status_code == 404
    assert other.get(thursday).status_code == 404
    sent = token if sent == "its token" else address
    assert other.post(f"{thursday}join/", {"token": sent}).status_code == 302
    assert "Thursday" in other.get(thursday).content.decode()
    assert "Thursday" in other.get("/").content.decode()


def test_a_turned_off_link_opens_nothing(device, other, thursday):
    token = link_for(device, thursday).partition("#")[2]
    other.post(f"{thursday}join/", {"token": token})
    number = Group.objects.get().links.get(name="Bob’s phone").pk
    code = thursday.split("/")[2]
    assert device.post(f"{thursday}links/{number}/revoke/").status_code == 302
    for address in (thursday, f"{thursday}people/", f"{thursday}statistics/", f"/new/ace-trump/?group={code}"):
        page = other.get(address)
        assert page.status_code == 404
        assert "This phone’s link to the group was turned off." in text(page), address
        assert "turned off" not in text(Device().get(address)), "who never had one is not told that there is a group"


def test_a_viewer_sees_that_they_can_only_watch(device, other, thursday):
    other.post(f"{thursday}join/", {"token": link_for(device, thursday, role="viewer")})
    answer = other.post(f"{thursday}settings/", {"name": "Friday"})
    assert (answer.status_code, "only watching" in answer.content.decode()) == (409, True)
    assert Group.objects.get().name == "Thursday"


def test_a_groups_table_knows_its_people_and_asks_about_similar_names(device, thursday):
    assert open_table(device, thursday, "Ann", "bob", "Cy").status_code == 302
    assert people_at(Table.objects.get()) == {0: "Ann", 1: "Bob", 2: "Cy"}
    device.post(f"{thursday}people/", {"name": "Dominique"})
    asked = open_table(device, thursday, "Ann", "Bob", "Domnique")
    assert asked.status_code == 422
    assert "Is Domnique the same person as Dominique?" in asked.content.decode()
    same = open_table(device, thursday, "Ann", "Bob", "Domnique", **{"spelt-Domnique": "same"})
    assert same.status_code == 302
    assert Table.objects.order_by("-pk")[0].seats == ["Ann", "Bob", "Dominique"]
    new = open_table(device, thursday, "Ann", "Bob", "Domnique", **{"spelt-Domnique": "new"})
    assert new.status_code == 302
    assert Person.objects.filter(name="Domnique").exists()


def test_the_answer_to_deal_asks_about_a_similar_name(device, thursday):
    form = {"name": ["Anne", "Bob", "Cy"], "dealer": "0", "end": "open", "group": thursday.split("/")[2]}
    asked = device.post("/new/ace-trump/", form, headers={"HX-Request": "true"})
    assert asked.status_code == 422
    assert asked.content.decode().strip().startswith('<form class="setup')
    assert "Is Anne the same person as Ann?" in text(asked)
    assert "autofocus" in asked.content.decode()
    # Answering redraws the form: both answers stay.
    form |= {"asked": "1", "spelt-Anne": "new"}
    redrawn = device.post("/new/ace-trump/", form | {"look": "1"}, headers={"HX-Request": "true"}).content.decode()
    assert 'name="spelt-Anne" value="new" checked' in redrawn
    opened = device.post("/new/ace-trump/", form, headers={"HX-Request": "true"})
    assert (opened.status_code, opened["HX-Redirect"]) == (204, f"/t/{Table.objects.get().code}/")
    assert Person.objects.filter(name="Anne").exists()


@pytest.fixture
def played(device, thursday):
    """The address of a group table after its first hand."""
    address = str(open_table(device, thursday)["Location"])
    device.tap(address, "result", tricks=["5", "4", "3"])
    return address


def at(answer):
    """Return the table that an answer leads to."""
    return Table.objects.get(code=answer["Location"].split("/")[2])


def people_at(table):
    return {seat.seat: seat.person.name for seat in table.people.all()}


def test_a_similar_name_is_asked_about_when_a_table_continues(device, played):
    asked = device.post(f"{played}continue/", {"name": ["Anne", "Bob", "Cy"]})
    assert asked.status_code == 422
    assert "Is Anne the same person as Ann?" in text(asked)


@pytest.mark.parametrize(
    ("form", "people", "carried"),
    [
        ({"name": ["Ann", "Gregor", "Cy"]}, ["Ann", "Gregor", "Cy"], [5, 0, 3]),
        ({"name": ["Anne", "Bob", "Cy"], "spelt-Anne": "same"}, ["Ann", "Bob", "Cy"], [5, 4, 3]),
        ({"name": ["Anne", "Bob", "Cy"], "spelt-Anne": "new"}, ["Anne", "Bob", "Cy"], [0, 4, 3]),
    ],
    ids=["another name", "another spelling", "a similar name"],
)
def test_a_newcomer_joins_the_group_with_no_points(device, played, form, people, carried):
    table = at(device.post(f"{played}continue/", form))
    assert (table.seats, people_at(table), table.carried) == (people, dict(enumerate(people)), carried)


def test_a_failed_continuation_adds_no_one_to_the_group(device, played):
    assert device.tap(played, "play", seat="2", cards="8MS").status_code == 302
    assert device.post(f"{played}continue/", {"name": ["Ann", "Gregor", "Cy"]}).status_code == 409
    assert Person.objects.count() == 3


def test_play_again_identifies_players_by_person(device, thursday):
    """An older table may have Ann under a name the group does not know."""
    address, code = device.open_table(names=("Mum", "Bob", "Cy")), thursday.split("/")[2]
    chosen = {f"person-{seat}": people()[name] for seat, name in enumerate(("Ann", "Bob", "Cy"))}
    assert device.post(f"{address}group/", {"group": code} | chosen).status_code == 302
    again = open_table(device, thursday, "Mum", "Bob", "Cy", after=address.split("/")[2])
    assert people_at(at(again)) == {0: "Ann", 1: "Bob", 2: "Cy"}
    assert Person.objects.count() == 3


def test_a_phone_without_a_link_to_the_group_seats_guests(other, device, played):
    keeper = make_link(Table.objects.get(), Role.SCOREKEEPER)
    other.open_link(f"{played}join/#{keeper}")
    answer = other.post(f"{played}continue/", {"name": ["Ann", "Anne", "Cy"]})
    assert people_at(at(answer)) == {0: "Ann", 2: "Cy"}


def test_a_lost_phone_can_be_replaced_by_another(device, other, thursday):
    address = str(open_table(device, thursday, private="1")["Location"])
    other.post(f"{thursday}join/", {"token": link_for(device, thursday)})
    assert other.get(address).status_code == 200
    assert other.tap(address, "play", cards="AM").status_code == 403
    kept = other.post(f"{thursday}tables{address[2:]}keep/")
    assert kept["Location"] == address
    assert 'id="undo"' in other.get(address).content.decode()


def test_a_person_can_get_another_name_and_a_color(device, thursday):
    ann = people()["Ann"]
    device.post(f"{thursday}people/{ann}/", {"name": "Annegret", "aliases": "Ann, Anni", "colour": "sky"})
    changed = Person.objects.get(pk=ann)
    assert (changed.name, changed.aliases, changed.colour) == ("Annegret", ["Ann", "Anni"], "sky")
    taken = device.post(f"{thursday}people/{ann}/", {"name": "Bob"})
    assert (taken.status_code, "That name is taken" in taken.content.decode()) == (422, True)


def test_a_device_can_be_handed_over_with_its_group(device, thursday):
    assert device.post(f"{thursday}forget/").status_code == 302
    assert device.get(thursday).status_code == 404
    assert Group.objects.exists()


def test_an_old_table_can_be_moved_into_the_group(device, thursday):
    address, code = device.open_table(names=("Ann", "Bob", "Zoe")), thursday.split("/")[2]
    assert "Thursday" in device.get(f"{address}settings/").content.decode()
    device.post(f"{address}group/", {"group": code})
    assert "Who’s who in Thursday?" in device.get(f"{address}settings/").content.decode()
    chosen = {"group": code, "person-0": people()["Ann"], "person-1": people()["Bob"]}
    device.post(f"{address}group/", chosen | {"person-2": people()["Cy"]})
    assert people_at(Table.objects.get()) == {0: "Ann", 1: "Bob", 2: "Cy"}
    assert device.post(f"{address}group/", chosen | {"person-2": "9" * 5000}).status_code == 422


def test_names_are_corrected_on_the_table_page(device):
    address = device.open_table()
    assert device.post(f"{address}names/", {"name": ["Anne", "Bob", "Cy"]}).status_code == 302
    assert Table.objects.get().seats == ["Anne", "Bob", "Cy"]
    assert device.post(f"{address}names/", {"name": ["Anne"]}).status_code == 422


def test_deleting_a_table_needs_its_code(device):
    address = device.open_table()
    code = Table.objects.get().spoken_code
    assert device.post(f"{address}delete/", {"code": "ABCD"}).status_code == 422
    assert device.post(f"{address}delete/", {"code": code.lower()})["Location"] == "/"
    assert not Table.objects.exists()


def test_statistics_show_each_persons_results(device, thursday):
    assert "No finished game yet" in device.get(f"{thursday}statistics/").content.decode()
    address = str(open_table(device, thursday)["Location"])
    device.tap(address, "result", tricks=["6", "4", "2"])
    device.tap(address, "end")
    shown = text(device.get(f"{thursday}statistics/"))
    assert "Ann" in shown.split("Bob")[0]
    assert "2 points between first and second Ace Trump" in shown
    assert "Ann – Bob 1 : 0 1" in shown
    by_name = device.get(f"{thursday}statistics/?sort=name").content.decode()
    assert re.findall(r'aria-sort="(\w+)"', by_name) == ["ascending"]
    assert "No finished game yet" in device.get(f"{thursday}statistics/?game=ransom-trump").content.decode()


def test_the_history_can_be_browsed_and_each_evening_has_a_page(device, thursday):
    first, second = at(open_table(device, thursday)), at(open_table(device, thursday, "Ann", "Bob", "Dee"))
    device.tap(f"/t/{first.code}/", "result", tricks=["6", "4", "2"])
    device.tap(f"/t/{first.code}/", "note", text="Cy was late")
    device.tap(f"/t/{second.code}/", "result", tricks=["2", "4", "6"])
    page = device.get(f"{thursday}history/").content.decode()
    assert page.index(second.code) < page.index(first.code)
    for query, found in [
        ("q=LATE", [first.code]),
        (f"person={people()['Dee']}", [second.code]),
        ("state=finished", []),
        ("game=ransom-trump", []),
        ("first=2999-01-01", []),
        ("last=yesterday&cursor=nonsense&person=x", [second.code, first.code]),
    ]:
        shown = device.get(f"{thursday}history/?{query}").content.decode()
        assert re.findall(r'href="/t/(\w+)/"', shown) == found, query
    evening = f"{thursday}evenings/{first.evening.isoformat()}/"
    shown = text(device.get(evening))
    assert "A Ann 0 0 8 Ace Trump 8 B Bob 0 0 8 Ace Trump 8" in shown
    assert "Next table, same people" in shown
    assert "Dee" in text(device.get(evening, headers={"HX-Request": "true"}))
    for wrong in ("evenings/2000-01-01/", "evenings/friday/"):
        assert device.get(thursday + wrong).status_code == 404


def test_long_histories_are_paged(device, thursday):
    for _ in range(31):
        open_table(device, thursday)
    page = device.get(f"{thursday}history/").content.decode()
    [following] = re.findall(r'href="(\?cursor=[^"]+)"', page)
    rest = device.get(f"{thursday}history/{following}").content.decode()
    assert len(re.findall(r'href="/t/\w+/"', page + rest)) == 31


# --- Exporting a group as one file, and importing it on a page


@pytest.fixture
def archive(device, thursday):
    """The archive file of a group with three tables."""
    for _ in range(3):
        address = str(open_table(device, thursday)["Location"])
        device.tap(address, "result", tricks=["4", "4", "4"])
        device.tap(address, "end")
    assert "Archive" in text(device.get(f"{thursday}settings/"))
    return b"".join(device.get(f"{thursday}export/archive/").streaming_content)


def sent(archive):
    return {"file": SimpleUploadedFile("group.ndjson", BytesIO(archive).read())}


def test_an_exported_group_can_be_imported(other, archive):
    assert "Restore a group" in text(other.get("/g/import/"))
    brought = other.post("/g/import/", sent(archive))
    assert brought.status_code == 302
    page = str(brought["Location"]).removesuffix("who/")
    assert "Thursday" in text(other.get(page))
    again = b"".join(other.get(f"{page}export/archive/").streaming_content)
    assert again == archive, "byte for byte"


def test_a_slow_task_shows_progress_and_resumes(other, archive, monkeypatch):
    monkeypatch.setattr("scoring.groups.pages.group.judging_watch", lambda: deadline(thread_time, 1e-9))
    cut = other.post("/g/import/", sent(archive))
    assert "0 of 3 tables restored." in text(cut)
    assert Group.objects.filter(links=None).count() == 1, "nobody sees it before it is whole"
    monkeypatch.undo()
    field = cut.content.decode().split('<textarea name="text" hidden>')[1].split("</textarea>")[0]
    assert "&#34;" in field or "&quot;" in field, "what was sent is in the form, to be sent again"
    went_on = other.post("/g/import/", {"text": archive.decode()}, headers={"HX-Request": "true"})
    assert (went_on.status_code, went_on["HX-Redirect"][:3]) == (204, "/g/")


def test_an_invalid_archive_is_refused_and_leaves_nothing(other, archive):
    before = Group.objects.count()
    for wrong in (b"", b"{}", archive[:-200], b"x" * (2 * 1024 * 1024 + 2)):
        assert other.post("/g/import/", sent(wrong)).status_code == 422
    assert Group.objects.count() == before


# --- A group's people on pages: merging, distinguishing and forgetting


@pytest.fixture
def anne(device, thursday):
    """Anne, whose name is much like Ann's."""
    device.post(f"{thursday}people/", {"name": "Anne"})
    return people()["Anne"]


def test_the_page_asks_whether_two_names_are_one_person(device, thursday, anne):
    page = text(device.get(f"{thursday}people/"))
    assert "Is Anne the same as Ann?" in page
    assert "Yes, one person" in page
    assert "No, two people" in page


def test_the_answer_that_two_people_are_distinct_is_remembered(device, thursday, anne):
    ann = people()["Ann"]
    device.post(f"{thursday}people/{anne}/distinct/", {"other": str(ann)})
    assert "Is Anne the same as Ann?" not in text(device.get(f"{thursday}people/"))
    assert Person.objects.get(pk=anne).distinct_from == [ann]


def test_a_newcomer_is_asked_about_only_once(device, thursday):
    assert open_table(device, thursday, "Anne", "Bob", **{"spelt-Anne": "new"}).status_code == 302
    assert "Is Anne the same as Ann?" not in text(device.get(f"{thursday}people/"))


def test_two_people_are_merged_and_split_again(device, thursday, anne):
    ann = people()["Ann"]
    page = device.get(f"{thursday}people/").content.decode()
    assert f'href="?merge={anne}&amp;into={ann}#sure"' in page
    assert not re.search(r"<form[^>]*/merge/", page), "one tap merges nobody"
    asked = device.get(f"{thursday}people/?merge={anne}&into={ann}")
    assert "Merge Anne into Ann?" in text(asked)
    assert Person.objects.get(pk=anne).merged_into is None
    assert f'action="{thursday}people/{anne}/merge/"' in asked.content.decode()
    device.post(f"{thursday}people/{anne}/merge/", {"into": str(ann)})
    assert Person.objects.get(pk=anne).merged_into_id == ann
    assert "Anne counts as Ann" in text(device.get(f"{thursday}people/"))
    device.post(f"{thursday}people/{anne}/merge/", {"into": ""})
    assert Person.objects.get(pk=anne).merged_into is None


@pytest.mark.parametrize("query", ["?merge=&into=", "?merge=1&into=1", "?merge=x&into=99999999999", "?merge=1"])
def test_a_merge_needs_two_known_people(device, thursday, query):
    answer = device.get(f"{thursday}people/{query}")
    assert (answer.status_code, "Merge" in text(answer).replace("Merge people", "")) == (200, False)


def test_the_page_of_a_person_offers_merging_with_each_other_person(device, thursday):
    ann, *others = people().values()
    page = device.get(f"{thursday}people/{ann}/").content.decode()
    for other in others:
        assert f'href="{thursday}people/?merge={ann}&amp;into={other}#sure"' in page
    assert re.search(r'value="blue" checked', page)
    assert device.get(f"{thursday}people/999999/").status_code == 404


def test_forgetting_a_person_needs_the_exact_name(device, thursday):
    forgetting = f"{thursday}people/{people()['Ann']}/forget/"
    answer = device.post(forgetting, {"name": "Anna"})
    assert answer.status_code == 422
    assert "That isn’t Ann’s name. Nothing was forgotten." in text(answer)
    assert "Ann" in people()
    assert device.post(forgetting, {"name": " ann "}).status_code == 302
    assert "Ann" not in people()


def test_deleting_a_group_needs_its_exact_name(device, thursday):
    open_table(device, thursday)
    answer = device.post(f"{thursday}delete/", {"name": "Friday"})
    assert answer.status_code == 422
    assert "That isn’t the name of this group. Nothing was deleted." in text(answer)
    assert Group.objects.exists()
    assert device.post(f"{thursday}delete/", {"name": "Thursday"})["Location"] == "/"
    assert not Group.objects.exists()
    assert not Table.objects.exists()


def test_turning_off_a_phone_asks_once(device, thursday):
    link_for(device, thursday)
    page = device.get(f"{thursday}links/").content.decode()
    link = GroupLink.objects.get(name="Bob’s phone").pk
    asking = re.findall(r'<details class="confirm">.*?</details>', page, re.DOTALL)
    (mine,) = [each for each in asking if f'action="{thursday}links/{link}/' in each]
    assert "Turn off Bob’s phone’s link? It stops working at once" in mine
    assert page.count(f'action="{thursday}links/{link}/') == 1


def test_a_programs_key_names_its_creator_and_can_be_turned_off(device, other, thursday):
    made = device.post(f"{thursday}links/", {"role": "bot", "name": "Scoreboard", "scope": "record"})
    key = re.findall(r'<p class="address" id="made-key">(.*?)</p>', made.content.decode())[0]
    page, bot = text(device.get(f"{thursday}links/")), GroupLink.objects.get(name="Scoreboard")
    assert "program, keeps score, too" in page
    assert key not in page
    GroupLink.objects.filter(pk=bot.made_by or 0).update(name="Ann’s phone")
    assert "made by Ann’s phone" in text(device.get(f"{thursday}links/"))
    assert other.post(f"{thursday}join/", {"token": key}).status_code == 404
    assert device.post(f"{thursday}links/{bot.pk}/revoke/").status_code == 302
    assert "Scoreboard" not in text(device.get(f"{thursday}links/"))


def test_a_program_needs_a_name(device, thursday):
    assert device.post(f"{thursday}links/", {"role": "bot", "name": "", "scope": "read"}).status_code == 422
    assert not GroupLink.objects.filter(role="bot").exists()


def test_recent_players_are_offered_first(device):
    """In a club of forty the chips are the players of the last table, and every name autocompletes."""
    names = [f"Person {number:02}" for number in range(40)]
    group = device.post("/g/new/", {"name": "Club", "people": "\n".join(names)}).headers["Location"]
    open_table(device, group, "Person 31", "Person 07", "Person 22")
    page = device.get(f"/new/ace-trump/?group={group.split('/')[2]}").content.decode()
    chips = re.findall(r'data-name="([^"]+)"', page)
    assert chips[:3] == ["Person 31", "Person 07", "Person 22"]
    assert re.findall(r'<option value="([^"]+)">', page) == names
    assert 'list="people"' in page


# --- A group's recovery code: written down once, typed on a new phone


def written(phone, group):
    [code] = re.findall(r'id="written">([^<]+)<', phone.post(f"/g/{group.code}/recovery/").content.decode())
    return code


def recovered(code, **more):
    new = Device()
    return new, new.post("/g/recover/", {"code": code} | more)


def test_a_recovery_code_replaces_a_lost_phone(group, phone):
    address = f"/g/{group.code}/"
    assert "Make a recovery code" in phone.get(f"{address}links/").content.decode()
    code = written(phone, group)
    assert re.fullmatch(r"([2-9A-HJKMNP-Z]{4}-){5}[2-9A-HJKMNP-Z]{4}", code)
    assert code not in phone.get(f"{address}links/").content.decode()
    new, answer = recovered(code.lower().replace("-", " "), name="Bob’s new phone")
    assert answer["Location"] == f"{address}who/"
    assert "Thursday" in new.get(address).content.decode()
    assert GroupLink.objects.get(name="Bob’s new phone").role == "member"
    assert phone.get(address).status_code == 200


def test_a_recovery_code_is_stored_as_a_hash_and_shows_its_last_use(group, phone):
    code = written(phone, group)
    assert code.replace("-", "") not in str(vars(RecoveryCode.objects.get()))
    assert "It was last used on" not in phone.get(f"/g/{group.code}/links/").content.decode()
    recovered(code)
    assert "It was last used on" in phone.get(f"/g/{group.code}/links/").content.decode()


def test_older_links_can_be_turned_off_with_the_recovery_code(group, phone):
    viewer = group.link("viewer")
    new, _answer = recovered(written(phone, group), cancel_older="1")
    assert phone.get(f"/g/{group.code}/").status_code == 404
    assert [holder(token).get(group.url).status_code for token in (group.token, viewer)] == [404, 404]
    assert new.get(f"/g/{group.code}/").status_code == 200
    assert GroupLink.objects.filter(revoked__isnull=True).count() == 1


def test_a_new_recovery_code_replaces_the_old_one(group, phone):
    first, second = written(phone, group), written(phone, group)
    assert recovered(first)[1].status_code == 422
    assert recovered(second)[1].status_code == 302
    assert "Make a recovery code" in phone.post(f"/g/{group.code}/recovery/", {"withdraw": "1"}).content.decode()
    assert recovered(second)[1].status_code == 422


def test_a_retried_recovery_gets_the_first_answer(group):
    key = str(uuid4())
    code, again = (make_recovery_code(group.code, Caller(by="Ann", key=key)) for _ in range(2))
    assert again == code
    key = str(uuid4())
    first, second = (recover_group(code, {}, cancel_older=True, key=key) for _ in range(2))
    assert first.token == second.token


def test_a_replaced_recovery_code_is_not_shown_again(group):
    caller = Caller(by="Ann", key=str(uuid4()))
    make_recovery_code(group.code, caller)
    make_recovery_code(group.code, Caller(by="Bob"))
    with pytest.raises(GroupMovedOn):
        make_recovery_code(group.code, caller)


def test_wrong_and_malformed_recovery_codes_are_refused(db):
    for wrong in ("K7PQ-M2XW-3HJ4-89AB-CDEF-GHJK", "nonsense"):
        with pytest.raises(NoSuchRecoveryCode):
            recover_group(wrong, {})
    assert recovered("")[1].status_code == 422


def test_wrong_recovery_codes_count_as_wrong_codes(group, phone, settings):
    settings.WRONG_CODES_PER_HOUR = 3
    code = written(phone, group)
    for letter in "ABC":
        assert recovered(letter * RECOVERY_LENGTH)[1].status_code == 422
    assert recovered(code)[1].status_code == 429
    assert phone.get(f"/g/{group.code}/").status_code == 200
