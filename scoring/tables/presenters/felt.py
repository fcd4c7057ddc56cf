"""Presenters of the felt: tricks, turned-up cards, players' plates, the next deal."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.rules import Setup
from referee.engine.sheet import DescribedHand, DescribedTrick, GivenUp, HandFacts
from referee.packs import Pack
from scoring.tables.presenters.cards import Face, Shown, Symbol, cited, faces_of
from scoring.tables.presenters.formats import PAGE_LANGUAGE, listed
from scoring.tables.presenters.forms import Tap
from scoring.tables.presenters.people import at_table
from scoring.tables.reads.state import Standing
from scoring.wording import filled

# --- The next deal in words: what to do before the first card can be recorded


class Deal(NamedTuple):
    """The deal in a sentence, and as a number for narrow screens."""

    sentence: str
    brief: str


def deal_in_words(game: Game, setup: Setup, dealer: str) -> Deal | None:
    """Describe how a hand is dealt; as a range if not everyone gets the same number of cards."""
    if not setup.sizes or setup.cardless:
        return None
    fewest, most = min(setup.sizes), max(setup.sizes)
    number = str(most) if fewest == most else f"{fewest}–{most}"
    dealing = game.dealing(setup, dealer)
    if dealing is not None:
        number, sentence = " + ".join(map(str, dealing.numbers)), PAGE_LANGUAGE.render(dealing.phrase)
    else:
        sentence = ngettext("{name} deals {number} card to each.", "{name} deals {number} cards to each.", most)
        sentence = filled(sentence, name=dealer, number=number)
    brief = ngettext("{number} card each", "{number} cards each", most)
    return Deal(sentence, filled(brief, number=number))


# --- On the table: tricks with winner and reason, turned-up cards, and the sequence of hands


class PlayShown(NamedTuple):
    """A play in a trick: player and cards, or a pass."""

    name: str
    cards: tuple[Face, ...]
    called: str
    suit: Symbol | None
    won: bool
    seat: int = -1


class TrickShown(Shown):
    """A trick: its plays, winner and reason.

    ``awarded_to`` and ``why_awarded``: the trick was transferred after an irregularity. ``best`` is the best possible
    answer, in games with answers.
    """


def show_trick(
    trick: DescribedTrick,
    hand: int,
    names: Sequence[str],
    pack: Pack,
    known: Mapping[str, Symbol],
    game: Game,
    award: GivenUp | None = None,
) -> TrickShown:
    winner = trick["winner"]
    last_of_winner = max((i for i, p in enumerate(trick["plays"]) if p["seat"] == winner and "cards" in p), default=-1)
    called = trick.get("names") or [""] * len(trick["plays"])
    reads = trick.get("reads") or [""] * len(trick["plays"])
    plays = tuple(
        PlayShown(
            names[play["seat"]],
            faces_of(play.get("cards", ()), pack),
            (called[i] or "") if len(play.get("cards", ())) > 1 else "",
            known.get(reads[i] or ""),
            i == last_of_winner,
            play["seat"],
        )
        for i, play in enumerate(trick["plays"])
    )
    return TrickShown(
        hand=hand,
        number=trick["number"],
        plays=plays,
        winner=None if winner is None else names[winner],
        sentence=cited(game, trick["reason"], pack),
        best=cited(game, trick["best"]["reason"], pack) if "best" in trick else None,
        awarded_to=names[award["to"]] if award else "",
        why_awarded=award["why"] if award else "",
    )


def course_of(at: Standing) -> tuple[Shown, ...]:
    """Return the sequence of hand sizes, in games that fix it, repeated or cut off by the game's end."""
    sizes = at.rules.game.course(at.rules)
    if not sizes:
        return ()
    over, done = at.state.finished(), at.state.before + at.state.hands_done()
    earlier = max(0, done - 1 if over else done) // len(sizes) * len(sizes)
    here = done - earlier
    left = 0 if over else at.state.hands_left()
    shown = sizes if left is None else sizes[: here + left]
    return tuple(Shown(size=size, done=place < here, now=place == here) for place, size in enumerate(shown))


