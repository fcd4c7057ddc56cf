"""The tricks of a round (AD-9 .. AD-13): plays, passes, who takes the cards, and what can be played next."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain, combinations, permutations, product
from operator import or_

from referee.engine.events import Ask, Field, Pass, Play, Preview
from referee.engine.offers import interleave
from referee.engine.rulings import Oddity, Reason, Refusal, impossible
from referee.engine.state import FINISHED, PLAY, takes
from referee.games.american_deuce.combinations import (
    CLAUSES,
    COLOURS,
    RANKS,
    RIOT_SIZE,
    STRAIGHTS,
    Combination,
    Kind,
    Lying,
    compare,
    list_cards,
    name_combination,
    name_play,
    recognise,
    strength,
)
from referee.games.american_deuce.evidence import RoundProofs
from referee.games.american_deuce.state import SUITS, Cycle, Laid, RoundState
from referee.games.american_deuce.worlds import LedRiot, may_be_fours
from referee.packs import Card

# --- The tricks of a round: plays, passes, who is to act, and who takes the cards (AD-9 .. AD-13)

BY_NUMBER = {2: Kind.PAIR, 3: Kind.TRIPLE, 4: Kind.RIOT}
"""What so many cards would have to be; five or more would be a five-card combination."""


class RoundTricks(RoundProofs):
    """Takes the plays and passes of a round, and gives each trick to its winner."""

    # -- plays ----------------------------------------------------------------------------

    @takes(Play)
    def take_play(self, event: Play) -> Refusal | None:
        """Take a play: a lead, or an attempt to beat the last play (AD-9, AD-10)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        refusal = self.no_such_seat(event.seat)
        if refusal:
            return refusal
        if not event.cards:
            return impossible("wrong-count", "REC-4", phrase="wrong-count-none")
        found = self.find_cards(event.cards)
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
        combination = recognise(self.cards(found))
        riot = self.riot_led(seat, found, combination)
        oddities = self.play_oddities(seat, found, combination, riot)
        refusal = self.consent(event, oddities)
        if refusal:
            return refusal
        self.put_down(Laid(seat, found, self.events), combination)
        self.disprove(seat, found)
        if riot and self.claims_fours(oddities):
            self.riots += (riot,)
        if not self.left[seat]:
            self.go_out(seat)
        elif len(self.passed) == self.rules.players - 1:  # all others had passed the lead on
            self.gather(seat, "all-passed", "AD-12")
        return None

    def find_cards(self, codes: tuple[str, ...]) -> tuple[int, ...] | Refusal:
        """Return the cards that these codes name, or refuse one that cannot be played."""
        pack = self.rules.pack
        found: list[int] = []
        for code in codes:
            card = pack.find(code)
            if card is None:
                return self.not_in_deck(code)
            found.append(card)
        gone = 0
        for played in self.played:
            gone |= played
        for card in found:
            if gone >> card & 1:
                return impossible("already-played", "REC-6", card=pack.cards[card])
            gone |= 1 << card
        return tuple(found)

    def not_in_deck(self, code: str) -> Refusal:
        """Refuse a card that this pack does not hold, naming those it does."""
        return impossible("not-in-deck", "REC-5", why=self.rules.pack.explain(code))

    def put_down(self, laid: Laid, combination: Combination | None) -> None:
        """Put a play on the table: it is now to be beaten, and the turn passes on."""
        seat, number = laid.seat, len(laid.cards)
        if self.last is None:
            self.leader = seat
            locks = self.rules.options["count_lock"] == "round" and not self.lock and not self.unlocked
            if locks and combination and combination.kind is not Kind.RIOT:
                self.lock = number
        self.played = self.after(seat, laid.cards)
        self.left = self.left[:seat] + (self.left[seat] - number,) + self.left[seat + 1 :]
        self.passed = tuple(other for other in self.passed if other != seat)
        self.five = self.five or (combination is not None and combination.kind is Kind.FIVE)
        self.plays += (laid,)
        self.last = laid
        self.turn = self.next_in(seat)

    def next_in(self, seat: int) -> int:
        """Return the first seat to the left of this one that may still beat the last play."""
        out = (*self.passed, self.last.seat if self.last else None)
        turn = self.clockwise[seat]
        while turn in out and turn != seat:
            turn = self.clockwise[turn]
        return turn

    @takes(Pass)
    def take_pass(self, event: Pass) -> Refusal | None:
        """Take a pass: that seat is out until the next trick (AD-11)."""
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
            self.unlock()
        elif seat == self.turn:
            self.turn = self.next_in(seat)
        return None

    def unlock(self) -> None:
        """Let the first leader lead anything, once nobody has so many cards that go together (AD-Q1)."""
        self.lock, self.unlocked = 0, True
        self.passed = ()
        self.turn = self.leader

    # -- tricks ---------------------------------------------------------------------------

    def gather(self, winner: int, code: str, clause: str) -> None:
        """Clear the table: the last player takes the trick, and everybody is in again."""
        cards = self.last.cards if self.last else ()
        facts = {"seat": winner, "play": name_play(self.cards(cards))}
        reason = Reason(code, (clause,), facts)
        self.taken += (Cycle(self.leader, self.plays, winner, reason),)
        self.leader = self.turn = winner
        self.plays = ()
        self.passed = ()
        self.last = None
        self.five = False

    def go_out(self, seat: int) -> None:
        """End the round: this seat has no cards left and takes the open trick (AD-13, AD-Q13)."""
        self.gather(seat, "went-out", "AD-13")
        self.winner = seat
        self.phase = FINISHED

    # -- what is irregular ----------------------------------------------------------------

    def turn_oddities(self, seat: int) -> list[Oddity]:
        """Collect what is wrong with who acts: out of the trick, or out of turn."""
        found = []
        if seat in self.passed:
            found.append(Oddity("passed", seat, Reason("passed", ("AD-11",), {"seat": seat})))
        if seat != self.turn:
            facts = {"seat": seat, "turn": self.turn}
            found.append(Oddity("out-of-turn", seat, Reason("out-of-turn", ("REC-12",), facts)))
        return found

    def play_oddities(
        self,
        seat: int,
        cards: tuple[int, ...],
        combination: Combination | None,
        riot: LedRiot | None,
    ) -> list[Oddity]:
        """Collect all that is irregular about a play, in the order in which it is answered."""
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

    def too_weak(self, seat: int, cards: tuple[Card, ...], combination: Combination | None) -> Reason | None:
        """Return why a play does not beat what lies, or does not lead what the round asks."""
        if self.last is None:
            riot = combination is not None and combination.kind is Kind.RIOT
            if not self.lock or riot or self.left[seat] < self.lock or len(cards) == self.lock:
                return None
            never = self.rules.options["riot_lead"] == "never"
            phrase = "other-number-led" if never else "other-number-led-riot"
            return Reason("does-not-beat", ("AD-Q1",), {"number": self.lock}, phrase)
        lying = recognise(self.cards(self.last.cards))
        if combination is None:
            on = name_play(self.cards(self.last.cards))
            facts_of = {"play": list_cards(cards), "on": on}
            return Reason("does-not-beat", ("AD-10", "IR-15"), facts_of, "no-combination-beats")
        comparison = compare(
            combination,
            Lying(len(self.last.cards), lying),
            suits=self.suits,
            options=self.rules.options,
            under_five=self.five,
        )
        return None if comparison.beats else comparison.reason


