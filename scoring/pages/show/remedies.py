"""What a table can do about an irregularity, each with its price: what it does to the totals before anybody chooses."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from referee.engine.game import Game
from referee.engine.sheet import DescribedEffect, DescribedRemedy
from scoring.pages.show.clauses import CitedSentence, clause_links


@dataclass(frozen=True, slots=True)
class Change:
    """What a remedy does to one player's total."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something the table can do.

    ``ready`` says that one tap carries it out; ``changes`` are the totals that move, ``each`` those that a penalty
    moves by the point; ``still`` says that no total moves, as far as points are shown. What cannot be carried out from
    here says why in ``pending``. ``strikes``: entries are struck before.
    """

    code: str
    title: str
    sentence: CitedSentence
    proposed: bool
    ready: bool
    changes: tuple[Change, ...]
    pending: CitedSentence | None
    each: tuple[Change, ...] = ()
    still: bool = False
    strikes: bool = False

    @property
    def points(self) -> str:
        """Return the totals that a penalty moves, by the point, as scripts read them."""
        return json.dumps([(change.name, change.before, change.after - change.before) for change in self.each])


def remedies(described: Sequence[DescribedRemedy], game: Game, names: Sequence[str]) -> tuple[Remedy, ...]:
    """Return what the table can do: first what it does as a rule, last what cannot be done yet."""
    shown = [_remedy(remedy, game, names) for remedy in described]
    return tuple(sorted(shown, key=lambda remedy: (not remedy.proposed, not (remedy.ready or remedy.each))))


def _remedy(remedy: DescribedRemedy, game: Game, names: Sequence[str]) -> Remedy:
    pending, each = remedy.get("pending"), remedy.get("each")
    changes = _changes(remedy.get("effect"), names)
    return Remedy(
        code=remedy["code"],
        title=remedy["title"],
        sentence=CitedSentence(remedy["text"], clause_links(game, remedy["clauses"])),
        proposed=bool(remedy["proposed"]),
        ready=remedy.get("events") is not None and remedy["code"] != "correct",
        changes=changes,
        still=bool(remedy.get("effect")) and not changes,
        strikes=bool(remedy.get("strikes")),
        pending=CitedSentence(pending["text"], clause_links(game, pending["clauses"])) if pending else None,
        each=_changes(each["effect"] if each else None, names),
    )


def _changes(effect: DescribedEffect | None, names: Sequence[str]) -> tuple[Change, ...]:
    """Return the totals that events move."""
    if not effect:
        return ()
    pairs = zip(names, effect["totals"]["before"], effect["totals"]["after"], strict=True)
    return tuple(Change(name, before, after) for name, before, after in pairs if before != after)
