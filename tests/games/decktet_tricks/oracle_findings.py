"""The irregularities of a hand: what was seen, and what later cards prove."""

from __future__ import annotations

from tests.games.decktet_tricks.oracle_hand import Event, Hand
from tests.games.decktet_tricks.oracle_proof import Claim, contradict, minimal_claims


def seen_finding(hand: Hand, event: Event, code: str) -> dict:
    """An accepted irregularity."""
    trick = None
    if event["type"] == "play":
        trick = len(hand.complete()) + 1
    return {
        "code": code,
        "certainty": "seen",
        "seat": event["seat"],
        "suspects": [event["seat"]],
        "event": [hand.index, hand.position],
        "trick": trick,
        "proved_by": [],
    }


def prove_directly(hand: Hand, seat: int, card: str) -> None:
    """Each claim of this seat that the card contradicts becomes a finding."""
    for claim in hand.claims:
        if claim.seat == seat and not claim.proved and card in claim.forbidden:
            claim.proved = True
            finding = {
                "code": claim.code,
                "certainty": "proved",
                "seat": seat,
                "suspects": [seat],
                "event": [hand.index, claim.event],
                "trick": claim.trick,
                "proved_by": [[hand.index, hand.position]],
            }
            hand.irregularities.append(finding)
            close_joint(hand, [hand.index, claim.event])


def close_joint(hand: Hand, position: list[int]) -> None:
    """The direct proof of one of its claims replaces an open joint finding."""
    hand.irregularities = [
        finding
        for finding in hand.irregularities
        if finding["code"] != "joint-revoke" or position not in finding["claims"]
    ]


def prove_jointly(hand: Hand) -> None:
    """Open a joint finding when the claims left cannot all be true."""
    is_open = any(finding["code"] == "joint-revoke" for finding in hand.irregularities)
    if is_open or hand.anything_unseen():
        return
    live = [claim for claim in hand.claims if not claim.proved]
    chosen = minimal_claims(hand.situations(hand.position), live)
    if chosen is None:
        return
    last = chosen[-1]
    hand.irregularities.append(
        {
            "code": "joint-revoke",
            "certainty": "joint",
            "seat": None,
            "suspects": sorted({claim.seat for claim in chosen}),
            "event": [hand.index, last.event],
            "trick": last.trick,
            "proved_by": [[hand.index, first_contradiction(hand, chosen)]],
            "claims": [[hand.index, claim.event] for claim in chosen],
        }
    )


def first_contradiction(hand: Hand, claims: list[Claim]) -> int:
    """The first event after which these claims contradict one another."""
    start = max(claim.event for claim in claims)
    for position in range(start, hand.position + 1):
        if contradict(hand.situations(position), claims):
            return position
    raise AssertionError("they contradict now")
