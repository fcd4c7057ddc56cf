"""Ten Cards, a toy: the smallest trick-taking game that a table can play.

Two suits of five cards, two players, five cards each. The dealer's left leads; the other follows with a card of the
suit led, or plays anything when void. The higher card of the suit led wins the trick, a point, and the next lead.

Source: made up for the tests, to show what a new game needs: this module and nothing else. Deviations: none.
"""

from typing import Any

from referee.engine.asks import Ask, Field
from referee.engine.claims import Claim, proved
from referee.engine.events import Play
from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.phases import FINISHED, PLAY
from referee.engine.rulebook import Clause
from referee.engine.rules import EndRule, Rules, Setup
from referee.engine.rulings import Oddity, Reason, Refusal, ScoreLine, impossible
from referee.engine.state import kept, takes
from referee.packs import Card, Pack, Suit

SUITS = (Suit("R", "Reds", ("r", "red", "reds")), Suit("B", "Blues", ("b", "blue", "blues")))
RANKS = ("1", "2", "3", "4", "5")
HAND_SIZE = 5
POINTS_PER_TRICK = 1

CARDS = tuple(
    Card(index, rank + suit.code, f"{suit.name} {rank}", rank, (suit.code,))
    for index, (suit, rank) in enumerate((suit, rank) for suit in SUITS for rank in RANKS)
)


def interpret(text: str) -> str | None:
    """Understand "3r" and "reds 3"."""
    names = {card.name.casefold(): card.code for card in CARDS}
    return names.get(text, text.upper())


def describe(pack: Pack, text: str) -> str:
    """Say what the cards look like."""
    return f"“{text}” is no card. The cards are 1R to 5R and 1B to 5B."


PACK = Pack("ten-cards", "Ten Cards", SUITS, CARDS, interpret, describe, RANKS)

RULEBOOK = tuple(
    Clause(clause, title, text, "made up for the tests", "seed")
    for clause, title, text in (
        ("TOY-1", "The deal", "Two players get five of the ten cards each; the dealer's left leads."),
        ("TOY-2", "Duty to follow", "Play a card of the suit led if you hold one; otherwise play anything."),
        ("TOY-3", "Winning a trick", "The higher card of the suit led wins the trick and leads to the next."),
        ("TOY-4", "Scoring", "Every trick is a point."),
    )
)


