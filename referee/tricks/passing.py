"""Card passing before play: all players choose before anyone sees the cards received."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Annotated

from referee.engine import event_kinds as kinds
from referee.engine.claims import Places
from referee.engine.event_kinds import Event, Line, event_kind
from referee.engine.events import Ask, FaceUp, Field, Play, Result, Trick, Turn
from referee.engine.rulings import Refusal, impossible
from referee.engine.sheet import PerSeat
from referee.engine.state import PLAY, Phase, derived, per_seat, takes
from referee.tricks.points import PointHand, PointParts
from referee.tricks.rules import CODE, UNSEEN

PASSING = Phase("passing")
PASSES = {
    "left": Turn(
        "{seat} passes {count} cards to the left.", "You pass {count} cards to the left.",
        "Pass {count} to the left.", "{seats} pass {count} cards to the left.",
    ),
    "right": Turn(
        "{seat} passes {count} cards to the right.", "You pass {count} cards to the right.",
        "Pass {count} to the right.", "{seats} pass {count} cards to the right.",
    ),
    "across": Turn(
        "{seat} passes {count} cards across.", "You pass {count} cards across.",
        "Pass {count} across.", "{seats} pass {count} cards across.",
    ),
}  # fmt: skip
"""Prompts while cards are passed, by direction."""


@event_kind(
    "pass-cards",
    Line("Passed", "{seat} {cards}"),
    says="A seat passes cards to another seat before play.",
    log="{seat} passes cards",
    by_player=True,
    secret=True,
    veiled=True,
)
class PassCards(Event):
    """A seat passes cards before play; ``?`` stands for a card that was not recorded."""

    seat: kinds.Seat
    cards: kinds.Cards


class PassingParts(PointParts):
    """Description of a hand in which cards are passed before play."""

    pass_to: Annotated[PerSeat | None, "The seat that each seat passes cards to; null: no passing in this hand."]


class PassingHand(PointHand):
    """A hand in which everyone passes cards to another seat before play; recording them is optional.

    ``passed`` holds the cards each seat gave, as far as recorded, or ``None`` before it has passed. ``begun`` are the
    entered hands at the start of play, ``received`` the cards known to have reached each seat.
    """

    passed: tuple[int | None, ...] = per_seat(None)
    begun: tuple[int | None, ...] = derived(())
    received: tuple[int, ...] = per_seat(0)

    def pass_to(self) -> tuple[int, ...] | None:
        """The recipient of each seat's cards; ``None`` if no one passes in this hand."""
        return None

    def pass_count(self) -> int:
        return int(self.rules.options["pass_count"])

    def pass_clauses(self) -> tuple[str, ...]:
        return self.CITES["pass"]

    def begin(self) -> None:
        super().begin()
        if self.phase is not PASSING:
            self.place_cards()

    def opening_phase(self) -> Phase:
        return PASSING if self.pass_to() else super().opening_phase()

    def settle(self) -> None:
        super().settle()
        self.begun = self.setup.known

    def resume(self) -> None:
        super().resume()
        if self.phase is not PASSING:
            self.place_cards()

    @takes(PassCards)
    def take_pass(self, event: PassCards) -> Refusal | None:
        """Record the cards a seat passes; play begins when all have passed."""
        if self.phase is not PASSING:
            return self.not_now(event)
        seat, pack = event.seat, self.rules.pack
        if refusal := self.no_such_seat(seat):
            return refusal
        if self.passed[seat] is not None:
            return impossible("wrong-phase", "REC-2", phrase="passed-already", seat=seat)
        if len(event.cards) != self.pass_count():
            return impossible(
                "wrong-count", *self.pass_clauses(), "REC-4", phrase="pass-count", count=self.pass_count()
            )
        for code in event.cards:
            if code != CODE and pack.find(code) is None:
                return self.not_in_deck(code)
        cards, gone = 0, reduce(or_, (given or 0 for given in self.passed))
        for card in map(pack.find, event.cards):
            if card is not None and (cards | gone) >> card & 1:
                return impossible("already-played", "REC-6", phrase="passed-twice", card=pack.cards[card])
            cards |= 0 if card is None else 1 << card
        passed = (*self.passed[:seat], cards, *self.passed[seat + 1 :])
        dealt = self.fits(passed, range(self.rules.players))
        if not dealt and (None not in passed or not self.fits(passed, self.pass_to())):
            return self.not_in_hand(seat, pack.members(cards)[0])
        self.passed = passed
        if None not in passed:
            self.begin_play()
        return None

    def fits(self, passed: tuple[int | None, ...], holders: Sequence[int] | None) -> bool:
        """Return whether these passes agree with the entered hands, if each seat's cards were then at its holder's.

        The holders are the seats themselves if hands were entered as dealt, else those that the cards were passed to.
        """
        return all(
            given is None or other is None or not (given & ~other if seat == holder else given & other)
            for holder, given in zip(holders or (), passed, strict=False)
            for seat, other in enumerate(self.setup.known)
        )

    def begin_play(self) -> None:
        self.phase = PLAY
        self.place_cards()

    def place_cards(self) -> None:
        """Compute where cards are when play begins, from entered hands and recorded passes.

        If every seat's pass is recorded, hands are taken as dealt; otherwise as held when play begins, and passes that
        contradict them are ignored. A hand that gave or received an unrecorded card is unknown from then on.
        """
        to, rules = self.pass_to(), self.rules
        known = self.setup.known or (None,) * rules.players
        dealt, count = None not in self.passed, self.pass_count()
        passed = self.passed if dealt or self.fits(self.passed, to) else (None,) * rules.players
        received = [0] * rules.players
        for giver, given in enumerate(passed):
            if to is not None:
                received[to[giver]] = given or 0
        if dealt:
            pairs = zip(known, passed, received, strict=True)
            known = tuple(
                hand & ~gave | got
                if hand is not None and gave is not None and gave.bit_count() == got.bit_count() == count
                else None
                for hand, gave, got in pairs
            )
        self.begun, self.received = known, tuple(received)
        sure = [got if hand is None else hand for hand, got in zip(known, received, strict=True)]
        everything = rules.pack.everything
        self.elsewhere = tuple(
            reduce(or_, (cards for other, cards in enumerate(sure) if other != seat), 0)
            | (passed[seat] or 0)
            | (0 if hand is None else everything & ~hand)
            for seat, hand in enumerate(known)
        )

    def take(self, event: Event) -> Refusal | None:
        """Take one event; the first card, trick or result ends passing, whether or not it was recorded."""
        early = self.phase is PASSING and isinstance(event, Play | Trick | Result)
        if early:
            self.begin_play()
        refusal = super().take(event)
        if early and refusal is not None:
            self.phase = PASSING
        return refusal

    # -- where cards are ---------------------------------------------------------------------------

    def entered(self) -> tuple[int | None, ...]:
        return self.begun

    def placed(self, seat: int) -> int:
        return super().placed(seat) | self.received[seat]

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Refuse a card if the seat's remaining cards are all known to be received ones."""
        here = self.received[seat] & ~self.gone
        full = here.bit_count() - self.unseen_of(seat) >= self.cards_left()[seat]
        if here and full and not here >> card & 1:
            return self.not_in_hand(seat, card)
        return super().beyond_deal(seat, card)

    def unseen_of(self, seat: int) -> int:
        if self.begun and self.begun[seat] is not None:
            return super().unseen_of(seat)
        seen = sum(play[0] == seat and play[1] != UNSEEN for play in self.all_plays())
        return self.total - self.cards_left()[seat] - seen

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Where unseen cards can be; received cards are in their new hands."""
        (places,) = super().split(gone, left)
        unseen, room = places.unseen, list(places.room)
        for seat, cards in enumerate(self.received):
            here = cards & unseen
            unseen &= ~here
            room[seat] -= here.bit_count()
        return (Places(unseen, tuple(room), places.apart, places.kept),)

    def not_in_hand(self, seat: int, card: int, *clauses: str) -> Refusal:
        gave, shown = (self.passed[seat] or 0) >> card & 1, self.rules.pack.cards[card]
        if gave and self.phase is not PASSING:
            facts = {"seat": seat, "card": shown}
            return impossible("not-in-hand", *self.pass_clauses(), "REC-8", phrase="passed-on", **facts)
        holder = next((other for other, got in enumerate(self.received) if other != seat and got >> card & 1), None)
        if holder is not None:
            facts = {"seat": seat, "card": shown, "other": holder}
            return impossible("not-in-hand", *self.pass_clauses(), "REC-8", phrase="came-to-other", **facts)
        return super().not_in_hand(seat, card, *clauses)

    def hands_shown(self) -> tuple[int | None, ...]:
        shown, count = super().hands_shown(), self.pass_count()
        if any(self.setup.known) or any(cards is None or cards.bit_count() != count for cards in self.passed):
            return shown
        pairs = zip(shown, self.passed, self.received, strict=True)
        return tuple(None if hand is None else hand & ~got | (gave or 0) for hand, gave, got in pairs)

    # -- description -------------------------------------------------------------------------------

    def to_act(self) -> tuple[int, ...]:
        if self.phase is PASSING:
            return tuple(seat for seat, cards in enumerate(self.passed) if cards is None)
        return super().to_act()

    def shown_to(self, seat: int) -> tuple[FaceUp, ...]:
        """The cards this player passed and received, once everyone has passed."""
        if self.phase is PASSING or self.is_over():
            return ()
        gave, got = (
            tuple(self.rules.pack.cards[card].code for card in self.rules.pack.members(cards))
            for cards in (self.passed[seat] or 0, self.received[seat])
        )
        return tuple(shown for shown in (FaceUp("You passed", gave), FaceUp("Passed to you", got)) if shown.cards)

    def direction(self) -> str:
        """The passing direction: ``left``, ``right``, ``across`` or ``none``."""
        to = self.pass_to()
        step = to[0] % self.rules.players if to else 0
        return {0: "none", 1: "left", self.rules.players - 1: "right"}.get(step, "across")

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not PASSING:
            return super().asks()
        begun = self.copy()
        begun.begin_play()
        count = self.pass_count()
        cards = Field("cards", "cards", "Cards to pass", choices=tuple(self.rules.pack.codes), count=(count, count))
        turn = replace(PASSES[self.direction()], facts={"count": count})
        passes = Ask("pass-cards", "Pass cards", self.to_act(), (cards,), secret=True, turn=turn)
        # A table with one phone passes by hand; its first card ends passing, so that comes first.
        first, *others = begun.asks()
        return (replace(first, turn=turn), passes, *others)

    def describe(self) -> PassingParts:
        to = self.pass_to()
        return {**super().describe(), "pass_to": None if to is None else list(to)}
