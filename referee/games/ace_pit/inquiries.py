"""What the single questions of Ace Pit have to be told."""

from referee.engine.inquiries import Blank, Given, Inquiry
from referee.engine.rules import Rules
from referee.games.ace_pit.questions import PLAYERS
from referee.games.ace_pit.state import LONGEST_RESPONSE


def response_blanks(rules: Rules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told of a response."""
    return (
        Blank("laid", "card", "Card laid"),
        Blank("response", "cards", "Response", "One card or two.", most=LONGEST_RESPONSE),
    )


def deal_blanks(rules: Rules, given: Given) -> tuple[Blank, ...]:
    """Return the number of players, which is always the same."""
    return (Blank("players", "number", "Players", least=PLAYERS, most=PLAYERS, standard=(str(PLAYERS),)),)


INQUIRIES = {
    "response": Inquiry("What is this response worth?", "Who wins, for which items, how many points.", response_blanks),
    "deal": Inquiry("How is it dealt?", "How many cards each player gets.", deal_blanks),
}
