"""Migrations match the models, and a database from before 0.1.0 is left untouched."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from deploy.health import what_stands


def test_no_migration_is_missing(db):
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_a_release_starts_on_a_later_releases_database(db):
    MigrationRecorder(connection).record_applied("scoring", "9999_later")
    call_command("migrate", interactive=False, verbosity=0)
    assert what_stands()["migrations"] == "ok"


def test_a_database_made_before_the_first_release_is_left_untouched(db):
    MigrationRecorder(connection).record_applied("scoring", "0002_amendments")
    with pytest.raises(CommandError, match=r"before 0\.1\.0"):
        call_command("migrate", interactive=False, verbosity=0)
