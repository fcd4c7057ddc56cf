"""The decks of cards, and the codes and names of their cards."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.caching import CataloguedAPIView
from referee.api.language import caller_language
from referee.api.schema import answers, in_path
from referee.engine.catalogue import all_games
from referee.engine.translation import ENGLISH
from referee.packs import Pack, decktet, french

DECK = in_path("deck", "The deck, one of those listed at `decks/`.", "decktet")


class DeckSummary(TypedDict):
    """A deck in a line."""

    id: Annotated[str, {"examples": ["decktet"]}]
    name: str
    size: int


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
    title: Annotated[str, "Rank and suits in words, where the name does not say them."]


class DescribedDeck(DeckSummary):
    """A deck with its suits and cards."""

    suits: Annotated[list[SuitOfDeck], "In printed order."]
    cards: list[CardOfDeck]


class DecksView(CataloguedAPIView):
    """The list of decks."""

    @extend_schema(
        operation_id="list_decks",
        summary="List the decks",
        description="A card has a code, such as `8MS`, and names; answers use the code.",
        tags=["decks"],
        responses=answers("DeckSummary", many=True),
    )
    def get(self, request: Request) -> Response:
        return Response([summary(deck, *described) for deck, described in decks().items()])


class DeckView(CataloguedAPIView):
    """One deck."""

    @extend_schema(
        operation_id="get_deck",
        summary="The cards of a deck",
        description="Each card with its code, name, rank and suits; answers about cards use the codes.",
        tags=["decks"],
        parameters=[DECK],
        responses=answers("Deck", 404),
    )
    def get(self, request: Request, deck: str) -> Response:
        known = decks()
        if deck not in known:
            raise NotFound(f"There is no such deck here. The decks are: {', '.join(known)}.", "unknown-deck")
        (name, pack), language = known[deck], caller_language()
        return Response(
            summary(deck, name, pack)
            | {
                "suits": [{"code": suit.code, "name": language.translate(suit.name)} for suit in pack.suits],
                "cards": [
                    {
                        "code": card.code,
                        "name": card.name if language is ENGLISH else language.render(card.called),
                        "rank": card.rank,
                        "suits": list(card.suits),
                        "title": language.translate(card.title) if card.title else card.title,
                    }
                    for card in pack.cards
                ],
            }
        )


def decks() -> Mapping[str, tuple[str, Pack]]:
    """Return every deck with its name: the known ones, and those that other games bring along."""
    found = {
        "decktet": ("Decktet", decktet()),
        "decktet-extended": (
            "Decktet with the Excuse, Pawns and Courts",
            decktet(excuse=True, pawns=True, courts=True),
        ),
        "french": ("French cards", french()),
        "french-2": ("French cards, two decks", french(decks=2)),
    }
    for game in all_games():
        pack = game.rules({}, game.players[0]).pack
        found.setdefault(pack.id, (pack.name, pack))
    return found


def summary(deck: str, name: str, pack: Pack) -> dict[str, object]:
    """Describe a deck in a line."""
    return {"id": deck, "name": name, "size": len(pack)}
