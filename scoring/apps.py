"""The Django application, its system checks, and its refusal of databases from before 0.1.0."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, register
from django.core.checks import Warning as Doubt
from django.db import connections
from django.db.models.signals import pre_migrate
from django.urls import register_converter
from django.urls.converters import IntConverter

from referee.engine.reader import LARGEST_EXACT

BEFORE_RELEASE = "0002_amendments"
"""A migration that only databases from before 0.1.0 have."""
TOO_OLD = (
    "This database was made before 0.1.0 and is left as it is. Start with an empty one (VAR_DIR or DATABASE_URL), and "
    "import what the old version exports: records of tables, archives of groups."
)


class NumberConverter(IntConverter):
    """Path converter for ``<number:seq>``: an integer that JSON represents exactly; larger ones don't match."""

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > LARGEST_EXACT:
            raise ValueError(value)
        return number


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = "Scoring"

    def ready(self) -> None:
        register_converter(NumberConverter, "number")
        if not settings.POCKET:
            import_module("scoring.tables.acts.telling")  # notifies other processes
        pre_migrate.connect(refuse_database_before_release, sender=self)


def refuse_database_before_release(*, using: str, **_: Any) -> None:
    from django.core.management import CommandError  # slow to import, and only needed when migrating

    if made_before_release(using):
        raise CommandError(TOO_OLD)


def made_before_release(using: str) -> bool:
    from django.db.migrations.recorder import MigrationRecorder

    return ("scoring", BEFORE_RELEASE) in MigrationRecorder(connections[using]).applied_migrations()


# --- Checks for `manage.py check --deploy`


NO_ADDRESS = Doubt(
    "PUBLIC_URL is not set, so links and QR codes name whatever address a request came to.",
    hint="Set it to the address that people use, for example PUBLIC_URL=https://cards.example.",
    id="scoring.W001",
)


@register(deploy=True)
def public_address(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    return [] if settings.PUBLIC_URL else [NO_ADDRESS]
