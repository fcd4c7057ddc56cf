"""What plays prove of hidden hands, what an infraction looks like, and who can have committed it (REC-8, REC-17)."""

from collections.abc import Iterator

from referee.engine.claims import Claim, proved
from referee.engine.remedied import Charge
from referee.engine.rulings import Certainty, Irregularity, Oddity, Reason, Refusal, Step
from referee.engine.state import FINISHED, PLAY, VOID
from referee.games.american_deuce.combinations import CLAUSES, Combination, Kind, name_combination, name_play, recognise
from referee.games.american_deuce.exchange import DEUCE, DIRECT, KING, LOWEST, NAMED, Hearing, Shown, proof, withdrawn
from referee.games.american_deuce.state import Laid, RoundState
from referee.games.american_deuce.worlds import Exchange, LedRiot, World, lowest_two, may_be_fours, union, worlds
from referee.packs import Card

# --- What an exchange or a riot that was wrong looks like: what was done, what the rule asks, what showed it
# Nothing is told that the record does not say: a card of the exchange that nobody saw stays unseen.

DONE, ASKED, SHOWN = "done", "asked", "shown"
UNSEEN = "?"
RIOT_LED = "riot-led"


def steps_of(hand: RoundState, found: Irregularity) -> tuple[Step, ...]:
    """Return the steps of a finding about the exchange or about a riot that was led; other findings have none."""
    if found.code == RIOT_LED and found.certainty is Certainty.PROVED:
        return riot_steps(hand, found)
    if found.code in (KING, DEUCE, LOWEST) and hand.exchange is not None:
        exchange = hand.exchange
        return (done(hand, found, exchange), lowest(hand, found, exchange), *shown(hand, found, exchange))
    return ()


def done(hand: RoundState, found: Irregularity, exchange: Exchange) -> Step:
    """Return what was said or given (AD-7, AD-8, AD-Q6)."""
    if found.code == KING:
        king_code = "step-nobody-said" if exchange.king is None else "step-king-said"
        return Step(DONE, Reason(king_code, ("AD-7",), {"seat": exchange.king}), king(hand))
    facts = {"seat": found.seat}
    if found.code == LOWEST:
        return Step(DONE, Reason("step-gave-back", ("AD-7",), facts), (code(hand, exchange.returned),))
    reason_code, clause = ("step-no-deuce", "AD-8") if exchange.constipated else ("step-gave", "AD-7")
    return Step(DONE, Reason(reason_code, (clause,), facts), (code(hand, exchange.given),))


def lowest(hand: RoundState, found: Irregularity, exchange: Exchange) -> Step:
    """Return what the rule asks for: a 2 of whoever holds the King, for it the lowest card (AD-7, AD-Q8)."""
    if found.code == LOWEST:
        return Step(ASKED, Reason("step-lowest", ("AD-7", "AD-Q8")), (code(hand, exchange.given),))
    twos = tuple(card.code for card in hand.rules.pack.cards if hand.rules.twos >> card.index & 1)
    return Step(ASKED, Reason("step-king-drops" if found.code == KING else "step-owed", ("AD-7",)), twos)


def shown(hand: RoundState, found: Irregularity, exchange: Exchange) -> Iterator[Step]:
    """Yield what gave it away: a card of the offender's, the play since which it is certain, or a card given back."""
    if found.proved_by and laid(hand, found.proved_by[-1]):
        yield proved_step(hand, found)
    elif found.code == KING and exchange.returned is not None and hand.rules.king >> exchange.returned & 1:
        yield Step(SHOWN, Reason("step-gave-back", ("AD-7",), {"seat": hand.president}), king(hand))


def riot_steps(hand: RoundState, found: Irregularity) -> tuple[Step, ...]:
    """Return a riot that was led, what had to be left then, and the play that shows it was not (AD-24, AD-Q12)."""
    led = laid(hand, found.event)
    if led is None:
        return ()
    trick, play = led
    begun = Step(DONE, Reason("step-led", ("AD-24",), {"seat": play.seat}), codes(hand, play.cards), trick)
    return (begun, Step(ASKED, Reason("step-fours-left", ("AD-24", "AD-Q12")), ()), proved_step(hand, found))


