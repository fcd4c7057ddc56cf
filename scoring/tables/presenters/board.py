"""What a table page shows, put together from the referee's description of the table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.adjudication import describe_hand
from referee.engine.events import Penalty
from referee.engine.game import Game, event_kinds
from referee.engine.hand import Hand, class_of
from referee.engine.rules import OPEN
from referee.engine.rulings import Reason, Refusal
from referee.engine.sheet import DescribedHand, DescribedReason, DescribedTrick, HandFacts
from referee.engine.state import PLAY
from scoring.models import Table
from scoring.tables.presenters.cards import (
    CitedSentence,
    Face,
    Keys,
    Symbol,
    all_keys,
    cited,
    clause_links,
    draw,
    face,
    symbols,
)
from scoring.tables.presenters.curves import ScoreSheet, score_sheet, to_target
from scoring.tables.presenters.felt import (
    BidShown,
    Deal,
    OpenCard,
    PlayShown,
    Seat,
    Step,
    TrickShown,
    bids,
    course_of,
    deal_of,
    last_plays,
    open_card,
    play_of,
    seats_of,
    show_trick,
)
from scoring.tables.presenters.findings import Finding, WithdrawnShown, find, withdrawn
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from scoring.tables.presenters.forms import Form
from scoring.tables.presenters.house_rules import changed_in_words
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.presenters.scene import Scene, scene_of
from scoring.tables.reads.page_facts import PageFacts
from scoring.tables.reads.rules import changed_rules, game_of
from scoring.tables.reads.state import Standing, coming_hand


class SheetLine(NamedTuple):
    """A line that says where points come from."""

    name: str
    points: int
    sentence: CitedSentence


class Board(NamedTuple):
    """Everything a table page shows; ``totals`` are ``None`` while points are hidden."""

    game: Game
    row: Table
    number: int
    coming: bool
    playing: bool
    finished: bool
    seats: tuple[Seat, ...]
    status: str
    yours: bool
    trump: Symbol | None
    has_trump: bool
    suit_order: tuple[Symbol, ...]
    bids: tuple[BidShown, ...]
    bids_made: tuple[int | None, ...]
    deal: Deal | None
    opening: CitedSentence | None
    face_up: tuple[OpenCard, ...]
    course: tuple[Step, ...]
    climbs: bool
    keys: Keys
    why_trump: CitedSentence | None
    since: CitedSentence | None
    demanded_suits: tuple[Symbol, ...]
    reads: str
    to_beat: PlayShown | None
    instructions: tuple[CitedSentence, ...]
    trick: TrickShown | None
    last: TrickShown | None
    tricks: tuple[TrickShown, ...]
    scene: Scene | None
    sheet: ScoreSheet
    carried: tuple[int, ...] | None
    totals: tuple[int, ...] | None
    to_target: tuple[int, ...] | None
    folds: frozenset[str]
    lines: tuple[SheetLine, ...]
    decided: tuple[str, ...]
    findings: tuple[Finding, ...]
    withdrawn: tuple[WithdrawnShown, ...]
    unchecked: tuple[CitedSentence, ...]
    goes_on: bool
    goal: str
    house: tuple[str, ...]
    house_since: int | None
    stopped: CitedSentence | None
    recorded: str
    can_undo: bool
    open_end: bool

    @property
    def own_trump(self) -> Symbol | None:
        """Return the suit that is trump to the player whose own phone it is, where each has another."""
        return next((seat.trump for seat in self.seats if seat.own), None)

    @property
    def bid_sum(self) -> int:
        """Return how many tricks are bid so far."""
        return sum(bid.bid or 0 for bid in self.bids)

    @property
    def ruled(self) -> bool:
        """Return whether anything in this game was irregular, or the table decided something."""
        return any(hand.ruled for hand in self.sheet.hands)

    @property
    def lying(self) -> TrickShown | None:
        """Return the trick whose cards lie on the table: the one that runs, else the last one."""
        return self.trick or self.last

    @property
    def seats_in_view(self) -> tuple[Seat, ...]:
        """Return the seats clockwise, on a player's own phone from its own."""
        first = next((seat.number for seat in self.seats if seat.own), 0)
        return self.seats[first:] + self.seats[:first]


HIGHEST_TRUMP = "highest-trump"
"""The code of the reason by which a trump wins."""
LONGEST_ON_THE_FELT = 70
"""Characters that are read there whole, also on a small phone."""
FOLDS = frozenset(("lines", "tricks", "unchecked"))
"""What of a hand lies folded, and is put together when somebody opens it."""


