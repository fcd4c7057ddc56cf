"""What is wrong with an exchange, as the table is told: at once, or since a later card proved it."""

from dataclasses import dataclass

from referee.engine.rulings import Certainty, Irregularity, Oddity, Reason
from referee.games.american_deuce.combinations import name_play
from referee.games.american_deuce.exchange import DEUCE, KING, Wrong
from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.worlds import Exchange

DIRECT = {
    "king-elsewhere": "proved-king-elsewhere",
    "king-in-cabinet": "proved-king-cabinet",
    "denied-deuce-held": "proved-denied-deuce",
    "not-lowest": "proved-not-lowest",
}
"""The sentences of acts contradicted by a card that the same player shows."""
INDIRECT = {
    "king-elsewhere": "since-king-elsewhere",
    "king-in-cabinet": "since-king-in-cabinet",
    "king-not-held": "since-king-not-held",
    "king-not-named": "since-king-not-named",
    "denied-deuce": "since-denied-deuce",
    "denied-deuce-held": "since-denied-deuce-held",
    "not-lowest": "since-not-lowest",
}
"""The sentences of acts that are known to be wrong since something else was shown."""


def cited(code: str, exchange: Exchange, rules: ClimbingRules) -> tuple[str, ...]:
    """Return the clauses that an act of the exchange breaks."""
    if code == KING:
        nobody = ("AD-Q6",) if exchange.king is None else ()
        return ("AD-7", *nobody, *(("AD-Q16",) if rules.two_decks else ()))
    if code == DEUCE:
        return ("AD-8", "AD-7") if exchange.constipated else ("AD-7", "AD-8")
    return ("AD-7", "AD-Q8")


def oddity(wrong: Wrong, exchange: Exchange, rules: ClimbingRules) -> Oddity:
    """Return what shows with the exchange itself."""
    reason = Reason(wrong.code, cited(wrong.code, exchange, rules), facts_of(wrong, rules), wrong.phrase)
    return Oddity(wrong.code, wrong.seat, reason)


def facts_of(wrong: Wrong, rules: ClimbingRules) -> dict[str, object]:
    """Return whose act it is and, for the King of diamonds, the card and who was said to hold it."""
    facts: dict[str, object] = {"seat": wrong.seat}
    if wrong.code == KING:
        facts["card"] = rules.pack.cards[rules.king.bit_length() - 1]
    return facts if wrong.other is None else facts | {"other": wrong.other}


@dataclass(frozen=True, slots=True)
class Shown:
    """The play that proves something: its event, its seat and its cards."""

    event: int
    seat: int
    cards: tuple[int, ...]


def proof(wrong: Wrong, shown: Shown, exchange: Exchange, rules: ClimbingRules, suits: tuple[str, ...]) -> Irregularity:
    """Return the finding that a play has proved an act of the exchange unlawful (REC-17)."""
    facts = facts_of(wrong, rules)
    card = contradicting(wrong, shown, exchange, rules, suits)
    if card is None:
        phrase = INDIRECT[wrong.phrase]
        facts["act"] = name_play([rules.pack.cards[index] for index in shown.cards])
    else:
        phrase = DIRECT[wrong.phrase]
        facts["card"] = rules.pack.cards[card]
    reason = Reason(f"proved-{wrong.code}", (*cited(wrong.code, exchange, rules), "REC-17"), facts, phrase)
    return Irregularity(
        wrong.code, Certainty.PROVED, wrong.seat, (wrong.seat,), exchange.event, None, reason, (shown.event,)
    )


def contradicting(
    wrong: Wrong, shown: Shown, exchange: Exchange, rules: ClimbingRules, suits: tuple[str, ...]
) -> int | None:
    """Return the card that contradicts what the player of it has said, if one alone does."""
    if shown.seat != wrong.seat or wrong.phrase not in DIRECT:
        return None
    if wrong.code == KING:
        telling = rules.king
    elif wrong.code == DEUCE:
        telling = rules.twos
    else:
        telling = 0 if exchange.returned is None else rules.below(suits)[exchange.returned]
    traded = (exchange.given, exchange.returned) if wrong.code != KING else ()
    return next((card for card in shown.cards if telling >> card & 1 and card not in traded), None)
