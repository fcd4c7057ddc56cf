"""State of a hand of Ace Pit and its description: score lines, tricks, next events, and the best responses."""

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

from referee.engine.event_kinds import Event
from referee.engine.events import Ask, Field, Play, Preview, Turn
from referee.engine.hand import Hand
from referee.engine.rulings import Feat, Reason, ScoreLine
from referee.engine.sheet import BestParts, DescribedPlayMade, HandParts, TrickParts
from referee.engine.state import FINISHED, PLAY, added, kept, per_seat
from referee.engine.texts import phrase
from referee.games.ace_pit import sets
from referee.games.ace_pit.sets import STEP, Item, Untold, best_answer, fit, most_made, switches, worths
from referee.packs import Card

TRICKS = 7
"""Tricks in a hand, and cards dealt to each player (AP-2, AP-17)."""
LONGEST_RESPONSE = 2


class PitTrick(NamedTuple):
    """A finished trick; ``laid`` is ``None`` if only winner and points were recorded."""

    leader: int
    laid: int | None
    response: tuple[int, ...]
    winner: int
    points: int
    items: tuple[Item, ...]


class PitParts(HandParts):
    """Description of a hand of Ace Pit, with the cards drawn by each seat."""

    drawn: Annotated[list[int], "Cards that each seat has drawn."]


ANSWERS = Turn("{seat} answers with one or two cards.", "You answer with one or two cards.")
ANSWERS_ONCE = Turn("{seat} answers with one card.", "You answer with one card.")
COUNTS = Turn("How many points did each player score?")


