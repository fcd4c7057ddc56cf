"""Who may watch a table, and with which link."""

import pytest
from django.test import RequestFactory
from django.utils import timezone
from rest_framework.exceptions import NotFound

from scoring.tables.acts.access import cookie_for, new_secret, put_on_device
from scoring.tables.acts.opening import create_table
from scoring.tables.live.views import UnknownToken, admit_watcher
from tests.scoring.live.driving import NEW_TABLE

pytestmark = pytest.mark.django_db


@pytest.fixture
def opened():
    return create_table(NEW_TABLE)


def request(*, bearer="", cookies=()):
    made = RequestFactory().get("/", headers={"Authorization": bearer} if bearer else {})
    made.COOKIES.update(cookies)
    return made


@pytest.fixture
def phone(opened):
    """The cookie of a phone with this table's link."""
    secret = new_secret()
    put_on_device(secret, opened.table, opened.token)
    return [cookie_for(secret)]


def test_the_code_alone_suffices(opened):
    assert admit_watcher(request(), opened.table.code)[1] is None


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_a_token_in_the_header_identifies_its_link(opened, scheme):
    link = admit_watcher(request(bearer=f"{scheme} {opened.token}"), opened.table.code)[1]
    assert link == opened.table.links.get()


def test_a_device_watches_through_its_link(opened, phone):
    assert admit_watcher(request(cookies=phone), opened.table.code)[1] == opened.table.links.get()


def test_a_revoked_token_in_the_header_opens_nothing(opened):
    opened.table.links.update(revoked=timezone.now())
    with pytest.raises(UnknownToken):
        admit_watcher(request(bearer=f"Bearer {opened.token}"), opened.table.code)


def test_a_revoked_device_keeps_only_public_access(opened, phone):
    opened.table.links.update(revoked=timezone.now())
    assert admit_watcher(request(cookies=phone), opened.table.code)[1] is None


@pytest.mark.parametrize("asked", [{}, {"bearer": "Bearer wrong"}, {"bearer": "Basic eDp5"}])
def test_eve_cannot_watch_a_private_table(opened, asked):
    opened.table.private = True
    opened.table.save()
    with pytest.raises(NotFound):
        admit_watcher(request(**asked), opened.table.code)
    assert admit_watcher(request(bearer=f"Bearer {opened.token}"), opened.table.code)[1] is not None


def test_other_authorization_schemes_are_ignored(opened):
    assert admit_watcher(request(bearer="Basic eDp5"), opened.table.code)[1] is None