# --- Facts beside a player's name: title, tricks taken and bid, cards left


class SeatFact(NamedTuple):
    """A fact about a player: in words, and as a number with an icon; ``of`` is the bid.

    ``brief`` is a shorter form of the words, where a plate has no room for them.
    """

    text: str
    icon: str = ""
    number: int | None = None
    of: int | None = None
    brief: str = ""


def seat_facts(
    seat: int, described: DescribedHand | None, titles: Sequence[str | None] | None, game: Game
) -> tuple[SeatFact, ...]:
    held = described.get("titles") if described else titles
    title, brief = title_of(seat, held), game.brief_titles.get((held[seat] if held else None) or "")
    facts = [SeatFact(title, brief=pgettext("plate", brief) if brief else title)] if title else []
    won, bid = won_and_bid(seat, described) if described else (None, None)
    if described and won is not None:
        facts.append(SeatFact(tricks_made(seat, described), "tricks", won, bid))
    if bags := bags_in_words(seat, described):
        facts.append(SeatFact(bags, "bags", described["bags"][seat] if described else None))
    if described and any(described["cards_left"]):
        left = described["cards_left"][seat]
        text = filled(ngettext("{left} card", "{left} cards", left), left=left)
        facts.append(SeatFact(text, "cards", left))
    return tuple(facts)


def bags_in_words(seat: int, described: DescribedHand | None) -> str:
    """Describe the bags of a seat's side; empty without any."""
    bags = described.get("bags", ())[seat:][:1] if described else ()
    return filled(ngettext("{bags} bag", "{bags} bags", bags[0]), bags=bags[0]) if any(bags) else ""


def title_of(seat: int, titles: Sequence[str | None] | None) -> str:
    title = titles[seat] if titles else None
    return _(title) if title else ""


def cards_kept(seat: int, described: DescribedHand) -> str:
    left = described["cards_left"][seat]
    return filled(ngettext("{left} card left", "{left} cards left", left), left=left) if left else _("went out first")


def tricks_made(seat: int, described: DescribedHand) -> str:
    """Describe the tricks taken, and the bid; empty if unknown."""
    won, bid = won_and_bid(seat, described)
    if won is None:
        return ""
    if bid is None:
        return filled(ngettext("{won} trick", "{won} tricks", won), won=won)
    return filled(_("{won} of {bid} bid"), won=won, bid=bid)


def won_and_bid(seat: int, described: DescribedHand) -> tuple[int | None, int | None]:
    won, bids = described.get("tricks_won"), described.get("bids")
    return (won[seat] if won else None, bids[seat] if bids else None)


# --- The players' plates and what is in front of them


class BidShown(NamedTuple):
    """A bid, or a placeholder for one still to be made."""

    name: str
    bid: int | None
    acting: bool
    seat: int


def bids(at: Standing, described: HandFacts, hand: Hand | None) -> tuple[BidShown, ...]:
    """Return the bids in bidding order, clockwise from the dealer's left."""
    bidders = hand.bidders() if hand else ()
    made, acting = described.get("bids") or [None] * len(at.names), hand.to_act() if hand else ()
    return tuple(BidShown(at.names[seat], made[seat], seat in acting, seat) for seat in bidders)


class Seat(Shown):
    """A player at the table; ``total`` is ``None`` while points are hidden.

    ``play`` is the last play to the current trick, ``ahead``: it is winning. ``tap`` is the action of a tap on the
    plate; ``entered`` a number that the player has already entered in this hand. ``hidden``: a card was chosen face
    down. ``struck``: the card put aside is canceled by another. ``turned``: it was just turned up, and is shown where
    the first card of the hand will be.
    """


