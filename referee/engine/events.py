"""The events that several games share, and what the record can take next, described so that any page can offer it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, ClassVar, Literal

from referee.engine import event_kinds as kinds
from referee.engine.event_kinds import UNSAID, Event, Line, Shown, event_kind
from referee.engine.rulings import Reason
from referee.engine.texts import AND, Listing, Phrase

# An event says what somebody saw; whether it may stand is the referee's business. Card codes and suits are kept as they
# were typed, so that the ruling can speak of them. Events of a single game stand in its folder.

LARGEST_PENALTY = 9999
MOST_MOVED = 99


@event_kind(
    "play",
    Line("Trick", "{seat} {cards} ({suit})"),
    says="A seat plays cards.",
    log="{seat} plays {cards}",
    by_player=True,
    in_trick=True,
)
class Play(Event):
    """A seat plays cards; where the leader names the suit to follow, a lead carries it."""

    seat: kinds.Seat
    cards: kinds.Cards
    suit: kinds.SuitCode | None = None


@event_kind(
    "bid",
    Line("Bids", "{seat} {tricks} {blind}", shared=True),
    says="A seat bids a number of tricks.",
    log="{seat} bids {tricks} ({blind})",
    by_player=True,
    secret=True,
)
class Bid(Event):
    """A seat bids a number of tricks; ``blind``: before it looked at its cards, in a game that has such bids."""

    seat: kinds.Seat
    tricks: kinds.Number
    blind: Annotated[kinds.Flag | None, Shown("blind")] = None


@event_kind(
    "pass",
    Line("Trick", "{seat} passes|pass"),
    says="A seat passes.",
    log="{seat} passes",
    by_player=True,
    in_trick=True,
)
class Pass(Event):
    seat: kinds.Seat


@dataclass(frozen=True, slots=True)
class CardAside(Event):
    """A seat puts one card of its hand aside before play; each game that does so names the event."""

    seat: kinds.Seat
    cards: kinds.OneCard


@event_kind(
    "trick",
    Line("Trick", "won by {winner}", ("trump {trump|none}", "last {last}", "points {points}"), parted=True),
    says="A trick, recorded without its cards.",
    log="{winner} wins the trick",
    in_trick=True,
    coarse=True,
)
class Trick(Event):
    winner: kinds.Seat
    trump: kinds.SuitOrNone | kinds.Unsaid = UNSAID
    last: kinds.CardCode | None = None
    points: kinds.PointsBySeat | None = None


@event_kind(
    "result",
    Line("Result", "", ("tricks {tricks}", "cards left {cards_left}", "points {points}", "last {last}")),
    says="The rest of the hand, recorded by its result.",
    log="Result: {numbers}",
    log_hidden="Just the result of the hand",
    coarse=True,
)
class Result(Event):
    """The rest of a hand recorded by its result: one of the three lists, per seat."""

    tricks: kinds.Numbers | None = None
    cards_left: kinds.Numbers | None = None
    points: kinds.Numbers | None = None
    last: kinds.CardCode | None = None


@event_kind(
    "note",
    Line("Note", "{text}", whole=True),
    Line("Remark", "{seat} {text}"),
    says="A remark. It changes nothing.",
    log="Note: {text}",
    label="Note",
    stays=True,
    settles=True,
    aside=True,
)
class Note(Event):
    text: Annotated[kinds.Text, Shown("Text")]
    seat: kinds.Seat | None = None


@event_kind(
    "penalty",
    Line("Penalty", "{seat} {points} {reason}"),
    says="The table changes a score.",
    log="{seat}: {points} points{why}",
    log_one="{seat}: {points} point{why}",
    counted="points",
    label="Change a score",
    stays=True,
    settles=True,
    aside=True,
)
class Penalty(Event):
    """The table changes a seat's score by ``points`` (may be negative)."""

    seat: Annotated[kinds.Seat, Shown("Player")]
    points: Annotated[kinds.Number, Shown("Points", -LARGEST_PENALTY, LARGEST_PENALTY)]
    reason: Annotated[kinds.Why | None, Shown("Reason")] = None


