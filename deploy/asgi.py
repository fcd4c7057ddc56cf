"""The ASGI application that the server runs."""

import gc
import os

import django
from django.urls import get_resolver

from deploy.handler import LeanASGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


def get_application() -> LeanASGIHandler:
    django.setup(set_prefix=False)
    handler = LeanASGIHandler()
    _ = get_resolver().url_patterns  # load all views now, not while the first guest waits
    # What is loaded by now stays: without it the collector has less to look through in the middle of a request.
    gc.collect()
    gc.freeze()
    return handler


application = get_application()
