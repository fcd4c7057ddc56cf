"""A game taught at the table: its rules one by one, and what can be guessed before the referee says it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from referee.engine.describing import describe_reason
from referee.engine.examples import examples_of
from referee.engine.game import Game
from referee.engine.options import Refused
from referee.engine.rulebook import Clause
from referee.engine.rulings import Reason
from scoring.pages.show.cards import Face, face
from scoring.pages.show.clause_sheet import Example, Fact, clause_sheet, filled_facts, find_clause
from scoring.pages.show.house_rules import rule_text
from scoring.pages.show.question_form import CARDS, FilledForm, fill_in
from scoring.pages.show.translation import PAGE_LANGUAGE


class Guess(NamedTuple):
    """Something to tap: a card or a word; ``right`` says whether the referee says the same."""

    value: str
    face: Face | None
    label: str
    right: bool
    text: str


class Exercise(NamedTuple):
    """What is asked before the referee answers: the cards that are known, and what there is to tap."""

    prompt: str
    facts: tuple[Fact, ...]
    guesses: tuple[Guess, ...]
    taken: Guess | None


class Step(NamedTuple):
    """One rule of the lesson: its clause, an exercise or an example with its answer."""

    number: int
    clause: Clause
    text: str
    holder: Game
    exercise: Exercise | None
    example: Example | None


def lesson(game: Game, guessed: Mapping[int, str]) -> tuple[Step, ...]:
    """Return the steps of a game's lesson; ``guessed`` is what was tapped, by the number of its step."""
    steps = []
    for number, clause_id in enumerate(game.lesson, 1):
        found = find_clause(game, clause_id)
        if found is not None:
            holder, clause = found
            exercise = _exercise(game, clause_id, guessed.get(number, ""))
            example = None if exercise else clause_sheet(game, holder, clause, None).example
            steps.append(Step(number, clause, rule_text(game, clause), holder, exercise, example))
    return tuple(steps)


def _exercise(game: Game, clause: str, guess: str) -> Exercise | None:
    example = next(iter(examples_of(game.id, clause)), None)
    declared = example and game.question(example.question)
    if example is None or not declared:
        return None
    filled = fill_in(game, declared, example.values, example.options)
    try:
        answer = filled.answer()
    except Refused:
        return None
    known = tuple(filled_facts(filled))
    if "legal" in answer and answer.get("illegal"):
        prompt, guesses = _("Tap a card that may be played."), _cards_to_play(filled, answer)
    elif isinstance(answer.get("winner"), int):
        prompt, guesses = _("Tap the card that wins."), _cards_that_win(filled, answer)
    elif "beats" in answer:
        prompt, guesses = PAGE_LANGUAGE.translate(declared.label), _yes_or_no(filled, answer)
    else:
        return None
    shown = {guess.face.code for guess in guesses if guess.face}
    known = tuple(one for one in known if not shown or {face.code for face in one.faces} != shown)
    return Exercise(prompt, known, guesses, next((one for one in guesses if one.value == guess), None))


def _cards_to_play(filled: FilledForm, answer: Mapping[str, Any]) -> tuple[Guess, ...]:
    why = {one["card"]: one["reason"] for one in answer["illegal"]}
    hand = filled.texts["hand"]
    return tuple(_card(filled, code, code not in why, why.get(code, answer["reason"]), code) for code in hand)


def _cards_that_win(filled: FilledForm, answer: Mapping[str, Any]) -> tuple[Guess, ...]:
    first = next(blank.name for blank in filled.blanks if blank.kind in CARDS)
    return tuple(
        _card(filled, code, place == answer["winner"], answer["reason"], str(place))
        for place, code in enumerate(filled.texts[first])
    )


def _card(filled: FilledForm, code: str, right: bool, reason: Reason | None, value: str) -> Guess:
    drawn = face(filled.rules.pack, code)
    return Guess(value, drawn, drawn.name, right, _text(filled, reason))


def _yes_or_no(filled: FilledForm, answer: Mapping[str, Any]) -> tuple[Guess, ...]:
    text = _text(filled, answer["reason"])
    return (
        Guess("yes", None, _("Yes"), bool(answer["beats"]), text),
        Guess("no", None, _("No"), not answer["beats"], text),
    )


def _text(filled: FilledForm, reason: Reason | None) -> str:
    names = [_("Player {number}").format(number=number + 1) for number in range(filled.game.players[-1])]
    return describe_reason(reason, names, PAGE_LANGUAGE)["text"] if reason else ""
