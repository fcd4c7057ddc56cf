"""Presenter of a standalone question: its blanks, parsed from a query string, and its answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.engine.game import Game
from referee.engine.questions import Blank, Question
from referee.engine.rules import Option, Options, Problem, Refused, Rules
from referee.engine.rulings import Reason, ScoreLine
from referee.packs import Pack
from scoring.tables.presenters.cards import CitedSentence, cited_reason, face, faces_of, find, pad, symbols, symbols_of
from scoring.tables.presenters.felt import PlayShown
from scoring.tables.presenters.formats import PAGE_LANGUAGE, signed, whole
from scoring.tables.presenters.formats import number as plain
from scoring.tables.presenters.forms import MOST_CHIPS, Choice
from scoring.wording import filled, labelled

# --- Parsing a standalone question from a query string, and presenting its blanks
# Nothing here is specific to a game: the blanks are defined by its ``Question``. Every tap adds a card, so the URL
# always holds the whole question and can be shared.

RULE = "rule-"
"""Query prefix of a house rule's key."""
ADD = "add-"
"""Query prefix of a blank's name, for one more card."""
MOST_TEXTS = 110
LONGEST_TEXT = 60
CARDS = ("card", "cards")

Texts = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class FilledForm:
    """A partially filled-in question: rules, blanks, and problems."""

    game: Game
    declared: Question
    rules: Rules
    options: Options
    blanks: tuple[Blank, ...]
    texts: Texts
    problems: tuple[Problem, ...]
    changed: tuple[Option, ...]

    @property
    def complete(self) -> bool:
        return not self.problems and not any(blank.lacks(self.texts) for blank in self.blanks)

    def answer(self) -> dict[str, object]:
        """Ask the game. Raises ``Refused``."""
        answers = self.declared.compose(self.blanks, self.texts)
        return self.game.answer(self.declared.name, {"options": self.options, **answers})

    def address(self, without: tuple[str, int] | None = None) -> str:
        """Encode the question as a query string, optionally without one of its texts."""
        pairs = [
            (name, text)
            for name, texts in self.texts.items()
            for place, text in enumerate(texts)
            if (name, place) != without
        ]
        rules = [(f"{RULE}{option.key}", option_text(self.options[option.key])) for option in self.changed]
        return "?" + urlencode([*pairs, *rules])

    def cited(self, reason: Reason | None) -> CitedSentence | None:
        """Present a reason; players are numbered, since they have no names here."""
        return cited_reason(self.game, reason, [player(seat) for seat in range(self.game.players[-1])])


def player(seat: int) -> str:
    return filled(_("Player {number}"), number=seat + 1)


def read_question(game: Game, question: Question, query: QueryDict) -> FilledForm:
    """Parse a question; invalid parts are added to its problems, or left for the game to refuse."""
    typed: Texts = {}
    for key in {key.removeprefix(ADD) for key in query if not key.startswith(RULE)}:
        entered = (text.strip() for text in (*query.getlist(key), *query.getlist(f"{ADD}{key}")))
        typed[key] = [text[:LONGEST_TEXT] for text in entered if text][:MOST_TEXTS]
    options: dict[str, object] = {}
    for option in game.all_options():
        text = query.get(f"{RULE}{option.key}", "")
        if text and option.span is not None:
            number = whole(text)
            options[option.key] = text[:LONGEST_TEXT] if number is None else number
        elif text:  # an invalid value is left for the game to refuse
            known = (value for value in option.values if option_text(value) == text)
            options[option.key] = next(known, text[:LONGEST_TEXT])
    return fill_in(game, question, typed, options)


def fill_in(game: Game, question: Question, typed: Mapping[str, Sequence[str]], options: Options) -> FilledForm:
    """Fill in a question with texts by blank, under the given house rules."""
    changed = tuple(
        option for option in game.all_options() if options.get(option.key, option.standard) != option.standard
    )
    rules, problems = _rules(game, options)
    blanks = question.blanks(rules, typed)
    texts = {blank.name: _texts(blank, rules, typed.get(blank.name, [])) for blank in blanks}
    blanks = question.blanks(rules, texts)
    kept = {blank.name: texts.get(blank.name, []) for blank in blanks}
    return FilledForm(game, question, rules, options, blanks, kept, tuple(problems), changed)


