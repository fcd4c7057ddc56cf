"""A first trick to play with the referee, as the lesson shows it: what happened, what to tap, why not this."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.engine.asks import Ask
from referee.engine.first_trick import CARDS, LEARNER, FirstTrick, choices, first_deal, first_trick
from referee.engine.game import Game
from referee.engine.rulings import Reason
from referee.engine.sheet import EventData
from referee.packs import Pack
from scoring.pages.show.cards import Face, Symbol, face, symbols
from scoring.pages.show.clauses import CitedSentence, clause_links
from scoring.pages.show.deal_notice import deal_in_words
from scoring.pages.show.event_sentences import sentence
from scoring.pages.show.translation import PAGE_LANGUAGE

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
    says = tuple(_cited(game, reason) for reason in at.hand.instructions())
    return TrickToPlay(
        name=NAMES[LEARNER],
        deal=dealt.sentence if dealt else "",
        hand=tuple(face(pack, code) for code in deal.hands[LEARNER]),
        happened=tuple(_happened(event, pack) for event in at.events),
        taps=at.taps,
        asks=() if at.over else tuple(_ask_shown(at, ask, pack) for ask in at.asks),
        says=() if at.over else says,
        refused=_cited(game, at.why) if at.why else None,
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
        drawn = face(pack, value) if kind in CARDS else None
        suit = known.get(value) if kind == "suit" else None
        label = drawn.name if drawn else suit.name if suit else value
        yield Choice(f"{ask.event}:{value}", value, drawn, suit, label, value in wrong)


def _won(game: Game, at: FirstTrick) -> CitedSentence | None:
    if not at.over:
        return None
    trick = next(trick for trick in at.hand.describe()["tricks"] if trick["winner"] is not None)
    return _cited(game, trick["reason"]) if trick["reason"] else None


def _cited(game: Game, reason: Reason) -> CitedSentence:
    return CitedSentence(reason.sentence(NAMES, PAGE_LANGUAGE), clause_links(game, reason.clauses))
