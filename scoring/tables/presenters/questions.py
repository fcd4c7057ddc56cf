"""A single question as its page shows it: its blanks, read from an address, and its answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.engine.game import Game
from referee.engine.questions import Blank, Question
from referee.engine.rules import Option, Options, Problem, Refused, Rules
from referee.engine.rulings import Reason, ScoreLine
from referee.engine.sheet import describe_reason
from referee.packs import Pack
from scoring.tables.presenters.cards import CitedSentence, Face, Pad, Symbol, clause_links, face, find, pad, symbols
from scoring.tables.presenters.felt import PlayShown
from scoring.tables.presenters.formats import PAGE_LANGUAGE, signed
from scoring.tables.presenters.formats import number as plain
from scoring.tables.presenters.forms import MOST_CHIPS, Choice

# --- Reading a single question from an address, and showing its blanks
# Nothing here knows a game: the blanks are those that its ``Question`` names. A card is added by every tap, so
# the address always holds the whole question and can be sent to somebody else.

RULE = "rule-"
"""What stands before the key of a house rule in an address."""
ADD = "add-"
"""What stands before the name of a blank where one more card is added to those it has."""
MOST_TEXTS = 110
LONGEST_TEXT = 60
CARDS = ("card", "cards")

Texts = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class EnteredCard:
    """A card that was entered: its face, and the question without it."""

    face: Face
    without: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A number to type or a suit to choose, one of several of a blank."""

    label: str
    value: str
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class BlankShown:
    """A blank as the page shows it; for cards it has what a pad wants of a field."""

    name: str
    kind: str
    label: str
    hint: str
    id: str
    optional: bool
    value: str = ""
    entered: tuple[EnteredCard, ...] = ()
    choices: tuple[Choice, ...] = ()
    entries: tuple[Entry, ...] = ()
    pad: Pad | None = None
    open: bool = False
    taps: bool = True
    many: bool = False
    least: int = 0
    most: int = 0

    @property
    def added(self) -> "BlankShown":
        """Return the blank as its pad shows it: a tap adds a card, whatever else is sent along."""
        return replace(self, name=f"{ADD}{self.name}")


@dataclass(frozen=True, slots=True)
class FilledForm:
    """A question as far as it is filled in: the rules it is asked under, its blanks, and what is wrong."""

    game: Game
    declared: Question
    rules: Rules
    options: Options
    blanks: tuple[Blank, ...]
    texts: Texts
    problems: tuple[Problem, ...] = ()
    changed: tuple[Option, ...] = field(default=())

    @property
    def complete(self) -> bool:
        """Return whether there is something to answer."""
        return not self.problems and not any(blank.lacks(self.texts) for blank in self.blanks)

    def answer(self) -> dict[str, object]:
        """Put the question to the game; raises ``Refused``."""
        answers = self.declared.compose(self.blanks, self.texts)
        return self.game.answer(self.declared.name, {"options": self.options, **answers})

    def address(self, without: tuple[str, int] | None = None) -> str:
        """Return the question as the query of an address, one text left out where that is named."""
        pairs = [
            (name, text)
            for name, texts in self.texts.items()
            for place, text in enumerate(texts)
            if (name, place) != without
        ]
        rules = [(f"{RULE}{option.key}", option_text(self.options[option.key])) for option in self.changed]
        return "?" + urlencode([*pairs, *rules])


def read_question(game: Game, question: Question, query: QueryDict) -> FilledForm:
    """Read a question; what cannot be read is among its problems, or left for the game to refuse."""
    names = {key.removeprefix(ADD) for key in query if not key.startswith(RULE)}
    typed: Texts = {key: _words([*query.getlist(key), *query.getlist(f"{ADD}{key}")]) for key in names}
    return fill_in(game, question, typed, read_options(query, game))


