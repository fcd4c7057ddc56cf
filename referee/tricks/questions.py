"""Questions of a plain trick-taking game; other games ``replace`` what differs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from referee.engine import shapes
from referee.engine.events import Play
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, FilledIn, Question, Seen, deal_question, plainly
from referee.engine.rules import Problem, Rules
from referee.engine.rulings import Reason, ScoreLine, impossible
from referee.engine.shapes import CARD, INTEGER, NULL_SUIT, REASON, text
from referee.tricks.hand import TrickHand
from referee.tricks.rules import TrickRules
from referee.tricks.state import ASKER

# --- Answers about plays: who wins a trick, what may be played
# Each sets up a hand from the question and lets the hand judge, so questions and records follow the same rules.


def set_up(rules: Rules, *, cards: int = 2, known: int | None = None) -> TrickHand:
    """A hand in play, set up for a question; ``known`` is the asker's hand."""
    kind = cast(type[TrickHand], rules.game.hand_class)
    return kind.set_up(cast(TrickRules, rules), cards=cards, known=known)


Told = Mapping[str, str | None]
"""Properties of a play besides its card, as typed."""


def scored(lines: Sequence[ScoreLine], **more: object) -> dict[str, Any]:
    """Build an answer from score lines: the sum, and the first line's reason with the clauses of all."""
    clauses = dict.fromkeys(clause for line in lines for clause in line.reason.clauses)
    reason = replace(lines[0].reason, clauses=tuple(clauses))
    return {"points": sum(line.points for line in lines), **more, "lines": lines, "reason": reason}


def read_trick(payload: Mapping[str, object]) -> tuple[QuestionReader, Rules, list[Told], list[int]]:
    """Read the trick in question: reader, rules that fit its number of plays, plays, and card indices."""
    question = QuestionReader(payload, "trick")
    players = question.integer("players", needed=False)
    question.text("trump")
    plays: list[Told] = []
    texts = []
    for pointer, play in question.objects("plays"):
        if "cards" not in play:
            question.missing("cards", pointer)
        told = {key: value for key, value in play.items() if key != "cards" and value is not None}
        plays.append({key: question.reader.text(value, f"{pointer}/{key}") for key, value in told.items()})
        texts.append(question.listed(play.get("cards", ()), f"{pointer}/cards"))
    question.check()
    misfit = Problem("/plays", "wrong-count", "A trick can’t have more cards than there are players.")
    named = [text for listed in texts for text in listed]
    rules = question.fitting_rules(players, lambda rules: len(plays) <= rules.players, misfit, named)
    if not plays:
        question.reader.value("/plays", "A trick needs at least one card.", "wrong-count")
    for position, shown in enumerate(texts):
        if len(shown) != 1:
            question.reader.value(f"/plays/{position}/cards", "Exactly one card is needed here.", "wrong-count")
    question.check()
    cards: list[int] = []
    for position, shown in enumerate(texts):
        pointer = f"/plays/{position}/cards/0"
        card = question.card(rules.pack, shown[0], pointer)
        if card >= 0 and card in cards:
            question.twice(rules.pack, card, pointer)
        cards.append(card)
    question.check()
    return question, rules, plays, cards


def reported_trump(question: QuestionReader, hand: TrickHand) -> None:
    """Set trump to the one stated, if the rules leave it open."""
    text = question.payload.get("trump")
    if text is None:
        return
    trump = hand.rules.pack.suit(text)
    if trump not in hand.rules.trump_suits():
        refused = hand.not_a_suit(text) or impossible("bad-suit", phrase="cannot-be-trump", suit=hand.suit_name(trump))
        question.reader.value("/trump", refused.reason.phrase_for(), "bad-suit")
    else:
        hand.reported_trump(trump)


def trick(payload: Mapping[str, object]) -> dict[str, object]:
    """Who wins or is winning a trick, and trump after it."""
    question, rules, plays, cards = read_trick(payload)
    hand = set_up(rules)
    reported_trump(question, hand)
    if hand.is_to_be_named():
        question.lacking("trump", "Give the trump of the hand.")
    return finish_trick(question, hand, plays, cards)


