"""The API of stored tables and groups under /api/v1/: index, OpenAPI schema and its documentation, and all paths."""

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
from scoring.groups.api import archives, groups, history, seasons, statistics
from scoring.rulings.api import disputes, judging
from scoring.tables.api import events, tables


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


# --- Paths


urlpatterns: list[URLPattern] = [
    path("me/", groups.MeView.as_view(), name="me"),
    path("tables/", tables.TablesView.as_view(), name="tables"),
    path("tables/import/", tables.ImportView.as_view(), name="table-import"),
    path("tables/<str:code>/", tables.TableView.as_view(), name="table"),
    path("tables/<str:code>/events/", events.EventsView.as_view(), name="table-events"),
    path("tables/<str:code>/asks/", tables.AsksView.as_view(), name="table-asks"),
    path("tables/<str:code>/undo/", events.UndoView.as_view(), name="table-undo"),
    path("tables/<str:code>/amendments/", events.AmendmentsView.as_view(), name="table-amendments"),
    path("tables/<str:code>/record/", tables.RecordView.as_view(), name="table-record"),
    path("tables/<str:code>/hands/<number:number>/audit/", judging.AuditView.as_view(), name="hand-audit"),
    path("tables/<str:code>/guide/", judging.GuideView.as_view(), name="table-guide"),
    path("tables/<str:code>/what-if/", judging.WhatIfView.as_view(), name="table-what-if"),
    path("tables/<str:code>/disputes/", disputes.DisputesView.as_view(), name="table-disputes"),
    path("tables/<str:code>/disputes/<number:number>/", disputes.DisputeView.as_view(), name="table-dispute"),
    path("tables/<str:code>/disputes/<number:number>/acts/", disputes.DisputeActsView.as_view(), name="dispute-acts"),
    path("tables/<str:code>/links/", tables.LinksView.as_view(), name="table-links"),
    path("tables/<str:code>/links/<number:number>/", tables.LinkView.as_view(), name="table-link"),
    path("tables/<str:code>/requests/", tables.RequestsView.as_view(), name="table-requests"),
    path("tables/<str:code>/requests/<number:number>/", tables.RequestView.as_view(), name="table-request"),
    path(
        "tables/<str:code>/hands/<number:number>/confirmation/",
        events.ConfirmationView.as_view(),
        name="table-confirmation",
    ),
    path("tables/<str:code>/continue/", tables.ContinueView.as_view(), name="table-continue"),
    path("groups/", groups.GroupsView.as_view(), name="groups"),
    path("groups/import/", archives.GroupImportView.as_view(), name="group-import"),
    path("groups/<str:code>/precedents/", disputes.PrecedentsView.as_view(), name="group-precedents"),
    path("groups/<str:code>/precedents/<number:number>/", disputes.PrecedentView.as_view(), name="group-precedent"),
    path("groups/<str:code>/what-if/", judging.SeasonWhatIfView.as_view(), name="group-what-if"),
    path("groups/<str:code>/archive/", archives.ArchiveView.as_view(), name="group-archive"),
    path("groups/<str:code>/", groups.GroupView.as_view(), name="group"),
    path("groups/<str:code>/me/", groups.PhoneView.as_view(), name="group-me"),
    path("groups/<str:code>/links/", groups.GroupLinksView.as_view(), name="group-links"),
    path("groups/<str:code>/links/<number:number>/", groups.GroupLinkView.as_view(), name="group-link"),
    path("groups/<str:code>/people/", groups.PeopleView.as_view(), name="group-people"),
    path("groups/<str:code>/people/<number:number>/", groups.PersonView.as_view(), name="group-person"),
    path("groups/<str:code>/people/<number:number>/merge/", groups.MergeView.as_view(), name="group-merge"),
    path("groups/<str:code>/tables/", history.GroupTablesView.as_view(), name="group-tables"),
    path("groups/<str:code>/titles/", history.GroupTitlesView.as_view(), name="group-titles"),
    path("groups/<str:code>/evenings/", history.GroupEveningsView.as_view(), name="group-evenings"),
    path("groups/<str:code>/evenings/<str:day>/", archives.EveningNoteView.as_view(), name="group-evening-note"),
    path("groups/<str:code>/imports/", archives.ImportsView.as_view(), name="group-imports"),
    path("groups/<str:code>/imports/<number:number>/", archives.ImportView.as_view(), name="past-import"),
    path("groups/<str:code>/seasons/", seasons.SeasonsView.as_view(), name="group-seasons"),
    path("groups/<str:code>/seasons/<number:number>/", seasons.SeasonView.as_view(), name="group-season"),
    path("groups/<str:code>/tonight/", seasons.TonightView.as_view(), name="group-tonight"),
    path("groups/<str:code>/tonight/start/", seasons.StartTonightView.as_view(), name="group-tonight-start"),
    path("groups/<str:code>/statistics/", statistics.StatisticsView.as_view(), name="group-statistics"),
    path("groups/<str:code>/rulings/", history.GroupRulingsView.as_view(), name="group-rulings"),
    path("", IndexView.as_view(), name="index"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", docs_view, name="docs"),
]
