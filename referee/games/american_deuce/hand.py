"""A round of American Deuce: naming suits, Drop a Deuce, tricks or a result, and its description."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, TypedDict

from referee.engine.event_kinds import Event
from referee.engine.events import Ask, Field, Pass, Result
from referee.engine.hand import Hand
from referee.engine.remedied import Acted, Amends, Charge
from referee.engine.rulings import Certainty, Reason, Refusal, Verdict, impossible, out_of_turn
from referee.engine.sheet import DescribedPlayMade, HandParts, SeatNumber, TrickEntry, TrickParts
from referee.engine.state import FINISHED, PLAY, takes
from referee.engine.texts import OR, Listing, noun
from referee.games.american_deuce.combinations import SUITS as SUIT_NAMES
from referee.games.american_deuce.combinations import name_cards
from referee.games.american_deuce.evidence import CHARGES, CODES, DEUCE, KING, finding, holds_two
from referee.games.american_deuce.rules import titles
from referee.games.american_deuce.state import NAMED_SUITS, SUITS, DropDeuce, Laid, NameSuit, PutRight, Seating
from referee.games.american_deuce.tricks import RoundTricks
from referee.games.american_deuce.worlds import Exchange, Late

NAME_SUIT = ("name-highest-suit", "name-second-suit", "name-third-suit")
"""Prompts to name a suit, in order."""
LATE_EXCHANGES = ("claim-deuce", "swap-back")
"""Remedies that exchange cards after the first trick."""
UNSEEN = "?"
"""Code of an unseen card of the exchange."""


class DescribedExchange(TypedDict):
    """Drop a Deuce as recorded."""

    king: SeatNumber | None
    constipated: bool
    given: Annotated[str | None, "The card given; `?` if it was not seen."]
    returned: Annotated[str | None, "The card that came back."]


class RoundParts(HandParts):
    """Description of a round, with its exchange."""

    exchange: DescribedExchange | None


class ClimbingHand(RoundTricks):
    """One round of American Deuce: suits, exchange, tricks and score."""

    @takes(NameSuit)
    def take_suit(self, event: NameSuit) -> Refusal | None:
        """Record the next highest suit; the third one determines the fourth (AD-5, AD-Q22)."""
        if self.phase is not SUITS:
            return self.not_now(event)
        refusal = self.no_such_seat(event.seat) or self.not_a_suit(event.suit)
        if refusal:
            return refusal
        suit = self.rules.pack.suit(event.suit)
        assert suit is not None
        if suit in self.suits:
            named = next(each.name for each in self.rules.pack.suits if each.code == suit)
            open_suits = [each.code for each in self.rules.pack.suits if each.code not in self.suits]
            left = Listing(tuple(noun(SUIT_NAMES[code]) for code in open_suits), last=OR)
            return impossible("bad-suit", "AD-5", "REC-9", phrase="suit-named", suit=noun(named), left=left)
        refusal = self.consent(event, out_of_turn(event.seat, self.to_act()[0], "AD-5"))
        if refusal:
            return refusal
        self.suits += (suit,)
        if len(self.suits) == NAMED_SUITS:
            self.suits += tuple(each.code for each in self.rules.pack.suits if each.code not in self.suits)
            self.phase = PLAY
        return None

    @takes(DropDeuce)
    def take_drop_deuce(self, event: DropDeuce) -> Refusal | None:
        """Record the exchange, once and before the first play (AD-7, AD-8)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        if self.exchange is not None or self.plays or self.taken:
            return impossible("wrong-phase", "AD-7", "REC-2", phrase="exchange-late")
        exchange = self.read_exchange(event)
        if isinstance(exchange, Refusal):
            return exchange
        hearing = self.hearing(exchange)
        if exchange.king is not None and not hearing.evidence.consistent():  # the giver cannot have had a card (REC-8)
            kept = exchange._replace(returned=None)
            if exchange.given is not None and not self.evidence(exchange=kept).consistent():
                return self.not_held(exchange.king, exchange.given)
            return self.not_held(self.president, exchange.returned)
        found = tuple(finding(wrong, hearing) for wrong in hearing.odd())
        if found and not event.accepted:
            return Refusal(Verdict.IRREGULAR, found[0].reason)
        self.exchange = exchange
        self.irregularities += found
        known = [each.code for each in found if each.certainty is Certainty.SEEN and each.code != KING]
        self.claims = tuple(code for code in CODES if code not in known)
        return None

    def read_exchange(self, event: DropDeuce) -> Exchange | Refusal:
        """Parse the exchange; if the President-Elect is named, nothing is exchanged (AD-Q6)."""
        king = event.king
        if king is not None:
            refusal = self.no_such_seat(king)
            if refusal:
                return refusal
        if king in (None, self.president):
            if event.constipated or event.given is not None or event.returned is not None:
                return impossible("wrong-count", "AD-Q6", "REC-4", phrase="wrong-count-exchange")
            return Exchange(self.events, None)
        found = []
        for code in (event.given, event.returned):
            card = None if code in (None, UNSEEN) else self.rules.pack.find(code or "")
            if card is None and code not in (None, UNSEEN):
                return self.not_in_deck(code or "")
            found.append(card)
        return Exchange(self.events, king, event.constipated, *found)

    @takes(PutRight)
    def take_put_right(self, event: PutRight) -> Refusal | None:
        """Record the cards that correct a wrong exchange after the first trick (IR-12)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        king = None if self.exchange is None else self.exchange.king
        if king is None or self.exchange is None or self.late is not None or not self.taken:
            phrase = "put-right-twice" if self.late else "put-right-early" if king is not None else "put-right-nothing"
            return impossible("wrong-phase", "IR-12", "REC-2", phrase=phrase)
        codes = [None if code == UNSEEN else code for code in (event.given, event.returned)]
        found = self.find_cards((code for code in codes if code is not None), self.gone())
        if isinstance(found, Refusal):
            return found
        given, returned = (None if code is None else self.rules.pack.find(code) for code in codes)
        back = not self.exchange.constipated and all(found.code != DEUCE for found in self.irregularities)
        late = Late(self.events, given, returned, self.rules.twos if given is None else 1 << given, self.played, back)
        if back and None not in (given, self.exchange.returned) and given != self.exchange.returned:
            return self.not_held(king, given)
        for seat, card, part in ((king, given, late._replace(returned=None)), (self.president, returned, late)):
            if not self.evidence(late=part).consistent():
                return self.not_held(seat, card)
        self.late = late
        self.claims = tuple(code for code in self.claims if code == KING)
        if found:
            self.disprove(king if returned is None else self.president, found[-1:])
        return None

    def not_held(self, seat: int, card: int | None) -> Refusal:
        """Refuse a card that this seat cannot have given; ``None`` stands for a 2 it does not have."""
        if card is None:
            return impossible("not-in-hand", "IR-12", "REC-8", phrase="put-right-no-two", seat=seat)
        return self.not_in_hand(seat, card)

    def guide_knows(self, fact: str) -> bool | None:
        """Answer ``returned-played`` (the card given back) and ``holds-two`` (the King's hand) (IR-12)."""
        if fact == "holds-two":
            return holds_two(self)
        if fact != "returned-played" or self.exchange is None or self.exchange.returned is None:
            return None
        played = any(cards >> self.exchange.returned & 1 for cards in self.played)
        return played or (None if self.recorded else False)

    def acted(self, events: Sequence[Event]) -> Iterator[Acted]:
        for number, plays in self.tricks_shown():
            yield from (Acted(laid.event, number, laid.seat) for laid in plays)

    def charges(self, act: str, events: Sequence[Event]) -> Sequence[Charge] | None:
        return tuple(CHARGES[act](self)) if act in CHARGES else None

    def guide_amends(self, remedy: str, events: Sequence[Event]) -> Amends | Reason | None:
        """Return the changes to the record, or why there are none.

        Redoing an exchange removes it and the plays after it; a late correction changes nothing.
        """
        if remedy not in ("redo-exchange", *LATE_EXCHANGES):
            return None
        if self.exchange is None or self.exchange.king is None:
            return Reason("no-exchange", ("IR-12", "REC-20"))
        if remedy != "redo-exchange":
            return None
        made = self.exchange.event
        return tuple((place, None) for place, event in enumerate(events) if place == made or event.kind.in_trick)

    def guide_records(self, remedy: str) -> tuple[Event, ...]:
        return self.put_right(remedy)

    @takes(Result)
    def take_result(self, event: Result) -> Refusal | None:
        """Record the rest of the round by the cards each seat has left (AD-13, AD-25)."""
        if self.phase not in (SUITS, PLAY):
            return self.not_now(event)
        left = event.cards_left
        if left is None or (event.tricks, event.points, event.last) != (None, None, None):
            return impossible("bad-result", "REC-11", phrase="bad-result-left")
        if len(left) != self.rules.players:
            return impossible("bad-result", "REC-11", phrase="bad-result-seats")
        fits = all(0 <= now <= before for now, before in zip(left, self.left, strict=True))
        if not fits or left.count(0) != 1:
            return impossible("bad-result", "REC-11", phrase="bad-result-left")
        self.left = left
        self.winner = left.index(0)
        self.recorded = True
        self.phase = FINISHED
        return None

    @takes(Seating)
    def take_seating(self, event: Seating) -> Refusal | None:
        """Record the seats for the next round (AD-Q23)."""
        if self.phase is not FINISHED or self.ended:
            return self.not_now(event)
        if sorted(event.places) != list(range(1, self.rules.players + 1)):
            return impossible("bad-result", "AD-Q23", phrase="bad-seating")
        self.seated = tuple(sorted(range(self.rules.players), key=lambda seat: event.places[seat]))
        return None

    def as_it_lay(self, event: Event, then: Hand) -> Iterable[Event]:
        """Drop a passed lead if these rules do not fix the number of cards for the round (AD-Q1)."""
        passes_on = isinstance(event, Pass) and self.last is None and not self.may_pass_lead(event.seat)
        return () if passes_on else (event,)

    def follow(self, then: Hand) -> None:
        assert isinstance(then, ClimbingHand)
        if self.last is None and then.last is None and self.phase is PLAY:
            self.turn = then.turn

    def table_asks(self) -> tuple[Ask, ...]:
        found = tuple(ask for ask in super().table_asks() if ask.event != Seating.type)
        if self.phase is not FINISHED or self.ended:
            return found
        places = Field("places", "numbers", "Place", least=1, most=self.rules.players)
        return (*found, Ask(Seating.type, Seating.kind.label, (), (places,)))

    def instructions(self) -> tuple[Reason, ...]:
        if self.phase is SUITS:
            named = len(self.suits)
            return (Reason("name-suit", ("AD-5",), {"seat": self.setup.seating[named]}, NAME_SUIT[named]),)
        if self.phase is PLAY and self.last is None and self.may_pass_lead(self.turn):
            return (Reason("may-pass-lead", ("AD-Q1",), {"seat": self.turn, "number": self.lock}),)
        if self.phase is not PLAY or self.plays or self.taken:
            return ()
        if self.exchange is None:
            return (Reason("may-drop-deuce", ("AD-7",), {"seat": self.president}),)
        given = self.exchange.given
        if given is not None and self.exchange.constipated == bool(self.rules.twos >> given & 1):
            return ()  # what was said contradicts what was given
        if self.exchange.king is None:
            return (Reason("nobody-dropped", ("AD-Q6",)),)
        if self.exchange.constipated:
            return (Reason("constipated-king", ("AD-8",), {"seat": self.exchange.king}),)
        return (Reason("deuce-dropped", ("AD-7",), {"seat": self.exchange.king, "other": self.president}),)

    def describe(self) -> RoundParts:
        exchange: DescribedExchange | None = None
        if self.exchange is not None:
            king, constipated, traded = self.exchange.king, self.exchange.constipated, self.exchange[3:]
            codes = [UNSEEN if card is None else self.rules.pack.cards[card].code for card in traded]
            given, returned = (None, None) if king is None else codes
            exchange = {"king": king, "constipated": constipated, "given": given, "returned": returned}
        trump = self.suits[0] if self.suits else None
        tricks: list[TrickParts] = [
            {
                **self.entry(number, trick.leader, trick.plays),
                "winner": trick.winner, "points": {}, "trump": trump, "reason": trick.reason,
            }
            for number, trick in enumerate(self.taken, 1)
        ]  # fmt: skip
        if self.last is not None:
            entry = self.entry(len(self.taken) + 1, self.leader, self.plays)
            tricks.append({**entry, "winner": None, "points": {}, "trump": trump, "reason": None})
        return {
            "trump": trump,
            "suit_order": list(self.suits) or None,
            "bids": [None] * self.rules.players,
            "tricks_won": list(self.tricks_won()),
            "tricks": tricks,
            "titles": list(titles(self.setup.seating)),
            "exchange": exchange,
        }

    def entry(self, number: int, leader: int, plays: Sequence[Laid]) -> TrickEntry:
        """Describe the plays of a trick; ``names`` are the names of the combinations, for pages."""
        shown: list[DescribedPlayMade] = [
            {"seat": laid.seat, "cards": [card.code for card in self.cards(laid.cards)]}
            if laid.cards
            else {"seat": laid.seat, "pass": True}
            for laid in plays
        ]
        names = [name_cards(self.cards(laid.cards)) or None for laid in plays]
        return {"number": number, "leader": leader, "plays": shown, "names": names}
