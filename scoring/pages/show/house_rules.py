"""House rules in words, from what the game says of each of them: those of a table, of a decision, of a clause."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _

from referee.engine.catalogue import all_games
from referee.engine.game import Game
from referee.engine.options import Option
from referee.engine.rulebook import Clause
from referee.engine.translation import Phrase
from scoring.models import Precedent
from scoring.models.time_zones import local
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.services.precedents import option_of


def words(option: Option, value: object, players: int | None = None) -> str:
    """Return what the sentence of the house rules says of one; nothing where it goes without saying."""
    worded = option.worded(value, players)
    return PAGE_LANGUAGE.render(worded) if isinstance(worded, Phrase) else PAGE_LANGUAGE.translate(worded)


def changed_in_words(game: Game, changed: Mapping[str, object], players: int) -> tuple[str, ...]:
    """Return the house rules that are others than usual, each in words."""
    return tuple(
        in_words(option, changed[option.key], players) for option in game.all_options() if option.key in changed
    )


def chosen_in_words(chosen: Mapping[str, object]) -> tuple[str, ...]:
    """Return house rules as an event has them, each in words.

    An event does not say its game; the first game that has all of them tells them as every other would.
    """
    for game in all_games():
        options = {option.key: option for option in game.all_options()}
        if all(key in options and options[key].problem(value) is None for key, value in chosen.items()):
            return tuple(in_words(options[key], value) for key, value in chosen.items())
    return tuple(f"{key}: {value}" for key, value in chosen.items())


def changes_in_words(
    game: Game, before: Mapping[str, object], now: Mapping[str, object], players: int
) -> tuple[str, ...]:
    """Return the house rules that are others now than before, each in words."""
    return tuple(
        in_words(option, now[option.key], players)
        for option in game.all_options()
        if before.get(option.key) != now.get(option.key)
    )


def in_words(option: Option, value: object, players: int | None = None) -> str:
    """Return a house rule in words, as the sentence has it or by its label and value."""
    sentence = words(option, value, players)
    return sentence or f"{PAGE_LANGUAGE.translate(option.label)}: {value_text(option, value)}"


def value_text(option: Option, value: object) -> str:
    """Return what players call the value of a house rule."""
    if value in option.values and option.labels:
        return PAGE_LANGUAGE.translate(option.labels[option.values.index(value)])
    return str(value)


class DecidedBefore(NamedTuple):
    """A decision of the group: what was asked, what was decided, since when."""

    question: str
    decision: str
    since: date
    rule: str


def decided_before(found: Iterable[Precedent]) -> tuple[DecidedBefore, ...]:
    """Return decisions as pages show them."""
    return tuple(
        DecidedBefore(each.question, each.decision, local(each.since, each.group.zone).date(), rule_of(each))
        for each in found
    )


class DecidedRule(NamedTuple):
    """A house rule that a group has decided for its tables: in words, since when, and whether a table follows it."""

    rule: str
    since: date
    followed: bool


def decided_rules_shown(
    found: Iterable[Precedent], game: Game, chosen: Mapping[str, object]
) -> tuple[DecidedRule, ...]:
    """Return the house rules that a group has decided, beside what is chosen for a table."""
    usual = {option.key: option.standard for option in game.all_options()}
    return tuple(
        DecidedRule(
            rule_of(each),
            local(each.since, each.group.zone).date(),
            chosen.get(each.option, usual.get(each.option)) == each.value,
        )
        for each in found
    )


def rule_of(each: Precedent) -> str:
    """Return the house rule that a decision sets, in words; nothing where it sets none."""
    option = option_of(each.game, each.option) if each.option else None
    return "" if option is None else in_words(option, each.value)


SETTING = re.compile(r"\b([a-z]+(?:_[a-z]+)*) = ([\w-]+)?")
WRITTEN = {"true": True, "false": False, "none": None}


def rule_text(game: Game, clause: Clause) -> str:
    """Return the text of a clause in the language of the page, as somebody at the table says it."""
    options = {option.key: option for other in (*all_games(), game) for option in other.all_options()}
    options |= {option.key: option for option in game.all_options()}

    def filled(found: re.Match[str]) -> str:
        option = options.get(found[1])
        return found[0] if option is None else _named(option, found[2] or "")

    return SETTING.sub(filled, PAGE_LANGUAGE.translate(clause.text))


def _named(option: Option, written: str) -> str:
    label = PAGE_LANGUAGE.translate(option.label)
    value = next((one for one in option.values if written in (str(one), _written(one))), option)
    if value is option:
        quoted = _("“{label}”").format(label=label)
        return f"{quoted}: {written}".rstrip()
    return _("“{label}: {value}”").format(label=label, value=value_text(option, value))


def _written(value: object) -> str:
    return next((text for text, one in WRITTEN.items() if one is value), "")
