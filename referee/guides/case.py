"""Guides as data, the case put to one, and who can have acted as alleged, as far as a record shows."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from itertools import chain
from typing import Any, Literal, TypeVar

from referee.engine.event_kinds import Event
from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.remedied import Acted, Charge
from referee.engine.rulebook import REFEREE
from referee.engine.rules import Rules
from referee.engine.rulings import Irregularity, Reason, Refusal, Remedy
from referee.engine.state import PLAY
from referee.engine.table import TableState, hand_for

# --- Guides as data: questions that lead to a ruling, read from ``guides.toml``
# Guides for any table are beside this module, those for trick-taking games in ``referee/tricks``, others in the folders
# of games. A game has the guides of the folders that its hand class names, and its own; a later guide replaces an
# earlier one with the same id. A guide that is ``like`` another inherits from it; a ``part`` exists only to be
# inherited from.

ABOUT = ("card", "turn", "deal", "score")
"""The topics of guides."""
RARE = 100
YES, NO = "yes", "no"
WORDS = {YES: "Yes", NO: "No"}
"""The default texts of answers."""
QuestionKind = Literal["choice", "seat", "trick"]
Made = TypeVar("Made", "Question", "Leaf", "Cleared", "Guide", Remedy)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to a question; ``to`` is the question or ruling that follows."""

    code: str
    text: str
    to: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the table.

    A ``choice`` has answers; a ``seat`` asks for a player and a ``trick`` for a trick of the record, and both lead
    ``to`` the next question or ruling. ``known`` names a fact that the record, or the house rules, may answer.
    ``usual`` is the default answer, and ``clauses`` say why.
    """

    id: str
    text: str
    answers: tuple[Answer, ...]
    kind: QuestionKind = "choice"
    known: str = ""
    to: str = ""
    usual: str = ""
    clauses: tuple[str, ...] = ()

    def next(self, answer: object) -> str:
        return next((each.to for each in self.answers if each.code == answer), self.to)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A ruling and its remedies, by code; ``settles``: it settles the irregularity in question, if there is one."""

    id: str
    text: str
    clauses: tuple[str, ...]
    remedies: tuple[str, ...]
    settles: bool = True


@dataclass(frozen=True, slots=True)
class Cleared:
    """The ruling if a record disproves an accusation: the text for everyone, and for one seat."""

    text: str
    seat: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """What went wrong, in a few words, and the questions that lead to a ruling.

    ``irregular`` is the code of the irregularities it is about, if the record has some; ``needs`` what the house rules
    must have; ``first`` its first question or ruling. ``act`` is the kind of act that someone is accused of, if a
    record can disprove it; ``cleared`` is then the ruling. ``short`` is its name on a button, ``about`` one of
    ``ABOUT``, ``often`` its rank among the frequent ones, 0 for the others.
    """

    id: str
    title: str
    short: str
    about: str
    says: str
    first: str
    questions: Mapping[str, Question]
    leaves: Mapping[str, Leaf]
    cleared: Cleared | None
    often: int = 0
    irregular: str = ""
    needs: str = ""
    act: str = ""


@dataclass(frozen=True, slots=True)
class Guides:
    """The guides of a game by their ids, and the remedies they offer besides those of its hands."""

    guides: Mapping[str, Guide]
    remedies: Mapping[str, Remedy]


@cache
def guides_of(game: Game) -> Guides:
    """Return the guides of a game: the frequent ones first, then its own."""
    own = f"games/{game.id.replace('-', '_')}"
    files = [_file(folder) for folder in ("guides", *game.hand_class.GUIDES, own)]
    known: dict[str, dict[str, Any]] = {}
    for one in chain.from_iterable(file.get("guide", ()) for file in files):
        like = known.get(one.get("like", ""), {})
        known[one["id"]] = _merged({key: value for key, value in like.items() if key != "part"}, one)
    remedies = {code: _made(Remedy, data) for file in files for code, data in file.get("remedy", {}).items()}
    own_first = chain.from_iterable(file.get("guide", ()) for file in reversed(files))
    names = dict.fromkeys(one["id"] for one in own_first if not known[one["id"]].get("part"))
    guides = sorted((_guide(known[name]) for name in names), key=lambda each: each.often or RARE)
    return Guides({each.id: each for each in guides}, remedies)


@cache
def _file(folder: str) -> Mapping[str, Any]:
    path = REFEREE / folder / "guides.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _merged(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(before)
    for key, value in after.items():
        inner = merged.get(key)
        merged[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return merged


def _guide(one: Mapping[str, Any]) -> Guide:
    questions = {}
    for name, data in one.get("question", {}).items():
        words = {**WORDS, **data.get("words", {})}
        answers = tuple(Answer(code, words[code], to) for code, to in data.get("answers", {}).items())
        questions[name] = _made(Question, data, id=name, answers=answers)
    leaves = {name: _made(Leaf, data, id=name) for name, data in one["ruling"].items()}
    cleared = _made(Cleared, one["cleared"]) if "cleared" in one else None
    return _made(Guide, one, questions=questions, leaves=leaves, cleared=cleared)


def _made(kind: type[Made], data: Mapping[str, Any], **more: Any) -> Made:
    """Return an object with ``more`` and the values in ``data`` that are named like its other fields."""
    told = {each.name: data[each.name] for each in fields(kind) if each.name in data}
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in told.items()}
    return kind(**values | more)


