"""A guided ruling under the thumb: from a table, answer by answer, to what to do now, carried out with one tap."""

from playwright.sync_api import Page, expect

TRUMPED = [
    *(("0", "AY"), ("1", "XY"), ("2", "2SY"), ("1", "5ML"), ("2", "7ML"), ("0", "XM"), ("0", "8MS"), ("1", "4YK")),
    *(("2", "9MS"), ("1", "3MW"), ("2", "6MW"), ("0", "4MS"), ("2", "2WL"), ("0", "4WL"), ("1", "7WY")),
]
"""Bob trumps the third trick although he could follow, and wins it and the fifth."""
SEATS = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}


class Keeper:
    """Who keeps the score: a phone, and a program that tells the table what was played."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        opened = tab.request.post("/api/v1/tables/", data=SEATS).json()
        self.address, token = f"/api/v1/tables/{opened['code']}/", opened["token"]
        self.headers = {"Authorization": f"Bearer {token}"}
        made = tab.request.post(f"{self.address}links/", data={"role": "scorekeeper"}, headers=self.headers).json()
        self.page = f"/t/{opened['code']}/"
        tab.goto(f"{self.page}join/#{made['token']}")
        tab.wait_for_url(f"**{self.page}")

    def record(self, *events: dict[str, object]) -> None:
        """Record what was played; the page follows."""
        done = self.tab.request.post(f"{self.address}events/", data={"events": list(events)}, headers=self.headers)
        assert done.status == 201, done.text()
        self.tab.wait_for_url(f"**{self.page}*")  # the way back from a ruling may still be under way
        self.tab.goto(self.page)


def walk(tab: Page, situation: str, *answers: str) -> None:
    """Go from the table to a ruling, by the answers that the record does not know."""
    tab.get_by_role("link", name="What went wrong?").tap()
    tab.locator(".situation strong", has_text=situation).tap()
    for answer in answers:
        tab.locator(".answer").get_by_text(answer, exact=True).tap()


def back(tab: Page) -> None:
    """Go back to the table."""
    tab.get_by_role("link", name="Ace Trump").tap()


def test_trails_from_a_table_to_what_to_do_now(phone, screenshot):
    keeper = Keeper(phone)
    # a wrong number of cards, before the first card (IR-10)
    walk(phone, "A hand has too many", "Bob")
    expect(phone.locator(".now")).to_contain_text("the same dealer deals again")
    screenshot(phone, "guide-again")
    back(phone)
    keeper.record({"type": "play", "seat": 1, "cards": ["8MS"], "accepted": True})
    # a lead out of turn goes back (IR-8)
    walk(phone, "Somebody led out of turn")
    expect(phone.locator(".now")).to_have_text("Bob takes the card back, and whoever has the lead plays first.")
    phone.get_by_role("button", name="Take it back").tap()
    expect(phone.locator("#table")).to_contain_text("Ann")
    keeper.record(*({"type": "play", "seat": int(seat), "cards": [card]} for seat, card in TRUMPED))
    # a card that was shown (IR-7), a remark (IR-17) and one step back
    walk(phone, "Somebody said too much")
    phone.get_by_role("link", name="One step back").tap()
    phone.get_by_role("link", name="A card was shown").tap()
    phone.locator(".answer").get_by_text("Cy", exact=True).tap()
    expect(phone.locator(".cites")).to_contain_text("IR-7")
    back(phone)
    # a claim that nobody doubts ends the hand (IR-14)
    walk(phone, "Somebody claims", "Cy", "All tricks that are left are mine", "No")
    phone.get_by_role("button", name="They get the rest").tap()
    expect(phone.locator("#table")).to_contain_text("Hand 1 is over")
    # the revoke of the third trick is paid for at the price that was shown (IR-4)
    walk(phone, "Somebody did not follow", "Bob", "Trick 3")
    paying = phone.get_by_role("button", name="Give up tricks")
    expect(paying).to_contain_text("Bob 3 → 1")
    screenshot(phone, "guide-pay")
    paying.tap()
    expect(phone.locator("#table")).to_contain_text("Bob")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
