"""Where cards may lie, and what evidence there is."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import Phase as Stage
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.engine.events import Play
from referee.engine.rules import Setup
from referee.engine.rulings import Certainty, Reason, Verdict
from referee.engine.state import PLAY
from referee.games.american_deuce.game import GAME
from referee.games.american_deuce.hand import ClimbingHand
from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.state import Cycle, DropDeuce, PutRight
from referee.packs import french
from tests.games.american_deuce.all_worlds import ORDER, Deal, Listing, deals, is_two
from tests.games.american_deuce.told_rounds import NAMED, drop, hand
from tests.referee.telling import Json, accepted, exercises, plays
from tests.seeds import as_often_as

# --- Drop a Deuce judged over all its worlds, compared with exhaustive enumeration

CODES = ("king-elsewhere", "denied-deuce", "not-lowest")
SHAPES = ((3, 3, 3), (3, 3, 2), (4, 3, 2), (2, 3, 3), (2, 2, 2, 2), (3, 2, 2))
Having = tuple[tuple[int, frozenset[str]], ...]
TIMES = as_often_as(always=50, hunting=400)


@dataclass
class Tale:
    """A round with few cards as it really went, and what of it was recorded."""

    rng: Random
    hand: ClimbingHand
    listing: Listing
    truth: Deal
    king: int

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability


def begin(rng: Random, *, decks: int) -> Tale:
    """Deal a few cards; sometimes one is set aside, sometimes hands are entered."""
    sizes = rng.choice(SHAPES)
    the_king = "KD" if decks == 1 else "KD*"
    pack = french(decks=decks)
    others = [card.code for card in pack.cards if card.code != the_king]
    twos = rng.sample([code for code in others if is_two(code)], rng.randint(1, 3))
    plain = [code for code in others if not is_two(code)]
    low = [code for code in plain if code[0] in "345"]
    number = max(sum(sizes), 8) - 1 - len(twos)
    codes = [the_king, *twos, *rng.sample(low if rng.random() < 0.6 else plain, number)]
    return begin_with(rng, codes, sizes, decks=decks, entered=rng.choice((0, 0, 0.3, 0.8)))


def begin_with(
    rng: Random, codes: list[str], sizes: tuple[int, ...], *, decks: int, entered: float, having: Having = ()
) -> Tale:
    """Deal these cards in hands of these sizes. A hand is entered with this probability; ``having`` fixes cards of
    seats.
    """
    players = len(sizes)
    the_king = "KD" if decks == 1 else "KD*"
    pack = french(decks=decks)
    chosen = sorted(codes, key=lambda code: pack.codes[code])
    cards = tuple(replace(pack.cards[pack.codes[code]], index=index) for index, code in enumerate(chosen))
    small = type(pack)(pack.id, pack.name, pack.suits, cards, pack.interpret, pack.describe, pack.ranks)
    full = GAME.rules({}, 4 if decks == 1 else 5)
    assert isinstance(full, ClimbingRules)
    rules = replace(full, players=players, pack=small, sides=tuple((seat,) for seat in range(players)))
    every = deals(tuple(chosen), sizes)
    hands = rng.choice([each for each in every if all(cards <= each[seat] for seat, cards in having)])
    known = tuple(hands[seat] if rng.random() < entered else None for seat in range(players))
    fitting = [
        Deal(each) for each in every
        if all(entered in (None, cards) for entered, cards in zip(known, each, strict=True))
    ]  # fmt: skip
    masks = tuple(None if each is None else small.mask(small.codes[c] for c in each) for each in known)
    president = rng.randrange(players)
    seating = tuple((president + step) % players for step in range(players))
    hand = ClimbingHand(rules, Setup(0, president, seating, sizes, masks))
    hand.suits, hand.phase = tuple(ORDER), PLAY
    holder = next((seat for seat, cards in enumerate(hands) if the_king in cards), president)
    king = holder if rng.random() < 0.7 else rng.randrange(players)
    return Tale(rng, hand, Listing(fitting, president, the_king=the_king), Deal(hands), king)


def exchanged(tale: Tale) -> DropDeuce:
    """Exchange two cards, honestly or not, and record what was seen or claimed."""
    rng, president, king = tale.rng, tale.listing.president, tale.king
    if king == president or tale.chance(0.1):
        tale.king = president
        return DropDeuce(rng.choice((None, president)))
    hers, his = (sorted(tale.truth.hands[seat]) for seat in (president, king))
    twos = [card for card in his if is_two(card)]
    given = rng.choice(twos if twos and tale.chance(0.7) else his)
    returned = rng.choice([*hers, given])
    tale.truth = Deal(tale.truth.hands, given, returned)
    hide = rng.choice((0.0, 0.4, 1.0))
    told = ["?" if tale.chance(hide) else card for card in (given, returned)]
    if tale.chance(0.1):
        told[rng.randrange(2)] = rng.choice(sorted(set(hers + his)))
    flag = tale.chance(0.5) if tale.chance(0.3) else not is_two(given)
    return DropDeuce(king, flag, *told)


Standing = dict[str, tuple[tuple[int, ...], Certainty]]


def findings(hand: ClimbingHand) -> Standing:
    """The findings about the exchange: who may be at fault, and with what certainty."""
    found = [each for each in hand.irregularities if each.code in CODES]
    assert len({each.code for each in found}) == len(found)
    return {each.code: (each.suspects, each.certainty) for each in found}


def shown_at_once(listing: Listing, event: DropDeuce) -> Standing:
    found = listing.wrong()
    belied = event.given not in (None, "?") and not event.constipated and not is_two(event.given or "")
    if belied and listing.king is not None and listing.may_owe():
        found.setdefault("denied-deuce", (listing.king,))
    return {code: (who, Certainty.SEEN if len(who) == 1 else Certainty.JOINT) for code, who in found.items()}


def shown_by_now(listing: Listing, before: Standing, *, late: bool) -> Standing:
    """The findings after one more play, given the earlier ones; corrected ones are not reconsidered."""
    standing = {
        code: known for code, known in before.items() if code == "king-elsewhere" or listing.may_owe()
    }  # fmt: skip
    for code, who in listing.wrong().items():
        if late and code != "king-elsewhere":
            continue
        known, certainty = standing.get(code, ((), Certainty.JOINT))
        if certainty is Certainty.JOINT or (code == "king-elsewhere" and known != who):
            standing[code] = (who, Certainty.PROVED if len(who) == 1 else Certainty.JOINT)
    return standing


def attempts(tale: Tale) -> Iterator[tuple[int, list[str]]]:
    """Plays as they might happen: mostly from the real hands, sometimes any unplayed card."""
    rng = tale.rng
    king = None if tale.king == tale.listing.president else tale.king
    players = range(len(tale.hand.left))
    hands = [set(tale.truth.after(seat, tale.listing.president, king)) for seat in players]
    for _ in range(40):
        seat = rng.choice(players)
        unplayed = sorted(set().union(*hands))
        cards = sorted(hands[seat]) if tale.chance(0.9) else unplayed
        cards = rng.sample(cards, min(len(cards), rng.choice((1, 1, 1, 2, 3)), tale.hand.left[seat]))
        if not cards:
            continue
        before = tale.hand.left
        yield seat, cards
        if tale.hand.left != before:
            hands = [held - set(cards) for held in hands]


@exercises("AD-7", "AD-8", "AD-Q8", "AD-Q9", "AD-Q16", "REC-8", "REC-17")
@settings(max_examples=TIMES, phases=(Stage.explicit, Stage.reuse, Stage.generate), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from((1, 2)))
def test_an_exchange_verdict_equals_exhaustive_enumeration(seed: int, decks: int):
    tale = begin(Random(seed), decks=decks)
    event = exchanged(tale)
    listing = tale.listing.exchange(event.king, event.constipated, event.given, event.returned)
    refusal = tale.hand.copy().take(event)
    if not listing.worlds:
        assert refusal
        assert (refusal.verdict, refusal.reason.code) == (Verdict.IMPOSSIBLE, "not-in-hand")
        return
    standing = shown_at_once(listing, event)
    assert (refusal.reason.code if refusal else None) == next((code for code in CODES if code in standing), None)
    assert tale.hand.take(replace(event, accepted=True)) is None
    assert findings(tale.hand) == standing
    for seat, cards in attempts(tale):
        if tale.hand.phase is not PLAY:
            break
        if tale.chance(0.15):
            listing, standing = put_right(tale, listing, standing)
        after = listing.played(seat, cards)
        refusal = tale.hand.take(Play(seat, tuple(cards), accepted=True))
        if not after.worlds:
            assert refusal
            assert (refusal.verdict, refusal.reason.code) == (Verdict.IMPOSSIBLE, "not-in-hand")
            continue
        assert refusal is None
        listing, before = after, standing
        standing = shown_by_now(listing, before, late=tale.hand.late is not None)
        assert findings(tale.hand) == standing
        gone = {each.found.code for each in tale.hand.withdrawn if each.event == tale.hand.events - 1}
        moved = {code for code in standing.keys() & before if before[code][1] is not Certainty.JOINT}
        assert gone == (before.keys() - standing.keys()) | {code for code in moved if before[code] != standing[code]}


def put_right(tale: Tale, listing: Listing, standing: Standing) -> tuple[Listing, Standing]:
    """Have two cards exchanged late, and check the outcome; the first trick counts as over."""
    king, president = listing.king, listing.president
    if king is None or tale.hand.late is not None:
        return listing, standing
    tale.hand.taken = tale.hand.taken or (Cycle(0, (), 0, Reason("all-passed", ("AD-12",))),)
    held = [sorted(tale.truth.after(seat, president, king) - listing.gone) for seat in (king, president)]
    denied = listing.constipated or "denied-deuce" in standing
    givable = {card for card in held[0] if is_two(card)} if denied else {tale.truth.returned} & set(held[0])
    if not all(held) or not givable:
        return listing, standing
    cards = tale.rng.choice(sorted(givable)), tale.rng.choice(held[1])
    hides = denied or (tale.hand.exchange is not None and tale.hand.exchange.returned is not None)
    told = ["?" if hides and tale.chance(0.5) else cards[0], "?" if tale.chance(0.5) else cards[1]]
    after, since = listing.put_right(*told, denied=denied), tale.hand.copy()
    refusal = since.take(PutRight(*told))
    assert (refusal is None) == bool(after.worlds)
    if refusal:
        return listing, standing
    tale.hand, tale.truth = since, replace(tale.truth, late=cards)
    standing = shown_by_now(after, standing, late=True) if told != ["?", "?"] else standing
    assert findings(tale.hand) == standing
    return after, standing


def only_fours(cards: frozenset[str]) -> bool:
    """Whether these cards are all fours of a kind."""
    return all(count % 4 == 0 for count in Counter(card.rstrip("*")[:-1] for card in cards).values())


@exercises("AD-24", "AD-Q12", "AD-7")
@settings(max_examples=TIMES, phases=(Stage.explicit, Stage.reuse, Stage.generate), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_riot_verdict_equals_exhaustive_enumeration(seed: int):
    rng = Random(seed)
    riot = frozenset(f"3{suit}" for suit in ORDER)
    others = ["2S", "2H", "2C", "2D", "5S", "5H", "6S", "9C"]
    codes = ["KD", *riot, "4S", "4H", "4C", "4D", *rng.sample(others, 2)]
    sizes = rng.choice(((8, 2, 1), (1, 8, 2), (2, 1, 8), (8, 1, 1)))
    leader = sizes.index(8)
    tale = begin_with(rng, codes, sizes, decks=1, entered=rng.choice((0, 0.4)), having=((leader, riot),))
    listing = tale.listing
    if tale.chance(0.8):
        event = exchanged(tale)
        listing = listing.exchange(event.king, event.constipated, event.given, event.returned)
        refused = tale.hand.take(replace(event, accepted=True))
        assume(not refused and riot <= tale.truth.after(leader, listing.president, listing.king))
    assume(listing.played(leader, sorted(riot)).worlds)
    standing = True
    for seat, cards in [(leader, sorted(riot)), *attempts(tale)]:
        after, found = listing.played(seat, cards), riots_led(tale.hand)
        if tale.hand.phase is not PLAY or not after.worlds or tale.hand.evidence().seen() & mask(tale, cards):
            continue
        listing = after
        assert tale.hand.take(Play(seat, tuple(cards), accepted=True)) is None
        hands = (world.after(leader, listing.president, listing.king) for world in listing.worlds)
        lawful = any(only_fours(hand - riot) for hand in hands)
        assert riots_led(tale.hand) - found == (standing and not lawful)
        standing = standing and lawful


def riots_led(hand: ClimbingHand) -> int:
    """The number of riots found to be led unlawfully; other findings may be withdrawn at the same time."""
    return sum(each.code == "riot-led" for each in hand.irregularities)


def mask(tale: Tale, cards: list[str]) -> int:
    """The cards as the referee's bit mask."""
    pack = tale.hand.rules.pack
    return pack.mask(pack.codes[card] for card in cards)


