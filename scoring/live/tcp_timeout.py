"""Dead lines: a phone that left the network takes no leave, and the system would send to it for a quarter of an hour.

What it is sent is a ping now and then. Where that is not acknowledged for a while, the line is cut, and the stream ends
like any other.
"""

import contextlib
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

DESCRIPTORS = Path("/proc/self/fd")


def cut_dead_lines(seconds: float) -> None:
    """Have the system cut connections to this server whose other end acknowledges nothing for so long.

    It holds for the connections there are and for all to come, which take it over from the socket that listens. Only
    Linux can do it; elsewhere, and behind a proxy, which has lines of its own, whoever runs it has to see to that.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        return
    with contextlib.ExitStack() as opened:
        found = [opened.enter_context(each) for each in _sockets()]
        ports = {_port(each) for each in found if each.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)}
        for each in found:
            if _port(each) in ports:
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1000))


def _sockets() -> Iterator[socket.socket]:
    """Return the TCP sockets of this process, as copies that may be closed."""
    for name in os.listdir(DESCRIPTORS):
        with contextlib.suppress(OSError):  # closed meanwhile
            if not stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                continue
            copy = socket.socket(fileno=os.dup(int(name)))
            if copy.family in (socket.AF_INET, socket.AF_INET6) and copy.type == socket.SOCK_STREAM:
                yield copy
            else:
                copy.close()


def _port(one: socket.socket) -> int:
    return int(one.getsockname()[1])
