"""Questions for games in which a suit can be called with the lead: Ace Trump and Ransom Trump."""

from collections.abc import Sequence
from dataclasses import replace

from referee.engine.questions import Blank, FilledIn, Seen
from referee.engine.shapes import NULL_SUIT
from referee.games.decktet_tricks.suited import SuitedRules
from referee.packs.decktet import EXCUSE
from referee.tricks import questions
from referee.tricks.questions import LEGAL, TRICK, shown, suit_codes

CALLED = "called_suit"


def called(rules: SuitedRules, name: str) -> tuple[Blank, ...]:
    """Form field for the suit called, if the house rule is on (AT-V7)."""
    if not rules.options["called_suit"]:
        return ()
    return (Blank(name, "suit", "Suit called", choices=suit_codes(rules), optional=True),)


def plays(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, object]:
    """Build the payload of a trick; the suit goes with the first card that is not the Excuse (AT-Q9)."""
    payload = questions.plays([blank for blank in blanks if blank.name != CALLED], filled)
    suit = filled.get(CALLED, ())
    for play in [play for play in payload["plays"] if play["cards"] != [EXCUSE]][:1]:
        play |= {"suit": suit[-1]} if suit else {}
    return payload


def trick_blanks(rules: SuitedRules, filled: FilledIn) -> tuple[Blank, ...]:
    return (*questions.trick_blanks(rules, filled), *called(rules, CALLED))


def legal_blanks(rules: SuitedRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Form fields for what may be played; a suit can be called only with a card led."""
    led, *rest = questions.legal_blanks(rules, filled)
    return (led, *(called(rules, "led_suit") if filled.get("led_card") else ()), *rest)


def suit_seen(hand: Seen, *, running: bool = False) -> list[str]:
    """Prefill: the suit called in the last trick."""
    trick = questions.last_trick(hand, running=running)
    suit = trick.get("called_suit") if trick else None
    return [suit] if suit else []


SUITED_TRICK = replace(
    TRICK,
    seen=lambda hand: {**questions.trick_seen(hand), CALLED: suit_seen(hand)},
    blanks=trick_blanks,
    compose=plays,
    help=(*TRICK.help, "Under the house rule Called Suit, the lead names its `suit`."),
    request={**TRICK.request, "plays": shown(suit=NULL_SUIT)},
)
SUITED_LEGAL = replace(
    LEGAL,
    seen=lambda hand: {**questions.legal_seen(hand), "led_suit": suit_seen(hand, running=True)},
    blanks=legal_blanks,
    request={**LEGAL.request, "led_suit": NULL_SUIT},
)
