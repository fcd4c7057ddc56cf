"""The players at the table: what stands beside a name, and what lies before each of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from referee.engine.hand import Hand
from referee.engine.sheet import DescribedHand, HandFacts
from referee.packs import Pack
from scoring.pages.show.cards import Face, Symbol, face
from scoring.pages.show.seat_facts import SeatFact, seat_facts, titles_alone
from scoring.pages.show.tricks import PlayShown
from scoring.queries.state import Standing


class BidShown(NamedTuple):
    """A bid, or the place of one that is still to come."""

    name: str
    bid: int | None
    acting: bool
    seat: int


def bids(at: Standing, described: HandFacts, hand: Hand | None) -> tuple[BidShown, ...]:
    """Return the bids in turn, from the dealer's left, while they are made."""
    bidders = hand.bidders() if hand else ()
    made, acting = described.get("bids") or [None] * len(at.names), hand.to_act() if hand else ()
    return tuple(BidShown(at.names[seat], made[seat], seat in acting, seat) for seat in bidders)


class Seat(NamedTuple):
    """A player at the table; ``total`` is ``None`` while points are hidden.

    ``play`` is the last play to the trick that lies there, ``ahead`` says that it would take the trick as it stands.
    ``hidden``: a card was chosen face down. ``struck``: the card put aside is cancelled by another.
    """

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
    struck: bool
    play: PlayShown | None
    ahead: bool
    bid: BidShown | None
    hidden: bool


def seats_of(
    at: Standing,
    described: DescribedHand | None,
    hand: Hand | None,
    acting: Sequence[int],
    known: Mapping[str, Symbol],
    own: int | None,
    *,
    fresh: bool,
    points: bool,
    on_table: Mapping[int, tuple[PlayShown, bool]],
    bids: Sequence[BidShown],
    hidden: Sequence[int],
    titles: Sequence[str | None] | None,
    goes_on: bool,
) -> tuple[Seat, ...]:
    totals, winners = at.state.totals(), () if goes_on else at.state.winners()
    scores = described["scores"] if described else [None] * len(totals)
    shown = None if fresh else described
    aside = [_shown(seat, shown, at.rules.pack) if shown else () for seat in range(len(totals))]
    down = hand is not None and _lie_face_down(aside, hand)
    trumps = shown.get("trumps") if shown and not down else None
    notes = shown.get("seat_notes") if shown and not down else None
    struck = at.hand.struck_out() if shown and at.hand and not on_table else ()
    bid_of = {bid.seat: bid for bid in bids}
    return tuple(
        Seat(
            number=seat,
            name=name,
            total=totals[seat] if points else None,
            score=scores[seat],
            facts=tuple(seat_facts(seat, shown) if shown else titles_alone(seat, titles)),
            acting=seat in acting,
            dealer=hand is not None and hand.setup.dealer == seat,
            winner=seat in winners,
            own=seat == own,
            trump=known.get(trumps[seat] or "") if trumps else None,
            shown=() if down else aside[seat],
            note=_note(notes[seat]) if notes else "",
            struck=seat in struck,
            play=on_table[seat][0] if seat in on_table else None,
            ahead=seat in on_table and on_table[seat][1],
            bid=bid_of.get(seat),
            hidden=seat in hidden or (down and bool(aside[seat])),
        )
        for seat, name in enumerate(at.names)
    )


def _lie_face_down(aside: Sequence[tuple[Face, ...]], hand: Hand) -> bool:
    """Return whether the cards that are put aside lie face down: until the last one does, and all are turned."""
    return any(aside) and not all(aside) and any(ask.secret for ask in hand.asks())


def _note(note: str | None) -> str:
    return _(note) if note else ""


def _shown(seat: int, described: Mapping[str, object], pack: Pack) -> tuple[Face, ...]:
    """Return the cards a player has put aside for all to see, whatever the game calls them."""
    per_seat = (value for key, value in described.items() if key.endswith("_cards") and isinstance(value, list))
    codes = (cards[seat] for cards in per_seat if len(cards) > seat)
    return tuple(face(pack, code) for code in codes if isinstance(code, str))
