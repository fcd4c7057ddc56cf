"""Answers that are sent again only when they have changed, by a tag of what they hold."""

from http import HTTPStatus
from typing import Any

from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.utils.cache import get_conditional_response, patch_cache_control, set_response_etag
from rest_framework.request import Request
from rest_framework.views import APIView

HOUR = 3600
DEPENDS_ON = ("Authorization", "Accept-Language")
"""The headers on which any answer may depend: nothing that keeps one gives it to who sends others."""


class TaggedAPIView(APIView):
    """A view whose answers carry a tag of their content: `If-None-Match` with it is answered by 304.

    `If-Match` is for writing; what is read is read whatever it says.
    """

    kept = "no-cache"
    """What whoever keeps an answer is to do, where the view does not say it itself."""
    version: int | None = None
    """What stands before the tag of a content, for `If-Match`."""

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        if request.method in ("GET", "HEAD"):
            request.META.pop("HTTP_IF_MATCH", None)
        return super().dispatch(request, *args, **kwargs)

    def finalize_response(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        response: HttpResponseBase = super().finalize_response(request, *args, **kwargs)  # or a file as it is
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            patch_cache_control(response, no_store=True)  # a problem is told anew each time, and has no tag
        elif request.method in ("GET", "HEAD"):
            response.headers.setdefault("Cache-Control", self.kept)
            if not isinstance(response, SimpleTemplateResponse):
                return self._tagged(request, response)
            response.add_post_render_callback(lambda rendered: self._tagged(request, rendered))
        return response

    def _tagged(self, request: Request, response: Any) -> Any:
        """Return an answer with its tag, or 304 where the caller has it."""
        if response.streaming or "no-store" in response["Cache-Control"]:
            return response
        if "ETag" not in response:
            set_response_etag(response)
            if self.version is not None:
                response["ETag"] = f'"{self.version}-{response["ETag"].strip(chr(34))}"'
        return get_conditional_response(request, etag=response["ETag"], response=response) or response


class CataloguedAPIView(TaggedAPIView):
    """A view of what changes only with the software: whoever likes may keep the answer for an hour."""

    kept = f"public, max-age={HOUR}"
