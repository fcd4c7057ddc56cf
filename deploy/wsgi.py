"""The WSGI application: pages and API without streams, for services that run several processes."""

import os

from django.core.handlers.wsgi import WSGIHandler

from deploy.startup import Wsgi, load_all, over_tls, set_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


def get_application() -> Wsgi:
    set_up()
    handler = over_tls(WSGIHandler())
    load_all()
    return handler


application = get_application()