# --- Who can have acted out of turn or held a wrong number of cards, as far as a record shows
# Hands answer for acts of their own game (``Hand.charges``).


def leads(hand: Hand, plays: Sequence[Acted]) -> Iterator[Charge]:
    """Yield for each seat and trick whether it can have led to it out of turn (IR-8, REC-12)."""
    first: dict[int, Acted] = {}
    out_of_turn = _out_of_turn(hand)
    for laid in plays:
        first.setdefault(laid.trick, laid)
    for trick, laid in first.items():
        facts: dict[str, object] = {"seat": laid.seat, "trick": trick}
        fair = None if laid.event in out_of_turn else Reason("cleared-own-lead", ("REC-12",), facts)
        yield Charge(laid.seat, trick, laid.event, fair)
        for seat in range(hand.rules.players):
            if seat != laid.seat:
                other = Reason("cleared-other-led", ("REC-12",), {"seat": seat, "other": laid.seat, "trick": trick})
                yield Charge(seat, trick, cleared=other)
    yield from _untold(hand, plays)
    running = hand.trick_number()
    if running is not None and plays and running not in first:
        for seat in range(hand.rules.players):
            turn = Reason("cleared-own-lead", ("REC-12",), {"seat": seat, "trick": running})
            yield Charge(seat, running, cleared=turn if seat in hand.to_act() else None)


def plays_in_turn(hand: Hand, plays: Sequence[Acted]) -> Iterator[Charge]:
    """Yield for each seat and trick whether it can have played to it out of turn (IR-8, REC-12)."""
    first: dict[int, Acted] = {}
    out_of_turn = _out_of_turn(hand)
    for laid in plays:
        facts: dict[str, object] = {"seat": laid.seat, "trick": laid.trick}
        if first.setdefault(laid.trick, laid) is laid:
            yield Charge(laid.seat, laid.trick, laid.event, Reason("cleared-led", ("REC-12",), facts, LED))
        else:
            fair = None if laid.event in out_of_turn else Reason("cleared-in-turn", ("REC-12",), facts)
            yield Charge(laid.seat, laid.trick, laid.event, fair)
    yield from _untold(hand, plays)
    running = hand.trick_number()
    if running not in first or hand.phase is not PLAY:
        return
    there = {laid.seat for laid in plays if laid.trick == running}
    for seat in range(hand.rules.players):
        if hand.CLIMBS or seat not in there:
            turn = Reason("cleared-in-turn", ("REC-12",), {"seat": seat, "trick": running}, TURN)
            yield Charge(seat, running, cleared=turn if seat in hand.to_act() else None)


LED, TURN = "cleared-led-it", "cleared-turn"
"""The sentences for a lead, and for a seat whose turn it is."""


def numbers_of_cards(hand: Hand, plays: Sequence[Acted]) -> Iterator[Charge]:
    """Yield for each seat whether its hand can have had a wrong number of cards; an entered one cannot (IR-10)."""
    for seat in range(hand.rules.players):
        entered = hand.setup.known[seat] if hand.setup.known else None
        facts: dict[str, object] = {"seat": seat, "count": (entered or 0).bit_count()}
        yield Charge(seat, cleared=None if entered is None else Reason("cleared-entered", ("REC-8",), facts))


EVERYWHERE: Mapping[str, Callable[[Hand, Sequence[Acted]], Iterable[Charge]]] = {
    "lead": leads,
    "play": plays_in_turn,
    "number": numbers_of_cards,
}
"""The acts of which players of any game can be accused, with their charges."""


def _out_of_turn(hand: Hand) -> frozenset[int]:
    return frozenset(found.event for found in hand.irregularities if found.code == "out-of-turn")


def _untold(hand: Hand, plays: Sequence[Acted]) -> Iterator[Charge]:
    if not plays or any(reason.code in UNTOLD for reason in hand.unchecked()):
        yield from map(Charge, range(hand.rules.players))


UNTOLD = frozenset({"tricks-without-cards", "result-only"})
"""The codes by which a hand says that tricks were recorded without their cards."""


# --- The case put to a guide: the house rules, the answers, and the record, if there is one

WHO, TRICK = "who", "trick"
"""The questions that ask whose act it was, and in which trick."""


