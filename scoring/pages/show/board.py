"""What a table page shows, put together from the referee's description of the table."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.catalogue import event_kinds
from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.phases import PLAY
from referee.engine.rulings import Refusal
from referee.engine.sheet import DescribedHand, DescribedReason, DescribedTrick, HandFacts
from referee.packs import Pack
from scoring.models import Table
from scoring.pages.show.bids import BidShown, bids
from scoring.pages.show.cards import Face, Symbol, face, symbols
from scoring.pages.show.clauses import CitedSentence, cited, clause_links
from scoring.pages.show.curve import to_target
from scoring.pages.show.deal_notice import Deal, deal_of
from scoring.pages.show.event_sentences import sentence
from scoring.pages.show.findings import Finding, find
from scoring.pages.show.house_rules import changed_in_words
from scoring.pages.show.open_cards import OpenCard, Step, course_of, open_card
from scoring.pages.show.scene import Scene, scene_of
from scoring.pages.show.score_sheet import ScoreSheet, score_sheet
from scoring.pages.show.seat_facts import SeatFact, seat_facts
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.queries.page_facts import PageFacts
from scoring.queries.rules import changed_rules, game_of
from scoring.queries.state import Standing, coming_hand, current_hand


class Seat(NamedTuple):
    """A player in the score header; ``total`` is ``None`` while points are hidden."""

    number: int
    name: str
    total: int | None
    score: int | None
    facts: tuple[SeatFact, ...]
    acting: bool
    dealer: bool
    winner: bool
    own: bool
    trump: Symbol | None
    shown: tuple[Face, ...]
    note: str


class PlayShown(NamedTuple):
    """One play of a trick: whose, which cards, or a pass."""

    name: str
    cards: tuple[Face, ...]
    called: str
    suit: Symbol | None
    won: bool


class TrickShown(NamedTuple):
    """A trick: its plays, and once it is over who won it and why."""

    hand: int
    number: int
    plays: tuple[PlayShown, ...]
    winner: str | None
    sentence: CitedSentence | None


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
    deal: Deal | None
    opening: CitedSentence | None
    face_up: tuple[OpenCard, ...]
    course: tuple[Step, ...]
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
    findings: tuple[Finding, ...]
    unchecked: tuple[CitedSentence, ...]
    winners: tuple[str, ...]
    goal: str
    house: tuple[str, ...]
    stopped: CitedSentence | None
    recorded: str
    can_undo: bool

    @property
    def seats_in_view(self) -> tuple[Seat, ...]:
        """Return the seats clockwise, on a player's own phone from its own."""
        first = next((seat.number for seat in self.seats if seat.own), 0)
        return self.seats[first:] + self.seats[:first]


FOLDS = frozenset(("lines", "tricks", "unchecked"))
"""What of a hand lies folded, and is put together when somebody opens it."""


def board(
    at: Standing,
    facts: PageFacts,
    own: int | None = None,
    *,
    points: bool = False,
    opened: frozenset[str] = frozenset(),
) -> Board:
    """Put together what the page of a table shows; ``own`` is the seat whose own phone it is.

    Points that are hidden are shown only where ``points`` are asked for; of what lies folded, what is ``opened``.
    """
    game, names, pack = game_of(at.row), at.names, at.rules.pack
    shown = points or not facts.hidden
    described = current_hand(at, PAGE_LANGUAGE, points=shown)
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
    acting = tuple(seat for seat in to_act if seat not in chosen)
    over = isinstance(next_hand, Hand) and at.hand is not None
    dealt = next_hand.describe() if isinstance(next_hand, Hand) else hand_facts
    face_up = described["face_up"] if described and not over else []
    return Board(
        game=game,
        row=at.row,
        number=1 if acting_hand is None else acting_hand.setup.index + 1,
        coming=over,
        playing=acting_hand is not None and acting_hand.phase is PLAY,
        finished=at.state.finished(),
        seats=_seats(at, described, acting_hand, acting, known, own, fresh=next_hand is not None, points=shown),
        status=_status(at, acting_hand, acting, own),
        yours=own in acting,
        trump=known.get(dealt.get("trump") or ""),
        has_trump=not over and hand_facts.get("has_trump", False),
        suit_order=tuple(known[s] for s in hand_facts.get("suit_order") or () if s in known),
        bids=bids(at, hand_facts, acting_hand) if next_hand is None else (),
        deal=deal_of(at, next_hand.setup) if isinstance(next_hand, Hand) and not at.state.finished() else None,
        opening=None if described is None or next_hand is not None or tricks else cited(game, described.get("opening")),
        face_up=tuple(open_card(shown, pack, known) for shown in face_up),
        course=course_of(at),
        trick=running,
        last=done[-1] if done else None,
        tricks=tuple(done),
        scene=scene_of(at, described, next_hand if isinstance(next_hand, Hand) else None, points=shown)
        if described and (over or at.state.finished())
        else None,
        sheet=score_sheet(at, described, facts.left, shown=shown),
        carried=tuple(at.row.carried) if any(at.row.carried) and shown else None,
        totals=at.state.totals() if shown else None,
        to_target=to_target(at) if shown else None,
        folds=_folds(described),
        lines=show_lines(described, names, game) if described and "lines" in opened else (),
        findings=find(at, described, facts) if described else (),
        unchecked=tuple(_must(game, reason) for reason in described["unchecked"])
        if described and "unchecked" in opened
        else (),
        winners=tuple(names[seat] for seat in at.state.winners()),
        goal=_goal(at),
        house=changed_in_words(game, changed_rules(at.row), len(names)),
        stopped=_stopped(at, next_hand, game),
        recorded=_recorded(at, facts),
        can_undo=at.row.version > 0,
    )


