"""Lines that are dead are cut by the system: those there are, and those to come."""

import socket

import pytest

from scoring.live.tcp_timeout import cut_dead_lines

pytestmark = pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux can do it")


def patience(line):
    return line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)


def test_it_works():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        with socket.create_connection(address) as early, server.accept()[0] as known:
            cut_dead_lines(15.0)
            with socket.create_connection(address), server.accept()[0] as late:
                assert [patience(known), patience(late)] == [15_000, 15_000]
            assert patience(early) == 0, "a line to another server is none of our business"


def test_it_leaves_nothing_open():
    with socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0)) as probe:
        free = probe.dup()
        number = free.fileno()
        free.close()
        cut_dead_lines(15.0)
        with probe.dup() as again:
            assert again.fileno() == number