def teams_of(sides: Sequence[tuple[int, ...]], names: Sequence[str]) -> list[Shown | None]:
    """Return each seat's side as a letter, with its partners; ``None`` for players on their own."""
    letters = {side: chr(ord("A") + place) for place, side in enumerate(dict.fromkeys(sides))}
    return [
        Shown(mark=letters[side], partners=listed(names[each] for each in side if each != seat)) if side[1:] else None
        for seat, side in enumerate(sides)
    ]


def seats_of(
    at: Standing,
    described: DescribedHand | None,
    hand: Hand | None,
    acting: Sequence[int],
    known: Mapping[str, Symbol],
    own: int | None,
    *,
    points: bool,
    on_table: TrickShown | None,
    ahead: int | None,
    bids: Sequence[BidShown],
    hidden: Sequence[int],
    titles: Sequence[str | None] | None,
    goes_on: bool,
    taps: Mapping[int, Tap],
) -> tuple[Seat, ...]:
    """Present the players; ``described`` is the hand whose cards are on the table, ``hand`` the one they act in.

    Each has their last play to the trick ``on_table``, which the seat ``ahead`` is winning.
    """
    totals, winners = at.state.totals(), () if goes_on else at.state.winners()
    aside = [_aside(seat, described, at.rules.pack) for seat in range(len(totals))]
    # Cards put aside stay face down until the last player has done so.
    down = any(aside) and not all(aside) and hand is not None and any(ask.secret for ask in hand.asks())
    open_hand = described if not down else None
    trumps = open_hand and open_hand.get("trumps")
    notes = open_hand and open_hand.get("seat_notes")
    plays = {play.seat: play for play in on_table.plays} if on_table else {}
    struck = at.hand.struck_out() if described and at.hand and not plays else ()
    bid_of = {bid.seat: bid for bid in bids}
    somebody, teams = at_table(at.row), teams_of(at.rules.sides, at.names)
    seats = []
    for seat, name in enumerate(at.names):
        play, note = plays.get(seat), notes[seat] if notes else None
        entered = described.get("entered") if described else None
        seats.append(
            Seat(
                number=seat,
                name=name,
                who=somebody[seat],
                total=totals[seat] if points else None,
                facts=seat_facts(seat, described, titles, at.rules.game),
                acting=seat in acting,
                dealer=hand is not None and hand.setup.dealer == seat,
                winner=seat in winners,
                own=seat == own,
                team=teams[seat],
                trump=known.get(trumps[seat] or "") if trumps else None,
                shown=() if down else aside[seat],
                note=_(note) if note else "",
                struck=seat in struck,
                play=play,
                ahead=play is not None and (play.won or seat == ahead),
                bid=bid_of.get(seat),
                hidden=seat in hidden or (down and bool(aside[seat])),
                turned=not down and bool(aside[seat]) and on_table is None,
                tap=taps.get(seat),
                entered=entered[seat] if entered and points else None,
            )
        )
    return tuple(seats)


def seen_from(seats: Sequence[Seat], first: int) -> tuple[Seat, ...]:
    """Arrange seats on the felt clockwise from the upper left, down the right side and up the left one."""
    ranks = (len(seats) + 1) // 2
    right = [("right", rank) for rank in range(1, ranks + 1)]
    left = [("left", rank) for rank in range(len(seats) - ranks, 1, -1)]
    clockwise = (*seats[first:], *seats[:first])
    places = [("left", 1), *right, *left]
    return tuple(
        Seat(**vars(seat), side=side, rank=rank) for seat, (side, rank) in zip(clockwise, places, strict=False)
    )


def _aside(seat: int, described: Mapping[str, object] | None, pack: Pack) -> tuple[Face, ...]:
    """Return the cards a player has laid out face up, whatever the game calls them."""
    facts = described.items() if described else ()
    per_seat = (value for key, value in facts if key.endswith("_cards") and isinstance(value, list))
    codes = (cards[seat] for cards in per_seat if len(cards) > seat)
    return faces_of((code for code in codes if isinstance(code, str)), pack)
