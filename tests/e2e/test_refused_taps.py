"""When something in the middle is not taken, everything behind it waits, and the table says what becomes of it."""

from playwright.sync_api import expect

from tests.e2e.conftest import follow
from tests.e2e.test_taps import TEN, in_order, kept_on_disk, open_table, recorded, tap, waiting
from tests.e2e.thumb import shown


def tap_out_of_turn(phone, name, code):
    phone.get_by_text("Someone else played").tap()
    phone.locator("form[data-event=play] .chip", has_text=name).tap()
    tap(phone, code)


def offline_with_a_card_out_of_turn(phone):
    """Play three cards without a network, the middle one by Ann, who cannot be next."""
    code = open_table(phone)
    phone.context.set_offline(True)
    tap(phone, TEN[0])
    tap_out_of_turn(phone, "Ann", TEN[1])
    tap(phone, TEN[2])
    phone.context.set_offline(False)
    expect(phone.get_by_role("heading", name="The rules do not allow that")).to_be_visible()
    expect(phone.locator("#stopped")).to_contain_text("Not recorded: Ann, Ace of Waves")
    expect(phone.locator("#stopped")).to_contain_text("Huntress")
    assert len(recorded(phone, code)) == 1
    return code


def test_it_is_recorded_as_it_was_and_the_rest_follows(phone, screenshot):
    code = offline_with_a_card_out_of_turn(phone)
    screenshot(phone, "stopped")
    phone.locator("#as-it-was").tap()
    shown(phone, 3)
    assert recorded(phone, code)[1] == (0, "AW")
    in_order(recorded(phone, code), TEN[:3])
    expect(phone.locator("#stopped")).to_be_hidden()


def test_another_card_takes_its_place(phone):
    code = offline_with_a_card_out_of_turn(phone)
    phone.get_by_role("button", name="Tap another instead").tap()
    tap(phone, "9WY")
    shown(phone, 3)
    in_order(recorded(phone, code), [TEN[0], "9WY", TEN[2]])


def test_it_is_left_out(phone):
    code = offline_with_a_card_out_of_turn(phone)
    phone.get_by_role("button", name="Leave it out").tap()
    shown(phone, 2)
    in_order(recorded(phone, code), [TEN[0], TEN[2]])


def test_it_is_still_there_after_a_reload(phone):
    code = offline_with_a_card_out_of_turn(phone)
    tap(phone, TEN[3])
    kept_on_disk(phone, 3)
    phone.reload()
    expect(phone.locator("#stopped")).to_contain_text("Not recorded: Ann, Ace of Waves")
    assert waiting(phone) == 3
    phone.get_by_role("button", name="Try again").tap()
    expect(phone.get_by_role("heading", name="The rules do not allow that")).to_be_visible()
    phone.get_by_role("button", name="Leave it out").tap()
    shown(phone, 3)
    in_order(recorded(phone, code), [TEN[0], TEN[2], TEN[3]])


def test_all_of_it_is_dropped(phone):
    code = offline_with_a_card_out_of_turn(phone)
    phone.get_by_role("button", name="Drop all of them").tap()
    expect(phone.locator("#stopped")).to_be_hidden()
    tap(phone, "9WY")
    shown(phone, 2)
    in_order(recorded(phone, code), [TEN[0], "9WY"])


def test_a_card_refused_alone_gives_way_to_the_next_tap(phone):
    code = open_table(phone)
    tap_out_of_turn(phone, "Ann", TEN[0])
    expect(phone.get_by_role("heading", name="The rules do not allow that")).to_be_visible()
    expect(phone.locator("#stopped")).to_be_hidden()
    tap(phone, TEN[1])
    shown(phone, 1)
    assert recorded(phone, code) == [(1, TEN[1])]


def test_what_another_phone_recorded_meanwhile_is_not_written_over(phone):
    code = open_table(phone)
    phone.context.set_offline(True)
    tap(phone, TEN[0])
    tap(phone, TEN[1])
    form = phone.evaluate("[...new FormData(document.querySelector('form[data-event=play]'))]")
    # Playwright's own requests do not know that this phone is offline; they stand for another one.
    meanwhile = {**dict(form), "seat": "1", "cards": "XS"}
    assert phone.request.post(f"/t/{code}/record/", form=meanwhile).ok
    phone.context.set_offline(False)
    expect(phone.get_by_role("heading", name="The table has moved on")).to_be_visible()
    expect(phone.locator("#stopped")).to_contain_text("Diplomat")
    in_order(recorded(phone, code), ["XS"])
    phone.get_by_role("button", name="Try again").tap()
    shown(phone, 3)
    assert recorded(phone, code) == [(1, "XS"), (2, TEN[0]), (0, TEN[1])]


def test_numbers_that_cannot_be_are_not_sent_and_stay_to_be_put_right(phone):
    open_table(phone)
    phone.locator("summary", has_text="Result of the hand").tap()
    form = phone.locator("form[data-event=result]")
    for name, number in (("tricks-0", "7"), ("tricks-1", "8")):
        form.locator(".chip", has=phone.locator(f"input[name={name}][value='{number}']")).tap()
    form.locator(".primary").tap()
    expect(form.locator(".tally")).to_have_text("3 too many")
    shown(phone, 0)
    expect(form.locator("input[name=tricks-0][value='7']")).to_be_checked()
    form.locator(".chip", has=phone.locator("input[name=tricks-1][value='3']")).tap()
    form.locator(".primary").tap()
    shown(phone, 1)


def test_what_points_taken_away_change_at_the_next_table_is_seen_first(phone, screenshot):
    game = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2, "end": {"kind": "hands", "value": 1}}
    opened = phone.request.post("/api/v1/tables/", data=game).json()
    address, by = f"/api/v1/tables/{opened['code']}/", {"Authorization": f"Bearer {opened['token']}"}
    phone.request.post(f"{address}events/", data={"type": "result", "tricks": [5, 4, 3]}, headers=by)
    gone_on = phone.request.post(f"{address}continue/", data={"seats": ["Ann", "Bob", "Dee"]}, headers=by).json()
    follow(phone, f"/t/{opened['code']}/join/#{opened['token']}")
    phone.get_by_text("More", exact=True).tap()
    form = phone.locator("form[data-event=penalty]")
    phone.locator("details:has(form[data-event=penalty]) > summary").last.tap()
    form.locator(".chip", has_text="Bob").tap()
    form.locator("input[type=number]").fill("3")
    form.locator(".primary").tap()
    expect(phone.locator("#message")).to_contain_text("Bob 4 to 1")
    screenshot(phone, "later-table")
    assert phone.request.get(f"/api/v1/tables/{gone_on['code']}/").json()["carried"] == [5, 4, 0]
    phone.locator("#as-it-was").tap()
    shown(phone, 3)
    assert phone.request.get(f"/api/v1/tables/{gone_on['code']}/").json()["carried"] == [5, 1, 0]
