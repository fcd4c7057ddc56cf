"""URL routes: API under /api/v1/, health checks under /health/, pages at the root, well-known paths."""

from django.conf import settings
from django.urls import include, path

from scoring.operating.pages import site
from scoring.operating.pages.components import components

urlpatterns = [
    # Frequent routes first: every route before them is tried for each card.
    path("api/v1/", include("scoring.api_urls")),
    path("api/v1/", include("scoring.tables.live.views")),
    path("health/", include("scoring.operating.pages.health")),
    path(".well-known/security.txt", site.security_txt, name="security-txt"),
    path("robots.txt", site.robots_txt, name="robots-txt"),
    path("favicon.ico", site.favicon, name="favicon"),
    path("api/v1/", include("referee.api.views")),
    path("_components/", components, name="components"),
    path("", include("scoring.page_urls")),
]

if settings.ADMIN:
    from django.contrib import admin

    urlpatterns.insert(0, path("admin/", admin.site.urls))

handler400 = "scoring.operating.pages.site.not_understood"
handler403 = "scoring.operating.pages.site.refused"
handler404 = "scoring.operating.pages.site.not_found"
handler500 = "scoring.operating.pages.site.broken"
