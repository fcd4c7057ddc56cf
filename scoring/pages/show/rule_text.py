"""The text of a clause as people read it: a house rule by its name and value, not by the words that programs send."""

import re

from django.utils.translation import gettext as _

from referee.engine.catalogue import all_games
from referee.engine.game import Game
from referee.engine.options import Option
from referee.engine.rulebook import Clause
from scoring.pages.show.house_rules import value_text
from scoring.pages.show.translation import PAGE_LANGUAGE

SETTING = re.compile(r"\b([a-z]+(?:_[a-z]+)*) = ([\w-]+)?")
WRITTEN = {"true": True, "false": False, "none": None}


def rule_text(game: Game, clause: Clause) -> str:
    """Return the text of a clause in the language of the page, as somebody at the table says it."""
    options = {option.key: option for other in (*all_games(), game) for option in other.all_options()}
    options |= {option.key: option for option in game.all_options()}

    def told(found: re.Match[str]) -> str:
        option = options.get(found[1])
        return found[0] if option is None else _named(option, found[2] or "")

    return SETTING.sub(told, PAGE_LANGUAGE.translate(clause.text))


def _named(option: Option, written: str) -> str:
    label = PAGE_LANGUAGE.translate(option.label)
    value = next((one for one in option.values if written in (str(one), _written(one))), option)
    if value is option:
        quoted = _("“{label}”").format(label=label)
        return f"{quoted}: {written}".rstrip()
    return _("“{label}: {value}”").format(label=label, value=value_text(option, value))


def _written(value: object) -> str:
    return next((text for text, one in WRITTEN.items() if one is value), "")