@event_kind(
    "transfer",
    Line("Transfer", "{from_seat} gives {to_seat} {tricks} {reason}"),
    says="The table moves tricks from one seat to another.",
    log="{tricks} tricks from {from_seat} to {to_seat}{why}",
    log_one="{tricks} trick from {from_seat} to {to_seat}{why}",
    counted="tricks",
    label="Move tricks",
    stays=True,
    settles=True,
    aside=True,
)
class Transfer(Event):
    from_seat: Annotated[kinds.Seat, Shown("From")]
    to_seat: Annotated[kinds.Seat, Shown("To")]
    tricks: Annotated[kinds.Number, Shown("Tricks", 1, MOST_MOVED)]
    reason: Annotated[kinds.Why | None, Shown("Reason")] = None


@event_kind(
    "redeal",
    Line("Redeal", "{reason}"),
    says="The hand is void; the same dealer deals again.",
    log="Hand cancelled, dealt again{why}",
    label="Cancel this hand and redeal",
    stays=True,
    settles=True,
)
class Redeal(Event):
    reason: Annotated[kinds.Why | None, Shown("Reason")] = None


@event_kind(
    "end",
    Line("Table ends", "{reason}"),
    says="The players agree to end the game here.",
    log="The game ends here{why}",
    label="End the game here",
    stays=True,
)
class End(Event):
    reason: Annotated[kinds.Why | None, Shown("Reason")] = None


@event_kind(
    "rules",
    Line("House rules", "{options}"),
    says="The players change house rules between two hands; they apply from the next hand.",
    log="House rules from the next hand: {options}",
    label="Change the house rules",
    stays=True,
)
class HouseRules(Event):
    """The table agrees on other house rules between two hands; those that are not named stay as they were (REC-23)."""

    options: Annotated[kinds.Choices, Shown("House rules")]


@dataclass(frozen=True, slots=True)
class WhenTold(Event):
    """The table says whether what is proved is told only when the hand is over: in this hand and those after it."""

    holds: ClassVar[bool]
    reason: kinds.Why | None = None


@event_kind(
    "hold-findings",
    Line("Hold findings", "{reason}"),
    says="From now on, proved rule breaks are announced only when the hand is over.",
    log="Revokes are announced at the end of the hand",
    label="Announce revokes only at the end of the hand",
    stays=True,
    aside=True,
)
class HoldFindings(WhenTold):
    holds: ClassVar[bool] = True


@event_kind(
    "tell-findings",
    Line("Tell findings", "{reason}"),
    says="From now on, proved rule breaks are announced at once.",
    log="Revokes are announced at once",
    label="Announce revokes at once",
    stays=True,
    aside=True,
)
class TellFindings(WhenTold):
    holds: ClassVar[bool] = False


SHARED_EVENTS: tuple[type[Event], ...] = tuple(
    found for found in tuple(globals().values()) if isinstance(found, type) and "kind" in vars(found)
)
"""The kinds of events above, which belong to no single game; games bring theirs, and the catalogue knows all."""


# --- What the record can take next, described so that any page or client can offer it

