"""What plays prove about hidden hands, unlawful exchanges among it, and who may have broken a rule (REC-8, REC-17)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import NamedTuple

from referee.engine.claims import Claim, proved
from referee.engine.remedied import Charge
from referee.engine.rulings import Certainty, Irregularity, Reason, Refusal, Step, Withdrawn
from referee.engine.state import FINISHED, PLAY, VOID
from referee.games.american_deuce.combinations import CLAUSES, Combination, Kind, name_combination, name_play, recognise
from referee.games.american_deuce.rules import ClimbingRules, below, ladder
from referee.games.american_deuce.state import Laid, RoundState
from referee.games.american_deuce.worlds import (
    Evidence,
    Exchange,
    LedRiot,
    World,
    lowest_two,
    may_be_fours,
    one_of_each,
    union,
    worlds,
)
from referee.packs import Card

# --- Drop a Deuce: acts of an exchange proved unlawful (AD-7, AD-8)
# The referee sees neither hand. "I hold the King", "I have no deuce" and "this is my lowest card" are each judged over
# all worlds: all ways the cards may be, given everything shown so far. The named seat is taken to hold the King as long
# as some world allows it; if none does, nothing was owed. An act is unlawful once no world makes it lawful. It is
# judged again with every card, because a card can also clear a player. The cards, not the flag, decide whether a 2 was
# given; only "no 2" is a claim.

KING, DEUCE, LOWEST = "king-elsewhere", "denied-deuce", "not-lowest"
CODES = (KING, DEUCE, LOWEST)
"""Infractions of an exchange, in the order they are reported."""


class Wrong(NamedTuple):
    """An act of the exchange that cannot have been lawful.

    ``named``: it was wrong only if the seat named as the King's holder really held the King.
    """

    code: str
    suspects: tuple[int, ...]
    phrase: str
    named: bool = False


class Hearing(NamedTuple):
    """An exchange judged against everything shown so far."""

    evidence: Evidence
    exchange: Exchange
    rules: ClimbingRules
    suits: tuple[str, ...]

    def wrong(self, among: tuple[str, ...] = CODES) -> Iterator[Wrong]:
        """Yield unlawful acts with codes in ``among``, in the order they are reported.

        If no one was named, all who may have held the King are suspects, unless the President-Elect is among them, who
        was not asked. If someone was named who cannot have held it, the suspect is its only possible holder, else the
        named seat.
        """
        king, president = self.exchange.king, self.evidence.president
        if king is None or not self.naming_stands():
            holders, aside = self.holders() if KING in among else ((), True)
            if king is None and not aside and president not in holders:
                yield Wrong(KING, holders, "king-in-cabinet" if len(holders) == 1 else "king-not-named")
            elif king is not None and KING in among:
                alone = len(holders) == 1 and not aside
                yield Wrong(KING, holders if alone else (king,), "king-elsewhere" if alone else "king-not-held")
            return
        if DEUCE in among and not any(self.deuce_in_order(world, king) for world in self.as_named()):
            phrase = "denied-deuce-held" if self.exchange.constipated else "denied-deuce"
            yield Wrong(DEUCE, (king,), phrase, self.rests_on_naming(king))
        if LOWEST in among and not self.exchange.constipated and not self.lowest_came_back(king):
            yield Wrong(LOWEST, (president,), "not-lowest", self.rests_on_naming(king))

    def odd(self) -> Iterator[Wrong]:
        """Yield what is wrong once the exchange is recorded, including a given card that contradicts a statement."""
        given, king = self.exchange.given, self.exchange.king
        two = given is not None and bool(self.rules.twos >> given & 1)
        for wrong in self.wrong():
            belied = wrong.code == DEUCE and self.exchange.constipated and two
            yield wrong._replace(phrase="denied-deuce-given") if belied else wrong
        if king is None or given is None or self.exchange.constipated or two:
            return
        if self.may_be_denied() and any(self.deuce_in_order(world, king) for world in self.as_named()):
            yield Wrong(DEUCE, (king,), "denied-deuce-open", self.rests_on_naming(king))

    def ways(self) -> Iterator[World]:
        """Yield worlds that differ in where the King and the twos may be."""
        return worlds(self.evidence, one_of_each(self.rules.twos, self.rules.king))

    def as_named(self) -> Iterator[World]:
        """Yield the worlds in which the named seat held the King."""
        king, card = self.exchange.king, self.rules.king
        assert king is not None
        return (world.having(king, card) for world in self.ways() if world.allows(king, holding=card))

    def rests_on_naming(self, king: int) -> bool:
        """Return whether the seat is known to have held the King only because it was named."""
        return any(world.allows(king, lacking=self.rules.king) for world in self.ways())

    def naming_stands(self) -> bool:
        """Return whether the named seat may have held the King."""
        return next(self.as_named(), None) is not None

    def holders(self) -> tuple[tuple[int, ...], bool]:
        """Seats that may have held the King, and whether the King may have been left undealt."""
        ways, king = tuple(self.ways()), self.rules.king
        seats = range(self.rules.players)
        found = tuple(seat for seat in seats if any(world.allows(seat, holding=king) for world in ways))
        return found, any(world.may_lie_aside(king) for world in ways)

    def deuce_in_order(self, world: World, king: int) -> bool:
        """Return whether the King's holder may have given a 2, or had none."""
        if not self.exchange.constipated and world.given & self.rules.twos:
            return True
        return world.allows(king, lacking=self.rules.twos)

    def may_be_denied(self) -> bool:
        """Return whether the King's holder may have been dealt a 2 in any world."""
        return any(self.may_hold_two(world) for world in self.as_named())

    def may_hold_two(self, world: World) -> bool:
        """Return whether the King's holder may have been dealt a 2 in this world."""
        king, twos = self.exchange.king, self.rules.twos
        assert king is not None
        must, may = world.dealt(king)
        likely = must & twos or may & twos
        return bool(likely) and world.allows(king, holding=likely & -likely)

    def lowest_came_back(self, king: int) -> bool:
        """Return whether the lowest card may have come back, as is due for a 2 only (AD-7, AD-8, AD-Q8)."""
        pack, suits = self.rules.pack, self.suits
        lower_than, lowest = below(pack, suits), lowest_two(ladder(pack, suits))
        distinct = one_of_each(self.rules.twos, self.rules.king)
        for world in worlds(self.evidence, lambda cards: chain(distinct(cards), lowest(cards))):
            if not world.allows(king, holding=self.rules.king):
                continue
            if not world.given & self.rules.twos:
                return True
            lower = lower_than[world.returned.bit_length() - 1]
            held = world.having(king, self.rules.king)
            if world.given != world.returned and held.allows(self.evidence.president, lacking=lower):
                return True
        return False


