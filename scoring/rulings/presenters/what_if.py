"""Presenters of what-if: a table as played, and under other rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.game import Changed, Game, matters, possible
from referee.engine.rules import REVOKE, Option
from referee.engine.sheet import DescribedReason
from referee.engine.texts import AND, Listing
from referee.engine.what_if_sheet import DescribedHandThenNow, DescribedWhatIf, PointsThenNow
from referee.packs import Pack
from scoring.tables.presenters.cards import CitedSentence, cited, clause_links, face
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from scoring.tables.presenters.house_rules import in_words, value_text
from scoring.wording import filled

MOST_ASKED = 2
"""Number of links to other rules shown beside a ruling."""
MOST_HANDS = 30
"""Number of hands shown trick by trick."""


def show_what_if(found: DescribedWhatIf, names: Sequence[str], pack: Pack, game: Game) -> dict[str, Any]:
    """Present a table under other rules: a summary, the rules, and the hands that differ.

    ``same`` are the hands without differences, ``more`` further differing hands in brief, ``unknown`` the hands that
    can't be judged.
    """
    options = {option.key: option for option in game.all_options()}
    other = [hand for hand in found["hands"] if _is_shown(hand)]
    same = [str(hand["number"]) for hand in found["hands"] if not _is_shown(hand) and not hand["unknown"]]
    over = found["over_after"]
    return {
        "headline": _headline(found, names),
        "over": over and _("The game would have been over after hand %(number)s.") % {"number": over},
        "rules": [
            (
                changed["label"],
                value_text(options[changed["key"]], changed["then"]),
                value_text(options[changed["key"]], changed["now"]),
                clause_links(game, changed["clauses"]),
            )
            for changed in found["changed"]
        ],
        "totals": () if found["points_hidden"] else _points(found["totals"], names),
        "hands": [_hand(hand, names, pack, game) for hand in other[:MOST_HANDS]],
        "same": PAGE_LANGUAGE.render(Listing(tuple(same), last=AND)) if other else "",
        "more": [(hand["number"], _brief(hand)) for hand in other[MOST_HANDS:]],
        "unknown": _unknown(found) if other else "",
    }


def _is_shown(hand: DescribedHandThenNow) -> bool:
    return bool(hand["changed"] or hand["unscored"] or hand["notes"])


def _headline(found: DescribedWhatIf, names: Sequence[str]) -> str:
    if not any(hand["changed"] or hand["unscored"] for hand in found["hands"]):
        same = found["totals"]["then"] == found["totals"]["now"]
        if same and found["finished"]["then"] == found["finished"]["now"]:
            return _unknown(found) or _("Nothing would have been different.")
    if not any(hand["unknown"] for hand in found["hands"]):
        return _outcome(found, names)
    return filled(_("As far as the cards show: {outcome}"), outcome=_outcome(found, names))


def _unknown(found: DescribedWhatIf) -> str:
    """Describe how many hands can't be judged because cards are missing; empty if none."""
    codes = [hand["unknown"]["code"] for hand in found["hands"] if hand["unknown"]]
    bare, partly = codes.count("known-by-result"), len(codes) - codes.count("known-by-result")
    sentences = []
    if bare:
        text = ngettext(
            "{count} hand has only its result, so we can’t tell.",
            "{count} hands have only their results, so we can’t tell.",
            bare,
        )
        sentences.append(filled(text, count=bare))
    if partly:
        text = ngettext(
            "In {count} hand some cards aren’t known, so we can’t check every trick.",
            "In {count} hands some cards aren’t known, so we can’t check every trick.",
            partly,
        )
        sentences.append(filled(text, count=partly))
    return " ".join(sentences)


def _outcome(found: DescribedWhatIf, names: Sequence[str]) -> str:
    if found["points_hidden"]:
        return _("Points are hidden until the game is over.")
    key = "winners" if found["winners"]["then"] and found["winners"]["now"] else "ahead"
    then, now = (found["winners"] if key == "winners" else found["ahead"]).values()
    if now is None:
        return _("We can’t tell how it would have ended.")
    facts = {"names": _names(now, names), "others": _names(then, names)}
    if key == "winners":
        same, other = _("%(names)s would have won all the same."), _("%(names)s would have won, not %(others)s.")
    else:
        same, other = _("%(names)s would be ahead all the same."), _("%(names)s would be ahead, not %(others)s.")
    return (same if then == now else other) % facts


def _names(seats: object, names: Sequence[str]) -> str:
    listed = tuple(names[seat] for seat in seats) if isinstance(seats, list) else ()
    return PAGE_LANGUAGE.render(Listing(listed, last=AND))


def _points(points: PointsThenNow, names: Sequence[str]) -> list[tuple[str, int | None, int | None]]:
    if points["then"] == points["now"] and set(points["then"]) == {None}:
        return []
    return list(zip(names, points["then"], points["now"], strict=True))