FieldKind = Literal["cards", "card", "suit", "number", "numbers", "points", "seat", "flag", "text", "choice", "options"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an event that someone has to fill in.

    ``cards`` and ``card`` take codes out of ``choices`` (all cards of the pack where it is empty), ``suit`` one of
    ``choices``, ``number`` and ``numbers`` (one per seat) lie between ``least`` and ``most``; ``points`` is a number
    too, sent as ``{winner's seat: number}``, and its ``choices`` are the numbers there are; ``count`` is how many cards
    one play may have. ``taken`` are cards that were among the choices until someone took them. ``none`` says what
    leaving an optional field out means, ``after`` names the field without which this one says nothing, ``goes_with``
    what a flag says where this is the choice, ``floors`` and ``ceilings`` bound each seat's number by itself and
    ``step`` is what they go up by, ``total`` is what ``numbers`` add up to, ``rest`` what the only one left out is
    where no sum tells it. ``marks`` says of some choices what choosing them would claim, by what everyone at the table
    can see; they may be chosen all the same. ``order`` lists all cards of the pack as the game ranks them, where that
    is not as the pack has them; ``usual`` is how many cards a play of these has as a rule now (0: that is open).
    ``words`` are those for the choices of a ``choice``. ``steps`` are what a pad adds to a ``number`` that is typed on
    it at the table, large: a player's score. ``sides``: partners share a number, entered for the first of them.
    ``warnings`` are worth knowing before anything is chosen. ``last``: choosing it completes the event.
    """

    name: str
    kind: FieldKind
    label: str
    choices: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    count: tuple[int, int] = (1, 1)
    optional: bool = False
    struck: tuple[int, ...] = ()
    none: str = ""
    after: str = ""
    goes_with: Mapping[str, bool] = field(default_factory=dict)
    total: int | None = None
    rest: int | None = None
    floors: tuple[int, ...] = ()
    ceilings: tuple[int, ...] = ()
    step: int = 1
    sides: tuple[tuple[int, ...], ...] = ()
    words: tuple[str, ...] = ()
    marks: Mapping[str, Reason] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    usual: int = 0
    warnings: tuple[Reason, ...] = ()
    last: bool = False
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What happens next, as a sentence with a verb.

    ``one`` says it of the only player to act (or, where that is the table, what it does), ``yours`` to that player.
    Where several act at once, ``everyone`` says it of all of them and ``several`` of those who are left.
    """

    one: str
    yours: str = ""
    everyone: str = ""
    several: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, names: Sequence[str], acting: Sequence[int], own: int | None = None) -> Phrase:
        """Return the sentence for a page, ``own`` being the seat of the player who reads it."""
        seats = [names[seat] for seat in acting]
        if own in acting:
            return Phrase(self.yours or self.one, {**self.facts, "seat": names[own or 0]})
        if len(seats) == len(names) > 1 and self.everyone:
            return Phrase(self.everyone, self.facts)
        if len(seats) > 1 and self.several:
            return Phrase(self.several, {**self.facts, "seats": Listing(tuple(seats), last=AND)})
        return Phrase(self.one, {**self.facts, "seat": seats[0] if seats else ""})


NEXT = Turn("It’s {seat}’s turn.", "It’s your turn.", "It’s everyone’s turn.", "Waiting for {seats}.")
"""The sentence of an ask that has none of its own."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One kind of event that may come now, for each of ``seats`` (empty: the table's own).

    ``secret`` says that all choose before anyone sees what the others chose. ``preview`` says that ``Hand.preview`` has
    something to say about it before it is recorded. ``fixed`` are fields that no one fills in because they can only be
    this. ``telling``: which of its values fit would tell what the players are not to know yet. ``turn`` is what pages
    say while they wait for it.
    """

    event: str
    label: str
    seats: tuple[int, ...] = ()
    fields: tuple[Field, ...] = ()
    secret: bool = False
    preview: bool = False
    fixed: Mapping[str, object] = field(default_factory=dict)
    telling: bool = False
    turn: Turn = NEXT


@dataclass(frozen=True, slots=True)
class FaceUp:
    """Cards, or a suit alone, that lie open on the table for the whole hand, and what they are called; without both,
    what holds for everyone, such as how cards are read."""

    label: str
    cards: tuple[str, ...] = ()
    suit: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What an event that is being assembled would be; ``fits`` is ``None`` if nothing is decided by it.

    ``does`` says on a button what recording it does.
    """

    fits: bool | None
    reasons: tuple[Reason, ...]
    does: Phrase | None = None


ASKED_AS: Mapping[str, FieldKind] = {"seat": "seat", "number": "number", "options": "options"}
"""How a field is filled in that a table may record at any time; any other is a text."""


@cache
def asks_of_the_table(taken: tuple[type[Event], ...], players: int) -> tuple[Ask, ...]:
    """Return what can be recorded in every phase, among the kinds of events that a game's hands take: those that games
    share, then its own."""
    asks = []
    own = (event for event in taken if event not in SHARED_EVENTS)
    for kind in (event.kind for event in (*SHARED_EVENTS, *own) if event in taken and event.kind.stays):
        fields = []
        for wanted in kind.fields:
            if shown := wanted.shown:
                asked = ASKED_AS.get(wanted.type.name, "text")
                choices = tuple(map(str, range(players))) if asked == "seat" else ()
                optional = not wanted.needed
                fields.append(
                    Field(wanted.name, asked, shown.label, choices, (), shown.least, shown.most, optional=optional)
                )
        asks.append(Ask(kind.name, kind.label, fields=tuple(fields)))
    return tuple(asks)
