"""The rulebook as people read it, a clause as it opens over a table, and a game taught at the table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from referee.engine import rulebook
from referee.engine.events import Ask
from referee.engine.first_trick import CARD_KINDS, LEARNER, FirstTrick, choices, first_deal, first_trick
from referee.engine.game import Game, all_games
from referee.engine.questions import Blank
from referee.engine.rulebook import Clause, ShownExample, examples_of, shared
from referee.engine.rules import Option, Options, Refused
from referee.engine.rulings import Reason
from referee.engine.sheet import EventData, describe_reason
from referee.engine.texts import capital
from referee.packs import Pack
from scoring.tables.presenters.cards import CitedSentence, Face, Symbol, clause_links, face, symbols
from scoring.tables.presenters.felt import deal_in_words
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from scoring.tables.presenters.house_rules import in_words, rule_text, value_text
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.presenters.questions import CARDS, Answer, FilledForm, fill_in, show_answer

# --- A clause as it opens over a table: its sentence, how this table plays it, and an example with drawn cards


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


# --- The rulebook as people read it: what everybody needs first, the rest folded, and what a table plays marked

OWN_CHOICE = "default"
OWN_PARTS = 3


class Entry(NamedTuple):
    """A clause in the book; ``played`` are the house rules of the table that it speaks of, ``own`` that it is ours."""

    clause: Clause
    text: str
    played: tuple[str, ...]
    own: bool
    shown: bool


class Part(NamedTuple):
    """A part of the book, open or folded; ``own`` says that it is this game's, and printed."""

    title: str
    own: bool
    open: bool
    clauses: tuple[Entry, ...]


def book_parts(
    game: Game, shared: Sequence[str], changed: Mapping[str, object], players: int | None, find: str
) -> tuple[Part, ...]:
    """Return the parts of a game's rulebook; with words to find, only the clauses that have all of them, open."""
    clauses = game.rulebook()
    parts = [
        (_("How it is played"), [clause for clause in clauses if _letter(clause).isdigit()], True),
        (_("Variants"), [clause for clause in clauses if _letter(clause) in "VA"], False),
        (_("When somebody asks"), [clause for clause in clauses if _letter(clause) == "Q"], False),
        *((_(rulebook.title(name)), list(rulebook.clauses(name)), False) for name in shared),
    ]
    words = find.casefold().split()
    played = _played(game, changed, players)
    shown = [
        (title, tuple(_entries(game, [clause for clause in held if _has(game, clause, words)], played)), is_open)
        for title, held, is_open in parts
    ]
    return tuple(
        Part(title, place < OWN_PARTS, bool(words) or is_open or any(entry.played for entry in entries), entries)
        for place, (title, entries, is_open) in enumerate(shown)
        if entries
    )


def _letter(clause: Clause) -> str:
    return clause.id.partition("-")[2][:1]


def _has(game: Game, clause: Clause, words: Iterable[str]) -> bool:
    text = f"{clause.id} {PAGE_LANGUAGE.translate(clause.title)} {rule_text(game, clause)}".casefold()
    return all(word in text for word in words)


def _played(game: Game, changed: Mapping[str, object], players: int | None) -> dict[str, list[str]]:
    """Return, by clause, the house rules of a table that are others than usual."""
    found: dict[str, list[str]] = {}
    for option in game.all_options():
        if option.key in changed:
            for clause in option.clauses:
                found.setdefault(clause, []).append(in_words(option, changed[option.key], players))
    return found


def _entries(game: Game, clauses: Iterable[Clause], played: Mapping[str, Sequence[str]]) -> Iterable[Entry]:
    for clause in clauses:
        shown = any(True for _example in examples_of(game.id, clause.id))
        yield Entry(
            clause, rule_text(game, clause), tuple(played.get(clause.id, ())), clause.basis == OWN_CHOICE, shown
        )


# --- A game taught at the table: its rules one by one, and what can be guessed before the referee says it


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


# --- A first trick to play with the referee, as the lesson shows it: what happened, what to tap, why not this

NAMES = ("Anna", "Ben", "Clara", "Dominik")
"""Who plays in a lesson; the first of them is the learner."""
MOST_TAPS, LONGEST_TAP = 12, 40
"""No lesson needs more; whatever else stands in an address is left out."""


