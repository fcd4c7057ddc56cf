"""A thumb that records hands on a phone with taps alone, and whole hands for it."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import dist
from random import Random
from time import monotonic
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect

from referee.engine.game import all_games, event_kinds, find_game
from referee.engine.records import dump_record, load_record, replay
from referee.engine.rules import Option, Refused
from tests.e2e.conftest import PATIENCE, follow
from tests.games.discovery import HONEST

TRIES = 5000
PLAYED_BY = {
    "ace-trump": (4,),
    "spades": (4,),
    "ransom-trump": (3,),
    "wildcat-chicane": (3,),
    "american-deuce": (4, 5),
    "any-game": (4,),
}
"""Numbers of players used here; five at American Deuce need two packs."""
SHORT = {("american-deuce", 4): 144, ("american-deuce", 5): 662}
"""Seeds to try first if most take very long: four drop a deuce, and play 1, 2 and 5 cards at once."""
SHAKE, SAME_PLACE = 400, 20
"""How soon, in milliseconds, and how close, in pixels, a second tap counts as a shaking finger."""
TABLES = [
    (game.id, players)
    for game in all_games()
    if game.id in HONEST
    for players in PLAYED_BY.get(game.id, game.players[:1])
]
"""Every game, and its number of players here."""
NAMES = ("Ann", "Bob", "Cy", "Dot")


def table(game: str, seats: int | Sequence[str], **more: Any) -> dict[str, Any]:
    """Return what opens a table whose first seat deals first; `seats` are the names, or how many of our own."""
    names = NAMES[:seats] if isinstance(seats, int) else seats
    return {"game": game, "seats": list(names), "first_dealer": 0, **more}


def play(seat: int, *cards: str) -> dict[str, Any]:
    return {"type": "play", "seat": seat, "cards": list(cards)}


def tapped(event: dict[str, Any]) -> bool:
    """Return whether an event is part of the play, told card by card."""
    kind = event_kinds()[event["type"]]
    return not (kind.aside or kind.stays or kind.coarse)


def whole_hand(game: str, players: int, *, house_rules: bool = True) -> dict[str, Any]:
    """Return a record of one hand, played honestly to its end with every card known."""
    found = find_game(game)
    assert found is not None
    standard = {option.key: option.standard_for(players) for option in found.all_options()}
    start = SHORT.get((game, players), 0) if house_rules else 0
    for seed in range(start, start + TRIES):
        told = HONEST[game](Random(seed))
        if len(told["seats"]) != players or not told["hands"] or told.get("carried") or told.get("carried_bags"):
            continue
        told["hands"] = told["hands"][:1]
        told["end"] = {"kind": "hands", "value": 1}
        try:
            told = dump_record(load_record(told))
        except Refused:
            continue
        events = told["hands"][0]["events"]
        judged = replay(load_record(told))
        lawful = judged.rejected is None and judged.table.finished() and "known" not in told["hands"][0]
        unseen = any("accepted" in event or not tapped(event) for event in events)
        if lawful and not unseen and (house_rules or told["options"] == standard):
            return told
    raise AssertionError(f"No such hand of {game} in {TRIES} records.")


SHOWN = """([version, patience]) => new Promise((done) => {
  const look = () => document.getElementById("table")?.dataset.version === version;
  const until = performance.now() + patience;
  const lookAgain = () => (look() || performance.now() > until ? done(look()) : setTimeout(lookAgain, 10));
  lookAgain();
})"""


def shown(page: Any, version: int, timeout: float = PATIENCE) -> None:
    """Wait until a page shows this version of its table.

    The page itself checks: polling from outside slows down, and the browser tests wait for this more than for anything
    else.
    """
    # It may be another page by then.
    with suppress(PlaywrightError):
        if page.evaluate(SHOWN, [str(version), timeout]):
            return
    expect(page.locator("#table")).to_have_attribute("data-version", str(version))


def totals(page: Any) -> list[int]:
    """Return what a page's score sheet says of each seat; sides have their own row below."""
    shown_there = page.locator(".sheet tfoot tr:first-child td").all_inner_texts()
    return [int(total.replace("−", "-")) for total in shown_there]


