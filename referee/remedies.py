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
REVOKES = ("revoke", "trump-led", "joint-revoke")
EXCHANGES = ("denied-deuce", "not-lowest", "king-elsewhere")


def remedies(found: Irregularity, hand: Hand, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the rules offer, the house rule's proposal marked (RULES section 4.6)."""
    if found.certainty is Certainty.SEEN:
        codes = ["stand", "take-back", "penalty", "redeal"]
    elif found.code in REVOKES:
        codes = ["correct", "stand", "bridge", "hand-zero", "penalty", "redeal"]
    elif found.code in EXCHANGES:
        codes = ["correct", "stand", "redo-exchange", "penalty", "redeal"]
    else:
        codes = ["correct", "stand", "penalty", "redeal"]
    proposed = hand.rules.options.get("revoke") if found.code in REVOKES else None
    return [{"code": c, "text": TEXTS[c], "clauses": list(CLAUSES[c]), "proposed": c == proposed} for c in codes]
