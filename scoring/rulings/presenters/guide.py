"""A guided ruling as its page shows it: large answers, what is known already, one step back, and what to do now."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from referee.engine.game import Game
from referee.engine.sheet import DescribedRemedy
from referee.guides.case import Guide
from referee.guides.sheet import DescribedGuideAnswer, Guidance, GuideRemedy
from scoring.rulings.reads.disputes import DisputeNow
from scoring.tables.presenters.cards import CitedSentence, clause_links
from scoring.tables.presenters.findings import Remedy, remedies
from scoring.tables.presenters.formats import PAGE_LANGUAGE


@dataclass(frozen=True, slots=True)
class Step:
    """Something that can be tapped: its words, more words, and what the address asks for then."""

    text: str
    more: str
    query: str


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """A question that is answered; ``why`` is what the record or the house rules say of it.

    ``other`` is the answer that somebody who knows better than the record can give instead.
    """

    question: str
    answer: str
    why: str
    other: Step | None


@dataclass(frozen=True, slots=True)
class GuideShown:
    """A guided ruling as far as it has come: the next question with its answers, or the ruling with its remedies.

    ``back`` is the step before; ``models`` the laws of Bridge after which the rules are made; ``first`` the remedy that
    the rules themselves have; ``fields`` what a form has to say to carry a remedy out. Where the record ``disproved``
    the accusation, ``evidence`` tells it act by act.
    """

    title: str
    says: str
    answered: tuple[AnswerShown, ...]
    question: str
    choices: tuple[Step, ...]
    back: str
    ruling: CitedSentence | None
    disproved: bool
    evidence: tuple[CitedSentence, ...]
    models: str
    first: str
    remedies: tuple[Remedy, ...]
    fields: tuple[tuple[str, str], ...]


def guides_shown(guides: Iterable[Guide], about: Mapping[str, str]) -> tuple[Step, ...]:
    translate = PAGE_LANGUAGE.translate
    return tuple(
        Step(translate(guide.title), translate(guide.says), urlencode({**about, "situation": guide.id}))
        for guide in guides
    )


@dataclass(frozen=True, slots=True)
class Decided:
    """An open dispute that a ruling can decide: its words, the address with it or without, whether it does."""

    claim: str
    query: str
    chosen: bool


def disputes_decided(
    disputes: Iterable[DisputeNow], address: Mapping[str, str], about: Mapping[str, str]
) -> tuple[Decided, ...]:
    rest = {key: value for key, value in about.items() if key != "dispute"}
    chosen = about.get("dispute")
    return tuple(
        Decided(
            each.claim.text,
            urlencode({**address, **rest, **({} if chosen == str(each.number) else {"dispute": str(each.number)})}),
            chosen == str(each.number),
        )
        for each in disputes
        if each.is_open
    )


def show_guide(found: Guidance, game: Game, names: Sequence[str], about: Mapping[str, str]) -> GuideShown:
    address = {**about, "situation": found["situation"]}
    answers = {each["id"]: str(each["answer"]) for each in found["answered"] if each["by"] == "you"}
    before = dict(list(answers.items())[:-1])
    question, ruling = found["question"], found["ruling"]
    return GuideShown(
        title=found["title"],
        says=found["says"],
        answered=tuple(_answered(each, address | answers) for each in found["answered"]),
        question="" if question is None else question["text"],
        choices=() if question is None else tuple(
            Step(choice["text"], "", urlencode({**address, **answers, question["id"]: choice["answer"]}))
            for choice in question["choices"]
        ),
        back=urlencode({**address, **before} if answers else about),
        ruling=None if ruling is None else CitedSentence(ruling["text"], clause_links(game, ruling["clauses"])),
        disproved=found["disproved"],
        evidence=tuple(CitedSentence(each["text"], clause_links(game, each["clauses"])) for each in found["evidence"]),
        models=_joined(found["models"]),
        first=found["remedies"][0]["code"] if found["remedies"] else "",
        remedies=remedies([_plain(each) for each in found["remedies"]], game, names),
        fields=(*address.items(), *((f"answer-{name}", answer) for name, answer in answers.items())),
    )  # fmt: skip


def _joined(laws: Sequence[str]) -> str:
    book = laws[0].rpartition(", Law")[0] + ", " if laws else ""
    return ", ".join((*laws[:1], *(law.removeprefix(book) for law in laws[1:])))


def _answered(each: DescribedGuideAnswer, address: Mapping[str, str]) -> AnswerShown:
    others = [choice for choice in each["choices"] if choice["answer"] != each["answer"]]
    better = None
    if each["by"] == "record" and len(others) == 1:
        better = Step(others[0]["text"], "", urlencode({**address, each["id"]: others[0]["answer"]}))
    why = "" if each["reason"] is None else each["reason"]["text"]
    return AnswerShown(each["text"], each["answer_text"], why, better)


def _plain(remedy: GuideRemedy) -> DescribedRemedy:
    described: DescribedRemedy = {
        "code": remedy["code"],
        "title": remedy["title"],
        "text": remedy["text"],
        "clauses": remedy["clauses"],
        "proposed": remedy["proposed"],
        "events": remedy["events"],
        "effect": remedy["effect"],
        "pending": remedy["pending"],
    }
    each = remedy.get("each")
    if each is not None:
        described["each"] = {"events": each["events"], "effect": each["effect"]}
    return described
