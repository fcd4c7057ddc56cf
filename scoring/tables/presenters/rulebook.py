"""Presenters of rulebooks, of single clauses, and of lessons."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from referee.engine import rulebook
from referee.engine.events import Ask
from referee.engine.first_trick import CARD_KINDS, LEARNER, FirstTrick, choices, first_deal, first_trick
from referee.engine.game import Game, all_games
from referee.engine.rulebook import Clause, ShownExample, examples_of, shared
from referee.engine.rules import Option, Options, Refused
from referee.engine.rulings import Reason
from referee.engine.sheet import EventData
from referee.engine.texts import capital
from referee.packs import Pack
from scoring.tables.presenters.cards import cited_reason, face, faces_of, symbols, symbols_of
from scoring.tables.presenters.felt import deal_in_words
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from scoring.tables.presenters.house_rules import in_words, rule_text, value_text
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.presenters.questions import CARDS, FilledForm, fill_in, show_answer

# --- A single clause: its sentence, how this table plays it, and an example with drawn cards

Shown = dict[str, Any]
"""Template values by name."""


def find_clause(game: Game, number: str) -> tuple[Game, Clause] | None:
    """Return a clause and its game; this game takes precedence."""
    for holder in (game, *all_games()):
        for clause in (*holder.rulebook(), *shared()):
            if clause.id == number:
                return holder, clause
    return None


def clause_sheet(game: Game, holder: Game, clause: Clause, options: Options | None) -> Shown:
    """Present a clause; ``options`` are a table's nonstandard house rules."""
    about = [option for option in game.all_options() if clause.id in option.clauses]
    found = [(owner, one) for owner in (game, holder) for one in examples_of(owner.id, clause.id)]
    shown = (_example(owner, one, clause, options if owner is game else None) for owner, one in found)
    return {
        "clause": clause,
        "text": rule_text(game, clause),
        "holder": holder,
        "played": [] if options is None else rules_played(about, options),
        "example": next(filter(None, shown), None),
    }


def rules_played(about: Iterable[Option], options: Options) -> list[Shown]:
    """Describe the values of options; standard values that depend on the number of players are left out."""
    values = ((option, options.get(option.key, option.standard)) for option in about)
    return [
        {"label": PAGE_LANGUAGE.translate(option.label), "value": value_text(option, value)}
        for option, value in values
        if value is not None or option.values
    ]


def _example(game: Game, example: ShownExample, clause: Clause, ours: Options | None) -> Shown | None:
    """Present an example under the table's rules if they still illustrate the clause, else under its own."""
    if ours is not None:
        shown = _answered(game, example, ours, clause.id)
        if shown is not None:
            return shown | {"ours": True, "rules": []}
    return _answered(game, example, example.options, None)


def _answered(game: Game, example: ShownExample, options: Options, clause: str | None) -> Shown | None:
    """Present a question and its answer; ``rules`` are the nonstandard house rules it needs."""
    question = game.question(example.question)
    if question is None:
        return None
    filled = fill_in(game, question, example.values, options)
    if not filled.complete:
        return None
    try:
        answer = filled.answer()
    except Refused:
        return None
    reason = answer.get("reason")
    rests_on = reason.clauses if isinstance(reason, Reason) else ()
    if clause is not None and clause not in rests_on and clause != example.clauses[0]:
        return None
    return {
        "question": question.name,
        "label": PAGE_LANGUAGE.translate(question.label),
        "facts": list(filled_facts(filled)),
        "answer": show_answer(filled, answer),
        "address": filled.address(),
        "rules": rules_played(filled.changed, options),
    }


def filled_facts(filled: FilledForm) -> Iterator[Shown]:
    """Yield an example's input as cards, suits or text, except what its answer shows."""
    for blank in filled.blanks:
        texts = filled.texts[blank.name]
        if not texts or texts == list(blank.standard):
            continue
        label = capital(PAGE_LANGUAGE.translate(blank.label))
        if blank.kind in CARDS:
            yield {"label": label, "faces": faces_of(texts, blank.pack or filled.rules.pack)}
        elif blank.kind in ("suit", "suits"):
            yield {"label": label, "suits": symbols_of(texts, blank.pack or filled.rules.pack)}
        else:
            yield {"label": label, "text": ", ".join(texts)}


