"""Random records of Hearts, for comparing two adjudicators, with the story of each."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from random import Random

from tests.games.hearts.oracle import PLAYERS, VALUES, Hand, Table
from tests.games.oh_hell.oracle_rules import DECK
from tests.games.tricks.oracle_plain import Event
from tests.games.tricks.random_story import Mischief as AnyMischief
from tests.games.tricks.random_story import TrickStory, random_end, random_options, record_without_hands


@dataclass(frozen=True)
class Mischief(AnyMischief):
    passes: float = 0.5


HONEST = Mischief.none()


class Story(TrickStory):
    """One table from the first deal on; cards are passed whether or not the pass is recorded."""

    LATE = [*TrickStory.LATE, {"type": "moon", "seat": 0, "subtract": False}]
    CARDS = list(DECK)
    PENALTIES = [-10, -5, -1, 1, 3, 10]
    DRASTIC = 0.5
    table: Table

    def deal(self) -> None:
        hand = Hand(
            options=self.table.options, players=self.table.players, index=0, played=self.table.played(), dealer=0,
            size=self.table.next_size(), known={},
        )  # fmt: skip
        deck = list(hand.deck)
        self.rng.shuffle(deck)
        size, seats = hand.size, range(hand.players)
        dealt = [deck[seat * size : (seat + 1) * size] for seat in seats]
        count = self.table.options["pass_count"]
        self.passes = [self.rng.sample(cards, count) for cards in dealt] if hand.to else []
        self.begun = [
            [card for card in cards if not hand.to or card not in self.passes[seat]] for seat, cards in enumerate(dealt)
        ]
        for giver, cards in enumerate(self.passes):
            self.begun[(hand.to or [])[giver]] += cards
        told = self.rng.choice(["all", "all", "some"]) if self.chance(self.mischief.passes) and hand.to else "none"
        self.to_pass = [seat for seat in seats if told == "all" or (told == "some" and self.chance(0.5))]
        self.rng.shuffle(self.to_pass)
        self.hands = deepcopy(dealt if told == "all" else self.begun)
        self.all_told = told == "all"

    def remember(self, event: Event) -> None:
        if event["type"] == "pass-cards":
            if self.all_told and self.hand.started:
                self.hands = deepcopy(self.begun)
            return
        if event["type"] == "play" and self.all_told and len(self.hand.shown) == 1:
            self.hands = deepcopy(self.begun)
        super().remember(event)

    def ordinary(self) -> Event:
        hand = self.hand
        if hand.phase() == "moon":
            return {"type": "moon", "seat": self.shooter(), "subtract": self.chance(0.5)}
        if hand.phase() == "passing" and self.to_pass and not self.chance(0.03):
            return self.pass_cards(self.to_pass.pop())
        if hand.phase() == "play" and len(hand.complete()) == hand.size:
            return self.result()
        if hand.open_trick() is None and self.chance(self.coarseness):
            return self.result() if self.chance(0.2) else self.trick()
        seat = self.leader() if hand.open_trick() is None and hand.first_trick() else hand.next_player()
        if self.chance(self.disorder):
            seat = self.rng.choice([each for each in hand.seats if not hand.has_played(each)])
        return {"type": "play", "seat": seat, "cards": [self.choose(hand, seat, self.lies[seat])]}

    def shooter(self) -> int:
        shooter = self.hand.shooter()
        return self.rng.randrange(self.hand.players) if self.chance(self.disorder) else shooter or 0

    def leader(self) -> int:
        hand = self.hand
        holders = [seat for seat in hand.seats if hand.low in self.hands[seat]]
        if hand.options["opening"] == "low-club" and holders and (hand.started or not self.all_told):
            return holders[0]
        return hand.first_leader()

    def pass_cards(self, seat: int) -> Event:
        cards = list(self.passes[seat])
        if self.chance(0.05 if self.mischief.impossible else 0):
            cards[0] = "?"
        return {"type": "pass-cards", "seat": seat, "cards": cards}

    def truthful(self, hand: Hand, seat: int) -> list[str]:
        cards, honest = self.hands[seat], super().truthful(hand, seat)
        if hand.open_trick() is None and not hand.tricks and hand.options["opening"] == "low-club":
            return [hand.low] if hand.low in cards else [card for card in honest if card[-1] == "C"] or honest
        return honest

    def denied(self, hand: Hand, seat: int, card: str) -> set[str]:
        return {each for _, forbidden in hand.assertions(seat, card) for each in forbidden}

    def trick(self) -> Event:
        hidden = self.hidden_trick() if self.hand.started else None
        points: int | None = None
        if hidden is None:
            winner = self.unseen_trick()
        else:
            done = hidden.complete()[-1]
            winner, points = done["winner"], hidden.trick_worth(done)
        event: Event = {"type": "trick", "winner": winner}
        if points is None and self.chance(0.3):
            points = self.rng.choice([0, 0, 1, 2, 3, 4, 13, 14])
        return {**event, "points": {str(winner): points}} if points is not None and self.chance(0.7) else event

    def result(self) -> Event:
        hand = self.hand
        made = [points or 0 for points in hand.taken()]
        missing = [hand.worth(card) for card in hand.out() if hand.worth(card)]
        if any(trick["told"] for trick in hand.complete()):
            missing = [1] * max(0, hand.whole - sum(made))
        alone = self.rng.randrange(hand.players) if self.chance(0.4) else None
        for worth in missing:
            made[self.rng.randrange(hand.players) if alone is None else alone] += worth
        return {"type": "result", "points": made}

    def impossible_event(self) -> Event:
        """Something that cannot have happened, or hardly."""
        hand, rng = self.hand, self.rng
        seat = rng.randrange(hand.players)
        shown = [card for _, _, card in hand.shown] or ["9SK"]
        count = hand.options["pass_count"]
        events: list[Event] = [
            {"type": "play", "seat": seat, "cards": [rng.choice([*shown, "2H*", "0H", "2D", "2C"])]},
            {"type": "play", "seat": seat, "cards": rng.choice([[], ["2S", "3S"]])},
            {"type": "play", "seat": rng.choice([hand.players, 9]), "cards": ["3S"]},
            {"type": "play", "seat": seat, "cards": [rng.choice(DECK)], "suit": "H"},
            {"type": "pass-cards", "seat": seat, "cards": rng.sample(DECK, rng.choice([count, count, count + 1]))},
            {"type": "pass-cards", "seat": seat, "cards": [rng.choice(DECK)] * count},
            {"type": "moon", "seat": seat, "subtract": True},
            {"type": "trick", "winner": rng.choice([seat, 9]), "points": {str(seat): rng.choice([5, 17, 30])}},
            {"type": "result", "points": [26, *[0] * (hand.players - 1)]},
            {"type": "result", "points": [0, *[26] * (hand.players - 1)]},
            {"type": "result", "points": [7, 7, 6, 6, 0][: hand.players]},
            {"type": "result", "tricks": [1] * hand.players},
            {"type": "bid", "seat": seat, "tricks": 1},
            {"type": "transfer", "from_seat": 0, "to_seat": 1, "tricks": 1},
        ]  # fmt: skip
        event = rng.choice(events)
        if event["type"] == "trick" and hand.open_trick() is not None:
            return {"type": "pass", "seat": seat}
        return event


def random_record(rng: Random, mischief: Mischief | None = None, stories: list[Story] | None = None) -> dict:
    mischief = mischief or Mischief()
    record = random_table(rng)
    story = Story(rng, mischief, Table(record))
    hands = rng.choice([1, 1, 2, 3])
    return story.fill(record, hands, stories, lambda card: rng.choice([card, card.lower(), card.replace("10", "T")]))


honest_record = partial(random_record, mischief=HONEST)


def random_table(rng: Random) -> dict:
    """A record without hands."""
    players = rng.choice([*PLAYERS, 4, 4])
    options = random_options(rng, VALUES)
    if options.get("breaks") == "queen" and options.get("hearts_lead") == "free":
        del options["breaks"]
    end = random_end(rng, [5, 20, 30, 60])
    record = record_without_hands("hearts", options, players, rng.randrange(players), end)
    if rng.random() < 0.2:
        record["carried"] = [rng.randint(-12, 90) for _ in range(players)]
    return record