def show_lines(described: DescribedHand, names: Sequence[str], game: Game) -> tuple[SheetLine, ...]:
    """Return the lines of a hand's score sheet as pages show them."""
    return tuple(
        SheetLine(names[line["seat"]], line["points"], _must(game, line["reason"])) for line in described["score_lines"]
    )


def _recorded(at: Standing, facts: PageFacts) -> str:
    """Say what the table has just decided; nothing where a card or a whole hand came last, which show themselves."""
    if facts.last is None or not event_kinds()[facts.last["type"]].settles:
        return ""
    return _("Recorded: {what}").format(what=sentence(facts.last, at.names, at.rules.pack, points=not facts.hidden))


def _stopped(at: Standing, next_hand: Hand | Refusal | None, game: Game) -> CitedSentence | None:
    if not isinstance(next_hand, Refusal) or at.state.finished():
        return None
    reason = next_hand.reason
    return CitedSentence(reason.sentence(at.names, PAGE_LANGUAGE), clause_links(game, reason.clauses))


def _must(game: Game, reason: DescribedReason) -> CitedSentence:
    return CitedSentence(reason["text"], clause_links(game, reason["clauses"]))


def _status(at: Standing, hand: Hand | None, acting: Sequence[int], own: int | None) -> str:
    """Say whose turn it is, and to whom it is theirs, that it is; or what the table has to record."""
    names = at.names
    if at.state.finished():
        winners = " & ".join(names[seat] for seat in at.state.winners())
        return ngettext("{names} wins.", "{names} win.", len(at.state.winners())).format(names=winners)
    if hand is None or not acting:
        missing = next((ask for ask in hand.asks() if not ask.seats), None) if hand else None
        return (
            _("To record: {what}").format(what=PAGE_LANGUAGE.translate(missing.label))
            if missing
            else _("Nobody has to act.")
        )
    if own in acting:
        others = ", ".join(names[seat] for seat in acting if seat != own)
        return _("To choose: you, {names}").format(names=others) if others else _("Your turn")
    if len(acting) == 1:
        return _("{name}’s turn").format(name=names[acting[0]])
    return _("To choose: {names}").format(names=", ".join(names[seat] for seat in acting))


def _goal(at: Standing) -> str:
    """Say when the table ends."""
    end = at.rules.end
    kind = next(kind for kind in game_of(at.row).ends if kind.name == end.kind)
    return PAGE_LANGUAGE.fill(kind.says_one if kind.says_one and end.value == 1 else kind.says, {"value": end.value})


def _seats(
    at: Standing,
    described: DescribedHand | None,
    hand: Hand | None,
    acting: Sequence[int],
    known: Mapping[str, Symbol],
    own: int | None,
    *,
    fresh: bool,
    points: bool,
) -> tuple[Seat, ...]:
    totals, winners = at.state.totals(), at.state.winners()
    scores = described["scores"] if described else [None] * len(totals)
    shown = None if fresh else described
    trumps = shown.get("trumps") if shown else None
    notes = shown.get("seat_notes") if shown else None
    return tuple(
        Seat(
            number=seat,
            name=name,
            total=totals[seat] if points else None,
            score=scores[seat],
            facts=tuple(seat_facts(seat, shown) if shown else ()),
            acting=seat in acting,
            dealer=hand is not None and hand.setup.dealer == seat,
            winner=seat in winners,
            own=seat == own,
            trump=known.get(trumps[seat] or "") if trumps else None,
            shown=_shown(seat, shown, at.rules.pack) if shown else (),
            note=_note(notes[seat]) if notes else "",
        )
        for seat, name in enumerate(at.names)
    )


def _note(note: str | None) -> str:
    return _(note) if note else ""


def _shown(seat: int, described: Mapping[str, object], pack: Pack) -> tuple[Face, ...]:
    """Return the cards a player has put aside for all to see, whatever the game calls them."""
    per_seat = (value for key, value in described.items() if key.endswith("_cards") and isinstance(value, list))
    codes = (cards[seat] for cards in per_seat if len(cards) > seat)
    return tuple(face(pack, code) for code in codes if isinstance(code, str))


def show_trick(
    trick: DescribedTrick, hand: int, names: Sequence[str], pack: Pack, known: Mapping[str, Symbol], game: Game
) -> TrickShown:
    """Return a trick with names for seats: the plays in order, the card that won, and why."""
    winner = trick["winner"]
    last_of_winner = max((i for i, p in enumerate(trick["plays"]) if p["seat"] == winner and "cards" in p), default=-1)
    called = trick.get("names") or [""] * len(trick["plays"])
    reads = trick.get("reads") or [""] * len(trick["plays"])
    plays = tuple(
        PlayShown(
            names[play["seat"]],
            tuple(face(pack, code) for code in play.get("cards", ())),
            (called[i] or "") if len(play.get("cards", ())) > 1 else "",
            known.get(reads[i] or ""),
            i == last_of_winner,
        )
        for i, play in enumerate(trick["plays"])
    )
    return TrickShown(
        hand=hand,
        number=trick["number"],
        plays=plays,
        winner=None if winner is None else names[winner],
        sentence=cited(game, trick["reason"]),
    )


def _folds(described: DescribedHand | None) -> frozenset[str]:
    """Return what of a hand there is to be opened."""
    if described is None:
        return frozenset()
    there = {"lines": described["score_lines"], "tricks": described["tricks"], "unchecked": described["unchecked"]}
    return frozenset(name for name, what in there.items() if what)