# --- Findings about an exchange: evident at once, proved by a later card, or withdrawn

DIRECT = {
    "king-elsewhere": "proved-king-elsewhere",
    "king-in-cabinet": "proved-king-cabinet",
    "denied-deuce-held": "proved-denied-deuce",
    "not-lowest": "proved-not-lowest",
}
"""Sentence keys of acts contradicted by a card that the same player shows."""
NAMED = "named-"
"""Prefix of sentence keys for findings that depend on who was named."""


def finding(wrong: Wrong, hearing: Hearing, shown: Laid | None = None) -> Irregularity:
    """The finding for an unlawful act: evident at once, proved by a play (REC-17), or joint (REC-18)."""
    exchange, rules = hearing.exchange, hearing.rules
    event, (first, *others), cards = exchange.event, wrong.suspects, rules.pack.cards
    king = cards[rules.king.bit_length() - 1]
    facts: dict[str, object] = {"seat": first, "other": exchange.king, "card": king, "king": king}
    if exchange.given is not None:
        facts["given"] = cards[exchange.given]
    code, phrase, certainty = wrong.code, wrong.phrase, Certainty.SEEN
    more: tuple[str, ...] = ()
    proved_by: tuple[int, ...] = ()
    if shown is not None:
        code, certainty, more, proved_by = f"proved-{code}", Certainty.PROVED, ("REC-17",), (shown.event,)
        card = contradicting(wrong, shown, hearing)
        if card is None:
            facts["act"], phrase = name_play([cards[index] for index in shown.cards]), f"since-{phrase}"
        else:
            facts["card"], phrase = cards[card], DIRECT[phrase]
    if others:
        certainty, more, proved_by = Certainty.JOINT, ("REC-18",), proved_by or (event,)
        facts["seats"] = wrong.suspects
    if wrong.code == KING:
        nobody = ("AD-Q6",) if exchange.king is None else ()
        cites: tuple[str, ...] = ("AD-7", *nobody, *(("AD-Q16",) if rules.two_decks else ()))
    elif wrong.code == DEUCE:
        cites = ("AD-8", "AD-7") if exchange.constipated else ("AD-7", "AD-8")
    else:
        cites = ("AD-7", "AD-Q8")
    reason = Reason(code, (*cites, *more), facts, NAMED + phrase if wrong.named else phrase)
    seat, claims = (None, (event,)) if others else (first, ())
    return Irregularity(wrong.code, certainty, seat, wrong.suspects, event, None, reason, proved_by, claims)