def proved_step(hand: RoundState, found: Irregularity) -> Step:
    """Return the card that contradicts what was done, or the play since which it is certain (REC-17)."""
    played = laid(hand, found.proved_by[-1])
    assert played is not None, "only plays are looked at"
    trick, play = played
    card = found.reason.facts.get("card") if found.reason.phrase.removeprefix(NAMED) in DIRECT.values() else None
    facts = {"seat": play.seat}
    if isinstance(card, Card):
        return Step(SHOWN, Reason("step-showed", ("REC-17",), facts), (card.code,), trick)
    return Step(SHOWN, Reason("step-since", ("REC-17",), facts), codes(hand, play.cards), trick)


def laid(hand: RoundState, event: int) -> tuple[int, Laid] | None:
    """Return the play of an event and the number of its trick."""
    for number, plays in enumerate([*(trick.plays for trick in hand.taken), hand.plays], 1):
        for play in plays:
            if play.event == event and play.cards:
                return number, play
    return None


def king(hand: RoundState) -> tuple[str, ...]:
    """Return the King of diamonds of this table."""
    return (code(hand, hand.rules.king.bit_length() - 1),)


def code(hand: RoundState, card: int | None) -> str:
    """Return the code of a card of the exchange, ``?`` where nobody saw it."""
    return UNSEEN if card is None else hand.rules.pack.cards[card].code


def codes(hand: RoundState, cards: tuple[int, ...]) -> tuple[str, ...]:
    """Return the codes of cards that were played."""
    return tuple(card.code for card in hand.cards(cards))


# --- What plays prove: claims about hidden hands, and cards that lie elsewhere (REC-8, REC-17)


