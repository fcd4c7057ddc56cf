"""What plays prove about hidden hands, how infractions show, and who may have committed them (REC-8, REC-17)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from referee.engine.claims import Claim, proved
from referee.engine.remedied import Charge
from referee.engine.rulings import Certainty, Irregularity, Reason, Refusal, Step
from referee.engine.state import FINISHED, PLAY, VOID
from referee.games.american_deuce.combinations import CLAUSES, Combination, Kind, name_combination, name_play, recognise
from referee.games.american_deuce.exchange import (
    CODES,
    DEUCE,
    DIRECT,
    KING,
    LOWEST,
    NAMED,
    Hearing,
    finding,
    withdrawn,
)
from referee.games.american_deuce.state import Laid, RoundState
from referee.games.american_deuce.worlds import LedRiot, lowest_two, may_be_fours, union, worlds
from referee.packs import Card

DONE, ASKED, SHOWN = "done", "asked", "shown"
UNSEEN = "?"
RIOT_LED = "riot-led"


class RoundProofs(RoundState):
    """A round with the claims and proofs its plays give rise to."""

    def misplaced(self, seat: int, cards: tuple[int, ...]) -> Refusal | None:
        """Refuse cards that entered hands or the exchange place in another hand (REC-8)."""
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
        """Cards played by each seat, including these."""
        mask = self.played[seat] | self.rules.pack.mask(cards)
        return self.played[:seat] + (mask,) + self.played[seat + 1 :]

    def riot_led(self, seat: int, cards: tuple[int, ...], combination: Combination | None) -> LedRiot | None:
        """The claim about the remaining hand made by leading a riot (AD-Q12); ``None`` for other plays."""
        if self.last is not None or combination is None or combination.kind is not Kind.RIOT:
            return None
        before = self.after(seat, cards)[seat]
        size = self.left[seat] - len(cards)
        return LedRiot(seat, self.events, len(self.taken) + 1, size, before)

    def disprove(self, seat: int, cards: tuple[int, ...]) -> None:
        """Record all acts these cards prove unlawful, and withdraw findings they refute (REC-17)."""
        evidence = self.evidence()
        if self.exchange is not None:
            hearing = Hearing(evidence, self.exchange, self.rules, self.suits)
            self.clear(hearing)
            for wrong in hearing.wrong(self.claims):
                self.convict(finding(wrong, hearing, Laid(seat, cards, self.events)), hearing)
        broken = [riot for riot in self.riots if not may_be_fours(riot, evidence, self.rules.of_rank)]
        for riot in broken:
            claim = Claim(riot.seat, riot.event, riot.trick, 0, "riot-led", "AD-Q12")
            self.irregularities += (proved(claim, event=self.events, card=name_play(self.cards(cards))),)
        self.riots = tuple(riot for riot in self.riots if riot not in broken)

    def clear(self, hearing: Hearing) -> None:
        """Withdraw findings about the exchange once it is certain that the named King's holder owed nothing."""
        owed = [found for found in self.irregularities if found.code in (DEUCE, LOWEST)]
        if owed and not hearing.may_be_denied():
            self.irregularities = tuple(found for found in self.irregularities if found not in owed)
            self.withdrawn += tuple(withdrawn(found, self.events, hearing) for found in owed)

    def convict(self, found: Irregularity, hearing: Hearing) -> None:
        """Record a finding about the exchange, replacing one of the same kind with other suspects.

        A replaced finding that named an offender is listed as withdrawn.
        """
        before = next((old for old in self.irregularities if old.code == found.code), None)
        if before is not None and before.suspects == found.suspects:
            return
        self.irregularities = (*(old for old in self.irregularities if old is not before), found)
        if before is not None and before.offender is not None:
            self.withdrawn += (withdrawn(before, self.events, hearing),)
        if found.certainty is not Certainty.JOINT and found.code != KING:
            self.claims = tuple(code for code in self.claims if code != found.code)

    # -- how an unlawful exchange or riot shows --------------------------------------------------

    def steps_of(self, found: Irregularity) -> tuple[Step, ...]:
        """What was done, what the rule asks, and what proved it, for the exchange or a riot led.

        Only recorded facts appear: an unseen card of the exchange stays unseen.
        """
        exchange, cards = self.exchange, self.rules.pack.cards
        led = self.play_of(found.event)
        if found.code == RIOT_LED and found.certainty is Certainty.PROVED and led is not None:
            trick, play = led
            codes = tuple(card.code for card in self.cards(play.cards))
            begun = Step(DONE, Reason("step-led", ("AD-24",), {"seat": play.seat}), codes, trick)
            return (begun, Step(ASKED, Reason("step-fours-left", ("AD-24", "AD-Q12")), ()), *self.proved_step(found))
        if found.code not in CODES or exchange is None:
            return ()
        given, returned = (UNSEEN if c is None else cards[c].code for c in (exchange.given, exchange.returned))
        king = (cards[self.rules.king.bit_length() - 1].code,)
        twos = tuple(card.code for card in cards if self.rules.twos >> card.index & 1)
        facts = {"seat": found.seat}
        if found.code == KING:  # what was said (AD-7, AD-Q6), and what the holder owes
            said = "step-nobody-said" if exchange.king is None else "step-king-said"
            done = Step(DONE, Reason(said, ("AD-7",), {"seat": exchange.king}), king)
            asked = Step(ASKED, Reason("step-king-drops", ("AD-7",)), twos)
        elif found.code == LOWEST:
            done = Step(DONE, Reason("step-gave-back", ("AD-7",), facts), (returned,))
            asked = Step(ASKED, Reason("step-lowest", ("AD-7", "AD-Q8")), (given,))
        else:
            gave, clause = ("step-no-deuce", "AD-8") if exchange.constipated else ("step-gave", "AD-7")
            done = Step(DONE, Reason(gave, (clause,), facts), (given,))
            asked = Step(ASKED, Reason("step-owed", ("AD-7",)), twos)
        shown = self.proved_step(found)
        if not shown and found.code == KING and (returned,) == king:
            shown = (Step(SHOWN, Reason("step-gave-back", ("AD-7",), {"seat": self.president}), king),)
        return (done, asked, *shown)

    def proved_step(self, found: Irregularity) -> tuple[Step, ...]:
        """The card that contradicts the act, or the play that made it certain (REC-17)."""
        played = self.play_of(found.proved_by[-1]) if found.proved_by else None
        if played is None:
            return ()
        trick, play = played
        card = found.reason.facts.get("card") if found.reason.phrase.removeprefix(NAMED) in DIRECT.values() else None
        facts = {"seat": play.seat}
        if isinstance(card, Card):
            return (Step(SHOWN, Reason("step-showed", ("REC-17",), facts), (card.code,), trick),)
        codes = tuple(card.code for card in self.cards(play.cards))
        return (Step(SHOWN, Reason("step-since", ("REC-17",), facts), codes, trick),)


