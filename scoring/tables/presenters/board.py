"""Presenter of a table's page, from the referee's description."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import shorten
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.adjudication import describe_hand
from referee.engine.events import Penalty
from referee.engine.game import Game, event_kinds
from referee.engine.hand import Hand
from referee.engine.rules import BY_SCORE
from referee.engine.rulings import Reason
from referee.engine.sheet import DescribedHand, HandFacts
from referee.engine.state import PLAY
from scoring.tables.presenters import felt
from scoring.tables.presenters.cards import (
    CitedSentence,
    Shown,
    all_keys,
    cited,
    cited_reason,
    faces_of,
    symbols,
    symbols_of,
)
from scoring.tables.presenters.curves import score_sheet, to_target
from scoring.tables.presenters.findings import Finding, find, withdrawn
from scoring.tables.presenters.formats import PAGE_LANGUAGE, listed
from scoring.tables.presenters.forms import Form, Tap, turn_in_words
from scoring.tables.presenters.game_over import game_over
from scoring.tables.presenters.house_rules import changed_in_words
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.presenters.people import at_table
from scoring.tables.presenters.scene import scene_of
from scoring.tables.reads.page_facts import PageFacts
from scoring.tables.reads.rules import changed_rules, game_of
from scoring.tables.reads.state import Standing, coming_hand, hand_asks, secret_ask
from scoring.wording import filled

HIGHEST_TRUMP = "highest-trump"
"""Reason code of a trick won by a trump."""
LONGEST_ON_THE_FELT = 70
"""Longest text, in characters, that fits on the felt of a small phone."""
FOLDS = frozenset(("lines", "tricks", "unchecked"))
"""Collapsible parts of a hand, rendered when opened."""


class Board(Shown):
    """Everything a table's page shows; its values double as keys of cached parts."""


