"""The WSGI application: pages and API without streams, for services that run several processes."""

import os

from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application

from deploy.startup import load_all

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


def get_application() -> WSGIHandler:
    handler = get_wsgi_application()
    load_all()
    return handler


application = get_application()
