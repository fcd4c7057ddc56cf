"""What belongs to the whole site: its manifest, the worker that serves it offline, what it keeps and for how long."""

import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET
from rjsmin import jsmin

from scoring.services.keys import KEYS_ARE_KEPT

KEPT = (
    "django_htmx/htmx-2.min.js",
    "scoring/app.js",
    "scoring/app.css",
    "scoring/symbols.svg",
    "scoring/icon.svg",
)
"""The files that pages of tables need; they are kept on the device from the first visit on."""
PAPER = "#f4f1ea"
GREEN = "#1d5c4d"


@require_GET
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the app: its name, its colours, its icons."""
    home = reverse("scoring:home")
    manifest = {
        "id": home,
        "lang": get_language(),
        "name": _("Card table"),
        "short_name": _("Card table"),
        "description": _("Keeps the record of card games played with real cards, and knows the rules."),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": GREEN,
        "icons": [
            {"src": static("scoring/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            _icon("icon-192.png", 192),
            _icon("icon-512.png", 512),
            _icon("maskable-192.png", 192, purpose="maskable"),
            _icon("maskable-512.png", 512, purpose="maskable"),
        ],
    }
    return JsonResponse(manifest, content_type="application/manifest+json")


def _icon(name: str, size: int, *, purpose: str = "any") -> dict[str, str]:
    address = static(f"scoring/icons/{name}")
    return {"src": address, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


@require_GET
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Give the service worker. It stands at the root, so it may serve every page."""
    context = {
        "files": json.dumps([static(name) for name in KEPT]),
        "static": json.dumps(settings.STATIC_URL),
        "language": json.dumps(reverse("scoring:language")),
        "offline": json.dumps(reverse("scoring:offline")),
    }
    script = jsmin(render_to_string("scoring/worker.js", context, request))  # remarks need not travel
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_GET
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """Say that there is no network; the worker keeps this page for when it is true."""
    return render(request, "scoring/offline.html")


@require_GET
def privacy_page(request: HttpRequest) -> HttpResponse:
    """Say what is kept where."""
    context = {"days": settings.KEEP_TABLES_DAYS, "keys": KEYS_ARE_KEPT.days}
    return render(request, "scoring/privacy.html", context)
