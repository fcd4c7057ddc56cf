"""What the single questions of the trick-taking games have to be told."""

from collections.abc import Sequence
from typing import Any

from referee.engine.inquiries import Blank, Given, Inquiry, plainly
from referee.packs.decktet import EXCUSE
from referee.tricks.deals import HIGHEST_TIDE, most_tricks
from referee.tricks.rules import TrickRules

PLAYS = "cards"
RULING = "ruling_card"
CALLED = "called_suit"


def suit_codes(rules: TrickRules) -> tuple[str, ...]:
    """Return the suits of the pack."""
    return tuple(suit.code for suit in rules.pack.suits)


def trump_before(rules: TrickRules) -> tuple[Blank, ...]:
    """Return the blank for trump before the trick, where the rules leave it open."""
    if rules.options.get("fixed_trump"):
        return ()
    return (Blank("trump", "suit", "Trump before the trick", choices=suit_codes(rules), optional=True),)


def called(rules: TrickRules, name: str) -> tuple[Blank, ...]:
    """Return the blank for the suit that the leader names, where the house rule has it (AT-V7)."""
    if not rules.options.get("called_suit"):
        return ()
    return (Blank(name, "suit", "Suit called", choices=suit_codes(rules), optional=True),)


def most_players(rules: TrickRules) -> int:
    """Return the most players the game takes."""
    return rules.game.players[-1]


def trick_blanks(rules: TrickRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told of a trick."""
    cards = Blank(PLAYS, "cards", "Cards in the order in which they fell", most=most_players(rules))
    return (cards, *trump_before(rules), *called(rules, CALLED))


def ruled_trick_blanks(rules: TrickRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told of a trick in which each player reads the cards by a ruling card (WC-3)."""
    most = max(1, len(given.get(PLAYS, ())))
    return (
        Blank(PLAYS, "cards", "Cards in the order in which they fell", most=most_players(rules)),
        Blank(RULING, "cards", "Ruling cards of the players, in the same order", choices=high(rules), most=most),
    )


def high(rules: Any) -> tuple[str, ...]:
    """Return the cards that can be ruling cards."""
    return tuple(card.code for card in rules.pack.cards if rules.high >> card.index & 1)


def plays(blanks: Sequence[Blank], given: Given) -> dict[str, Any]:
    """Return a trick as it is asked about: its plays, and trump before it."""
    rulings, suit = given.get(RULING, ()), given.get(CALLED, ())
    told: list[dict[str, Any]] = [{"cards": [card]} for card in given.get(PLAYS, ())]
    for play, ruling in zip(told, rulings, strict=False):
        play["ruling_card"] = ruling
    for play in [play for play in told if play["cards"] != [EXCUSE]][:1]:
        play |= {"suit": suit[-1]} if suit else {}
    rest = plainly([blank for blank in blanks if blank.name not in (PLAYS, RULING, CALLED)], given)
    return {"plays": told, **rest}


def legal_blanks(rules: TrickRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told to know what may be played."""
    led = Blank("led_card", "card", "Card led", "Leave it open when the hand leads.", optional=True)
    suit = called(rules, "led_suit") if given.get("led_card") else ()
    return (led, *suit, Blank("hand", "cards", "Cards in hand"))


def ruled_legal_blanks(rules: TrickRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told to know what may be played by this ruling card (WC-10, WC-11)."""
    hint = "As the player who led reads the card; leave it open when the hand leads."
    return (
        Blank(RULING, "card", "Ruling card", choices=high(rules)),
        Blank("led_suit", "suit", "Suit led", hint, choices=suit_codes(rules), optional=True),
        Blank("hand", "cards", "Cards in hand"),
    )


def suit_blanks(rules: TrickRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told to know how a card is read (WC-4)."""
    return (Blank(RULING, "card", "Ruling card", choices=high(rules)), Blank("card", "card", "Card"))


def ransom_blanks(rules: TrickRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told of a ransom."""
    hint = "One card of each player, from the dealer’s left."
    return (Blank("cards", "cards", "Ransom cards", hint, most=most_players(rules)),)


def score_blanks(rules: TrickRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told to score a player’s hand."""
    most = max(most_tricks(rules), max(given_tricks(given), default=0))
    tricks = Blank("tricks", "number", "Tricks taken", most=most)
    return (Blank("bid", "number", "Tricks bid", most=most), tricks) if rules.bidding else (tricks,)


def given_tricks(given: Given) -> list[int]:
    """Return the numbers of tricks told so far, as far as a hand can have them."""
    texts = [*given.get("bid", ()), *given.get("tricks", ())]
    return [int(text) for text in texts if text.isascii() and text.isdecimal() and len(text) <= len("99")]


def deal_blanks(rules: TrickRules, given: Given) -> tuple[Blank, ...]:
    """Return what has to be told to know how many cards are dealt."""
    numbers = rules.game.players
    blanks = [Blank("players", "number", "Players", least=numbers[0], most=numbers[-1])]
    if rules.options.get("tides"):
        hint = "Leave it open for the first hand."
        blanks.append(
            Blank("last_trick", "cards", "Last trick of the hand before", hint, most=numbers[-1], optional=True)
        )
        if rules.options["tides_last"] == "winning":
            blanks.extend(trump_before(rules))
        if rules.options["tides_excuse"] == "same":
            blanks.append(Blank("hand_size", "number", "Cards in that hand", least=1, most=HIGHEST_TIDE, optional=True))
    return tuple(blanks)


TRICK = Inquiry("Who wins this trick?", "Tap the cards as they fell.", trick_blanks, plays)
LEGAL = Inquiry("May I play this?", "Which cards of a hand may be played, and why the others may not.", legal_blanks)
SCORE = Inquiry("What does this hand score?", "The points of one player.", score_blanks)
DEAL = Inquiry("How is it dealt?", "How many cards each player gets.", deal_blanks)
RANSOM = Inquiry("Who wins the ransom?", "Whose card wins, and which suits may be named.", ransom_blanks)
SUIT = Inquiry("Which suit is this card?", "How a card is read by its owner’s ruling card.", suit_blanks)
RULED_TRICK = Inquiry(TRICK.label, TRICK.hint, ruled_trick_blanks, plays)
RULED_LEGAL = Inquiry(LEGAL.label, LEGAL.hint, ruled_legal_blanks)

PLAIN = {"trick": TRICK, "legal": LEGAL, "score": SCORE, "deal": DEAL}
"""For games in which everybody reads the cards alike."""
RULED = {"trick": RULED_TRICK, "legal": RULED_LEGAL, "suit": SUIT, "score": SCORE, "deal": DEAL}
"""For games in which a ruling card decides how its owner reads them."""
