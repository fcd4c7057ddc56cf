"""Who can have broken a rule of American Deuce in a round, as far as the record tells (IR-9, IR-12, IR-15)."""

from collections.abc import Iterator

from referee.engine.guided import Charge
from referee.engine.phases import FINISHED, PLAY, VOID
from referee.engine.rulings import Certainty, Reason
from referee.games.american_deuce.beating import CLAUSES
from referee.games.american_deuce.combinations import name_combination, recognise
from referee.games.american_deuce.exchange import Hearing
from referee.games.american_deuce.state import Laid, RoundState
from referee.games.american_deuce.worlds import World, lowest_two, union, worlds


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
