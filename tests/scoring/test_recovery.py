"""The recovery code of a group: written down once, typed in on a new phone."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from rest_framework.test import APIClient

from scoring.models import GroupLink, RecoveryCode
from scoring.models.table import RECOVERY_LENGTH
from tests.scoring.conftest import holder
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
RECOVER = "/api/v1/groups/recover/"


@pytest.fixture
def group():
    return make_group()


def written(group, **headers):
    answer = group.member.post(f"{group.url}recovery/", headers=headers)
    assert answer.status_code == 201, answer.json()
    return answer.json()["recovery_code"]


def recovered(code, **more):
    return APIClient().post(RECOVER, {"recovery_code": code} | more)


def test_a_new_phone_becomes_a_member_with_the_code(group):
    code = written(group)
    assert re.fullmatch(r"([2-9A-HJKMNP-Z]{4}-){5}[2-9A-HJKMNP-Z]{4}", code)
    answer = recovered(code.lower().replace("-", " "), name="Bob’s new phone")
    assert (answer.status_code, answer.json()["role"]) == (201, "member")
    assert holder(answer.json()["token"]).get(group.url).json()["name"] == "Thursday"
    assert answer.json()["url"].endswith(f"/g/{group.code}/#{answer.json()['token']}")
    assert group.member.get(group.url).status_code == 200


def test_only_its_hash_is_kept_and_when_it_was_used_is_told(group):
    code = written(group)
    kept = RecoveryCode.objects.get()
    assert code.replace("-", "") not in str(vars(kept))
    assert group.member.get(f"{group.url}recovery/").json()["recovery"]["used"] is None
    recovered(code)
    assert group.member.get(f"{group.url}recovery/").json()["recovery"]["used"] is not None


def test_all_older_links_can_be_cancelled_with_it(group):
    viewer = group.link("viewer")
    code = written(group)
    token = recovered(code, cancel_older=True).json()["token"]
    assert group.member.get(group.url).status_code == 404
    assert holder(viewer).get(group.url).status_code == 404
    assert holder(token).get(group.url).status_code == 200
    assert GroupLink.objects.filter(revoked__isnull=True).count() == 1


def test_a_new_code_takes_the_place_of_the_old_one(group):
    old, new = written(group), written(group)
    assert recovered(old).json()["code"] == "no-such-recovery-code"
    assert recovered(new).status_code == 201
    assert group.member.delete(f"{group.url}recovery/").status_code == 204
    assert recovered(new).status_code == 404
    assert group.member.delete(f"{group.url}recovery/").json()["code"] == "no-such-recovery-code"


def test_a_retry_gets_the_first_answer(group):
    key = {"Idempotency-Key": str(uuid4())}
    code = written(group, **key)
    assert written(group, **key) == code
    client, key = APIClient(), {"Idempotency-Key": str(uuid4())}
    first, again = (client.post(RECOVER, {"recovery_code": code, "cancel_older": True}, headers=key) for _ in range(2))
    assert first.json()["token"] == again.json()["token"]
    assert again["Idempotent-Replayed"] == "true"
    assert client.post(RECOVER, {"recovery_code": code}, headers=key).json()["code"] == "key-reused"


def test_a_code_that_was_replaced_meanwhile_is_not_told_again(group):
    key = {"Idempotency-Key": str(uuid4())}
    written(group, **key)
    written(group)
    assert group.member.post(f"{group.url}recovery/", headers=key).json()["code"] == "moved-on"


def test_a_wrong_code_and_none_are_answered_alike(group):
    wrong, shapeless = recovered("K7PQ-M2XW-3HJ4-89AB-CDEF-GHJK"), recovered("nonsense")
    assert {**wrong.json(), "instance": ""} == {**shapeless.json(), "instance": ""}
    assert APIClient().post(RECOVER, {}).status_code == 400


def test_wrong_ones_count_as_wrong_codes_do(group, settings):
    settings.WRONG_CODES_PER_HOUR = 3
    code = written(group)
    for letter in "ABC":
        assert recovered(letter * RECOVERY_LENGTH).status_code == 404
    assert recovered(code).status_code == 429
    assert group.member.get(group.url).status_code == 200


def test_another_site_cannot_try_codes_through_its_visitors(group):
    answer = APIClient().post(RECOVER, {"recovery_code": written(group)}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.json()["code"] == "other-site"


def test_a_drowned_phone_is_replaced_on_the_page():
    old, new = Client(), Client()
    address = old.post("/g/new/", {"name": "Thursday", "people": "Ann, Bob"})["Location"]
    assert "Make a recovery code" in old.get(f"{address}links/").content.decode()
    page = old.post(f"{address}recovery/").content.decode()
    shown = re.search(r'id="written">([^<]+)<', page)
    assert shown is not None
    assert shown[1] not in old.get(f"{address}links/").content.decode()
    assert new.post("/g/recover/", {"code": "K7PQ"}).status_code == 422
    assert new.post("/g/recover/", {"code": shown[1], "name": "Ann", "cancel_older": "1"})["Location"] == address
    assert "Thursday" in new.get(address).content.decode()
    assert old.get(address).status_code == 404
    assert "Make a recovery code" in new.post(f"{address}recovery/", {"withdraw": "1"}).content.decode()
