"""The schema and the browsable page of it."""

from functools import cache
from typing import Any

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import URLPattern, path, reverse
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import OpenApiResponse, extend_schema
from drf_spectacular.views import SCHEMA_KWARGS, SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.caching import CataloguedAPIView
from referee.api.views.questions import VIEWS
from referee.engine.shapes import ref


class SchemaView(CataloguedAPIView, SpectacularAPIView):
    """The schema as JSON, like everything else here; as YAML for who asks for it."""

    renderer_classes = [OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer, OpenApiYamlRenderer2]

    @extend_schema(**SCHEMA_KWARGS)
    def get(self, request: Request) -> Response:
        kind = request.accepted_renderer.format
        headers = {"Content-Disposition": f'inline; filename="card-table.{kind}"'}
        return Response(whole_schema(), headers=headers)


@cache
def whole_schema() -> Any:
    """Return the schema, made once: it takes a quarter of a second, in which every card would wait."""
    made: Any = SpectacularAPIView.generator_class()
    return made.get_schema(public=True)


class IndexView(CataloguedAPIView):
    """What there is, for whoever comes to the API first."""

    @extend_schema(
        operation_id="get_index",
        summary="Where everything is",
        description="Addresses by name: the first thing to ask for, and the only address that a program has to know.",
        tags=["catalogue"],
        responses={200: OpenApiResponse(ref("Index"), "The addresses")},
    )
    def get(self, request: Request) -> Response:
        asked = {name: reverse(f"ask-{name}") for name in VIEWS}
        return Response({"version": "1", "links": {name: reverse(name) for name in LINKS}, "questions": asked})


LINKS = ("games", "decks", "judge", "tables", "table-import", "groups", "schema", "docs", "problems")
# The documentation page styles itself from JavaScript; scripts stay as restricted there as everywhere.
docs_view = csp_update({"style-src": [UNSAFE_INLINE]})(SpectacularSwaggerSplitView.as_view())

urlpatterns: list[URLPattern] = [
    path("", IndexView.as_view(), name="index"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", docs_view, name="docs"),
]
