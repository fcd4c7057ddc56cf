"""The trick that lies on the table: what its unseen cards can be, who can win it, and with what trump."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from math import prod
from random import Random

from tests.games.decktet_tricks.oracle_cards import is_high, suits_of
from tests.games.decktet_tricks.oracle_trump import Trump

SOME = 3000
"""How many worlds are tried at random before all of them."""


class OpenTrick(Trump):
    """A hand of which the open trick can be told, however little of it was seen."""

    def waiting(self) -> bool:
        """Whether a full trick lies there and nobody can know who won it."""
        trick = self.open_trick()
        return trick is not None and len(trick["plays"]) == self.players

    def slots(self) -> list[dict]:
        """The plays of the open trick, with an unseen card for everybody who has not played."""
        trick = self.open_trick()
        assert trick is not None
        played = [play["seat"] for play in trick["plays"]]
        rest = [seat for seat in self.clockwise(played[-1]) if seat not in played]
        return trick["plays"] + [{"seat": seat, "cards": ["?"]} for seat in rest]

    def unseen_slots(self) -> int:
        """How many cards of the open trick nobody saw, were it closed now."""
        return sum(play["cards"] == ["?"] for play in self.slots())

    def can_be(self, play: dict) -> list[str]:
        """Every card that an unseen play can have been."""
        seat = play["seat"]
        gone = {card for _, _, card in self.shown} | {"A" + suit for suit in self.told_aces()}
        if seat in self.known:
            cards = [card for card in self.known[seat] if card not in gone]
        else:
            placed = {card for hand in self.known.values() for card in hand}
            cards = [card for card in self.deck if card not in gone | placed]
        if self.game == "wildcat-chicane":
            own = [card for _, owner, card in self.shown if owner == seat]
            for group, dealt in ((True, 12 // self.players), (False, 24 // self.players)):
                if sum(is_high(card) == group for card in own) >= dealt:
                    cards = [card for card in cards if is_high(card) != group]
        if play.get("suit"):
            cards = [card for card in cards if play["suit"] in suits_of(card)]
        return cards

    def worlds(self) -> Iterator[list[dict]]:
        """The open trick with every choice of cards for those that nobody saw; some at random first.

        Where most of a large table is unseen there are many millions, and a few thousand show who can win.
        """
        slots = self.slots()
        hidden = [place for place, play in enumerate(slots) if play["cards"] == ["?"]]
        choices = [self.can_be(slots[place]) for place in hidden]
        rng = Random(0)
        many = prod(map(len, choices)) > 10 * SOME
        some = ([rng.choice(cards) for cards in choices] for _ in range(SOME if many else 0))
        for cards in chain(some, product(*choices)):
            if len(set(cards)) < len(cards):
                continue
            world = list(slots)
            for place, card in zip(hidden, cards, strict=True):
                world[place] = {**slots[place], "cards": [card]}
            yield world

    def possible_winners(self, told: str | None = "untold") -> set[int]:
        """Who can win the open trick; with `told` only where that is trump after it."""
        found: set[int] = set()
        for world in self.worlds():
            decides, after = self.trumps_with(world)
            if told in ("untold", after):
                found.add(self.resolve(world, decides))
            if len(found) == self.players:
                break
        return found

    def trumps_with(self, plays: list[dict]) -> tuple[str | None, str | None]:
        """The trump that decides the open trick, were these its cards, and trump after it."""
        if self.game != "ace-trump" or self.options["trump"] in ("fixed", "named"):
            trump = self.trump_story()[1]
            return trump, trump
        earlier = [card for _, _, card in self.shown if card[0] == "A"]
        lying = [play["cards"][0] for trick in [self.open_trick()] if trick for play in trick["plays"]]
        before = [card for card in earlier if card not in lying]
        told = any(trick.get("new_ace") for trick in self.tricks)
        trump = self.trump_before_open()
        aces = [play["cards"][0][1] for play in plays if play["cards"][0][0] == "A"]
        if self.options["trump"] == "sticky":
            settled = trump if before or told or not aces else aces[0]
            return settled, settled
        if not aces:
            return trump, trump
        return (aces[0] if self.options["two_aces"] == "first" else aces[-1]), aces[-1]

    def trump_before_open(self) -> str | None:
        """Trump when the open trick began."""
        trick = self.tricks.pop()
        try:
            return self.trump_story()[1]
        finally:
            self.tricks.append(trick)
