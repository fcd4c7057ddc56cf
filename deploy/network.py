"""Where this machine can be reached, found out without sending a single packet, and the port that is held for us."""

import errno
import os
import socket
from ipaddress import ip_address

from django.core.exceptions import ImproperlyConfigured

# Addresses reserved for documentation and for private networks. "Connecting" a UDP socket sends nothing: the kernel
# only looks up which of its own addresses it would use, for the way out and then for the usual kinds of home networks.
PROBES = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
WILDCARDS = {"0.0.0.0", "::", ""}


def local_network_address() -> str | None:
    """Return this machine's address in the local network, or None when it is in none."""
    for probe in PROBES:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as knocker:
            try:
                knocker.connect((probe, 9))
            except OSError:
                continue
            found = str(knocker.getsockname()[0])
        address = ip_address(found)
        if not (address.is_loopback or address.is_unspecified or address.is_link_local):
            return found
    return None


FIRST_HELD = 3
"""The number of the first open file that systemd hands over."""
SEVERAL = (
    "systemd holds {count} sockets for this service, which listens at one. To listen somewhere else, a drop-in of the"
    " .socket begins with an empty ListenStream=, which takes the address of the unit away."
)
MOST_KNOCKING = 4096
"""Connections that wait for a worker to take them."""


class CannotListenError(Exception):
    """Nothing can listen there; its text says why."""


def held_socket() -> socket.socket | None:
    """Return the listening socket that whoever started this process holds for it, if it does.

    systemd does so for a service with a `.socket`, by `LISTEN_PID` and `LISTEN_FDS`: while the service is restarted,
    whoever knocks waits, and nobody is refused.

    Raises ``ImproperlyConfigured`` where it holds several: at all but one of them nobody would answer.
    """
    here = os.environ.pop("LISTEN_PID", "") == str(os.getpid())
    count = os.environ.pop("LISTEN_FDS", "")
    if not here or count in ("", "0"):
        return None
    if count != "1":
        raise ImproperlyConfigured(SEVERAL.format(count=count))
    return socket.socket(fileno=FIRST_HELD)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; raises ``CannotListenError``."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(MOST_KNOCKING)
    except OSError as problem:
        listening.close()
        raise CannotListenError(why_not(problem, host, port)) from problem
    return listening


def why_not(problem: OSError, host: str, port: int, *, choose: str = "make run PORT") -> str:
    """Return a sentence that says why nothing can listen there; another port is chosen by `choose`."""
    if problem.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        return f"Port {port} is busy: another program listens there. Choose another one: {choose}={other}"
    if problem.errno == errno.EACCES:
        return f"Port {port} is not for ordinary users. Choose one above 1023: {choose}=8000"
    return f"This machine cannot listen on {host}: {problem.strerror or problem}."
