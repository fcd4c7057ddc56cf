"""Views of the catalogue: games with their house rules and rulebooks, and decks of cards."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.middleware import CataloguedAPIView
from referee.api.problems import caller_language, told
from referee.api.questions import OptionsSchema, options_schema
from referee.api.schema import answers, in_path, operation
from referee.engine import rulebook
from referee.engine.game import Game, all_games, find_game
from referee.engine.rulebook import BASES
from referee.engine.texts import ENGLISH, phrase
from referee.packs import Pack, decktet, french

GAME = in_path("game", "The game, one of those listed at `games/`.", "ace-trump")


class GameSummary(TypedDict):
    """A game in brief."""

    id: Annotated[str, {"examples": ["ace-trump"]}]
    name: Annotated[str, {"examples": ["Ace Trump"]}]
    tagline: str
    rules_version: Annotated[int, "Increases with every change that judges some record differently."]
    source: Annotated[str, "The author of the game, and where its rules were published."]
    players: Annotated[list[int], "How many can play."]
    deck: Annotated[str, "The deck, unless house rules or the number of players change it.", {"examples": ["decktet"]}]


class UsualEnd(TypedDict):
    """When a game usually ends."""

    kind: Annotated[str, {"examples": ["score"]}]
    value: int | None


class DescribedGame(GameSummary):
    """A game with its decks and house rules."""

    decks: Annotated[dict[str, str], "The deck by number of players."]
    options: OptionsSchema
    end: Annotated[UsualEnd, "The usual end of the game."]
    questions: Annotated[list[str], "The single questions that the game answers."]


class DescribedClause(TypedDict):
    """One clause of a rulebook."""

    id: Annotated[str, {"examples": ["AT-9"]}]
    title: str
    text: str
    source: str
    basis: Annotated[
        str,
        {"enum": list(BASES)},
        "Whether the source states the rule, implies it, or leaves it open, so that it was chosen here.",
    ]
    part: Annotated[str, "The part of the rulebook it belongs to.", {"examples": ["ace-trump"]}]


class GamesView(CataloguedAPIView):
    @operation("list_games", "List the games", answers("GameSummary", many=True))
    def get(self, request: Request) -> Response:
        """A short description of each; `games/{game}/` has the house rules."""
        return Response([summary(game) for game in all_games()])


class GameView(CataloguedAPIView):
    @operation("get_game", "A game: players, deck and house rules", answers("Game", 404), parameters=[GAME])
    def get(self, request: Request, game: str) -> Response:
        """`options` is a JSON Schema: build a form from it, or validate a record against it."""
        found = known_game(game)
        more = {
            "decks": {str(players): found.rules({}, players).pack.id for players in found.players},
            "options": options_schema(found),
            "end": {"kind": found.end.kind, "value": found.end.value},
            "questions": sorted(found.questions),
        }
        return Response(summary(found) | more)


class RulebookView(CataloguedAPIView):
    @operation("get_rulebook", "The rulebook of a game", answers("Clause", 404, many=True), parameters=[GAME])
    def get(self, request: Request, game: str) -> Response:
        """Every clause that a reason can cite: the game’s own, its deck’s, and those on irregularities and record
        keeping.
        """
        found, translate = known_game(game), caller_language().translate
        names = (found.id, usual_pack(found).id, "irregularities", "record")
        parts = {name: rulebook.clauses(name) for name in names} | {found.id: found.rulebook()}
        described = [
            {
                "id": clause.id,
                "title": translate(clause.title),
                "text": translate(clause.text),
                "source": clause.source,
                "basis": clause.basis,
                "part": part,
            }
            for part, clauses in parts.items()
            for clause in clauses
        ]
        return Response(described)


def known_game(id: str) -> Game:
    """Return the game with this id; raises 404, listing the known games."""
    game = find_game(id)
    if game is None:
        known = ", ".join(game.id for game in all_games())
        raise NotFound(told(phrase("There is no such game here. The games are: {known}.", known=known)), "unknown-game")
    return game


def usual_pack(game: Game) -> Pack:
    """Return the pack used unless a house rule changes it."""
    return game.rules({}, game.players[0]).pack


def summary(game: Game) -> dict[str, object]:
    return {
        "id": game.id,
        "name": game.name,
        "tagline": caller_language().translate(game.tagline),
        "rules_version": game.rules_version,
        "source": game.source,
        "players": list(game.players),
        "deck": usual_pack(game).id,
    }


DECK = in_path("deck", "The id of the deck, from `GET games/{game}/`.", "decktet")


class SuitOfDeck(TypedDict):
    """A suit of a deck."""

    code: str
    name: str


class CardOfDeck(TypedDict):
    """A card of a deck."""

    code: Annotated[str, {"examples": ["XM"]}]
    name: Annotated[str, {"examples": ["Huntress"]}]
    rank: Annotated[str, {"examples": ["X"]}]
    suits: Annotated[list[str], "In printed order."]
    title: Annotated[str, "Rank and suits in words, if the name does not include them."]


class DescribedDeck(TypedDict):
    """A deck with its suits and cards."""

    id: Annotated[str, {"examples": ["decktet"]}]
    name: str
    size: int
    suits: Annotated[list[SuitOfDeck], "In printed order."]
    cards: list[CardOfDeck]


class DeckView(CataloguedAPIView):
    @operation("get_deck", "The cards of a deck", answers("Deck", 404), parameters=[DECK])
    def get(self, request: Request, deck: str) -> Response:
        """Each card with its code, name, rank and suits; answers about cards use the codes."""
        known = decks()
        if deck not in known:
            wrong = phrase("There is no such deck here. The decks are: {known}.", known=", ".join(known))
            raise NotFound(told(wrong), "unknown-deck")
        (name, pack), language = known[deck], caller_language()
        cards = [
            {
                "code": card.code,
                "name": card.name if language is ENGLISH else language.render(card.called),
                "rank": card.rank,
                "suits": list(card.suits),
                "title": language.translate(card.title) if card.title else card.title,
            }
            for card in pack.cards
        ]
        suits = [{"code": suit.code, "name": language.translate(suit.name)} for suit in pack.suits]
        return Response({"id": deck, "name": name, "size": len(pack), "suits": suits, "cards": cards})


def decks() -> Mapping[str, tuple[str, Pack]]:
    """Return (name, pack) of every deck by its id, including those that games add."""
    found = {
        "decktet": ("Decktet", decktet()),
        "decktet-extended": (
            "Decktet with the Excuse, Pawns and Courts",
            decktet(excuse=True, pawns=True, courts=True),
        ),
        "french": ("French cards", french()),
        "french-2": ("French cards, two decks", french(decks=2)),
    }
    for pack in map(usual_pack, all_games()):
        found.setdefault(pack.id, (pack.name, pack))
    return found