class PitState(Hand):
    """State of one hand of Ace Pit.

    Card sets are bit masks. ``laid`` is the card awaiting a response, ``gone`` the cards that left the hands. Per seat,
    ``drawn`` counts cards drawn (AP-14), ``foreign`` cards played that were not in an entered hand, and ``rest`` holds
    the points that a result added to the recorded tricks.
    """

    drawn: tuple[int, ...] = per_seat(0)
    foreign: tuple[int, ...] = per_seat(0)
    gone: int = kept(0)
    laid: int | None = kept(None)
    leader: int = kept(0)
    rest: tuple[int, ...] | None = kept(None)
    taken: tuple[PitTrick, ...] = kept(())

    def begin(self) -> None:
        self.leader = 1 - self.setup.dealer

    def draw(self, seat: int) -> None:
        """Count a card drawn unseen (AP-14)."""
        self.drawn = added(self.drawn, seat, 1)

    def gather(self, trick: PitTrick) -> None:
        """Finish a trick; the winner leads next (AP-15)."""
        self.taken += (trick,)
        self.laid = None
        self.leader = trick.winner
        if len(self.taken) == TRICKS:
            self.phase = FINISHED

    def instructions(self) -> tuple[Reason, ...]:
        last = self.taken[-1] if self.taken else None
        if last is None or self.laid is not None or self.phase is not PLAY or len(last.response) < LONGEST_RESPONSE:
            return ()
        return (Reason("draws", ("AP-14",), {"seat": 1 - last.leader}),)

    def hides_points(self) -> bool:
        return self.rules.game.hides_points(self.rules.options)

    def recorded(self) -> tuple[int, ...]:
        sums = [0, 0]
        for trick in self.taken:
            sums[trick.winner] += trick.points
        return tuple(sums)

    def tricks_won(self) -> tuple[int | None, ...]:
        if self.rest is not None:
            return (None, None)
        won = [trick.winner for trick in self.taken]
        return (won.count(0), won.count(1))

    def tells_all_tricks(self) -> bool:
        return self.rest is None

    def feats(self) -> tuple[Feat, ...]:
        return tuple(
            Feat(
                trick.winner, trick.points, number, self.card(trick.laid).code,
                tuple(self.card(card).code for card in trick.response),
            )
            for number, trick in enumerate(self.taken, 1)
            if trick.laid is not None and trick.winner != trick.leader
        )  # fmt: skip

    def possible(self, winner: int) -> frozenset[int]:
        """Possible points for this winner of the next trick; the last trick is one card each (AP-Q11)."""
        rules, led, last = switches(self.rules.options), winner == self.leader, len(self.taken) + 1 == TRICKS
        tricks = (Untold(led, points, last) for won, points in worths(rules, single=last) if won == led)
        return frozenset(trick.points for trick in tricks if fit(rules, (*self.untold(), trick), self.gone))

    def untold(self) -> tuple[Untold, ...]:
        return tuple(
            Untold(trick.winner == trick.leader, trick.points, number == TRICKS)
            for number, trick in enumerate(self.taken, 1)
            if trick.laid is None
        )

    def trick_number(self) -> int | None:
        return len(self.taken) + 1 if self.phase is PLAY else None

    def to_act(self) -> tuple[int, ...]:
        if self.phase is not PLAY:
            return ()
        return (self.leader if self.laid is None else 1 - self.leader,)

    def cards_left(self) -> tuple[int, ...]:
        """Cards in each hand; drawing keeps both hands equal (AP-14)."""
        if self.rest is not None:
            return (0, 0)
        left = TRICKS - len(self.taken)
        return tuple(left - (self.laid is not None and seat == self.leader) for seat in range(2))

    def card(self, index: int) -> Card:
        return self.rules.pack.cards[index]

    def known_hands(self) -> tuple[int | None, ...]:
        """Entered hands as masks, ``None`` for unknown ones."""
        return self.setup.known or (None,) * self.rules.players

    # -- description ---------------------------------------------------------------------------

    def points(self) -> tuple[int, ...]:
        made = self.recorded()
        return made if self.rest is None else tuple(a + b for a, b in zip(made, self.rest, strict=True))

    def point_lines(self) -> list[ScoreLine]:
        lines = [ScoreLine(trick.winner, trick.points, self.reason(trick)) for trick in self.taken]
        for seat, points in enumerate(self.rest or ()):
            if points:
                reason = Reason("rest-of-hand", ("AP-18", "REC-19"), {"seat": seat, "points": points})
                lines.append(ScoreLine(seat, points, reason))
        return lines

    def reason(self, trick: PitTrick) -> Reason:
        if trick.laid is None:
            return Reason("recorded-winner", ("REC-19",), {"seat": trick.winner})
        cards, options = self.rules.pack.cards, self.rules.options
        laid, response = cards[trick.laid], [cards[card] for card in trick.response]
        outcome = sets.breakdown(laid, response, options)
        return sets.outcome_reason(laid, response, outcome, options, leader=trick.leader, responder=1 - trick.leader)

    def unchecked(self) -> list[Reason]:
        hands = sum(cards is None for cards in self.known_hands())
        empty = sum(trick.laid is None for trick in self.taken)
        left = 0 if self.rest is None else TRICKS - len(self.taken)
        counts = (
            ("hands-unknown", ("REC-8", "REC-19"), hands, "hands-unknown-cards"),
            ("tricks-without-cards", ("REC-19",), empty, "tricks-without-cards-points"),
            ("result-only", ("REC-19",), left, "result-only-points"),
        )
        return [Reason(code, cites, {"count": count}, phrase) for code, cites, count, phrase in counts if count]

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not PLAY:
            return ()
        choices = tuple(card.code for card in self.rules.pack.cards if not self.gone >> card.index & 1)
        seats = self.to_act()
        if self.laid is not None:
            most = min(LONGEST_RESPONSE, self.cards_left()[seats[0]])
            response = Field("cards", "cards", "Response", choices=choices, count=(1, most))
            answers = ANSWERS if most > 1 else ANSWERS_ONCE
            return (Ask("play", "Answer", seats, (response,), preview=True, turn=answers),)
        lay = Field("cards", "cards", "Card", choices=choices)
        worths = sorted(self.possible(0) | self.possible(1))
        won = (
            Field("winner", "seat", "Winner", ("0", "1")),
            Field("points", "points", "Points", tuple(map(str, worths)), least=worths[0], most=worths[-1]),
        )
        hidden, floors, tricks = self.hides_points(), self.recorded(), TRICKS - len(self.taken)
        if hidden:  # possible points stay hidden too (AP-18)
            floors, tricks = (), TRICKS
        least, most = min(floors, default=0), max(floors, default=0) + most_made(self.rules.options, tricks=tricks)
        points = Field(
            "points", "numbers", "Each player’s points", least=least, most=most, floors=floors, step=STEP
        )  # fmt: skip
        return (
            Ask("play", "Lay", seats, (lay,), turn=Turn("{seat} lays a card.", "You lay a card.")),
            Ask("trick", "Trick won by", (), won, turn=Turn("Who wins this trick, and with how many points?")),
            Ask("result", "Result of the hand", (), (points,), telling=hidden, turn=COUNTS),
        )

    def preview(self, event: Event) -> Preview | None:
        laid = self.laid
        if laid is None or not isinstance(event, Play) or not 1 <= len(event.cards) <= LONGEST_RESPONSE:
            return None
        pack, options = self.rules.pack, self.rules.options
        found = [card for code in event.cards if (card := pack.find(code)) is not None]
        if len(found) < len(event.cards) or pack.mask(found) & self.gone:
            return None
        response = [pack.cards[card] for card in found]
        outcome = sets.breakdown(pack.cards[laid], response, options)
        if outcome.winner is None:
            return Preview(False, (sets.no_set_reason(pack.cards[laid], response, options),))
        seats = {"leader": self.leader, "responder": 1 - self.leader}
        full = sets.outcome_reason(pack.cards[laid], response, outcome, options, **seats)
        reason = sets.without_points(full) if self.hides_points() else full
        if outcome.winner != sets.RESPONDER:
            return Preview(None, (reason,), phrase("Throw away {cards}", cards=sets.both(response)))
        return Preview(True, (reason,), phrase("Answer: {names}", names=sets.named(outcome.items)))

    def describe(self) -> PitParts:
        tricks = [self.entry(number, trick) for number, trick in enumerate(self.taken, 1)]
        if self.laid is not None:
            open_trick: TrickParts = {
                "number": len(self.taken) + 1, "leader": self.leader, "plays": [self.shown(self.leader, (self.laid,))],
                "winner": None, "points": {}, "trump": None, "reason": None,
            }  # fmt: skip
            tricks.append(open_trick)
        return {
            "trump": None, "suit_order": None, "bids": [None, None],
            "tricks_won": list(self.tricks_won()), "drawn": list(self.drawn), "tricks": tricks,
        }  # fmt: skip

    def describe_without_points(self) -> HandParts:
        """Describe the hand's tricks with items by name only, while points are hidden (AP-18)."""
        described = super().describe_without_points()
        for shown in described["tricks"]:
            if shown["reason"] is not None:
                shown["reason"] = sets.without_points(shown["reason"])
                shown["details"] = {"lines": []}
        return described

    def entry(self, number: int, trick: PitTrick) -> TrickParts:
        """Describe a finished trick, with its items and the best possible response."""
        plays = []
        if trick.laid is not None:
            plays = [self.shown(trick.leader, (trick.laid,)), self.shown(1 - trick.leader, trick.response)]
        entry: TrickParts = {
            "number": number, "leader": trick.leader, "plays": plays, "winner": trick.winner,
            "points": {str(trick.winner): trick.points}, "trump": None, "reason": self.reason(trick),
            "details": {"lines": [{"item": item.item, "points": item.points} for item in trick.items]},
        }  # fmt: skip
        best = best_of(self, number)
        if best is not None:
            entry["best"] = best
        return entry

    def shown(self, seat: int, cards: Sequence[int]) -> DescribedPlayMade:
        return {"seat": seat, "cards": [self.card(card).code for card in cards]}