def no_combination(seat: int, cards: tuple[Card, ...]) -> Reason:
    """Return why these cards are no combination (AD-17 .. AD-24)."""
    kind = BY_NUMBER.get(len(cards))
    riot = max(Counter(card.rank for card in cards).values()) >= RIOT_SIZE and not kind
    clauses = (CLAUSES[kind] if kind else "AD-19", *(("AD-24",) if riot else ()), "IR-15")
    facts = {"seat": seat, "play": list_cards(cards)}
    return Reason("no-combination", clauses, facts, "no-combination-riot" if riot else "")


# --- What cards tapped together would be: the combination, and whether it beats what lies (AD-10)


def preview_play(hand: RoundTricks, event: Play) -> Preview | None:
    """Name the combination, and say whether it could be played now; whose turn it is does not matter."""
    if not event.cards or hand.no_such_seat(event.seat):
        return None
    found = hand.find_cards(event.cards)
    if isinstance(found, Refusal):
        return Preview(False, (found.reason,))
    cards = hand.cards(found)
    combination = recognise(cards)
    if combination is None:
        why = no_combination(event.seat, cards)
        return Preview(False, (Reason("no-combination-asked", why.clauses, {"play": list_cards(cards)}),))
    named = Reason("composed", (CLAUSES[combination.kind],), {"play": name_combination(combination)})
    riot = hand.riot_led(event.seat, found, combination)
    odd = hand.play_oddities(event.seat, found, combination, riot)
    against = tuple(oddity.reason for oddity in odd if oddity.code in ("riot-led", "does-not-beat"))
    if against:
        return Preview(False, (named, *against))
    return Preview(True, (named, *beaten(hand, combination)))