class Happened(NamedTuple):
    """Something that happened in the trick, in words and with its cards; ``own``: the learner did it."""

    text: str
    faces: tuple[Face, ...]
    own: bool


class Choice(NamedTuple):
    """Something to tap: a card, a suit or a word; ``wrong`` says that it was tapped and cannot be."""

    tap: str
    value: str
    face: Face | None
    suit: Symbol | None
    label: str
    wrong: bool


class AskShown(NamedTuple):
    """One thing that the learner may do; ``several``: cards may be put together, which ``tap`` then sends."""

    label: str
    tap: str
    choices: tuple[Choice, ...]
    several: bool


class TrickToPlay(NamedTuple):
    """How far the first trick has come.

    ``deal`` says how the cards are dealt, ``hand`` are the learner's, ``happened`` what happened since. ``taps`` are
    those taken so far; ``asks`` is what comes next with what the game says to it, ``refused`` why the last tap was
    not taken; ``won`` why the trick went as it did, once it is over, and ``next`` what has to be done then.
    """

    name: str
    deal: str
    hand: tuple[Face, ...]
    happened: tuple[Happened, ...]
    taps: tuple[str, ...]
    asks: tuple[AskShown, ...]
    says: tuple[CitedSentence, ...]
    refused: CitedSentence | None
    won: CitedSentence | None
    next: tuple[CitedSentence, ...]


def trick_to_play(game: Game, taps: Sequence[str]) -> TrickToPlay | None:
    """Return the first trick of a game's lesson as far as these taps lead; nothing where the game has none."""
    deal = first_deal(game.id)
    if deal is None:
        return None
    at = first_trick(game, deal, [tap[:LONGEST_TAP] for tap in taps[:MOST_TAPS]])
    pack, setup = at.hand.rules.pack, at.hand.setup
    dealt = deal_in_words(game, setup, NAMES[setup.dealer])
    says = tuple(_cited_sentence(game, reason) for reason in at.hand.instructions())
    return TrickToPlay(
        name=NAMES[LEARNER],
        deal=dealt.sentence if dealt else "",
        hand=tuple(face(pack, code) for code in deal.hands[LEARNER]),
        happened=tuple(_happened(event, pack) for event in at.events),
        taps=at.taps,
        asks=() if at.over else tuple(_ask_shown(at, ask, pack) for ask in at.asks),
        says=() if at.over else says,
        refused=_cited_sentence(game, at.why) if at.why else None,
        won=_won(game, at),
        next=says if at.over else (),
    )


def _happened(event: EventData, pack: Pack) -> Happened:
    codes = event.get("cards", ()) or ([event["card"]] if event.get("card") else [])
    return Happened(
        sentence(event, NAMES, pack), tuple(face(pack, code) for code in codes), event.get("seat") == LEARNER
    )


def _ask_shown(at: FirstTrick, ask: Ask, pack: Pack) -> AskShown:
    several = bool(ask.fields) and ask.fields[0].count[1] > 1 and ask.fields[0].usual != 1
    return AskShown(PAGE_LANGUAGE.translate(ask.label), f"{ask.event}:", tuple(_choices(at, ask, pack)), several)


def _choices(at: FirstTrick, ask: Ask, pack: Pack) -> Iterator[Choice]:
    known = symbols(pack)
    kind = ask.fields[0].kind if ask.fields else ""
    wrong = at.wrong.partition(":")[2].split("+") if at.wrong.startswith(f"{ask.event}:") else []
    for value in choices(ask, at.held):
        drawn = face(pack, value) if kind in CARD_KINDS else None
        suit = known.get(value) if kind == "suit" else None
        label = drawn.name if drawn else suit.name if suit else value
        yield Choice(f"{ask.event}:{value}", value, drawn, suit, label, value in wrong)


def _won(game: Game, at: FirstTrick) -> CitedSentence | None:
    if not at.over:
        return None
    trick = next(trick for trick in at.hand.describe()["tricks"] if trick["winner"] is not None)
    return _cited_sentence(game, trick["reason"]) if trick["reason"] else None


def _cited_sentence(game: Game, reason: Reason) -> CitedSentence:
    return CitedSentence(reason.sentence(NAMES, PAGE_LANGUAGE), clause_links(game, reason.clauses))
