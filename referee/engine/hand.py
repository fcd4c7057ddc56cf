"""Base class of hands: one deal, as far as it is recorded."""

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


class AsItLay:
    """Hooks for judging a hand under other house rules (REC-22); ``then`` is the hand as it was played."""

    __slots__ = ()

    setup: Setup

    def make_way(self, event: Event, then: Self) -> None:
        """Skip steps before ``event`` that these rules require but the record lacks."""

    def as_it_lay(self, event: Event, then: Self) -> Iterable[Event]:
        """Return the forms in which these rules may take an event, closest to the recorded one first.

        Empty if what it records follows from the cards under these rules. If it names several cards, those that nobody
        saw go where they went in ``then``.
        """
        return (event,)

    def stands(self, event: Event, then: Self) -> bool:
        """Try to apply a recorded event that these rules refuse; return whether it was applied."""
        return False

    def follow(self, then: Self) -> None:
        """Copy from ``then`` what these rules leave open, after both hands have taken an event."""

    def hands_shown(self) -> tuple[int | None, ...]:
        """Return each seat's dealt hand as a bit mask; ``None`` unless it was entered or all its cards were seen."""
        return self.setup.known

    def unscored(self) -> Reason | None:
        """Return why these rules cannot score the hand (something they count was not recorded), or ``None``."""
        return None


# Callers treat hands as values: ``referee.engine.table`` copies one before it applies an event. Attributes are numbers,
# strings, tuples or frozen objects, so a shallow copy is enough.


