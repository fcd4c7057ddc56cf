"""Irregularities as a table page shows them: the act, what contradicts it, and what can be done about it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.engine.adjudication import describe_findings, describe_withdrawn
from referee.engine.game import Game, event_kinds
from referee.engine.hand import Hand
from referee.engine.sheet import (
    DescribedAct,
    DescribedArgument,
    DescribedEffect,
    DescribedHand,
    DescribedIrregularity,
    DescribedLaidCard,
    DescribedRemedy,
    DescribedStep,
    DescribedWithdrawn,
    EventData,
    Irregular,
)
from referee.engine.state import FINISHED, VOID
from referee.engine.texts import capital
from referee.packs import Pack
from scoring.models import Role, TableEvent
from scoring.rulings.reads.precedents import fitting
from scoring.tables.presenters.cards import CitedSentence, Face, Symbol, clause_links, face, symbols
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from scoring.tables.presenters.house_rules import DecidedBefore, decided_before
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.reads.findings import WHY
from scoring.tables.reads.page_facts import IrregularHand, PageFacts
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing

# --- What an irregularity looks like on the table: cards led, played and shown, and how the others are counted


class LaidShown(NamedTuple):
    """A card that was laid to a trick: whose, its suits to this player, and those that match what was asked for."""

    name: str
    face: Face
    reads: tuple[Symbol, ...]
    matches: tuple[Symbol, ...]
    trick: int

    @property
    def own_way(self) -> bool:
        """Return whether not every suit that is printed on it counts to this player."""
        return len(self.reads) < len(self.face.suits)

    @property
    def lit(self) -> str:
        """Return the names of the styles that light the suits that match."""
        return " ".join(f"lit-{suit.icon}" for suit in self.matches if suit.icon)


class ActShown(NamedTuple):
    """A card that claimed something: the one that was led to it, the card, the suits that it denied."""

    led: LaidShown | None
    played: LaidShown
    claims: tuple[Symbol, ...]


class StepShown(NamedTuple):
    """A step of what was done where no card that was led says it: what was done, what is asked, or what showed it."""

    proof: bool
    text: str
    faces: tuple[Face, ...]
    trick: int | None


@dataclass(frozen=True, slots=True)
class Counted:
    """Why claims cannot all be true: the cards that are still out, and for how many of them each place has room.

    ``suits`` are those of these cards that every suspect claims not to have.
    """

    cards: tuple[Face, ...]
    suits: tuple[Symbol, ...]
    room: tuple[tuple[str, int], ...]

    @property
    def sum(self) -> str:
        """Say how many cards there are, and for how many there is room."""
        space = sum(left for _name, left in self.room)
        cards = ngettext("{number} card is still out", "{number} cards are still out", len(self.cards))
        room = _("there is room for {number}") if space else _("no room is left")
        return f"{cards.format(number=len(self.cards))}; {room.format(number=space)}."

    @property
    def lit(self) -> str:
        """Return the names of the styles that light these suits."""
        return " ".join(f"lit-{suit.icon}" for suit in self.suits if suit.icon)


def laid_shown(laid: DescribedLaidCard, names: Sequence[str], pack: Pack) -> LaidShown:
    """Return a card as the page shows it."""
    known = symbols(pack)
    return LaidShown(
        names[laid["seat"]],
        face(pack, laid["card"]),
        _suits(laid["reads"], known),
        _suits(laid["matches"], known),
        laid["trick"],
    )


def act_shown(act: DescribedAct, names: Sequence[str], pack: Pack) -> ActShown:
    """Return a card that claimed something, with the one that was led to it."""
    led = act["led"]
    return ActShown(
        None if led is None else laid_shown(led, names, pack),
        laid_shown(act["played"], names, pack),
        _suits(act["claims"], symbols(pack)),
    )


def step_shown(step: DescribedStep, pack: Pack) -> StepShown:
    """Return a step with its cards drawn."""
    faces = tuple(face(pack, code) for code in step["cards"])
    return StepShown(step["part"] == "shown", step["reason"]["text"], faces, step["trick"])


def counted(argument: DescribedArgument, acts: Sequence[DescribedAct], names: Sequence[str], pack: Pack) -> Counted:
    """Return the argument of a proof by counting."""
    claimed: dict[int, set[str]] = {}
    for act in acts:
        claimed.setdefault(act["played"]["seat"], set()).update(act["claims"])
    shared = set.intersection(*claimed.values()) if claimed else set()
    return Counted(
        cards=tuple(face(pack, code) for code in argument["cards"]),
        suits=_suits([suit.code for suit in pack.suits if suit.code in shared], symbols(pack)),
        room=tuple((_place(each["place"], names), each["cards"]) for each in argument["room"]),
    )


def _place(place: int | str, names: Sequence[str]) -> str:
    return names[place] if isinstance(place, int) else _("set aside")


def _suits(codes: Sequence[str], known: Mapping[str, Symbol]) -> tuple[Symbol, ...]:
    return tuple(known[code] for code in codes)


# --- What a table can do about an irregularity, each with its price: what it does to the totals before anybody chooses


@dataclass(frozen=True, slots=True)
class Change:
    """What a remedy does to one player's total."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something the table can do.

    ``ready`` says that one tap carries it out; ``changes`` are the totals that move, ``each`` those that a penalty
    moves by the point; ``still`` says that no total moves, as far as points are shown. What cannot be carried out from
    here says why in ``pending``. ``strikes``: entries are struck before.
    """

    code: str
    title: str
    sentence: CitedSentence
    proposed: bool
    ready: bool
    changes: tuple[Change, ...]
    pending: CitedSentence | None
    each: tuple[Change, ...] = ()
    still: bool = False
    strikes: bool = False

    @property
    def points(self) -> str:
        """Return the totals that a penalty moves, by the point, as scripts read them."""
        return json.dumps([(change.name, change.before, change.after - change.before) for change in self.each])


def remedies(described: Sequence[DescribedRemedy], game: Game, names: Sequence[str]) -> tuple[Remedy, ...]:
    """Return what the table can do: first what it does as a rule, last what cannot be done yet."""
    shown = [_remedy(remedy, game, names) for remedy in described]
    return tuple(sorted(shown, key=lambda remedy: (not remedy.proposed, not (remedy.ready or remedy.each))))


def _remedy(remedy: DescribedRemedy, game: Game, names: Sequence[str]) -> Remedy:
    pending, each = remedy.get("pending"), remedy.get("each")
    changes = _changes(remedy.get("effect"), names)
    return Remedy(
        code=remedy["code"],
        title=remedy["title"],
        sentence=CitedSentence(remedy["text"], clause_links(game, remedy["clauses"])),
        proposed=bool(remedy["proposed"]),
        ready=remedy.get("events") is not None and remedy["code"] != "correct",
        changes=changes,
        still=bool(remedy.get("effect")) and not changes,
        strikes=bool(remedy.get("strikes")),
        pending=CitedSentence(pending["text"], clause_links(game, pending["clauses"])) if pending else None,
        each=_changes(each["effect"] if each else None, names),
    )


def _changes(effect: DescribedEffect | None, names: Sequence[str]) -> tuple[Change, ...]:
    """Return the totals that events move."""
    if not effect:
        return ()
    pairs = zip(names, effect["totals"]["before"], effect["totals"]["after"], strict=True)
    return tuple(Change(name, before, after) for name, before, after in pairs if before != after)


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry of the record: in words, and its cards."""

    text: str
    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """An irregularity: what was done, what contradicts it, and what the table can do about it.

    ``key`` tells it apart from all others of the table. ``word`` is what people call it, ``who`` whose act it was or
    can have been; ``seat`` is set where that is known. ``laid`` are the cards in question with those that were led to
    them, ``shown`` the card that contradicts them, ``counted`` the argument of a proof by counting; ``steps`` tell
    what no card that was led says, such as an exchange. Where there is none of these, ``acts`` and ``against`` are
    entries of the record. ``raised`` says that it asks for a decision, ``fresh`` that it has just been proved,
    ``last`` that its act is the last entry of the record; ``over``: its hand is finished; ``late``: the next hand has
    been dealt since. ``settled`` is what was recorded to settle it; ``decided``: nothing has happened since.
    ``accepted`` says who let it stand as it was, and why.
    """

    key: str
    code: str
    hand: int
    word: str
    who: str
    seat: int | None
    sentence: CitedSentence
    trick: int | None
    kind: str
    certainty: str
    acts: tuple[Shown, ...]
    against: tuple[Shown, ...]
    laid: tuple[ActShown, ...]
    shown: LaidShown | None
    steps: tuple[StepShown, ...]
    counted: Counted | None
    remedies: tuple[Remedy, ...]
    known: tuple[DecidedBefore, ...]
    """What the group of this table has decided about such a thing before."""
    raised: bool
    fresh: bool
    last: bool
    over: bool
    late: bool
    settled: tuple[str, ...]
    decided: bool
    accepted: str = ""

    @property
    def id(self) -> str:
        """Return what the page calls it; another finding about the same act is another one."""
        return f"finding-{self.key}-{self.code}"

    @property
    def about(self) -> str:
        """Return what is known of it: who has put it aside wants to see it again when this is another."""
        cards = ",".join(laid.face.code for laid in self.suspects)
        return "/".join((self.certainty, self.who, str(self.trick), cards, "over" if self.over else ""))

    @property
    def suspects(self) -> tuple[LaidShown, ...]:
        """Return the cards that can have been mistaken for others when they were tapped."""
        played = tuple(act.played for act in self.laid)
        return (*played, self.shown) if self.shown else played


