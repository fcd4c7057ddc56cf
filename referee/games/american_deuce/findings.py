"""What is wrong with an exchange, as the table is told: at once, since a later card proved it, or no more."""

from typing import NamedTuple

from referee.engine.rulings import Certainty, Irregularity, Reason, Withdrawn
from referee.games.american_deuce.combinations import name_play
from referee.games.american_deuce.exchange import DEUCE, KING, Hearing, Wrong

DIRECT = {
    "king-elsewhere": "proved-king-elsewhere",
    "king-in-cabinet": "proved-king-cabinet",
    "denied-deuce-held": "proved-denied-deuce",
    "not-lowest": "proved-not-lowest",
}
"""The sentences of acts contradicted by a card that the same player shows."""
NAMED = "named-"
"""How the phrase of a sentence begins that says on whose naming a finding rests."""


class Shown(NamedTuple):
    """What proves something: its event, its seat and its cards."""

    event: int
    seat: int
    cards: tuple[int, ...]


def seen(wrong: Wrong, hearing: Hearing) -> Irregularity:
    """Return what shows with the exchange itself; who kept silent is known of several together (REC-18)."""
    return _found(wrong, hearing, Certainty.SEEN, wrong.code, wrong.phrase, {}, ())


def proof(wrong: Wrong, shown: Shown, hearing: Hearing) -> Irregularity:
    """Return the finding that a play has proved an act of the exchange unlawful (REC-17)."""
    cards = hearing.rules.pack.cards
    card = contradicting(wrong, shown, hearing)
    if card is None:
        facts: dict[str, object] = {"act": name_play([cards[index] for index in shown.cards])}
        phrase = f"since-{wrong.phrase}"
    else:
        facts, phrase = {"card": cards[card]}, DIRECT[wrong.phrase]
    return _found(wrong, hearing, Certainty.PROVED, f"proved-{wrong.code}", phrase, facts, (shown.event,))


def _found(
    wrong: Wrong,
    hearing: Hearing,
    certainty: Certainty,
    code: str,
    phrase: str,
    facts: dict[str, object],
    proved_by: tuple[int, ...],
) -> Irregularity:
    event, (first, *others) = hearing.exchange.event, wrong.suspects
    joint = bool(others)
    king = hearing.rules.pack.cards[hearing.rules.king.bit_length() - 1]
    told: dict[str, object] = {"seat": first, "other": wrong.other, "card": king, "king": king}
    given = hearing.exchange.given
    if given is not None:
        told["given"] = hearing.rules.pack.cards[given]
    if joint:
        certainty, proved_by, told["seats"] = Certainty.JOINT, proved_by or (event,), wrong.suspects
    more = {Certainty.SEEN: (), Certainty.PROVED: ("REC-17",), Certainty.JOINT: ("REC-18",)}[certainty]
    reason = Reason(
        code, (*cited(wrong.code, hearing), *more), told | facts, f"named-{phrase}" if wrong.named else phrase
    )
    seat = None if joint else first
    claims = (event,) if joint else ()
    return Irregularity(wrong.code, certainty, seat, wrong.suspects, event, None, reason, proved_by, claims)


def cited(code: str, hearing: Hearing) -> tuple[str, ...]:
    """Return the clauses that an act of the exchange breaks."""
    exchange = hearing.exchange
    if code == KING:
        nobody = ("AD-Q6",) if exchange.king is None else ()
        return ("AD-7", *nobody, *(("AD-Q16",) if hearing.rules.two_decks else ()))
    if code == DEUCE:
        return ("AD-8", "AD-7") if exchange.constipated else ("AD-7", "AD-8")
    return ("AD-7", "AD-Q8")


def contradicting(wrong: Wrong, shown: Shown, hearing: Hearing) -> int | None:
    """Return the card that contradicts what the player of it has said, if one alone does."""
    exchange, rules = hearing.exchange, hearing.rules
    if wrong.suspects != (shown.seat,) or wrong.phrase not in DIRECT:
        return None
    if wrong.code == KING:
        telling = rules.king
    elif wrong.code == DEUCE:
        telling = rules.twos
    else:
        telling = 0 if exchange.returned is None else rules.below(hearing.suits)[exchange.returned]
    traded = (exchange.given, exchange.returned) if wrong.code != KING else ()
    return next((card for card in shown.cards if telling >> card & 1 and card not in traded), None)


def withdrawn(found: Irregularity, event: int, hearing: Hearing) -> Withdrawn:
    """Return a finding that a later card has disproved, and why: nothing was owed."""
    king = hearing.rules.pack.cards[hearing.rules.king.bit_length() - 1]
    facts: dict[str, object] = {"seat": hearing.exchange.king, "card": king}
    phrase = "withdrawn-no-two" if hearing.naming_stands() else ""
    return Withdrawn(found, event, Reason("withdrawn", ("AD-7", "AD-8", "REC-17"), facts, phrase))