def _texts(blank: Blank, rules: Rules, typed: Sequence[str]) -> list[str]:
    if blank.kind in CARDS:
        cards = _cards(blank.pack or rules.pack, typed)
        return cards if blank.kind == "cards" else cards[-1:]
    return list(typed) if blank.kind in ("suits", "numbers") else list(typed[-1:])


def _cards(pack: Pack, typed: Iterable[str]) -> list[str]:
    """Parse card codes, entered one at a time or together ("8ms xs, the Huntress")."""
    found: list[str] = []
    for text in typed:
        for part in filter(None, (part.strip() for part in text.replace(";", ",").split(","))):
            words = [part] if find(pack, part) is not None else part.split()
            cards = [find(pack, word) for word in words]
            known = [pack.cards[card].code for card in cards if card is not None]
            found += known if len(known) == len(words) else [part]
    return found[:MOST_TEXTS]


def _rules(game: Game, options: Options) -> tuple[Rules, Sequence[Problem]]:
    """Return the rules for the fewest players that the options allow, or the standard rules and the problems."""
    refused: Sequence[Problem] = ()
    for players in game.players:
        try:
            return game.rules(options, players), ()
        except Refused as why:
            refused = refused or why.problems
    return game.rules({}, game.players[0]), refused


def option_text(value: object) -> str:
    """Format an option's value as a query parameter."""
    return {None: "none", True: "yes", False: "no"}[value] if isinstance(value, bool | None) else str(value)


def show_blanks(question: FilledForm) -> list[dict[str, Any]]:
    """Present the blanks; the pad is open where the next card is expected.

    That is the last incomplete blank for cards, or else the first empty one.
    """
    texts = question.texts
    of_cards = [blank for blank in question.blanks if blank.kind in CARDS]
    wanting = [blank for blank in of_cards if not _full(blank, texts)]
    begun = [blank for blank in wanting if texts[blank.name]]
    takes_next = next((blank.name for blank in [*reversed(begun), *wanting]), "")
    used = {text for blank in of_cards for text in texts[blank.name]}
    return [_shown(question, blank, used) | {"open": blank.name == takes_next} for blank in question.blanks]


def _full(blank: Blank, texts: Texts) -> bool:
    most = 1 if blank.kind == "card" else blank.most
    return 0 < most <= len(texts[blank.name])


def _shown(question: FilledForm, blank: Blank, used: set[str]) -> dict[str, Any]:
    """Present a blank; for cards it also has the fields of a pad.

    ``entered`` are its entries, each with the query without it; ``added`` is the blank as its pad shows it, where a tap
    adds a card. ``entries`` are several numbers or suits of one blank.
    """
    pack, texts = blank.pack or question.rules.pack, question.texts[blank.name]
    laid_out = None
    entered, entries, choices = [], [], []
    values = texts or list(blank.standard)
    match blank.kind:
        case "card" | "cards":
            entered = [
                {"face": face(pack, text), "without": question.address((blank.name, place))}
                for place, text in enumerate(texts)
            ]
            free = [code for code in blank.choices or pack.codes if code not in used]
            if free and (blank.kind == "card" or not _full(blank, question.texts)):
                laid_out = pad(pack, free, keep_places=not blank.choices)
        case "suit":
            known = symbols(pack)
            choices = [Choice(code, known[code].name, known[code]) for code in blank.choices or known]
        case "choice":
            words = map(PAGE_LANGUAGE.translate, blank.words)
            choices = [Choice(value, word) for value, word in zip(blank.choices, words, strict=True)]
        case "number" if blank.most - blank.least < MOST_CHIPS:
            choices = [Choice(str(number), str(number)) for number in range(blank.least, blank.most + 1)]
        case "suits" | "numbers":
            suits = [Choice(suit.code, suit.name) for suit in symbols(pack).values()] if blank.kind == "suits" else []
            entries = [
                {"label": str(place + 1), "value": values[place] if place < len(values) else "", "choices": suits}
                for place in range(len(suits) or blank.count)
            ]
    shown = {
        "name": blank.name,
        "kind": blank.kind,
        "label": blank.label,
        "hint": blank.hint,
        "id": f"ask-{blank.name}",
        "optional": blank.optional,
        "value": values[-1] if values else "",
        "entered": entered,
        "choices": choices,
        "entries": entries,
        "pad": laid_out,
        "taps": True,
        "many": False,
        "least": blank.least,
        "most": blank.most,
    }
    return shown | {"added": shown | {"name": f"{ADD}{blank.name}"}}