def import_here(page: Page, told: dict[str, Any] | str) -> None:
    """Import a record as a table on this page."""
    page.goto("/import/")
    page.locator("textarea").fill(told if isinstance(told, str) else json.dumps(told))
    page.get_by_role("button", name="Open as a table").click()
    expect(page.locator("#table")).to_be_visible()


def sit_down(page: Page, names: Sequence[str], dealer: int = 0) -> None:
    """Name the players of a new table clockwise from the top, and the first dealer."""
    for seat, name in enumerate(names):
        page.locator(f"#name-{seat}").fill(name)
    if dealer:
        page.locator(".grip").nth(dealer).click()
        page.get_by_role("button", name="Deals first").click()


UNDER_THE_THUMB = """(target) => {
  target.scrollIntoViewIfNeeded();
  const box = target.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const there = document.elementFromPoint(x, y);
  if (!target.contains(there)) throw Error(`Something lies over ${target.outerHTML}: ${there?.outerHTML}`);
  return [x, y];
}"""


def plate(page: Page, who: int | str) -> Locator:
    """Return the plate of a seat, or of a name, that selects whose tap is next."""
    if isinstance(who, str):
        return page.locator("label.plate", has_text=who)
    return page.locator(f"label.plate[for$='-seat-{who}']")


@dataclass
class Thumb:
    """Taps on a phone, and counts the taps."""

    phone: Any  # a page, or something used like one: tests.pocket.host
    taps: int = 0
    version: int = 0
    names: list[str] = field(default_factory=list)
    last: tuple[float, float] = (0, 0)
    last_at: float = 0

    def tap(self, target: Locator) -> None:
        x, y = target.evaluate(UNDER_THE_THUMB)
        if dist((x, y), self.last) < SAME_PLACE:
            self.phone.wait_for_timeout(max(0, SHAKE - 1000 * (monotonic() - self.last_at)))
        self.phone.touchscreen.tap(x, y)
        self.last, self.last_at = (x, y), monotonic()
        self.taps += 1

    def open_table(self, told: dict[str, Any]) -> None:
        """Open the table of a one-hand record by address, with nothing played yet: the quick way."""
        self.names = told["seats"]
        setup = {key: told[key] for key in ("game", "seats", "first_dealer", "options") if key in told}
        setup["end"] = {"kind": "hands", "value": 1}
        answer = self.phone.request.post("/api/v1/tables/", data=setup)
        assert answer.ok, answer.text()
        opened = answer.json()
        follow(self.phone, f"/t/{opened['code']}/join/#{opened['token']}")
        shown(self.phone, 0)

    def start_table(self, told: dict[str, Any]) -> None:
        """Open the table of a one-hand record through the form, as people do."""
        game = find_game(told["game"])
        assert game is not None
        self.names = told["seats"]
        self.phone.goto("/")
        self.phone.locator(f".tiles a[href$='/new/{game.id}/']").first.tap()
        sit_down(self.phone, self.names, dealer=told["first_dealer"])
        self.phone.locator("#word-end").tap()
        self.phone.locator("input[name=end-hands]").fill("1")
        self.phone.locator("#pick-end .primary").tap()
        expect(self.phone.locator("#word-end")).to_have_text(re.compile("for 1 (hand|round)"))
        players = len(self.names)
        rules = told["options"]
        changed = [
            o
            for o in game.all_options()
            if rules.get(o.key, o.standard_for(players)) != o.standard_for(players) and rules.get(o.needs, True)
        ]
        for option in changed:
            self.choose(option, told["options"][option.key])
        self.phone.locator("#deal").tap()
        shown(self.phone, 0)

    def choose(self, option: Option, value: object) -> None:
        """Choose a house rule by its word in the sentence, or from the rules that can be added."""
        word, pick = self.phone.locator(f"#word-{option.key}"), self.phone.locator(f"#pick-{option.key}")
        if not word.is_visible():
            self.phone.locator("#more-rules > summary").tap()
        word.tap()
        if option.span is not None:
            pick.locator("input").fill(str(value))
            pick.locator(".primary").tap()
        else:
            pick.locator(".choice").nth(option.values.index(value)).tap()
        expect(self.phone.locator("input[name=was]")).to_have_value(re.compile(rf"\b{option.key}="))

    def record(self, event: dict[str, Any]) -> None:
        """Tap what an event says; findings made meanwhile are decided later."""
        self.put_aside()
        match event["type"]:
            case "pass":
                self.tap(self.phone.locator("#do-pass"))
            case "drop-deuce":
                self.exchange(event)
            case _:
                self.fill(self.phone.locator(f"form.ask[data-event={event['type']}]"), event)
        self.version += 1
        shown(self.phone, self.version)

    def put_aside(self) -> None:
        """Continue after something irregular has been found."""
        while (later := self.phone.locator(".caught:visible .put-aside summary")).count():
            self.tap(later.first)

    def fill(self, form: Locator, event: dict[str, Any]) -> None:
        """Fill an event's form by taps: the player if not fixed, then the rest."""
        if "card" in event:
            self.tap_open_card(event)
            return
        if not form.locator(f"input[name=seat][value='{event['seat']}']").is_checked():
            self.tap(plate(self.phone, event["seat"]))
        if "points" in event:
            sign = ["sign"] if event["points"] < 0 else []
            for key in (*str(abs(event["points"])), *sign):
                self.tap(form.locator(f"[data-key='{key}']"))
            self.tap(form.locator(".submit .primary"))
            return
        if event["type"] == "bid":
            self.tap(form.locator(f"button[name=tricks][value='{event['tricks']}']"))
            return
        if "reading" in event and not form.locator("button[name=reading]").count():
            self.tap(form.get_by_role("button", name=event["reading"].upper(), exact=True))
            return
        if "cards" not in event:
            name = "suit" if "suit" in event else "reading"
            self.tap(form.locator(f"button[name={name}][value='{event[name]}']"))
            return
        if "suit" in event:
            self.tap(form.locator(".chip", has=self.phone.locator(f"input[name=suit][value='{event['suit']}']")))
        if form.locator("input[name=cards]").count():
            single = form.locator(".single-or-several [value=single]")
            alone = single.count() and single.is_checked()
            if alone and len(event["cards"]) > 1:
                self.tap(form.locator(".single-or-several .chip", has_text="Several"))
            for card in event["cards"]:
                label = form.locator("label.card", has=self.phone.locator(f"input[value='{card}']"))
                if not label.is_visible():
                    self.tap(form.locator(".deck-tabs label", has_text="Trump" if card.endswith("*") else "Plain"))
                self.tap(label)
            if not alone or len(event["cards"]) > 1:
                self.tap(form.locator(".submit .primary"))
        else:
            self.tap(form.locator(f"button[name=cards][value='{event['cards'][0]}']"))

    def tap_open_card(self, event: dict[str, Any]) -> None:
        """Tap a card that lies open, or the suit of a card of which only that was seen."""
        name, value = ("card", event["card"]) if event["card"] != "?" else ("suit", event["suit"])
        self.tap(self.phone.locator(f"form.ask[data-event={event['type']}] button[name={name}][value='{value}']"))

    def exchange(self, event: dict[str, Any]) -> None:
        """Fill in the cards exchanged when a deuce was dropped."""
        self.tap(self.phone.get_by_role("button", name="Drop a Deuce"))
        self.phone.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")  # the sheet rises
        form = self.phone.locator("form[data-event=drop-deuce]")
        king = "" if event["king"] is None else event["king"]
        self.tap(form.locator(".chip", has=self.phone.locator(f"input[name=king][value='{king}']")))
        if event["king"] is None:
            self.tap(form.locator(".submit .primary"))
            return
        if event.get("constipated"):
            self.tap(form.locator(".chip", has=self.phone.locator("[name=constipated][value='1']")))
        given, returned = (event.get(name, "?").replace("?", "") for name in ("given", "returned"))
        self.tap(form.locator("label", has=self.phone.locator(f"input[name=given][value='{given}']")))
        self.tap(form.locator(f"button[name=returned][value='{returned}']"))


def at_table(page: Any, game: str, seats: int | Sequence[str], *events: dict[str, Any], **more: Any) -> Thumb:
    """Open a table on this page and record events by taps; return the thumb, to go on."""
    thumb = Thumb(page)
    thumb.open_table(table(game, seats, **more))
    for event in events:
        thumb.record(event)
    return thumb
