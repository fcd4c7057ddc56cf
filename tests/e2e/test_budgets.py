"""What a page may cost: bytes on the first visit, layout shifts, and the browser's work for a tap.

`make bench` measures how long a tap takes to show, relative to the barest page: time alone says more about the machine.
"""

import contextlib
import re
import socket
import socketserver
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from tests.e2e.test_taps import open_table, tap, wait_until
from tests.e2e.thumb import shown

FIRST_VISIT, REQUESTS_OF_FIRST_VISIT = 100_000, 12
"""Bytes over the wire, headers included, and requests, the stream included."""
LAYOUTS_OF_A_TAP = 6
STYLES_OF_A_TAP = {"reduce": 9, "no-preference": 24}
"""How often the browser may lay out the page and compute styles from tap to answer; animation frames count."""
MOVES = {"is-laid", "opacity", "transform", "translate", "told"}
"""What may move: a card from its plate, the ring to the next one, a key, a rising sheet, an undo message."""
HONEST = ["8MS", "AM", "XM", "9MS", "2MK", "AS", "AW", "XW", "7WY"]
"""Three tricks in which everyone follows suit, so there is no finding to show."""

WATCH_SHIFTS = """() => {
  window.jumps = [];
  // What is said of a trick takes one line or two in its own room; nothing else gives way to it.
  const said = (node) => !node || (node.closest ? node : node.parentElement)?.closest(".talk");
  new PerformanceObserver((list) => {
    for (const { node, previousRect, currentRect } of list.getEntries().flatMap(({ sources }) => [...sources])) {
      if (said(node)) continue;
      const [down, aside] = [currentRect.top - previousRect.top, currentRect.left - previousRect.left];
      if (down || aside) jumps.push([node?.className ?? node?.nodeName ?? "gone", down, aside]);
    }
  }).observe({ type: "layout-shift" });
}"""
WATCH_MOTION = """() => {
  window.moved = new Set();
  const look = () => {
    for (const motion of document.getAnimations()) moved.add(motion.transitionProperty ?? motion.animationName);
    requestAnimationFrame(look);
  };
  look();
}"""


@contextmanager
def counted(server):
    """Return an address that proxies to the server, and lists of the bytes sent and received."""
    came: list[bytes] = []
    asked: list[bytes] = []
    target = urlsplit(server.url)

    class Line(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection((target.hostname, target.port)) as line:
                threading.Thread(target=pump, args=(self.request, line, asked), daemon=True).start()
                pump(line, self.request, came)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Line) as relay:
        relay.daemon_threads = True
        relay.block_on_close = False
        threading.Thread(target=relay.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{relay.server_address[1]}", asked, came
        relay.shutdown()


def pump(source: socket.socket, sink: socket.socket, seen: list[bytes]) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            seen.append(data)
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def visit_first(page, address: str, table: str) -> None:
    """Open the front page, then a table, and wait until the device has cached both."""
    page.goto(f"{address}/")
    # The service worker fills its cache from the browser's own.
    wait_until(page, "caches.match('/').then(Boolean)")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.goto(address + table)
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    page.wait_for_timeout(500)


def test_a_first_visit_is_small(phone, second_phone, server):
    """The front page, a table, and everything the device caches of both for offline use."""
    open_table(phone)
    with counted(server) as (address, asked, came):
        visit_first(second_phone, address, urlsplit(phone.url).path)
        requests = [line for data in asked for line in re.findall(rb"(?:GET|POST) \S+(?= HTTP/1.1\r\n)", data)]
        size = sum(map(len, came))
        second_phone.goto("about:blank")
    listing = b"\n".join(requests).decode()
    assert 20_000 < size <= FIRST_VISIT, listing
    assert 4 < len(requests) <= REQUESTS_OF_FIRST_VISIT, listing


def test_nothing_jumps_when_a_card_is_tapped(phone):
    open_table(phone)
    phone.evaluate(WATCH_SHIFTS)
    for version, card in enumerate(HONEST, 1):
        tap(phone, card)
        shown(phone, version)
    phone.wait_for_timeout(200)
    jumps = phone.evaluate("jumps")
    assert jumps == []


@pytest.mark.parametrize(("device", "moves"), [("no-preference", MOVES), ("reduce", {"told"})])
def test_only_expected_elements_are_animated(phone, device, moves):
    phone.emulate_media(reduced_motion=device)
    open_table(phone)
    phone.evaluate(WATCH_MOTION)
    for version, card in enumerate(HONEST, 1):
        tap(phone, card)
        shown(phone, version)
    phone.locator(".last-trick").first.tap()
    phone.keyboard.press("Escape")
    phone.get_by_role("button", name="Undo").tap()
    shown(phone, len(HONEST) + 1)
    assert set(phone.evaluate("[...moved]")) <= moves


@pytest.mark.parametrize("motion", STYLES_OF_A_TAP)
def test_a_tap_does_little_work_in_the_browser(phone, motion):
    """Reading a size while the page changes forces a layout, and so does every frame in between."""
    phone.emulate_media(reduced_motion=motion)
    open_table(phone)
    session = phone.context.new_cdp_session(phone)
    session.send("Performance.enable")

    def counted_so_far():
        measured = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return measured["LayoutCount"], measured["RecalcStyleCount"]

    layouts, styles = counted_so_far()
    for version, card in enumerate(HONEST, 1):
        tap(phone, card)
        shown(phone, version)
    phone.wait_for_timeout(200)
    now = counted_so_far()
    assert 0 < now[0] - layouts <= LAYOUTS_OF_A_TAP * len(HONEST)
    assert 0 < now[1] - styles <= STYLES_OF_A_TAP[motion] * len(HONEST)
