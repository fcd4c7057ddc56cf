"""Questions of American Deuce, answered without a record."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen, deal_question, plainly
from referee.engine.rules import Options
from referee.engine.rulings import Reason, by_seat
from referee.engine.shapes import CARD, FLAG, INTEGER, REASON, SUIT, answer, array, nullable, number, one_of, ref, text
from referee.engine.texts import Listing, phrase
from referee.games.american_deuce import combinations
from referee.games.american_deuce.rules import ONE_PACK, ClimbingRules, cards_each, round_lines
from referee.games.american_deuce.tricks import no_combination
from referee.packs import Card, Pack, french

ONE_DECK, TWO_DECKS = 1, 2


def beats(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether ``play`` beats ``on``; if ``on`` is null, whether it may be led."""
    question = QuestionReader(payload, "beats")
    reader = question.reader
    decks = question.integer("decks")
    named, played = question.texts("suit_order"), question.texts("play")
    lies = question.texts("on") if "on" not in payload or question.has("on") else None
    under_five = reader.flag(payload.get("under_five_of_a_kind", False), "/under_five_of_a_kind") or False
    question.check()
    question.between("decks", decks or 0, ONE_DECK, TWO_DECKS)
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
    two = list(filled.get("decks", ()))[-1:] == [str(TWO_DECKS)]
    pack = french(decks=TWO_DECKS if two else ONE_DECK)
    suits = tuple(suit.code for suit in pack.suits)
    return (
        Blank("on", "cards", "The last play", "Leave it empty if you lead.", optional=True, pack=pack),
        Blank("play", "cards", "The play that should beat it", pack=pack),
        Blank("decks", "number", "Packs", least=ONE_DECK, most=TWO_DECKS, standard=(str(ONE_DECK),)),
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
    decks = TWO_DECKS if len(hand["seating"]) > ONE_PACK else ONE_DECK
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
