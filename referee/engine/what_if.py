"""What if: a record judged as it lay under other house rules (REC-22).

Each event goes to two hands side by side: the one that was played, and the same one under the other rules. There every
trick keeps its cards and their order, even if others should have led; irregularities are noted, and play goes on from
what was played. Who wins, what follows and what it scores is up to the games: nothing here knows a rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired, TypedDict

from referee.engine.cards import UNSEEN, Card, Pack
from referee.engine.event_kinds import Event
from referee.engine.events import HouseRules
from referee.engine.hand import Hand
from referee.engine.reader import Reader
from referee.engine.records import Record, Replay, check_carried, load_record, opened, replay
from referee.engine.replaying import STEP, TooCostly, Watch, no_watch
from referee.engine.rules import Options, Refused, Rules, Setup, changed_rules
from referee.engine.rulings import Reason, Verdict
from referee.engine.shapes import CLOSED, OWN_KEYS, Named, also
from referee.engine.sheet import OptionData
from referee.engine.state import FINISHED
from referee.engine.table import TableState, next_setup
from referee.engine.texts import AND, Listing

CARDS = ("card", "cards")
"""The names of field types that hold cards."""
ELSEWHERE = "option-conflict"
"""The code of a problem with an option that another one rules out."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An event that does not exist under the other rules: its position in the hand, and why."""

    event: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class HandAsItLay:
    """A hand as played (``then``) and as it lay under other rules (``now``).

    ``notes`` say what would have differed before the first card; ``stuck`` why the hand, or the rest of it, cannot be
    judged by the other rules.
    """

    then: Hand
    now: Hand
    notes: tuple[Reason, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    stuck: Reason | None = None

    @property
    def unscored(self) -> Reason | None:
        return self.stuck or self.now.unscored()


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A record as it was judged, and as it would be under other rules.

    ``rules`` are those with which the table would have begun, ``table`` its resulting state; ``over_after`` is the
    number of the hand after which the game would have been over though it went on.
    """

    then: Replay
    rules: Rules
    hands: tuple[HandAsItLay, ...]
    table: TableState
    over_after: int | None = None

    @property
    def scored(self) -> bool:
        return not any(hand.unscored for hand in self.hands)

    def unknown(self, hand: HandAsItLay) -> Reason | None:
        """Return why nobody knows how a hand would have gone: the changed rules depend on cards that are unknown."""
        lacking = any(reason.code in WITHOUT_CARDS for reason in hand.then.unchecked())
        if not lacking or not self.rules.game.touches_tricks(self.changed):
            return None
        for trick in hand.then.describe()["tricks"]:
            cards = [card for play in trick["plays"] for card in play.get("cards", ())]
            if trick["winner"] is not None and trick["plays"] and UNSEEN not in cards:
                return Reason("partly-by-result", ("REC-22", "REC-19"))
        return Reason("known-by-result", ("REC-22", "REC-19"))

    @property
    def began(self) -> Rules:
        return self.then.table.opening

    @property
    def changed(self) -> Mapping[str, tuple[object, object]]:
        """Return the options that differ, at the beginning or in a later hand, as (then, now)."""
        pairs = [(self.began, self.rules), *((hand.then.rules, hand.now.rules) for hand in self.hands)]
        differ: dict[str, tuple[object, object]] = {}
        for then, now in pairs:
            if then is not now:
                for key, value in now.options.items():
                    if then.options[key] != value:
                        differ.setdefault(key, (then.options[key], value))
        return {key: differ[key] for key in self.rules.options if key in differ}


WITHOUT_CARDS = frozenset({"tricks-without-cards", "result-only", "cards-unseen"})
"""The codes by which a hand says that cards of its tricks are unknown."""


def other_rules(rules: Rules, options: Mapping[str, object]) -> Rules:
    """Return a table's rules with options changed and those that conflict reset; raises ``Refused`` if impossible."""
    usual = {option.key: option.standard_for(rules.players) for option in rules.game.all_options()}
    wanted = {**rules.chosen, **options}
    while True:
        try:
            return rules.game.rules(wanted, rules.players, rules.end)
        except Refused as refused:
            keys = {each.pointer.removeprefix("/options/") for each in refused.problems if each.code == ELSEWHERE}
            loose = {key for key in keys if key in usual and key not in options and wanted[key] != usual[key]}
            if not loose:
                raise
            wanted |= {key: usual[key] for key in loose}


def judge_as_it_lay(
    record: Record, options: Options, watch: Watch = no_watch, carried: Sequence[int] | None = None
) -> WhatIf:
    """Judge a record under other options and ``carried`` totals; raises ``Refused``, and what ``watch`` raises."""
    rules = other_rules(record.rules, options)
    if record.carried:
        reader = Reader()
        check_carried(reader, record.carried, rules.sides, record.seats)
        reader.check()
    judged = replay(record, watch)
    begun = record.carried if carried is None else carried
    table = opened(replace(record, rules=rules, carried=tuple(begun)))
    hands: list[HandAsItLay] = []
    over_after = None
    for written, then in zip(record.hands, judged.hands, strict=False):
        if over_after is None and table.hand is not None and table.finished():
            over_after = table.hand.setup.index + 1
        events = written.events[: then.events]
        # The requested options hold for every hand; other changes between hands are applied as the table made them.
        coming, refused = table.rules, []
        for place, event in enumerate(events):
            if isinstance(event, HouseRules):
                changed = {key: value for key, value in event.options.items() if key not in options}
                try:
                    coming = changed_rules(coming, changed)
                except Refused as problem:
                    why = {"why": problem.problems[0].phrase}
                    refused.append(LeftOut(place, Reason("bad-rules", ("REC-22", "REC-23"), why)))
        laid = _lay_hand(table, then, events, stuck=bool(hands and hands[-1].stuck), watch=watch)
        hands.append(replace(laid, left_out=tuple(sorted((*laid.left_out, *refused), key=lambda left: left.event))))
        counted = table.counted + (len(hands) > 1 and hands[-2].then.phase is FINISHED)
        table = replace(table, rules=coming, earned=table.made(), counted=counted, hand=laid.now)
    return WhatIf(judged, rules, tuple(hands), table, over_after)


@also(CLOSED | OWN_KEYS)
class WhatIfQuestion(TypedDict):
    """A record, and the options to change."""

    record: Annotated[Mapping[str, Any], Named("Record")]
    options: NotRequired[OptionData]


def load_what_if(data: object, watch: Watch = no_watch) -> tuple[Record, Options]:
    """Read a record and the options to change; raises ``Refused`` with every problem, and what ``watch`` raises."""
    reader = Reader()
    payload = reader.mapping(data, "")
    reader.keys(payload, tuple(WhatIfQuestion.__annotations__), "")
    options = reader.mapping(payload.get("options", {}), "/options")
    if "record" not in payload:
        reader.shape("/record", "A record is missing here.", "missing-key")
    reader.check()
    with pointing_into("/record"):
        return load_record(payload["record"], watch=watch), options


@contextmanager
def pointing_into(pointer: str, *, but: str = "/ ") -> Iterator[None]:
    """Context manager that prefixes the pointers of problems raised inside, except those under ``but``."""
    try:
        yield
    except TooCostly:
        raise
    except Refused as refused:
        moved = [
            problem if problem.pointer.startswith(but) else replace(problem, pointer=pointer + problem.pointer)
            for problem in refused.problems
        ]
        raise Refused(moved, malformed=refused.malformed) from None


def _lay_hand(table: TableState, then: Hand, events: Sequence[Event], *, stuck: bool, watch: Watch) -> HandAsItLay:
    """Judge a hand under a table's rules, after earlier hands; ``stuck``: the previous one could not be judged."""
    rules, played, before, pack = table.rules, then.setup, then.rules.pack, table.rules.pack
    expected = rules.game.first(rules, played.dealer) if stuck else next_setup(table)
    notes: list[Reason] = []
    if not stuck:
        if expected.sizes is not None and expected.sizes != played.sizes:
            each = expected.sizes[:1] if len(set(expected.sizes)) == 1 else expected.sizes
            notes.append(Reason("dealt-otherwise", ("REC-22",), {"sizes": Listing(each)}))
        if expected.seating != played.seating:
            notes.append(Reason("seated-otherwise", ("REC-22",)))
        if more := tuple(card for card in pack.cards if card.code not in before.codes):
            notes.append(Reason("other-pack", ("REC-22",), {"cards": Listing(more, last=AND)}))
    setup = replace(played, carry=expected.carry, carry_ways=expected.carry_ways, known=())
    setup = replace(setup, totals=table.totals(), bags=expected.bags)
    if lacking := _lacking(played, events, before, pack):
        why = Reason("cards-not-in-pack", ("REC-22",), {"cards": Listing(lacking, last=AND)})
        return HandAsItLay(then, rules.game.hand_class(rules, setup), tuple(notes), (), why)
    moved = (
        None if cards is None else pack.mask(pack.codes[before.cards[card].code] for card in before.members(cards))
        for cards in played.known
    )
    setup = replace(setup, known=tuple(moved))
    for later in (True, False):  # first without proofs by counting, which may not be needed
        laid = _SideBySide(then.rules.game.hand_class(then.rules, played), rules.game.hand_class(rules, setup), [])
        laid.then.count_later()
        if later:
            laid.now.count_later()
        for place, event in enumerate(events):
            if place % STEP == 0:
                watch()
            laid.take(event)
            if laid.stuck:
                break
        if not laid.now.needs_counting():
            break
    return HandAsItLay(then, laid.now, tuple(notes), tuple(laid.left_out), laid.stuck)


@dataclass(slots=True)
class _SideBySide:
    """A hand as played and the same hand under other rules, advanced event by event."""

    then: Hand
    now: Hand
    left_out: list[LeftOut]
    stuck: Reason | None = None

    def take(self, event: Event) -> None:
        now, then = self.now, self.then
        refused = None if isinstance(event, HouseRules) else self._taken(event)
        if refused is not None:
            self.left_out.append(LeftOut(then.events, refused))
            if event.kind.in_trick or event.kind.coarse:
                self.stuck = refused
        then.take(event)
        now.events = then.events
        if self.stuck is None:
            now.follow(then)

    def _taken(self, event: Event) -> Reason | None:
        now, first = self.now, None
        now.make_way(event, self.then)
        for version in now.as_it_lay(event, self.then):
            refusal = now.take(version)
            if refusal is not None and refusal.verdict is Verdict.IRREGULAR:
                refusal = now.take(replace(version, accepted=True))
            if refusal is None:
                return None
            first = first or refusal.reason
        return None if first is None or now.stands(event, self.then) else first


def _lacking(setup: Setup, events: Sequence[Event], before: Pack, pack: Pack) -> tuple[Card, ...]:
    lay = 0
    for cards in setup.known:
        lay |= cards or 0
    for event in events:
        for field in event.kind.fields:
            if field.type.name in CARDS:
                value = getattr(event, field.name)
                found = (before.find(code) for code in ((value,) if isinstance(value, str) else value or ()))
                lay |= before.mask(card for card in found if card is not None)
    return tuple(before.cards[card] for card in before.members(lay) if before.cards[card].code not in pack.codes)
