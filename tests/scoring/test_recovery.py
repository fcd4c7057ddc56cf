"""A group's recovery code: written down once, typed on a new phone."""

import re
from uuid import uuid4

import pytest

from scoring.groups.acts.group_access import make_recovery_code, recover_group
from scoring.models import GroupLink, RecoveryCode
from scoring.models.table import RECOVERY_LENGTH
from scoring.tables.acts.exceptions import GroupMovedOn, NoSuchRecoveryCode
from scoring.tables.acts.keys import Caller
from tests.scoring.conftest import holder
from tests.scoring.groups import make_group
from tests.scoring.pages.conftest import Device

pytestmark = pytest.mark.django_db


@pytest.fixture
def group():
    return make_group()


@pytest.fixture
def old(group):
    return Device().join(group)


def written(phone, group):
    shown = re.search(r'id="written">([^<]+)<', phone.post(f"/g/{group.code}/recovery/").content.decode())
    assert shown is not None
    return shown[1]


def recovered(code, **more):
    phone = Device()
    return phone, phone.post("/g/recover/", {"code": code} | more)


def test_a_lost_phone_can_be_replaced(group, old):
    address = f"/g/{group.code}/"
    assert "Make a recovery code" in old.get(f"{address}links/").content.decode()
    code = written(old, group)
    assert re.fullmatch(r"([2-9A-HJKMNP-Z]{4}-){5}[2-9A-HJKMNP-Z]{4}", code)
    assert code not in old.get(f"{address}links/").content.decode()
    new, answer = recovered(code.lower().replace("-", " "), name="Bob’s new phone")
    assert answer["Location"] == f"{address}who/"
    assert "Thursday" in new.get(address).content.decode()
    assert GroupLink.objects.get(name="Bob’s new phone").role == "member"
    assert old.get(address).status_code == 200


def test_a_recovery_code_is_stored_as_a_hash_and_shows_its_last_use(group, old):
    code = written(old, group)
    assert code.replace("-", "") not in str(vars(RecoveryCode.objects.get()))
    assert "It was last used on" not in old.get(f"/g/{group.code}/links/").content.decode()
    recovered(code)
    assert "It was last used on" in old.get(f"/g/{group.code}/links/").content.decode()


def test_older_links_can_be_turned_off_with_the_recovery_code(group, old):
    viewer = group.link("viewer")
    new, _answer = recovered(written(old, group), cancel_older="1")
    assert old.get(f"/g/{group.code}/").status_code == 404
    assert [holder(token).get(group.url).status_code for token in (group.token, viewer)] == [404, 404]
    assert new.get(f"/g/{group.code}/").status_code == 200
    assert GroupLink.objects.filter(revoked__isnull=True).count() == 1


def test_a_new_code_replaces_the_old_one(group, old):
    first, second = written(old, group), written(old, group)
    assert recovered(first)[1].status_code == 422
    assert recovered(second)[1].status_code == 302
    assert "Make a recovery code" in old.post(f"/g/{group.code}/recovery/", {"withdraw": "1"}).content.decode()
    assert recovered(second)[1].status_code == 422


def test_a_retry_gets_the_first_answer(group):
    key = str(uuid4())
    code, again = (make_recovery_code(group.code, Caller(by="Ann", key=key)) for _ in range(2))
    assert again == code
    key = str(uuid4())
    first, second = (recover_group(code, {}, cancel_older=True, key=key) for _ in range(2))
    assert first.token == second.token


def test_a_replaced_code_is_not_shown_again(group):
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


def test_wrong_recovery_codes_count_as_wrong_codes(group, old, settings):
    settings.WRONG_CODES_PER_HOUR = 3
    code = written(old, group)
    for letter in "ABC":
        assert recovered(letter * RECOVERY_LENGTH)[1].status_code == 422
    assert recovered(code)[1].status_code == 429
    assert old.get(f"/g/{group.code}/").status_code == 200
