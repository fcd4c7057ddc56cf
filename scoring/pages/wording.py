"""What a log entry says, in one line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from referee.engine.language import OBJECT
from referee.packs import Pack
from scoring.pages.cards import face
from scoring.pages.numbers import signed
from scoring.pages.tongue import TONGUE

PATTERNS = {
    "play": gettext_noop("{seat} plays {cards}"),
    "bid": gettext_noop("{seat} bids {tricks}"),
    "ransom": gettext_noop("{seat} offers {cards} as ransom"),
    "trump": gettext_noop("{seat} names {suit} as trump"),
    "ruling-card": gettext_noop("{seat} shows {cards} as ruling card"),
    "suit": gettext_noop("{seat} names {suit}"),
    "drop-deuce": gettext_noop("Drop a Deuce: {king} gave {given}, got {returned}"),
    "pass": gettext_noop("{seat} passes"),
    "trick": gettext_noop("{winner} wins the trick"),
    "result": gettext_noop("Result: {numbers}"),
    "note": gettext_noop("Note: {text}"),
    "redeal": gettext_noop("Hand void, dealt again{why}"),
    "end": gettext_noop("The game ends here{why}"),
}
COUNTED: dict[str, tuple[str, Callable[[int], str]]] = {
    "penalty": ("points", lambda n: ngettext("{seat}: {points} point{why}", "{seat}: {points} points{why}", abs(n))),
    "transfer": (
        "tricks",
        lambda n: ngettext(
            "{tricks} trick from {from_seat} to {to_seat}{why}", "{tricks} tricks from {from_seat} to {to_seat}{why}", n
        ),
    ),
}
"""Events whose words depend on a number: which one, and how."""
SEATS = ("seat", "king", "winner", "from_seat", "to_seat")
CARDS = ("given", "returned", "last")


def sentence(event: Mapping[str, Any], names: Sequence[str], pack: Pack) -> str:
    """Say what an event records."""
    facts = {key: _fact(key, value, names, pack) for key, value in event.items()}
    numbers = event.get("tricks") or event.get("cards_left") or event.get("points")
    if isinstance(numbers, list):
        pairs = zip(names, numbers, strict=False)
        facts["numbers"] = ", ".join(f"{name} {number}" for name, number in pairs)
    reason = event.get("reason")
    facts["why"] = f" ({reason})" if reason else ""
    if event["type"] == "penalty":
        facts["points"] = signed(event["points"])
    return _pattern(event).format_map(_Blank(facts))


def _pattern(event: Mapping[str, Any]) -> str:
    kind = event["type"]
    if kind in COUNTED:
        key, pattern = COUNTED[kind]
        return pattern(event[key])
    return _(PATTERNS[kind]) if kind in PATTERNS else str(kind)


LEFT_OUT = "–"


class _Blank(dict[str, object]):
    """Facts of an event; one that was left out is a dash."""

    def __missing__(self, key: str) -> object:
        return _Cards((), None)


@dataclass(frozen=True, slots=True)
class _Cards:
    """Cards by their names; a language may ask for a single one with its article, as the object of the sentence."""

    codes: Sequence[str]
    pack: Pack | None

    def __format__(self, form: str) -> str:
        if self.pack is None or not self.codes:
            return LEFT_OUT
        if form == OBJECT and len(self.codes) == 1 and self.codes[0] in self.pack.codes:
            return TONGUE.tell(self.pack.cards[self.pack.codes[self.codes[0]]], OBJECT)
        return ", ".join(face(self.pack, code).name for code in self.codes)


def _fact(key: str, value: Any, names: Sequence[str], pack: Pack) -> object:
    if key == "cards" or key in CARDS:
        return _Cards((value,) if isinstance(value, str) else value or (), pack)
    if value is None:
        return LEFT_OUT
    if key in SEATS and isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    if key in ("suit", "trump"):
        return next((_(suit.name) for suit in pack.suits if suit.code == value), str(value))
    return str(value)
