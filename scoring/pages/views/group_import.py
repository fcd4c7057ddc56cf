"""A group that comes back from its archive, table by table, with how far it is."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from referee.engine.options import Refused
from referee.notation.encodings import plain_lines
from scoring.pages.costly import costly
from scoring.pages.device.cookie import keep_device
from scoring.pages.forms import ImportForm
from scoring.pages.show.translation import rendered
from scoring.pages.views.table import is_htmx
from scoring.queries.clock import judging_watch
from scoring.services.group_access import put_group_on_device
from scoring.services.group_importing import Unfinished, digest_of, import_group
from scoring.services.openings import one_opening


@costly
@require_http_methods(["GET", "POST"])
def import_here(request: HttpRequest) -> HttpResponseBase:
    """Show the form, or bring a group back as far as the time for one request goes; the form then goes on by itself."""
    if request.method == "GET":
        return _page(request)
    form = ImportForm(request.POST, request.FILES)
    text = ""
    try:
        text = plain_lines(form.sent_text()) if form.is_valid() else ""
        lines = text.split("\n")
        with one_opening(request.META):
            made = import_group(lines, digest=digest_of(lines), watch=judging_watch())
    except Unfinished as cut:
        return _page(request, cut=cut, text=text)
    except Refused as refused:
        if refused.problems[0].code == "too-large":
            return _page(request, [_("This archive is too large for this page. Who runs the server can bring it.")])
        return _page(request, rendered(refused.problems))
    response = redirect("scoring:group", code=made.link.group.code)
    put_group_on_device(keep_device(request, response), made.link)
    if is_htmx(request):
        response.status_code, response["HX-Redirect"] = 204, response["Location"]
    return response


def _page(
    request: HttpRequest, problems: list[str] | None = None, *, cut: Unfinished | None = None, text: str = ""
) -> HttpResponse:
    context = {"problems": problems or [], "cut": cut, "text": text}
    return render(request, "scoring/group_import.html", context, status=422 if problems else 200)