def board(
    at: Standing,
    facts: PageFacts,
    own: int | None = None,
    *,
    front: Form | None = None,
    taps: Mapping[int, Tap] | None = None,
    points: bool = False,
    opened: frozenset[str] = frozenset(),
) -> Board:
    """Present a table; ``own`` is the seat of this phone's player, if any.

    ``front`` is the form in front if it differs from what the hand waits for; it then provides the status. ``taps`` are
    the actions of the players' plates. Hidden points are shown only with ``points``, otherwise totals are ``None``;
    collapsible parts are filled if ``opened``.
    """
    game, names, pack, finished = game_of(at.row), at.names, at.rules.pack, at.state.finished()
    shown = points or not facts.hidden
    described: DescribedHand | None = None
    if at.hand is not None:
        described = describe_hand(at.hand, names, at.state, language=PAGE_LANGUAGE, points=shown, events=facts.played)
    nothing: HandFacts = {}
    hand_facts = described or nothing
    described_tricks = described["tricks"] if described else []
    stops = coming_hand(at)
    coming = stops if isinstance(stops, Hand) else None
    here = coming or at.hand
    known = symbols(pack)
    seen = described_tricks if "tricks" in opened else described_tricks[-2:]
    index = described["number"] - 1 if described else 0
    tricks = [felt.show_trick(trick, index, names, pack, known, game) for trick in seen]
    done = [trick for trick in tricks if trick.winner is not None]
    running = tricks[-1] if tricks and tricks[-1].winner is None and stops is None else None
    last = done[-1] if done else None
    chosen = at.row.choosing.get("chosen", ())
    to_act = here.to_act() if here and not finished else ()
    acting = tuple(seat for seat in to_act if seat not in chosen) if front is None else front.next_up
    over = coming is not None and at.hand is not None
    dealt = coming.describe() if coming else hand_facts
    table_hand = None if over or finished else at.hand
    running_hand = table_hand if running else None
    bidding = felt.bids(at, hand_facts, here) if stops is None else ()
    beaten = running_hand.to_beat() if running_hand else None
    # The latest play of the seat to beat, other than passes.
    plays = running.plays if running and beaten is not None else ()
    sheet = score_sheet(at, None if facts.totals_only else described, facts.left, shown=shown)
    kept_facts = nothing if over else hand_facts

    def said(reason: Reason | None) -> CitedSentence | None:
        return cited_reason(game, reason, names, pack)

    why_trump = said(table_hand.why_trump() if table_hand else None)
    won_by = described_tricks[-1]["reason"] if described_tricks else None
    # The last trick was won by a card of the current trump suit.
    by_trump = won_by is not None and won_by["code"] == HIGHEST_TRUMP and bool(hand_facts.get("trump"))
    since = by_trump and described_tricks[-1]["trump"] == hand_facts.get("trump")
    ahead = running_hand.ahead() if running_hand else None
    seats = felt.seats_of(
        at,
        described if stops is None else None,
        here,
        acting,
        known,
        own,
        points=shown,
        on_table=running or last,
        ahead=ahead,
        bids=bidding,
        hidden=chosen,
        titles=dealt.get("titles"),
        goes_on=facts.goes_on,
        taps=taps or {},
    )
    face_up = []
    for up in described["face_up"] if described and not over else ():
        faces = faces_of((code for code in up["cards"] if code in pack.codes), pack)
        if faces or up["suit"] is None:  # a suit without a card is shown as trump
            face_up.append(Shown(label=up["label"], faces=faces))
    findings = tuple(find(at, described, facts)) if described else ()
    first = own or 0
    folded: dict[str, Sequence[object]] = {}
    if described and not facts.totals_only:
        folded = {"lines": described["score_lines"], "tricks": described_tricks, "unchecked": described["unchecked"]}
    return Board(
        game=game,
        number=1 if here is None else here.setup.index + 1,
        coming=over,
        hand_name=hand_facts.get("name") or "",
        playing=here is not None and here.phase is PLAY,
        finished=finished,
        seats=seats,
        people=at_table(at.row),
        # Clockwise; on a player's own phone, starting there.
        seats_in_view=felt.seen_from(seats, first),
        own_trump=None if own is None else seats[own].trump,
        status=_status(at, own, front, facts=facts),
        yours=own in acting,
        trump=known.get(dealt.get("trump") or ""),
        has_trump=kept_facts.get("has_trump", False),
        suit_order=symbols_of(kept_facts.get("suit_order") or (), pack),
        bids=bidding,
        bid_sum=sum(bid.bid or 0 for bid in bidding),
        bid_in_words=_bid_in_words(kept_facts.get("bids") or (), kept_facts.get("contracts") or (), here),
        bids_made=tuple(kept_facts.get("bids") or ()),
        deal=None if coming is None or finished else felt.deal_in_words(game, coming.setup, names[coming.setup.dealer]),
        opening=cited(game, described.get("opening"), pack) if described and stops is None and not tricks else None,
        face_up=tuple(face_up),
        # Cards that only this player may look at again.
        own_cards=tuple(
            Shown(label=_(up.label), faces=faces_of(up.cards, pack))
            for up in (table_hand.shown_to(own) if own is not None and table_hand else ())
        ),
        course=felt.course_of(at),
        keys=all_keys(pack),
        climbs=at.rules.game.hand_class.CLIMBS,
        cardless=here is not None and here.setup.cardless,
        why_trump=why_trump,
        since=why_trump if since else None,
        demanded_suits=tuple(known[suit] for suit in (running_hand.demanded_suits() if running_hand else ())),
        reads=here.suit_read() if here else "",
        to_beat=next((play for play in reversed(plays) if play.seat == beaten and play.cards), None),
        leads=next((play for play in running.plays if play.cards and play.seat == ahead), None) if running else None,
        # A player choosing on their own phone turns no cards over for others.
        instructions=tuple(map(said, here.instructions()))
        if here and front is None and not finished and not (own is not None and secret_ask(at.state))
        else (),
        trick=running,
        last=last,
        # The trick whose cards are on the table.
        lying=running or last,
        tricks=tuple(done),
        scene=scene_of(at, described, coming, sheet, facts.bests) if described and (over or finished) else None,
        ended=game_over(at, described, sheet, own, goes_on=facts.goes_on, shown=shown) if finished else None,
        sheet=sheet,
        ruled=any(hand.ruled for hand in sheet.hands),
        totals_only=facts.totals_only,
        carried=tuple(at.row.carried) if any(at.row.carried) and shown and not facts.totals_only else None,
        totals=at.state.totals() if shown else None,
        to_target=to_target(at) if shown else None,
        bags=described.get("bags") if described and shown else None,
        # The collapsible parts that aren't empty.
        folds=frozenset(name for name, what in folded.items() if what),
        lines=show_lines(described, names, game) if described and "lines" in opened else (),
        # The table's decisions in this hand; penalties are score lines.
        decided=tuple(
            sentence(event, names, pack, points=shown) for event in facts.decided if event["type"] != Penalty.type
        )
        if "lines" in opened
        else (),
        findings=findings,
        withdrawn=withdrawn(at, facts),
        unchecked=tuple(cited(game, reason) for reason in described["unchecked"])
        if described and "unchecked" in opened
        else (),
        goes_on=facts.goes_on,
        goal=_goal(at),
        to_score=at.rules.end.kind == BY_SCORE.name,
        house_since=sheet.rules_since,
        house=changed_in_words(game, changed_rules(at.rules), len(names)),
        stopped=None if stops is None or isinstance(stops, Hand) or finished else said(stops.reason),
        recorded=next((found.settled[-1] for found in findings if found.decided), "") or _recorded(at, facts),
        can_undo=at.row.version > 0 and not facts.goes_on,
    )


def show_lines(described: DescribedHand, names: Sequence[str], game: Game) -> tuple[Shown, ...]:
    """Present a hand's score lines, with the reason for each."""
    return tuple(
        Shown(place=place, name=names[line["seat"]], points=line["points"], sentence=cited(game, line["reason"]))
        for place, line in enumerate(described["score_lines"])
    )


