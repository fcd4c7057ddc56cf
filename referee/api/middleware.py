"""Limits and conditional requests for everything under ``/api/``."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from io import BytesIO
from time import thread_time
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers, set_response_etag
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from referee.api.problems import MEDIA_TYPE, ProblemResponse, status_problem, told
from referee.api.requests import Limit, refuse_parameters, tell_limits
from referee.engine.texts import phrase

HOUR = 3600
DEPENDS_ON = ("Authorization", "Accept-Language")
"""Request headers listed in ``Vary`` of every answer."""


class TaggedAPIView(APIView):
    """A view whose answers carry an ETag for `If-None-Match`; `If-Match` is for writes only."""

    kept = "no-cache"  # Cache-Control of answers whose view sets none
    version: int | None = None  # precedes the hash in the ETag, for `If-Match`

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        if request.method in ("GET", "HEAD"):
            request.META.pop("HTTP_IF_MATCH", None)
        return super().dispatch(request, *args, **kwargs)

    def finalize_response(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        response: HttpResponseBase = super().finalize_response(request, *args, **kwargs)  # DRF's, or a file response
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            patch_cache_control(response, no_store=True)  # problems are not cached and have no tag
        elif request.method in ("GET", "HEAD"):
            response.headers.setdefault("Cache-Control", self.kept)
            if not isinstance(response, SimpleTemplateResponse):
                return self._tagged(request, response)
            response.add_post_render_callback(lambda rendered: self._tagged(request, rendered))
        return response

    def _tagged(self, request: Request, response: Any) -> Any:
        """Return a response with its ETag, or 304 if the client has it."""
        if response.streaming or "no-store" in response["Cache-Control"]:
            return response
        if "ETag" not in response:
            set_response_etag(response)
            if self.version is not None:
                response["ETag"] = f'"{self.version}-{response["ETag"].strip(chr(34))}"'
        return get_conditional_response(request, etag=response["ETag"], response=response) or response


class CataloguedAPIView(TaggedAPIView):
    """A view whose answers change only with a release; clients may cache them for an hour."""

    kept = f"public, max-age={HOUR}"


class ThrottledAPIView(APIView):
    """A view limited by the processor time of its answers."""

    costly = False  # whether an answer can take seconds; it is then computed beside the thread that records cards

    def get_throttles(self) -> list[BaseThrottle]:
        limits = (throttle for throttle in super().get_throttles() if isinstance(throttle, Limit))
        self._limits = [limit for limit in limits if limit.applies_to(self)]
        self._began = thread_time() if self._limits else 0.0
        return [*self._limits]

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        fields = []
        for limit in getattr(self, "_limits", ()):
            limit.settle(request, answer, thread_time() - self._began)
            fields.append(limit.fields(request))
        tell_limits(answer, fields)
        return answer


class CostlyAPIView(ThrottledAPIView):
    costly = True


PREFIX = "/api/"


class EitherWay:
    """Base class of middleware for threads and event loops; ``MiddlewareMixin`` would run hooks in a thread."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self._answer_async(request)
        return self.after(request, self.before(request) or self.get_response(request))

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        return self.after(request, self.before(request) or await self.get_response(request))

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        """Return a response to answer the request without calling the view."""

    def after(self, request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
        """Return the response to send."""
        return answer


class ApiMiddleware(EitherWay):
    """Limits request bodies, and turns Django's own errors into problems."""

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        """Refuse bodies that are too large, and writes to an address without its trailing slash."""
        if not request.path_info.startswith(PREFIX):
            return None
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        length = request.META.get("CONTENT_LENGTH") or ""
        if not length and "HTTP_TRANSFER_ENCODING" in request.META:
            # Read a chunked body, so that it has a length like any other.
            environ = getattr(request, "environ", None)
            body = (environ["wsgi.input"] if environ else request._stream).read(most + 1)
            request._stream = BytesIO(body)
            request.META["CONTENT_LENGTH"] = length = str(len(body))
        if length.isdecimal() and (len(length) > 18 or int(length) > most):
            return status_problem(413)
        if request.method not in ("GET", "HEAD") and not request.path_info.endswith("/"):
            detail = "Every address of this API ends with a slash; nothing was done. Send it to {address}."
            return ProblemResponse(404, "no-slash", told(phrase(detail, address=f"{request.path_info}/")))
        return None

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], _args: object, _named: Mapping[str, object]
    ) -> HttpResponseBase | None:
        return refuse_parameters(request, view) if request.path_info.startswith(PREFIX) else None

    def after(self, request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
        """Turn errors that Django answered itself into problems; set ``Vary`` on every response."""
        if not request.path_info.startswith(PREFIX):
            return answer
        if answer.status_code >= HTTPStatus.BAD_REQUEST and answer.get("Content-Type") != MEDIA_TYPE:
            problem = status_problem(answer.status_code)
            if "Allow" in answer:
                problem["Allow"] = answer["Allow"]
            problem._has_been_logged = getattr(answer, "_has_been_logged", False)  # log the error only once
            answer = problem
        patch_vary_headers(answer, DEPENDS_ON)
        if isinstance(answer, ProblemResponse):
            answer.name_request(request, getattr(request, "request_id", ""))
        return answer
