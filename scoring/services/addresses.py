"""Where a request comes from."""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address

from django.conf import settings

PORT_OF_IPV4 = re.compile(r"(?<=\d):\d{1,5}$")


def client_address(meta: Mapping[str, object]) -> str:
    """Return where a request comes from: an IPv4 address, or the network of an IPv6 address.

    Behind ``PROXIES`` proxies of our own, the address is what the outermost of them has noted.
    """
    address = str(meta.get("REMOTE_ADDR", ""))
    noted = [part.strip() for part in str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if part.strip()]
    if settings.PROXIES and noted:
        address = noted[-min(settings.PROXIES, len(noted))]
    try:
        known = ip_address(_bare(address))
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return f"{known.exploded[:19]}::"  # the first 64 bits: a household has all addresses of its network
    return str(getattr(known, "ipv4_mapped", None) or known)


def _bare(address: str) -> str:
    """Leave out what some proxies write around an address: quotes, the brackets of IPv6, a port, a zone."""
    bare = address.strip('"')
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif "." in bare:
        bare = PORT_OF_IPV4.sub("", bare)
    return bare.partition("%")[0]


def is_here(address: str) -> bool:
    """Return whether an address is this machine's own: what its operator's programs cost is no stranger's doing."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return not address