def _hand(hand: DescribedHandThenNow, names: Sequence[str], pack: Pack, game: Game) -> dict[str, Any]:
    """Present a hand that differs; ``broken`` lists irregularities that exist only under the other rules."""

    def sentences(reasons: Sequence[DescribedReason]) -> list[CitedSentence]:
        return [cited(game, reason, pack) for reason in reasons]

    def winner(seat: int | None) -> str:
        return "–" if seat is None else names[seat]

    tricks = []
    for trick in hand["tricks"]:
        now, change = trick["now"], trick["change"]
        tricks.append(
            {
                "number": trick["number"],
                "faces": [face(pack, code) for play in trick["plays"] for code in play.get("cards", ())],
                "then": winner(trick["then"]["winner"]),
                "now": "" if now is None else winner(now["winner"]),
                "change": cited(game, change, pack),
                "why": None if now is None or change is None else cited(game, now["reason"], pack),
            }
        )
    found = hand["irregularities"]
    return {
        "number": hand["number"],
        "brief": _brief(hand),
        "tricks": tricks,
        "points": _points(hand["scores"], names),
        "broken": sentences([each["reason"] for each in found if each["now"] and not each["then"]]),
        "kept": sentences([each["reason"] for each in found if each["then"] and not each["now"]]),
        "notes": sentences(hand["notes"]),
        "unscored": cited(game, hand["unscored"], pack),
    }


def _brief(hand: DescribedHandThenNow) -> str:
    if not hand["judged"] and (hand["unscored"] or not hand["changed"]):
        return _("can’t be judged")
    changed = sum(trick["change"] is not None for trick in hand["tricks"])
    if changed:
        return ngettext("%(count)s trick changes", "%(count)s tricks change", changed) % {"count": changed}
    if hand["unscored"]:
        return _("no score")
    if hand["scores"]["then"] != hand["scores"]["now"]:
        return _("different points")
    return _("other rule breaks") if hand["changed"] else _("dealt differently")


class Suggested(NamedTuple):
    """A what-if question as a link: label, query, and whether it is the current one."""

    label: str
    query: str
    on: bool


def suggested(game: Game, rules: Changed, players: int, chosen: Mapping[str, str]) -> tuple[Suggested, ...]:
    """Suggest what-if questions: without each nonstandard house rule, and each named variant."""
    found = []
    for option in _options(game):
        if option.key in rules and possible(game, rules, (players,), option.key, option.standard_for(players)):
            text = in_words(option, rules[option.key], players)
            label = _("Without: %(rule)s") % {"rule": text}
            found.append((label, {option.key: value_code(option.standard_for(players))}))
    for preset in game.presets:
        same = all(rules.get(key) == value for key, value in preset.options.items())
        if not same and all(possible(game, rules, (players,), key, value) for key, value in preset.options.items()):
            asks = {key: value_code(value) for key, value in preset.options.items()}
            found.append((PAGE_LANGUAGE.translate(preset.name), asks))
    return tuple(Suggested(label, urlencode(asks), asks == dict(chosen)) for label, asks in found)


def rules_behind(game: Game, rules: Changed, players: int, clauses: Iterable[str]) -> tuple[Suggested, ...]:
    """Suggest what-if questions about these clauses: without their house rule, or with another value."""
    about = set(clauses)
    found = []
    for option in _options(game):
        if not about & set(option.clauses):
            continue
        usual = option.standard_for(players)
        if option.key in rules:
            if possible(game, rules, (players,), option.key, usual):
                found.append(Suggested(_("And without this rule?"), urlencode({option.key: value_code(usual)}), False))
            continue
        able = (value for value in option.values if value not in (usual, None))
        other = next((value for value in able if possible(game, rules, (players,), option.key, value)), None)
        if other is not None:
            label = _("And with “%(rule)s”?") % {"rule": value_text(option, other)}
            found.append(Suggested(label, urlencode({option.key: value_code(other)}), False))
    return tuple(found[:MOST_ASKED])


def other_rules_shown(game: Game, rules: Changed, players: int, chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    shown = []
    for option in _options(game):
        now = rules.get(option.key, option.standard_for(players))
        if not matters(game, rules, (players,), option):
            continue
        labels = option.labels or tuple(map(str, option.values))
        choices = tuple(
            (value_code(value), PAGE_LANGUAGE.translate(label), chosen.get(option.key) == value_code(value))
            for value, label in zip(option.values, labels, strict=True)
            if value != now and possible(game, rules, (players,), option.key, value)
        )
        span = option.span_for(players)
        if choices or span:
            label = PAGE_LANGUAGE.translate(option.label)
            entered = chosen.get(option.key, "")
            was = _("as played: %(value)s") % {"value": value_text(option, now)}
            shown.append(
                {
                    "name": option.key,
                    "label": label,
                    "help": PAGE_LANGUAGE.translate(option.help),
                    "was": was,
                    "choices": choices,
                    "span": span,
                    "entered": entered,
                    "links": clause_links(game, option.clauses),
                }
            )
    return shown


def _options(game: Game) -> Iterator[Option]:
    return (option for option in game.all_options() if option.key != REVOKE.key)


def value_code(value: object) -> str:
    """Format an option's value as a query parameter.

    >>> value_code(True), value_code(None), value_code("early"), value_code(7)
    ('true', 'null', 'early', '7')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)
