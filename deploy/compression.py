"""Pages go over the wire compressed; what streams and what machines read goes as it is."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = ("text/html", "text/javascript", "application/manifest+json")


class PageCompression(GZipMiddleware):
    """Compresses pages. Their form tokens are masked anew each time, and each answer is padded at random (BREACH)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(TEXTS):
            return response
        return super().process_response(request, response)
