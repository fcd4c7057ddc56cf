"""What is asked of each event of Oh Hell, in the order of the codes, and what a taken event does."""

from __future__ import annotations

from collections.abc import Callable

from tests.games.oh_hell.oracle_hand import Claim, Event, Hand, contradict, minimal_claims
from tests.games.oh_hell.oracle_rules import DECK, UNSEEN, parse_card, parse_suit, suit_of

Verdict = tuple[str, str]  # ("impossible" | "irregular", code)
SETTLING = ("note", "penalty", "redeal", "end", "transfer")


def canonical(event: Event) -> Event:
    """The event with aliases resolved; what no card or suit has becomes "" (never taken)."""
    event = dict(event)
    if "cards" in event:
        unseen = [UNSEEN] if event["type"] == "play" else []
        event["cards"] = [card if card in unseen else parse_card(card) or "" for card in event["cards"]]
    for key in ("card", "last"):
        if event.get(key) not in (None, UNSEEN):
            event[key] = parse_card(event[key]) or ""
    for key in ("suit", "trump"):
        if event.get(key) is not None:
            event[key] = parse_suit(event[key]) or ""
    return event


def judge_event(hand: Hand, raw: Event) -> Verdict | None:
    """Take the event (None) or say why it is not taken; a refused event changes nothing."""
    event = canonical(raw)
    for code, test in IMPOSSIBLE:
        if test(hand, event):
            return "impossible", code
    codes = [code for code, test in IRREGULAR if test(hand, event)]
    if codes and raw.get("accepted") is not True:
        return "irregular", codes[0]
    take(hand, event, codes)
    hand.position += 1
    return None


# -- impossible events ---------------------------------------------------------------------------


def hand_finished(hand: Hand, event: Event) -> bool:
    """After the hand is over only settlements are taken."""
    kind = event["type"]
    if kind in ("note", "penalty"):
        return False
    if hand.ended:
        return True
    if hand.void:
        return kind != "end"
    return hand.finished() and kind not in SETTLING


def wrong_phase(hand: Hand, event: Event) -> bool:
    """The event does not belong here."""
    kind, phase = event["type"], hand.phase()
    if kind in SETTLING:
        return False
    if kind == "turn-up":
        return phase != "turn-up"
    if kind == "bid":
        given = event["seat"] in hand.seats and hand.bids[event["seat"]] is not None
        return phase not in ("turn-up", "bidding") or given
    if kind == "play":
        return phase != "play" or not hand.trump_known or hand.waiting()
    if kind in ("trick", "result"):
        half = kind == "result" and hand.open_trick() is not None and not hand.waiting()
        return half or phase != "play"
    return True


def no_such_seat(hand: Hand, event: Event) -> bool:
    named = [event.get(key) for key in ("seat", "winner", "from_seat", "to_seat")]
    return any(seat is not None and seat not in hand.seats for seat in named)


def wrong_count(hand: Hand, event: Event) -> bool:
    return event["type"] == "play" and len(event["cards"]) != 1


def not_in_deck(hand: Hand, event: Event) -> bool:
    """A card the pack lacks; a card turned up or played may be unseen."""
    cards = [card for card in event.get("cards", []) if card != UNSEEN]
    if event.get("last") is not None:
        cards.append(event["last"])
    if event["type"] == "turn-up" and event["card"] != UNSEEN:
        cards.append(event["card"])
    return any(card not in DECK for card in cards)


def already_played(hand: Hand, event: Event) -> bool:
    shown = {card for _, _, card in hand.shown}
    if event["type"] in ("trick", "result"):  # the last card may lie in the trick that is told
        shown -= {play["cards"][0] for play in hand.slots()}
    shown |= hand.lost
    if (
        event["type"] == "play"
        and hand.anything_unseen()
        and not (too_many_cards(hand, event) or not_in_hand(hand, event))
    ):
        card = event["cards"][0]
        if card != UNSEEN and hand.is_hidden(event["seat"], card):
            return True
    return any(card in shown for card in [*event.get("cards", []), event.get("last")])


def too_many_cards(hand: Hand, event: Event) -> bool:
    trick = hand.open_trick()
    if event["type"] != "play" or trick is None:
        return False
    return event["seat"] in [play["seat"] for play in trick["plays"]]