def fill_in(game: Game, question: Question, typed: Mapping[str, Sequence[str]], options: Options) -> FilledForm:
    """Fill in a question, under these house rules, with texts by the names of its blanks."""
    changed = tuple(
        option for option in game.all_options() if options.get(option.key, option.standard) != option.standard
    )
    rules, problems = _rules(game, options)
    blanks = question.blanks(rules, typed)
    texts = {blank.name: _texts(blank, rules, typed.get(blank.name, [])) for blank in blanks}
    blanks = question.blanks(rules, texts)
    kept = {blank.name: texts.get(blank.name, []) for blank in blanks}
    return FilledForm(game, question, rules, options, blanks, kept, tuple(problems), changed)


def _words(entered: Iterable[str]) -> list[str]:
    """Return the texts of one blank, without the empty ones."""
    return [text.strip()[:LONGEST_TEXT] for text in entered if text.strip()][:MOST_TEXTS]


def _texts(blank: Blank, rules: Rules, typed: Sequence[str]) -> list[str]:
    """Return the entries of a blank: cards by their codes, of single things the last one."""
    if blank.kind in CARDS:
        cards = _cards(blank.pack or rules.pack, typed)
        return cards if blank.kind == "cards" else cards[-1:]
    return list(typed) if blank.kind in ("suits", "numbers") else list(typed[-1:])


def _cards(pack: Pack, typed: Iterable[str]) -> list[str]:
    """Return codes of cards, typed one by one or several together ("8ms xs, the Huntress")."""
    found: list[str] = []
    for text in typed:
        for part in filter(None, (part.strip() for part in text.replace(";", ",").split(","))):
            words = [part] if find(pack, part) is not None else part.split()
            cards = [find(pack, word) for word in words]
            known = [pack.cards[card].code for card in cards if card is not None]
            found += known if len(known) == len(words) else [part]
    return found[:MOST_TEXTS]


def _rules(game: Game, options: Options) -> tuple[Rules, Sequence[Problem]]:
    """Return the rules for the fewest players that the house rules allow, or the plain ones and what is wrong."""
    refused: Sequence[Problem] = ()
    for players in game.players:
        try:
            return game.rules(options, players), ()
        except Refused as why:
            refused = refused or why.problems
    return game.rules({}, game.players[0]), refused


# -- house rules ----------------------------------------------------------------------------


def option_text(value: object) -> str:
    """Return a house rule's value as an address has it."""
    return (
        {None: "none", True: "yes", False: "no"}.get(value, str(value))
        if isinstance(value, bool | None)
        else str(value)
    )


def read_options(query: QueryDict, game: Game) -> dict[str, object]:
    """Return the house rules that an address names; a value that is none of theirs is left to be refused."""
    return {
        option.key: _option(option, query.get(f"{RULE}{option.key}", ""))
        for option in game.all_options()
        if query.get(f"{RULE}{option.key}", "")
    }


def _option(option: Option, text: str) -> object:
    if option.span is not None:
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text[:LONGEST_TEXT]
    return next((value for value in option.values if option_text(value) == text), text[:LONGEST_TEXT])


# -- showing --------------------------------------------------------------------------------


def show_blanks(question: FilledForm) -> list[BlankShown]:
    """Return the blanks as the page shows them; the pad lies open where the next card is expected."""
    open_blank = _open(question)
    used = {text for blank in question.blanks if blank.kind in CARDS for text in question.texts[blank.name]}
    return [_shown(question, blank, used, is_open=blank.name == open_blank) for blank in question.blanks]


def _open(question: FilledForm) -> str:
    """Return the blank that takes the next card: the last that was begun, else the first that is empty."""
    wanting = [blank for blank in question.blanks if blank.kind in CARDS and not _full(blank, question.texts)]
    begun = [blank for blank in wanting if question.texts[blank.name]]
    return next((blank.name for blank in [*reversed(begun), *wanting]), "")


def _full(blank: Blank, texts: Texts) -> bool:
    most = 1 if blank.kind == "card" else blank.most
    return 0 < most <= len(texts[blank.name])