@dataclass(frozen=True)
class Looked:
    """The hand of a record that a case is about: the table, the hand, and its accepted events."""

    table: TableState
    hand: Hand
    events: Sequence[Event]
    _charges: dict[str, Sequence[Charge] | None] = field(default_factory=dict, repr=False)

    @property
    def late(self) -> bool:
        last = self.table.hand
        return last is not None and last.setup.index != self.hand.setup.index

    @cached_property
    def plays(self) -> tuple[Acted, ...]:
        """Return the acts in tricks whose cards were recorded, in order."""
        return tuple(self.hand.acted(self.events))

    def coming(self) -> Hand | None:
        """Return the next hand, if this one is over and nothing of the next is recorded."""
        if self.late or not self.hand.is_over() or self.table.finished():
            return None
        dealt = hand_for(self.table)
        return None if isinstance(dealt, Refusal) else dealt.hand

    def charges(self, act: str) -> Sequence[Charge] | None:
        """Return every act of a kind possible here, or as the lead to the next hand; ``None`` if anyone can have done
        it.
        """
        if act not in self._charges:
            found = self.hand.charges(act, self.events) if act else None
            if found is None and act in EVERYWHERE:
                found = tuple(EVERYWHERE[act](self.hand, self.plays))
            coming = self.coming() if act == "lead" else None
            if found is not None and coming is not None:
                leader = coming.to_act() if coming.phase is PLAY else ()
                found = (*found, *(Charge(seat) for seat in range(coming.rules.players) if seat not in leader))
            self._charges[act] = found
        return self._charges[act]


@dataclass(frozen=True, slots=True)
class Case:
    """What is to be ruled: by which guide and rules, with which answers, on which record, if any."""

    guide: Guide
    game: Game
    rules: Rules
    answers: Mapping[str, object]
    looked: Looked | None = None
    names: Sequence[str] = ()

    @property
    def seat(self) -> int | None:
        """Return whose act it is: the player named or, if nobody is asked for, the only one the record leaves."""
        seat = self.answers.get(WHO)
        if WHO not in self.guide.questions:
            left = {each.seat for each in self.charges or () if each.cleared is None}
            return left.pop() if len(left) == 1 else None
        return seat if isinstance(seat, int) else None

    @property
    def facts(self) -> dict[str, object]:
        return {} if self.seat is None else {"seat": self.seat}

    @property
    def plays(self) -> tuple[Acted, ...]:
        return () if self.looked is None else self.looked.plays

    @property
    def charges(self) -> Sequence[Charge] | None:
        """Return every act in question that the record allows; ``None`` if anyone can have done it."""
        return None if self.looked is None else self.looked.charges(self.guide.act)

    def open_charges(self) -> list[Charge]:
        """Return the acts that the accusation can still mean, given the answers so far."""
        return [each for each in self._accused() if each.cleared is None]

    def _accused(self) -> Iterator[Charge]:
        trick, who = self.answers.get(TRICK), self.answers.get(WHO)
        for each in self.charges or ():
            if who in (None, each.seat) and (trick is None or each.trick in (None, trick)):
                yield each

    def disproof(self) -> tuple[Reason, ...]:
        """Return why the record disproves the accusation, a summary before the acts; empty if it does not."""
        if self.charges is None or self.open_charges():
            return ()
        why: list[Reason] = []
        for each in self._accused():
            if each.cleared is not None and each.cleared not in why:
                why.append(each.cleared)
        if len(why) == 1:
            return tuple(why)
        cleared = self.guide.cleared
        assert cleared is not None
        text = cleared.text if self.seat is None else cleared.seat
        return (Reason("disproved", cleared.clauses, self.facts, text), *(why if self.seat is not None else ()))

    def act(self) -> Acted | None:
        """Return the act that the case is about, if the record holds it.

        It is the last act that the accusation can mean. If the record cannot tell, it is what the player did in the
        trick that was named, else an irregularity of the kind in question, else what the player did in the current
        trick.
        """
        own = [laid for laid in self.plays if laid.seat == self.seat]
        if self.charges is not None and self.seat is not None:
            meant = {each.event for each in self.open_charges()}
            return next((laid for laid in reversed(own) if laid.event in meant), None)
        if TRICK in self.answers:
            return next((laid for laid in own if laid.trick == self.answers[TRICK]), None)
        found = {each.event for each in self._irregular()}
        last = next((laid for laid in reversed(own) if laid.event in found), None)
        if last is not None or self.looked is None:
            return last
        running = self.looked.hand.trick_number()
        return next((laid for laid in reversed(own) if laid.trick == running), None)

    def finding(self) -> Irregularity | None:
        """Return the irregularity that the record holds of this act; the same decision settles it."""
        act = self.act()
        found = [each for each in self._irregular() if act is None or each.event == act.event]
        return found[-1] if found else None

    def settled(self) -> Irregularity | None:
        """Return the finding that a decision about this act settles: its own, or a joint one that includes it."""
        found, act = self.finding(), self.act()
        if found is not None or act is None or self.looked is None or not self.guide.irregular:
            return found
        hand, kind = self.looked.hand, self.guide.irregular
        joint = (each for each in hand.irregularities if act.event in each.claims and kind in each.code)
        return next((each for each in joint if hand.tells(each)), None)

    def _irregular(self) -> Iterator[Irregularity]:
        if self.looked is None or not self.guide.irregular:
            return
        for each in self.looked.hand.irregularities:
            if each.code == self.guide.irregular and each.offender == self.seat and self.looked.hand.tells(each):
                yield each
