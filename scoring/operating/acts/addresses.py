"""Client addresses, and addresses by which other devices reach this server."""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

PORT_OF_IPV4 = re.compile(r"(?<=\d):\d{1,5}$")


def client_address(meta: Mapping[str, object]) -> str:
    """Return an IPv4 address or the network of an IPv6 one; behind ``PROXIES``, as the outermost has noted it."""
    address = str(meta.get("REMOTE_ADDR", ""))
    noted = [part.strip() for part in str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if part.strip()]
    if settings.PROXIES and noted:
        address = noted[-min(settings.PROXIES, len(noted))]
    # Some proxies write more around an address: quotes, the brackets of IPv6, a port, a zone.
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
        return f"{known.exploded[:19]}::"  # the first 64 bits: a household has all addresses of its network
    return str(getattr(known, "ipv4_mapped", None) or known)


def is_here(address: str) -> bool:
    """Return whether an address is this machine's own; its requests are not rate-limited."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address in ("", "localhost")


def shared_address(request: HttpRequest, path: str) -> str:
    """Return the address of a page for another device, which has another localhost than the computer that serves."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    address = request.build_absolute_uri(path)
    if settings.PHONE_ADDRESS and is_here(urlsplit(address).hostname or ""):
        return f"{settings.PHONE_ADDRESS}{path}"
    return address
