"""One round (deal) of American Deuce, played event by event."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.games.american_deuce.oracle_exchange import Evidence, Exchange, Hearing, RiotLed, kind_of, play_beats
from tests.games.french.oracle import SUITS, Deal, Hand, Json, Refused, canonical, french_deck, require
from tests.games.tricks.oracle_plain import UNSEEN

EXCHANGE_CODES = KING, *_ = ("king-elsewhere", "denied-deuce", "not-lowest")


def penalty_points(left: int, dealt: int, bands: str) -> int:
    """What the cards left cost their holder (AD-25, AD-Q15)."""
    double_from = -(-10 * dealt // 13) if bands == "scaled" else 10
    if left == dealt:
        return 3 * left
    return 2 * left if left >= double_from else left


def round_points(cards_left: list[int], dealt: list[int], options: Json) -> list[int]:
    """Points per seat (AD-26, AD-A1)."""
    pairs = zip(cards_left, dealt, strict=True)
    lost = [penalty_points(left, size, options["bands"]) for left, size in pairs]
    winner = cards_left.index(0)
    points = [0 if options["scoring"] == "winner-only" else -value for value in lost]
    points[winner] = sum(lost)
    return points


class Round(Hand):
    """A round: three suits are named, perhaps a deuce is dropped, then tricks are played."""

    def __init__(self, position: int, deal: Deal, options: Json, known: dict[str, list[str]]) -> None:
        self.decks = 1 if len(deal.seating) == 4 else 2
        super().__init__(position, deal, options, known)
        self.phase = "suits"
        self.named: list[tuple[int, str]] = []
        self.asked = False
        deck = tuple(french_deck(self.decks))
        self.evidence = Evidence(deck, tuple(deal.hand_size), self.known, {})
        self.claims: list[RiotLed] = []
        self.exchanged_at = 0
        self.unproved: list[str] = []
        self.turn = deal.seating[0]
        self.lock: int | None = None
        self.unlocked = False
        self.led_on: list[int] = []
        self.clear_table()

    def clear_table(self) -> None:
        """The felt is empty: the next play is a lead."""
        self.first_to_lead = self.turn
        self.last: list[str] | None = None
        self.last_seat: int | None = None
        self.passed: set[int] = set()
        self.five_lies = False

    # --- what is shown -----------------------------------------------------------------------

    def suit_order(self) -> list[str]:
        """Suits named so far; the fourth follows from the third (AD-5)."""
        order = [suit for _, suit in self.named]
        if len(order) == 3:
            order += [suit for suit in SUITS if suit not in order]
        return order

    def namer(self) -> int:
        """Whose turn it is to name a suit, whoever named the ones before."""
        return self.deal.seating[len(self.named)]

    def to_act(self) -> list[int]:
        return [self.namer()] if self.phase == "suits" else [self.turn]

    def extras(self) -> Json:
        order = self.suit_order() or None
        return {"trump": order[0] if order else None, "suit_order": order}

    def points(self) -> list[int] | None:
        if self.phase != "finished":
            return None
        return round_points(self.cards_left, self.deal.hand_size, self.options)

    def trick_number(self) -> int:
        """The current trick, or the one a lead would begin."""
        return len(self.tricks) + (1 if self.last is None else 0)

    def leads_on(self, seat: int) -> bool:
        """Whether the seat may pass the lead for lack of the combination the round requires."""
        return self.lock is not None and self.cards_left[seat] >= self.lock

    # --- suits -------------------------------------------------------------------------------

    def take_suit(self, at: int, event: Json) -> None:
        """A suit is named (AD-5); fine print 21."""
        require(self.phase == "suits", "wrong-phase")
        self.check_seat(event["seat"])
        free = [suit for suit in SUITS if suit not in self.suit_order()]
        require(event["suit"] in free, "bad-suit")
        early = event["seat"] != self.namer()
        self.settle(at, event, [("out-of-turn", event["seat"])] if early else [], None)
        self.named.append((event["seat"], event["suit"]))
        if len(self.named) == 3:
            self.phase = "play"

    # --- drop a deuce ------------------------------------------------------------------------

    def king_card(self) -> str:
        """The King of Diamonds that obliges (AD-Q16)."""
        return "KD" if self.decks == 1 else "KD*"

    def take_drop_deuce(self, at: int, event: Json) -> None:
        """The exchange before the first play (AD-7, AD-8); fine print 22."""
        untouched = self.phase == "play" and not self.asked and not self.tricks
        require(untouched, "wrong-phase")
        king, elect = event["king"], self.deal.seating[0]
        if king is not None:
            self.check_seat(king)
        evidence = self.evidence
        if king is None or king == elect:
            told = (event["given"], event["returned"], event["constipated"])
            require(told == (None, None, False), "wrong-count")
        else:
            evidence = replace(evidence, exchange=self.read_exchange(event))
            require(evidence.possible(), "not-in-hand")
        faults = self.hear(evidence).at_once(EXCHANGE_CODES)
        if faults and not event.get("accepted", False):
            raise Refused(faults[0][0], "irregular")
        self.evidence = evidence
        self.exchanged_at = at
        self.unproved = [code for code in EXCHANGE_CODES if code == KING or code not in dict(faults)]
        for code, seats in faults:
            self.accuse(code, seats, "seen", [])
        self.asked = True

    def hear(self, evidence: Evidence) -> Hearing:
        return Hearing(evidence, self.deal.seating[0], self.king_card(), self.suit_order())

    def read_exchange(self, event: Json) -> Exchange:
        """The cards exchanged, by code."""
        codes = []
        for text in (event["given"], event["returned"]):
            code = UNSEEN if text in (UNSEEN, None) else canonical(text, self.decks)
            require(code is not None, "not-in-deck")
            codes.append(code or UNSEEN)
        return Exchange(event["king"], self.deal.seating[0], event["constipated"], *codes)

    # --- plays -------------------------------------------------------------------------------

    def take_play(self, at: int, event: Json) -> None:
        require(self.phase == "play", "wrong-phase")
        seat = event["seat"]
        self.check_seat(seat)
        cards = self.read_cards(seat, event["cards"])
        require("suit" not in event, "bad-suit")
        number = self.trick_number()
        after = self.evidence.with_play(seat, cards)
        claim = self.riot_claim(at, seat, cards, after)
        self.settle(at, event, self.play_faults(seat, cards, claim, after), number)
        self.lay(seat, cards)
        self.evidence = after
        self.prove(at)
        if claim is not None and not claim.contradicted(after):
            self.claims.append(claim)

    def read_cards(self, seat: int, texts: list[str]) -> list[str]:
        """The played cards by code, after the checks for impossible plays."""
        require(len(texts) > 0, "wrong-count")
        found = [canonical(text, self.decks) for text in texts]
        require(None not in found, "not-in-deck")
        cards = [card for card in found if card is not None]
        fresh = len(set(cards)) == len(cards) and not any(c in self.evidence.shown for c in cards)
        require(fresh, "already-played")
        require(len(cards) <= self.cards_left[seat], "too-many-cards")
        require(self.evidence.with_play(seat, cards).possible(), "not-in-hand")
        return cards

    def riot_claim(self, at: int, seat: int, cards: list[str], after: Evidence) -> RiotLed | None:
        """What leading a riot claims about the remaining cards (AD-Q12)."""
        led_riot = self.last is None and kind_of(cards) == "riot"
        if not led_riot or self.options["riot_lead"] != "quads-only":
            return None
        played = frozenset(card for card, player in after.shown.items() if player == seat)
        return RiotLed(seat, at, self.trick_number(), played, self.cards_left[seat] - len(cards))

    def play_faults(self, seat: int, cards: list[str], claim: RiotLed | None, after: Evidence) -> list[tuple[str, int]]:
        kind = kind_of(cards)
        codes = []
        if seat in self.passed:
            codes.append("passed")
        if seat != self.turn:
            codes.append("out-of-turn")
        if kind is None:
            codes.append("no-combination")
        if self.last is None:
            forbidden = kind == "riot" and self.options["riot_lead"] == "never"
            if forbidden or (claim is not None and claim.contradicted(after)):
                codes.append("riot-led")
            if self.breaks_lock(seat, cards):
                codes.append("does-not-beat")
        elif not self.beats_last(cards):
            codes.append("does-not-beat")
        return [(code, seat) for code in codes]

    def beats_last(self, cards: list[str]) -> bool:
        order, lies = self.suit_order(), self.five_lies
        return play_beats(self.options, order, self.last or [], cards, five_lies=lies)

    def breaks_lock(self, seat: int, cards: list[str]) -> bool:
        """Whether a lead has a different number of cards than this round requires (AD-Q1)."""
        if self.lock is None or kind_of(cards) == "riot":
            return False
        return len(cards) != self.lock and self.cards_left[seat] >= self.lock

    def lay(self, seat: int, cards: list[str]) -> None:
        if self.last is None:
            self.begin_trick(seat, cards)
        self.tricks[-1]["plays"].append({"seat": seat, "cards": cards})
        self.last, self.last_seat = cards, seat
        self.five_lies = self.five_lies or kind_of(cards) == "five-of-a-kind"
        self.passed.discard(seat)
        self.cards_left[seat] -= len(cards)
        if len(self.passed) == self.seats - 1 and self.cards_left[seat]:
            self.win_trick(seat)
        elif self.cards_left[seat] == 0:
            self.win_trick(seat)
            self.phase = "finished"
        else:
            self.pass_turn_on(seat)

    def begin_trick(self, seat: int, cards: list[str]) -> None:
        """Start a new trick; the first combination of the round may set the number of cards."""
        order = self.suit_order()
        self.tricks.append(
            {
                "number": len(self.tricks) + 1,
                "leader": seat,
                "plays": [],
                "winner": None,
                "points": {},
                "trump": order[0],
            }
        )
        self.tricks[-1]["plays"] += [{"seat": other, "pass": True} for other in self.led_on]
        self.led_on = []
        sets_lock = self.options["count_lock"] == "round" and self.lock is None and not self.unlocked
        if sets_lock and kind_of(cards) not in (None, "riot"):
            self.lock = len(cards)

    def pass_turn_on(self, seat: int) -> None:
        """The next seat clockwise that may still play, else the trick is over (AD-12)."""
        seating = self.deal.seating
        place = seating.index(seat)
        for step in range(1, self.seats + 1):
            other = seating[(place + step) % self.seats]
            if other not in self.passed and other != self.last_seat:
                self.turn = other
                return
        if self.last_seat is not None:
            self.win_trick(self.last_seat)

    def win_trick(self, seat: int) -> None:
        self.tricks[-1]["winner"] = seat
        self.tricks_won[seat] += 1
        self.turn = seat
        self.clear_table()

    def prove(self, at: int) -> None:
        hearing = self.hear(self.evidence)
        if self.asked and not hearing.deuce_owed():
            self.irregularities = [each for each in self.irregularities if each["code"] not in EXCHANGE_CODES[1:]]
        for code, seats in hearing.faults(self.unproved) if self.asked else []:
            self.accuse(code, seats, "proved", [at])
        false = [claim for claim in self.claims if claim.contradicted(self.evidence)]
        for claim in false:
            self.note_irregularity("riot-led", "proved", claim.seat, claim.event, claim.trick, [at])
        self.claims = [claim for claim in self.claims if claim not in false]

    def accuse(self, code: str, seats: tuple[int, ...], certainty: str, proved_by: list[int]) -> None:
        """Note who may be at fault in the exchange; a smaller set of suspects replaces a larger one."""
        standing = next((each for each in self.irregularities if each["code"] == code), None)
        if standing and standing["suspects"] == list(seats):
            return
        if standing:
            self.irregularities.remove(standing)
        if len(seats) == 1:
            self.note_irregularity(code, certainty, seats[0], self.exchanged_at, None, proved_by)
            self.unproved = [each for each in self.unproved if each != code or each == KING]
            return
        at = [self.position, self.exchanged_at]
        shown = [[self.position, event] for event in proved_by] or [at]
        joint = {"certainty": "joint", "seat": None, "suspects": list(seats), "proved_by": shown, "claims": [at]}
        self.irregularities.append({"code": code, "event": at, "trick": None, **joint})

    # --- passes and results ------------------------------------------------------------------

    def take_pass(self, at: int, event: Json) -> None:
        """A pass; fine print 24."""
        seat = event["seat"]
        require(self.phase == "play" and (self.last is not None or self.lock is not None), "wrong-phase")
        self.check_seat(seat)
        require(self.leads_on(seat) if self.last is None else seat != self.last_seat, "wrong-phase")
        faults = []
        if seat in self.passed:
            faults.append(("passed", seat))
        if seat != self.turn:
            faults.append(("out-of-turn", seat))
        self.settle(at, event, faults, self.trick_number())
        if seat in self.passed:
            return
        self.passed.add(seat)
        if self.last is None:
            self.pass_lead_on(seat)
            return
        self.tricks[-1]["plays"].append({"seat": seat, "pass": True})
        if seat == self.turn:
            self.pass_turn_on(seat)

    def pass_lead_on(self, seat: int) -> None:
        """The lead moves clockwise; if no one has such a combination, the first leader leads anything (AD-Q1)."""
        self.led_on.append(seat)
        if len(self.passed) == self.seats:
            self.lock, self.unlocked = None, True
            self.turn = self.first_to_lead
            self.passed = set()
        elif seat == self.turn:
            self.pass_turn_on(seat)

    def take_result(self, at: int, event: Json) -> None:
        """The rest of the round by its result; fine print 28."""
        left: list[Any] = event["cards_left"]
        require(len(left) == self.seats and left.count(0) == 1, "bad-result")
        pairs = zip(left, self.cards_left, strict=True)
        require(all(0 <= new <= old for new, old in pairs), "bad-result")
        self.cards_left = list(left)
        self.tricks_won = [None] * self.seats
        self.phase = "finished"
