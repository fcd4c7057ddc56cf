"""What if: a record judged as it lay under other house rules (REC-22).

Each event of a hand goes to two hands that lie side by side: the one that was played, and the same one under the other
rules. There every trick keeps its cards and their order whoever should have led to it; what is irregular is noted and
play goes on from what was played. Who wins, what follows and what it scores is the games' own business: nothing here
knows a rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired, TypedDict

from referee.engine.cards import Pack
from referee.engine.event_kinds import Event
from referee.engine.events import HouseRules
from referee.engine.game import Game, find_game
from referee.engine.hand import Hand, class_of
from referee.engine.reader import Reader
from referee.engine.records import Record, Replay, check_carried, load_record, replay
from referee.engine.replaying import STEP, TooCostly, Watch, no_watch
from referee.engine.rules import Options, Refused, Rules, Setup, changed_rules
from referee.engine.rulings import Reason, Verdict
from referee.engine.shapes import CLOSED, OWN_KEYS, Named, also
from referee.engine.sheet import DescribedPlayMade, OptionData
from referee.engine.state import FINISHED
from referee.engine.table import TableState, next_setup, open_table
from referee.engine.texts import AND, Listing

CARDS = ("card", "cards")
"""The types of fields that hold cards."""
ELSEWHERE = "option-conflict"
"""The code of a problem with an option that another one rules out."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An event that has no place under the other rules: its position in the hand, and why."""

    event: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class HandAsItLay:
    """A hand as it was played and as it lay under other rules.

    ``notes`` say what would have been different before the first card; ``stuck`` why the hand, or the rest of it,
    cannot be judged by the other rules.
    """

    then: Hand
    now: Hand
    notes: tuple[Reason, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    stuck: Reason | None = None

    @property
    def unscored(self) -> Reason | None:
        """Return why this hand has no score under the other rules, though it had one."""
        return self.stuck or self.now.unscored()


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A record as it was judged and as it would be under other rules.

    ``rules`` are those by which the table would have begun, ``table`` is the table as it then stands; ``over_after``
    the number of the hand after which the game would have been over though it went on.
    """

    then: Replay
    rules: Rules
    hands: tuple[HandAsItLay, ...]
    table: TableState
    over_after: int | None = None

    @property
    def scored(self) -> bool:
        """Return whether every hand that had a score has one under the other rules."""
        return not any(hand.unscored for hand in self.hands)

    def unknown(self, hand: HandAsItLay) -> Reason | None:
        """Return why nobody can say what these rules would have made of a hand: its cards are not known, or not all.

        ``None`` where they are, or where only deal, bids or scores would have been others.
        """
        lacking = any(reason.code in WITHOUT_CARDS for reason in hand.then.unchecked())
        if not lacking or not self.rules.game.touches_tricks(self.changed):
            return None
        tricks = hand.then.describe()["tricks"]
        shown = any(trick["winner"] is not None and _is_shown(trick["plays"]) for trick in tricks)
        return Reason("partly-by-result" if shown else "known-by-result", ("REC-22", "REC-19"))

    @property
    def began(self) -> Rules:
        """Return the rules by which the table began."""
        return self.then.table.opening

    @property
    def changed(self) -> Mapping[str, tuple[object, object]]:
        """Return the options that are others, at the beginning or in a later hand: what they first were, and are."""
        pairs = [(self.began, self.rules), *((hand.then.rules, hand.now.rules) for hand in self.hands)]
        differ: dict[str, tuple[object, object]] = {}
        for then, now in pairs:
            if then is not now:
                for key, value in now.options.items():
                    if then.options[key] != value:
                        differ.setdefault(key, (then.options[key], value))
        return {key: differ[key] for key in self.rules.options if key in differ}


WITHOUT_CARDS = frozenset({"tricks-without-cards", "result-only", "cards-unseen"})
"""The codes by which a hand says that cards of its tricks are not known."""


def _is_shown(plays: Sequence[DescribedPlayMade]) -> bool:
    return bool(plays) and not any(card == UNSEEN for play in plays for card in play.get("cards", ()))


UNSEEN = "?"
"""How a card is written that nobody saw."""


def other_rules(rules: Rules, options: Mapping[str, object]) -> Rules:
    """Return the rules of a table with some options changed; what depends on them goes back to its usual value.

    Raises ``Refused`` where these options cannot be, for this game or so many players.
    """
    game = find_game(rules.game.id)
    assert game is not None
    wanted = {**rules.chosen, **options}
    for _ in rules.options:
        try:
            return game.rules(wanted, rules.players, rules.end)
        except Refused as refused:
            wanted = _without(refused, wanted, keep=options, rules=rules, game=game)
    return game.rules(wanted, rules.players, rules.end)


def _without(
    refused: Refused, wanted: dict[str, object], *, keep: Mapping[str, object], rules: Rules, game: Game
) -> dict[str, object]:
    """Return the options with those that nobody asked for, and that cannot stay, as usual; raises what cannot be."""
    usual = {option.key: option.standard_for(rules.players) for option in game.all_options()}
    keys = {problem.pointer.removeprefix("/options/") for problem in refused.problems if problem.code == ELSEWHERE}
    loose = {key: usual[key] for key in keys if key in usual and key not in keep and wanted[key] != usual[key]}
    if not loose:
        raise refused
    return wanted | loose


def judge_as_it_lay(
    record: Record, options: Options, watch: Watch = no_watch, carried: Sequence[int] | None = None
) -> WhatIf:
    """Judge a record as it lay, with some of its options changed, and begun with what would have been ``carried`` then.

    Raises ``Refused`` for options that cannot be and for a record that cannot have been, and what ``watch`` raises.
    """
    rules = other_rules(record.rules, options)
    if record.carried:
        reader = Reader()
        check_carried(reader, record.carried, rules.sides, record.seats)
        reader.check()
    judged = replay(record, watch)
    begun = record.carried if carried is None else carried
    table = open_table(rules, first_dealer=record.first_dealer, carried=begun, before=record.before)
    hands: list[HandAsItLay] = []
    over_after = None
    for written, then in zip(record.hands, judged.hands, strict=False):
        if over_after is None and table.hand is not None and table.finished():
            over_after = table.hand.setup.index + 1
        events = written.events[: then.events]
        coming, refused = _rules_after(table.rules, events, options)
        laid = _lay_hand(table, then, events, stuck=bool(hands and hands[-1].stuck), watch=watch)
        hands.append(replace(laid, left_out=tuple(sorted((*laid.left_out, *refused), key=lambda left: left.event))))
        counted = table.counted + (len(hands) > 1 and hands[-2].then.phase is FINISHED)
        table = TableState(coming, table.first_dealer, table.carried, table.made(), counted, laid.now, table.before)
    return WhatIf(judged, rules, tuple(hands), table, over_after)


def _rules_after(rules: Rules, events: Sequence[Event], chosen: Options) -> tuple[Rules, list[LeftOut]]:
    """Return the rules by which the next hand is dealt, and the changes that have no place beside what is asked.

    What is asked holds for every hand; all else that the table changed between two hands changes here, too.
    """
    refused = []
    for place, event in enumerate(events):
        if isinstance(event, HouseRules):
            try:
                rules = changed_rules(rules, {key: value for key, value in event.options.items() if key not in chosen})
            except Refused as problem:
                why = {"why": problem.problems[0].phrase}
                refused.append(LeftOut(place, Reason("bad-rules", ("REC-22", "REC-23"), why)))
    return rules, refused


@also(CLOSED | OWN_KEYS)
class WhatIfQuestion(TypedDict):
    """A record, and the options that are to be others."""

    record: Annotated[Mapping[str, Any], Named("Record")]
    options: NotRequired[OptionData]


def load_what_if(data: object, watch: Watch = no_watch) -> tuple[Record, Options]:
    """Read what is asked: a record, and the options that are to be others.

    Raises ``Refused`` with every problem and its JSON pointer, and what ``watch`` raises.
    """
    reader = Reader()
    payload = reader.mapping(data, "")
    reader.keys(payload, tuple(WhatIfQuestion.__annotations__), "")
    options = reader.mapping(payload.get("options", {}), "/options")
    if "record" not in payload:
        reader.shape("/record", "A record is needed here.", "missing-key")
    reader.check()
    with pointing_into("/record"):
        return load_record(payload["record"], watch=watch), options


@contextmanager
def pointing_into(pointer: str, *, but: str = "/ ") -> Iterator[None]:
    """Have what is refused inside say where it stands in the whole; what stands under ``but`` says so already."""
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


# -- one hand -------------------------------------------------------------------------------


def _lay_hand(table: TableState, then: Hand, events: Sequence[Event], *, stuck: bool, watch: Watch) -> HandAsItLay:
    """Lay a hand out under the rules of a table, after the hands before; ``stuck``: the last could not be judged."""
    rules, before = table.rules, then.rules.pack
    expected = rules.game.first(rules, then.setup.dealer) if stuck else next_setup(table)
    lacking = _lacking(then.setup, events, before, rules.pack)
    setup = replace(then.setup, carry=expected.carry, carry_ways=expected.carry_ways, known=())
    notes = () if stuck else tuple(_dealt_otherwise(expected, then, rules))
    if lacking:
        empty = class_of(rules)(rules, setup)
        cards = Listing(tuple(before.cards[card] for card in before.members(lacking)), last=AND)
        return HandAsItLay(then, empty, notes, (), Reason("cards-not-in-pack", ("REC-22",), {"cards": cards}))
    setup = replace(setup, known=tuple(_moved(cards, before, rules.pack) for cards in then.setup.known))
    laid = _take_all(_SideBySide.of(then, rules, setup, later=True), events, watch)
    if laid.now.needs_counting():
        laid = _take_all(_SideBySide.of(then, rules, setup, later=False), events, watch)
    return HandAsItLay(then, laid.now, notes, tuple(laid.left_out), laid.stuck)


@dataclass(slots=True)
class _SideBySide:
    """A hand as it was played and the same one under other rules, event by event."""

    then: Hand
    now: Hand
    left_out: list[LeftOut]
    stuck: Reason | None = None

    @classmethod
    def of(cls, played: Hand, rules: Rules, setup: Setup, *, later: bool) -> "_SideBySide":
        """Deal both; proofs by counting are left for ``later`` where they may not be needed."""
        then = class_of(played.rules)(played.rules, played.setup)
        then.count_later()
        now = class_of(rules)(rules, setup)
        if later:
            now.count_later()
        return cls(then, now, [])

    def take(self, event: Event) -> None:
        """Let both take an event."""
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
        """Take an event under the other rules as it lay, or say why it has no place there."""
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


def _take_all(hand: _SideBySide, events: Sequence[Event], watch: Watch) -> _SideBySide:
    for place, event in enumerate(events):
        if place % STEP == 0:
            watch()
        hand.take(event)
        if hand.stuck:
            break
    return hand


# -- what would have been different before the first card -----------------------------------


def _dealt_otherwise(expected: Setup, then: Hand, rules: Rules) -> list[Reason]:
    """Say how this hand would have been dealt by the other rules, where that differs from how it lay."""
    notes = []
    setup, before = then.setup, then.rules.pack
    if expected.sizes is not None and expected.sizes != setup.sizes:
        each = expected.sizes[:1] if len(set(expected.sizes)) == 1 else expected.sizes
        notes.append(Reason("dealt-otherwise", ("REC-22",), {"sizes": Listing(each)}))
    if expected.seating != setup.seating:
        notes.append(Reason("seated-otherwise", ("REC-22",)))
    more = tuple(card for card in rules.pack.cards if card.code not in before.codes)
    if more:
        notes.append(Reason("other-pack", ("REC-22",), {"cards": Listing(more, last=AND)}))
    return notes


def _lacking(setup: Setup, events: Sequence[Event], before: Pack, pack: Pack) -> int:
    """Return the cards of a hand, as a bit mask, that another pack does not hold."""
    if set(before.codes) <= set(pack.codes):
        return 0
    lay = 0
    for cards in setup.known:
        lay |= cards or 0
    for event in events:
        for field in event.kind.fields:
            if field.type.name in CARDS:
                value = getattr(event, field.name)
                found = (before.find(code) for code in ((value,) if isinstance(value, str) else value or ()))
                lay |= before.mask(card for card in found if card is not None)
    return before.mask(card for card in before.members(lay) if before.cards[card].code not in pack.codes)


def _moved(cards: int | None, before: Pack, pack: Pack) -> int | None:
    """Return an entered hand as another pack numbers its cards."""
    if cards is None or before is pack:
        return cards
    return pack.mask(pack.codes[before.cards[card].code] for card in before.members(cards))
