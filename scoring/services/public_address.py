"""Addresses to hand on: where another device opens a page of this server."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def shared_address(request: HttpRequest, path: str) -> str:
    """Return the address of a page for another device.

    Whoever asks from the computer that serves may call it localhost; a phone that was told so would ask itself.
    """
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    address = request.build_absolute_uri(path)
    if settings.PHONE_ADDRESS and _is_here(urlsplit(address).hostname or ""):
        return f"{settings.PHONE_ADDRESS}{path}"
    return address


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
