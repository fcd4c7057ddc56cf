"""What lies on the table: tricks with who won them and why, cards turned up, the course of the hands to come."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.engine.game import Game
from referee.engine.sheet import DescribedTrick, FaceUp
from referee.packs import Pack
from scoring.pages.show.cards import Face, Symbol, face
from scoring.pages.show.clauses import CitedSentence, cited
from scoring.queries.state import Standing


class PlayShown(NamedTuple):
    """One play of a trick: whose, which cards, or a pass."""

    name: str
    cards: tuple[Face, ...]
    called: str
    suit: Symbol | None
    won: bool
    seat: int = -1


class TrickShown(NamedTuple):
    """A trick: its plays, and once it is over who won it and why.

    ``awarded_to`` says who got it for an infraction, if anybody did, and ``why_awarded`` for which. ``best`` is what
    the best answer would have been, in games in which a card is answered.
    """

    hand: int
    number: int
    plays: tuple[PlayShown, ...]
    winner: str | None
    sentence: CitedSentence | None
    awarded_to: str = ""
    why_awarded: str = ""
    best: CitedSentence | None = None


def show_trick(
    trick: DescribedTrick, hand: int, names: Sequence[str], pack: Pack, known: Mapping[str, Symbol], game: Game
) -> TrickShown:
    """Return a trick with names for seats: the plays in order, the card that won, and why."""
    winner = trick["winner"]
    last_of_winner = max((i for i, p in enumerate(trick["plays"]) if p["seat"] == winner and "cards" in p), default=-1)
    called = trick.get("names") or [""] * len(trick["plays"])
    reads = trick.get("reads") or [""] * len(trick["plays"])
    plays = tuple(
        PlayShown(
            names[play["seat"]],
            tuple(face(pack, code) for code in play.get("cards", ())),
            (called[i] or "") if len(play.get("cards", ())) > 1 else "",
            known.get(reads[i] or ""),
            i == last_of_winner,
            play["seat"],
        )
        for i, play in enumerate(trick["plays"])
    )
    return TrickShown(
        hand=hand,
        number=trick["number"],
        plays=plays,
        winner=None if winner is None else names[winner],
        sentence=cited(game, trick["reason"], pack),
        best=cited(game, trick["best"]["reason"], pack) if "best" in trick else None,
    )


def last_plays(trick: TrickShown | None, ahead: int | None) -> dict[int, tuple[PlayShown, bool]]:
    """Return what lies before each player who played: the last play of each, and whether it takes the trick so far."""
    if trick is None:
        return {}
    return {play.seat: (play, play.won or play.seat == ahead) for play in trick.plays}


def play_of(trick: TrickShown | None, seat: int) -> PlayShown | None:
    """Return the last play of a seat that was not a pass."""
    plays = trick.plays if trick else ()
    return next((play for play in reversed(plays) if play.seat == seat and play.cards), None)


class OpenCard(NamedTuple):
    """A card, or a suit alone, that lies open for the whole hand, and what it is called."""

    label: str
    faces: tuple[Face, ...]
    suit: Symbol | None


class Step(NamedTuple):
    """One hand of the course of a game: how many cards it has; ``done`` is played, ``now`` is played or comes next."""

    size: int
    done: bool
    now: bool


def open_card(shown: FaceUp, pack: Pack, known: Mapping[str, Symbol]) -> OpenCard:
    """Return what lies open as a page shows it: drawn cards, or the suit alone."""
    faces = tuple(face(pack, code) for code in shown["cards"] if code in pack.codes)
    return OpenCard(shown["label"], faces, None if faces else known.get(shown["suit"] or ""))


def course_of(at: Standing) -> tuple[Step, ...]:
    """Return the hands of a whole game, where their sizes are known before it begins.

    A table that goes on after the last one begins the course anew. One that is over shows what it has played, one
    that ends after so many hands no more than those.
    """
    sizes = at.rules.game.course(at.rules)
    if not sizes:
        return ()
    over, done = at.state.finished(), at.state.before + at.state.hands_done()
    earlier = max(0, done - 1 if over else done) // len(sizes) * len(sizes)
    here = done - earlier
    left = 0 if over else at.state.hands_left()
    shown = sizes if left is None else sizes[: here + left]
    return tuple(Step(size, place < here, place == here) for place, size in enumerate(shown))