def not_in_hand(hand: Hand, event: Event) -> bool:
    """The entered hands, or the turned card, place the card elsewhere."""
    if event["type"] == "turn-up":
        return event["card"] in hand.entered()
    if event["type"] != "play":
        return False
    seat, card = event["seat"], event["cards"][0]
    if card == UNSEEN:
        return False
    own = hand.known.get(seat)
    return card not in own if own is not None else card in hand.entered() or hand.is_turned(card)


def bad_suit(hand: Hand, event: Event) -> bool:
    """A suit that is none, or that the card or the state of the hand does not allow."""
    kind = event["type"]
    if kind == "play":
        return event.get("suit") is not None
    if kind == "turn-up":
        card, suit = event["card"], event.get("suit")
        if card == UNSEEN:
            return not suit or not hand.nowhere_else(suit)
        return suit is not None and suit != suit_of(card)
    if kind != "trick" or "trump" not in event:
        return False
    trump = event["trump"]
    if hand.trump_known:
        return trump != hand.trump
    return not trump or not hand.nowhere_else(trump)


def bad_bid(hand: Hand, event: Event) -> bool:
    """More than all tricks, or fewer than none."""
    return event["type"] == "bid" and not 0 <= event["tricks"] <= hand.size


def bad_result(hand: Hand, event: Event) -> bool:
    """A result that does not fit the tricks, or a transfer that cannot be."""
    if event["type"] == "transfer":
        giver, taker, number = event["from_seat"], event["to_seat"], event["tricks"]
        return giver == taker or not 0 < number <= hand.tricks_won()[giver]
    if event["type"] == "trick" and hand.open_trick():
        return event["winner"] not in hand.possible_winners()
    if event["type"] != "result":
        return False
    tricks, won = event["tricks"], hand.won_before_transfers()
    if len(tricks) != hand.players or sum(tricks) != hand.size:
        return True
    if any(tricks[seat] < won[seat] for seat in hand.seats):
        return True
    return hand.open_trick() is not None and all(tricks[seat] == won[seat] for seat in hand.possible_winners())


IMPOSSIBLE: list[tuple[str, Callable[[Hand, Event], bool]]] = [
    ("hand-finished", hand_finished),
    ("wrong-phase", wrong_phase),
    ("no-such-seat", no_such_seat),
    ("wrong-count", wrong_count),
    ("not-in-deck", not_in_deck),
    ("already-played", already_played),
    ("too-many-cards", too_many_cards),
    ("not-in-hand", not_in_hand),
    ("bad-suit", bad_suit),
    ("bad-bid", bad_bid),
    ("bad-result", bad_result),
]


# -- irregular events ----------------------------------------------------------------------------


def out_of_turn(hand: Hand, event: Event) -> bool:
    """A play or a bid by another seat than the one to act; bids made together have no turn."""
    if event["type"] == "bid":
        return hand.options["bidding"] == "in-turn" and event["seat"] != hand.next_bidder()
    return event["type"] == "play" and event["seat"] != hand.next_player()


def forbidden_bid(hand: Hand, event: Event) -> bool:
    """The hook: whoever bids last may not make the bids add up to the tricks (OH-5)."""
    if event["type"] != "bid" or not hand.options["hook"] or hand.options["bidding"] == "together":
        return False
    others = [bid for bid in hand.bids if bid is not None]
    return len(others) == hand.players - 1 and sum(others) + event["tricks"] == hand.size


def revoke(hand: Hand, event: Event) -> bool:
    """A card that does not follow, from an entered hand that could."""
    if event["type"] != "play":
        return False
    suit = hand.denied_suit(event["cards"][0])
    return suit is not None and hand.known_to_hold(event["seat"], event["cards"][0], suit)


IRREGULAR: list[tuple[str, Callable[[Hand, Event], bool]]] = [
    ("out-of-turn", out_of_turn),
    ("forbidden-bid", forbidden_bid),
    ("revoke", revoke),
]