def contradicting(wrong: Wrong, shown: Laid, hearing: Hearing) -> int | None:
    """The shown card that by itself contradicts the player's statement, if there is one."""
    exchange, rules = hearing.exchange, hearing.rules
    if wrong.suspects != (shown.seat,) or wrong.phrase not in DIRECT:
        return None
    if wrong.code == KING:
        telling = rules.king
    elif wrong.code == DEUCE:
        telling = rules.twos
    else:
        telling = 0 if exchange.returned is None else below(rules.pack, hearing.suits)[exchange.returned]
    traded = (exchange.given, exchange.returned) if wrong.code != KING else ()
    return next((card for card in shown.cards if telling >> card & 1 and card not in traded), None)


def withdrawn(found: Irregularity, event: int, hearing: Hearing) -> Withdrawn:
    """A finding that a later card has disproved, with the reason."""
    king = hearing.rules.pack.cards[hearing.rules.king.bit_length() - 1]
    facts: dict[str, object] = {"seat": hearing.exchange.king, "card": king}
    phrase = "withdrawn-no-two" if hearing.naming_stands() else ""
    return Withdrawn(found, event, Reason("withdrawn", ("AD-7", "AD-8", "REC-17"), facts, phrase))


# --- Claims and proofs of a round

DONE, ASKED, SHOWN = "done", "asked", "shown"
UNSEEN = "?"
RIOT_LED = "riot-led"


class RoundProofs(RoundState):
    """A round with the claims and proofs its plays give rise to."""

    def hearing(self, exchange: Exchange) -> Hearing:
        """This exchange, recorded or about to be, judged against everything shown so far."""
        return Hearing(self.evidence(exchange=exchange), exchange, self.rules, self.suits)

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
            hearing = self.hearing(self.exchange)
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


def no_combinations(hand: RoundProofs) -> Iterator[Charge]:
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


def skipped(hand: RoundProofs) -> Iterator[Charge]:
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


def exchanged(hand: RoundProofs, act: str) -> Iterator[Charge]:
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
        hearing = hand.hearing(exchange)
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


def holds_two(hand: RoundProofs) -> bool | None:
    """Return whether the named King's holder still has a 2; ``None`` if unknown."""
    exchange, rules = hand.exchange, hand.rules
    if exchange is None or exchange.king is None or hand.recorded:
        return None
    played = union(iter(hand.played))
    held = [world.held(exchange.king) for world in hand.hearing(exchange).ways()]
    if held and all(must & rules.twos & ~played for must, _ in held):
        return True
    possible = hand.left[exchange.king] and any(may & rules.twos & ~played for _, may in held)
    return None if possible else False


CHARGES: Mapping[str, Callable[[RoundProofs], Iterator[Charge]]] = {
    "no-combination": no_combinations,
    "skipped": skipped,
    DEUCE: partial(exchanged, act=DEUCE),
    LOWEST: partial(exchanged, act=LOWEST),
}
"""Acts that a player can be accused of."""


def _untold(hand: RoundProofs) -> bool:
    return hand.phase not in (FINISHED, VOID) and hand.exchange is None and not hand.taken and not hand.plays


def _may_hold_lower(hand: RoundProofs) -> bool:
    """Return whether the President-Elect may have held a lower card than the one returned."""
    pack, suits = hand.rules.pack, hand.suits
    for world in worlds(hand.evidence(), lowest_two(ladder(pack, suits))):
        if world.given == world.returned and world.given & hand.rules.twos:
            return True
        lower = pack.members(below(pack, suits)[world.returned.bit_length() - 1])
        if any(world.allows(hand.president, holding=1 << card) for card in lower):
            return True
    return False
