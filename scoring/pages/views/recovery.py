"""The recovery code of a group: made under its phones, typed in on a new one."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.pages.acting import member, shows_refusals
from scoring.pages.device.access import key_of
from scoring.pages.device.cookie import keep_device
from scoring.pages.group_forms import RecoverForm
from scoring.pages.views.group_links import links_page
from scoring.services.exceptions import NoSuchRecoveryCode, NotDone, TooMany, TooManyLinks
from scoring.services.group_access import put_group_on_device
from scoring.services.recovery import make_recovery_code, recover_group, withdraw_recovery_code


@require_http_methods(["GET", "POST"])
def recover(request: HttpRequest) -> HttpResponseBase:
    """Ask for the recovery code of a group, or open the group on this device with it."""
    form = RecoverForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = recover_group(form.cleaned_data.pop("code"), request.META, **form.cleaned_data, key=key_of(request))
        except TooMany:
            raise
        except NoSuchRecoveryCode:
            form.add_error("code", _("This code opens nothing, or another one has taken its place."))
        except TooManyLinks:
            form.add_error("cancel_older", _("The group has as many links as it can. Cancel the older ones with this."))
        except NotDone:
            form.add_error("code", _("This form was sent before. Open the page again, and try again."))
        else:
            response = redirect("scoring:group", code=made.link.group.code)
            put_group_on_device(keep_device(request, response), made.link)
            return response
    page = render(request, "scoring/recover.html", {"form": form}, status=422 if form.is_bound else 200)
    page["Cache-Control"] = "no-store"
    return page


@require_POST
@shows_refusals(links_page)
def recovery(request: HttpRequest, code: str) -> HttpResponse:
    """Make a recovery code and show it this once, or take away the one that there is."""
    group, _link, caller = member(request, code)
    try:
        if "withdraw" not in request.POST:
            return links_page(request, code, written=make_recovery_code(group.code, caller).code)
        withdraw_recovery_code(group.code, caller)
    except NoSuchRecoveryCode:
        pass  # it was withdrawn before, from another device
    return links_page(request, code)
