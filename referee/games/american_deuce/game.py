"""American Deuce, by American Déc, for four to eight players with French cards.

The whole pack is dealt. The President-Elect names the highest suit, the Vice at her left the second, the Secretary the
third. She may then ask the holder of the King of diamonds to drop a deuce: a 2 in exchange for her lowest card, or, if
that player has none, any card for one drawn blindly. She leads; clockwise, everyone beats the last play with as many
cards, or passes and is out of the trick. Singles, pairs, triples and five-card combinations rank as in poker, with the
2 above the Ace and suits breaking ties; four of a kind, a riot, beats them all. The first player out of cards ends the
round, is paid for every card the others have left, and becomes President-Elect. Five to eight players use two packs,
one of them the trump deck.

Source: "American Deuce", American Déc, rules page of 2021. Deviations: the number of cards is fixed for a trick, not
for the round (AD-Q1), since hands could hardly be emptied otherwise; where the page is silent, the defaults AD-Q2 ..
AD-Q28 apply. The flourish of the Royal Flush is left to the players (AD-Q26).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.engine.event_kinds import Event
from referee.engine.game import Game, conflict
from referee.engine.hand import Hand
from referee.engine.rules import EndRule, Options, Preset, Problem, Rules, Setup
from referee.engine.texts import OBJECT, SUBJECT, phrase
from referee.games.american_deuce import combinations, state
from referee.games.american_deuce.hand import ClimbingHand
from referee.games.american_deuce.questions import QUESTIONS
from referee.games.american_deuce.rules import (
    BRIEF_TITLES,
    LAST_TITLE,
    ONE_PACK,
    OPTIONS,
    PROVED,
    TITLES,
    TWO_DECKS,
    ClimbingRules,
    hand_sizes,
    owed,
    reseated,
    seats_from,
)
from referee.packs import Pack, french

PLAY_TO = 270


class AmericanDeuce(Game):
    id = "american-deuce"
    place = 4
    name = "American Deuce"
    tagline = "Be first to get rid of your cards, and help name what trumps."
    gist = "go out first"
    emblem = ("2H", "AS")
    source = "American Déc, American Deuce"
    with_cards = "with French cards"
    lesson = ("AD-3", "AD-5", "AD-9", "AD-15", "AD-10", "AD-17", "AD-19", "AD-24", "AD-12", "AD-7", "AD-25")
    players = (4, 5, 6, 7, 8)
    end = EndRule("score", PLAY_TO)
    rules_class = ClimbingRules
    hand_class = ClimbingHand
    beside_tricks = frozenset({"scoring", "reseat", "deal", "bands"})
    events = (state.NameSuit, state.DropDeuce, state.PutRight, state.Seating)
    phases = (state.SUITS,)
    options = OPTIONS
    revoke = PROVED
    presets = (Preset("Quick game", {"scoring": "winner-only"}), Preset("Changing seats", {"reseat": "round"}))
    brief_titles = BRIEF_TITLES
    QUESTIONS = QUESTIONS

    def words(self) -> Iterable[tuple[str, str]]:
        yield from (("", text) for text in (state.WON_ROUND, state.LOST_ROUND, state.LOST_QUICK))
        yield from (("plate", text) for text in BRIEF_TITLES.values())
        yield from (("", text) for text in (PROVED.label, *PROVED.labels, *PROVED.says) if text)
        for text in (
            *TITLES,
            LAST_TITLE,
            *combinations.PLURALS.values(),
            *combinations.SINGULARS.values(),
            *combinations.TO_PLAY.values(),
            combinations.ANY_RIOT,
            combinations.ONE_COLOUR_RIOT,
        ):
            yield "", text
        for text in (*combinations.NAMES.values(), *combinations.ONE_COLOUR.values(), combinations.LOOSE):
            yield from (("", text), (SUBJECT, text), (OBJECT, text))

    def pack(self, options: Options, players: int) -> Pack:
        return french(decks=1 if players == ONE_PACK else 2)

    def check(self, options: Options, players: int) -> list[Problem]:
        problems = []
        for option in OPTIONS if players == ONE_PACK else ():
            if option.key in TWO_DECKS and options[option.key] != option.standard:
                needed = phrase("{option}: only with two packs, so five players or more.", option=phrase(option.label))
                problems.append(conflict(option.key, needed))
        return problems

    def first(self, rules: Rules, dealer: int) -> Setup:
        """The dealer is the first President-Elect (AD-2, AD-3)."""
        seating = seats_from(tuple(range(rules.players)), dealer)
        return Setup(0, dealer, seating, hand_sizes(seating, rules.options))

    def following(self, hand: Hand, totals: tuple[int, ...], rules: Rules) -> Setup:
        """The winner becomes President-Elect; the losers may move by score (AD-14, AD-A2), or as the table recorded."""
        assert isinstance(hand, ClimbingHand)
        setup, options = hand.setup, rules.options
        if hand.seated:
            return Setup(setup.index + 1, hand.seated[0], hand.seated, hand_sizes(hand.seated, options))
        winner = hand.left.index(0)
        seating = seats_from(setup.seating, winner)
        if options["reseat"] == "round":
            seating = reseated(seating, owed(hand.left, setup.sizes or (), hand.rules.options))
        elif options["reseat"] == "total":
            seating = reseated(seating, [-total for total in totals])
        return Setup(setup.index + 1, winner, seating, hand_sizes(seating, options))

    def seated_as(self, seating: Sequence[int]) -> Event | None:
        """The event that seats the players in this order in the next round (AD-Q23)."""
        return state.Seating(places=tuple(seating.index(seat) + 1 for seat in range(len(seating))))

    def dealt_again(self, hand: Hand, rules: Rules) -> Setup:
        again = super().dealt_again(hand, rules)
        return replace(again, sizes=hand_sizes(again.seating, rules.options))


GAME = AmericanDeuce()
