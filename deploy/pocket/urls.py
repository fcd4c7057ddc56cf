"""The paths of the pocket: every page, and a copy of all that is kept."""

from django.urls import include, path

from deploy.pocket import copies
from scoring.operating.pages import site

urlpatterns = [
    path("favicon.ico", site.favicon, name="favicon"),
    path("copies/", copies.copies, name="pocket-copies"),
    path("copies/copy/", copies.copy, name="pocket-copy"),
    path("", include("scoring.page_urls")),
]

handler400 = "scoring.operating.pages.site.not_understood"
handler403 = "scoring.operating.pages.site.refused"
handler404 = "scoring.operating.pages.site.not_found"
handler500 = "scoring.operating.pages.site.broken"
