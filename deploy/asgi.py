"""The ASGI application that the server runs."""

import os
from pathlib import Path

from django.conf import settings

from deploy.assets import Assets
from deploy.handler import LeanASGIHandler
from deploy.measuring import Measured, metrics_are_kept
from deploy.public_address import OverTls
from deploy.startup import load_all, set_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


def get_application() -> OverTls | Measured:
    set_up()
    handler = LeanASGIHandler()
    load_all()
    application = OverTls(Assets(handler, prefix=settings.STATIC_URL, folder=Path(settings.STATIC_ROOT)))
    return Measured(application) if settings.ACCESS_LOG or metrics_are_kept() else application


application = get_application()