class RoundProofs(RoundState):
    """A round with what its plays claim and prove."""

    def misplaced(self, seat: int, cards: tuple[int, ...]) -> Refusal | None:
        """Refuse a card that an entered hand or the exchange places elsewhere (REC-8)."""
        if not self.strict and not self.evidence().traders():
            return None
        if self.evidence(played=self.after(seat, cards)).consistent():
            return None
        first = next(
            card for number, card in enumerate(cards, 1)
            if not self.evidence(played=self.after(seat, cards[:number])).consistent()
        )  # fmt: skip
        return self.not_in_hand(seat, first)

    def after(self, seat: int, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Return the cards played by each seat, these included."""
        mask = self.played[seat] | self.rules.pack.mask(cards)
        return self.played[:seat] + (mask,) + self.played[seat + 1 :]

    def riot_led(self, seat: int, cards: tuple[int, ...], combination: Combination | None) -> LedRiot | None:
        """Return what leading a riot asserts about the hand that remains (AD-Q12)."""
        if self.last is not None or combination is None or combination.kind is not Kind.RIOT:
            return None
        before = self.after(seat, cards)[seat]
        size = self.left[seat] - len(cards)
        return LedRiot(seat, self.events, len(self.taken) + 1, size, before)

    def claims_fours(self, oddities: list[Oddity]) -> bool:
        """Return whether a riot just led is a claim: lawful as far as it shows, under this rule."""
        seen = any(oddity.code == "riot-led" for oddity in oddities)
        return self.rules.options["riot_lead"] == "quads-only" and not seen

    def disprove(self, seat: int, cards: tuple[int, ...]) -> None:
        """Record every act that these cards, just shown, prove unlawful, and withdraw what they disprove (REC-17)."""
        evidence = self.evidence()
        if self.exchange is not None:
            hearing = Hearing(evidence, self.exchange, self.rules, self.suits)
            self.clear(hearing)
            for wrong in hearing.wrong(self.claims):
                self.convict(proof(wrong, Shown(self.events, seat, cards), hearing), hearing)
        broken = [riot for riot in self.riots if not may_be_fours(riot, evidence, self.rules.of_rank)]
        for riot in broken:
            claim = Claim(riot.seat, riot.event, riot.trick, 0, "riot-led", "AD-Q12")
            self.irregularities += (proved(claim, event=self.events, card=name_play(self.cards(cards))),)
        self.riots = tuple(riot for riot in self.riots if riot not in broken)

    def clear(self, hearing: Hearing) -> None:
        """Withdraw what was found of the exchange once nothing can have been owed by who was named."""
        owed = [found for found in self.irregularities if found.code in (DEUCE, LOWEST)]
        if owed and not hearing.may_be_denied():
            self.irregularities = tuple(found for found in self.irregularities if found not in owed)
            self.withdrawn += tuple(withdrawn(found, self.events, hearing) for found in owed)

    def convict(self, found: Irregularity, hearing: Hearing) -> None:
        """Record a finding of the exchange; one that names fewer suspects takes the place of one that stood.

        So does one that says who held the King, where until now it was only known who did not.
        """
        before = next((old for old in self.irregularities if old.code == found.code), None)
        if before is not None and before.suspects == found.suspects:
            return
        self.irregularities = (*(old for old in self.irregularities if old is not before), found)
        if before is not None and before.offender is not None:
            self.withdrawn += (withdrawn(before, self.events, hearing),)
        if found.certainty is not Certainty.JOINT and found.code != KING:
            self.claims = tuple(code for code in self.claims if code != found.code)


# --- Who can have broken a rule of American Deuce in a round, as far as the record tells (IR-9, IR-12, IR-15)


def no_combinations(hand: RoundState) -> Iterator[Charge]:
    """Yield for each play whether it can have been no combination, and who is to play next (AD-17, IR-15)."""
    for number, plays in tricks_shown(hand):
        for laid in plays:
            if laid.cards:
                yield Charge(laid.seat, number, laid.event, _is_combination(hand, number, laid))
    running = None if _untold(hand) else len(hand.taken) + 1
    open_seats = range(hand.rules.players) if _untold(hand) or hand.recorded else hand.to_act()
    if hand.phase is not VOID:
        for seat in open_seats:
            yield Charge(seat, running)


def skipped(hand: RoundState) -> Iterator[Charge]:
    """Yield who can have been left out of the trick that runs (AD-11, IR-9)."""
    left_out = {
        found.reason.facts["turn"]
        for found in hand.irregularities
        if found.code == "out-of-turn" and found.certainty is Certainty.SEEN and found.trick == len(hand.taken) + 1
    }
    for seat in range(hand.rules.players):
        facts = {"seat": seat}
        if _untold(hand):
            yield Charge(seat)
        elif hand.phase is not PLAY:
            yield Charge(seat, cleared=Reason("cleared-trick-over", ("AD-12",), facts))
        elif seat in hand.passed:
            yield Charge(seat, cleared=Reason("cleared-passed", ("AD-11",), facts))
        else:
            due = seat in left_out or seat == hand.turn
            yield Charge(seat, cleared=None if due else Reason("cleared-not-skipped", ("AD-11", "IR-9"), facts))


def denied_deuces(hand: RoundState) -> Iterator[Charge]:
    """Yield whether "no deuce" can have been untrue (AD-8, IR-12)."""
    if _untold(hand) or (hand.recorded and hand.exchange is None and not hand.taken):
        yield from (Charge(seat) for seat in range(hand.rules.players))
        return
    exchange = hand.exchange
    if exchange is None or exchange.king is None:
        yield Charge(hand.president, cleared=_no_exchange(hand))
        return
    king, rules = exchange.king, hand.rules
    hearing = Hearing(hand.evidence(), exchange, rules, hand.suits)
    facts: dict[str, object] = {"seat": king}
    why = None
    if exchange.given is not None and rules.twos >> exchange.given & 1:
        why = Reason("cleared-gave-two", ("AD-7",), facts | {"card": rules.pack.cards[exchange.given]})
    elif not any(not world.given & rules.twos and hearing.may_hold_two(world) for world in hearing.as_named()):
        why = Reason("cleared-had-no-two", ("AD-8",), facts)
    yield Charge(king, None, exchange.event, why)


def not_lowest(hand: RoundState) -> Iterator[Charge]:
    """Yield whether the card given back can have been other than the lowest (AD-7, AD-Q8, IR-12)."""
    if _untold(hand) or (hand.recorded and hand.exchange is None and not hand.taken):
        yield from (Charge(seat) for seat in range(hand.rules.players))
        return
    exchange, president = hand.exchange, hand.president
    if exchange is None or exchange.king is None:
        yield Charge(president, cleared=_no_exchange(hand))
        return
    facts: dict[str, object] = {"seat": president}
    why = None
    if exchange.constipated:
        why = Reason("cleared-drawn-blindly", ("AD-8",), facts)
    elif exchange.given is not None and not hand.rules.twos >> exchange.given & 1:
        why = Reason("cleared-no-two-given", ("AD-7", "AD-8"), facts)
    elif exchange.returned is not None and not _may_hold_lower(hand):
        why = Reason("cleared-lowest", ("AD-7", "AD-Q8"), facts | {"card": hand.rules.pack.cards[exchange.returned]})
    yield Charge(president, None, exchange.event, why)


def holds_two(hand: RoundState) -> bool | None:
    """Return whether the hand that was named for the King still holds a 2; ``None`` where the record cannot tell."""
    exchange, rules = hand.exchange, hand.rules
    if exchange is None or exchange.king is None or hand.recorded:
        return None
    played = union(iter(hand.played))
    held = [world.held(exchange.king) for world in Hearing(hand.evidence(), exchange, rules, hand.suits).ways()]
    if held and all(must & rules.twos & ~played for must, _ in held):
        return True
    possible = hand.left[exchange.king] and any(may & rules.twos & ~played for _, may in held)
    return None if possible else False


CHARGES = {
    "no-combination": no_combinations,
    "skipped": skipped,
    "denied-deuce": denied_deuces,
    "not-lowest": not_lowest,
}
"""The acts of a round of which somebody can be accused."""


def tricks_shown(hand: RoundState) -> Iterator[tuple[int, tuple[Laid, ...]]]:
    """Yield every trick with what was played in it, the one that runs last."""
    yield from enumerate((*(trick.plays for trick in hand.taken), hand.plays), 1)


def _untold(hand: RoundState) -> bool:
    """Return whether nothing of the play is recorded yet."""
    return hand.phase not in (FINISHED, VOID) and hand.exchange is None and not hand.taken and not hand.plays


def _is_combination(hand: RoundState, number: int, laid: Laid) -> Reason | None:
    """Return why a play was one; ``None`` for cards that are no combination."""
    cards = hand.cards(laid.cards)
    combination = recognise(cards)
    if combination is None:
        return None
    facts = {"seat": laid.seat, "trick": number, "play": name_combination(combination)}
    return Reason("cleared-combination", (CLAUSES[combination.kind],), facts)


def _no_exchange(hand: RoundState) -> Reason:
    code = "cleared-no-exchange" if hand.exchange is None else "cleared-nobody-dropped"
    return Reason(code, ("AD-7", "AD-Q6"), {"seat": hand.president})


def _may_hold_lower(hand: RoundState) -> bool:
    """Return whether in some world the President-Elect held a lower card than the one given back."""
    ways = worlds(hand.evidence(), lowest_two(hand.rules.ladder(hand.suits)))
    return any(_holds_lower(world, hand) for world in ways)


def _holds_lower(world: World, hand: RoundState) -> bool:
    """Return whether the President-Elect may have held a lower card than the one given back in this world."""
    below = hand.rules.below(hand.suits)[world.returned.bit_length() - 1]
    if world.given == world.returned and world.given & hand.rules.twos:
        return True
    return any(world.allows(hand.president, holding=1 << card) for card in hand.rules.pack.members(below))
