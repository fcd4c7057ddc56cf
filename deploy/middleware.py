"""Middleware for every request: ids, language, compression, security headers, cookies, and early rejection."""

import logging
from contextlib import suppress
from functools import cache, cached_property
from http import HTTPStatus

from csp.constants import HEADER as POLICY
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.exceptions import BadRequest, DisallowedHost
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import activate, get_language
from django.utils.translation.trans_real import get_supported_language_variant, parse_accept_lang_header

from deploy.logs import HEADER, begin_request
from referee.api.middleware import PREFIX, EitherWay
from referee.api.problems import MEDIA_TYPE as PROBLEM
from referee.api.problems import ProblemResponse
from scoring.tables.presenters.formats import day_first, reads_day_first, spoken

logger = logging.getLogger(__name__)
API = "en"
DESCRIPTIONS = ("/v1/docs/", "/v1/problems/", "/v1/schema/")
COMPRESSED = ("text/", "application/json", PROBLEM, "application/manifest+json", "application/vnd.oai")
OWN_READERS = (PREFIX, "/import/")  # their own parsers report the position of a NUL in a body
PAGE = "document"  # the destination of a request that opens a page
LONGEST_HOST = 253 + len(":65535")  # the longest DNS name, and a port


class RequestIds(EitherWay):
    """Adds a request id, the client's or a new one, to the response and the log."""

    def before(self, request: HttpRequest) -> None:
        named = begin_request(request.headers.get(HEADER, ""))
        request.request_id = named  # type: ignore[attr-defined]  # for what answers, which knows no deployment

    def after(self, request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
        answer[HEADER] = vars(request)["request_id"]
        return answer


class Language(LocaleMiddleware):
    """Django's middleware, with rules for API clients and caches.

    API clients have no cookie: they get the language they ask for, or English. Pages are marked private, so shared
    caches do not store them.
    """

    def process_request(self, request: HttpRequest) -> None:
        day_first.set(reads_day_first(request.headers.get("Accept-Language", "")))
        if request.path_info.startswith(PREFIX):
            activate(_wanted_language(request))
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        activate(spoken())  # without the wording of a single game
        if request.path_info.startswith(PREFIX):
            response.headers.setdefault("Content-Language", get_language() or API)
            return response
        response.headers.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(response, ("Cookie",))
        return super().process_response(request, response)


def _wanted_language(request: HttpRequest) -> str:
    """The API language: the best match for ``Accept-Language``, else English; the schema is always English."""
    if request.path_info.endswith(DESCRIPTIONS):
        return API
    for code, weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        with suppress(LookupError):  # an unsupported language: try the next
            if weight:
                return get_supported_language_variant(code)
    return API


class Compression(GZipMiddleware):
    """Compresses pages and API responses, except streams and responses that contain a secret.

    Compressed sizes must not reveal secrets (BREACH): API responses with a token are ``no-store`` and not compressed,
    form tokens are masked differently on each page, and every response gets random padding. The API ignores cookies, so
    another site cannot trigger responses with a visitor's rights.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.get("Content-Type", "")
        if response.status_code == HTTPStatus.NOT_MODIFIED:  # a 304 must repeat the Vary of the full response
            patch_vary_headers(response, ("Accept-Encoding",))
        if response.streaming or not kind.startswith(COMPRESSED):
            return response
        is_answer = request.path_info.startswith(PREFIX) and not kind.startswith(PROBLEM)
        if is_answer and "no-store" in response.get("Cache-Control", ""):
            return response
        return super().process_response(request, response)


class ContentPolicy(CSPMiddleware):
    """Sets the Content-Security-Policy; the default policy is built once."""

    @cached_property
    def _usual(self) -> str:
        return str(super().process_response(HttpRequest(), HttpResponse())[POLICY])

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if POLICY in response or any(name.startswith("_csp") for name in (*vars(response), *vars(request))):
            return super().process_response(request, response)
        response[POLICY] = self._usual
        return response


class Cookies(MiddlewareMixin):
    """Marks cookies secure over TLS, and renews the device cookie only when a page is opened."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.headers.get("Sec-Fetch-Dest", PAGE) != PAGE:
            for name, cookie in list(response.cookies.items()):
                if request.COOKIES.get(name) == cookie.value:
                    del response.cookies[name]
        if request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        return response


class OddRequests(MiddlewareMixin):
    """Answers malformed requests with 400 before any view reads them.

    These are plain HTTP sent to the API of a TLS site, invalid host names, and NUL in a path, query or form, which no
    database stores.
    """

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        if settings.SECURE_SSL_REDIRECT and request.path_info.startswith(PREFIX) and not request.is_secure():
            return ProblemResponse(400, "bad-request", f"This API is asked over TLS: {settings.PUBLIC_URL}/api/v1/.")
        if not settings.PROXIES and "HTTP_X_FORWARDED_FOR" in request.META:
            warn_of_proxy()
        try:
            host = request.get_host()
        except DisallowedHost:
            raise BadRequest("This is not the name of this server.") from None
        if len(host) > LONGEST_HOST:
            raise BadRequest("No host has a name of this length.")
        api = request.path_info.startswith(PREFIX)  # there, an unknown address answers 404 like any other
        form = request.method == "POST" and not request.path_info.startswith(OWN_READERS)
        if ("\0" in request.path_info and not api) or _has_nul(request.GET) or (form and _has_nul(request.POST)):
            raise BadRequest("NUL is no character of any text.")
        return None


@cache
def warn_of_proxy() -> None:
    logger.warning(
        "Requests come through a proxy (X-Forwarded-For), but PROXIES is 0, so all its clients count as one address."
        " Set PROXIES=1 if the proxy is yours."
    )


def _has_nul(values: QueryDict) -> bool:
    return any("\0" in text for name, several in values.lists() for text in (name, *several))
