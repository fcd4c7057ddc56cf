"""A guided ruling as its page shows it: large answers, what is known already, one step back, and what to do now."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlencode

from referee.engine.game import Game
from referee.engine.sheet import DescribedRemedy
from referee.guides.case import Guide
from referee.guides.sheet import DescribedGuideAnswer, Guidance
from scoring.rulings.reads.disputes import DisputeNow
from scoring.tables.presenters.cards import CitedSentence, clause_links
from scoring.tables.presenters.findings import remedies
from scoring.tables.presenters.formats import PAGE_LANGUAGE


def guides_shown(guides: Iterable[Guide], about: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return what can have gone wrong, to choose from: its words, more words, and what the address asks for then."""
    translate = PAGE_LANGUAGE.translate
    return [
        (translate(guide.title), translate(guide.says), urlencode({**about, "situation": guide.id})) for guide in guides
    ]


def disputes_decided(
    disputes: Iterable[DisputeNow], address: Mapping[str, str], about: Mapping[str, str]
) -> list[tuple[str, str, bool]]:
    """Return the open disputes that a ruling may decide: the words, the address with it or without, whether it does."""
    rest = {key: value for key, value in about.items() if key != "dispute"}
    shown = []
    for each in disputes:
        if each.is_open:
            chosen = about.get("dispute") == str(each.number)
            query = urlencode({**address, **rest, **({} if chosen else {"dispute": str(each.number)})})
            shown.append((each.claim.text, query, chosen))
    return shown


def show_guide(found: Guidance, game: Game, names: Sequence[str], about: Mapping[str, str]) -> dict[str, Any]:
    """Return a guided ruling as far as it has come: the next question and its answers, or the ruling and its remedies.

    ``back`` is the step before; ``models`` the laws of Bridge after which the rules are made; ``first`` the remedy that
    the rules themselves have; ``fields`` what a form has to say to carry a remedy out. Where the record ``disproved``
    the accusation, ``evidence`` tells it act by act.
    """
    address = {**about, "situation": found["situation"]}
    answers = {each["id"]: str(each["answer"]) for each in found["answered"] if each["by"] == "you"}
    before = dict(list(answers.items())[:-1])
    question, ruling, models = found["question"], found["ruling"], found["models"]
    # The book of which these are laws is named once.
    book = models[0].rpartition(", Law")[0] + ", " if models else ""
    return {
        "title": found["title"],
        "answered": [_answered(each, address | answers) for each in found["answered"]],
        "question": question and question["text"],
        "choices": []
        if question is None
        else [
            (choice["text"], urlencode({**address, **answers, question["id"]: choice["answer"]}))
            for choice in question["choices"]
        ],
        "back": urlencode({**address, **before} if answers else about),
        "ruling": None if ruling is None else CitedSentence(ruling["text"], clause_links(game, ruling["clauses"])),
        "disproved": found["disproved"],
        "evidence": [CitedSentence(each["text"], clause_links(game, each["clauses"])) for each in found["evidence"]],
        "models": ", ".join((*models[:1], *(law.removeprefix(book) for law in models[1:]))),
        "first": found["remedies"][0]["code"] if found["remedies"] else "",
        "remedies": remedies(cast(list[DescribedRemedy], found["remedies"]), game, names),
        "fields": [*address.items(), *((f"answer-{name}", answer) for name, answer in answers.items())],
    }


def _answered(each: DescribedGuideAnswer, address: Mapping[str, str]) -> dict[str, Any]:
    """Return a question with its answer, and the other one that somebody can give who knows better than the record."""
    others = [choice for choice in each["choices"] if choice["answer"] != each["answer"]]
    other = others[0] if each["by"] == "record" and len(others) == 1 else None
    return {
        "question": each["text"],
        "answer": each["answer_text"],
        "why": each["reason"] and each["reason"]["text"],
        "other": other and (other["text"], urlencode({**address, each["id"]: other["answer"]})),
    }
