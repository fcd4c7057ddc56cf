"""The second adjudicator: a hand, its open trick, and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import product
from math import prod

from tests.games.decktet_tricks.oracle_cards import (
    bid_points,
    chicane_points,
    is_high,
    lead_of,
    led_suits,
    reads,
    shares,
    suits_of,
)
from tests.games.decktet_tricks.oracle_facts import Claim, Situation, Stand, Trump, contradict, minimal_claims
from tests.games.tricks.oracle_plain import can_differ

# --- The open trick: what its unseen cards can be, who can win it, and with what trump

FEW_WAYS = 5000
"""How many possibilities are tried for a trick without any seen card."""
Outcome = tuple[int, Stand, str | None, Stand]
"""An outcome of a trick: its winner, trump before it, the deciding card, trump after it."""


class OpenTrick(Trump):
    """A hand whose open trick can be evaluated, however little of it was seen."""

    def can_be(self, play: dict) -> list[str]:
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
        """Wildcat Chicane: whether this seat has played all its Aces and Crowns, or all its number cards (WC-2)."""
        if self.game != "wildcat-chicane":
            return False
        fell = [{each} for _, owner, each in self.shown if owner == seat]
        fell += [could for owner, could in self.hidden if owner == seat]
        alike = [could for could in fell if {is_high(each) for each in could} == {is_high(card)}]
        return len(alike) >= (12 if is_high(card) else 24) // self.players

    def hide(self, more: Iterable[tuple[int, set[str]]] = ()) -> bool:
        """Work out what the unseen cards can be with more of them; what must have fallen is lost.

        Returns False and changes nothing if one of them can be no card.
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
        """Whether this card cannot be played, because without it some unseen card can be no card."""
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
        """The open trick with every choice for its unseen cards."""
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
        """Whether so little is known of the next trick that any player can win it, with any Ace."""
        if self.open_trick() is not None:
            return False
        unjudged = self.skipped and (self.game == "wildcat-chicane" or not self.skipped_by_trick)
        return unjudged or self.phase() != "play" or prod(len(self.can_be(play)) for play in self.slots()) > FEW_WAYS

    def befores(self) -> set[Stand]:
        if self.has_aces():
            return self.stands
        if self.game == "ransom-trump" and not self.trump_settled():
            return {(trump, False, False) for trump in self.ransom_trumps()}
        if self.names_before_deal() and not self.trump_settled():
            return {(trump, False, False) for trump in "MSWLYK"}
        return {(self.trump_story()[1], False, False)}

    def outcomes(self) -> set[Outcome]:
        """Every outcome of the open or next trick; cached for each position of the record."""
        laid = len(self.shown), self.position, self.phase()
        if self.tried[0] != laid:
            self.tried = laid, self.try_all()
        return self.tried[1]

    def try_all(self) -> set[Outcome]:
        """Every outcome of the open or next trick, found by trying every choice of cards."""
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
        """The possible outcomes if this is recorded; a trick that has begun keeps its trump unless told."""
        trick = self.open_trick()
        fits = {way for way in self.outcomes() if way[0] == winner and told in ("untold", way[3][0])}
        if told != "untold" or trick is None:
            return fits
        seen = trick["plays"]
        return fits if any(way[3][0] == self.run(way[1], seen)[1][0] for way in fits) else set()

    def possible_winners(self) -> set[int]:
        return {way[0] for way in self.outcomes()}

    def cards_by_seat(self, ways: set[Outcome]) -> dict[int, set[str]]:
        """Every card each player can have played to the open trick, in order of play."""
        could: dict[int, set[str]] = {play["seat"]: set() for play in self.slots()}
        for world in self.worlds():
            ran = [(before, *self.run(before, world)) for before in self.befores()]
            if any((self.resolve(world, way[1]), *way) in ways for way in ran):
                for play in world:
                    could[play["seat"]].add(play["cards"][0])
        return could

    def close(self, winner: int | None, ways: set[Outcome], told: str | None = "untold") -> None:
        """Give the open trick to its winner, as far as known, and determine trump after it."""
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


# --- The phase of a hand, and whose turn it is


class Turn(OpenTrick):
    """A hand whose phase and turn can be determined."""

    def phase(self) -> str:
        if self.void:
            return "void"
        if self.finished():
            return "finished"
        if not self.skipped:
            if self.sets_aside and None in self.aside:
                return "ransom" if self.game == "ransom-trump" else "ruling-card"
            if self.choice_open():
                return "trump"
        elif self.skipped_by_trick and not self.bidding and self.choice_open():
            return "trump"
        return "bidding" if self.bidding and None in self.bids else "play"

    def first_leader(self) -> int:
        """Who leads the first trick: ransom winner, else dealer's left or (option) dealer."""
        winner = self.ransom()
        if winner is not None:
            return winner
        nobody_won = self.game == "ransom-trump" and None not in self.aside
        if nobody_won and self.options["no_ransom_lead"] == "dealer":
            return self.dealer
        return (self.dealer + 1) % self.players

    def to_act(self) -> list[int]:
        phase = self.phase()
        if phase in ("ransom", "ruling-card"):
            return [seat for seat in self.seats if self.aside[seat] is None]
        if phase == "trump":
            winner = self.ransom()
            return [] if winner is None else [winner]
        if phase == "bidding":
            order = self.clockwise((self.dealer + 1) % self.players)
            return [seat for seat in order if self.bids[seat] is None][:1]
        return [self.next_player()] if phase == "play" and not self.waiting() else []

    def is_lead(self) -> bool:
        """Whether the next card counts as the lead (also after a led Excuse)."""
        trick = self.open_trick()
        if trick is None:
            return True
        if self.game == "wildcat-chicane" or self.options["excuse_led"] == "free":
            return False
        return lead_of(trick["plays"], "next-card") is None


