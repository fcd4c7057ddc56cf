"""The WSGI application: pages and API without streams, for services that run several processes."""

import gc
import os

from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


def get_application() -> WSGIHandler:
    handler = get_wsgi_application()
    _ = get_resolver().url_patterns  # as in deploy/asgi.py: load all now, and keep it out of the collector's way
    gc.collect()
    gc.freeze()
    return handler


application = get_application()
