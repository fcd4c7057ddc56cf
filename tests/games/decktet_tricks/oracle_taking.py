"""What an event that is taken does to its hand."""

from __future__ import annotations

from tests.games.decktet_tricks.oracle_findings import prove_directly, prove_jointly, seen_finding
from tests.games.decktet_tricks.oracle_hand import Event, Hand
from tests.games.decktet_tricks.oracle_proof import Claim


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    """Change the hand by a taken event; `seen` are the irregularities it shows at once."""
    kind = event["type"]
    for code in seen:
        hand.irregularities.append(seen_finding(hand, event, code))
    if kind == "play":
        take_play(hand, event, seen)
    elif kind == "bid":
        hand.skipped = hand.skipped or hand.phase() != "bidding"
        hand.bids[event["seat"]] = event["tricks"]
    elif kind in ("ransom", "ruling-card"):
        hand.aside[event["seat"]] = event["cards"][0]
        hand.shown.append((hand.position, event["seat"], event["cards"][0]))
    elif kind == "trump":
        hand.named = event["suit"]
    elif kind == "trick":
        take_trick(hand, event)
    elif kind == "result":
        hand.result, hand.last = list(event["tricks"]), event.get("last")
    elif kind == "penalty":
        hand.penalties[event["seat"]] += event["points"]
    elif kind == "transfer":
        hand.transfers.append((event["from_seat"], event["to_seat"], event["tricks"]))
    elif kind in ("redeal", "end"):
        hand.void = hand.void or kind == "redeal" or not hand.finished()
        hand.ended = kind == "end"


def take_trick(hand: Hand, event: Event) -> None:
    """A trick recorded without all of its cards."""
    ways = hand.ways_told(event["winner"], event.get("trump", "untold"))
    if hand.phase() != "play":
        hand.skipped = hand.skipped_by_trick = True
    if hand.open_trick() is None:
        hand.tricks.append({"leader": hand.next_player(), "plays": [], "winner": None})
    trick = hand.tricks[-1]
    hand.close(event["winner"], ways, event.get("trump", "untold"))
    if "trump" in event:
        trick["given"] = event["trump"]
    trick["told"] = True
    hand.last = event.get("last")


def take_play(hand: Hand, event: Event, seen: list[str]) -> None:
    """A card: it joins the trick, perhaps ends it, perhaps asserts or proves something."""
    seat, card = event["seat"], event["cards"][0]
    said = hand.assertion(seat, card)
    trick = hand.open_trick()
    if trick is None:
        trick = {"leader": seat, "plays": [], "winner": None}
        hand.tricks.append(trick)
    play = {"seat": seat, "cards": [card]}
    if event.get("suit"):
        play["suit"] = event["suit"]
    trick["plays"].append(play)
    if card != "?":
        hand.shown.append((hand.position, seat, card))
        hand.hide()
    prove_directly(hand, seat, card)
    if said and said[0] not in seen:
        claim = Claim(said[0], seat, hand.position, len(hand.tricks), said[1])
        hand.claims.append(claim)
    prove_jointly(hand)
    if hand.has_aces() and card[0] == "A":
        hand.see_ace(card[1])
    if len(trick["plays"]) == hand.players:
        close_full(hand, trick)


def close_full(hand: Hand, trick: dict) -> None:
    """A trick to which everybody has played: who won it is known, or has to be told."""
    whole = all(each["cards"] != ["?"] for each in trick["plays"])
    if whole and not (len(hand.stands) > 1 if hand.has_aces() else hand.narrowed):
        winner = hand.resolve(trick["plays"], hand.trump_story()[0][-1])
        hand.close(winner, hand.outcomes())
        return
    ways = hand.outcomes()
    winners = {way[0] for way in ways}
    recorded = hand.recorded[0] if hand.has_aces() else hand.trump_story()[1]
    if whole and recorded in {way[1][0] for way in ways}:
        hand.close(hand.resolve(trick["plays"], hand.trump_story()[0][-1]), ways)
    else:
        hand.close(winners.pop() if len(winners) == 1 else None, ways)
