"""Answers that are sent again only when they have changed, by a tag of what they hold."""

from functools import partial
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.template.response import SimpleTemplateResponse
from django.utils.cache import patch_cache_control
from rest_framework.request import Request
from rest_framework.views import APIView

HOUR = 3600
TAGS = ConditionalGetMiddleware(lambda _: HttpResponse())
"""Django's own tags; what stands behind it is not asked, for it is called with the answer."""


class TaggedAPIView(APIView):
    """A view whose answers carry a tag of their content: `If-None-Match` with it is answered by 304.

    `If-Match` is for writing; what is read is read whatever it says.
    """

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        if request.method in ("GET", "HEAD"):
            request.META.pop("HTTP_IF_MATCH", None)
        return super().dispatch(request, *args, **kwargs)

    def finalize_response(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        response: HttpResponseBase = super().finalize_response(request, *args, **kwargs)  # or a file as it is
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            patch_cache_control(response, no_store=True)  # a problem is told anew each time, and has no tag
        elif request.method == "GET":
            if not isinstance(response, SimpleTemplateResponse):
                return TAGS.process_response(request, response)
            response.add_post_render_callback(partial(TAGS.process_response, request))
        return response


class CataloguedAPIView(TaggedAPIView):
    """A view of what changes only with the software: whoever likes may keep the answer for an hour."""

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        if response.status_code == 200:
            patch_cache_control(response, public=True, max_age=HOUR)
        return response
