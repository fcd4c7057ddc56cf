"""The ASGI application that the server runs."""

import gc
import os
from pathlib import Path

import django
from django.conf import settings
from django.urls import get_resolver

from deploy.assets import Assets
from deploy.handler import LeanASGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


def get_application() -> Assets:
    django.setup(set_prefix=False)
    from deploy.followers import Followers  # it knows models, which are not there before the setup

    handler = Followers(LeanASGIHandler())
    _ = get_resolver().url_patterns  # load all views now, not while the first guest waits
    # What is loaded by now stays: without it the collector has less to look through in the middle of a request.
    gc.collect()
    gc.freeze()
    return Assets(handler, prefix=settings.STATIC_URL, folder=Path(settings.STATIC_ROOT))


application = get_application()
