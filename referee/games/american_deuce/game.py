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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.engine.event_kinds import Event
from referee.engine.game import Game, conflict
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen, deal_question, plainly
from referee.engine.rules import Dealt, EndRule, Options, Preset, Problem, Rules, Setup
from referee.engine.rulings import Reason, by_seat
from referee.engine.shapes import CARD, FLAG, INTEGER, REASON, SUIT, answer, array, nullable, number, one_of, ref, text
from referee.engine.texts import OBJECT, SUBJECT, Listing, phrase
from referee.games.american_deuce import combinations, state
from referee.games.american_deuce.hand import ClimbingHand
from referee.games.american_deuce.rules import (
    BRIEF_TITLES,
    LAST_TITLE,
    ONE_PACK,
    OPTIONS,
    PROVED,
    TITLES,
    TWO_DECKS,
    ClimbingRules,
    cards_each,
    hand_sizes,
    owed,
    reseated,
    round_lines,
    seats_from,
)
from referee.games.american_deuce.tricks import no_combination
from referee.packs import Card, Pack, french

# --- Questions of American Deuce, answered without a record

ONE_DECK, MOST_DECKS = 1, 2


def beats(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether ``play`` beats ``on``; if ``on`` is null, whether it may be led."""
    question = QuestionReader(payload, "beats")
    reader = question.reader
    decks = question.integer("decks")
    named, played = question.texts("suit_order"), question.texts("play")
    lies = question.texts("on") if "on" not in payload or question.has("on") else None
    under_five = reader.flag(payload.get("under_five_of_a_kind", False), "/under_five_of_a_kind") or False
    question.check()
    question.between("decks", decks or 0, ONE_DECK, MOST_DECKS)
    question.check()
    players = question.game.players
    rules = question.rules(players[0] if decks == ONE_DECK else players[1])
    suits = tuple(rules.pack.suit(text) or "" for text in named)
    if sorted(suits) != sorted(suit.code for suit in rules.pack.suits):
        reader.value("/suit_order", "Give all four suits, highest first.", "bad-suit")
    play = cards_of(question, rules.pack, played, "play")
    on = None if lies is None else cards_of(question, rules.pack, lies, "on")
    for position, card in enumerate(play):
        if card in (on or ()):
            question.twice(rules.pack, card.index, f"/play/{position}")
    question.check()
    combination = combinations.recognise(play)
    if combination is None:
        why = no_combination(0, play)
        reason = Reason(why.code, why.clauses, combinations.facts_of_none(play), "no-combination-asked")
        return {"beats": False, "combination": None, "reason": reason}
    if on is None:
        taken, reason = lead(combination, rules.options)
    else:
        lying = combinations.recognise(on)
        five = under_five or (lying is not None and lying.kind is combinations.Kind.FIVE)
        facing = combinations.Lying(len(on), lying)
        taken, reason = combinations.compare(combination, facing, suits=suits, options=rules.options, under_five=five)
    described = {"kind": combination.kind.value, "name": combinations.name_combination(combination)}
    return {"beats": taken, "combination": described, "reason": reason}


def lead(combination: combinations.Combination, options: Options) -> tuple[bool, Reason]:
    """Return whether a combination may be led, and why; for a riot that depends on the rest of the hand."""
    facts = {"play": combinations.name_combination(combination)}
    if combination.kind is not combinations.Kind.RIOT:
        if options["count_lock"] == "round":
            return True, Reason("leads", ("AD-9", "AD-Q1"), facts, "leads-in-number")
        return True, Reason("leads", ("AD-9",), facts)
    clauses = ("AD-24", "AD-Q12")
    if options["riot_lead"] == "never":
        return False, Reason("riot-led", clauses, facts, "riot-led-never")
    return True, Reason("leads", clauses, facts, "leads-riot" if options["riot_lead"] == "quads-only" else "")


def score(payload: Mapping[str, object]) -> dict[str, object]:
    """Score a round from the cards left and the cards dealt, per seat (AD-25, AD-26)."""
    question = QuestionReader(payload, "score")
    reader = question.reader
    left, dealt = question.integers("cards_left"), question.integers("dealt")
    question.check()
    players = question.game.players
    if not players[0] <= len(left) <= players[-1]:
        detail = phrase("This game is for {least} to {most} players.", least=players[0], most=players[-1])
        reader.value("/cards_left", detail, "bad-players")
    if len(left) != len(dealt):
        reader.value("/dealt", "Give one number for each seat.")
    elif any(not 0 <= now <= size for now, size in zip(left, dealt, strict=True)):
        reader.value("/cards_left", "No player can have more cards left than were dealt.", "bad-result")
    if left.count(0) != 1:
        reader.value("/cards_left", "Exactly one player must have no cards left.", "bad-result")
    question.check()
    rules = question.rules(len(left))
    lines = round_lines(left, dealt, rules.options)
    winner = left.index(0)
    reason = next(line.reason for line in lines if line.seat == winner)
    return {"points": list(by_seat(lines, len(left))), "lines": lines, "reason": reason}


def deal(payload: Mapping[str, object]) -> dict[str, object]:
    """Describe the hand sizes from the dealer's left (AD-3, AD-Q14)."""
    question = QuestionReader(payload, "deal")
    players = question.integer("players")
    question.check()
    rules = question.rules(players or 0)
    each = list(cards_each(rules.players, rules.options))
    aside = len(rules.pack) - sum(each)
    clauses = ("AD-3",) if len(each) == question.game.players[0] else ("AD-A3", "AD-Q14", "AD-Q5")
    reason = Reason("dealt", clauses, {"each": Listing(tuple(each)), "aside": aside})
    return {"cards_each": each, "aside": aside, "tricks": None, "reason": reason}


def cards_of(question: QuestionReader, pack: Pack, texts: Sequence[str], key: str) -> tuple[Card, ...]:
    """Parse at least one card of the pack."""
    if not texts:
        question.reader.value(f"/{key}", "Give at least one card.", "wrong-count")
    return tuple(pack.cards[card] for card in question.cards(pack, texts, f"/{key}") if card >= 0)


def beats_blanks(rules: ClimbingRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Form fields for two plays; the cards offered depend on the number of decks."""
    two = list(filled.get("decks", ()))[-1:] == [str(MOST_DECKS)]
    pack = french(decks=MOST_DECKS if two else ONE_DECK)
    suits = tuple(suit.code for suit in pack.suits)
    return (
        Blank("on", "cards", "The last play", "Leave it empty if you lead.", optional=True, pack=pack),
        Blank("play", "cards", "The play that should beat it", pack=pack),
        Blank("decks", "number", "Packs", least=ONE_DECK, most=MOST_DECKS, standard=(str(ONE_DECK),)),
        Blank("suit_order", "suits", "Suits from high to low", choices=suits, standard=suits, pack=pack),
        Blank("under_five_of_a_kind", "flag", "Five of a kind has been played in this trick"),
    )


def score_blanks(rules: ClimbingRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Form fields for scoring a round, for the stated number of players."""
    numbers = rules.game.players
    named = [int(text) for text in filled.get("players", ())[-1:] if text in map(str, numbers)]
    players = named[0] if named else numbers[0]
    each = cards_each(players, rules.options)
    return (
        Blank("players", "number", "Players", least=numbers[0], most=numbers[-1], standard=(str(players),)),
        Blank("cards_left", "numbers", "Cards left, by player", most=max(each), count=players),
        Blank("dealt", "numbers", "Cards dealt", most=max(each), count=players, standard=tuple(map(str, each))),
    )


def beats_seen(hand: Seen) -> FilledIn:
    """Prefill: the play to beat, the order of suits, and the number of decks."""
    tricks = hand.get("tricks") or [{"plays": (), "winner": None}]
    plays = [play["cards"] for play in tricks[-1]["plays"] if "cards" in play]
    decks = MOST_DECKS if len(hand["seating"]) > ONE_PACK else ONE_DECK
    on = plays[-1] if plays and tricks[-1]["winner"] is None else []
    return {"on": on, "suit_order": hand.get("suit_order") or [], "decks": [str(decks)]}


QUESTIONS = (
    Question(
        "beats",
        "Does this beat that?",
        beats,
        hint="Whether one play beats the last one.",
        blanks=beats_blanks,
        seen=beats_seen,
        help=("`on` is the last play (null: a lead); `suit_order` lists the suits, highest first.",),
        request={
            "decks": number("1 or 2."),
            "suit_order": array(SUIT, "Highest first."),
            "on": nullable(array(CARD, "The last play; null for a lead.")),
            "play": array(CARD),
            "under_five_of_a_kind": FLAG | {"description": "Whether this trick contains a five of a kind."},
        },
        needed=("decks", "suit_order", "on", "play"),
        response={
            "beats": FLAG,
            "combination": nullable(
                answer(
                    {
                        "kind": one_of(kind.value for kind in combinations.Kind),
                        "name": text("What players call it, in words."),
                    }
                )
            ),
            "reason": REASON,
        },
        examples=(
            Example(
                "A riot on a deuce",
                {"decks": 1, "suit_order": ["S", "H", "C", "D"], "on": ["2S"], "play": ["4S", "4H", "4D", "4C"]},
                {"beats": True, "combination": {"kind": "riot"}},
            ),
        ),
        sole=True,
    ),
    Question(
        "score",
        "What does this round score?",
        score,
        hint="The points of every player.",
        blanks=score_blanks,
        # The number of players follows from the other fields.
        compose=lambda blanks, filled: plainly([blank for blank in blanks if blank.name != "players"], filled),
        help=("With `cards_left` and `dealt`: the points of every seat.",),
        request={"cards_left": array(number(), "Per seat, exactly one 0."), "dealt": array(number(), "Per seat.")},
        needed=("cards_left", "dealt"),
        response={"points": array(INTEGER, "Per seat."), "lines": array(ref("ScoreLine")), "reason": REASON},
        examples=(
            Example(
                "American Deuce: what is left in hand",
                {"game": "american-deuce", "cards_left": [0, 3, 11, 8], "dealt": [13, 13, 13, 13]},
                {"points": [33, -3, -22, -8]},
            ),
        ),
    ),
    deal_question(deal),
)


# --- The game

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
        yield from (("", said) for said in (state.WON_ROUND, state.LOST_ROUND, state.LOST_QUICK))
        yield from (("plate", title) for title in BRIEF_TITLES.values())
        for said in (
            PROVED.label,
            *PROVED.labels,
            *filter(None, PROVED.says),
            *TITLES,
            LAST_TITLE,
            *combinations.PLURALS.values(),
            *combinations.SINGULARS.values(),
            *combinations.TO_PLAY.values(),
            combinations.ANY_RIOT,
            combinations.ONE_COLOUR_RIOT,
        ):
            yield "", said
        for name in (*combinations.NAMES.values(), *combinations.ONE_COLOUR.values(), combinations.LOOSE):
            yield from (("", name), (SUBJECT, name), (OBJECT, name))

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

    def following(self, hand: Dealt, totals: tuple[int, ...], rules: Rules) -> Setup:
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

    def dealt_again(self, hand: Dealt, rules: Rules) -> Setup:
        again = super().dealt_again(hand, rules)
        return replace(again, sizes=hand_sizes(again.seating, rules.options))


GAME = AmericanDeuce()
