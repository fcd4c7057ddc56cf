"""What a program asks a guide: the game and its house rules, or a record, and the answers so far."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NotRequired, TypedDict

from referee.engine.bounds import Watch, no_watch
from referee.engine.catalogue import find_game
from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.options import Problem, Refused
from referee.engine.reader import Reader
from referee.engine.records import load_record, read_rules, replay
from referee.engine.rules import Rules
from referee.engine.rulings import Refusal
from referee.engine.shapes import CLOSED, OWN_KEYS, Named, also
from referee.engine.sheet import AnswersSoFar, GameId, OptionData, Situation
from referee.engine.table import TableState, hand_for
from referee.engine.translation import phrase
from referee.engine.what_if import pointing_into
from referee.guides.case import Case, Looked
from referee.guides.reading import Guide, guides_of
from referee.guides.walking import applies


class GuideAsked(TypedDict):
    """What is asked of a guide, with a record or without."""

    situation: Situation
    answers: NotRequired[AnswersSoFar]
    remedy: NotRequired[
        Annotated[
            str,
            "One of the remedies of the ruling: refused where it does not offer it.",
            {"maxLength": 60, "examples": ["note"]},
        ]
    ]


@also(CLOSED | OWN_KEYS)
class GuideOfGame(GuideAsked):
    """A question without a record."""

    game: GameId
    options: NotRequired[OptionData]
    players: NotRequired[Annotated[int, "How many play; as few as can be, where it is not said."]]


@also(CLOSED | OWN_KEYS)
class GuideOfRecord(GuideAsked):
    """A question about a record, which answers some of the questions by itself."""

    record: Annotated[Mapping[str, Any], Named("Record")]
    hand: NotRequired[Annotated[int, "The hand it is about, from 1; the last one, where it is not said."]]


KEYS = ("game", "options", "players", "situation", "answers", "record", "hand", "remedy")
"""All of them, in the order in which a refusal lists them."""


def guides_for(game: Game, rules: Rules) -> list[Guide]:
    """Return the guides that are offered under these house rules."""
    return [guide for guide in guides_of(game).guides.values() if applies(guide, rules)]


def guide_of(game: str, situation: str) -> Guide | None:
    """Return a guide of a game by its id, whatever the house rules."""
    found = find_game(game)
    return None if found is None else guides_of(found).guides.get(situation)


def guides_that_apply(game: Game, rules: Rules, looked: Looked | None) -> list[Guide]:
    """Return the guides for what can have gone wrong at a table, as far as its record tells."""
    return [guide for guide in guides_for(game, rules) if not Case(guide, game, rules, {}, looked).disproof()]


@cache
def guides_listed(game: Game) -> tuple[Guide, ...]:
    """Return the guides that a game offers under some of its house rules."""
    return tuple(guide for guide in guides_of(game).guides.values() if rules_for(game, guide) is not None)


def rules_for(game: Game, guide: Guide) -> Rules | None:
    """Return house rules under which a guide is offered, the usual ones first; ``None`` where there are none."""
    players = game.players[0]
    chosen: list[dict[str, object]] = [{}]
    for option in game.all_options():
        chosen += [{option.key: value} for value in option.values]
    for options in (*chosen, *({**one, **other} for one in chosen for other in chosen)):
        try:
            rules = game.rules(options, players)
        except Refused:
            continue
        if applies(guide, rules):
            return rules
    return None


def find_guide(game: Game, rules: Rules, situation: object) -> Guide:
    """Return a guide by its id; raises ``Refused`` where these house rules have no such guide."""
    if not isinstance(situation, str):
        code = "missing-key" if situation is None else "wrong-type"
        raise Refused([Problem("/situation", code, "The situation’s id is needed here, as a text.")], malformed=True)
    offered = guides_for(game, rules)
    found = next((guide for guide in offered if guide.id == situation), None)
    if found is None:
        known = ", ".join(guide.id for guide in offered)
        detail = phrase("The situations of this game are: {known}.", known=known)
        raise Refused([Problem("/situation", "unknown-situation", detail)])
    return found


def load_case(data: object, watch: Watch = no_watch) -> Case:
    """Read what is asked; raises ``Refused`` with every problem and its JSON pointer, and what ``watch`` raises."""
    reader = Reader()
    payload = reader.mapping(data, "")
    reader.keys(payload, KEYS, "")
    answers = reader.mapping(payload.get("answers", {}), "/answers")
    if "remedy" in payload:
        reader.text(payload["remedy"], "/remedy")
    reader.check()
    with_record = "record" in payload
    for key in ("game", "options", "players") if with_record else ("hand",):
        if key in payload:
            detail = "The record says this already." if with_record else "Without a record there is no hand."
            reader.shape(f"/{key}", detail, "unknown-key")
    if not with_record and "game" not in payload:
        reader.shape("/game", "The game’s id is needed here, as a text.", "missing-key")
    reader.check()
    return _of_record(payload, answers, watch) if with_record else _of_game(reader, payload, answers)


def _of_game(reader: Reader, payload: Mapping[str, object], answers: Mapping[str, object]) -> Case:
    name = reader.text(payload["game"], "/game")
    known = find_game(name or "")
    fewest = known.players[0] if known else 0
    players = reader.integer(payload["players"], "/players") if "players" in payload else fewest
    rules = read_rules(reader, payload, players or 0)
    reader.check()
    assert rules is not None
    assert known is not None
    return Case(find_guide(known, rules, payload.get("situation")), known, rules, answers)


def _of_record(payload: Mapping[str, object], answers: Mapping[str, object], watch: Watch) -> Case:
    with pointing_into("/record", but="/hand"):
        record = load_record(payload["record"], watch=watch)
        judged = replay(record, watch)
        game = find_game(record.rules.game.id)
        assert game is not None
        number = payload.get("hand", len(judged.hands))
        table, hand = _hand_of(judged.hands, judged.table, number)
    written = record.hands[hand.setup.index].events[: hand.events] if hand.setup.index < len(record.hands) else ()
    looked = Looked(table, hand, written)
    guide = find_guide(game, record.rules, payload.get("situation"))
    return Case(guide, game, record.rules, answers, looked, record.seats)


def _hand_of(hands: Sequence[Hand], table: TableState, number: object) -> tuple[TableState, Hand]:
    """Return a hand by its number from 1, and the table; before the first deal it is that deal."""
    if type(number) is not int:
        raise Refused([Problem("/hand", "wrong-type", "A whole number is needed here.")], malformed=True)
    if 0 < number <= len(hands):
        return table, hands[number - 1]
    dealt = hand_for(table) if number == 0 and not hands else None
    if dealt is None or isinstance(dealt, Refusal) or dealt.hand is None:
        raise Refused([Problem("/hand", "bad-value", "The record has no such hand.")])
    return dealt, dealt.hand
