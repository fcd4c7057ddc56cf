"""The house rules of a new table as a sentence: each word of it can be changed, and only what goes with the others."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.engine.game import Game
from referee.engine.house_rules import Changed, matters, pack_rules, playable, possible
from referee.engine.options import Option
from scoring.pages.show.clauses import ClauseLink, clause_links
from scoring.pages.show.house_rules import words
from scoring.pages.show.translation import PAGE_LANGUAGE


class Choice(NamedTuple):
    """A value to choose: its place in the list of all, what players call it, whether it is chosen or can be."""

    value: str
    label: str
    chosen: bool
    possible: bool


class RuleWord(NamedTuple):
    """A house rule: its words in the sentence, and what there is to choose; ``entered`` is a number as typed."""

    key: str
    field: str
    label: str
    help: str
    text: str
    choices: tuple[Choice, ...]
    span: tuple[int, int] | None
    entered: str
    links: tuple[ClauseLink, ...]
    problems: tuple[str, ...]


class PresetShown(NamedTuple):
    """House rules under a name: its place, whether they are the present ones, and whether so many can play them."""

    place: str
    name: str
    on: bool
    possible: bool


class Sentence(NamedTuple):
    """The sentence: the rules that it tells, those that could be added, how it ends, and which choose the cards."""

    worded: tuple[RuleWord, ...]
    more: tuple[RuleWord, ...]
    until: str
    presets: tuple[PresetShown, ...]
    deck: tuple[RuleWord, ...]


def house_sentence(
    game: Game,
    chosen: Changed,
    players: Sequence[int],
    *,
    entered: Mapping[str, str],
    problems: Mapping[str, Sequence[str]],
    end: tuple[str, object],
) -> Sentence:
    """Put the sentence together for what is chosen, and for the numbers of players that there can still be."""
    shown = [
        _word(game, option, chosen, players, entered.get(option.key, ""), tuple(problems.get(option.key, ())))
        for option in game.all_options()
        if option.key in problems or matters(game, chosen, players, option)
    ]
    return Sentence(
        worded=tuple(word for word in shown if word.text),
        more=tuple(word for word in shown if not word.text),
        until=until(game, *end),
        presets=tuple(_presets(game, chosen, players)),
        deck=tuple(word for word in shown if word.key in pack_rules(game)),
    )


def _word(
    game: Game, option: Option, chosen: Changed, players: Sequence[int], entered: str, problems: tuple[str, ...]
) -> RuleWord:
    value = chosen.get(option.key, option.standard)
    labels = option.labels or tuple(map(str, option.values))
    text = words(option, value) or (f"{PAGE_LANGUAGE.translate(option.label)}: {entered}" if problems else "")
    return RuleWord(
        key=option.key,
        field=f"option-{option.key}",
        label=PAGE_LANGUAGE.translate(option.label),
        help=PAGE_LANGUAGE.translate(option.help),
        text=text,
        choices=tuple(
            Choice(
                str(place),
                PAGE_LANGUAGE.translate(labels[place]),
                one == value,
                one == value or possible(game, chosen, players, option.key, one),
            )
            for place, one in enumerate(option.values)
        ),
        span=option.span,
        entered=entered,
        links=clause_links(game, option.clauses),
        problems=problems,
    )


def until(game: Game, kind: str, value: object) -> str:
    """Say when the table ends, as the end of the sentence."""
    end = next((end for end in game.ends if end.name == kind), game.ends[0])
    if end.until_one and str(value) == "1":
        return PAGE_LANGUAGE.translate(end.until_one)
    return PAGE_LANGUAGE.fill(end.until or end.label, {"value": value if value not in (None, "") else "…"})


def _presets(game: Game, chosen: Changed, players: Sequence[int]) -> list[PresetShown]:
    return [
        PresetShown(
            str(place),
            PAGE_LANGUAGE.translate(preset.name),
            dict(chosen) == dict(preset.options),
            playable(game, preset.options, players),
        )
        for place, preset in enumerate(game.named_rules())
    ]
