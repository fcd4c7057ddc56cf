"""Where this machine can be reached, and where it cannot listen."""

import os
import socket
import sys

import pytest

from deploy import network
from tests.deploy.managing import kill, start, surroundings


@pytest.fixture
def busy_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        yield listener.getsockname()[1]


class Kernel:
    """Stands for the operating system's routing table: which own address leads to which other one."""

    def __init__(self, routes):
        self.routes = routes

    def socket(self, *_):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def connect(self, address):
        if address[0] not in self.routes:
            raise OSError("Network is unreachable")
        self.own = self.routes[address[0]]

    def getsockname(self):
        return (self.own, 40000)


@pytest.mark.parametrize(
    ("routes", "address"),
    [
        ({"192.0.2.1": "192.168.1.20"}, "192.168.1.20"),
        ({"10.255.255.254": "10.0.0.7"}, "10.0.0.7"),  # a network without a way out
        ({}, None),
        ({"192.0.2.1": "127.0.0.1"}, None),
        ({"192.0.2.1": "169.254.3.4"}, None),  # an address that a machine gave itself because nobody did
        ({"192.0.2.1": "169.254.3.4", "192.168.255.254": "192.168.0.3"}, "192.168.0.3"),
    ],
)
def test_the_address_in_the_local_network(monkeypatch, routes, address):
    monkeypatch.setattr(socket, "socket", Kernel(routes).socket)
    assert network.local_network_address() == address


@pytest.mark.parametrize(("count", "whose", "handle"), [("1", 0, 3), ("0", 0, None), ("1", 1, None), ("2", 1, None)])
def test_a_socket_is_taken_that_is_held_for_this_process(monkeypatch, count, whose, handle):
    monkeypatch.setenv("LISTEN_PID", str(os.getpid() + whose))
    monkeypatch.setenv("LISTEN_FDS", count)
    monkeypatch.setattr(socket, "socket", lambda fileno: fileno)
    assert network.held_socket() == handle
    assert not {"LISTEN_PID", "LISTEN_FDS"} & {*os.environ}, "what this process starts is not meant"


def test_of_several_sockets_none_is_chosen(tmp_path):
    """A drop-in that adds an address to that of the unit: the second would be held, and nobody would answer there."""
    log = tmp_path / "log"
    with socket.create_server(("127.0.0.1", 0)) as held:
        around = surroundings(VAR_DIR=tmp_path / "var")
        command = [sys.executable, "-m", "deploy.run"]
        process = start(command, log, around, held=held.fileno(), sockets=2)
        try:
            assert process.wait(timeout=60) == 1
        finally:
            kill(process)
    assert log.read_text().startswith("A setting is wrong: systemd holds 2 sockets for this service")
    assert "an empty ListenStream=" in log.read_text()
    assert len(log.read_text().splitlines()) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_busy_port_is_told_in_one_sentence(busy_port, host):
    with pytest.raises(network.CannotListenError, match=f"^Port {busy_port} is busy"):
        network.listen(host, busy_port)


@pytest.mark.parametrize("host", ["192.0.2.77", "no-such-host.invalid"])
def test_an_address_of_another_machine(host):
    with pytest.raises(network.CannotListenError, match=f"cannot listen on {host}"):
        network.listen(host, 8000)


def test_at_a_free_port_it_listens():
    with network.listen("127.0.0.1", 0) as listening:
        socket.create_connection(listening.getsockname(), timeout=5).close()
