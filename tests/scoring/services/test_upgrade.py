"""A database of an earlier release: what lay in it is there afterwards, and a phone goes on with its old cookie."""

from collections.abc import Iterator

import pytest
from django.core import signing
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from scoring.models import DeviceTable, SecretChoice, Table
from scoring.services.devices import OLD_COOKIE, OLD_SALT, put_on_device
from scoring.services.tables import create_table
from tests.scoring.conftest import ACE_TRUMP

BEFORE_DEVICES = ("scoring", "0007_choosing")


@pytest.fixture
def _migrated(transactional_db: None) -> Iterator[None]:
    yield
    call_command("migrate", "scoring", verbosity=0)


@pytest.mark.usefixtures("_migrated")
def test_tables_links_and_choices_are_there_after_the_upgrade():
    opened = create_table(ACE_TRUMP)
    table, link = opened.table, opened.table.links.get()
    executor = MigrationExecutor(connection)
    executor.migrate([BEFORE_DEVICES])
    old = executor.loader.project_state([BEFORE_DEVICES]).apps.get_model("scoring", "SecretChoice")
    old.objects.create(table_id=table.pk, hand=0, seat=1, link_id=link.pk, by="player-1", event={"type": "note"})
    call_command("migrate", "scoring", verbosity=0)
    choice = SecretChoice.objects.get()
    assert (choice.by, choice.event, choice.device) == ("player-1", {"type": "note"}, None)
    assert [each.token_hash for each in Table.objects.get().links.all()] == [link.token_hash]
    phone = Client()
    phone.cookies[OLD_COOKIE] = signing.dumps([(table.code, opened.token)], salt=OLD_SALT, compress=True)
    tap = {"event": "play", "seat": "0", "cards": "8MS"}
    assert phone.post(f"/t/{table.code}/record/", tap).status_code == 302


@pytest.mark.usefixtures("_migrated")
def test_what_lies_face_down_belongs_to_the_device_it_was_made_on_after_the_upgrade():
    opened = create_table(ACE_TRUMP)
    put_on_device("secret", opened.table, opened.token)
    executor = MigrationExecutor(connection)
    executor.migrate([("scoring", "0008_devices")])
    held = DeviceTable.objects.get()
    old = executor.loader.project_state([("scoring", "0008_devices")]).apps.get_model("scoring", "SecretChoice")
    for seat, row in enumerate((held.pk, None)):
        old.objects.create(table_id=opened.table.pk, hand=0, seat=seat, device_table_id=row, event={"type": "note"})
    call_command("migrate", "scoring", verbosity=0)
    assert [each.device_id for each in SecretChoice.objects.order_by("seat")] == [held.device_id, None]
