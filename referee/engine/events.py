"""The events that several games share, and descriptions of what can be recorded next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, ClassVar, Literal

from referee.engine import event_kinds as kinds
from referee.engine.event_kinds import UNSAID, Event, Line, Shown, event_kind
from referee.engine.rulings import Reason
from referee.engine.texts import AND, Listing, Phrase

# An event states what somebody saw; whether it is legal is for the referee to judge. Card codes and suits are kept as
# they were typed, so that rulings can quote them. Events of a single game are declared in its folder.

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
    """A seat plays cards; a lead may name the ``suit`` to follow, in games in which the leader does."""

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
    """A seat bids a number of tricks; ``blind``: before looking at its cards, in games with such bids."""

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
    """A seat sets one card of its hand aside before play; each game with such an act names the event."""

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
    """The rest of a hand, recorded by its result: one of the three lists, per seat."""

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
    """The table changes a seat's score by ``points``, which may be negative."""

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
    log="Hand canceled, dealt again{why}",
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
    """The table changes house rules between two hands; those not named stay as they were (REC-23)."""

    options: Annotated[kinds.Choices, Shown("House rules")]


@dataclass(frozen=True, slots=True)
class WhenTold(Event):
    """The table decides whether proved findings are held back until the end of this hand and later ones."""

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
"""The event kinds above; ``game.event_kinds`` adds those of single games."""


# --- What can be recorded next, described for any page or client

FieldKind = Literal["cards", "card", "suit", "number", "numbers", "points", "seat", "flag", "text", "choice", "options"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an event that someone has to fill in.

    ``card`` and ``cards`` take codes from ``choices`` (empty: the whole pack), ``suit`` and ``choice`` one of them.
    ``number`` and ``numbers`` (one per seat) lie between ``least`` and ``most``. ``points`` is a number, too, one of
    ``choices``, and sent as ``{winner's seat: number}``. ``count`` is how many cards one play may have.

    ``taken`` are cards that were among the choices until someone took them, ``struck`` numbers that may not be chosen.
    ``none`` says what leaving out an optional field means. ``after`` names the field without which this one is
    meaningless; ``goes_with`` maps a choice to the value that the flag has with it.

    ``floors`` and ``ceilings`` bound each seat's number separately; ``step`` is its increment, ``total`` the sum of
    ``numbers``, ``rest`` the value of the only number left out if there is no sum. ``sides``: partners share a number,
    entered for the first of them. ``steps`` are the amounts that a large number pad adds to a player's score.

    ``marks`` says of some choices what choosing them would claim, judging by what everyone can see; they are allowed
    all the same. ``order`` lists the pack as the game ranks it, if that differs. ``usual`` is how many cards a play
    usually has now (0: open). ``words`` are the labels of a ``choice``. ``warnings`` are shown before anything is
    chosen. ``last``: choosing it completes the event.
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

    ``one`` is about the only player to act (or, if that is the table, what it does); ``yours`` addresses that player.
    If several act at once, ``everyone`` is about all players and ``several`` about those who are left.
    """

    one: str
    yours: str = ""
    everyone: str = ""
    several: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, names: Sequence[str], acting: Sequence[int], own: int | None = None) -> Phrase:
        """Return the sentence for the reader in seat ``own``, if any; ``acting`` are the seats to act."""
        seats = [names[seat] for seat in acting]
        if own in acting:
            return Phrase(self.yours or self.one, {**self.facts, "seat": names[own or 0]})
        if len(seats) == len(names) > 1 and self.everyone:
            return Phrase(self.everyone, self.facts)
        if len(seats) > 1 and self.several:
            return Phrase(self.several, {**self.facts, "seats": Listing(tuple(seats), last=AND)})
        return Phrase(self.one, {**self.facts, "seat": seats[0] if seats else ""})


NEXT = Turn("It’s {seat}’s turn.", "It’s your turn.", "It’s everyone’s turn.", "Waiting for {seats}.")
"""The default sentence of an ask."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One kind of event that may come next, for each of ``seats`` (empty: for the table).

    ``secret``: all choose before anyone sees the others' choices. ``preview``: ``Hand.preview`` describes it before it
    is recorded. ``fixed`` are fields with only one possible value. ``telling``: which values are legal would reveal
    what the players must not know yet. ``turn`` is what pages say while they wait for it.
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
    """Cards, or a suit alone, that lie face up for the whole hand; with neither, ``label`` is a note for everyone."""

    label: str
    cards: tuple[str, ...] = ()
    suit: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What an event would be, before it is recorded.

    ``fits`` is whether it may be recorded as it is, ``None`` if undecided; ``does`` is the label of the button.
    """

    fits: bool | None
    reasons: tuple[Reason, ...]
    does: Phrase | None = None


ASKED_AS: Mapping[str, FieldKind] = {"seat": "seat", "number": "number", "options": "options"}
"""How forms ask for a field of an event that can be recorded at any time, by field type; others are text."""


@cache
def asks_of_the_table(taken: tuple[type[Event], ...], players: int) -> tuple[Ask, ...]:
    """Return the asks open in every phase, for the event kinds in ``taken``: shared kinds first."""
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
