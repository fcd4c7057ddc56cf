"""The schema and the browsable page of it."""

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import URLPattern, path
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView


class SchemaView(SpectacularAPIView):
    """The schema as JSON, like everything else here; as YAML for who asks for it."""

    renderer_classes = [OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer, OpenApiYamlRenderer2]


# The documentation page styles itself from JavaScript; scripts stay as restricted there as everywhere.
docs_view = csp_update({"style-src": [UNSAFE_INLINE]})(SpectacularSwaggerSplitView.as_view())

urlpatterns: list[URLPattern] = [
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", docs_view, name="docs"),
]
