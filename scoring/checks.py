"""System checks for `manage.py check --deploy`."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, register
from django.core.checks import Warning as Doubt

NO_ADDRESS = Doubt(
    "PUBLIC_URL is not set, so links and QR codes name whatever address a request came to.",
    hint="Set it to the address that people use, for example PUBLIC_URL=https://cards.example.",
    id="scoring.W001",
)


@register(deploy=True)
def public_address(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    return [] if settings.PUBLIC_URL else [NO_ADDRESS]