def _recorded(at: Standing, facts: PageFacts) -> str:
    """Describe the table's latest decision; empty after a card or a whole hand.

    A reason that is too long is left to the log.
    """
    if facts.last is None or not event_kinds()[facts.last["type"]].settles:
        return ""
    what = sentence(facts.last, at.names, at.rules.pack, points=not facts.hidden)
    if len(what) > LONGEST_ON_THE_FELT:
        what = sentence({**facts.last, "reason": None}, at.names, at.rules.pack, points=not facts.hidden)
    return filled(_("Recorded: {what}"), what=shorten(what, LONGEST_ON_THE_FELT, placeholder=" …"))


def _status(at: Standing, own: int | None, front: Form | None, *, facts: PageFacts) -> str:
    """Return the status line: who acts, or what to record next; empty if nothing can be recorded."""
    if at.state.finished():
        return outcome(at, goes_on=facts.goes_on, shown=not facts.hidden)
    if front is not None:
        return front.says
    asked = hand_asks(at)
    return turn_in_words(asked[0], at.names, own) if asked else ""


def outcome(at: Standing, *, goes_on: bool, shown: bool = True) -> str:
    """Describe a finished game's winner, or the leader if the game continues at another table."""
    first = at.state.winners()
    names = listed(at.names[seat] for seat in first)
    if not goes_on:
        return filled(ngettext("{names} wins.", "{names} win.", len(first)), names=names)
    if not shown or len(first) == len(at.names):
        return _("The game goes on.")
    return filled(ngettext("{names} leads.", "{names} lead.", len(first)), names=names)


def _bid_in_words(bids: Sequence[int | None], contracts: Sequence[int | None], hand: Hand | None) -> str:
    """Describe the total bid and the number of tricks; by side if partners bid together.

    Empty until all bids are in.
    """
    if hand is None or not hand.setup.sizes or not bids or None in bids:
        return ""
    sides = dict.fromkeys(hand.rules.sides) if contracts and len(hand.rules.sides[0]) > 1 else ()
    total = "+".join(str(contracts[side[0]]) for side in sides) or sum(each or 0 for each in bids)
    return filled(_("bid {bid} of {tricks}"), bid=total, tricks=min(hand.setup.sizes))


def _goal(at: Standing) -> str:
    end = at.rules.end
    kind = next(kind for kind in game_of(at.row).ends if kind.name == end.kind)
    return PAGE_LANGUAGE.fill(kind.says_one if kind.says_one and end.value == 1 else kind.says, {"value": end.value})


def rulings(board: Board) -> dict[str, Any]:
    """Present rulings for the big screen; held-back findings are not included.

    ``scenes`` are new findings: just proved, just decided, or undecided at the end of a hand. ``decided`` is a decision
    just recorded that belongs to none of them; ``open`` are pending findings, ``done`` those settled in finished hands.
    """
    findings: Sequence[Finding] = board.findings
    news = [found for found in findings if found.decided or (found.raised and found.fresh)]
    settled = [found for found in findings if found.settled and not found.decided and found.over]
    return {
        "scenes": news,
        "decided": "" if any(found.decided for found in news) else board.recorded,
        "open": [found for found in findings if found.raised and found not in news],
        "done": settled if board.scene else [],
    }


# --- Agreement with the result of the finished hand


def confirmation(
    at: Standing, confirmed: Mapping[int, Mapping[int, int]], seat: int | None, *, hidden: bool
) -> Shown | None:
    """Present who agrees with the last hand; ``None`` while its points are hidden."""
    if at.hand is None or hidden or at.hand.scores() is None or not at.hand.is_over():
        return None
    seats = confirmed.get(at.hand.setup.index, {})
    names = tuple(at.names[each] for each in seats)
    can_confirm = seat is not None and seat not in seats
    return Shown(hand=at.hand.setup.index + 1, names=names, can_confirm=can_confirm)


def who_confirmed(confirmed: Mapping[int, Mapping[int, int]], names: Sequence[str]) -> tuple[Shown, ...]:
    """Return the seats and names that agree with each hand."""
    return tuple(
        Shown(hand=hand + 1, seats=tuple(seats), names=", ".join(names[seat] for seat in seats))
        for hand, seats in confirmed.items()
        if seats
    )


# --- Secret choices: what a player's own phone shows, and what everyone may know


def secret(at: Standing, seat: int | None, events: Iterable[Mapping[str, Any]]) -> Shown | None:
    """Present who has made a secret choice, who must choose again, and whether this phone's player has chosen.

    ``events`` are the sealed choices made on this device, which it may show its player.
    """
    choosing, names, pack = at.row.choosing, at.names, at.rules.pack
    if not choosing:
        return None
    chosen = choosing.get("chosen", ())
    return Shown(
        chosen=", ".join(names[each] for each in chosen if each != seat),
        again=listed(names[each] for each in choosing.get("again", ())),
        own=seat in chosen,
        looks=tuple((faces_of(event.get("cards", ()), pack), sentence(event, names, pack)) for event in events),
    )
