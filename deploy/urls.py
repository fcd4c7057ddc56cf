"""Every path of the product: the API under /api/v1/, whether all is well under /health/, the pages at the root, and
what programs look for at fixed addresses."""

from django.conf import settings
from django.urls import include, path

urlpatterns = [
    # What is asked for most comes first: whatever stands before it is tried for every card.
    path("api/v1/", include("scoring.api.urls")),
    path("api/v1/", include("scoring.live.urls")),
    path("health/", include("deploy.health")),
    path("", include("deploy.plain_texts")),
    path("api/v1/", include("deploy.docs")),
    path("api/v1/", include("referee.api.urls")),
    path("", include("scoring.pages.urls")),
]

if settings.ADMIN:
    from django.contrib import admin

    urlpatterns.insert(0, path("admin/", admin.site.urls))

handler400 = "scoring.pages.views.errors.not_understood"
handler403 = "scoring.pages.views.errors.refused"
handler404 = "scoring.pages.views.errors.not_found"
handler500 = "scoring.pages.views.errors.broken"