# -- taken events --------------------------------------------------------------------------------


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    """Change the hand by a taken event; `seen` are the irregularities it shows at once."""
    kind = event["type"]
    for code in seen:
        hand.irregularities.append(seen_finding(hand, event, code))
    if kind == "play":
        take_play(hand, event, seen)
    elif kind == "turn-up":
        hand.turned = event["card"]
        hand.trump = event["suit"] if event["card"] == UNSEEN else suit_of(event["card"])
        hand.trump_known = True
    elif kind == "bid":
        hand.skipped = hand.skipped or hand.phase() == "turn-up"
        hand.bids[event["seat"]] = event["tricks"]
    elif kind == "trick":
        take_trick(hand, event)
    elif kind == "result":
        hand.result = list(event["tricks"])
    elif kind == "penalty":
        hand.penalties[event["seat"]] += event["points"]
    elif kind == "transfer":
        hand.transfers.append((event["from_seat"], event["to_seat"], event["tricks"]))
    elif kind in ("redeal", "end"):
        hand.void = hand.void or kind == "redeal" or not hand.finished()
        hand.ended = kind == "end"


def take_trick(hand: Hand, event: Event) -> None:
    """A trick recorded without its cards, or closed after some; it may tell a trump that nobody recorded."""
    trick = hand.open_trick()
    if trick is None:
        trick = {"leader": hand.next_player(), "plays": []}
        hand.tricks.append(trick)
    if event.get("trump"):
        hand.trump, hand.trump_known = event["trump"], True
    if trick["plays"]:
        hand.hide(event["winner"])
    trick |= {"winner": event["winner"], "trump": hand.trump}


def take_play(hand: Hand, event: Event, seen: list[str]) -> None:
    """A card: it joins the trick, perhaps ends it, perhaps claims or proves something."""
    seat, card = event["seat"], event["cards"][0]
    denied = hand.denied_suit(card)
    trick = hand.open_trick()
    if trick is None:
        trick = {"leader": seat, "plays": [], "winner": None, "trump": hand.trump}
        hand.tricks.append(trick)
    trick["plays"].append({"seat": seat, "cards": [card]})
    if card != UNSEEN:
        hand.shown.append((hand.position, seat, card))
        hand.narrow()
        prove_directly(hand, seat, card)
    if denied and "revoke" not in seen:
        hand.claims.append(Claim(seat, hand.position, len(hand.tricks), denied))
    prove_jointly(hand)
    if len(trick["plays"]) == hand.players:
        winners = hand.possible_winners()
        if len(winners) == 1:
            (winner,) = winners
            hand.hide(winner)
            trick["winner"] = winner


# -- findings ------------------------------------------------------------------------------------


def seen_finding(hand: Hand, event: Event, code: str) -> dict:
    return {
        "code": code,
        "certainty": "seen",
        "seat": event["seat"],
        "suspects": [event["seat"]],
        "event": [hand.index, hand.position],
        "trick": len(hand.complete()) + 1 if event["type"] == "play" else None,
        "proved_by": [],
    }


def prove_directly(hand: Hand, seat: int, card: str) -> None:
    """Each claim of this seat that the card contradicts becomes a finding, in place of a joint one it was part of."""
    for claim in hand.claims:
        if claim.seat != seat or claim.proved or claim.suit != suit_of(card):
            continue
        claim.proved = True
        act = [hand.index, claim.event]
        hand.irregularities = [each for each in hand.irregularities if act not in each.get("claims", [])]
        hand.irregularities.append(
            {
                "code": "revoke",
                "certainty": "proved",
                "seat": seat,
                "suspects": [seat],
                "event": act,
                "trick": claim.trick,
                "proved_by": [[hand.index, hand.position]],
            }
        )


def prove_jointly(hand: Hand) -> None:
    """Open a joint finding when the claims left cannot all be true; nothing is counted after unseen tricks."""
    if hand.anything_unseen() or any(each["certainty"] == "joint" for each in hand.irregularities):
        return
    live = [claim for claim in hand.claims if not claim.proved]
    if not live:
        return
    core = minimal_claims(hand.situation(hand.position), live)
    if core is None:
        return
    hand.irregularities.append(
        {
            "code": "joint-revoke",
            "certainty": "joint",
            "seat": None,
            "suspects": sorted({claim.seat for claim in core}),
            "event": [hand.index, core[-1].event],
            "trick": core[-1].trick,
            "proved_by": [[hand.index, first_contradiction(hand, core)]],
            "claims": [[hand.index, claim.event] for claim in core],
        }
    )


def first_contradiction(hand: Hand, core: list[Claim]) -> int:
    """The first event after which these claims contradict one another."""
    positions = range(core[-1].event, hand.position + 1)
    return next(position for position in positions if contradict(hand.situation(position), core))
