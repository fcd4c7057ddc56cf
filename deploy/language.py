"""In which language a request is answered: pages in that of their device, the API always in English."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate

from referee.api.middleware import PREFIX

API = "en"


class Language(LocaleMiddleware):
    """Django's own, which knows no part of a site that has one language, and lets any cache keep what it answers.

    Programs read codes, and the sentences beside them are for whoever writes the program; a page is for its own device.
    """

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info.startswith(PREFIX):
            activate(API)
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path_info.startswith(PREFIX):
            response.headers.setdefault("Content-Language", API)
            return response
        response.headers.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(response, ("Cookie",))
        return super().process_response(request, response)