class ToyHand(Hand):
    """A hand: ``plays`` are (seat, card, event); ``taken`` holds leader, plays and winner of each finished trick."""

    claims: tuple[Claim, ...] = kept(())
    gone: int = kept(0)
    plays: tuple[tuple[int, int, int], ...] = kept(())
    taken: tuple[tuple[int, tuple[tuple[int, int, int], ...], int], ...] = kept(())
    turn: int = kept(0)

    def begin(self) -> None:
        """Let the dealer's left lead (TOY-1)."""
        self.turn = 1 - self.setup.dealer

    @takes(Play)
    def take_play(self, event: Play) -> Refusal | None:
        """Take a card to the trick (TOY-2)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        refusal = self.no_such_seat(event.seat)
        if refusal:
            return refusal
        if len(event.cards) != 1:
            return impossible("wrong-count", "TOY-2", phrase="wrong-count-one")
        card = PACK.find(event.cards[0])
        if card is None:
            return impossible("not-in-deck", "TOY-1", why=PACK.explain(event.cards[0]))
        if self.gone >> card & 1:
            return impossible("already-played", "TOY-1", card=CARDS[card])
        if event.seat in [seat for seat, _, _ in self.plays]:
            return impossible("too-many-cards", "TOY-2", seat=event.seat)
        refusal = self.consent(event, self.odd(event.seat))
        if refusal is None:
            self.put_down(event.seat, card)
        return refusal

    def odd(self, seat: int) -> list[Oddity]:
        """Return what is irregular in a play; a hidden hand shows no more than whose turn it is."""
        if seat == self.turn:
            return []
        reason = Reason("out-of-turn", ("TOY-3",), {"seat": seat, "turn": self.turn})
        return [Oddity("out-of-turn", seat, reason)]

    def put_down(self, seat: int, card: int) -> None:
        """Put a card on the table; a card that does not follow asserts that none could."""
        for claim in self.claims:
            if claim.seat == seat and claim.cards >> card & 1:
                act = next(CARDS[c] for _, plays, _ in self.taken for _, c, e in plays if e == claim.event)
                finding = proved(claim, event=self.events, card=str(CARDS[card]), first=str(act))
                self.irregularities += (finding,)
                self.claims = tuple(other for other in self.claims if other is not claim)
        self.plays += ((seat, card, self.events),)
        self.gone |= 1 << card
        led = CARDS[self.plays[0][1]].suits
        if CARDS[card].suits != led:
            denied = PACK.mask(c.index for c in CARDS if c.suits == led)
            self.claims += (Claim(seat, self.events, len(self.taken) + 1, denied, "revoke", "TOY-2"),)
        self.turn = 1 - seat
        if len(self.plays) == self.rules.players:
            self.complete(led)

    def complete(self, led: tuple[str, ...]) -> None:
        """Give the trick to the higher card of the suit led (TOY-3)."""
        following = [play for play in self.plays if CARDS[play[1]].suits == led]
        winner = max(following, key=lambda play: CARDS[play[1]].rank)[0]
        self.taken += ((self.plays[0][0], self.plays, winner),)
        self.turn = winner
        self.plays = ()
        if len(self.taken) == HAND_SIZE:
            self.phase = FINISHED

    def tricks_won(self) -> tuple[int, ...]:
        """Return the tricks of each seat."""
        return tuple(sum(winner == seat for _, _, winner in self.taken) for seat in range(self.rules.players))

    def to_act(self) -> tuple[int, ...]:
        """Return whose turn it is."""
        return (self.turn,) if self.phase is PLAY else ()

    def cards_left(self) -> tuple[int, ...]:
        """Return the number of cards each seat still holds."""
        here = [seat for seat, _, _ in self.plays]
        return tuple(HAND_SIZE - len(self.taken) - here.count(seat) for seat in range(self.rules.players))

    def points(self) -> tuple[int, ...]:
        """Return a point for every trick (TOY-4)."""
        return tuple(POINTS_PER_TRICK * tricks for tricks in self.tricks_won())

    def point_lines(self) -> list[ScoreLine]:
        """Return one line for each seat that won tricks."""
        won = enumerate(self.tricks_won())
        return [
            ScoreLine(seat, POINTS_PER_TRICK * tricks, Reason("tricks", ("TOY-4",), {"tricks": tricks}))
            for seat, tricks in won if tricks
        ]  # fmt: skip

    def unchecked(self) -> list[Reason]:
        """Say that the hands are unknown."""
        return [Reason("hands-unknown", ("TOY-2",), {"count": self.rules.players})]

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next: a card that is not gone."""
        if self.phase is not PLAY:
            return ()
        choices = tuple(card.code for card in CARDS if not self.gone >> card.index & 1)
        return (Ask("play", "Play", self.to_act(), (Field("cards", "cards", "Card", choices),)),)

    def describe(self) -> dict[str, Any]:
        """Return the tricks for the adjudication."""
        tricks = [self.entry(leader, plays, winner) for leader, plays, winner in self.taken]
        if self.plays:
            tricks.append(self.entry(self.plays[0][0], self.plays, None))
        for number, entry in enumerate(tricks, 1):
            entry["number"] = number
        return {
            "trump": None, "suit_order": None, "bids": [None] * self.rules.players,
            "tricks_won": list(self.tricks_won()), "tricks": tricks,
        }  # fmt: skip

    def entry(self, leader: int, plays: tuple[tuple[int, int, int], ...], winner: int | None) -> dict[str, Any]:
        """Return one trick for the adjudication; the reason brings a sentence of its own."""
        card = next((CARDS[card] for seat, card, _ in plays if seat == winner), None)
        why = Reason("higher-card", ("TOY-3",), {"card": card}, phrase="{card:The} is the higher card of the suit led.")
        return {
            "leader": leader,
            "plays": [{"seat": seat, "cards": [CARDS[card].code]} for seat, card, _ in plays],
            "winner": winner,
            "points": {} if winner is None else {str(winner): POINTS_PER_TRICK},
            "trump": None,
            "reason": None if winner is None else why,
        }


class TenCards(Game):
    """The toy as a game of the catalogue."""

    id = "ten-cards"
    name = "Ten Cards"
    tagline = "Follow suit; the higher card takes the trick."
    source = "made up for the tests"
    players = (2,)
    end = EndRule("hands", 2)
    hand_class = ToyHand

    def pack(self, options: Any, players: int) -> Pack:
        """Return the ten cards (TOY-1)."""
        return PACK

    def rulebook(self) -> tuple[Clause, ...]:
        """Return the clauses; a game of the house keeps them in a file of ``referee/rulebook``."""
        return RULEBOOK

    def first(self, rules: Rules, dealer: int) -> Setup:
        """Deal five cards each (TOY-1)."""
        return Setup(0, dealer, (0, 1), (HAND_SIZE,) * rules.players)

    def following(self, hand: ToyHand, totals: tuple[int, ...]) -> Setup:
        """Pass the deal."""
        setup = hand.setup
        return Setup(setup.index + 1, 1 - setup.dealer, setup.seating, setup.sizes)


GAME = TenCards()