class DecisionShown(NamedTuple):
    """Something that the table decided, and its row of the log."""

    text: str
    seq: int


class WithdrawnShown(NamedTuple):
    """A finding that a later card has disproved: what it was, of whom, why it is gone, what was decided."""

    word: str
    who: str
    sentence: CitedSentence
    resting: tuple[DecisionShown, ...]


def withdrawn(at: Standing, facts: PageFacts) -> tuple[WithdrawnShown, ...]:
    """Return the findings of the hand in progress that were disproved, with the remedies that rest on them."""
    if facts.irregular is None:
        return ()
    hand = facts.irregular.hand
    return tuple(
        show_withdrawn(describe_withdrawn(gone, hand, at.names, PAGE_LANGUAGE), rows, at, points=not facts.hidden)
        for gone, rows in zip(hand.disproved(), facts.irregular.resting, strict=True)
        if hand.tells(gone.found)
    )


def show_withdrawn(
    gone: DescribedWithdrawn, rows: Sequence[TableEvent], at: Standing, *, points: bool
) -> WithdrawnShown:
    """Return a finding that was disproved with the rows of the remedies that rest on it."""
    why = CitedSentence(gone["why"]["text"], clause_links(game_of(at.row), gone["why"]["clauses"]))
    done = (DecisionShown(sentence(row.event or {}, at.names, at.rules.pack, points=points), row.seq) for row in rows)
    return WithdrawnShown(finding_word(gone), who_of(gone, at.names), why, tuple(done))


