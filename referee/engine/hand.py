"""A hand: one deal played out, as far as recorded."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import add
from typing import ClassVar, Self

from referee.engine import events as kinds
from referee.engine import rulings
from referee.engine.event_kinds import Event
from referee.engine.remedied import Remedied
from referee.engine.rules import Rules, Setup, agree_on
from referee.engine.rulings import Certainty, Irregularity, Reason, Refusal, Verdict, impossible
from referee.engine.sheet import HandParts
from referee.engine.state import FINISHED, PLAY, VOID, Attribute, HandClass, Phase, added, derived, kept, summed, takes
from referee.engine.texts import noun, phrase

# --- A hand judged as it lay, by other house rules than those it was played by: what a game may answer to (REC-22)


class AsItLay:
    """What a hand does where a record is judged by other rules; a game says what is different with it."""

    __slots__ = ()

    setup: Setup

    def make_way(self, event: Event, then: Self) -> None:
        """Skip what these rules require but the record lacks; ``then`` is the hand as it was played."""

    def as_it_lay(self, event: Event, then: Self) -> Iterable[Event]:
        """Return an event as these rules may take it, the closest to what was recorded first.

        Nothing, where what it told follows from the cards by these rules. Of an event that tells several cards at once
        the part that was not seen goes where it went.
        """
        return (event,)

    def stands(self, event: Event, then: Self) -> bool:
        """Keep a recorded event that these rules would have refused; return whether it is kept."""
        return False

    def follow(self, then: Self) -> None:
        """Take over from the hand as it was played what these rules leave open, once both took an event."""

    def hands_shown(self) -> tuple[int | None, ...]:
        """Return what each seat was dealt, as bit masks, where that was entered or all its cards were seen."""
        return self.setup.known

    def unscored(self) -> Reason | None:
        """Explain why these rules cannot score the hand: something they score was not recorded."""
        return None


# A hand is a value to everybody outside: ``referee.engine.table`` copies it before an event touches it. Whatever a hand
# holds is a number, a text, a tuple or a frozen object, so a shallow copy is a full one.


class Hand(AsItLay, Remedied, metaclass=HandClass):
    """The record of one hand and what follows from it; games derive their own.

    ``coming`` are the rules by which the next hand is dealt, where the table has changed them after this one;
    ``opening`` those by which the table began, where this hand was dealt by others.
    """

    rules: Rules
    setup: Setup
    phase: Phase = kept(PLAY)
    events: int = kept(0)
    irregularities: tuple[Irregularity, ...] = kept(())
    penalties: tuple[tuple[int, int, str], ...] = kept(())
    ended: bool = kept(False)
    holds: bool = kept(False)
    fined: tuple[int, ...] = summed()
    coming: Rules | None = derived(None)
    opening: Rules | None = derived(None)

    SHEET_CARDS: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Cards per seat that the score sheet lists: their key in the description, and their title."""
    CLIMBS: ClassVar[bool] = False
    """Whether a trick is a row of plays of which each beats the one before, until all others pass."""
    REVOKES: ClassVar[tuple[str, ...]] = ()
    """The codes of findings that are a revoke, in games in which something has to be followed."""
    SIZE_CLAUSES: ClassVar[tuple[str, ...]] = ()
    """The clauses by which the size of a hand can depend on the hand before."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]]
    TAKES: ClassVar[Mapping[type[Event], Callable[..., Refusal | None]]]
    VALUES: ClassVar[tuple[str, ...]]

    def __init__(self, rules: Rules, setup: Setup) -> None:
        self.rules = rules
        self.setup = setup
        self.fill(rules.players)
        self.begin()

    def begin(self) -> None:
        """Derive initial state from rules and set-up."""

    def resume(self) -> None:
        for seat, points, _ in self.penalties:
            self.fined = added(self.fined, seat, points)

    def fill(self, players: int) -> None:
        """Set every attribute to its initial value, per-seat ones once per player."""
        raise NotImplementedError  # written for every class of hands by ``HandClass``

    def copy(self) -> Self:
        """Return an equal, independent hand."""
        raise NotImplementedError  # written for every class of hands by ``HandClass``

    # -- events ---------------------------------------------------------------------------

    def take(self, event: Event) -> Refusal | None:
        """Apply one event, or return a refusal; a refused event changes nothing."""
        handler = self.TAKES.get(event.__class__)
        refusal = handler(self, event) if handler else self.not_now(event)
        if refusal is None:
            self.events += 1
        return refusal

    def not_now(self, event: Event) -> Refusal:
        """Refuse an event that this phase or game does not take. A finished hand still takes transfers if tricks
        count.
        """
        over = self.phase is FINISHED and (self.ended or not isinstance(event, kinds.Transfer))
        if over or self.phase is VOID:
            return self.is_finished(event)
        facts = {"event": phrase(event.type), "phase": phrase(self.phase)}
        reason = Reason("wrong-phase", ("REC-2",), facts, "" if event.__class__ in self.TAKES else "not-of-this-game")
        return Refusal(Verdict.IMPOSSIBLE, reason)

    def is_finished(self, event: Event) -> Refusal:
        """Refuse an event because the hand is over."""
        return impossible("hand-finished", "REC-1", event=phrase(event.type))

    def no_such_seat(self, seat: int) -> Refusal | None:
        if 0 <= seat < self.rules.players:
            return None
        return impossible("no-such-seat", "REC-3", number=seat, players=self.rules.players)

    def not_in_hand(self, seat: int, card: int, *clauses: str) -> Refusal:
        """Refuse a card that a seat cannot hold, and say why: it lies in another entered hand, or not in its own."""
        known, shown = self.setup.known, self.rules.pack.cards[card]
        holders = [other for other, cards in enumerate(known) if other != seat and (cards or 0) >> card & 1]
        facts: dict[str, object] = {"seat": seat, "card": shown}
        if holders:
            return impossible("not-in-hand", "REC-8", *clauses, phrase="in-other-hand", other=holders[0], **facts)
        entered = known[seat] if known else None
        own = entered is not None and not entered >> card & 1
        return impossible("not-in-hand", "REC-8", *clauses, phrase="not-in-own-hand" if own else "", **facts)

    def not_a_suit(self, text: str) -> Refusal | None:
        if self.rules.pack.suit(text) is not None:
            return None
        return impossible("bad-suit", "REC-9", phrase="no-such-suit", suit=text[:40])

    def suit_name(self, suit: str | None) -> object:
        """Return a suit by its name, for a sentence; what is no suit stays as it was typed."""
        if suit is None:
            return phrase("no trump")
        code = self.rules.pack.suit(suit)
        named = next((each.name for each in self.rules.pack.suits if each.code == code), None)
        return suit[:40] if named is None else noun(named)

    def consent(self, event: Event, oddities: list[rulings.Oddity]) -> Refusal | None:
        """Refuse irregular acts that the table did not accept; record those it did (REC-21)."""
        if not oddities:
            return None
        if not event.accepted:
            return Refusal(Verdict.IRREGULAR, oddities[0].reason)
        self.irregularities += tuple(
            Irregularity(
                code=oddity.code,
                certainty=Certainty.SEEN,
                seat=oddity.seat,
                suspects=(oddity.seat,),
                event=self.events,
                trick=self.trick_number(),
                reason=oddity.reason,
            )
            for oddity in oddities
        )
        return None

    @takes(kinds.Note)
    def take_note(self, event: kinds.Note) -> Refusal | None:
        """Take a remark, which has no effect (REC-20)."""
        return None if event.seat is None else self.no_such_seat(event.seat)

    @takes(kinds.Penalty)
    def take_penalty(self, event: kinds.Penalty) -> Refusal | None:
        """Take points that the table moved: added to the score of a seat, negative where it loses them (REC-13)."""
        refusal = self.no_such_seat(event.seat)
        if refusal is None:
            self.penalties += ((event.seat, event.points, event.reason or ""),)
            self.fined = added(self.fined, event.seat, event.points)
        return refusal

    @takes(kinds.Redeal)
    def take_redeal(self, event: kinds.Redeal) -> Refusal | None:
        """Void the hand; the same dealer deals again (REC-14)."""
        if self.ended or self.phase is VOID:
            return self.is_finished(event)
        self.phase = VOID
        return None

    @takes(kinds.End)
    def take_end(self, event: kinds.End) -> Refusal | None:
        """End the table here; a hand that still runs is void (REC-16)."""
        if self.ended:
            return self.is_finished(event)
        self.ended = True
        if self.phase is not FINISHED:
            self.phase = VOID
        return None

    @takes(kinds.HouseRules)
    def take_house_rules(self, event: kinds.HouseRules) -> Refusal | None:
        """Take other house rules for the hands after this one, once it is over (REC-23)."""
        if self.ended:
            return self.is_finished(event)
        if not self.is_over():
            return impossible("wrong-phase", "REC-2", "REC-23", phrase="rules-mid-hand")
        now = self.coming or self.rules
        coming = agree_on(now, event.options)
        if isinstance(coming, Refusal):
            return coming
        if coming.options != now.options:
            self.coming = coming
        return None

    @takes(kinds.HoldFindings, kinds.TellFindings)
    def take_when_told(self, event: kinds.WhenTold) -> Refusal | None:
        """Hold back what is proved until the hand is over, or tell it at once; later hands do so, too (REC-20)."""
        self.holds = event.holds
        return None

    # -- what stands ----------------------------------------------------------------------

    def position(self, event: int) -> tuple[int, int]:
        return (self.setup.index, event)

    def is_over(self) -> bool:
        return self.phase is FINISHED or self.phase is VOID

    def keeps(self, event: Event) -> bool:
        """Return whether an event belongs to this hand although it is over, and begins no new one."""
        return event.kind.stays

    def bidders(self) -> tuple[int, ...]:
        return ()

    def trick_number(self) -> int | None:
        """Return the number of the trick in progress, from 1; ``None`` outside tricks."""
        return None

    def to_act(self) -> tuple[int, ...]:
        return ()

    @abstractmethod
    def cards_left(self) -> tuple[int, ...]:
        """Return the number of cards each seat still holds."""

    @abstractmethod
    def points(self) -> tuple[int, ...] | None:
        """Return what each seat has made so far, penalties aside; ``None`` while unsettled."""

    @abstractmethod
    def point_lines(self) -> list[rulings.ScoreLine]:
        """Return the lines that add up to ``points``."""

    def scores(self) -> tuple[int, ...] | None:
        """Return each seat's score in this hand, penalties included, where it is settled."""
        made = (0,) * self.rules.players if self.phase is VOID else self.points()
        return None if made is None else self.with_penalties(made)

    def earned(self) -> tuple[int, ...]:
        """Return what this hand adds to the totals now: penalties count at once (REC-13)."""
        made = None if self.phase is VOID else self.points()
        return self.with_penalties(made or (0,) * self.rules.players)

    def with_penalties(self, made: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(map(add, made, self.fined)) if self.penalties else made

    def score_lines(self) -> list[rulings.ScoreLine]:
        """Return every line of the hand's score sheet; they add up to the scores."""
        settled = self.phase is not VOID and self.points() is not None
        lines = self.point_lines() if settled else []
        for seat, points, why in self.penalties:
            facts = {"seat": seat, "points": points, "why": f": {why}" if why else ""}
            lines.append(rulings.ScoreLine(seat, points, Reason("penalty", ("REC-13",), facts)))
        return lines

    def settlements(self) -> int:
        return len(self.penalties)

    def unchecked(self) -> list[Reason]:
        return []

    def count_later(self) -> None:
        """Postpone proofs by counting, in games that have them."""

    def needs_counting(self) -> bool:
        """Return whether postponed proofs by counting could find something."""
        return False

    def asks(self) -> tuple[kinds.Ask, ...]:
        return ()

    def card_groups(self, seat: int | None, wanted: kinds.Field, held: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
        """Yield the cards that may be named together in a field; where there are several, ``held`` among them."""
        others = [code for code in wanted.choices if code not in held]
        for count in range(max(wanted.count[0] - len(held), 0), wanted.count[1] - len(held) + 1):
            yield from ((*held, *some) for some in combinations(others, count) if held or some)

    def table_asks(self) -> tuple[kinds.Ask, ...]:
        """Return what the table may record at any time: remarks, point changes, held-back findings, ends."""
        left_out = {kinds.HoldFindings.type if self.holds else kinds.TellFindings.type}
        if not self.is_over() or self.ended:
            left_out.add(kinds.HouseRules.type)
        found = kinds.asks_of_the_table(tuple(self.TAKES), self.rules.players)
        return tuple(ask for ask in found if ask.event not in left_out)

    def holds_back(self) -> bool:
        """Return whether proved findings are withheld until the hand is over."""
        return self.holds and not self.is_over()

    def tells(self, found: Irregularity) -> bool:
        """Return whether a finding may be told now: what was seen always, what was proved not while that is held."""
        return found.certainty is Certainty.SEEN or not self.holds_back()

    # -- what everybody at the table sees while it runs, beside its record --------------------

    def ahead(self) -> int | None:
        """Return the seat currently winning the trick; ``None`` if unknown."""
        return None

    def to_beat(self) -> int | None:
        return None

    def demanded_suits(self) -> tuple[str, ...]:
        """Return the suits that whoever is to play is asked for, as this player reads them."""
        return ()

    def why_trump(self) -> Reason | None:
        """Return since when, or by what, trump is what it is; ``None`` if that goes without saying."""
        return None

    def struck_out(self) -> tuple[int, ...]:
        """Return the seats whose cards, set aside for all to see, cancel one another."""
        return ()

    def suit_read(self) -> str:
        """Return which suit of a card whoever is to act reads, ``first`` or ``last``; empty: all of them."""
        return ""

    def shown_to(self, seat: int) -> tuple[kinds.FaceUp, ...]:
        """Return cards that the player of a seat alone may look at again while the hand runs."""
        return ()

    def won_by(self, totals: Sequence[int]) -> tuple[int, ...]:
        """Return who has won where the game ends with this hand."""
        return self.rules.ahead(totals)

    def instructions(self) -> tuple[Reason, ...]:
        """Return what has to be done with the real cards now, before anything can be recorded."""
        return ()

    def face_up(self) -> tuple[kinds.FaceUp, ...]:
        """Return the cards that lie open on the table for the whole hand, such as one that was turned up for trump."""
        return ()

    def weak_cards(self, number: int = 0) -> tuple[str, ...]:
        """Return the cards out that are in no play by which whoever is to act beats what lies.

        ``number``: in none of so many cards.
        """
        return ()

    def all_pass(self) -> tuple[Event, ...]:
        """Return passes for everyone still in the trick, in turn; none if passing is not allowed."""
        return ()

    def preview(self, event: Event) -> kinds.Preview | None:
        """Describe what an event would be before it is recorded, in games that have something to say."""
        return None

    def bags_after(self) -> tuple[int, ...]:
        """Return the bags on the account of each seat's side, in a game that counts them; ``()`` in others."""
        return self.setup.bags

    # -- what a finished hand tells; games with tricks and bids tell more -----------------------

    def tricks_won(self) -> tuple[int | None, ...]:
        """Return the tricks of each seat, none in a game without tricks; ``None`` if a result does not tell them."""
        return (0,) * self.rules.players

    def tells_all_tricks(self) -> bool:
        return True

    def undertaken(self) -> tuple[rulings.Undertaken | None, ...]:
        """Return for each seat what it bid and won; ``None`` if nothing is bid."""
        return (None,) * self.rules.players

    def feats(self) -> tuple[rulings.Feat, ...]:
        """Return what was done in single tricks that the game counts among the records of a group."""
        return ()

    def highlight(self) -> Reason | None:
        """Return the remarkable event of a finished hand, such as a feat that decides it."""
        return None

    # -- irregularities ----------------------------------------------------------------------

    def disproved(self) -> tuple[rulings.Withdrawn, ...]:
        """Return what was irregular as far as anyone could see, until a later card disproved it."""
        return ()

    def acts_of(self, found: Irregularity) -> tuple[rulings.Act, ...]:
        """Return the cards laid to tricks that a finding is about, in games where they claim something."""
        return ()

    def card_shown(self, found: Irregularity) -> rulings.LaidCard | None:
        """Return the card that contradicts what such a card claimed, where one does."""
        return None

    def steps_of(self, found: Irregularity) -> tuple[rulings.Step, ...]:
        """Return what was done, what the rule asks and what showed it, where no card that was led says so."""
        return ()

    def describe_without_points(self) -> HandParts:
        """Return this game's part of the adjudication, as it is told where points are hidden. A game whose reasons say
        points tells them here without."""
        described = self.describe()
        for trick in described["tricks"]:
            trick["points"] = {}
            trick.pop("details", None)
            trick.pop("best", None)
        return described

    @abstractmethod
    def describe(self) -> HandParts:
        """Return this game's part of the adjudication of the hand."""


def class_of(rules: Rules) -> type[Hand]:
    kind = rules.game.hand_class
    assert issubclass(kind, Hand)
    return kind