# --- The whole hand: its claims, the places of unseen cards, its score, and its API form


class Hand(Turn):
    """A hand and everything that follows from its facts, before judging an event."""

    SOME_CARD = "8MS"

    # -- what a card says ----------------------------------------------------------------------

    def forbidden_if_void(self, seat: int) -> frozenset[str]:
        """Every card with which this seat would follow the current lead; empty without a lead."""
        trick = self.open_trick()
        if trick is None:
            return frozenset()
        if trick["plays"][0]["cards"] == ["?"] and not trick["plays"][0].get("suit"):
            return frozenset()
        if self.game == "wildcat-chicane":
            first = trick["plays"][0]
            suit = reads(first["cards"][0], self.ruling(first["seat"]))
            ruling = self.ruling(seat)
            return frozenset(card for card in self.deck if reads(card, ruling) == suit)
        lead = lead_of(trick["plays"], self.options["excuse_led"])
        if lead is None or (lead["cards"] == ["?"] and not lead.get("suit")):
            return frozenset()
        suits = led_suits(lead)
        return frozenset(card for card in self.deck if shares(card, suits))

    def assertion(self, seat: int, card: str) -> tuple[str, frozenset[str]] | None:
        """What playing this card implies about the rest of the hand: a code and a set of cards."""
        if card in ("E", "?"):
            return None
        if self.game == "wildcat-chicane" and self.is_lead():
            ruling = self.ruling(seat)
            others = frozenset(each for each in self.deck if reads(each, ruling) != suits_of(ruling))
            return None if card in others else ("trump-led", others)
        follow = self.forbidden_if_void(seat)
        return ("revoke", follow) if follow and card not in follow else None

    def known_to_hold(self, seat: int, card: str, forbidden: frozenset[str]) -> bool:
        """Whether an entered hand still holds forbidden cards, whatever the unseen plays were."""
        if seat not in self.known:
            return False
        told = {each for each in self.lost if each in self.known[seat]}
        gone = {each for _, owner, each in self.shown if owner == seat} | told
        open_ones = [could for owner, could in self.hidden if owner == seat and could & {*self.known[seat]} - gone]
        blind = self.unseen_cards(seat) - len(told) - len(open_ones)
        left = [each for each in self.known[seat] if each not in gone | {card} and each in forbidden]
        places = [*enumerate(open_ones), *((-1 - each, set(left)) for each in range(blind))]
        return not can_differ([{number for number, could in places if each in could} for each in left])

    # -- where the cards can be ----------------------------------------------------------------

    def situations(self, position: int) -> list[Situation]:
        """What is unseen after the event at this position (Wildcat Chicane: per deal)."""
        shown = [(seat, card) for at, seat, card in self.shown if at <= position]
        groups = [self.deck]
        if self.game == "wildcat-chicane":
            groups = [[c for c in self.deck if is_high(c)], [c for c in self.deck if not is_high(c)]]
        return [self._situation(group, shown) for group in groups]

    def _situation(self, group: list[str], shown: list[tuple[int, str]]) -> Situation:
        placed = {card for hand in self.known.values() for card in hand}
        placed |= {card for _, card in shown}
        dealt = self.size
        if self.game == "wildcat-chicane":
            dealt = len(group) // self.players
        room = {-1: len(group) - dealt * self.players}
        for seat in self.seats:
            gone = sum(1 for owner, card in shown if owner == seat and card in group)
            room[seat] = 0 if seat in self.known else dealt - gone
        return Situation([card for card in group if card not in placed], room)

    def find_core(self, claims: list[Claim]) -> list[Claim] | None:
        return minimal_claims(self.situations(self.position), claims)

    def contradicted(self, position: int, claims: list[Claim]) -> bool:
        return contradict(self.situations(position), claims)

    # -- scores and the answer -----------------------------------------------------------------

    def partner(self, seat: int) -> int:
        return (seat + self.players // 2) % self.players

    def scores(self) -> list[int | None]:
        if self.void:
            return list(self.penalties)
        if not self.bidding:
            points = self.tricks_won()
        elif self.finished():
            points = [self.bid_score(seat) for seat in self.seats]
        else:
            return [None] * self.players
        return [point + penalty for point, penalty in zip(points, self.penalties, strict=True)]

    def bid_score(self, seat: int) -> int:
        """The points of one seat for its bid (or its pair's, at the lower seat)."""
        won, bid = self.tricks_won()[seat], self.bids[seat]
        assert bid is not None
        if self.game == "wildcat-chicane":
            return chicane_points(self.options, bid, won)
        if self.options["partner_bid"] == "joint":
            other = self.partner(seat)
            if other < seat:
                return 0
            bid, won = bid + (self.bids[other] or 0), won + self.tricks_won()[other]
        return bid_points(bid, won)

    def answer(self) -> dict:
        story, trump = self.trump_story()
        told = self.told(trump, [self._trick(number, decides) for number, decides in enumerate(story)])
        return told | ({"ruling_cards": list(self.aside)} if self.game == "wildcat-chicane" else {})

    def _trick(self, index: int, trump: str | None) -> dict:
        trick = self.tricks[index]
        winner = trick["winner"]
        worth = winner is not None and not self.bidding
        return {
            "number": index + 1,
            "leader": trick["leader"],
            "plays": [{"seat": p["seat"], "cards": list(p["cards"])} for p in trick["plays"]],
            "winner": winner,
            "points": {str(winner): 1} if worth else {},
            "trump": trump,
        }