# --- The answer to a standalone question: a verdict, the reason with its clauses, and consequences
# The keys are those of the API's responses for any game; unknown ones are ignored, the reason is always shown.


def show_answer(question: FilledForm, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Present the answer: a short verdict, the reason, and the cards and points behind it."""
    pack = question.rules.pack
    plays = _plays(question, answer)
    barred = [
        {"face": face(pack, one["card"]), "sentence": question.cited(one["reason"])}
        for one in answer.get("illegal", ())
    ]
    # A single score line only repeats the reason.
    lines = [line for line in answer.get("lines", ()) if isinstance(line, ScoreLine)]
    return {
        "headline": _headline(answer, plays, len(barred)),
        "sentence": question.cited(answer.get("reason")),
        "plays": plays,
        "facts": _facts(question, answer),
        "lawful": faces_of(answer.get("legal", ()), pack),
        "barred": barred,
        "lines": [(f"{player(line.seat)} {signed(line.points)}", question.cited(line.reason)) for line in lines]
        if len(lines) > 1
        else [],
    }


def _plays(question: FilledForm, answer: Mapping[str, object]) -> list[PlayShown]:
    first = next((blank.name for blank in question.blanks if blank.kind == "cards"), None)
    if first is None or "winner" not in answer or isinstance(answer["winner"], str):
        return []
    pack = question.rules.pack
    return [
        PlayShown(str(place + 1), (face(pack, code),), "", None, place == answer["winner"])
        for place, code in enumerate(question.texts[first])
    ]


def _headline(answer: Mapping[str, Any], plays: Sequence[PlayShown], barred: int) -> str:
    points = _points(answer["points"]) if isinstance(answer.get("points"), int) else ""
    if "beats" in answer:
        return _("Yes") if answer["beats"] else _("No")
    if "legal" in answer:
        lawful = len(answer["legal"])
        if barred:
            return filled(_("{number} of {all} may be played"), number=lawful, all=lawful + barred)
        return _("You may play any of them")
    if "winner" in answer:
        winner = answer["winner"]
        if winner is None:
            return _("No one wins")
        if isinstance(winner, int):
            return filled(_("{card} wins"), card=plays[winner].cards[0].name) if winner < len(plays) else ""
        who = {"leader": _("The leader wins"), "responder": _("The responder wins")}.get(winner, winner)
        return labelled(who, points) if points else who
    if "cards_each" in answer:
        each = answer["cards_each"]
        number = str(each[0]) if len(set(each)) == 1 else ", ".join(map(str, each))
        return filled(ngettext("{cards} card", "{cards} cards", max(each)), cards=number)
    return points


def _points(points: int) -> str:
    return filled(ngettext("{points} point", "{points} points", abs(points)), points=plain(points))


def _facts(question: FilledForm, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    pack = question.rules.pack
    facts: list[tuple[str, object]] = []
    for key, label, none in (
        ("trump", _("Trump now"), pgettext("trump", "none")),
        ("suit", _("Suit"), pgettext("suit", "none")),
    ):
        if key in answer:
            facts.append((label, symbols_of([answer[key] or ""], pack) or none))
    if answer.get("suits"):
        facts.append((_("May be named"), symbols_of(answer["suits"], pack)))
    if answer.get("combination"):
        combination = answer["combination"]
        facts.append((_("Combination"), PAGE_LANGUAGE.render(combination.get("name", combination["kind"]))))
    if answer.get("tricks") is not None:
        facts.append((_("Tricks"), answer["tricks"]))
    if "aside" in answer:
        facts.append((_("Cards set aside"), answer["aside"]))
    if isinstance(answer.get("points"), list) and len(answer.get("lines", ())) <= 1:
        facts += [(player(seat), signed(points)) for seat, points in enumerate(answer["points"])]
    return [
        {"label": label, "suits": what} if isinstance(what, tuple) else {"label": label, "text": str(what)}
        for label, what in facts
    ]