class Hand(AsItLay, Remedied, metaclass=HandClass):
    """The state of one hand; games derive their own.

    ``coming``: the rules of the next hand, if the table changed them after this one. ``opening``: the rules with which
    the table began, if this hand was dealt under others.
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
    """Cards per seat that the score sheet lists: (key in the description, title)."""
    CLIMBS: ClassVar[bool] = False
    """Whether each play in a trick must beat the one before, until all others pass."""
    REVOKES: ClassVar[tuple[str, ...]] = ()
    """The codes of findings that count as a revoke, in games with a duty to follow."""
    SIZE_CLAUSES: ClassVar[tuple[str, ...]] = ()
    """The clauses by which the size of a hand can depend on the previous hand."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]]
    TAKES: ClassVar[Mapping[type[Event], Callable[..., Refusal | None]]]
    VALUES: ClassVar[tuple[str, ...]]

    def __init__(self, rules: Rules, setup: Setup) -> None:
        self.rules = rules
        self.setup = setup
        self.fill(rules.players)
        self.begin()

    def begin(self) -> None:
        """Derive the initial state from ``rules`` and ``setup``."""

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
        """Refuse an event that this phase or this game does not take."""
        over = self.phase is FINISHED and (self.ended or not isinstance(event, kinds.Transfer))
        if over or self.phase is VOID:
            return self.is_finished(event)
        facts = {"event": phrase(event.type), "phase": phrase(self.phase)}
        reason = Reason("wrong-phase", ("REC-2",), facts, "" if event.__class__ in self.TAKES else "not-of-this-game")
        return Refusal(Verdict.IMPOSSIBLE, reason)

    def is_finished(self, event: Event) -> Refusal:
        """Refuse an event because the hand is over (REC-1)."""
        return impossible("hand-finished", "REC-1", event=phrase(event.type))

    def no_such_seat(self, seat: int) -> Refusal | None:
        if 0 <= seat < self.rules.players:
            return None
        return impossible("no-such-seat", "REC-3", number=seat, players=self.rules.players)

    def not_in_hand(self, seat: int, card: int, *clauses: str) -> Refusal:
        """Refuse a card that the seat cannot hold: it is in another entered hand, or missing from its own (REC-8)."""
        known, shown = self.setup.known, self.rules.pack.cards[card]
        holders = [other for other, cards in enumerate(known) if other != seat and (cards or 0) >> card & 1]
        facts: dict[str, object] = {"seat": seat, "card": shown}
        if holders:
            return impossible("not-in-hand", "REC-8", *clauses, phrase="in-other-hand", other=holders[0], **facts)
        entered = known[seat] if known else None
        own = entered is not None and not entered >> card & 1
        return impossible("not-in-hand", "REC-8", *clauses, phrase="not-in-own-hand" if own else "", **facts)

    def not_in_deck(self, code: str) -> Refusal:
        """Refuse a card that the pack lacks; the reason says which cards it has."""
        return impossible("not-in-deck", "REC-5", why=self.rules.pack.explain(code))

    def find_cards(self, codes: Iterable[str], gone: int) -> tuple[int, ...] | Refusal:
        """Return the cards of these codes, or refuse one that the pack lacks, is ``gone``, or is named twice."""
        found = []
        for code in codes:
            card = self.rules.pack.find(code)
            if card is None:
                return self.not_in_deck(code)
            found.append(card)
        for card in found:
            if gone >> card & 1:
                return impossible("already-played", "REC-6", card=self.rules.pack.cards[card])
            gone |= 1 << card
        return tuple(found)

    def not_a_suit(self, text: str) -> Refusal | None:
        if self.rules.pack.suit(text) is not None:
            return None
        return impossible("bad-suit", "REC-9", phrase="no-such-suit", suit=text[:40])

    def suit_name(self, suit: str | None) -> object:
        """Return a suit's name for a sentence; text that names no suit is returned as typed, cut to 40 characters."""
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
        """Accept a remark, which changes nothing (REC-20)."""
        return None if event.seat is None else self.no_such_seat(event.seat)

    @takes(kinds.Penalty)
    def take_penalty(self, event: kinds.Penalty) -> Refusal | None:
        """Add points, which may be negative, to a seat's score (REC-13)."""
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
        """End the game here; a hand in progress is void (REC-16)."""
        if self.ended:
            return self.is_finished(event)
        self.ended = True
        if self.phase is not FINISHED:
            self.phase = VOID
        return None

    @takes(kinds.HouseRules)
    def take_house_rules(self, event: kinds.HouseRules) -> Refusal | None:
        """Change the house rules from the next hand on; only between hands (REC-23)."""
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
        """Hold back proved findings until the hand is over, or stop; the choice also holds for later hands (REC-20)."""
        self.holds = event.holds
        return None

    # -- present state ---------------------------------------------------------------------

    def position(self, event: int) -> tuple[int, int]:
        return (self.setup.index, event)

    def is_over(self) -> bool:
        return self.phase is FINISHED or self.phase is VOID

    def keeps(self, event: Event) -> bool:
        """Return whether an event still belongs to this finished hand rather than beginning a new one."""
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
        """Return what each seat has made so far, without penalties; ``None`` while unsettled."""

    @abstractmethod
    def point_lines(self) -> list[rulings.ScoreLine]:
        """Return the lines that add up to ``points``."""

    def scores(self) -> tuple[int, ...] | None:
        """Return each seat's score in this hand, penalties included; ``None`` while unsettled."""
        made = (0,) * self.rules.players if self.phase is VOID else self.points()
        return None if made is None else self.with_penalties(made)

    def earned(self) -> tuple[int, ...]:
        """Return what the hand adds to the totals now; penalties count at once (REC-13)."""
        made = None if self.phase is VOID else self.points()
        return self.with_penalties(made or (0,) * self.rules.players)

    def with_penalties(self, made: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(map(add, made, self.fined)) if self.penalties else made

    def score_lines(self) -> list[rulings.ScoreLine]:
        """Return the lines of the hand's score sheet; they add up to ``scores``."""
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
        """Postpone proofs by counting, in games that have them (see ``needs_counting``)."""

    def needs_counting(self) -> bool:
        """Return whether postponed proofs by counting could find something."""
        return False

    def asks(self) -> tuple[kinds.Ask, ...]:
        return ()

    def card_groups(self, seat: int | None, wanted: kinds.Field, held: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
        """Yield the sets of cards that may fill a field; if cards are ``held``, each set includes them."""
        others = [code for code in wanted.choices if code not in held]
        for count in range(max(wanted.count[0] - len(held), 0), wanted.count[1] - len(held) + 1):
            yield from ((*held, *some) for some in combinations(others, count) if held or some)

    def table_asks(self) -> tuple[kinds.Ask, ...]:
        """Return what the table may record at any time, such as remarks, score changes and the end of the game."""
        left_out = {kinds.HoldFindings.type if self.holds else kinds.TellFindings.type}
        if not self.is_over() or self.ended:
            left_out.add(kinds.HouseRules.type)
        found = kinds.asks_of_the_table(tuple(self.TAKES), self.rules.players)
        return tuple(ask for ask in found if ask.event not in left_out)

    def holds_back(self) -> bool:
        """Return whether proved findings are withheld until the hand is over."""
        return self.holds and not self.is_over()

    def tells(self, found: Irregularity) -> bool:
        """Return whether a finding may be announced now: always if it was seen, otherwise unless it is held back."""
        return found.certainty is Certainty.SEEN or not self.holds_back()

    # -- what everyone at the table sees during the hand -----------------------------------

    def ahead(self) -> int | None:
        """Return the seat currently winning the trick; ``None`` if unknown."""
        return None

    def to_beat(self) -> int | None:
        return None

    def demanded_suits(self) -> tuple[str, ...]:
        """Return the suits that the player to act must follow, as that player reads the cards."""
        return ()

    def why_trump(self) -> Reason | None:
        """Return why the current trump suit is trump; ``None`` if that needs no explanation."""
        return None

    def struck_out(self) -> tuple[int, ...]:
        """Return the seats whose cards, set aside face up, cancel one another."""
        return ()

    def suit_read(self) -> str:
        """Return which suit of a card the player to act reads, ``first`` or ``last``; empty if all of them."""
        return ""

    def shown_to(self, seat: int) -> tuple[kinds.FaceUp, ...]:
        """Return cards that only this seat's player may look at again during the hand."""
        return ()

    def won_by(self, totals: Sequence[int]) -> tuple[int, ...]:
        """Return the winners if the game ends with this hand."""
        return self.rules.ahead(totals)

    def instructions(self) -> tuple[Reason, ...]:
        """Return what players must do with the real cards before anything more can be recorded."""
        return ()

    def face_up(self) -> tuple[kinds.FaceUp, ...]:
        """Return the cards that lie face up for the whole hand, such as a turned-up trump."""
        return ()

    def weak_cards(self, number: int = 0) -> tuple[str, ...]:
        """Return cards in no play (of ``number`` cards, if given) by which the player to act can beat the last."""
        return ()

    def all_pass(self) -> tuple[Event, ...]:
        """Return a pass for each seat still in the trick, in turn; empty if passing is not allowed."""
        return ()

    def preview(self, event: Event) -> kinds.Preview | None:
        """Describe an event before it is recorded; ``None`` if the game has nothing to say about it."""
        return None

    def bags_after(self) -> tuple[int, ...]:
        """Return each seat's bags (overtricks on its side's account); ``()`` in games without bags."""
        return self.setup.bags

    # -- results of a finished hand; games with tricks and bids have more ---------------------

    def tricks_won(self) -> tuple[int | None, ...]:
        """Return the tricks of each seat, 0 in games without tricks; ``None`` if a recorded result leaves them open."""
        return (0,) * self.rules.players

    def tells_all_tricks(self) -> bool:
        return True

    def undertaken(self) -> tuple[rulings.Undertaken | None, ...]:
        """Return what each seat bid and won; ``None`` for each if nothing is bid."""
        return (None,) * self.rules.players

    def feats(self) -> tuple[rulings.Feat, ...]:
        """Return the feats in single tricks that count towards a group's records."""
        return ()

    def highlight(self) -> Reason | None:
        """Return the most remarkable event of a finished hand, such as a feat that decides it."""
        return None

    # -- irregularities ----------------------------------------------------------------------

    def disproved(self) -> tuple[rulings.Withdrawn, ...]:
        """Return findings that a later card has disproved."""
        return ()

    def acts_of(self, found: Irregularity) -> tuple[rulings.Act, ...]:
        """Return the plays that a finding is about, in games in which a play claims something about the hand."""
        return ()

    def card_shown(self, found: Irregularity) -> rulings.LaidCard | None:
        """Return the card that contradicts the claims of those plays, if there is one."""
        return None

    def steps_of(self, found: Irregularity) -> tuple[rulings.Step, ...]:
        """Return what was done, required and shown, for findings that no led card explains."""
        return ()

    def describe_without_points(self) -> HandParts:
        """Return ``describe`` without points; games whose reasons mention points override this."""
        described = self.describe()
        for trick in described["tricks"]:
            trick["points"] = {}
            trick.pop("details", None)
            trick.pop("best", None)
        return described

    @abstractmethod
    def describe(self) -> HandParts:
        """Return this game's part of the hand's adjudication."""


def class_of(rules: Rules) -> type[Hand]:
    kind = rules.game.hand_class
    assert issubclass(kind, Hand)
    return kind
