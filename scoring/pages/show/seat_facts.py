"""What stands beside a player's name: a title, the tricks taken and bid, the cards left."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.sheet import DescribedHand


class SeatFact(NamedTuple):
    """What a player has made or holds; ``brief`` and ``icon`` say it where there is little room.

    ``by_bid`` says that tricks are told beside those that were bid; ``bar`` shows both, a piece for each trick:
    ``won``, still ``open``, or ``over`` what was bid.
    """

    text: str
    brief: str = ""
    icon: str = ""
    by_bid: bool = False
    bar: tuple[str, ...] = ()


def seat_facts(seat: int, described: DescribedHand) -> list[SeatFact]:
    """Say what a player has made and holds in this hand, as far as the game knows such things."""
    facts = titles_alone(seat, described.get("titles"))
    won, bid = _won_and_bid(seat, described)
    if won is not None:
        brief = str(won) if bid is None else f"{won}/{bid}"
        made = tricks_made(seat, described)
        facts.append(SeatFact(made, brief, "tricks", by_bid=bid is not None, bar=_bar(won, bid)))
    left = described["cards_left"]
    if any(left):
        facts.append(SeatFact(cards_left(seat, described), str(left[seat]), "cards"))
    return facts


def titles_alone(seat: int, titles: Sequence[str | None] | None) -> list[SeatFact]:
    """Say what a player is called in a hand of which nothing is recorded yet."""
    title = title_of(seat, titles)
    return [SeatFact(title)] if title else []


def _bar(won: int, bid: int | None) -> tuple[str, ...]:
    if bid is None:
        return ()
    return ("won",) * min(won, bid) + ("open",) * max(0, bid - won) + ("over",) * max(0, won - bid)


def title_of(seat: int, titles: Sequence[str | None] | None) -> str:
    """Return what a player is called beside the own name, empty where it is nothing."""
    title = titles[seat] if titles else None
    return _(title) if title else ""


def cards_kept(seat: int, described: DescribedHand) -> str:
    """Say how many cards a player has left, where these are what pays."""
    left = described["cards_left"][seat]
    return ngettext("{left} card left", "{left} cards left", left).format(left=left) if left else _("went out")


def tricks_made(seat: int, described: DescribedHand) -> str:
    """Say how many tricks a player took, and of how many bid; empty where there are none, or nobody knows."""
    won, bid = _won_and_bid(seat, described)
    if won is None:
        return ""
    if bid is None:
        return ngettext("{won} trick", "{won} tricks", won).format(won=won)
    return _("{won} of {bid} bid").format(won=won, bid=bid)


def _won_and_bid(seat: int, described: DescribedHand) -> tuple[int | None, int | None]:
    won, bids = described.get("tricks_won"), described.get("bids")
    return (won[seat] if won else None, bids[seat] if bids else None)


def cards_left(seat: int, described: DescribedHand) -> str:
    """Say how many cards a player still holds, or was left with."""
    left = described["cards_left"][seat]
    return ngettext("{left} card", "{left} cards", left).format(left=left)