# --- The best response to each laid card, as far as the hands are known


def best_of(hand: PitState, number: int) -> BestParts | None:
    """Return the best response to a trick's laid card; ``None`` if the trick was recorded without cards.

    It is taken from the responder's hand if that is known (without cards if none of them wins), else from all cards
    left.
    """
    trick = hand.taken[number - 1]
    if trick.laid is None:
        return None
    pack, rules = hand.rules.pack, switches(hand.rules.options)
    seat, single, before = 1 - trick.leader, number == TRICKS, hand.taken[: number - 1]
    out = pack.everything & ~shown_by(hand, 0, before) & ~shown_by(hand, 1, before) & ~(1 << trick.laid)
    best = best_answer(rules, trick.laid, out, single=single)
    made = trick.points if trick.winner == seat else 0
    held = hand_of(hand, seat, number)
    facts: dict[str, object] = {"seat": seat}
    code, phrase = "no-better-answer", ""
    clauses: tuple[str, ...] = ("AP-5",)
    if best is not None and made < best.points:
        if held is None:
            code, facts["laid"] = "best-answer-at-all", hand.card(trick.laid)
            if len(hand.taken) == TRICKS and hand.drawn[seat]:
                clauses, phrase = ("AP-5", "AP-14"), "best-answer-drawn"
        else:
            best = best_answer(rules, trick.laid, held, single=single)
            if best is None:
                code, clauses = "no-answer-in-hand", ("AP-5", "AP-12")
            else:
                code = "no-better-in-hand" if made >= best.points else "best-answer-in-hand"
    if best is not None and made < best.points:
        facts |= {"cards": sets.both(best.cards), "sets": sets.listed(best.items), "sum": best.points}
    return {
        "known": held is not None,
        "cards": [] if best is None else [card.code for card in best.cards],
        "points": 0 if best is None else best.points,
        "reason": Reason(code, clauses, facts, phrase),
    }


def hand_of(hand: PitState, seat: int, number: int) -> int | None:
    """The responder's hand in a trick, as a mask, once the hand is over and if the record determines it.

    All remaining cards are played later, including cards drawn later. These can be told apart only if none were drawn,
    or if the dealt hand was entered and accounts for the others.
    """
    if len(hand.taken) < TRICKS or any(trick.laid is None for trick in hand.taken):
        return None
    later = hand.taken[number - 1 :]
    played = shown_by(hand, seat, later)
    # The card drawn for this trick comes after the response.
    if not any(draws(trick, seat) for trick in later):
        return played
    entered = hand.known_hands()[seat]
    if entered is None:
        return None
    before = hand.taken[: number - 1]
    drawn = sum(draws(trick, seat) for trick in before)
    shown_already = (shown_by(hand, seat, before) & ~entered).bit_count()
    return played & entered if drawn == shown_already else None


def shown_by(hand: PitState, seat: int, tricks: Iterable[PitTrick]) -> int:
    """Cards a seat played in these tricks, as a mask."""
    cards = 0
    for trick in tricks:
        if trick.leader == seat:
            cards |= 0 if trick.laid is None else 1 << trick.laid
        else:
            cards |= hand.rules.pack.mask(trick.response)
    return cards


def draws(trick: PitTrick, seat: int) -> bool:
    """Return whether a seat drew after a trick, because it responded with two cards (AP-14)."""
    return trick.leader != seat and len(trick.response) == LONGEST_RESPONSE
