"""What a page may cost: bytes on the first visit, a jump under the finger, the time until a tap shows."""

import contextlib
import re
import socket
import socketserver
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from referee.engine.records import dump_record, load_record
from tests.e2e.conftest import open_tab
from tests.e2e.test_taps import TEN, open_table, tap, wait_until
from tests.e2e.thumb import Thumb, shown

FIRST_VISIT, REQUESTS_OF_FIRST_VISIT = 70_000, 12
"""So many bytes over the wire, heads included, in so many requests, that of the stream included."""
SECONDS_TO_PAINT = 0.1
SLOWDOWN = 4
SLOWED_INDEX = 500
"""The `INDEX` of a phone four times as slow as a desktop of 2,000, with which Lighthouse's fastest class ends."""
AT_ONCE, BETWEEN_TAPS = 4, 150
"""So many taps a round, so many milliseconds apart: as quick as two thumbs."""
MOST_TABLES, MOST_ROUNDS, GOOD_ROUNDS = 6, 5, 3
"""In most rounds of a table no tap may have to wait."""
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
WATCH_MOTION = """() => {
  window.moved = new Set();
  const look = () => {
    for (const motion of document.getAnimations()) moved.add(motion.transitionProperty ?? motion.animationName);
    requestAnimationFrame(look);
  };
  look();
}"""
INDEX = """() => {
  const began = performance.now();
  let made = 0;
  for (; performance.now() - began < 100; made++) {
    let letters = "";
    for (let count = 0; count < 10000; count++) letters += "a";
    if (letters.length !== 10000) throw new Error("looked at, so that it is really made");
  }
  return (made / (performance.now() - began)) * 100;
}"""
"""How fast scripts run at present: a tenth of how many strings of 10,000 letters are put together in a second, as one
half of Lighthouse's BenchmarkIndex has it."""

MIDDLES = """(elements) => elements.map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [(element.querySelector("input") ?? element).value, [x + width / 2, y + height / 2]];
})"""


@contextmanager
def counted(server):
    """Give an address that leads to the server, and lists of what was sent to it and of what came from it."""
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


def test_a_first_visit_is_small(phone, second_phone, server):
    """The front page, a table, and all that the device keeps of both for when there is no network."""
    open_table(phone)
    with counted(server) as (address, asked, came):
        second_phone.goto(f"{address}/")
        # The worker takes what it keeps out of the browser's own cache.
        wait_until(second_phone, "caches.match('/').then(Boolean)")
        second_phone.evaluate("navigator.serviceWorker.ready.then(() => null)")
        second_phone.goto(address + urlsplit(phone.url).path)
        wait_until(second_phone, "caches.match(location.pathname).then(Boolean)")
        second_phone.wait_for_timeout(500)
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


def test_nothing_is_set_in_motion(phone):
    """What moves or fades keeps a slow phone busy, and troubles some people; nothing does, whatever a device allows."""
    phone.emulate_media(reduced_motion="no-preference")
    open_table(phone)
    phone.evaluate(WATCH_MOTION)
    for version, card in enumerate(HONEST, 1):
        tap(phone, card)
        shown(phone, version)
    phone.locator(".last-trick").first.tap()
    phone.keyboard.press("Escape")
    phone.get_by_role("button", name="Undo").tap()
    shown(phone, len(HONEST) + 1)
    assert phone.evaluate("[...moved]") == []


@pytest.fixture
def phone(browser, server):
    """A phone with as many points to paint as phones have."""
    with open_tab(browser, server, width=360, height=740, has_touch=True, is_mobile=True, device_scale_factor=2) as tab:
        yield tab


class SlowPhone:
    """A finger on a phone with a slow processor.

    It taps where a card is, without looking at the page first: looking would be work for the phone.
    """

    def __init__(self, phone):
        self.phone = phone
        self.session = phone.context.new_cdp_session(phone)
        self.index = 0.0

    def places(self, selector):
        """Return where the middles of these buttons or labels are, by their values."""
        return dict(self.phone.locator(selector).evaluate_all(MIDDLES))

    def run_freely(self):
        self.session.send("Emulation.setCPUThrottlingRate", {"rate": 1})

    def slow_down(self):
        """Slow the processor down, fourfold or to what a fast desktop is then.

        A machine that is slower than a fast desktop, or that others keep busy, is slowed down by so much less. The
        lowest of some indexes counts: no tap has the processor for itself, as so small a work may.
        """
        self.run_freely()
        self.index = min(self.phone.evaluate(INDEX) for _ in range(5))
        self.session.send("Emulation.setCPUThrottlingRate", {"rate": min(SLOWDOWN, max(1, self.index / SLOWED_INDEX))})

    def tap(self, place):
        self.phone.touchscreen.tap(*place)
        self.phone.wait_for_timeout(BETWEEN_TAPS)


def open_all_extras(slow):
    """A table with all 45 cards of the Decktet; give what a round of taps does."""
    told = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0, "options": EXTRAS}
    Thumb(slow.phone).open_table(dump_record(load_record(told)))
    cards = slow.places("#table button[name=cards]")

    def play(number):
        for card in MANY[number * AT_ONCE : (number + 1) * AT_ONCE]:
            slow.tap(cards[card])
        shown(slow.phone, (number + 1) * AT_ONCE, timeout=30_000)

    return play


def open_two_decks(slow):
    """A table with 104 cards, on which pairs are put together; give what a round of taps does."""
    told = {"game": "american-deuce", "seats": ["Ann", "Bob", "Cy", "Dot", "Eve"], "first_dealer": 0}
    thumb = Thumb(slow.phone)
    thumb.open_table(dump_record(load_record(told)))
    for seat, suit in enumerate("SHC"):
        thumb.record({"type": "suit", "seat": seat, "suit": suit})
    cards = slow.places("#table label.card")

    def play(number):
        for pair in (2 * number, 2 * number + 1):
            for card in PAIRS[2 * pair : 2 * pair + 2]:
                slow.tap(cards[card])
            slow.phone.locator("form[data-event=play] .confirm .primary").tap()
            shown(slow.phone, thumb.version + pair + 1, timeout=30_000)

    return play


@pytest.mark.alone
@pytest.mark.parametrize("open_pad", [open_all_extras, open_two_decks])
def test_a_tap_shows_within_a_tenth_of_a_second_on_a_slow_phone(phone, open_pad):
    slow = SlowPhone(phone)
    told = []
    for _table in range(MOST_TABLES):
        play = open_pad(slow)
        phone.evaluate(WATCH_TAPS)
        rounds: list[float] = []
        for number in range(MOST_ROUNDS):
            slow.slow_down()
            phone.evaluate("slowest = 0")
            play(number)
            rounds.append(phone.evaluate("slowest") / 1000)
            told.append(f"{rounds[-1]:.3f} s on a machine of index {slow.index:.0f}")
            if sum(0 < slowest < SECONDS_TO_PAINT for slowest in rounds) == GOOD_ROUNDS:
                print("\n".join(told))
                return
        # Others kept the machine busy, or the pad is slow: another table tells.
        slow.run_freely()
    raise AssertionError("The slowest tap of each round:\n" + "\n".join(told))
