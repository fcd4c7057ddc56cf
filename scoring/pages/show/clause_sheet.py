"""A clause as it opens over a table: its sentence, how this table plays it, and an example with drawn cards."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from referee.engine.catalogue import all_games
from referee.engine.examples import ShownExample, examples_of
from referee.engine.game import Game
from referee.engine.options import Option, Options, Refused
from referee.engine.questions import Blank
from referee.engine.rulebook import Clause, shared
from referee.engine.rulings import Reason
from referee.engine.translation import capital
from scoring.pages.show.cards import Face, Symbol, face, symbols
from scoring.pages.show.house_rules import rule_text, value_text
from scoring.pages.show.question_answer import Answer, show_answer
from scoring.pages.show.question_form import CARDS, FilledForm, fill_in
from scoring.pages.show.translation import PAGE_LANGUAGE


class RulePlayed(NamedTuple):
    """A house rule as a table plays it: what it is called, what is played, whether that is usual."""

    label: str
    value: str
    usual: bool


class Fact(NamedTuple):
    """What an example was told: its label, and cards, suits or a text."""

    label: str
    faces: tuple[Face, ...]
    suits: tuple[Symbol, ...]
    text: str


class Example(NamedTuple):
    """A question and its answer; ``rules`` are the house rules it needs beside the usual ones, ``ours`` says that
    it was answered by the house rules of the table."""

    question: str
    label: str
    facts: tuple[Fact, ...]
    answer: Answer
    address: str
    rules: tuple[RulePlayed, ...]
    ours: bool


class ClauseSheet(NamedTuple):
    """Everything that the sheet of a clause shows."""

    clause: Clause
    text: str
    holder: Game
    played: tuple[RulePlayed, ...]
    example: Example | None


def find_clause(game: Game, number: str) -> tuple[Game, Clause] | None:
    """Return a clause and the game in whose rulebook it stands: this game before all others."""
    for holder in (game, *all_games()):
        for clause in (*holder.rulebook(), *shared()):
            if clause.id == number:
                return holder, clause
    return None


def clause_sheet(game: Game, holder: Game, clause: Clause, options: Options | None) -> ClauseSheet:
    """Put a clause together; ``options`` are the house rules of a table, as far as they are not the usual ones."""
    about = [option for option in game.all_options() if clause.id in option.clauses]
    played = () if options is None else rules_played(about, options)
    found = [(owner, one) for owner in (game, holder) for one in examples_of(owner.id, clause.id)]
    shown = (_example(owner, one, clause, options if owner is game else None) for owner, one in found)
    return ClauseSheet(
        clause, rule_text(game, clause), holder, played, next((one for one in shown if one is not None), None)
    )


def rules_played(about: Iterable[Option], options: Options) -> tuple[RulePlayed, ...]:
    """Return what is played by these house rules; what follows from the number of players is left out where usual."""
    values = ((option, options.get(option.key, option.standard)) for option in about)
    return tuple(
        RulePlayed(PAGE_LANGUAGE.translate(option.label), value_text(option, value), value == option.standard)
        for option, value in values
        if value is not None or option.values
    )


def _example(game: Game, example: ShownExample, clause: Clause, ours: Options | None) -> Example | None:
    """Return an example under the table’s own rules where they still show the clause, else under those it needs."""
    if ours is not None:
        shown = _answered(game, example, ours, clause.id)
        if shown is not None:
            return shown._replace(ours=True, rules=())
    return _answered(game, example, example.options, None)


def _answered(game: Game, example: ShownExample, options: Options, cited: str | None) -> Example | None:
    question = game.question(example.question)
    if question is None:
        return None
    filled = fill_in(game, question, example.values, options)
    if filled.problems or not filled.complete:
        return None
    try:
        answer = filled.answer()
    except Refused:
        return None
    if cited is not None and cited not in _cited(answer) and cited != example.clauses[0]:
        return None
    return Example(
        question.name,
        PAGE_LANGUAGE.translate(question.label),
        tuple(filled_facts(filled)),
        show_answer(filled, answer),
        filled.address(),
        rules_played(filled.changed, options),
        ours=False,
    )


def _cited(answer: Mapping[str, object]) -> set[str]:
    """Return the clauses that an answer rests on."""
    reason = answer.get("reason")
    return set(reason.clauses) if isinstance(reason, Reason) else set()


def filled_facts(filled: FilledForm) -> Iterable[Fact]:
    """Yield what an example was told, without what its answer draws again."""
    for blank in filled.blanks:
        texts = filled.texts[blank.name]
        if texts and texts != list(blank.standard):
            yield _fact(filled, blank, texts)


def _fact(filled: FilledForm, blank: Blank, texts: list[str]) -> Fact:
    pack = blank.pack or filled.rules.pack
    label = capital(PAGE_LANGUAGE.translate(blank.label))
    if blank.kind in CARDS:
        return Fact(label, tuple(face(pack, code) for code in texts), (), "")
    known = symbols(pack)
    if blank.kind in ("suit", "suits"):
        return Fact(label, (), tuple(known[code] for code in texts if code in known), "")
    return Fact(label, (), (), ", ".join(texts))
