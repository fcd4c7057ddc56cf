"""Restricted leads: suits that may not be led until broken, such as trump or hearts, and the lowest club first."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial, reduce
from itertools import islice
from operator import or_
from typing import Annotated, ClassVar

from referee.engine.events import Play, Turn
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, FilledIn, Question
from referee.engine.rulings import Oddity, Reason
from referee.engine.shapes import FLAG, nullable
from referee.engine.sheet import HandParts
from referee.engine.state import PLAY, derived
from referee.tricks.hand import TrickHand
from referee.tricks.questions import LEGAL, legal, legal_blanks
from referee.tricks.rules import UNSEEN, TrickRules

BROKEN, NEVER, FREE = "broken", "never", "free"
"""When a suit may be led: once broken, only if the hand holds nothing else, or at any time."""
LEADS_LOW = Turn(
    "{seat} leads the lowest club.",
    "You lead the lowest club.",
    "The player who holds the lowest club leads it.",
    "The player who holds the lowest club leads it.",
)


class BrokenParts(HandParts):
    """Description of a hand with a suit that must be broken before it is led."""

    broken: Annotated[bool | None, "Whether an earlier trick broke the suit; null: unknown."]


class BrokenHand(TrickHand):
    """A hand with a suit that may not be led until a card of it has been played, unless the hand holds nothing else.

    That suit is trump by default. Games override ``held_back`` to choose other cards, ``breaking`` to say which cards
    break them, and ``LEAD_OPTION`` to name the house rule for leading them. ``broke`` and ``later`` are set only for a
    question: the suit is broken, and the first trick is over.
    """

    broke: bool = derived(False)
    later: bool = derived(False)

    LEAD_OPTION: ClassVar[str] = ""

    def held_back(self) -> int:
        """Cards (a mask) that may not be led until broken."""
        return self.rules.suited[self.trump][0]

    def breaking(self) -> int:
        """Cards (a mask) that break the suit when led or played."""
        return self.held_back()

    def led_when(self) -> str:
        """When the suit may be led: ``BROKEN``, ``NEVER`` or ``FREE``."""
        return str(self.rules.options.get(self.LEAD_OPTION, BROKEN))

    def guarded(self, seat: int) -> int:
        when = self.led_when()
        may_lead = when == FREE or (when == BROKEN and self.broken() is not False)
        return 0 if may_lead else self.held_back()

    def is_first_trick(self) -> bool:
        return not self.taken and not self.later

    def broken(self) -> bool | None:
        """Return whether an earlier trick broke the suit; ``None`` if that depends on unseen cards."""
        if not (self.gone & self.breaking() or self.blind or self.hidden):
            return self.broke
        return tuple(self._broken_before_each())[-1]

    def _broken_before_each(self) -> Iterator[bool | None]:
        found: bool | None = self.broke
        breaking, hidden = self.breaking(), iter(self.hidden)
        yield found
        for place, trick in enumerate(self.taken):
            told = self.breaks_by_points(place)
            seen = self.seen_in(trick.plays)
            unseen = self.rules.players - seen.bit_count()
            could = [cards for _, cards in islice(hidden, unseen)] if trick.plays else [self.rules.pack.everything]
            if seen & breaking or told or not all(cards & ~breaking for cards in could):
                found = True
            elif not found and told is None and reduce(or_, could, 0) & breaking:
                found = None
            yield found

    def breaks_by_points(self, place: int) -> bool | None:
        """Return whether a trick's reported points show that it broke the suit; ``None`` if they leave it open."""
        return None

    def describe(self) -> BrokenParts:
        return {**super().describe(), "broken": self.broken()}

    def unchecked(self) -> list[Reason]:
        reasons = super().unchecked()
        before = tuple(self._broken_before_each())[: self.total]
        if self.led_when() == BROKEN and None in before:
            reasons.append(Reason("broken-unknown", (*self.guard_clauses(), "REC-19")))
        return reasons


class LowClubHand(BrokenHand):
    """A hand opened with the lowest club, if house rule ``OPENING`` says so.

    Unless entered hands show it, the holder is unknown until the card is played. If some cards are not dealt, the
    lowest club may be among them; then any club may be led.
    """

    OPENING: ClassVar[str] = "opening"
    LOW_CLUB: ClassVar[str] = "low-club"

    def leads_low(self) -> bool:
        return bool(self.rules.options[self.OPENING] == self.LOW_CLUB)

    def opens_low(self) -> bool:
        """Return whether the next lead is the opening lead and must be the lowest club."""
        return self.leads_low() and self.phase is PLAY and self.is_first_trick() and not self.plays

    def lowest_club(self) -> int:
        clubs = self.rules.suited["C"][0]
        return clubs & -clubs

    def lies_aside(self) -> bool:
        """Return whether some cards were not dealt."""
        return self.total * self.rules.players < len(self.rules.pack)

    def holder(self) -> int | None:
        """The seat that holds the lowest club, if known."""
        low, known = self.lowest_club(), self.entered() or (None,) * self.rules.players
        able = [seat for seat in range(self.rules.players) if self.placed(seat) & low]
        if not able and not self.lies_aside():
            able = [seat for seat, cards in enumerate(known) if cards is None]
        return able[0] if len(able) == 1 else None

    def to_act(self) -> tuple[int, ...]:
        if not self.opens_low():
            return super().to_act()
        holder = self.holder()
        return tuple(range(self.rules.players)) if holder is None else (holder,)

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        if not self.opens_low() or card == UNSEEN:
            return
        low = self.lowest_club()
        may = self.rules.suited["C"][0] if self.lies_aside() and self.holder() is None else low
        if not may >> card & 1:
            cards = self.rules.pack.cards
            facts = {"seat": event.seat, "card": cards[card], "low": cards[low.bit_length() - 1]}
            oddities.append(Oddity("wrong-opening", event.seat, Reason("wrong-opening", self.CITES["lead"][:1], facts)))

    def turn_to_play(self) -> Turn:
        return LEADS_LOW if self.opens_low() else super().turn_to_play()


# --- May I play this? The question also says whether the suit is broken, and whether this is the first trick


def tell(question: QuestionReader, hand: TrickHand) -> None:
    assert isinstance(hand, BrokenHand)
    hand.broke, first = question.flag("broken"), question.flag("first_trick")
    hand.later = not first
    question.check()


def blanks(rules: TrickRules, filled: FilledIn) -> tuple[Blank, ...]:
    return (
        *legal_blanks(rules, filled),
        Blank("first_trick", "flag", "First trick of the hand"),
        Blank("broken", "flag", "The suit is broken"),
    )


LEGAL_BROKEN: Question = replace(
    LEGAL,
    answer=partial(legal, tell=tell),
    blanks=blanks,
    help=(
        *LEGAL.help,
        "`broken` says whether an earlier trick broke the suit, `first_trick` whether this is the first trick. Both "
        "default to false.",
    ),
    request={**LEGAL.request, "first_trick": nullable(FLAG), "broken": nullable(FLAG)},
)
