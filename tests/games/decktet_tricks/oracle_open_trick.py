"""The trick that lies on the table: what its unseen cards can be, who can win it, and with what trump."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import product
from math import prod

from tests.games.decktet_tricks.oracle_cards import is_high, suits_of
from tests.games.decktet_tricks.oracle_trump import Stand, Trump
from tests.games.tricks.different import can_differ

FEW_WAYS = 5000
"""Of a trick of which no card was seen only so many ways are tried."""
Outcome = tuple[int, Stand, str | None, Stand]
"""What can come of a trick: its winner, trump before it, what decides it, trump after it."""


class OpenTrick(Trump):
    """A hand of which the open trick can be told, however little of it was seen."""

    @abstractmethod
    def phase(self) -> str:
        """The phase by its name in the API."""

    @abstractmethod
    def next_player(self) -> int:
        """The leader, or the first seat after the last play that has not played to the trick."""

    def waiting(self) -> bool:
        """Whether a full trick lies there and nobody can know who won it."""
        trick = self.open_trick()
        return trick is not None and len(trick["plays"]) == self.players

    def slots(self) -> list[dict]:
        """The plays of the open trick, with an unseen card for everybody who has not played."""
        trick = self.open_trick() or {"plays": []}
        played = [play["seat"] for play in trick["plays"]]
        first = played[-1] if played else self.next_player()
        rest = [seat for seat in self.clockwise(first) if seat not in played]
        return trick["plays"] + [{"seat": seat, "cards": ["?"]} for seat in rest]

    def unseen_slots(self) -> int:
        """How many cards of the open trick nobody saw, were it closed now."""
        return sum(play["cards"] == ["?"] for play in self.slots())

    def can_be(self, play: dict) -> list[str]:
        """Every card that an unseen play can have been."""
        seat = play["seat"]
        gone = {card for _, _, card in self.shown} | self.lost
        if seat in self.known:
            cards = [card for card in self.known[seat] if card not in gone]
        else:
            placed = {card for hand in self.known.values() for card in hand}
            cards = [card for card in self.deck if card not in gone | placed]
        cards = [card for card in cards if not self.is_dealt_out(seat, card)]
        if play.get("suit"):
            cards = [card for card in cards if play["suit"] in suits_of(card)]
        return cards

    def is_dealt_out(self, seat: int, card: str) -> bool:
        """Wildcat Chicane: whether all Aces and Crowns, or all number cards, of this seat have fallen (WC-2)."""
        if self.game != "wildcat-chicane":
            return False
        fell = [{each} for _, owner, each in self.shown if owner == seat]
        fell += [could for owner, could in self.hidden if owner == seat]
        alike = [could for could in fell if {is_high(each) for each in could} == {is_high(card)}]
        return len(alike) >= (12 if is_high(card) else 24) // self.players

    def hide(self, more: Iterable[tuple[int, set[str]]] = ()) -> bool:
        """See what the cards that nobody saw can be, with more of them; what must have fallen is lost.

        False, and nothing seen, where one of them can be no card at all.
        """
        whole, gone = [*self.hidden, *more], {card for _, _, card in self.shown}
        self.hidden, before = list(whole), None
        while before != self.hidden:
            before = list(self.hidden)
            for place, (seat, could) in enumerate(before):
                if len(could) > 1:
                    could = could - gone
                    could = {card for card in could if not self.is_dealt_out(seat, card)} or could
                    self.hidden[place] = seat, could
                gone |= could if len(could) == 1 else set()
        if all(could for _, could in self.hidden):
            self.lost |= {card for _, could in self.hidden if len(could) == 1 for card in could}
            return True
        self.hidden = whole
        return False

    def is_hidden(self, seat: int, card: str, suit: str | None) -> bool:
        """Whether this card cannot be played, because without it some unseen card can be none."""
        if not (self.hidden or any(play["cards"] == ["?"] for play in (self.open_trick() or {"plays": []})["plays"])):
            return False
        trial = deepcopy(self)
        if trial.open_trick() is None:
            trial.tricks.append({"leader": seat, "plays": [], "winner": None})
        trial.tricks[-1]["plays"].append({"seat": seat, "cards": [card], **({"suit": suit} if suit else {})})
        trial.shown.append((self.position, seat, card))
        consistent = trial.hide()
        open_places = [set(trial.can_be(play)) for play in trial.slots() if play["cards"] == ["?"]]
        return not (consistent and can_differ([*open_places, *(could - {card} for _, could in trial.hidden)]))

    def worlds(self) -> Iterator[list[dict]]:
        """The open trick with every choice of cards for those that nobody saw."""
        slots = self.slots()
        hidden = [place for place, play in enumerate(slots) if play["cards"] == ["?"]]
        for cards in product(*(self.can_be(slots[place]) for place in hidden)):
            if len(set(cards)) < len(cards):
                continue
            world = list(slots)
            for place, card in zip(hidden, cards, strict=True):
                world[place] = {**slots[place], "cards": [card], "guessed": True}
            yield world

    def is_wide(self) -> bool:
        """Whether so little is known of the next trick that anybody can win it, with whatever Ace."""
        if self.open_trick() is not None:
            return False
        unjudged = self.skipped and (self.game == "wildcat-chicane" or not self.skipped_by_trick)
        return unjudged or self.phase() != "play" or prod(len(self.can_be(play)) for play in self.slots()) > FEW_WAYS

    def befores(self) -> set[Stand]:
        """How trump can stand before the trick."""
        if self.has_aces():
            return self.stands
        if self.game == "ransom-trump" and not self.trump_settled():
            return {(trump, False, False) for trump in self.ransom_trumps()}
        if self.names_before_deal() and not self.trump_settled():
            return {(trump, False, False) for trump in "MSWLYK"}
        return {(self.trump_story()[1], False, False)}

    def outcomes(self) -> set[Outcome]:
        """All that can come of the open trick, or the next one; found once for each position of the record."""
        laid = len(self.shown), self.position, self.phase()
        if self.tried[0] != laid:
            self.tried = laid, self.try_all()
        return self.tried[1]

    def try_all(self) -> set[Outcome]:
        """All that can come of the open trick, or the next one, by trying every choice of cards."""
        found: set[Outcome] = set()
        if self.is_wide():
            aces = {card[1] for play in self.slots() for card in self.can_be(play) if card[0] == "A"}
            sticky = self.options.get("trump") == "sticky"
            for before in self.befores():
                new = aces if self.has_aces() and not (sticky and before[1]) else set()
                for after in {before, *((suit, True, True) for suit in new)}:
                    found |= {(seat, before, after[0], after) for seat in self.seats}
            return found
        for world in self.worlds():
            for before in self.befores():
                decides, after = self.run(before, world)
                found.add((self.resolve(world, decides), before, decides, after))
        return found

    def ways_told(self, winner: int, told: str | None) -> set[Outcome]:
        """What can come of it if this is told; the trump of a trick begun is as seen where it is not told."""
        trick = self.open_trick()
        fits = {way for way in self.outcomes() if way[0] == winner and told in ("untold", way[3][0])}
        if told != "untold" or trick is None:
            return fits
        seen = trick["plays"]
        return fits if any(way[3][0] == self.run(way[1], seen)[1][0] for way in fits) else set()

    def possible_winners(self) -> set[int]:
        """Who can win the open trick."""
        return {way[0] for way in self.outcomes()}

    def cards_by_seat(self, ways: set[Outcome]) -> dict[int, set[str]]:
        """Every card that each player can have played to the open trick, in the order of play."""
        could: dict[int, set[str]] = {play["seat"]: set() for play in self.slots()}
        for world in self.worlds():
            ran = [(before, *self.run(before, world)) for before in self.befores()]
            if any((self.resolve(world, way[1]), *way) in ways for way in ran):
                for play in world:
                    could[play["seat"]].add(play["cards"][0])
        return could

    def close(self, winner: int | None, ways: set[Outcome], told: str | None = "untold") -> None:
        """Give the open trick to its winner, as far as that is known, and see what is trump after it."""
        trick = self.tricks[-1]
        slots = self.slots() if trick["plays"] else []
        could = self.cards_by_seat(ways) if winner is not None and trick["plays"] else {}
        trick["winner"], trick["could"] = winner, could
        if winner is None:
            return
        many = prod(len(self.can_be(play)) for play in slots if play["cards"] == ["?"]) > FEW_WAYS
        unseen = [play["seat"] for play in slots if play["cards"] == ["?"]]
        wide = {play["seat"]: set(self.can_be(play)) for play in slots if many}
        self.hide((seat, wide[seat] if many and len(could[seat]) > 1 else could[seat]) for seat in unseen)
        if self.game == "ransom-trump" and not self.trump_settled() and ways:
            self.narrowed = {way[3][0] for way in ways}
            if len(self.narrowed) == 1:
                (trick["given"],) = self.narrowed
        if not self.has_aces():
            return
        decides, after = self.run((*self.recorded, False), trick["plays"])
        deciding = {way[2] for way in ways}
        if told != "untold":
            after = after if told == after[0] else (told, told is not None, False)
        trick["trump"] = decides if told == "untold" else told
        if trick["plays"] and len(deciding) == 1:
            trick["trump"] = deciding.pop()
        self.stand({way[3] for way in ways}, after[:2])
        if not trick["plays"]:
            trick["trump"] = self.recorded[0]
