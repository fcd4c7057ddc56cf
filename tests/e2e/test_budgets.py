"""What a page may cost: bytes on the first visit, a jump under the finger, the time until a tap shows."""

import contextlib
import socket
import socketserver
import threading
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from referee.records import dump_record, load_record
from tests.e2e.test_taps import TEN, open_table, shown, tap, wait_until
from tests.e2e.thumb import Thumb

FIRST_VISIT = 120_000
SECONDS_TO_PAINT = 0.1
SLOWDOWN = 4
AT_ONCE = 4
MOST_ROUNDS, GOOD_ROUNDS = 5, 3
"""Taps are faster than anybody's: in most rounds none of them may have to wait."""
EXTRAS = {"pawns": True, "courts": True, "excuse": True}
MANY = [*TEN, "AS", "AL", "AY", "AK", "2SY", "2WL", "3MW", "3LY", "4MS", "4YK"]
"""Cards of Ace Trump at which nobody is asked anything: whoever plays them may have had to."""
PAIRS = [f"{rank}{suit}" for rank in ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K") for suit in "SH"]
"""Pairs of American Deuce, each of which beats the one before."""
HONEST = ["8MS", "AM", "XM", "9MS", "2MK", "AS", "AW", "XW", "7WY"]
"""Three tricks in which everybody follows suit, so that nothing is found that a card would have to tell."""

WATCH_SHIFTS = """() => {
  window.jumps = [];
  new PerformanceObserver((list) => {
    for (const { node, previousRect, currentRect } of list.getEntries().flatMap(({ sources }) => [...sources])) {
      const [down, aside] = [currentRect.top - previousRect.top, currentRect.left - previousRect.left];
      if (down || aside) jumps.push([node?.className ?? node?.nodeName ?? "gone", down, aside]);
    }
  }).observe({ type: "layout-shift" });
}"""
WATCH_TAPS = """() => {
  window.slowest = 0;
  const note = (duration) => (window.slowest = Math.max(window.slowest, duration));
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) note(duration);
  }).observe({ type: "event", durationThreshold: 16 });
  // Whatever keeps the page busy, such as showing an answer, would keep the next tap waiting.
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => note(duration))).observe({
    type: "longtask",
  });
}"""


@contextmanager
def counted(server):
    """Give an address that leads to the server, and a list of the numbers of bytes that came from it."""
    came: list[int] = []
    target = urlsplit(server.url)

    class Line(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection((target.hostname, target.port)) as line:
                threading.Thread(target=pump, args=(self.request, line, []), daemon=True).start()
                pump(line, self.request, came)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Line) as relay:
        relay.daemon_threads = True
        relay.block_on_close = False
        threading.Thread(target=relay.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{relay.server_address[1]}", came
        relay.shutdown()


def pump(source: socket.socket, sink: socket.socket, counts: list[int]) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            counts.append(len(data))
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def test_a_first_visit_is_small(phone, second_phone, server):
    open_table(phone)
    with counted(server) as (address, came):
        second_phone.goto(f"{address}/")
        # The worker takes what it keeps out of the browser's own cache.
        wait_until(second_phone, "caches.match('/').then(Boolean)")
        second_phone.evaluate("navigator.serviceWorker.ready.then(() => null)")
        home = sum(came)
        second_phone.goto(address + urlsplit(phone.url).path)
        wait_until(second_phone, "caches.match(location.pathname).then(Boolean)")
        second_phone.wait_for_timeout(500)
        print(f"home {home} bytes, with a table {sum(came)}")
        second_phone.goto("about:blank")
    assert 10_000 < home <= FIRST_VISIT
    assert sum(came) <= FIRST_VISIT


def test_nothing_jumps_when_a_card_is_tapped(phone):
    open_table(phone)
    phone.evaluate(WATCH_SHIFTS)
    for version, card in enumerate(HONEST, 1):
        tap(phone, card)
        shown(phone, version)
    phone.wait_for_timeout(200)
    jumps = phone.evaluate("jumps")
    assert jumps == []


def share_of_a_processor():
    """Return how much of a processor a busy program gets at present: less than one when others are busy, too."""
    began, used = time.perf_counter(), time.thread_time()
    while time.perf_counter() - began < 0.2:
        pass
    return (time.thread_time() - used) / (time.perf_counter() - began)


def open_all_extras(phone):
    """A table with all 45 cards of the Decktet; give what a round of taps does."""
    told = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0, "options": EXTRAS}
    Thumb(phone).open_table(dump_record(load_record(told)))

    def play(number):
        for card in MANY[number * AT_ONCE : (number + 1) * AT_ONCE]:
            tap(phone, card)
        shown(phone, (number + 1) * AT_ONCE, timeout=30_000)

    return play


def open_two_decks(phone):
    """A table with 104 cards, on which pairs are put together; give what a round of taps does."""
    told = {"game": "american-deuce", "seats": ["Ann", "Bob", "Cy", "Dot", "Eve"], "first_dealer": 0}
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record(told)))
    for seat, suit in enumerate("SHC"):
        thumb.record({"type": "suit", "seat": seat, "suit": suit})

    def play(number):
        for pair in (2 * number, 2 * number + 1):
            for card in PAIRS[2 * pair : 2 * pair + 2]:
                phone.locator(f'#table label.card:has([value="{card}"])').tap()
            phone.locator("form[data-event=play] .confirm .primary").tap()
            shown(phone, thumb.version + pair + 1, timeout=30_000)

    return play


@pytest.mark.parametrize("open_pad", [open_all_extras, open_two_decks])
def test_a_tap_shows_within_a_tenth_of_a_second_on_a_slow_phone(phone, open_pad):
    play = open_pad(phone)
    phone.evaluate(WATCH_TAPS)
    phone.context.new_cdp_session(phone).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    # Other programs on this machine slow the phone down further; what they take is not held against it.
    rounds: list[float] = []
    for number in range(MOST_ROUNDS):
        phone.evaluate("slowest = 0")
        before = share_of_a_processor()
        play(number)
        rounds.append(phone.evaluate("slowest") / 1000 * min(before, share_of_a_processor()))
        print(f"slowest of round {number}: {rounds[-1]:.3f} s of a processor for itself")
        if sum(0 < slowest < SECONDS_TO_PAINT for slowest in rounds) == GOOD_ROUNDS:
            return
    raise AssertionError(f"Slowest taps in seconds: {rounds}")