def board(
    at: Standing,
    facts: PageFacts,
    own: int | None = None,
    *,
    front: Form | None = None,
    points: bool = False,
    opened: frozenset[str] = frozenset(),
) -> Board:
    """Put together what the page of a table shows; ``own`` is the seat whose own phone it is.

    ``front`` is the form in front where that is not what the hand waits for: then it says whose turn it is.
    Points that are hidden are shown only where ``points`` are asked for; of what lies folded, what is ``opened``.
    """
    game, names, pack = game_of(at.row), at.names, at.rules.pack
    shown = points or not facts.hidden
    described = _described(at, facts, points=shown)
    nothing: HandFacts = {}
    hand_facts = described or nothing
    described_tricks = described["tricks"] if described else []
    next_hand = coming_hand(at)
    acting_hand = next_hand if isinstance(next_hand, Hand) else at.hand
    known = symbols(pack)
    index = described["number"] - 1 if described else 0
    seen = described_tricks if "tricks" in opened else described_tricks[-2:]
    tricks = [show_trick(trick, index, names, pack, known, game) for trick in seen]
    done = [trick for trick in tricks if trick.winner is not None]
    running = tricks[-1] if tricks and tricks[-1].winner is None and next_hand is None else None
    chosen = at.row.choosing.get("chosen", ())
    to_act = acting_hand.to_act() if acting_hand and not at.state.finished() else ()
    acting = tuple(seat for seat in to_act if seat not in chosen) if front is None else front.acting
    over = isinstance(next_hand, Hand) and at.hand is not None
    dealt = next_hand.describe() if isinstance(next_hand, Hand) else hand_facts
    face_up = described["face_up"] if described and not over else []
    table_hand = None if over or at.state.finished() else at.hand
    running_hand = table_hand if running else None
    bidding = bids(at, hand_facts, acting_hand) if next_hand is None else ()
    ahead = running_hand.ahead() if running_hand else None
    beaten = running_hand.to_beat() if running_hand else None
    last = done[-1] if done else None
    why = table_hand.why_trump() if table_hand else None
    why_trump = _cited_by(game, at, why) if why else None
    sheet = score_sheet(at, described, facts.left, shown=shown)
    return Board(
        game=game,
        row=at.row,
        number=1 if acting_hand is None else acting_hand.setup.index + 1,
        coming=over,
        playing=acting_hand is not None and acting_hand.phase is PLAY,
        finished=at.state.finished(),
        seats=seats_of(
            at,
            described,
            acting_hand,
            acting,
            known,
            own,
            fresh=next_hand is not None,
            points=shown,
            on_table=last_plays(running or last, ahead),
            bids=bidding,
            hidden=chosen,
            titles=dealt.get("titles"),
            goes_on=facts.goes_on,
        ),
        status=_status(at, acting_hand, acting, own, facts=facts)
        if front is None
        else front.prompt or PAGE_LANGUAGE.translate(front.label),
        yours=own in acting,
        trump=known.get(dealt.get("trump") or ""),
        has_trump=not over and hand_facts.get("has_trump", False),
        suit_order=() if over else tuple(known[s] for s in hand_facts.get("suit_order") or () if s in known),
        bids=bidding,
        bids_made=() if over else tuple(hand_facts.get("bids") or ()),
        deal=deal_of(at, next_hand.setup) if isinstance(next_hand, Hand) and not at.state.finished() else None,
        opening=None
        if described is None or next_hand is not None or tricks
        else cited(game, described.get("opening"), pack),
        face_up=tuple(open_card(shown, pack, known) for shown in face_up),
        course=course_of(at),
        keys=all_keys(pack),
        climbs=class_of(at.rules).CLIMBS,
        why_trump=why_trump,
        since=why_trump if table_hand and _won_by(described_tricks, hand_facts.get("trump")) else None,
        demanded_suits=tuple(known[suit] for suit in (running_hand.demanded_suits() if running_hand else ())),
        reads=acting_hand.suit_read() if acting_hand else "",
        to_beat=None if beaten is None else play_of(running, beaten),
        instructions=tuple(
            _cited_by(game, at, reason) for reason in (acting_hand.instructions() if acting_hand else ())
        )
        if front is None and not at.state.finished()
        else (),
        trick=running,
        last=last,
        tricks=tuple(done),
        scene=scene_of(at, described, next_hand if isinstance(next_hand, Hand) else None, sheet, goes_on=facts.goes_on)
        if described and (over or at.state.finished())
        else None,
        sheet=sheet,
        carried=tuple(at.row.carried) if any(at.row.carried) and shown else None,
        totals=at.state.totals() if shown else None,
        to_target=to_target(at) if shown else None,
        folds=_folds(described),
        lines=show_lines(described, names, game) if described and "lines" in opened else (),
        decided=_decided(facts, at, points=shown) if "lines" in opened else (),
        findings=find(at, described, facts) if described else (),
        withdrawn=withdrawn(at, facts),
        unchecked=tuple(_must(game, reason) for reason in described["unchecked"])
        if described and "unchecked" in opened
        else (),
        goes_on=facts.goes_on,
        goal=_goal(at),
        house_since=sheet.rules_since,
        house=changed_in_words(game, changed_rules(at.rules), len(names)),
        stopped=_stopped(at, next_hand, game),
        recorded=_recorded(at, facts),
        can_undo=at.row.version > 0 and not facts.goes_on,
        open_end=at.rules.end.kind == OPEN.name,
    )