# --- Explaining a wrong exchange or riot: the act, the rule, the evidence

TWOS = "2S 2H 2C 2D"
CERTAIN = "played; since then we know"


def steps(*events: object, **more: object) -> list[str]:
    """Return the steps of a round's last finding, each with its words, cards and trick."""
    finding: Json = hand(NAMED, *events, **more)["irregularities"][-1]
    assert [step["part"] for step in finding["steps"]] == ["done", "asked", "shown"][: len(finding["steps"])]
    told = [(step["reason"]["text"], " ".join(step["cards"]), step["trick"]) for step in finding["steps"]]
    return [f"{text}: {cards}" + (f" in trick {trick}" if trick else "") for text, cards, trick in told]


@exercises("AD-7", "AD-8", "AD-Q6", "AD-Q8", "REC-17")
@pytest.mark.parametrize(
    ("exchange", "played", "expected"),
    [
        (
            drop(1, "5S", "9S", constipated=True), "0:3S 1:2H",
            ["Bob said “no 2” and gave: 5S", f"Owed: a 2: {TWOS}", "Bob showed: 2H in trick 1"],
        ),
        (
            drop(1, "2S", "4C"), "0:4D",
            ["Ann gave back: 4C", "In return, the lowest card: 2S", "Ann showed: 4D in trick 1"],
        ),
        (
            drop(1, "2S"), "0:3D",
            ["Ann gave back: ?", "In return, the lowest card: 2S", f"Ann {CERTAIN}: 3D in trick 1"],
        ),
        (
            drop(1, "2S", "3D"), "0:3S 1:4S 2:KD",
            ["Bob was said to hold it: KD", f"Its holder owes a 2: {TWOS}", "Cy showed: KD in trick 1"],
        ),
        (
            drop(None), "0:3S 1:KD",
            [
                "No one in the cabinet was said to hold it: KD", f"Its holder owes a 2: {TWOS}",
                "Bob showed: KD in trick 1",
            ],
        ),
        (
            drop(1, constipated=True), "0:3S+3H 1:2H+2D",
            ["Bob said “no 2” and gave: ?", f"Owed: a 2: {TWOS}", "Bob showed: 2H in trick 1"],
        ),
    ],
)  # fmt: skip
def test_an_exchange_is_explained_in_three_steps(exchange: Json, played: str, expected: list[str]):
    assert steps(exchange, plays(played)) == expected


