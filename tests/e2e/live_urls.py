"""The smallest page that follows a table: it shows only the version. Everything else is the product's."""

import os

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.templatetags.static import static
from django.urls import include, path, reverse

from scoring.models import Table


def fragment(request: HttpRequest, code: str) -> HttpResponse:
    if os.path.exists(os.environ["VAR_DIR"] + "/broken"):
        return HttpResponse("broken on purpose", status=500)
    version = get_object_or_404(Table, code=code).version
    return HttpResponse(
        f'<p id="table" data-version="{version}" hx-get="{reverse("fragment", args=[code])}" hx-swap="outerHTML"'
        f' hx-trigger="table-changed from:body">Version {version}</p>'
    )


def page(request: HttpRequest, code: str) -> HttpResponse:
    scripts = (
        f'<script src="{static("django_htmx/htmx-2.min.js")}" defer></script>'
        f'<script src="{static("scoring/live.js")}" type="module"></script>'
    )
    config = '{"allowEval":false,"includeIndicatorStyles":false}'
    return HttpResponse(
        f"<!doctype html><title>Live</title><meta name='htmx-config' content='{config}'>{scripts}"
        f'<body data-stream="{reverse("table-stream", args=[code])}">{fragment(request, code).content.decode()}</body>'
    )


urlpatterns = [
    path("live/<str:code>/fragment/", fragment, name="fragment"),
    path("live/<str:code>/", page),
    path("", include("deploy.urls")),
]
