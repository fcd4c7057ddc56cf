"""Links to a group: made, called by a name, shown with a code to scan, cancelled one by one."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.models import RecoveryCode
from scoring.pages.acting import FormError, member, shows_refusals
from scoring.pages.device.group_access import visit_group
from scoring.pages.group_forms import GroupLinkForm
from scoring.pages.show.refusals import Message
from scoring.pages.views.links import Shown, qr
from scoring.queries.groups import standing_group_links
from scoring.services.groups import add_group_link
from scoring.services.groups import revoke_group_link as revoke
from scoring.services.public_address import shared_address


def links_page(
    request: HttpRequest,
    code: str,
    *,
    made: Shown | None = None,
    written: str = "",
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the links to a group; ``made`` is one that is shown this once, ``written`` a recovery code."""
    group, own = visit_group(request, code)
    context = {
        "group": group,
        "tab": "links",
        "manages": own.manages,
        "own": own,
        "made": made,
        "written": written,
        "recovery": RecoveryCode.objects.filter(group=group).first(),
        "message": message,
        "links": standing_group_links(group) if own.manages else [own],
    }
    response = render(request, "scoring/group_links.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "POST"])
@shows_refusals(links_page)
def group_links(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the links to a group, or make one and show it this once."""
    if request.method != "POST":
        return links_page(request, code)
    group, _link, caller = member(request, code)
    form = GroupLinkForm(request.POST)
    if not form.is_valid():
        raise FormError(Message("impossible", _("There is no such link")))
    made = add_group_link(group.code, form.cleaned_data["role"], form.cleaned_data["name"], caller)
    if not made.token:
        return links_page(request, code)
    url = shared_address(request, f"{reverse('scoring:group', args=[group.code])}#{made.token}")
    return links_page(request, code, made=Shown(made.link.name, url, qr(url)))


@require_POST
@shows_refusals(links_page)
def revoke_group_link(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """End what a link to a group allows, at once and on every phone."""
    group, link, caller = member(request, code)
    revoke(group.code, number, caller)
    return redirect("scoring:group" if number == link.pk else "scoring:group-links", code=group.code)
