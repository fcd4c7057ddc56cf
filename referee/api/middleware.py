"""What holds for every request under ``/api/``, also where no view is reached."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import Any, final

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from referee.api.caching import DEPENDS_ON
from referee.api.parameters import refuse_parameters
from referee.api.problems import MEDIA_TYPE, ProblemResponse, status_problem

PREFIX = "/api/"


class EitherWay(ABC):
    """A part that every request passes, whether threads or one loop answer it.

    Django's ``sync_and_async_middleware`` is for functions that make a part, each of which asks anew what is wanted;
    its ``MiddlewareMixin`` takes a thread for what a part does under a loop.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    @abstractmethod
    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer a request, or return what will, where one loop answers all."""


@final
class ApiMiddleware(EitherWay):
    """Bounds the body, and turns every error that Django itself answers into a problem."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if not request.path_info.startswith(PREFIX):
            answer: HttpResponseBase | Awaitable[HttpResponseBase] = self.get_response(request)
            return answer
        if self.is_async:
            return self._answer_async(request)
        return named(request, refuse_early(request) or as_problem(self.get_response(request)))

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], _args: object, _named: Mapping[str, object]
    ) -> HttpResponseBase | None:
        """Refuse parameters that the view of this request does not take."""
        return refuse_parameters(request, view) if request.path_info.startswith(PREFIX) else None

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        return named(request, refuse_early(request) or as_problem(await self.get_response(request)))


def named(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response; it depends on who asks, and in which language. A problem names its request."""
    patch_vary_headers(response, DEPENDS_ON)
    if isinstance(response, ProblemResponse):
        response.name_request(request, getattr(request, "request_id", ""))
    return response


def refuse_early(request: HttpRequest) -> ProblemResponse | None:
    """Refuse what needs no view: a body that is too large, an address without its last slash."""
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    length = request.META.get("CONTENT_LENGTH") or ""
    if length.isdecimal() and (len(length) > 18 or int(length) > most):
        return status_problem(413)
    if not length and "HTTP_TRANSFER_ENCODING" in request.META and _take_chunks(request) > most:
        return status_problem(413)
    if request.method not in ("GET", "HEAD") and not request.path_info.endswith("/"):
        detail = f"Every address of this API ends with a slash; nothing was done. Send it to {request.path_info}/."
        return ProblemResponse(404, "no-slash", detail)
    return None


def _take_chunks(request: HttpRequest) -> int:
    """Read a body that came in chunks, so that it has a length like any other; return it."""
    environ = getattr(request, "environ", None)
    source = environ["wsgi.input"] if environ else request._stream
    body = source.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    request._stream = BytesIO(body)
    request.META["CONTENT_LENGTH"] = str(len(body))
    return len(body)


def as_problem(response: HttpResponseBase) -> HttpResponseBase:
    """Return the response, or the problem that says the same where Django answered by itself."""
    if response.status_code < 400 or response.get("Content-Type") == MEDIA_TYPE:
        return response
    problem = status_problem(response.status_code)
    if "Allow" in response:
        problem["Allow"] = response["Allow"]
    logged = getattr(response, "_has_been_logged", False)
    problem._has_been_logged = logged  # once, with what was raised
    return problem
