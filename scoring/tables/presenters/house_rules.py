"""Presenters of house rules: in words, and as a sentence whose words can be changed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from referee.engine.game import Changed, Game, all_games, matters, pack_rules, playable, possible
from referee.engine.rulebook import Clause
from referee.engine.rules import Option
from referee.engine.texts import Phrase
from scoring.models import Precedent
from scoring.models.fields import local
from scoring.rulings.acts.precedents import option_of
from scoring.tables.presenters.cards import clause_links
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from scoring.wording import filled, labelled, quoted

# --- House rules in words: of a table, a decision, or a clause


def words(option: Option, value: object, players: int | None = None) -> str:
    """Describe one house rule's value in the sentence of house rules; empty if it needs no mention."""
    worded = option.worded(value, players)
    return PAGE_LANGUAGE.render(worded) if isinstance(worded, Phrase) else PAGE_LANGUAGE.translate(worded)


def changed_in_words(game: Game, changed: Mapping[str, object], players: int) -> tuple[str, ...]:
    return tuple(
        in_words(option, changed[option.key], players) for option in game.all_options() if option.key in changed
    )


def chosen_in_words(chosen: Mapping[str, object]) -> tuple[str, ...]:
    """Describe the house rules of an event, each in words.

    An event doesn't name its game; any game that has all of its options describes them alike.
    """
    for game in all_games():
        options = {option.key: option for option in game.all_options()}
        if all(key in options and options[key].problem(value) is None for key, value in chosen.items()):
            return tuple(in_words(options[key], value) for key, value in chosen.items())
    return tuple(f"{key}: {value}" for key, value in chosen.items())


def changes_in_words(
    game: Game, before: Mapping[str, object], now: Mapping[str, object], players: int
) -> tuple[str, ...]:
    return changed_in_words(game, {key: now[key] for key in now if before.get(key) != now[key]}, players)


def in_words(option: Option, value: object, players: int | None = None) -> str:
    sentence = words(option, value, players)
    return sentence or labelled(PAGE_LANGUAGE.translate(option.label), value_text(option, value))


def value_text(option: Option, value: object) -> str:
    if value in option.values and option.labels:
        return PAGE_LANGUAGE.translate(option.labels[option.values.index(value)])
    return str(value)


class DecidedBefore(NamedTuple):
    """A decision of the group: question, decision, and date."""

    question: str
    decision: str
    since: date
    rule: str


def decided_before(found: Iterable[Precedent]) -> tuple[DecidedBefore, ...]:
    return tuple(
        DecidedBefore(each.question, each.decision, local(each.since, each.group.zone).date(), rule_of(each))
        for each in found
    )


def decided_rules_shown(
    found: Iterable[Precedent], game: Game, chosen: Mapping[str, object]
) -> list[dict[str, object]]:
    """Describe the house rules a group has decided: in words, since when, and whether a table follows them."""
    usual = {option.key: option.standard for option in game.all_options()}
    return [
        {
            "rule": rule_of(each),
            "since": local(each.since, each.group.zone).date(),
            "followed": chosen.get(each.option, usual.get(each.option)) == each.value,
        }
        for each in found
    ]


def rule_of(each: Precedent) -> str:
    option = option_of(each.game, each.option) if each.option else None
    return "" if option is None else in_words(option, each.value)


SETTING = re.compile(r"\b([a-z]+(?:_[a-z]+)*) = ([\w-]+)?")
WRITTEN = {"true": True, "false": False, "none": None}


def rule_text(game: Game, clause: Clause) -> str:
    """Return a clause's text in the page's language, in plain words."""
    options = {option.key: option for other in (*all_games(), game) for option in other.all_options()}
    options |= {option.key: option for option in game.all_options()}

    def filled(found: re.Match[str]) -> str:
        option = options.get(found[1])
        return found[0] if option is None else _named(option, found[2] or "")

    return SETTING.sub(filled, PAGE_LANGUAGE.translate(clause.text))


def _named(option: Option, written: str) -> str:
    label = PAGE_LANGUAGE.translate(option.label)
    for value in option.values:
        spelt = next((text for text, one in WRITTEN.items() if one is value), "")
        if written in (str(value), spelt):
            return filled(_("“{label}: {value}”"), label=label, value=value_text(option, value))
    return labelled(quoted(label), written).rstrip()


# --- The sentence of house rules for a new table: each word can be changed to any compatible value


def house_sentence(
    game: Game,
    chosen: Changed,
    players: Sequence[int],
    *,
    entered: Mapping[str, str],
    problems: Mapping[str, Sequence[str]],
    end: tuple[str, object],
) -> dict[str, Any]:
    """Build the sentence for the chosen rules and the possible numbers of players.

    ``worded`` are the rules it mentions, ``more`` those that could be added, ``until`` is the end, ``deck`` are options
    that select the cards, and ``presets`` are named sets of rules: whether they are ``on``, and fit the number of
    players.
    """
    shown = [
        _word(game, option, chosen, players, entered.get(option.key, ""), problems.get(option.key, ()))
        for option in game.all_options()
        if option.key in problems or matters(game, chosen, players, option)
    ]
    return {
        "worded": [word for word in shown if word["text"]],
        "more": [word for word in shown if not word["text"]],
        "until": until(game, *end),
        "presets": [
            {
                "place": place,
                "name": PAGE_LANGUAGE.translate(preset.name),
                "on": dict(chosen) == dict(preset.options),
                "possible": playable(game, preset.options, players),
            }
            for place, preset in enumerate(game.named_rules())
        ],
        "deck": [word for word in shown if word["key"] in pack_rules(game)],
    }


def _word(
    game: Game, option: Option, chosen: Changed, players: Sequence[int], entered: str, problems: Sequence[str]
) -> dict[str, Any]:
    """Present an option: its words in the sentence, and its choices; ``entered`` is a number as typed."""
    value = chosen.get(option.key, option.standard)
    labels = option.labels or tuple(map(str, option.values))
    label = PAGE_LANGUAGE.translate(option.label)
    return {
        "key": option.key,
        "field": f"option-{option.key}",
        "label": label,
        "help": PAGE_LANGUAGE.translate(option.help),
        "text": words(option, value)
        or (labelled(label, entered if option.span else value_text(option, value)) if problems else ""),
        "choices": [
            {
                "value": place,
                "label": PAGE_LANGUAGE.translate(labels[place]),
                "chosen": one == value,
                "possible": one == value or possible(game, chosen, players, option.key, one),
            }
            for place, one in enumerate(option.values)
        ],
        "span": option.span,
        "entered": entered,
        "links": clause_links(game, option.clauses),
        "problems": problems,
    }


def until(game: Game, kind: str, value: object) -> str:
    end = next((end for end in game.ends if end.name == kind), game.ends[0])
    if end.until_one and str(value) == "1":
        return PAGE_LANGUAGE.translate(end.until_one)
    return PAGE_LANGUAGE.fill(end.until or end.label, {"value": value if value not in (None, "") else "…"})
