"""Plays a golden record of any trick-taking game: true hands, and what the referee asks for, card by card.

A game whose events need more than cards, suits, numbers, seats and flags brings its own ``play``, and so does one that
must show what a table accepts against the rules: these players do nothing wrong but fail to follow suit.
"""

from random import Random
from typing import Any

from referee.engine.events import Ask, Field
from referee.engine.game import event_kinds
from referee.engine.records import load_event, load_record
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import TableState, deal, judge, open_table
from tests.golden.variant import Variant

LIE = 0.03
"""How often a liar holds back a card that would follow: seldom enough that one act stands alone."""


class Dealt:
    """The true cards of one hand: each seat's, and those left over."""

    def __init__(self, table: TableState, rng: Random, lies: float) -> None:
        hand = table.hand
        assert hand is not None
        assert hand.setup.sizes is not None
        self.rng, self.lies, self.dealer = rng, lies, hand.setup.dealer
        cards = [card.code for card in table.rules.pack.cards]
        rng.shuffle(cards)
        self.hands = [[cards.pop() for _ in range(size)] for size in hand.setup.sizes]
        self.left = cards

    def choose(self, asks: list[Ask]) -> Ask:
        """Return an event for everything that is asked for."""
        return asks[0]

    def answer(self, ask: Ask) -> dict[str, Any]:
        seat = ask.seats[0] if ask.seats else self.dealer
        fields = {field.name: self.fill(field, seat) for field in ask.fields if not field.optional}
        return {"type": ask.event, **ask.fixed} | ({"seat": seat} if ask.seats else {}) | fields

    def fill(self, field: Field, seat: int) -> object:
        """Return the value of a field; a single shown card is a leftover one, or else the dealer's last."""
        match field.kind:
            case "cards":
                return [self.give(field, seat)]
            case "card":
                return self.rng.choice(self.left or self.hands[self.dealer][-1:])
            case "number":
                return self.rng.choice([n for n in range(field.least, field.most + 1) if n not in field.struck])
            case "seat":
                return int(self.rng.choice(field.choices))
            case "suit" | "choice":
                return self.rng.choice(field.choices)
            case "flag":
                return self.rng.random() < 0.5
        raise NotImplementedError(f"{field.name} ({field.kind}): the game needs a `play` in its golden_variants.py")

    def give(self, field: Field, seat: int) -> str:
        """Take a card out of a hand: one that claims nothing, as long as there is one and no one lies."""
        held = self.hands[seat]
        honest = [card for card in held if card not in field.marks]
        lies = self.rng.random() < self.lies * LIE
        card = self.rng.choice(held if lies else honest or held)
        held.remove(card)
        return card


def play(variant: Variant, record: dict, rng: Random, dealt: type[Dealt] = Dealt) -> bool:
    """Play the hands of a record at random by the rules; return whether it is suitable."""
    told = load_record(record)
    table = open_table(told.rules, first_dealer=told.first_dealer)
    for _ in range(variant.hands):
        opened = deal(table)
        if isinstance(opened, Refusal):
            return False
        table, cards, events = opened, dealt(opened, rng, variant.lies), list[dict[str, Any]]()
        record["hands"].append({"events": events})
        while table.hand is not None and not table.hand.is_over():
            asks = [ask for ask in table.hand.asks() if not event_kinds()[ask.event].coarse]
            events.append(cards.answer(cards.choose(asks)))
            ruling = judge(table, load_event(events[-1]))
            if ruling.verdict is not Verdict.ACCEPTED:
                return False
            table = ruling.table
    return True
