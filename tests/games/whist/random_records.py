"""Random records of Whist, for comparing two adjudicators."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random

from tests.games.oh_hell import random_story
from tests.games.oh_hell.oracle_rules import DECK
from tests.games.oh_hell.random_records import Mischief as FrenchMischief
from tests.games.oh_hell.random_records import alias, name_suits
from tests.games.tricks.oracle_plain import Event
from tests.games.tricks.random_story import random_end, record_without_hands
from tests.games.whist.oracle import VALUES, Table


@dataclass(frozen=True)
class Mischief(FrenchMischief):
    """How often each thing happens: a probability per record, hand, or opportunity."""

    claims: float = 0.5


HONEST = Mischief.none()


class Story(random_story.Story):
    """One table from the first deal on: no bids, and the dealer's last card is turned up."""

    LATE = [*random_story.Story.LATE, {"type": "honours", "seat": 0, "held": 3}]

    def deal(self) -> None:
        super().deal()
        dealer = self.table.next_dealer()
        self.turned = self.hands[dealer][-1] if self.table.options["trump"] == "turned" else None

    def remember(self, event: Event) -> None:
        """Remove an accepted card from the true hand; the dealer's turned card may change with it."""
        if event["type"] == "turn-up":
            self.turned = event["card"] if event["card"] in DECK else self.turned
            for cards in self.hands:
                if self.turned in cards and cards is not self.hands[self.hand.dealer]:
                    cards[cards.index(self.turned)] = self.hands[self.hand.dealer].pop()
                    self.hands[self.hand.dealer].append(self.turned)
            return
        super().remember(event)

    def ordinary(self) -> Event:
        if self.hand.phase() != "turn-up":
            return super().ordinary()
        if not self.chance(self.mischief.forgotten_turn_up):
            return self.turn_up()
        return self.result() if self.chance(0.2) else self.trick()

    def result(self) -> Event:
        event = super().result()
        tricks = event["tricks"]
        for seat in (0, 1):
            if self.chance(0.4):
                tricks[seat], tricks[seat + 2] = self.rng.choice([(tricks[seat] + tricks[seat + 2], 0)] * 2 + [(0, 9)])
        return event

    def settle_after(self) -> None:
        if not self.stopped and self.hand.options["honours"] == "on" and self.chance(self.mischief.claims):
            event = {"type": "honours", "seat": self.rng.randrange(4), "held": self.rng.choice([3, 3, 4, 4, 2])}
            if self.table.apply(event) is None:
                self.events.append(event)
            elif self.chance(0.3):
                self.fail(event)
        super().settle_after()


def random_record(rng: Random, mischief: Mischief | None = None, stories: list[Story] | None = None) -> dict:
    """One record; its story is appended to ``stories``."""
    mischief = mischief or Mischief()
    record = random_table(rng)
    story = Story(rng, mischief, Table(record))
    return story.fill(record, rng.choice([1, 1, 2, 3]), stories, partial(alias, rng), partial(name_suits, rng))


honest_record = partial(random_record, mischief=HONEST)
"""A record in which no one breaks a rule and every card is entered."""


def random_table(rng: Random) -> dict:
    """A record without hands."""
    options = {key: rng.choice(values) for key, values in VALUES.items() if rng.random() < 0.5}
    if options.get("trump") == "none":
        options.pop("honours", None)
    if rng.random() < 0.3:
        options.pop("trump", None)
    record = record_without_hands("whist", options, 4, rng.randrange(4), random_end(rng, [1, 2, 3, 5]))
    if rng.random() < 0.3:
        record["carried"] = [rng.randint(0, 6), rng.randint(-2, 6)] * 2
    return record