def finish_trick(
    question: QuestionReader, hand: TrickHand, plays: Sequence[Told], cards: Sequence[int]
) -> dict[str, object]:
    for seat, (play, card) in enumerate(zip(plays, cards, strict=True)):
        if not put_down(question, hand, seat, card, play.get("suit"), f"/plays/{seat}/suit"):
            break
    question.check()
    if not hand.has_winner():
        question.reader.value("/plays", "None of these cards can win a trick.", "wrong-count")
        question.check()
    hand.complete()
    taken = hand.taken[-1]
    return {"winner": taken.winner, "trump": hand.trump, "reason": taken.reason}


def put_down(question: QuestionReader, hand: TrickHand, seat: int, card: int, suit: str | None, pointer: str) -> bool:
    """Play a card; return ``False`` and report a problem if a suit may not be named with it."""
    code = hand.rules.pack.cards[card].code
    refused = hand.wrong_suit(Play(seat=seat, cards=(code,), suit=suit), card)
    if refused:
        question.reader.value(pointer, refused.reason.phrase_for(), "bad-suit")
        return False
    hand.put_down(seat, card, suit and hand.rules.pack.suit(suit))
    return True


def legal(
    payload: Mapping[str, object], tell: Callable[[QuestionReader, TrickHand], None] | None = None
) -> dict[str, object]:
    """Which cards of a hand may be played on the card led, or led; ``tell`` passes further facts to the hand."""
    question = QuestionReader(payload, "legal")
    question.texts("hand")
    players = question.integer("players", needed=False)
    led_card, led_suit = question.text("led_card"), question.text("led_suit")
    question.check()
    texts = question.listed(question.payload["hand"], "/hand")
    misfit = Problem("/hand", "too-many-cards", "No player is dealt that many cards.")
    named = [*texts, *([] if led_card is None else [led_card])]
    rules = question.fitting_rules(players, lambda rules: len(texts) <= len(rules.pack) // rules.players, misfit, named)
    if not texts:
        question.reader.value("/hand", "A hand needs at least one card.", "wrong-count")
    cards = question.cards(rules.pack, texts, "/hand")
    led = None if led_card is None else question.card(rules.pack, led_card, "/led_card")
    if led in cards:
        question.twice(rules.pack, led, "/led_card")
    question.check()
    hand = set_up(rules, cards=len(cards), known=rules.pack.mask(cards))
    if tell:
        tell(question, hand)
    if led is not None:
        put_down(question, hand, rules.players - 1, led, led_suit, "/led_suit")
    elif led_suit is not None:
        question.reader.value("/led_suit", "A suit is called only with the card led.", "bad-suit")
    question.check()
    return judge_each(hand, cards)


def judge_each(hand: TrickHand, cards: Sequence[int]) -> dict[str, object]:
    """Judge each of the asker's cards as if it were played now."""
    lawful: list[str] = []
    illegal: dict[str, Reason] = {}
    for card in cards:
        shown = hand.rules.pack.cards[card]
        suit = shown.suits[0] if shown.suits and hand.names_suit(card) else None
        refused = hand.copy().take(Play(seat=ASKER, cards=(shown.code,), suit=suit))
        if refused is None:
            lawful.append(shown.code)
        else:
            why = refused.reason
            key = f"may-not-{why.code}"
            illegal[shown.code] = Reason(why.code, why.clauses, why.facts, led_key(hand, why.code, key))
    if hand.plays:
        reason = hand.why_follow(ASKER, cards, all_may=not illegal)
    elif not illegal:
        reason = Reason("any-lead", hand.CITES["lead"])
    else:
        first = next(iter(illegal.values()))
        reason = Reason(first.code, first.clauses, phrase=led_key(hand, first.code, f"none-{first.code}"))
    refusals = [{"card": code, "reason": why} for code, why in illegal.items()]
    return {"legal": lawful, "illegal": refusals, "reason": reason}


def led_key(hand: TrickHand, code: str, key: str) -> str:
    return hand.lead_key(key) if code == hand.LED_EARLY else key


def score(payload: Mapping[str, object]) -> dict[str, object]:
    """Score one player's tricks and bid; for joint bids, ``bid`` is the sum."""
    question = QuestionReader(payload, "score")
    players, bid = question.integer("players", needed=False), question.integer("bid", needed=False)
    tricks = question.integer("tricks", needed=False) or 0
    if not question.has("tricks"):
        question.lacking("tricks", "Give the tricks taken.")
    question.check()

    def most_bid(rules: Rules) -> int:
        return most_tricks(rules) * cast(TrickRules, rules).bids_together()

    detail = "No hand of this game has that many tricks."
    misfit = Problem("/tricks", "bad-value", detail)
    question.fitting_rules(players, lambda rules: tricks <= most_tricks(rules), misfit)
    fitting = question.fitting_rules(
        players,
        lambda rules: tricks <= most_tricks(rules) and (bid or 0) <= most_bid(rules),
        Problem("/bid", "bad-value", detail),
    )
    rules = cast(TrickRules, fitting)
    if rules.bidding and bid is None:
        question.lacking("bid", "Bids are scored here, so give the bid too.")
    question.between("bid", bid or 0, 0, most_bid(rules))
    question.between("tricks", tricks, 0, most_tricks(rules))
    question.check()
    line = set_up(rules).line_for(tricks, bid or 0)
    return {"points": line.points, "lines": [line], "reason": line.reason}


def most_tricks(rules: Rules) -> int:
    return cast(TrickRules, rules).most_dealt() - set_up(rules).SET_ASIDE


def deal(payload: Mapping[str, object]) -> dict[str, object]:
    """Describe the first deal: cards for each player, cards left over, number of tricks."""
    question = QuestionReader(payload, "deal")
    players = question.integer("players")
    question.check()
    return first_deal(question.rules(players or 0))


def first_deal(rules: Rules) -> dict[str, object]:
    each = (rules.game.first(rules, 0).sizes or (0,))[0]
    return describe_deal(rules, each, Reason("dealt", set_up(rules).deal_clauses()))


def describe_deal(rules: Rules, each: int, why: Reason) -> dict[str, object]:
    """Build the answer for hands of this size; adds the numbers to the facts of ``why``."""
    aside = len(rules.pack) - each * rules.players
    reason = Reason(why.code, why.clauses, {"each": each, "aside": aside, **why.facts}, why.phrase)
    tricks = each - set_up(rules).SET_ASIDE
    return {"cards_each": [each] * rules.players, "aside": aside, "tricks": tricks, "reason": reason}


PLAYS = "cards"
"""Name of the form field for the cards of a trick."""

# -- form fields --------------------------------------------------------------------------


def suit_codes(rules: TrickRules) -> tuple[str, ...]:
    return tuple(suit.code for suit in rules.pack.suits)


def trump_before(rules: TrickRules) -> tuple[Blank, ...]:
    """Form field for trump before the trick, if the rules leave it open."""
    if len(rules.trump_suits()) <= 1:
        return ()
    return (Blank("trump", "suit", "Trump before the trick", choices=rules.trump_suits(), optional=True),)


def trick_blanks(rules: TrickRules, filled: FilledIn) -> tuple[Blank, ...]:
    most = rules.game.players[-1]
    return (Blank(PLAYS, "cards", "Cards, in the order they were played", most=most), *trump_before(rules))


def plays(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, Any]:
    """Build the payload of a trick: its plays, and the other fields by name."""
    payload = [{"cards": [card]} for card in filled.get(PLAYS, ())]
    return {"plays": payload, **plainly([blank for blank in blanks if blank.name != PLAYS], filled)}


def last_trick(hand: Seen, *, running: bool = False) -> Seen | None:
    """The last trick, if its cards are known; with ``running``, only if it is unfinished."""
    tricks = hand.get("tricks", ())
    known = tricks and all("cards" in play for play in tricks[-1]["plays"])
    return tricks[-1] if known and not (running and tricks[-1]["winner"] is not None) else None


def trick_seen(hand: Seen) -> FilledIn:
    """Prefill: cards of the last trick, and trump before it."""
    trick = last_trick(hand)
    if trick is None:
        return {}
    earlier = hand["tricks"][:-1]
    trump = earlier[-1]["trump"] if earlier else hand.get("trump")
    return {PLAYS: [card for play in trick["plays"] for card in play["cards"]], "trump": [trump] if trump else []}


def legal_seen(hand: Seen) -> FilledIn:
    """Prefill: the card led to the current trick."""
    trick = last_trick(hand, running=True)
    return {"led_card": trick["plays"][0]["cards"]} if trick else {}


def legal_blanks(rules: TrickRules, filled: FilledIn) -> tuple[Blank, ...]:
    led = Blank("led_card", "card", "Card led", "Leave it empty if you lead.", optional=True)
    return (led, Blank("hand", "cards", "Cards in hand"))


def score_blanks(rules: TrickRules, filled: FilledIn) -> tuple[Blank, ...]:
    texts = [*filled.get("bid", ()), *filled.get("tricks", ())]
    told = [int(text) for text in texts if text.isascii() and text.isdecimal() and len(text) <= len("99")]
    most = max(most_tricks(rules), *told, 0)
    tricks = Blank("tricks", "number", "Tricks taken", most=most)
    return (Blank("bid", "number", "Tricks bid", most=most), tricks) if rules.bidding else (tricks,)


# -- the questions --------------------------------------------------------------------------


def shown(**more: shapes.Schema) -> shapes.Schema:
    """Schema of the plays of a trick; ``more`` adds properties to each play."""
    play = shapes.closed({"cards": shapes.array(CARD, "One card."), **more}, ("cards",), extra=True)
    return shapes.array(play, "In the order played.")


TRICK = Question(
    "trick",
    "Who wins this trick?",
    trick,
    hint="Tap the cards in the order they were played.",
    blanks=trick_blanks,
    compose=plays,
    seen=trick_seen,
    help=("`plays` are in the order played; `trump` is trump before the trick. `winner` is a position in `plays`.",),
    request={
        "players": shapes.nullable(shapes.number("The number of players; by default the fewest possible.")),
        "trump": NULL_SUIT,
        "plays": shown(),
    },
    needed=("plays",),
    response={
        "winner": shapes.nullable(INTEGER | {"description": "A position in `plays`."}),
        "trump": shapes.nullable(text("Trump after the trick.")),
        "reason": REASON,
    },
)
LEGAL = Question(
    "legal",
    "May I play this?",
    legal,
    hint="Which cards of a hand you may play, and why not the others.",
    blanks=legal_blanks,
    seen=legal_seen,
    help=("Returns which cards of a hand may be played on `led_card` (null: the hand leads), and why others may not.",),
    request={"hand": shapes.array(CARD), "led_card": shapes.NULL_CARD},
    needed=("hand",),
    response={
        "legal": shapes.array(text(), "In the order given."),
        "illegal": shapes.array(shapes.answer({"card": text(), "reason": REASON})),
        "reason": REASON,
    },
)
SCORE = Question(
    "score",
    "What does this hand score?",
    score,
    hint="The points of one player.",
    blanks=score_blanks,
    help=("With `bid` and `tricks`: the points of one player.",),
    request={
        "bid": shapes.nullable(shapes.number()),
        "tricks": shapes.number(),
        "players": shapes.nullable(shapes.number()),
    },
    response={"points": INTEGER, "lines": shapes.array(shapes.ref("ScoreLine")), "reason": REASON},
)
DEAL = deal_question(deal)

PLAIN = (TRICK, LEGAL, SCORE, DEAL)
"""Questions of a game in which everyone reads the cards alike and every hand is dealt the same way."""
