"""Rounds told in short words."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any

from referee.engine.event_kinds import Event
from referee.engine.events import Pass, Play
from referee.engine.rules import Setup
from referee.engine.rulings import Certainty, Irregularity
from referee.engine.state import PLAY
from referee.games.american_deuce.game import GAME
from referee.games.american_deuce.hand import ClimbingHand
from referee.games.american_deuce.rules import ClimbingRules, hand_sizes
from referee.games.american_deuce.state import DropDeuce, PutRight
from tests.referee.telling import Json, telling_of
from tests.referee.telling import judged as judged_of

# --- Short words for rounds of American Deuce: what only its table says, and its table of four

TABLE: Json = {"game": "american-deuce", "players": 4, "dealer": 0}
hand, refused = telling_of("american-deuce", players=4, dealer=0)
judged = partial(judged_of, **TABLE)
NAMED: list[Json] = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHC")]
"""Seat 0 is President-Elect; spades over hearts over clubs over diamonds."""


def name(seat: int, suit: str) -> Json:
    return {"type": "suit", "seat": seat, "suit": suit}


def drop(king: int | None, given: str | None = "?", returned: str | None = "?", *, constipated: bool = False) -> Json:
    if king is None:
        given = returned = None
    return {
        "type": "drop-deuce", "king": king, "constipated": constipated, "given": given, "returned": returned,
    }  # fmt: skip


def left(*cards: int) -> Json:
    return {"type": "result", "cards_left": list(cards)}


def with_known(events: list[Json], **more: Any) -> Json:
    """Judge one round of which some hands were entered: ``s0="3S 3H ..."``."""
    hands = {key: cards for key, cards in more.items() if key[0] == "s" and key[1:].isdigit()}
    rest = {key: value for key, value in more.items() if key not in hands}
    entered = {key[1:]: cards.split() for key, cards in hands.items()}
    answer = judged({"events": events, "known": entered}, **rest)
    only: Json = answer["hands"][0] | {"rejected": answer["rejected"]}
    return only


def code_of(answer: Json) -> tuple[str, str] | None:
    rejected = answer["rejected"]
    return rejected and (rejected["verdict"], rejected["reason"]["code"])


# --- Rounds of which the real hands are known, and what was told of their exchange: honestly, or by whom it suits
# Cards are never mistaken: what was given, what came back and what was played lay on the table. Who was named as the
# holder of the King, whether there was said to be no 2, and which card was given as the lowest may all be lies or
# slips.

RESTS_ON_NAMING = "answered as the holder of the king"
ORDER = ("S", "H", "C", "D")
OWED = ("denied-deuce", "not-lowest")
NAMES = ("king-elsewhere", "riot-led", *OWED)


@dataclass
class Told:
    """A round as it really was, and as it is told."""

    rng: Random
    hand: ClimbingHand
    dealt: tuple[int, ...]
    holding: list[int]
    told: DropDeuce
    given: int | None = None
    returned: int | None = None
    trader: int | None = None
    mistapped: bool = False
    riots: dict[int, bool] = field(default_factory=dict)
    """Of riots led, by their event: whether only fours of a kind were left."""
    plays: list[Event] = field(default_factory=list)

    @property
    def rules(self) -> ClimbingRules:
        return self.hand.rules

    @property
    def holder(self) -> int | None:
        return next((seat for seat, cards in enumerate(self.dealt) if cards & self.rules.king), None)

    @property
    def named(self) -> int | None:
        """Who was said to hold it, of the cabinet."""
        return None if self.told.king == self.hand.president else self.told.king

    # -- what is true -----------------------------------------------------------------------

    def is_true(self, found: Irregularity) -> bool:
        """Whether somebody did what a finding says, and everybody it may have been is among its suspects."""
        if found.code == "king-elsewhere":
            if self.named is not None and found.suspects == (self.named,):
                return self.holder != self.named
            return self.holder in found.suspects and (
                self.named is not None or self.hand.president not in found.suspects
            )
        if found.code == "riot-led":
            return not self.riots[found.event]
        if self.named is None or self.holder != self.named or found.seat is None:
            return False
        gave_two = self.given is not None and bool(self.rules.twos >> self.given & 1)
        if found.code == "denied-deuce":
            had_two = bool(self.dealt[self.named] & self.rules.twos)
            return found.seat == self.named and had_two and (self.told.constipated or not gave_two)
        assert found.code == "not-lowest", found
        lower = 0 if self.returned is None else self.rules.below(ORDER)[self.returned]
        wrong = bool(self.dealt[self.hand.president] & lower) or self.returned == self.given
        return found.seat == self.hand.president and gave_two and wrong

    def is_contradicted(self) -> bool:
        """Whether a card, played or entered, shows that whoever was named did not hold the King."""
        if self.named is None or self.holder == self.named:
            return False
        if any(
            known is not None and self.holder is not None and known & self.rules.king for known in self.hand.setup.known
        ):
            return True
        if self.hand.setup.known[self.named] is not None:
            return True
        the_king = self.rules.pack.cards[self.rules.king.bit_length() - 1].code
        if self.told.returned == the_king and self.told.given not in ("?", the_king):
            return True
        shower = next((seat for seat, cards in enumerate(self.hand.played) if cards & self.rules.king), None)
        if shower is None:
            return False
        moved = {self.hand.president: {self.told.given}, self.named: {self.told.returned}}
        for late in (event for event in self.plays if isinstance(event, PutRight)):
            moved[self.hand.president].add(late.given)
            moved[self.named].add(late.returned)
        return shower not in moved or not moved[shower] & {"?", the_king}


def begin(rng: Random, *, honest: bool) -> Told:
    """Deal a round and tell its exchange; without honesty a third of all namings, flags and denials are false."""
    players = rng.choice((4, 4, 5, 6, 7, 8))
    options = {"deal": "even"} if players > 4 and rng.random() < 0.3 else {}
    rules = GAME.rules(options, players)
    assert isinstance(rules, ClimbingRules)
    president = rng.randrange(players)
    seating = tuple((president + step) % players for step in range(players))
    sizes = hand_sizes(seating, rules.options)
    cards = list(range(len(rules.pack)))
    rng.shuffle(cards)
    dealt = []
    for size in sizes:
        dealt.append(rules.pack.mask(cards[:size]))
        del cards[:size]
    if rng.random() < 0.3:
        deal_riots(rng, rules, dealt)
    elif rng.random() < 0.6:  # let there be something to deny
        give_away(rng, rules, dealt)
    entered = rng.choice((0, 0, 0, 0.25, 0.6))
    known = tuple(hand if rng.random() < entered else None for hand in dealt)
    hand = ClimbingHand(rules, Setup(0, president, seating, sizes, known))
    hand.suits, hand.phase = ORDER, PLAY
    lies = (lambda: False) if honest else (lambda: rng.random() < 1 / 3)
    told = Told(rng, hand, tuple(dealt), list(dealt), DropDeuce(None))
    tell(told, lies)
    return told


def deal_riots(rng: Random, rules: ClimbingRules, dealt: list[int]) -> None:
    """Let a hand be fours of a kind, or nearly."""
    to = rng.randrange(len(dealt))
    fours = [rules.pack.members(rank)[:4] for rank in rng.sample(rules.of_rank, len(rules.of_rank))]
    wanted = [card for four in fours for card in four if rng.random() < 0.98][: dealt[to].bit_count()]
    for card in wanted:
        seat = next((seat for seat, cards in enumerate(dealt) if cards >> card & 1), to)
        back = next((each for each in rules.pack.members(dealt[to]) if each not in wanted), None)
        if seat != to and back is not None:
            dealt[seat] ^= 1 << card | 1 << back
            dealt[to] ^= 1 << card | 1 << back


def give_away(rng: Random, rules: ClimbingRules, dealt: list[int]) -> None:
    """Let the President-Elect hold neither the King nor much that is high."""
    wanted = rules.king | rules.twos & rng.getrandbits(len(rules.pack))
    to = rng.randrange(len(dealt))
    for card in rules.pack.members(wanted):
        seat = next((seat for seat, cards in enumerate(dealt) if cards >> card & 1), None)
        if seat is None or seat == to:
            continue
        back = rng.choice([each for each in rules.pack.members(dealt[to]) if not wanted >> each & 1] or [card])
        if back != card:
            dealt[seat] ^= 1 << card | 1 << back
            dealt[to] ^= 1 << card | 1 << back


def tell(told: Told, lies) -> None:
    rng, rules, president = told.rng, told.rules, told.hand.president
    others = [seat for seat in range(rules.players) if seat != president]
    named = told.holder if told.holder in others else None
    if lies():
        named = rng.choice([None, *others])
    if named is None:
        told.told = DropDeuce(rng.choice((None, president)))
        return
    told.mistapped = told.holder in others and named != told.holder and rng.random() < 0.3
    trader = told.holder if told.mistapped and told.holder is not None else named
    his, hers = told.dealt[trader], told.dealt[president]
    twos = rules.pack.members(his & rules.twos)
    denied = bool(twos) and lies()
    gives_two = bool(twos) and not denied
    given = rng.choice(twos if gives_two else list(rules.pack.members(his)))
    ladder = [card for card in rules.ladder(ORDER) if hers >> card & 1]
    returned = ladder[0] if gives_two and not lies() else rng.choice([*ladder, given])
    flag = not gives_two
    if lies():
        flag = not flag
    hide = 1.0 if told.mistapped else rng.choice((0.0, 0.0, 0.4, 1.0))
    shown = ["?" if rng.random() < hide else rules.pack.cards[card].code for card in (given, returned)]
    told.given, told.returned, told.trader = given, returned, trader
    told.told = DropDeuce(named, flag, *shown)
    for seat, got, gave in ((president, given, returned), (trader, returned, given)):
        told.holding[seat] = told.holding[seat] & ~(1 << gave) | 1 << got if got != gave else told.holding[seat]
    if given == returned:
        told.holding[president], told.holding[trader] = told.dealt[president], told.dealt[trader]


def go_on(told: Told) -> bool:
    """Play, let everybody else pass, or put the exchange right; return whether that was taken."""
    rng, hand = told.rng, told.hand
    if hand.last is not None and rng.random() < 0.2:
        others = [seat for seat in range(told.rules.players) if seat not in (hand.last.seat, *hand.passed)]
        return all(record(told, Pass(seat, accepted=True)) for seat in others)
    if hand.taken and not told.mistapped and told.trader is not None and rng.random() < 0.3:
        return put_right(told)
    return play_on(told)


def record(told: Told, event: Event) -> bool:
    """Record an event; return whether it was taken."""
    if told.hand.take(event) is not None:
        return False
    told.plays.append(event)
    return True


def put_right(told: Told) -> bool:
    """Have a 2, or the card that had come back, change hands for another one of hers."""
    rng, president, king = told.rng, told.hand.president, told.trader
    assert king is not None
    hers, his = told.holding[president], told.holding[king]
    back = 0 if told.returned is None else 1 << told.returned
    denied = told.told.constipated or any(found.code == "denied-deuce" for found in told.hand.irregularities)
    wanted = told.rules.pack.members(his & (told.rules.twos if denied else back))
    others = told.rules.pack.members(hers)
    if not wanted or not others:
        return False
    cards = rng.choice(wanted), rng.choice(others)
    shown = ["?" if rng.random() < 0.5 else told.rules.pack.cards[card].code for card in cards]
    if not record(told, PutRight(*shown)):
        return False
    told.holding[president] = hers & ~(1 << cards[1]) | 1 << cards[0]
    told.holding[king] = his & ~(1 << cards[0]) | 1 << cards[1]
    return True


def play_on(told: Told) -> bool:
    """Play some cards of a real hand, allowed or not; return whether they were taken."""
    rng, hand = told.rng, told.hand
    cards_of = told.rules.pack.members
    seat = rng.choice([seat for seat, cards in enumerate(told.holding) if cards])
    mine = list(cards_of(told.holding[seat]))
    ranks: dict[str, list[int]] = {}
    for card in mine:
        ranks.setdefault(told.rules.pack.cards[card].rank, []).append(card)
    same = rng.choice(list(ranks.values()))
    chosen = (
        same[: rng.randint(1, len(same))] if rng.random() < 0.7 else rng.sample(mine, min(len(mine), rng.randint(1, 5)))
    )
    leads = hand.last is None
    event = hand.events
    play = Play(seat, tuple(told.rules.pack.cards[card].code for card in chosen), accepted=True)
    if not record(told, play):
        return False
    told.holding[seat] &= ~told.rules.pack.mask(chosen)
    if leads and len(chosen) == 4:
        left = Counter(told.rules.pack.cards[card].rank for card in cards_of(told.holding[seat]))
        told.riots[event] = all(count % 4 == 0 for count in left.values())
    return True


def check(told: Told, *, honest: bool) -> None:
    """Whoever is accused did it, or the finding says on whose word it rests and no card has contradicted that word."""
    for found in told.hand.irregularities:
        if found.code not in NAMES:
            continue
        assert found.code == "riot-led" or not honest, found
        assert found.code not in OWED or not told.is_contradicted(), found
        if found.certainty is Certainty.SEEN and found.code != "king-elsewhere":
            continue
        if not told.is_true(found):
            assert found.code in OWED, found
            assert told.holder != told.named, found
            assert RESTS_ON_NAMING in found.reason.text, found.reason.text


def play_round(seed: int) -> tuple[int, Counter[str]]:
    """Play a round, checking it after every event; return how many there were, and what was found in it."""
    rng = Random(seed)
    honest = rng.random() < 0.3
    told = begin(rng, honest=honest)
    fresh = told.hand.copy()
    if told.hand.take(replace(told.told, accepted=True)) is not None:
        return 0, Counter()
    check(told, honest=honest)
    for _ in range(rng.choice((5, 10, 20, 40))):
        if told.hand.phase is not PLAY:
            break
        if go_on(told):
            check(told, honest=honest)
    found = Counter(f"{each.code} {each.certainty}" for each in told.hand.irregularities if each.code in NAMES)
    found.update(f"{each.found.code} withdrawn" for each in told.hand.withdrawn)
    return told.hand.events + amend_naming(told, fresh), found


def amend_naming(told: Told, fresh: ClimbingHand) -> int:
    """Judge the same plays once the naming is amended to what was true; return how many events were taken."""
    named = told.holder
    if told.trader not in (None, named):
        return 0  # cards have moved to and from another hand, which no naming takes back
    told.told = (
        DropDeuce(named)
        if named in (None, fresh.president)
        else replace(told.told, king=named, given="?", returned="?")
    )
    told.hand = fresh
    if fresh.take(replace(told.told, accepted=True)) is not None:
        return 0
    for event in told.plays:
        if fresh.take(event) is not None:
            break
        check(told, honest=False)
    return fresh.events