@exercises("AD-7", "AD-8")
def test_immediate_evidence_needs_no_third_step():
    assert steps(accepted(drop(1, "5S", "3D"))) == ["Bob gave: 5S", f"Owed: a 2: {TWOS}"]
    assert steps(accepted(drop(1, "2S", "2S"))) == ["Ann gave back: 2S", "In return, the lowest card: 2S"]
    assert steps(plays("0:3S 1:4S 2:4D!")) == []


@exercises("AD-7", "AD-Q16")
def test_the_king_given_back_shows_another_player_held_it():
    wrong = accepted(drop(1, "5S", "KD", constipated=True))
    assert steps(wrong)[2:] == ["Ann gave back: KD"]
    two_packs = steps(drop(1), plays("0:3S 1:4S 2:KD*"), players=5)
    assert two_packs[0] == "Bob was said to hold it: KD*"
    assert two_packs[1].count("2") == 1 + 8
    assert two_packs[2] == "Cy showed: KD* in trick 1"


@exercises("AD-24", "AD-Q12", "REC-17")
def test_a_wrongly_led_riot_is_proved_by_the_lead_and_a_shown_card():
    told = steps(plays("0:3S 1:- 2:- 3:- 0:4S+4H+4C+4D 1:- 2:- 3:- 0:9S 1:- 2:- 3:- 0:JS 1:- 2:- 3:- 0:KS"))
    assert told == [
        "Ann led: 4S 4H 4C 4D in trick 2",
        "Then only fours of a kind may be left: ",
        f"Ann {CERTAIN}: KS in trick 5",
    ]
