"""Answers that are sent again only when they have changed, by a tag of what they hold."""

from http import HTTPStatus
from typing import Any

from django.utils.cache import patch_cache_control
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from rest_framework.views import APIView

HOUR = 3600


@method_decorator(conditional_page, name="dispatch")
class TaggedAPIView(APIView):
    """A view whose answers carry a tag of their content: `If-None-Match` with it is answered by 304."""

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            patch_cache_control(response, no_store=True)  # a problem is told anew each time, and has no tag
        return response


class CataloguedAPIView(TaggedAPIView):
    """A view of what changes only with the software: whoever likes may keep the answer for an hour."""

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        if response.status_code == 200:
            patch_cache_control(response, public=True, max_age=HOUR)
        return response