def _described(at: Standing, facts: PageFacts, *, points: bool) -> DescribedHand | None:
    if at.hand is None:
        return None
    return describe_hand(at.hand, at.names, at.state, language=PAGE_LANGUAGE, points=points, events=facts.played)


def _decided(facts: PageFacts, at: Standing, *, points: bool) -> tuple[str, ...]:
    """Say what the table has decided in this hand; points that it moved are lines of their own."""
    events = (event for event in facts.decided if event["type"] != Penalty.type)
    return tuple(sentence(event, at.names, at.rules.pack, points=points) for event in events)


def show_lines(described: DescribedHand, names: Sequence[str], game: Game) -> tuple[SheetLine, ...]:
    """Return the lines of a hand's score sheet as pages show them."""
    return tuple(
        SheetLine(names[line["seat"]], line["points"], _must(game, line["reason"])) for line in described["score_lines"]
    )


def _recorded(at: Standing, facts: PageFacts) -> str:
    """Say what the table has just decided; nothing where a card or a whole hand came last, which show themselves.

    A reason that leaves no room for it is read in the log.
    """
    if facts.last is None or not event_kinds()[facts.last["type"]].settles:
        return ""
    what = sentence(facts.last, at.names, at.rules.pack, points=not facts.hidden)
    if len(what) > LONGEST_ON_THE_FELT:
        what = sentence({**facts.last, "reason": None}, at.names, at.rules.pack, points=not facts.hidden)
    return _("Recorded: {what}").format(what=shorten(what, LONGEST_ON_THE_FELT, placeholder=" …"))


def _stopped(at: Standing, next_hand: Hand | Refusal | None, game: Game) -> CitedSentence | None:
    if not isinstance(next_hand, Refusal) or at.state.finished():
        return None
    return _cited_by(game, at, next_hand.reason)


def _cited_by(game: Game, at: Standing, reason: Reason) -> CitedSentence:
    text = reason.sentence(at.names, PAGE_LANGUAGE)
    return CitedSentence(text, clause_links(game, reason.clauses), draw(text, at.rules.pack))


def _won_by(tricks: Sequence[DescribedTrick], trump: str | None) -> bool:
    """Return whether the last trick was won by a card of the suit that still is trump."""
    reason = tricks[-1]["reason"] if tricks else None
    return trump is not None and reason is not None and reason["code"] == HIGHEST_TRUMP and tricks[-1]["trump"] == trump


def _must(game: Game, reason: DescribedReason) -> CitedSentence:
    return CitedSentence(reason["text"], clause_links(game, reason["clauses"]))


def _status(at: Standing, hand: Hand | None, acting: Sequence[int], own: int | None, *, facts: PageFacts) -> str:
    """Say whose turn it is, and to whom it is theirs, that it is; or what the table has to record."""
    names = at.names
    if at.state.finished():
        return outcome(at, goes_on=facts.goes_on, shown=not facts.hidden)
    if hand is None or not acting:
        missing = next((ask for ask in hand.asks() if not ask.seats), None) if hand else None
        return _("Next: {what}").format(what=PAGE_LANGUAGE.translate(missing.label)) if missing else _("Nobody’s turn.")
    if own in acting:
        others = ", ".join(names[seat] for seat in acting if seat != own)
        return _("Still choosing: you, {names}").format(names=others) if others else _("Your turn")
    if len(acting) == 1:
        return _("{name}’s turn").format(name=names[acting[0]])
    return _("Still choosing: {names}").format(names=", ".join(names[seat] for seat in acting))


