"""The answer to a single question, as its page shows it: a verdict, the reason with its clauses, and what follows.

The keys are those of the API's answers, whatever the game; an answer that has others still shows its reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.engine.describing import describe_reason
from referee.engine.rulings import Reason, ScoreLine
from scoring.pages.show.cards import Face, Symbol, face, symbols
from scoring.pages.show.clauses import CitedSentence, clause_links
from scoring.pages.show.numbers import number as plain
from scoring.pages.show.numbers import signed
from scoring.pages.show.question_form import FilledForm
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.pages.show.tricks import PlayShown


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
        return _cards(answer["cards_each"])
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


def _cards(each: Sequence[int]) -> str:
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
