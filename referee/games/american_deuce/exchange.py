"""Drop a Deuce: what is irregular in an exchange, and what it claims about the hands (AD-7, AD-8).

The referee sees neither hand. "I have no deuce", "this is my lowest card" and "that one holds the
King" are claims, contradicted by cards the same player shows later; only entered hands, or the
cards of the exchange themselves, show an infraction at once.
"""

from collections.abc import Iterator

from referee.engine.claims import Claim
from referee.engine.rulings import Oddity, Reason
from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.worlds import Evidence, Exchange, acquired

CLAUSES = {
    "king-elsewhere": ("AD-7", "AD-Q16"),
    "denied-deuce": ("AD-8", "AD-7"),
    "not-lowest": ("AD-7", "AD-Q8"),
}


def find_oddities(
    exchange: Exchange, evidence: Evidence, rules: ClimbingRules, suits: tuple[str, ...], *, named: int | None
) -> list[Oddity]:
    """Return what shows at once that the exchange was wrong, in the order it is answered.

    ``named`` is who was said to hold the King, also where that is the President-Elect.
    """
    found = []
    for code, seat, phrase in (
        ("king-elsewhere", king_elsewhere(exchange, evidence, rules, named=named), ""),
        ("denied-deuce", *denied_deuce(exchange, evidence, rules)),
        ("not-lowest", not_lowest(exchange, evidence, rules, suits), ""),
    ):
        if seat is not None:
            reason = Reason(code, CLAUSES[code], {"seat": seat}, phrase)
            found.append(Oddity(code, seat, reason))
    return found


def king_elsewhere(exchange: Exchange, evidence: Evidence, rules: ClimbingRules, *, named: int | None) -> int | None:
    """Return who shows that the King of diamonds was not where it was said to be."""
    known, president = evidence.known, evidence.president
    hand = None if named is None else known[named]
    lacking = hand is not None and not hand & rules.king
    if exchange.returned is not None and 1 << exchange.returned == rules.king:
        may_be_given = exchange.given == exchange.returned or (exchange.given is None and not lacking)
        if not may_be_given:
            return president
    said = president if named is None else named
    for seat, cards in enumerate(known):
        if seat != said and cards is not None and cards & rules.king:
            return seat
    return named if lacking else None


def denied_deuce(exchange: Exchange, evidence: Evidence, rules: ClimbingRules) -> tuple[int | None, str]:
    """Return whether the King owed a 2 and gave none, or denied one; and how that shows."""
    king, given = exchange.king, exchange.given
    if king is None:
        return None, ""
    if exchange.constipated:
        gave = given is not None and bool(1 << given & rules.twos)
        held = (evidence.known[king] or 0) & rules.twos
        return (king if gave or held else None), "denied-deuce-held"
    return (None if acquired(evidence, evidence.president) & rules.twos else king), ""


def not_lowest(exchange: Exchange, evidence: Evidence, rules: ClimbingRules, suits: tuple[str, ...]) -> int | None:
    """Return whether the President-Elect shows that she gave back another than her lowest card."""
    given, returned = exchange.given, exchange.returned
    if exchange.king is None or exchange.constipated or returned is None:
        return None
    back = given == returned and bool(1 << returned & rules.twos)
    hand = evidence.known[evidence.president] or 0
    lower = hand & below(returned, rules, suits)
    return evidence.president if back or lower else None


def below(card: int, rules: ClimbingRules, suits: tuple[str, ...]) -> int:
    """Return the cards lower than this one: rank, suit, then the plain deck (AD-Q8)."""
    ladder = rules.ladder(suits)
    return rules.pack.mask(ladder[: ladder.index(card)])


def claims(
    exchange: Exchange,
    evidence: Evidence,
    rules: ClimbingRules,
    suits: tuple[str, ...],
    seen: frozenset[str],
) -> Iterator[Claim]:
    """Yield what the exchange asserts of the hands after it (RULES section 6).

    ``seen`` are the codes of infractions that showed at once: of those nothing is claimed.
    """
    event, king, president = exchange.event, exchange.king, evidence.president
    given = 0 if exchange.given is None else 1 << exchange.given
    unseen = int(king is not None and exchange.given is None)
    if "king-elsewhere" not in seen:
        apart = president if king is None else king
        for seat in range(rules.players):
            acquires = king is not None and seat == president
            if seat == apart or (acquires and given & rules.king):
                continue
            excuses = unseen if acquires else 0
            yield Claim(
                seat, event, None, rules.king, "king-elsewhere", CLAUSES["king-elsewhere"][0],
                excuses,
            )  # fmt: skip
    if king is None:
        return
    if exchange.constipated and "denied-deuce" not in seen:
        returned = 0 if exchange.returned is None else 1 << exchange.returned
        twos = rules.twos & ~returned
        excuses = int(exchange.returned is None)
        clause = CLAUSES["denied-deuce"][0]
        yield Claim(king, event, None, twos, "denied-deuce", clause, excuses)
    if not exchange.constipated and "not-lowest" not in seen:
        lower = denied_as_lower(exchange, evidence, rules, suits) & ~given
        clause = CLAUSES["not-lowest"][0]
        yield Claim(president, event, None, lower, "not-lowest", clause, unseen)


def denied_as_lower(exchange: Exchange, evidence: Evidence, rules: ClimbingRules, suits: tuple[str, ...]) -> int:
    """Return the cards the President-Elect denies holding with the card she gave back.

    Where that card was not seen, it is only the lowest she can have held: no card given back
    could then have been lower.
    """
    if exchange.returned is not None:
        return below(exchange.returned, rules, suits)
    given = 0 if exchange.given is None else 1 << exchange.given
    held = evidence.dealt(evidence.president) & ~given
    return next((1 << card for card in rules.ladder(suits) if held >> card & 1), 0)


def contradicted(claim: Claim, evidence: Evidence) -> bool:
    """Return whether the cards this player has shown contradict the claim (REC-17).

    A card acquired unseen excuses one card of the set, if it may have been that card.
    """
    shown = claim.cards & evidence.played[claim.seat]
    if not shown:
        return False
    if not claim.excuses or shown.bit_count() > claim.excuses:
        return True
    return bool(shown & ~acquired(evidence, claim.seat))