# --- The rulebook: basics first, the rest collapsed, and the table's rules marked

OWN_CHOICE = "default"
OWN_PARTS = 4


def book_parts(
    game: Game, shared: Sequence[str], changed: Mapping[str, object], players: int | None, find: str
) -> list[Shown]:
    """Present the parts of a game's rulebook; with ``find``, only clauses containing all of its words, expanded.

    A part is the game's ``own`` or shared. A clause is our ``own`` choice if the source says nothing; it lists the
    table's house rules that it is about.
    """
    clauses = game.rulebook()
    letters = {clause.id: clause.id.partition("-")[2][:1] for clause in clauses}
    parts = [
        (_("How it is played"), [clause for clause in clauses if letters[clause.id].isdigit()]),
        (_("Variants"), [clause for clause in clauses if letters[clause.id] in "VA"]),
        (_("When someone asks"), [clause for clause in clauses if letters[clause.id] == "Q"]),
        (_("When something goes wrong"), [clause for clause in clauses if letters[clause.id] == "R"]),
        *((_(rulebook.title(name)), list(rulebook.clauses(name))) for name in shared),
    ]
    words = find.casefold().split()
    played: dict[str, list[str]] = {}
    for option in game.all_options():
        if option.key in changed:
            for number in option.clauses:
                played.setdefault(number, []).append(in_words(option, changed[option.key], players))
    shown = []
    for place, (title, held) in enumerate(parts):
        entries = []
        for clause in held:
            text = rule_text(game, clause)
            read = f"{clause.id} {PAGE_LANGUAGE.translate(clause.title)} {text}".casefold()
            if all(word in read for word in words):
                entries.append(
                    {
                        "clause": clause,
                        "text": text,
                        "played": played.get(clause.id, []),
                        "own": clause.basis == OWN_CHOICE,
                        "shown": any(True for _example in examples_of(game.id, clause.id)),
                    }
                )
        if entries:
            is_open = bool(words) or place == 0 or any(entry["played"] for entry in entries)
            shown.append({"title": title, "own": place < OWN_PARTS, "open": is_open, "clauses": entries})
    return shown


# --- A lesson: rules one by one, with exercises


def lesson(game: Game, guessed: Mapping[int, str]) -> Iterator[Shown]:
    """Yield a lesson's steps, each a clause with an exercise or example; ``guessed`` are the taps by step."""
    for number, clause_id in enumerate(game.lesson, 1):
        found = find_clause(game, clause_id)
        if found is not None:
            exercise = _exercise(game, clause_id, guessed.get(number, ""))
            yield clause_sheet(game, *found, None) | {"number": number, "exercise": exercise}


def _exercise(game: Game, clause: str, guess: str) -> Shown | None:
    """Present an exercise: the known cards, and the options to tap."""
    example = next(iter(examples_of(game.id, clause)), None)
    declared = example and game.question(example.question)
    if example is None or not declared:
        return None
    filled = fill_in(game, declared, example.values, example.options)
    try:
        answer: Shown = filled.answer()
    except Refused:
        return None
    if "legal" in answer and answer.get("illegal"):
        prompt = _("Tap a card that may be played.")
        why = {one["card"]: one["reason"] for one in answer["illegal"]}
        guesses = [
            _guess(filled, code, right=code not in why, reason=why.get(code, answer["reason"]), card=code)
            for code in filled.texts["hand"]
        ]
    elif isinstance(answer.get("winner"), int):
        prompt = _("Tap the card that wins.")
        first = next(blank.name for blank in filled.blanks if blank.kind in CARDS)
        guesses = [
            _guess(filled, str(place), right=place == answer["winner"], reason=answer["reason"], card=code)
            for place, code in enumerate(filled.texts[first])
        ]
    elif "beats" in answer:
        prompt = PAGE_LANGUAGE.translate(declared.label)
        guesses = [
            _guess(filled, value, right=bool(answer["beats"]) == beats, reason=answer["reason"], label=label)
            for value, beats, label in (("yes", True, _("Yes")), ("no", False, _("No")))
        ]
    else:
        return None
    shown = {guess["face"].code for guess in guesses if guess["face"]}
    known = [fact for fact in filled_facts(filled) if not shown or {one.code for one in fact.get("faces", ())} != shown]
    taken = next((one for one in guesses if one["value"] == guess), None)
    return {"prompt": prompt, "facts": known, "guesses": guesses, "taken": taken}


