"""One hand as a mutable object that events change; what it shows is computed afresh each time."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.games.decktet_tricks.oracle_cards import deck_of, is_high, parse_card, parse_suit, suits_of
from tests.games.decktet_tricks.oracle_options import scores_bids
from tests.games.decktet_tricks.oracle_proof import Claim, Situation
from tests.games.decktet_tricks.oracle_rules import (
    bid_points,
    chicane_points,
    chicane_winner,
    lead_of,
    led_suits,
    ransom_winner,
    reads,
    shares,
    trick_winner,
)

Event = dict[str, Any]


class Hand:
    """The facts of one hand, and everything that follows from them without judging an event."""

    def __init__(
        self,
        *,
        game: str,
        options: dict,
        players: int,
        index: int,
        dealer: int,
        size: int,
        trump: str | None,
        unsure: bool,
        known: dict[int, list[str]],
    ) -> None:
        self.game, self.options, self.players = game, options, players
        self.index, self.dealer, self.size = index, dealer, size
        self.start_trump, self.known = trump, known
        self.unsure = unsure
        self.deck = deck_of(game, options)
        self.position = 0
        self.ended = self.void = self.skipped = self.skipped_by_trick = False
        self.named: str | None = None
        self.aside: list[str | None] = [None] * players
        self.bids: list[int | None] = [None] * players
        self.tricks: list[dict] = []
        self.result: list[int] | None = None
        self.last: str | None = None
        self.transfers: list[tuple[int, int, int]] = []
        self.penalties = [0] * players
        self.shown: list[tuple[int, int, str]] = []
        self.claims: list[Claim] = []
        self.irregularities: list[dict] = []

    # -- plain facts ---------------------------------------------------------------------------

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.players)

    @property
    def bidding(self) -> bool:
        """Whether bids are scored."""
        return scores_bids(self.game, self.options)

    @property
    def sets_aside(self) -> bool:
        """Whether each player gives up a card before the play (ransom, ruling card)."""
        return self.game != "ace-trump"

    @property
    def trick_count(self) -> int:
        """Tricks of the hand."""
        return self.size - (1 if self.sets_aside else 0)

    def clockwise(self, first: int) -> list[int]:
        """All seats, starting here."""
        return [(first + step) % self.players for step in self.seats]

    # -- tricks --------------------------------------------------------------------------------

    def open_trick(self) -> dict | None:
        """The trick that is being played, if any card of it lies."""
        return self.tricks[-1] if self.tricks and self.tricks[-1]["winner"] is None else None

    def complete(self) -> list[dict]:
        """The tricks with a winner, those without cards included."""
        return [trick for trick in self.tricks if trick["winner"] is not None]

    def unseen_tricks(self) -> int:
        """How many tricks were recorded without their cards."""
        return sum(not trick["plays"] for trick in self.tricks)

    def unseen_cards(self, seat: int) -> int:
        """How many cards left this hand without being seen."""
        missing = sum(
            trick["winner"] is not None
            and seat not in [play["seat"] for play in trick["plays"] if play["cards"] != ["?"]]
            for trick in self.tricks
        )
        trick = self.open_trick()
        lying = trick is not None and {"seat": seat, "cards": ["?"]} in [
            {"seat": play["seat"], "cards": play["cards"]} for play in trick["plays"]
        ]
        return missing + lying + (1 if self.skipped and self.sets_aside and self.aside[seat] is None else 0)

    def anything_unseen(self) -> bool:
        """Whether any card left a hand without being seen."""
        return self.skipped or any(self.unseen_cards(seat) for seat in self.seats)

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

    def worlds(self) -> list[list[dict]]:
        """The open trick with every choice of cards for those that nobody saw."""
        found = []
        slots = self.slots()
        hidden = [place for place, play in enumerate(slots) if play["cards"] == ["?"]]
        for cards in product(*(self.can_be(slots[place]) for place in hidden)):
            if len(set(cards)) < len(cards):
                continue
            world = list(slots)
            for place, card in zip(hidden, cards, strict=True):
                world[place] = {**slots[place], "cards": [card]}
            found.append(world)
        return found

    def possible_winners(self, told: str | None = "untold") -> set[int]:
        """Who can win the open trick; with `told` only where that is trump after it."""
        return {
            self.resolve(world, self.trumps_with(world)[0])
            for world in self.worlds()
            if told == "untold" or self.trumps_with(world)[1] == told
        }

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

    def cards_left(self, seat: int) -> int:
        """The cards in this hand now."""
        if self.result is not None:
            return 0
        gone = sum(1 for _, owner, _ in self.shown if owner == seat)
        return self.size - gone - self.unseen_cards(seat)

    def won_before_transfers(self) -> list[int]:
        """Tricks per seat as they were won."""
        if self.result is not None:
            return list(self.result)
        winners = [trick["winner"] for trick in self.complete()]
        return [winners.count(seat) for seat in self.seats]

    def tricks_won(self) -> list[int]:
        """Tricks per seat with transfers."""
        won = self.won_before_transfers()
        for giver, taker, number in self.transfers:
            won[giver] -= number
            won[taker] += number
        return won

    def resolve(self, plays: list[dict], trump: str | None) -> int:
        """The seat that wins this complete trick."""
        if self.game == "wildcat-chicane":
            own = [{**play, "ruling": self.aside[play["seat"]]} for play in plays]
            return plays[chicane_winner(own)]["seat"]
        return plays[trick_winner(self.options, plays, trump)]["seat"]

    # -- trump ---------------------------------------------------------------------------------

    def ransom(self) -> int | None:
        """The seat that won the ransom, once all cards are in."""
        if self.game != "ransom-trump" or None in self.aside:
            return None
        return ransom_winner([card for card in self.aside if card is not None])

    def choices(self) -> str:
        """The suits that may be trump by the ransom."""
        winner = self.ransom()
        return "" if winner is None else suits_of(self.aside[winner] or "E")

    def trump_story(self) -> tuple[list[str | None], str | None]:
        """Per trick the trump that decides it (without cards: after it), and trump now."""
        if self.game == "wildcat-chicane":
            return [None] * len(self.tricks), None
        if self.game == "ransom-trump":
            return self._ransom_story()
        if self.names_before_deal():
            trump = self.named or self.told_trump()
            return [trump] * len(self.tricks), trump
        if self.options["trump"] == "fixed":
            fixed = self.options["fixed_trump"]
            return [fixed] * len(self.tricks), fixed
        return self._aces_story()

    def _ransom_story(self) -> tuple[list[str | None], str | None]:
        """One trump for the whole hand; cards played before anybody said it were judged without."""
        known = self.ransom_trump()
        story, said = [], "unknown" not in known or self.said_at is None
        for number, trick in enumerate(self.tricks):
            early = "told" not in trick and not said and number < (self.said_at or 0)
            story.append(None if early else known["trump"])
        return story, known["trump"]

    def names_before_deal(self) -> bool:
        """Whether the table names a fixed trump before each deal (AT-V6)."""
        return self.game == "ace-trump" and self.options["trump"] == "named"

    def told_trump(self) -> str | None:
        """The trump that a recorded trick told first."""
        return next((trick["given"] for trick in self.tricks if "given" in trick), None)

    def ransom_trump(self) -> dict:
        """The trump of a hand of Ransom Trump as far as anybody said or showed it."""
        told = [trick["given"] for trick in self.tricks if "given" in trick]
        if None not in self.aside and len(self.choices()) < 2:
            return {"trump": self.choices() or None}
        if self.named is not None:
            return {"trump": self.named}
        return {"trump": told[0], "unknown": True} if told else {"trump": None, "unknown": True, "never": True}

    @property
    def said_at(self) -> int | None:
        """The first trick that told the trump."""
        return next((number for number, trick in enumerate(self.tricks) if "given" in trick), None)

    def trump_settled(self) -> bool:
        """Whether the trump of a hand of Ransom Trump, or of one whose trump the table names, is known."""
        if self.names_before_deal():
            return self.trump_story()[1] is not None
        return "never" not in self.ransom_trump()

    def fallen_aces(self) -> set[str]:
        """The suits of the Aces that were seen, or that a recorded trick showed to have fallen."""
        return {card[1] for _, _, card in self.shown if card[0] == "A"} | self.told_aces()

    def told_aces(self) -> set[str]:
        """The suits that a recorded trick made trump where another one was, or none."""
        return {trick["given"] for trick in self.tricks if trick.get("new_ace")}

    def _aces_story(self) -> tuple[list[str | None], str | None]:
        trump, ace_seen, story = self.start_trump, False, []
        for trick in self.tricks:
            if "given" in trick:
                ace_seen = ace_seen or trick.get("new_ace", False)
                ace_seen = ace_seen or any(play["cards"][0][0] == "A" for play in trick["plays"])
                trump = trick["given"]
                story.append(trump)
                continue
            aces = [play["cards"][0][1] for play in trick["plays"] if play["cards"][0][0] == "A"]
            if self.options["trump"] == "sticky":
                aces = [] if ace_seen else aces[:1]
            ace_seen = ace_seen or bool(aces)
            first = self.options["two_aces"] == "first"
            deciding = (aces[0] if first else aces[-1]) if aces else trump
            story.append(deciding)
            running = trick["winner"] is None
            trump = deciding if running or not aces else aces[-1]
        return story, trump

    # -- Aces that fell unseen ------------------------------------------------------------------

    def ace_still_counts(self) -> bool:
        """Whether the next Ace of the hand would set trump."""
        if self.options["trump"] == "sticky":
            new = any(trick.get("new_ace") for trick in self.tricks)
            return not new and not any(card[0] == "A" for _, _, card in self.shown)
        return self.options["trump"] == "aces"

    def ace_may_fall(self, suit: str) -> bool:
        """Whether the Ace of this suit can have been in a trick nobody saw."""
        if suit in self.fallen_aces():
            return False
        return len(self.known) < self.players or any("A" + suit in cards for cards in self.known.values())

    def carried_unsure(self) -> bool:
        """Whether trump still is the one carried over, and nobody can know which that is."""
        untold = not any("given" in trick for trick in self.tricks)
        return self.unsure and untold and not any(card[0] == "A" for _, _, card in self.shown)

    def unsure_now(self) -> bool:
        """Whether trump at the end of the hand may be another one than the record has it."""
        if self.carried_unsure():
            return True
        if not any(self.ace_may_fall(suit) for suit in "MSWLYK"):
            return False
        steps = ["seen" if any(p["cards"][0][0] == "A" for p in trick["plays"]) else "" for trick in self.tricks]
        for number, trick in enumerate(self.tricks):
            if not trick["plays"]:
                steps[number] = ("new" if trick.get("new_ace") else "told") if "given" in trick else "blind"
        if self.result is not None and len(self.complete()) < self.trick_count:
            steps.append("blind")
        if self.options["trump"] == "sticky":
            return self._unsure_sticky(steps)
        since = [step for step in steps if step]
        return bool(since) and since[-1] == "blind"

    def _unsure_sticky(self, steps: list[str]) -> bool:
        """The first Ace settles trump: it is unsure when that may have been one nobody saw."""
        doubt = ""
        trump: str | None = self.start_trump
        for step, trick in zip(steps, [*self.tricks, {}], strict=False):
            if step == "new":
                return False
            if step == "seen":
                return bool(doubt)
            if step == "blind":
                doubt = "unseen"
            elif step == "told":
                trump = trick["given"]
                doubt = "own" if trump is not None and self.ace_may_fall(trump) else ""
        return doubt == "unseen"

    # -- phase and turn ------------------------------------------------------------------------

    def finished(self) -> bool:
        """Whether all tricks are in."""
        return self.result is not None or len(self.complete()) == self.trick_count

    def phase(self) -> str:
        """The phase by its name in the API."""
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

    def choice_open(self) -> bool:
        """Whether the winner of the ransom, or the table, has a choice that nobody told yet."""
        if self.names_before_deal():
            return not self.trump_settled()
        return len(self.choices()) > 1 and not self.trump_settled()

    def first_leader(self) -> int:
        """Who leads to the first trick: ransom winner, else dealer's left or (option) dealer."""
        winner = self.ransom()
        if winner is not None:
            return winner
        nobody_won = self.game == "ransom-trump" and None not in self.aside
        if nobody_won and self.options["no_ransom_lead"] == "dealer":
            return self.dealer
        return (self.dealer + 1) % self.players

    def to_act(self) -> list[int]:
        """The seats that may act now."""
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

    def next_player(self) -> int:
        """The leader, or the first seat after the last play that has not played to the trick."""
        trick = self.open_trick()
        if trick is None:
            done = self.complete()
            return done[-1]["winner"] if done else self.first_leader()
        played = [play["seat"] for play in trick["plays"]]
        return next(seat for seat in self.clockwise(played[-1]) if seat not in played)

    # -- following -----------------------------------------------------------------------------

    def is_lead(self) -> bool:
        """Whether the next card counts as the card led (also after an Excuse led)."""
        trick = self.open_trick()
        if trick is None:
            return True
        if self.game == "wildcat-chicane" or self.options["excuse_led"] == "free":
            return False
        return lead_of(trick["plays"], "next-card") is None

    def forbidden_if_void(self, seat: int) -> frozenset[str]:
        """Every card that would follow the present lead from this seat; empty without a lead."""
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

    def not_trump_for(self, seat: int) -> frozenset[str]:
        """Wildcat Chicane: every card this seat reads as another suit than its own trump."""
        ruling = self.ruling(seat)
        return frozenset(card for card in self.deck if reads(card, ruling) != suits_of(ruling))

    def ruling(self, seat: int) -> str:
        """The ruling card of a seat; cards are played only once all of them are in."""
        card = self.aside[seat]
        assert card is not None
        return card

    def assertion(self, seat: int, card: str) -> tuple[str, frozenset[str]] | None:
        """What playing this card now says about the rest of the hand: a code and a card set."""
        if card in ("E", "?"):
            return None
        if self.game == "wildcat-chicane" and self.is_lead():
            others = self.not_trump_for(seat)
            return None if card in others else ("trump-led", others)
        follow = self.forbidden_if_void(seat)
        return ("revoke", follow) if follow and card not in follow else None

    def known_to_hold(self, seat: int, card: str, forbidden: frozenset[str]) -> bool:
        """Whether an entered hand still holds forbidden cards, however the unseen plays fell."""
        if seat not in self.known:
            return False
        told = {"A" + suit for suit in self.told_aces() if "A" + suit in self.known[seat]}
        gone = {each for _, owner, each in self.shown if owner == seat} | {card} | told
        left = [each for each in self.known[seat] if each not in gone and each in forbidden]
        return len(left) > self.unseen_cards(seat) - len(told)

    # -- where the cards can be ----------------------------------------------------------------

    def situations(self, position: int) -> list[Situation]:
        """What is unseen after the event at this position (Wildcat Chicane: per deal)."""
        shown = [(seat, card) for at, seat, card in self.shown if at <= position]
        groups = [self.deck]
        if self.game == "wildcat-chicane":
            groups = [
                [c for c in self.deck if is_high(c)],
                [c for c in self.deck if not is_high(c)],
            ]
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

    # -- scores --------------------------------------------------------------------------------

    def partner(self, seat: int) -> int:
        """The opposite seat."""
        return (seat + self.players // 2) % self.players

    def scores(self) -> list[int | None]:
        """Per seat what is settled, penalties included."""
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
        """The points of one seat against its bid (or its pair's, at the lower seat)."""
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

    # -- the answer ----------------------------------------------------------------------------

    def answer(self) -> dict:
        """This hand as the API lists it."""
        story, trump = self.trump_story()
        answer = {
            "number": self.index + 1,
            "dealer": self.dealer,
            "seating": list(self.seats),
            "hand_size": [self.size] * self.players,
            "phase": self.phase(),
            "to_act": self.to_act(),
            "trump": trump,
            "suit_order": None,
            "bids": list(self.bids),
            "cards_left": [self.cards_left(seat) for seat in self.seats],
            "tricks_won": self.tricks_won(),
            "tricks": [self._trick(i, story[i]) for i in range(len(self.tricks))],
            "scores": self.scores(),
            "irregularities": [dict(each) for each in self.irregularities],
        }
        if self.game == "wildcat-chicane":
            answer["ruling_cards"] = list(self.aside)
        return answer

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


def canonical(event: Event) -> Event:
    """The event with aliases resolved; what no card or suit has becomes "" (never taken)."""
    event = dict(event)
    if "cards" in event:
        unseen = ["?"] if event["type"] == "play" else []
        event["cards"] = [card if card in unseen else parse_card(card) or "" for card in event["cards"]]
    if event.get("last") is not None:
        event["last"] = parse_card(event["last"]) or ""
    for key in ("suit", "trump"):
        if event.get(key) is not None:
            event[key] = parse_suit(event[key]) or ""
    return event
