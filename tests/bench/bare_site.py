"""A site with one empty view: the least that a Django server starts."""

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="none")


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse("")


urlpatterns = [path("api/v1/games/", empty)]
application = get_wsgi_application()
