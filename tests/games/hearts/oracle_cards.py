"""The pack, the options and the ways of passing of Hearts, for the second adjudicator."""

from typing import Any

SUITS, RANKS = "SHDC", ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
FULL = [rank + suit for suit in SUITS for rank in RANKS]
HEARTS = {card for card in FULL if card[-1] == "H"}
BURDEN = {*HEARTS, "QS"}
PLAYERS = range(3, 6)
VALUES: dict[str, list[Any]] = {
    "leftover": ["remove", "kitty"], "passing": ["usual", "left", "none"], "pass_count": [3, 1, 2, 4, 5],
    "opening": ["low-club", "left"], "hearts_lead": ["broken", "free"], "breaks": ["heart", "queen"],
    "first_trick": ["clean", "free"], "jack": ["off", "ten"], "moon": ["add", "subtract", "choice", "none"],
    "tie": ["share", "play-on"], "revoke": ["ask", "stand", "hand-zero", "redeal"],
}  # fmt: skip
WAYS = {3: (1, -1, 0), 4: (1, -1, 2, 0), 5: (1, -1, 0)}


def parse_card(text: object) -> str | None:
    code = str(text).strip().upper()
    code = "10" + code[1:] if code.startswith("T") else code
    return code if code in FULL else None


def parse_suit(text: object) -> str | None:
    return text if isinstance(text, str) and text in SUITS else None