def find(at: Standing, described: DescribedHand, facts: PageFacts) -> tuple[Finding, ...]:
    """Return the findings of the hand described, after those of earlier hands that nobody has decided about."""
    here = (
        ()
        if facts.irregular is None
        else _findings(facts.irregular, described["irregularities"], at, points=not facts.hidden)
    )
    return tuple(_with_precedents(found, facts) for found in (*_undecided(at, facts), *here))


def _with_precedents(found: Finding, facts: PageFacts) -> Finding:
    if not facts.precedents:
        return found
    clauses = [link.id for link in found.sentence.links]
    return replace(found, known=decided_before(fitting(facts.precedents, found.code, clauses)))


def _undecided(at: Standing, facts: PageFacts) -> Iterator[Finding]:
    for earlier in facts.undecided:
        described = describe_findings(earlier.hand, at.names, at.state, language=PAGE_LANGUAGE, points=not facts.hidden)
        yield from (found for found in _findings(earlier, described, at, points=True) if found.raised)


def _findings(
    irregular: IrregularHand, described: Sequence[DescribedIrregularity], at: Standing, *, points: bool
) -> Iterator[Finding]:
    for number, found in enumerate(described):
        if is_announced(found, irregular.hand):
            yield _finding(number, found, irregular, at, points=points)


def is_announced(found: DescribedIrregularity, hand: Hand | None) -> bool:
    """Return whether a finding is shown: what is proved may be held back until the hand is over."""
    return found["certainty"] == "seen" or hand is None or not hand.holds_back()


def show_finding(found: DescribedIrregularity, at: Standing, entries: Sequence[TableEvent] = ()) -> Finding:
    """Return an irregularity of a hand that is only looked at: nothing is asked any more. ``entries`` are its rows."""
    assert at.hand is not None
    position = found["event"][1]
    shown = _finding(0, found, IrregularHand(at.hand, (), {}), at, points=True)
    accepted = ""
    if found["certainty"] == "seen" and position < len(entries):
        accepted = accepted_by(entries[position].event or {}, entries[position].by, at.names)
    return replace(shown, raised=False, accepted=accepted)


