"""Tricks of a round (AD-9 .. AD-13): plays, passes, winners, and the possible next plays."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from referee.engine.event_kinds import Event
from referee.engine.events import Ask, Field, Pass, Play, Preview, Turn
from referee.engine.offers import interleave
from referee.engine.rulings import Oddity, Reason, Refusal, impossible, out_of_turn
from referee.engine.state import FINISHED, PLAY, takes
from referee.games.american_deuce import combinations
from referee.games.american_deuce.combinations import Combination
from referee.games.american_deuce.evidence import RoundProofs
from referee.games.american_deuce.state import SUITS, Cycle, Laid, RoundState
from referee.games.american_deuce.worlds import LedRiot, may_be_fours
from referee.packs import Card

PICKS = (
    Turn("{seat} picks the top suit.", "You pick the top suit."),
    Turn("{seat} picks the second suit.", "You pick the second suit."),
    Turn("{seat} picks the third suit.", "You pick the third suit."),
)
LEADS = Turn("{seat} leads.", "You lead.")
LEADS_OR_PASSES = Turn("{seat} leads or passes.", "You lead or pass.")
BEATS = Turn("{seat} beats it or passes.", "You beat it or pass.")
PASSES = Turn("Nothing beats it: {seat} passes.", "Nothing beats it: you pass.")
COUNTS = Turn("How many cards does each player have left?")


class RoundTricks(RoundProofs):
    """Accepts plays and passes, and gives each trick to its winner."""

    @takes(Play)
    def take_play(self, event: Play) -> Refusal | None:
        """Play cards: a lead, or an attempt to beat the last play (AD-9, AD-10)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        refusal = self.no_such_seat(event.seat)
        if refusal:
            return refusal
        if not event.cards:
            return impossible("wrong-count", "REC-4", phrase="wrong-count-none")
        found = self.find_cards(event.cards, self.gone())
        if isinstance(found, Refusal):
            return found
        seat = event.seat
        if len(found) > self.left[seat]:
            return impossible("too-many-cards", "REC-7", seat=seat)
        refusal = self.misplaced(seat, found)
        if refusal:
            return refusal
        if event.suit is not None:
            return impossible("bad-suit", "REC-9", suit=event.suit)
        combination = combinations.recognise(self.cards(found))
        riot = self.riot_led(seat, found, combination)
        oddities = self.play_oddities(seat, found, combination, riot)
        refusal = self.consent(event, oddities)
        if refusal:
            return refusal
        self.put_down(Laid(seat, found, self.events), combination)
        self.disprove(seat, found)
        seen = any(oddity.code == "riot-led" for oddity in oddities)
        if riot and self.rules.options["riot_lead"] == "quads-only" and not seen:
            self.riots += (riot,)  # a claim, lawful as far as is known
        if not self.left[seat]:  # whoever goes out takes the open trick (AD-13, AD-Q13)
            self.gather(seat, "went-out", "AD-13")
            self.winner = seat
            self.phase = FINISHED
        elif len(self.passed) == self.rules.players - 1:  # all others had passed the lead
            self.gather(seat, "all-passed", "AD-12")
        return None

    def put_down(self, laid: Laid, combination: combinations.Combination | None) -> None:
        """Add a play to the trick and pass the turn."""
        seat, number = laid.seat, len(laid.cards)
        if self.last is None:
            self.leader = seat
            locks = self.rules.options["count_lock"] == "round" and not self.lock and not self.unlocked
            if locks and combination and combination.kind is not combinations.Kind.RIOT:
                self.lock = number
        self.played = self.after(seat, laid.cards)
        self.left = self.left[:seat] + (self.left[seat] - number,) + self.left[seat + 1 :]
        self.passed = tuple(other for other in self.passed if other != seat)
        self.five = self.five or (combination is not None and combination.kind is combinations.Kind.FIVE)
        self.plays += (laid,)
        self.last = laid
        self.turn = self.next_in(seat)

    def next_in(self, seat: int) -> int:
        """The next seat clockwise that may still beat the last play."""
        out = (*self.passed, self.last.seat if self.last else None)
        turn = self.clockwise[seat]
        while turn in out and turn != seat:
            turn = self.clockwise[turn]
        return turn

    @takes(Pass)
    def take_pass(self, event: Pass) -> Refusal | None:
        """Pass: the seat is out until the next trick (AD-11)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        if self.last is None and not self.lock:
            return impossible("wrong-phase", "AD-Q2", "REC-2", phrase="pass-leader")
        refusal = self.no_such_seat(event.seat)
        if refusal:
            return refusal
        seat = event.seat
        if self.last is None and not self.may_pass_lead(seat):
            return impossible("wrong-phase", "AD-Q1", "AD-Q2", "REC-2", phrase="pass-few", seat=seat, number=self.lock)
        if self.last is not None and seat == self.last.seat:
            return impossible("wrong-phase", "AD-11", "REC-2", phrase="pass-last", seat=seat)
        refusal = self.consent(event, self.turn_oddities(seat))
        if refusal or seat in self.passed:
            return refusal
        self.passed += (seat,)
        self.plays += (Laid(seat, (), self.events),)
        if self.last is not None and len(self.passed) == self.rules.players - 1:
            self.gather(self.last.seat, "all-passed", "AD-12")
        elif len(self.passed) == self.rules.players:
            self.lock, self.unlocked = 0, True  # no one had a combination of that size: any number may be led (AD-Q1)
            self.passed = ()
            self.turn = self.leader
        elif seat == self.turn:
            self.turn = self.next_in(seat)
        return None

    def gather(self, winner: int, code: str, clause: str) -> None:
        """Finish a trick: the last player takes it, and everyone is in again."""
        cards = self.last.cards if self.last else ()
        facts = {"seat": winner, "play": combinations.name_play(self.cards(cards))}
        reason = Reason(code, (clause,), facts)
        self.taken += (Cycle(self.leader, self.plays, winner, reason),)
        self.leader = self.turn = winner
        self.plays = ()
        self.passed = ()
        self.last = None
        self.five = False

    def turn_oddities(self, seat: int) -> list[Oddity]:
        """Irregularities of who acts: out of the trick, or out of turn."""
        found = []
        if seat in self.passed:
            found.append(Oddity("passed", seat, Reason("passed", ("AD-11",), {"seat": seat})))
        return found + out_of_turn(seat, self.turn)

    def play_oddities(
        self, seat: int, cards: tuple[int, ...], combination: combinations.Combination | None, riot: LedRiot | None
    ) -> list[Oddity]:
        """Irregularities of a play, in the order they are reported."""
        found = self.turn_oddities(seat)
        shown = self.cards(cards)
        if combination is None:
            reason = no_combination(seat, shown)
            found.append(Oddity("no-combination", seat, reason))
        if riot:
            rule = self.rules.options["riot_lead"]
            evidence = self.evidence(played=self.after(seat, cards))
            fits = rule == "quads-only" and may_be_fours(riot, evidence, self.rules.of_rank)
            if rule != "always" and not fits:
                phrase = "riot-led-never" if rule == "never" else ""
                reason = Reason("riot-led", ("AD-24", "AD-Q12"), {"seat": seat}, phrase)
                found.append(Oddity("riot-led", seat, reason))
        too_weak = self.too_weak(seat, shown, combination)
        if too_weak:
            found.append(Oddity("does-not-beat", seat, too_weak))
        return found

    def too_weak(
        self, seat: int, cards: tuple[Card, ...], combination: combinations.Combination | None
    ) -> Reason | None:
        """Return why a play does not beat the last one, or is a lead of the wrong number of cards."""
        if self.last is None:
            riot = combination is not None and combination.kind is combinations.Kind.RIOT
            if not self.lock or riot or self.left[seat] < self.lock or len(cards) == self.lock:
                return None
            never = self.rules.options["riot_lead"] == "never"
            phrase = "other-number-led" if never else "other-number-led-riot"
            return Reason("does-not-beat", ("AD-Q1",), {"number": self.lock}, phrase)
        if combination is None:
            facts = {"play": combinations.list_cards(cards), "on": combinations.name_play(self.cards(self.last.cards))}
            return Reason("does-not-beat", ("AD-10", "IR-15"), facts, "no-combination-beats")
        comparison = self.against(self.last, combination)
        return None if comparison.beats else comparison.reason

    def against(self, last: Laid, combination: combinations.Combination) -> combinations.Comparison:
        """Compare a combination with the last play (AD-10)."""
        lying = lying_there(self.cards(last.cards))
        return combinations.compare(
            combination, lying, suits=self.suits, options=self.rules.options, under_five=self.five
        )

    # -- what can come next, and what the selected cards form ------------------------------------

    def preview(self, event: Event) -> Preview | None:
        """Name the combination and say whether it can be played now, whoever's turn it is."""
        if not isinstance(event, Play) or self.phase is not PLAY or not event.cards or self.no_such_seat(event.seat):
            return None
        found = self.find_cards(event.cards, self.gone())
        if isinstance(found, Refusal):
            return Preview(False, (found.reason,))
        cards = self.cards(found)
        combination = combinations.recognise(cards)
        if combination is None:
            clauses = no_combination(event.seat, cards).clauses
            number = len(self.last.cards) if self.last else 0
            if len(cards) < number:
                return Preview(None, (Reason("so-many-cards", clauses, {"count": len(cards), "number": number}),))
            return Preview(False, (Reason("no-combination-asked", clauses, combinations.facts_of_none(cards)),))
        named = Reason(
            "composed", (combinations.CLAUSES[combination.kind],), {"play": combinations.name_combination(combination)}
        )
        riot = self.riot_led(event.seat, found, combination)
        odd = self.play_oddities(event.seat, found, combination, riot)
        against = tuple(oddity.reason for oddity in odd if oddity.code in ("riot-led", "does-not-beat"))
        does = combinations.to_play(combination)
        if against or self.last is None:
            return Preview(not against, (named, *against), does)
        return Preview(True, (named, self.against(self.last, combination).reason), does)

    def all_pass(self) -> tuple[Event, ...]:
        if self.phase is not PLAY or self.last is None:
            return ()
        order = [self.turn]
        while len(order) < self.rules.players:
            order.append(self.clockwise[order[-1]])
        return tuple(Pass(seat) for seat in order if seat not in (*self.passed, self.last.seat))

    def weak_cards(self, number: int = 0) -> tuple[str, ...]:
        if self.phase is not PLAY or self.last is None:
            return ()
        strong = set(self.strong_cards(self.turn, (number,) if number else numbers(self, self.turn)))
        return tuple(code for code in unplayed(self) if code not in strong)

    def strong_cards(self, seat: int, allowed: Sequence[int]) -> Iterator[str]:
        """Yield the cards with which this seat may beat the last play with ``allowed`` numbers of cards (AD-10)."""
        last, cards = self.last, playable(self, seat, unplayed(self))
        for card in cards:
            if last and any(self.against(last, play).beats for play in best_with(card, cards, allowed)):
                yield card.code

    def can_beat(self, seat: int) -> bool:
        """Return whether any cards this seat may hold beat the last play; true for a lead."""
        return self.last is None or any(self.strong_cards(seat, numbers(self, seat)))

    def card_groups(self, seat: int | None, wanted: Field, held: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
        """Yield the combinations that ``seat`` can make of these cards with ``held`` among them, as codes.

        Only the number of cards is matched to the last play, and nothing is offered if nothing beats it; each play is
        judged when made.
        """
        seat = seat or 0
        cards = playable(self, seat, wanted.choices) if self.can_beat(seat) else []
        among = tuple(card for card in cards if card.code in held)
        if cards and len(among) == len(set(held)):
            for group in interleave(kinds(cards, among, numbers(self, seat))):
                yield tuple(card.code for card in group)

    def asks(self) -> tuple[Ask, ...]:
        if self.phase not in (SUITS, PLAY):
            return ()
        found = []
        cards, pack = unplayed(self), self.rules.pack
        if self.phase is SUITS:
            suits = tuple(s.code for s in pack.suits if s.code not in self.suits)
            named = Field("suit", "suit", "Suit", suits)
            found.append(Ask("suit", "Name a suit", self.to_act(), (named,), turn=PICKS[len(self.suits)]))
        else:
            # All cards by suit, highest suit first, each from 3 to 2 (AD-4, AD-6).
            ranked = sorted(
                pack.cards, key=lambda c: (c.star, self.suits.index(c.suits[0]), combinations.RANKS.index(c.rank))
            )
            order, most = tuple(card.code for card in ranked), min(FIVE, max(self.left))
            usual = len(self.last.cards) if self.last else self.lock or 1
            played = Field("cards", "cards", "Cards", cards, count=(1, most), order=order, usual=usual)
            turn = self.to_act()
            passes, beats = self.last is not None or self.may_pass_lead(turn[0]), self.can_beat(turn[0])
            says = BEATS if self.last and beats else PASSES if self.last else LEADS_OR_PASSES if passes else LEADS
            ways = [Ask("play", "Play", turn, (played,), preview=True, turn=says)]
            if passes:
                ways.insert(1 if beats else 0, Ask("pass", "Pass", turn, turn=says))
            found += ways
            if self.last is None and self.exchange is None and not self.taken:
                found.append(Ask("drop-deuce", "Drop a Deuce", (), exchange_fields(self, cards)))
            owed = any(each.code in ("denied-deuce", "not-lowest") for each in self.irregularities)
            if owed and self.taken and self.late is None:  # two cards can be exchanged as a correction (IR-12)
                given, returned = exchange_fields(self, cards)[2:]
                late = (replace(given, after="", goes_with={}), replace(returned, after="", last=False))
                found.append(Ask("put-right", "Put the exchange right", (), late))
        left = Field("cards_left", "numbers", "Cards left", least=0, most=max(self.left), rest=0, ceilings=self.left)
        found.append(Ask("result", "Result of the round", (), (left,), turn=COUNTS))
        return tuple(found)


def no_combination(seat: int, cards: tuple[Card, ...]) -> Reason:
    """Return why these cards form no combination; fewer than five would have to be of one rank."""
    few = len(cards) < FIVE
    riot = not few and max(Counter(card.rank for card in cards).values()) >= combinations.RIOT_SIZE
    clause = combinations.CLAUSES[combinations.ALIKE[len(cards)]] if few else "AD-19"
    clauses = (clause, *(("AD-24",) if riot else ()), "IR-15")
    facts = {"seat": seat, "play": combinations.list_cards(cards)}
    return Reason("no-combination", clauses, facts, "no-combination-riot" if riot else "")


@lru_cache(maxsize=1000)
def lying_there(cards: tuple[Card, ...]) -> combinations.Lying:
    """The play to beat; cached, since every candidate is compared with it."""
    return combinations.Lying(len(cards), combinations.recognise(cards))


# --- Possible combinations, kind by kind, strongest first (AD-15 .. AD-29)

FIVE = 5
Group = tuple[Card, ...]
Ranks = Mapping[str, Group]


def best_with(card: Card, cards: Sequence[Card], allowed: Sequence[int]) -> Iterator[Combination]:
    """Yield the best combination of each kind that contains ``card``; ``cards`` are sorted from the strongest down.

    If none of them beats a play, no combination with that card does.
    """
    same = [other for other in cards if other.rank == card.rank and other is not card]
    groups: list[Iterable[Group]] = [[(card, *same[: number - 1])] for number in allowed]
    if combinations.RIOT_SIZE in allowed:
        riots = [(card, *others) for others in itertools.combinations(same, combinations.RIOT_SIZE - 1)]
        groups += [
            [choose(riots, key=colours)] for choose in (max, min) if riots
        ]  # the best mixed riot, and the best in one colour
    if FIVE in allowed:
        groups += [best_straights(card, cards), best_flushes(card, cards), best_full_houses(card, cards, same)]
    found = (combinations.recognise(group) for group in itertools.chain.from_iterable(groups))
    yield from (combination for combination in found if combination is not None)


def colours(cards: Group) -> int:
    return len({combinations.COLOURS[card.suits[0]] for card in cards})


def best_straights(card: Card, cards: Sequence[Card]) -> Iterator[Group]:
    """Yield the best straight and straight flush with this card, for each sequence of ranks."""
    of_rank = {rank: [each for each in cards if each.rank == rank] for rank in combinations.RANKS} | {card.rank: [card]}
    for sequence in combinations.STRAIGHTS:
        if card.rank not in sequence or not all(of_rank[rank] for rank in sequence):
            continue
        best = tuple(of_rank[rank][0] for rank in sequence)
        yield best
        suited = (next((each for each in of_rank[rank] if each.suits == card.suits), None) for rank in sequence)
        yield tuple(each for each in suited if each is not None)
        if len({each.suits for each in best}) == 1:  # a straight flush: swap in another suit
            for place, rank in enumerate(sequence):
                others = (each for each in of_rank[rank] if each.suits != card.suits)
                yield from ((*best[:place], other, *best[place + 1 :]) for other in itertools.islice(others, 1))


def best_flushes(card: Card, cards: Sequence[Card]) -> Iterator[Group]:
    """Yield the best flush with this card; if it is a straight flush, also the best plain flush."""
    suited = [other for other in cards if other.suits == card.suits and other is not card]
    for others in itertools.combinations(suited, FIVE - 1):
        group = (card, *others)
        yield group
        if frozenset(each.rank for each in group) not in combinations.SEQUENCES:
            return


def best_full_houses(card: Card, cards: Sequence[Card], same: Sequence[Card]) -> Iterator[Group]:
    for rank in combinations.RANKS:
        others = [other for other in cards if other.rank == rank]
        if rank != card.rank:
            yield (card, *same[:2], *others[:2])
            yield (card, *same[:1], *others[:3])


def playable(hand: RoundState, seat: int, choices: Sequence[str]) -> list[Card]:
    """Cards the seat may hold, strongest first; an entered hand counts only before the exchange."""
    known = hand.setup.known[seat] if hand.setup.known and hand.exchange is None else None
    cards = [card for card in hand.rules.pack.cards if card.code in choices]
    able = [card for card in cards if known is None or known >> card.index & 1]
    return sorted(able, key=lambda card: combinations.strength(card, hand.suits), reverse=True)


def numbers(hand: RoundState, seat: int) -> tuple[int, ...]:
    """Allowed numbers of cards for this seat's play; four are a riot, which beats other kinds."""
    left = hand.left[seat]
    if hand.last is not None:
        allowed = {len(hand.last.cards), combinations.RIOT_SIZE}
    elif hand.lock and left >= hand.lock:
        allowed = {hand.lock, combinations.RIOT_SIZE}
    else:
        allowed = set(range(1, FIVE + 1))
    return tuple(number for number in sorted(allowed) if number <= left)


def kinds(cards: Sequence[Card], held: Group, allowed: Sequence[int]) -> Iterator[Iterator[Group]]:
    """Yield one iterator per kind of combination, over all combinations that contain ``held``."""
    of_rank = {rank: tuple(card for card in cards if card.rank == rank) for rank in reversed(combinations.RANKS)}
    for number in allowed:
        yield of_one_rank(of_rank, held, number)
    if FIVE in allowed:
        yield full_houses(of_rank, held)
        yield straights(of_rank, held)
        yield flushes(cards, held)


def of_one_rank(of_rank: Ranks, held: Group, number: int) -> Iterator[Group]:
    for same in of_rank.values():
        if set(held) <= set(same):
            yield from some(same, held, number)


def full_houses(of_rank: Ranks, held: Group) -> Iterator[Group]:
    for three, two in itertools.permutations(of_rank, 2):
        if all(card.rank in (three, two) for card in held):
            triples = some(of_rank[three], of(three, held), 3)
            yield from (a + b for a, b in itertools.product(triples, tuple(some(of_rank[two], of(two, held), 2))))


def straights(of_rank: Ranks, held: Group) -> Iterator[Group]:
    for sequence in reversed(combinations.STRAIGHTS):
        if all(card.rank in sequence for card in held) and len({card.rank for card in held}) == len(held):
            yield from itertools.product(*(of(rank, held) or of_rank[rank] for rank in reversed(sequence)))


def flushes(cards: Sequence[Card], held: Group) -> Iterator[Group]:
    for suit in dict.fromkeys(card.suits[0] for card in cards):
        if all(card.suits[0] == suit for card in held):
            yield from some([card for card in cards if card.suits[0] == suit], held, FIVE)


def of(rank: str, held: Group) -> Group:
    return tuple(card for card in held if card.rank == rank)


def some(cards: Sequence[Card], held: Group, number: int) -> Iterator[Group]:
    """Yield groups of ``number`` of these cards that contain ``held``."""
    others = [card for card in cards if card not in held]
    return (
        (held + more for more in itertools.combinations(others, number - len(held)))
        if number >= len(held)
        else iter(())
    )


UNSEEN = "? (not seen)"


def exchange_fields(hand: RoundState, cards: tuple[str, ...]) -> tuple[Field, ...]:
    """Form fields of an exchange: the King's holder and the cards, likely ones first."""
    rank = {card.code: combinations.RANKS.index(card.rank) for card in hand.rules.pack.cards}
    returned = tuple(sorted(cards, key=lambda code: rank[code]))
    given = tuple(sorted(cards, key=lambda code: (rank[code] + 1) % len(combinations.RANKS)))
    constipated = {code: rank[code] != combinations.RANKS.index("2") for code in cards}
    cabinet = tuple(str(seat) for seat in sorted(hand.setup.seating[1:]))
    dropped = Field("given", "card", "Card to the President-Elect", given, optional=True, none=UNSEEN, after="king")
    return (
        Field("king", "seat", "Holder of the King of diamonds", cabinet, optional=True, none="Nobody"),
        Field("constipated", "flag", "Constipated King: no 2", optional=True, none="Gives a 2", after="king"),
        replace(dropped, goes_with=constipated),
        Field("returned", "card", "Card given back", returned, optional=True, none=UNSEEN, after="king", last=True),
    )


def unplayed(hand: RoundState) -> tuple[str, ...]:
    gone = hand.gone()
    return tuple(card.code for card in hand.rules.pack.cards if not gone >> card.index & 1)
