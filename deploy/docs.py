"""OpenAPI schema and its browsable documentation."""

import gzip
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import Annotated, Any, NamedTuple, TypedDict

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.apps import apps
from django.http import HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.cache import patch_vary_headers
from django.views.generic import RedirectView
from drf_spectacular import renderers
from drf_spectacular.utils import OpenApiResponse, extend_schema
from drf_spectacular.views import SCHEMA_KWARGS, SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.middleware import CataloguedAPIView
from referee.api.requests import takes_parameters
from referee.api.schema import operation
from referee.api.views import VIEWS


class OpenApiJson(renderers.OpenApiJsonRenderer):
    get_indent = JSONRenderer.get_indent  # compact, half the size


class PlainJson(OpenApiJson):
    media_type = "application/json"


class SchemaView(CataloguedAPIView, SpectacularAPIView):
    """Serves the OpenAPI schema as JSON or YAML, built and compressed once per process."""

    costly = True
    renderer_classes = [
        OpenApiJson,
        PlainJson,
        renderers.OpenApiYamlRenderer,
        renderers.OpenApiYamlRenderer2,
    ]

    @extend_schema(**SCHEMA_KWARGS)
    def get(self, request: Request) -> HttpResponse:
        kind, written = request.accepted_renderer.format, schema_as(request.accepted_renderer)
        headers = {"Content-Disposition": f'inline; filename="card-table.{kind}"', "ETag": f'"{written.tag}"'}
        body = written.plain
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            body = written.small
            headers |= {"Content-Encoding": "gzip", "ETag": f'W/"{written.tag}"'}
        answer = HttpResponse(body, content_type=request.accepted_media_type, headers=headers)
        patch_vary_headers(answer, ("Accept-Encoding",))
        return answer


class Written(NamedTuple):
    """A rendered schema: plain bytes, gzipped bytes, and the tag for their ETags."""

    plain: bytes
    small: bytes
    tag: str


_making = Lock()
_written: dict[str, Written] = {}


def schema_as(renderer: BaseRenderer) -> Written:
    """Render the schema once per format; concurrent callers wait for the first."""
    with _making:
        if renderer.format not in _written:
            plain = renderer.render(whole_schema(), renderer.media_type, {})
            _written[renderer.format] = Written(plain, gzip.compress(plain, mtime=0), sha256(plain).hexdigest()[:32])
        return _written[renderer.format]


@cache
def whole_schema() -> Any:
    made: Any = SpectacularAPIView.generator_class()
    return made.get_schema(public=True)


class Index(TypedDict):
    """Entry points of the API by name."""

    version: Annotated[str, {"const": "1"}]
    links: dict[str, str]
    questions: dict[str, str]


class IndexView(CataloguedAPIView):
    @operation(
        "get_index", "The entry points of the API", {200: OpenApiResponse(Index, "The addresses")}, tags=["catalogue"]
    )
    def get(self, request: Request) -> Response:
        """Addresses by name. Start here: a client needs to know no other address."""
        questions = {name: reverse(f"ask-{name}") for name in VIEWS}
        return Response({"version": "1", "links": {name: reverse(name) for name in LINKS}, "questions": questions})


LINKS = ("games", "judge", "tables", "table-import", "groups", "me", "schema", "docs", "problems")
# The documentation page sets styles from JavaScript; its scripts stay restricted as everywhere. Without its optional
# packages (requirements-docs.txt), the address redirects to the schema.
docs_view = (
    takes_parameters("script")(csp_update({"style-src": [UNSAFE_INLINE]})(SpectacularSwaggerSplitView.as_view()))
    if apps.is_installed("drf_spectacular_sidecar")
    else RedirectView.as_view(pattern_name="schema")
)

urlpatterns: list[URLPattern] = [
    path("", IndexView.as_view(), name="index"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", docs_view, name="docs"),
]
