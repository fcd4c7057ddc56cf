"""What is kept where, and for how long."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scoring.services.keys import KEYS_ARE_KEPT


@require_GET
def privacy_page(request: HttpRequest) -> HttpResponse:
    """Say what is kept where."""
    context = {"days": settings.KEEP_TABLES_DAYS, "keys": KEYS_ARE_KEPT.days}
    return render(request, "scoring/privacy.html", context)
