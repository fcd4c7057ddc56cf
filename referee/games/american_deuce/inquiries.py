"""What the single questions of American Deuce have to be told."""

from collections.abc import Sequence
from typing import Any

from referee.engine.inquiries import Blank, Given, Inquiry, plainly
from referee.games.american_deuce.questions import ONE_DECK, TWO_DECKS
from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.seats import cards_each
from referee.packs import french


def beats_blanks(rules: ClimbingRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told of two plays; the cards follow from the number of decks."""
    two = list(given.get("decks", ()))[-1:] == [str(TWO_DECKS)]
    pack = french(decks=TWO_DECKS if two else ONE_DECK)
    suits = tuple(suit.code for suit in pack.suits)
    return (
        Blank("on", "cards", "The last play", "Leave it open for a lead.", optional=True, pack=pack),
        Blank("play", "cards", "The play on it", pack=pack),
        Blank("decks", "number", "Decks", least=ONE_DECK, most=TWO_DECKS, standard=(str(ONE_DECK),)),
        Blank("suit_order", "suits", "Suits from high to low", choices=suits, standard=suits, pack=pack),
        Blank("under_five_of_a_kind", "flag", "A five of a kind lies in this trick"),
    )


def score_blanks(rules: ClimbingRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told to score a round, for as many players as are named."""
    numbers = rules.game.players
    named = [int(text) for text in given.get("players", ())[-1:] if text in map(str, numbers)]
    players = named[0] if named else numbers[0]
    each = cards_each(players, rules.options)
    return (
        Blank("players", "number", "Players", least=numbers[0], most=numbers[-1], standard=(str(players),)),
        Blank("cards_left", "numbers", "Cards left, by player", most=max(each), count=players),
        Blank("dealt", "numbers", "Cards dealt", most=max(each), count=players, standard=tuple(map(str, each))),
    )


def without_players(blanks: Sequence[Blank], given: Given) -> dict[str, Any]:
    """Return what is asked; how many players there are follows from their numbers."""
    return plainly([blank for blank in blanks if blank.name != "players"], given)


def deal_blanks(rules: ClimbingRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told to know how many cards are dealt."""
    numbers = rules.game.players
    return (Blank("players", "number", "Players", least=numbers[0], most=numbers[-1]),)


INQUIRIES = {
    "beats": Inquiry("Does this beat that?", "One play held against the last one.", beats_blanks),
    "score": Inquiry("What does this round score?", "The points of every player.", score_blanks, without_players),
    "deal": Inquiry("How is it dealt?", "How many cards each player gets.", deal_blanks),
}
