"""Client addresses, and URLs by which other devices reach this server."""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

PORT_OF_IPV4 = re.compile(r"(?<=\d):\d{1,5}$")


def client_address(meta: Mapping[str, object]) -> str:
    """Return the client's IPv4 address, or the /64 network of its IPv6 address.

    Behind ``PROXIES`` trusted proxies it is the one that the outermost noted in ``X-Forwarded-For``.
    """
    address = str(meta.get("REMOTE_ADDR", ""))
    noted = [part.strip() for part in str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if part.strip()]
    if settings.PROXIES and noted:
        address = noted[-min(settings.PROXIES, len(noted))]
    # Some proxies add quotes, IPv6 brackets, a port or a zone.
    bare = address.strip('"')
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif "." in bare:
        bare = PORT_OF_IPV4.sub("", bare)
    try:
        known = ip_address(bare.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return f"{known.exploded[:19]}::"  # a household usually has a whole /64 network
    return str(getattr(known, "ipv4_mapped", None) or known)


def is_here(address: str) -> bool:
    """Return whether an address is this machine's own, which is not rate-limited."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address in ("", "localhost")


def shared_address(request: HttpRequest, path: str) -> str:
    """Return a URL for another device, to which this machine's ``localhost`` would mean itself."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    address = request.build_absolute_uri(path)
    if settings.PHONE_ADDRESS and is_here(urlsplit(address).hostname or ""):
        return f"{settings.PHONE_ADDRESS}{path}"
    return address
