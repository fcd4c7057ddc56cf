"""Who is looking at a group: this device, by a link that it has to it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scoring.models import Group, GroupLink
from scoring.models.table import normal_code
from scoring.pages.device.access import LONGEST_TOKEN, key_of
from scoring.pages.device.cookie import keep_device
from scoring.pages.show.numbers import whole
from scoring.queries.groups import was_turned_off
from scoring.services.devices import devices_of
from scoring.services.exceptions import NoSuchGroup
from scoring.services.group_access import GroupAdmission, admit_to_group, link_of_token, put_group_on_device
from scoring.services.keys import Caller


def visit_group(request: HttpRequest, code: str) -> GroupAdmission:
    """Return a group and this device's link to it; a device that never had one does not learn that there is one."""
    devices = devices_of(request.COOKIES)
    try:
        return admit_to_group(code, request.META, devices=devices)
    except NoSuchGroup:
        if was_turned_off(normal_code(code), devices):
            raise Http404(_("This phone’s link to the group was turned off. A member can make a new one.")) from None
        raise Http404 from None


def group_caller_of(request: HttpRequest, link: GroupLink) -> Caller | None:
    """Return who acts, and how, or ``None`` when this device may only look on."""
    if not link.manages:
        return None
    expected = whole(request.POST.get("version", ""))
    return Caller(by=link.name or link.role, link=link.pk, expected=expected, key=key_of(request))


def join_group(request: HttpRequest, response: HttpResponse, group: Group, token: str) -> bool:
    """Give this device the link of a token, if it opens this group; return whether it does."""
    link = link_of_token(token[:LONGEST_TOKEN])
    if link is None or link.group_id != group.pk:
        return False
    put_group_on_device(keep_device(request, response), link)
    return True
