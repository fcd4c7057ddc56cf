"""The ASGI application that the server runs."""

import os
from pathlib import Path

import django
from django.conf import settings

from deploy.assets import Assets
from deploy.handler import LeanASGIHandler
from deploy.startup import load_all

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


def get_application() -> Assets:
    django.setup(set_prefix=False)
    from deploy.followers import Followers  # it knows models, which are not there before the setup

    handler = Followers(LeanASGIHandler())
    load_all()
    return Assets(handler, prefix=settings.STATIC_URL, folder=Path(settings.STATIC_ROOT))


application = get_application()