def _shown(question: FilledForm, blank: Blank, used: set[str], *, is_open: bool) -> BlankShown:
    pack, texts = blank.pack or question.rules.pack, question.texts[blank.name]
    laid_out = None
    entered: tuple[EnteredCard, ...] = ()
    if blank.kind in CARDS:
        entered = tuple(
            EnteredCard(face(pack, text), question.address((blank.name, place))) for place, text in enumerate(texts)
        )
        free = [code for code in blank.choices or pack.codes if code not in used]
        if free and (blank.kind == "card" or not _full(blank, question.texts)):
            laid_out = pad(pack, free, keep_places=not blank.choices)
    shown = texts or list(blank.standard)
    return BlankShown(
        name=blank.name,
        kind=blank.kind,
        label=blank.label,
        hint=blank.hint,
        id=f"ask-{blank.name}",
        optional=blank.optional,
        value=shown[-1] if shown else "",
        entered=entered,
        choices=tuple(_choices(blank, pack)),
        entries=tuple(_entries(blank, pack, shown)),
        pad=laid_out,
        open=is_open,
        least=blank.least,
        most=blank.most,
    )


def _choices(blank: Blank, pack: Pack) -> Iterable[Choice]:
    if blank.kind == "suit":
        known = symbols(pack)
        return [Choice(code, known[code].name, known[code]) for code in blank.choices or known]
    if blank.kind == "number" and blank.most - blank.least < MOST_CHIPS:
        return [Choice(str(number), str(number)) for number in range(blank.least, blank.most + 1)]
    return []


def _entries(blank: Blank, pack: Pack, values: Sequence[str]) -> Iterable[Entry]:
    if blank.kind == "suits":
        suits = tuple(Choice(suit.code, suit.name) for suit in symbols(pack).values())
        places = range(len(suits))
        return [Entry(str(place + 1), values[place] if place < len(values) else "", suits) for place in places]
    if blank.kind == "numbers":
        return [Entry(str(n + 1), values[n] if n < len(values) else "") for n in range(blank.count)]
    return []


# --- The answer to a single question, as its page shows it: a verdict, the reason with its clauses, and what follows
# The keys are those of the API's answers, whatever the game; an answer that has others still shows its reason.


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that follows: its label, and suits, or a text."""

    label: str
    text: str = ""
    suits: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Barred:
    """A card that may not be played, and why."""

    face: Face
    sentence: CitedSentence | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question as the page shows it: in a word or two, why, and the cards and points behind it."""

    headline: str
    sentence: CitedSentence | None
    plays: tuple[PlayShown, ...]
    facts: tuple[Fact, ...]
    lawful: tuple[Face, ...]
    barred: tuple[Barred, ...]
    lines: tuple[tuple[str, CitedSentence | None], ...]


def show_answer(question: FilledForm, answer: Mapping[str, Any]) -> Answer:
    """Put together what the page shows."""
    pack = question.rules.pack
    plays = _plays(question, answer)
    barred = tuple(
        Barred(face(pack, one["card"]), _cited(question, one["reason"])) for one in answer.get("illegal", ())
    )
    return Answer(
        headline=_headline(answer, plays, len(barred)),
        sentence=_cited(question, answer.get("reason")),
        plays=plays,
        facts=tuple(_facts(question, answer)),
        lawful=tuple(face(pack, code) for code in answer.get("legal", ())),
        barred=barred,
        lines=tuple(_lines(question, answer.get("lines", ()))),
    )


def _cited(question: FilledForm, reason: Reason | None) -> CitedSentence | None:
    if reason is None:
        return None
    names = [_("Player {number}").format(number=number + 1) for number in range(question.game.players[-1])]
    cited = describe_reason(reason, names, PAGE_LANGUAGE)
    return CitedSentence(cited["text"], clause_links(question.game, cited["clauses"]))


