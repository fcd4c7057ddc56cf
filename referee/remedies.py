"""What a table can do about an irregularity; the table decides, the record remembers."""

from collections.abc import Sequence
from typing import Any

from referee.hand import Hand
from referee.rulings import Certainty, Irregularity

TEXTS = {
    "correct": "If the entry is wrong, correct it; nothing is then held against anybody.",
    "stand": "Let it stand and play on.",
    "bridge": "Give up tricks: the revoke trick if it was won, and the next trick won.",
    "hand-zero": "The offender scores nothing for this hand.",
    "penalty": "Agree on a penalty in points.",
    "redeal": "Declare the hand void; the same dealer deals again.",
    "redo-exchange": "Do the exchange again, while the first trick is not over.",
    "take-back": "Take the cards back and play something lawful.",
}
CLAUSES = {
    "correct": ("IR-16",), "stand": ("IR-9",), "bridge": ("IR-4",), "hand-zero": ("IR-4",),
    "penalty": ("REC-13",), "redeal": ("IR-4", "REC-14"), "redo-exchange": ("IR-12",),
    "take-back": ("IR-2", "IR-8", "IR-15"),
}  # fmt: skip


def remedies(found: Irregularity, hand: Hand, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the rules offer, the house rule's proposal marked (RULES section 4.6)."""
    proved = found.certainty is not Certainty.SEEN
    codes = hand.PROVED_REMEDIES if proved else SEEN
    proposed = hand.rules.options.get("revoke") if proved else None
    return [_remedy(code, hand, proposed=code == proposed) for code in codes if _fits(code, found)]


def _fits(code: str, found: Irregularity) -> bool:
    return code != "redo-exchange" or found.code in EXCHANGES


def _remedy(code: str, hand: Hand, *, proposed: bool) -> dict[str, Any]:
    text = hand.REMEDY_TEXTS.get(code, TEXTS[code])
    return {"code": code, "text": text, "clauses": list(CLAUSES[code]), "proposed": proposed}


SEEN = ("stand", "take-back", "penalty", "redeal")
EXCHANGES = ("denied-deuce", "not-lowest", "king-elsewhere")