def outcome(at: Standing, *, goes_on: bool, shown: bool = True) -> str:
    """Say who has won a game that is over, or who leads one that goes on at another table."""
    first = at.state.winners()
    names = " & ".join(at.names[seat] for seat in first)
    if not goes_on:
        return ngettext("{names} wins.", "{names} win.", len(first)).format(names=names)
    if not shown or len(first) == len(at.names):
        return _("The game goes on.")
    return ngettext("{names} leads.", "{names} lead.", len(first)).format(names=names)


def _goal(at: Standing) -> str:
    """Say when the table ends."""
    end = at.rules.end
    kind = next(kind for kind in game_of(at.row).ends if kind.name == end.kind)
    return PAGE_LANGUAGE.fill(kind.says_one if kind.says_one and end.value == 1 else kind.says, {"value": end.value})


def _folds(described: DescribedHand | None) -> frozenset[str]:
    """Return what of a hand there is to be opened."""
    if described is None:
        return frozenset()
    there = {"lines": described["score_lines"], "tricks": described["tricks"], "unchecked": described["unchecked"]}
    return frozenset(name for name, what in there.items() if what)


class Rulings(NamedTuple):
    """What a big screen tells of rulings.

    ``scenes`` are findings that are news: just proved, just decided, or undecided at the end of a hand. ``decided`` is
    what the table has just recorded that belongs to none of them; ``open`` are those that wait, ``done`` those decided
    in a hand that is over.
    """

    scenes: tuple[Finding, ...]
    decided: str
    open: tuple[Finding, ...]
    done: tuple[Finding, ...]


def rulings(board: Board) -> Rulings:
    """Sort the findings of a table by what a big screen says of them; what is held back is not among them."""
    news = [found for found in board.findings if found.decided or (found.raised and found.fresh)]
    waiting = [found for found in board.findings if found.raised and found not in news]
    settled = [found for found in board.findings if found.settled and not found.decided and found.over]
    return Rulings(
        tuple(news), "" if _says(news) else board.recorded, tuple(waiting), tuple(settled) if board.scene else ()
    )


def _says(news: Sequence[Finding]) -> bool:
    """Return whether one of the scenes says what was just recorded."""
    return any(found.decided for found in news)


# --- Who agrees with the result of the hand that is over, and whether this phone is still to be asked


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Who agrees with the hand of this number, from 1; ``can_confirm``: this phone's player may still do so."""

    hand: int
    names: tuple[str, ...]
    can_confirm: bool


def confirmation(
    at: Standing, confirmed: Mapping[int, Mapping[int, int]], seat: int | None, *, hidden: bool
) -> Confirmation | None:
    """Return who agrees with the last hand; nothing while nobody may know what it brought."""
    if at.hand is None or hidden or at.hand.scores() is None or not at.hand.is_over():
        return None
    seats = confirmed.get(at.hand.setup.index, {})
    names = tuple(at.names[each] for each in seats)
    return Confirmation(at.hand.setup.index + 1, names, seat is not None and seat not in seats)


class Confirmed(NamedTuple):
    """Who has agreed with the hand of this number, from 1: the seats, and their names."""

    hand: int
    seats: tuple[int, ...]
    names: str


def who_confirmed(confirmed: Mapping[int, Mapping[int, int]], names: Sequence[str]) -> tuple[Confirmed, ...]:
    """Return who has agreed with each hand of which anybody has."""
    return tuple(
        Confirmed(hand + 1, tuple(seats), ", ".join(names[seat] for seat in seats))
        for hand, seats in confirmed.items()
        if seats
    )


# --- What a player's own phone shows of its own seat, and what all others may be told of secret choices


@dataclass(frozen=True, slots=True)
class Secret:
    """Who has made a secret choice, who has to make it again, and whether this phone's player has.

    ``looks`` is what was chosen on this very device, in cards and in words; elsewhere there is none.
    """

    chosen: str
    again: str
    own: bool
    looks: tuple[tuple[tuple[Face, ...], str], ...] = ()


def secret(at: Standing, seat: int | None, events: Iterable[Mapping[str, Any]]) -> Secret | None:
    """Return what a device may be told of secret choices: ``events`` are what its players have chosen on it."""
    row, names, pack = at.row, at.names, at.rules.pack
    if not row.choosing:
        return None
    own = seat in row.choosing.get("chosen", ())
    others = [names[s] for s in row.choosing.get("chosen", ()) if s != seat]
    again = [names[s] for s in row.choosing.get("again", ())]
    return Secret(
        chosen=", ".join(others),
        again=" & ".join(again),
        own=own,
        looks=tuple(
            (tuple(face(pack, code) for code in event.get("cards", ())), sentence(event, names, pack))
            for event in events
        ),
    )
