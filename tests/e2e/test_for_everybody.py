"""Accessibility of a table with everything open: no axe violation, and full keyboard operation."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from referee.engine.records import dump_record, load_record
from tests.e2e.thumb import Thumb, plate

VIOLATIONS = "runOnly => axe.run({ runOnly, resultTypes: ['violations'] }).then((found) => found.violations)"
"""Axe, limited to violations: describing everything that passes takes most of its time."""
EVERYTHING = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def table(game, players):
    names = ["Ann", "Bob", "Cy", "Dot"][:players]
    return dump_record(load_record({"game": game, "seats": names, "first_dealer": 0}))


NAMED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const names = ["for", "aria-labelledby", "aria-describedby", "aria-controls", "popovertarget", "list"];
  const named = names.flatMap((name) => [...document.querySelectorAll(`[${name}]`)]
    .flatMap((element) => element.getAttribute(name).split(/\\s+/)).filter(Boolean));
  return [
    ...new Set(ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `twice: ${id}`)),
    ...new Set(named.filter((id) => !ids.includes(id)).map((id) => `missing: ${id}`)),
  ];
}"""


def wrong_names(page):
    """Return duplicated ids, and referenced ids that do not exist."""
    return page.evaluate(NAMED)


def complaints(page, rules=EVERYTHING):
    """Return axe's violations, and problems with element ids."""
    return axe_finds(page, rules) + wrong_names(page)


def axe_finds(page, rules):
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(VIOLATIONS, list(rules))
    return [f"{v['id']}: {[node['target'] for node in v['nodes']][:5]}" for v in found]


def unfold(phone):
    """Open all folds, nested ones included; some load their content when opened."""
    closed = phone.locator("details:not([open]) > summary:visible")
    while closed.count():
        closed.first.tap()
        expect(phone.locator("details[open] > [data-folded]")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_in_play_is_accessible(phone, scheme):
    phone.emulate_media(color_scheme=scheme)
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 3))
    for event in (
        {"type": "play", "seat": 1, "cards": ["8MS"]},
        {"type": "play", "seat": 2, "cards": ["AW"]},
        {"type": "play", "seat": 0, "cards": ["XM"]},
        {"type": "play", "seat": 2, "cards": ["9MS"]},
    ):
        thumb.record(event)
    unfold(phone)
    assert complaints(phone) == []
    plate(phone, "Bob").tap()
    phone.get_by_role("button", name="Mill", exact=False).tap()
    expect(phone.locator("#message")).to_be_focused()
    assert complaints(phone) == []


def test_a_card_is_played_from_the_keyboard(page):
    thumb = Thumb(page)
    page.goto("/new/ace-trump/")
    for name in ("Ann", "Bob", "Cy"):
        page.locator(f"#name-{thumb.taps}").fill(name)
        thumb.taps += 1
    for _ in ("the next place", "the button", "deal"):
        page.keyboard.press("Enter")
    page.locator("#play-8MS").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_have_text("Cy follows Moons or Suns.")
    expect(page.locator("#announce")).to_have_text("Cy follows Moons or Suns.")


def box(tab, selector):
    found = tab.locator(selector).first.bounding_box()
    assert found, selector
    return found


def test_the_selection_is_visible_in_forced_colors(phone):
    Thumb(phone).open_table(table("ace-trump", 3))
    phone.emulate_media(forced_colors="active")
    phone.locator("summary", has_text="Result of the hand").tap()
    first = phone.locator("form[data-event=result] .each").first
    first.locator("label.chip", has_text="4").tap()
    colour = "(chip) => getComputedStyle(chip).backgroundColor"
    chosen = first.locator("input:checked + span").evaluate(colour)
    assert chosen != first.locator("input:not(:checked) + span").first.evaluate(colour)


HIDDEN = """() => [...document.querySelectorAll(".felt :is(.seat-name, .status, .felt-foot), .tool, .pad .card")]
  .filter((part) => {
    const [box, felt] = [part, document.querySelector(".felt")].map((each) => each.getBoundingClientRect());
    const below = part.closest(".felt") && box.bottom > felt.bottom;
    return below || box.right > innerWidth || part.scrollWidth > part.clientWidth + 1;
  }).map((part) => `${part.className}: ${part.textContent}`)"""


@pytest.mark.parametrize("size", [130, 150, 200])
def test_larger_text_clips_and_covers_nothing(phone, size):
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 4))
    thumb.record({"type": "play", "seat": 1, "cards": ["8MS"]})
    phone.evaluate(f"document.documentElement.style.fontSize = '{size}%'")
    expect(phone.locator("html")).to_have_attribute("data-text", "large" if size < 150 else "largest")
    head, felt, pad, tools = (box(phone, each) for each in (".site", ".felt", ".pad", ".tools"))
    for above, below in ((head, felt), (felt, pad), (pad, tools)):
        assert above["y"] + above["height"] <= below["y"]
    assert phone.evaluate(HIDDEN) == []
    seats = [seat.bounding_box()["x"] for seat in phone.locator(".seat").all()]
    assert len(set(seats)) == (2 if size < 150 else 1), "the largest text has a row for each plate"


@pytest.mark.parametrize("game", ["ace-trump", "ace-pit"])
def test_nothing_on_a_card_is_cut_off_on_the_narrowest_screen(phone, game):
    thumb = Thumb(phone)
    thumb.open_table(table(game, 2))
    phone.set_viewport_size({"width": 320, "height": 640})
    cut = "cards => cards.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.title)"
    assert phone.locator(".pad .card").evaluate_all(cut) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320
