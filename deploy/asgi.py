"""The ASGI application that the server runs."""

import os
from pathlib import Path

from django.conf import settings

from deploy.assets import Assets
from deploy.handler import LeanASGIHandler
from deploy.public_address import OverTls
from deploy.startup import load_all, set_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


def get_application() -> OverTls:
    set_up()
    from deploy.followers import Followers  # it knows models, which are not there before the setup

    handler = Followers(LeanASGIHandler())
    load_all()
    return OverTls(Assets(handler, prefix=settings.STATIC_URL, folder=Path(settings.STATIC_ROOT)))


application = get_application()