def accepted_by(event: Mapping[str, Any], by: str, names: Sequence[str]) -> str:
    """Say who recorded an irregular act as it was, and why."""
    role, _colon, label = by.partition(": ")
    _player, _dash, seat = role.partition("-")
    known = label or (names[int(seat)] if seat.isdecimal() and int(seat) < len(names) else "")
    who, why = known or (_("the scorekeeper") if role == Role.SCOREKEEPER else role), event.get(WHY, "")
    if not isinstance(why, str) or not why:
        return _("Recorded as it was by {who}.").format(who=who) if who else ""
    return _("Recorded as it was by {who}: “{why}”").format(who=who or _("the table"), why=why)


def offender(found: DescribedIrregularity) -> int | None:
    """Return the seat whose act it was; ``None`` while there are several suspects."""
    suspects = found["suspects"]
    return suspects[0] if len(suspects) == 1 else None


def certainty(kind: str) -> str:
    """Say how an irregularity is known."""
    return {"seen": _("left as it was"), "proved": _("proved"), "joint": _("shown by counting")}[kind]


def _is_aside(event: EventData) -> bool:
    kind = event_kinds().get(str(event.get("type")))
    return kind is not None and kind.aside


def _finding(
    number: int, found: DescribedIrregularity, irregular: IrregularHand, at: Standing, *, points: bool
) -> Finding:
    game, hand, events = game_of(at.row), irregular.hand, irregular.events
    late = at.hand is not None and at.hand.setup.index != hand.setup.index
    # What the table decides or remarks does not make a finding any older.
    newest = max((i for i, event in enumerate(events) if not _is_aside(event)), default=-1)
    settled = irregular.settled.get(found["event"][1], ())
    argument = found.get("argument")
    acts = found.get("claims") or [found["event"]]
    return Finding(
        key=f"{hand.setup.index}-{number}",
        code=found["code"],
        hand=hand.setup.index + 1,
        word=finding_word(found),
        who=who_of(found, at.names),
        seat=offender(found),
        sentence=CitedSentence(found["reason"]["text"], clause_links(game, found["reason"]["clauses"])),
        trick=found["trick"],
        kind=found["certainty"],
        certainty=certainty(found["certainty"]),
        acts=_shown(acts, events, at),
        against=_shown(found["proved_by"] if found["certainty"] == "proved" else (), events, at),
        laid=tuple(act_shown(act, at.names, at.rules.pack) for act in found["acts"]),
        shown=laid_shown(found["shown"], at.names, at.rules.pack) if found["shown"] else None,
        steps=tuple(step_shown(step, at.rules.pack) for step in found["steps"]),
        counted=counted(argument, found["acts"], at.names, at.rules.pack) if argument else None,
        remedies=remedies(found["remedies"], game, at.names),
        known=(),
        raised=found["certainty"] != "seen" and not settled and hand.phase is not VOID,
        fresh=not late and (hand.phase is FINISHED or any(event >= newest for _hand, event in found["proved_by"])),
        last=not late and found["event"][1] == len(events) - 1,
        over=hand.phase is FINISHED,
        late=late,
        settled=tuple(sentence(event, at.names, at.rules.pack, points=points) for event in settled),
        decided=bool(settled) and settled[-1] == events[-1],
        accepted=_accepted(found, irregular, at),
    )


def _accepted(found: DescribedIrregularity, irregular: IrregularHand, at: Standing) -> str:
    position = found["event"][1]
    if found["certainty"] != "seen" or position >= min(len(irregular.events), len(irregular.by)):
        return ""
    return accepted_by(irregular.events[position], irregular.by[position], at.names)


def finding_word(found: Irregular) -> str:
    """Return what people call an irregularity."""
    word = found["code"].removeprefix("joint-").replace("-", " ")
    return capital(_(word))


def who_of(found: Irregular, names: Sequence[str]) -> str:
    """Say whose act it was, or among whom it was."""
    *others, last = [names[seat] for seat in found["suspects"]]
    return (
        pgettext("one of several", "{names} or {last}").format(names=", ".join(others), last=last) if others else last
    )


def _shown(positions: Iterable[Sequence[int]], events: Sequence[EventData], at: Standing) -> tuple[Shown, ...]:
    acts = [events[event] for _number, event in positions if event < len(events)]
    pack = at.rules.pack
    return tuple(
        Shown(sentence(event, at.names, pack), tuple(face(pack, code) for code in event.get("cards", ())))
        for event in acts
    )