def _plays(question: FilledForm, answer: Mapping[str, object]) -> tuple[PlayShown, ...]:
    """Return the cards that fell, in order, where the answer names one of them the winner."""
    first = next((blank.name for blank in question.blanks if blank.kind == "cards"), None)
    if first is None or "winner" not in answer or isinstance(answer["winner"], str):
        return ()
    pack = question.rules.pack
    return tuple(
        PlayShown(str(place + 1), (face(pack, code),), "", None, place == answer["winner"])
        for place, code in enumerate(question.texts[first])
    )


def _headline(answer: Mapping[str, Any], plays: Sequence[PlayShown], barred: int) -> str:
    """Say the answer in a word or two, where its keys show_answer how."""
    points = answer.get("points")
    if "beats" in answer:
        return _("Yes") if answer["beats"] else _("No")
    if "legal" in answer:
        lawful = len(answer["legal"])
        if barred:
            return _("{number} of {all} may be played").format(number=lawful, all=lawful + barred)
        return _("You may play any of them")
    if "winner" in answer:
        return _winner(answer["winner"], plays, points)
    if "cards_each" in answer:
        return _cards_each(answer["cards_each"])
    if isinstance(points, int):
        return _points(points)
    return ""


def _winner(winner: int | str | None, plays: Sequence[PlayShown], points: object) -> str:
    if winner is None:
        return _("Nobody wins")
    if isinstance(winner, int):
        return _("{card} wins").format(card=plays[winner].cards[0].name) if winner < len(plays) else ""
    who = {"leader": _("The leader wins"), "responder": _("The responder wins")}.get(winner, winner)
    return f"{who}: {_points(points)}" if isinstance(points, int) else who


def _points(points: int) -> str:
    return ngettext("{points} point", "{points} points", abs(points)).format(points=plain(points))


def _cards_each(each: Sequence[int]) -> str:
    """Say how many cards each player gets, in one number where all get as many."""
    number = str(each[0]) if len(set(each)) == 1 else ", ".join(map(str, each))
    return ngettext("{cards} card", "{cards} cards", max(each)).format(cards=number)


def _facts(question: FilledForm, answer: Mapping[str, Any]) -> list[Fact]:
    known = symbols(question.rules.pack)
    facts = []
    for key, label, none in (
        ("trump", _("Trump now"), pgettext("trump", "none")),
        ("suit", _("Suit"), pgettext("suit", "none")),
    ):
        if key in answer:
            suit = known.get(answer[key] or "")
            facts.append(Fact(label, "" if suit else none, (suit,) if suit else ()))
    if answer.get("suits"):
        facts.append(Fact(_("May be named"), suits=tuple(known[code] for code in answer["suits"] if code in known)))
    if answer.get("combination"):
        facts.append(
            Fact(
                _("Combination"), PAGE_LANGUAGE.render(answer["combination"].get("name", answer["combination"]["kind"]))
            )
        )
    if answer.get("tricks") is not None:
        facts.append(Fact(_("Tricks"), str(answer["tricks"])))
    if "aside" in answer:
        facts.append(Fact(_("Cards set aside"), str(answer["aside"])))
    if isinstance(answer.get("points"), list) and len(answer.get("lines", ())) <= 1:
        for seat, points in enumerate(answer["points"]):
            facts.append(Fact(_("Player {number}").format(number=seat + 1), signed(points)))
    return facts


def _lines(question: FilledForm, lines: Sequence[object]) -> list[tuple[str, CitedSentence | None]]:
    """Return the lines of a score sheet; a single one says no more than the reason does."""
    scored = [line for line in lines if isinstance(line, ScoreLine)]
    if len(scored) <= 1:
        return []
    who = [_("Player {number}").format(number=line.seat + 1) for line in scored]
    labels = [f"{name} {signed(line.points)}" for name, line in zip(who, scored, strict=True)]
    return [(label, _cited(question, line.reason)) for label, line in zip(labels, scored, strict=True)]