# --- Who may have broken a rule in a round (IR-9, IR-12, IR-15)


def no_combinations(hand: RoundState) -> Iterator[Charge]:
    """Yield for each play, and the next seats to play, whether it may be no combination (AD-17, IR-15)."""
    for number, plays in hand.tricks_shown():
        for laid in plays:
            if laid.cards:
                combination, cleared = recognise(hand.cards(laid.cards)), None
                if combination is not None:
                    facts = {"seat": laid.seat, "trick": number, "play": name_combination(combination)}
                    cleared = Reason("cleared-combination", (CLAUSES[combination.kind],), facts)
                yield Charge(laid.seat, number, laid.event, cleared)
    running = None if _untold(hand) else len(hand.taken) + 1
    open_seats = range(hand.rules.players) if _untold(hand) or hand.recorded else hand.to_act()
    if hand.phase is not VOID:
        for seat in open_seats:
            yield Charge(seat, running)


def skipped(hand: RoundState) -> Iterator[Charge]:
    """Yield for each seat whether it may have been skipped in the current trick (AD-11, IR-9)."""
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


def exchanged(hand: RoundState, act: str) -> Iterator[Charge]:
    """Yield whether "no deuce" may have been untrue, or the returned card not the lowest (AD-7, AD-8, IR-12)."""
    exchange, rules, president = hand.exchange, hand.rules, hand.president
    if _untold(hand) or (hand.recorded and exchange is None and not hand.taken):
        yield from (Charge(seat) for seat in range(rules.players))
        return
    if exchange is None or exchange.king is None:
        code = "cleared-no-exchange" if exchange is None else "cleared-nobody-dropped"
        yield Charge(president, cleared=Reason(code, ("AD-7", "AD-Q6"), {"seat": president}))
        return
    seat, cards, why = exchange.king if act == DEUCE else president, rules.pack.cards, None
    gave_two = exchange.given is not None and bool(rules.twos >> exchange.given & 1)
    facts: dict[str, object] = {"seat": seat}
    if act == DEUCE:
        hearing = Hearing(hand.evidence(), exchange, rules, hand.suits)
        if exchange.given is not None and gave_two:
            why = Reason("cleared-gave-two", ("AD-7",), facts | {"card": cards[exchange.given]})
        elif not any(not world.given & rules.twos and hearing.may_hold_two(world) for world in hearing.as_named()):
            why = Reason("cleared-had-no-two", ("AD-8",), facts)
    elif exchange.constipated:
        why = Reason("cleared-drawn-blindly", ("AD-8",), facts)
    elif exchange.given is not None and not gave_two:
        why = Reason("cleared-no-two-given", ("AD-7", "AD-8"), facts)
    elif exchange.returned is not None and not _may_hold_lower(hand):
        why = Reason("cleared-lowest", ("AD-7", "AD-Q8"), facts | {"card": cards[exchange.returned]})
    yield Charge(seat, None, exchange.event, why)


def holds_two(hand: RoundState) -> bool | None:
    """Return whether the named King's holder still has a 2; ``None`` if unknown."""
    exchange, rules = hand.exchange, hand.rules
    if exchange is None or exchange.king is None or hand.recorded:
        return None
    played = union(iter(hand.played))
    held = [world.held(exchange.king) for world in Hearing(hand.evidence(), exchange, rules, hand.suits).ways()]
    if held and all(must & rules.twos & ~played for must, _ in held):
        return True
    possible = hand.left[exchange.king] and any(may & rules.twos & ~played for _, may in held)
    return None if possible else False


CHARGES: Mapping[str, Callable[[RoundState], Iterator[Charge]]] = {
    "no-combination": no_combinations,
    "skipped": skipped,
    DEUCE: partial(exchanged, act=DEUCE),
    LOWEST: partial(exchanged, act=LOWEST),
}
"""Acts that a player can be accused of."""


def _untold(hand: RoundState) -> bool:
    return hand.phase not in (FINISHED, VOID) and hand.exchange is None and not hand.taken and not hand.plays


def _may_hold_lower(hand: RoundState) -> bool:
    """Return whether the President-Elect may have held a lower card than the one returned."""
    for world in worlds(hand.evidence(), lowest_two(hand.rules.ladder(hand.suits))):
        if world.given == world.returned and world.given & hand.rules.twos:
            return True
        lower = hand.rules.pack.members(hand.rules.below(hand.suits)[world.returned.bit_length() - 1])
        if any(world.allows(hand.president, holding=1 << card) for card in lower):
            return True
    return False