def beaten(hand: RoundTricks, combination: Combination) -> tuple[Reason, ...]:
    """Return why a combination beats what lies; nothing for a lead."""
    if hand.last is None:
        return ()
    lying = Lying(len(hand.last.cards), recognise(hand.cards(hand.last.cards)))
    options, five = hand.rules.options, hand.five
    return (compare(combination, lying, suits=hand.suits, options=options, under_five=five).reason,)


# --- Which cards can be played together: combinations kind by kind, from the strongest down (AD-15 .. AD-29)

FIVE = 5
Group = tuple[Card, ...]
Ranks = Mapping[str, Group]


def card_groups(hand: RoundState, seat: int, choices: Sequence[str], held: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the codes of what a seat can put together from these cards, ``held`` among them.

    Of what lies only the number of cards is looked at, and whether anything beats it; what does the referee judges.
    """
    if not beatable(hand, seat):
        return
    cards = sorted(playable(hand, seat, choices), key=lambda card: strength(card, hand.suits), reverse=True)
    wanted = tuple(card for card in cards if card.code in held)
    if len(wanted) == len(set(held)):
        for group in interleave(kinds(cards, wanted, numbers(hand, seat))):
            yield tuple(card.code for card in group)


def beatable(hand: RoundState, seat: int) -> bool:
    """Return whether any cards that this seat may still hold beat what lies (AD-10); a lead has nothing to beat."""
    if hand.last is None:
        return True
    codes = tuple(card.code for card in hand.rules.pack.cards if not gone_from(hand) >> card.index & 1)
    cards = sorted(playable(hand, seat, codes), key=lambda card: strength(card, hand.suits), reverse=True)
    lying = Lying(len(hand.last.cards), recognise(hand.cards(hand.last.cards)))
    allowed = numbers(hand, seat)
    return any(
        compare(group, lying, suits=hand.suits, options=hand.rules.options, under_five=hand.five).beats
        for play in strongest(cards, allowed)
        if (group := recognise(play)) is not None
    )


def strongest(cards: Sequence[Card], allowed: Sequence[int]) -> Iterator[Group]:
    """Yield the strongest combinations of these cards, the best first: what none of them beats, nothing does."""
    of_rank = {rank: tuple(card for card in cards if card.rank == rank) for rank in reversed(RANKS)}
    of_suit = {suit: tuple(card for card in cards if card.suits[0] == suit) for suit in COLOURS}
    for same in of_rank.values():
        yield from (same[:number] for number in allowed if number <= len(same))
        if RIOT_SIZE in allowed:
            coloured = (tuple(card for card in same if COLOURS[card.suits[0]] == colour) for colour in COLOURS.values())
            yield from (riot[:RIOT_SIZE] for riot in coloured if len(riot) >= RIOT_SIZE)
    if FIVE not in allowed:
        return
    for three, two in permutations(of_rank.values(), 2):
        if len(three) >= 3 and len(two) >= 2:
            yield three[:3] + two[:2]
    for suited in (cards, *of_suit.values()):
        for sequence in STRAIGHTS:
            found = [next((card for card in suited if card.rank == rank), None) for rank in sequence]
            yield tuple(card for card in found if card is not None)
    yield from (suited[:FIVE] for suited in of_suit.values())


def gone_from(hand: RoundState) -> int:
    """Return the cards that have been played."""
    return reduce(or_, hand.played)


def playable(hand: RoundState, seat: int, choices: Sequence[str]) -> Iterator[Card]:
    """Yield the cards that the seat can hold; after an exchange nobody says so beforehand."""
    known = hand.setup.known[seat] if hand.setup.known and hand.exchange is None else None
    for card in hand.rules.pack.cards:
        if card.code in choices and (known is None or known >> card.index & 1):
            yield card


def numbers(hand: RoundState, seat: int) -> tuple[int, ...]:
    """Return how many cards a play of this seat may have now; a riot beats whatever lies."""
    left = hand.left[seat]
    if hand.last is not None:
        allowed = {len(hand.last.cards), RIOT_SIZE}
    elif hand.lock and left >= hand.lock:
        allowed = {hand.lock, RIOT_SIZE}
    else:
        allowed = set(range(1, FIVE + 1))
    return tuple(number for number in sorted(allowed) if number <= left)


def kinds(cards: Sequence[Card], held: Group, allowed: Sequence[int]) -> Iterator[Iterator[Group]]:
    """Yield, for each kind of combination, all of that kind that the held cards are among."""
    of_rank = {rank: tuple(card for card in cards if card.rank == rank) for rank in reversed(RANKS)}
    for number in allowed:
        yield alike(of_rank, held, number)
    if FIVE in allowed:
        yield full_houses(of_rank, held)
        yield straights(of_rank, held)
        yield flushes(cards, held)


def alike(of_rank: Ranks, held: Group, number: int) -> Iterator[Group]:
    """Yield so many cards of one rank."""
    return chain.from_iterable(some(same, held, number) for same in of_rank.values() if set(held) <= set(same))


def full_houses(of_rank: Ranks, held: Group) -> Iterator[Group]:
    """Yield three of one rank with two of another."""
    for three, two in permutations(of_rank, 2):
        if all(card.rank in (three, two) for card in held):
            triples = some(of_rank[three], of(three, held), 3)
            yield from (a + b for a, b in product(triples, tuple(some(of_rank[two], of(two, held), 2))))


def straights(of_rank: Ranks, held: Group) -> Iterator[Group]:
    """Yield five in sequence, of any suits."""
    for sequence in reversed(STRAIGHTS):
        if all(card.rank in sequence for card in held) and len({card.rank for card in held}) == len(held):
            yield from product(*(of(rank, held) or of_rank[rank] for rank in reversed(sequence)))


def flushes(cards: Sequence[Card], held: Group) -> Iterator[Group]:
    """Yield five of one suit."""
    for suit in dict.fromkeys(card.suits[0] for card in cards):
        if all(card.suits[0] == suit for card in held):
            yield from some([card for card in cards if card.suits[0] == suit], held, FIVE)


def of(rank: str, held: Group) -> Group:
    """Return the cards of a rank among those held."""
    return tuple(card for card in held if card.rank == rank)


def some(cards: Sequence[Card], held: Group, number: int) -> Iterator[Group]:
    """Yield so many of these cards, those held among them."""
    others = [card for card in cards if card not in held]
    return (held + more for more in combinations(others, number - len(held))) if number >= len(held) else iter(())


# --- What the record of a round can take next, for pages and clients

MOST_IN_A_PLAY = 5
UNSEEN = "? (not seen)"


def asks(hand: RoundState) -> tuple[Ask, ...]:
    """Return what the record can take next."""
    if hand.phase not in (SUITS, PLAY):
        return ()
    found = []
    cards = unplayed(hand)
    if hand.phase is SUITS:
        suits = tuple(s.code for s in hand.rules.pack.suits if s.code not in hand.suits)
        found.append(Ask("suit", "Name a suit", hand.to_act(), (Field("suit", "suit", "Suit", suits),)))
    if hand.phase is PLAY:
        most = min(MOST_IN_A_PLAY, max(hand.left))
        usual = len(hand.last.cards) if hand.last else hand.lock or 1
        played = Field("cards", "cards", "Cards", cards, count=(1, most), order=as_ranked(hand), usual=usual)
        turn = hand.to_act()
        ways = [Ask("play", "Play", turn, (played,), preview=True)]
        if hand.last is not None or hand.may_pass_lead(turn[0]):
            ways.insert(1 if beatable(hand, turn[0]) else 0, Ask("pass", "Pass", turn))
        found += ways
        if hand.last is None and hand.exchange is None and not hand.taken:
            found.append(Ask("drop-deuce", "Drop a Deuce", (), exchange_fields(hand, cards)))
        if hand.put_right_next():
            found.append(Ask("put-right", "Put the exchange right", (), late_fields(hand, cards)))
    left = Field("cards_left", "numbers", "Cards left", least=0, most=max(hand.left), rest=0, ceilings=hand.left)
    found.append(Ask("result", "Result of the round", (), (left,)))
    return tuple(found)


def exchange_fields(hand: RoundState, cards: tuple[str, ...]) -> tuple[Field, ...]:
    """Return the fields of an exchange: who has the King, and what was seen of the cards, the likely ones first."""
    rank = {card.code: RANKS.index(card.rank) for card in hand.rules.pack.cards}
    returned = tuple(sorted(cards, key=lambda code: rank[code]))
    given = tuple(sorted(cards, key=lambda code: (rank[code] + 1) % len(RANKS)))
    constipated = {code: rank[code] != RANKS.index("2") for code in cards}
    cabinet = tuple(str(seat) for seat in sorted(hand.setup.seating[1:]))
    return (
        Field("king", "seat", "Holder of the King of diamonds", cabinet, optional=True, none="Nobody"),
        Field("constipated", "flag", "Constipated King: no 2", optional=True, none="Gives a 2", after="king"),
        Field(
            "given",
            "card",
            "Card to the President-Elect",
            given,
            optional=True,
            none=UNSEEN,
            after="king",
            goes_with=constipated,
        ),
        Field("returned", "card", "Card given back", returned, optional=True, none=UNSEEN, after="king"),
    )


def late_fields(hand: RoundState, cards: tuple[str, ...]) -> tuple[Field, ...]:
    """Return the fields of an exchange that is put right late: what was seen of the two cards."""
    given, returned = exchange_fields(hand, cards)[2:]
    return replace(given, after="", goes_with={}), replace(returned, after="")


def as_ranked(hand: RoundState) -> tuple[str, ...]:
    """Return all cards suit by suit from the highest, each from the 3 to the 2 (AD-4, AD-6)."""
    suits = {suit: place for place, suit in enumerate(hand.suits)}
    cards = sorted(hand.rules.pack.cards, key=lambda card: (card.star, suits[card.suits[0]], RANKS.index(card.rank)))
    return tuple(card.code for card in cards)


def unplayed(hand: RoundState) -> tuple[str, ...]:
    """Return the codes of the cards that have not left the hands."""
    gone = gone_from(hand)
    return tuple(c.code for c in hand.rules.pack.cards if not gone >> c.index & 1)
