"""The history and the statistics of a group to take away, of what is chosen."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring.pages.device.group_access import visit_group
from scoring.pages.views.statistics import Choice
from scoring.queries.archiving import archive_of
from scoring.queries.taking_away import SHAPES
from scoring.services.scores import finish_by_time


@require_GET
def group_download(request: HttpRequest, code: str, shape: str) -> HttpResponseBase:
    """Send what a group has played as a file."""
    group, link = visit_group(request, code)
    if shape == "archive" and link.manages:
        lines = (f"{line}\n" for line in archive_of(group))
        name = f'attachment; filename="{group.code}.ndjson"'
        headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
        return StreamingHttpResponse(lines, content_type="application/x-ndjson", headers=headers)
    wanted = SHAPES.get(shape)
    if wanted is None:
        raise Http404(_("This address leads to no page."))
    finish_by_time(group.pk)
    body = wanted.write(group, Choice(request.GET).chosen())
    name = f'attachment; filename="{group.code}{wanted.ending}"'
    return HttpResponse(
        body, content_type=wanted.kind, headers={"Content-Disposition": name, "Cache-Control": "no-store"}
    )