def _guess(
    filled: FilledForm, value: str, *, right: bool, reason: Reason | None, card: str = "", label: str = ""
) -> Shown:
    """Present an option, a card or a word; ``right``: the referee agrees."""
    drawn = face(filled.rules.pack, card) if card else None
    why = filled.cited(reason)
    return {
        "value": value,
        "face": drawn,
        "label": drawn.name if drawn else label,
        "right": right,
        "text": why.text if why else "",
    }


# --- A lesson's first trick, played with the referee

NAMES = ("Anna", "Ben", "Clara", "Dominik")
"""Players of a lesson; the learner is the first."""
MOST_TAPS, LONGEST_TAP = 12, 40
"""Maximum number of a lesson's taps, and their maximum length; the rest is ignored."""


def trick_to_play(game: Game, taps: Sequence[str]) -> Shown | None:
    """Present the first trick of a game's lesson after these ``taps``; ``None`` if it has none.

    ``deal`` says how the cards are dealt, ``hand`` are the learner's cards, ``happened`` the plays since. ``asks`` is
    what comes next, with the game's comment, ``refused`` why the last tap was refused; ``won`` why the trick was won,
    once it is over, and ``next`` what to do then.
    """
    deal = first_deal(game.id)
    if deal is None:
        return None
    at = first_trick(game, deal, [tap[:LONGEST_TAP] for tap in taps[:MOST_TAPS]])
    pack, setup = at.hand.rules.pack, at.hand.setup
    dealt = deal_in_words(game, setup, NAMES[setup.dealer])
    says = [cited_reason(game, reason, NAMES) for reason in at.hand.instructions()]
    won = None
    if at.over:
        won = next(trick["reason"] for trick in at.hand.describe()["tricks"] if trick["winner"] is not None)
    return {
        "name": NAMES[LEARNER],
        "deal": dealt.sentence if dealt else "",
        "hand": faces_of(deal.hands[LEARNER], pack),
        "happened": [_happened(event, pack) for event in at.events],
        "taps": at.taps,
        "asks": [] if at.over else [_ask_shown(at, ask, pack) for ask in at.asks],
        "says": [] if at.over else says,
        "refused": cited_reason(game, at.why, NAMES),
        "won": cited_reason(game, won, NAMES),
        "next": says if at.over else [],
    }


def _happened(event: EventData, pack: Pack) -> Shown:
    codes = event.get("cards", ()) or ([event["card"]] if event.get("card") else [])
    own = event.get("seat") == LEARNER
    return {"text": sentence(event, NAMES, pack), "faces": faces_of(codes, pack), "own": own}


def _ask_shown(at: FirstTrick, ask: Ask, pack: Pack) -> Shown:
    """Present an act available to the learner; ``several``: cards can be combined, and ``tap`` submits them.

    An illegal choice that was tapped is ``wrong``.
    """
    known, kind = symbols(pack), ask.fields[0].kind if ask.fields else ""
    wrong = at.wrong.partition(":")[2].split("+") if at.wrong.startswith(f"{ask.event}:") else []
    shown = []
    for value in choices(ask, at.held):
        drawn = face(pack, value) if kind in CARD_KINDS else None
        suit = known.get(value) if kind == "suit" else None
        named = drawn or suit
        shown.append(
            {
                "tap": f"{ask.event}:{value}",
                "value": value,
                "face": drawn,
                "suit": suit,
                "label": named.name if named else value,
                "wrong": value in wrong,
            }
        )
    several = bool(ask.fields) and ask.fields[0].count[1] > 1 and ask.fields[0].usual != 1
    label = PAGE_LANGUAGE.translate(ask.label)
    return {"label": label, "tap": f"{ask.event}:", "choices": shown, "several": several}
