"""Evidence in tricks: what contradicts a claim, and which acts may have been unlawful."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_

from referee.engine.claims import Claim, Places, contradictory, joint_finding, minimal, proved, spare_room
from referee.engine.remedied import Charge
from referee.engine.rulings import Act, Certainty, Irregularity, LaidCard, Reason
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID
from referee.packs import Card
from referee.tricks.playing import Playing
from referee.tricks.rules import UNSEEN, Played

# --- Cards of a trick, with suits as their player reads them, so that everyone sees which match (REC-17)


def laid_card(hand: Playing, play: Played, trick: int, demanded: int) -> LaidCard:
    """Return a card with its suits as its player reads them.

    ``matches`` lists the suits whose cards are all among ``demanded``.
    """
    seat, card, *_ = play
    reads = [suit.code for suit in hand.rules.pack.suits if hand.reading_of(seat, suit.code) >> card & 1]
    printed = hand.rules.pack.cards[card]
    reads.sort(key=printed.suits.index)
    matches = tuple(suit for suit in reads if within(hand, seat, suit, demanded))
    return LaidCard(seat, trick, printed.code, tuple(reads), matches)


def within(hand: Playing, seat: int, suit: str, cards: int) -> bool:
    """Return whether all cards that a seat reads as this suit are in ``cards``."""
    own = hand.reading_of(seat, suit)
    return own != 0 and not own & ~cards


class Proofs(Playing):
    """Claims about hidden hands, disproved by a single card or jointly by counting."""

    def claim(self, seat: int, code: str, cards: int) -> None:
        """Record what the last play asserts about the remaining hand (REC-17)."""
        trick = len(self.taken) + 1
        self.claims += (Claim(seat, self.events, trick, cards, code, self.claim_clause(code)),)
        denied = self.denied
        self.denied = (*denied[:seat], denied[seat] | cards, *denied[seat + 1 :])
        self.spare = 0

    def claim_clause(self, code: str) -> str:
        return self.guard_clauses()[0] if code == self.LED_EARLY else self.CITES["follow"][0]

    def disprove(self, seat: int, bit: int) -> None:
        """Turn each claim that this card contradicts into a finding, and reopen joint findings that used it."""
        false = [claim for claim in self.claims if claim.seat == seat and claim.cards & bit]
        card = self.rules.pack.cards[bit.bit_length() - 1]
        findings = tuple(self.proved(claim, card) for claim in false)
        acts = {claim.event for claim in false}
        kept = (i for i in self.irregularities if i.certainty is not Certainty.JOINT or acts.isdisjoint(i.claims))
        self.irregularities = (*kept, *findings)
        self.claims = tuple(claim for claim in self.claims if claim not in false)
        left = reduce(or_, (claim.cards for claim in self.claims if claim.seat == seat), 0)
        self.denied = (*self.denied[:seat], left, *self.denied[seat + 1 :])
        self.spare = 0

    def proved(self, claim: Claim, card: Card) -> Irregularity:
        """The finding for a claim that a card now contradicts."""
        key = self.lead_key(f"proved-{claim.code}") if claim.code == self.LED_EARLY else ""
        return proved(claim, event=self.events, card=card, first=self.act(claim.event), phrase=key)

    def more_clauses(self, claim: Claim) -> tuple[str, ...]:
        """Further clauses a claim rests on, such as one about a suit named with the lead."""
        return ()

    def act(self, event: int) -> Card | str:
        """The card played by this event; an empty string if it played none."""
        laid = self.play_of(event)
        return "" if laid is None else self.rules.pack.cards[laid[2][1]]

    def count(self, seat: int) -> None:
        """Look for claims that cannot all be true, by counting the unseen cards (REC-18).

        Does nothing if cards left hands unseen, while a joint finding is open, or while ``spare`` plays remain.
        """
        if self.spare:
            self.spare -= 1
            return
        if self.blind or self.unseen or any(i.certainty is Certainty.JOINT for i in self.irregularities):
            return
        places = self.places()
        denied = {seat: cards for seat, cards in enumerate(self.denied) if cards}
        spare = min([spare_room(denied, place) for place in places])
        if spare >= 0:
            self.spare = spare
            return
        core = minimal(self.claims, places)
        since, places = self.contradictory_since(core)
        more = [clause for claim in core for clause in self.more_clauses(claim)]
        self.irregularities += (joint_finding(core, places, pack=self.rules.pack, event=since, more=more),)

    def count_later(self) -> None:
        self.counting = False

    def needs_counting(self) -> bool:
        """Return whether counting could find anything in this hand.

        A completed hand without contradicted claims is itself a consistent distribution, so nothing can be found.
        """
        complete = self.phase is FINISHED and not (self.blind or self.unseen)
        proofs = any(i.certainty is Certainty.PROVED for i in self.irregularities)
        return (bool(self.claims) and not complete) or proofs

    def places(self) -> tuple[Places, ...]:
        """Where the unseen cards can be after the last play."""
        return self.split(self.gone, list(self.places_left()))

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Where unseen cards can be once ``gone`` have been seen and hands have ``left`` cards."""
        unseen = self.rules.pack.everything & ~gone
        for seat, known in enumerate(self.entered()):
            if known is not None:
                unseen &= ~known
                left[seat] = 0
        return (Places(unseen, tuple(left)),)

    def contradictory_since(self, core: tuple[Claim, ...]) -> tuple[int, tuple[Places, ...]]:
        """The first event after which these claims contradict each other, and the places after it."""
        plays = list(self.all_plays())
        latest = max(claim.event for claim in core)
        gone, left = self.gone, list(self.places_left())
        for seat, card, _, _ in plays:
            gone &= ~(1 << card)
            left[seat] += 1
        for seat, card, event, _ in plays:
            gone |= 1 << card
            left[seat] -= 1
            places = self.split(gone, left.copy()) if event >= latest else ()
            if contradictory(core, places):
                return event, places
        return self.events, self.places()

    # -- how an infraction shows: the card led, the card played, the card shown later -----------------------------

    def acts_of(self, found: Irregularity) -> tuple[Act, ...]:
        if found.certainty is Certainty.SEEN and found.code not in self.AS_PROVED:
            return ()
        acts = []
        for event in found.claims or (found.event,):
            laid = self.play_of(event)
            if laid is None or laid[2][1] == UNSEEN:
                continue
            number, before, play = laid
            trick = self.laid_again(before, number)
            claimed = trick.denied_by(*play[:2])
            suits = tuple(suit.code for suit in self.rules.pack.suits if within(self, play[0], suit.code, claimed))
            led = next((each for each in before if each[1] == trick.lead and each[1] != UNSEEN), None)
            shown = None if led is None else laid_card(self, led, number, trick.follows[led[0]])
            acts.append(Act(led=shown, played=laid_card(self, play, number, claimed), claims=suits))
        return tuple(acts)

    def card_shown(self, found: Irregularity) -> LaidCard | None:
        done = later = None
        if found.certainty is Certainty.PROVED:
            done, later = self.play_of(found.event), self.play_of(found.proved_by[-1])
        if done is None or later is None:
            return None
        trick, before, play = done
        number, _, shown = later
        return laid_card(self, shown, number, self.laid_again(before, trick).denied_by(*play[:2]))

    def play_of(self, event: int) -> tuple[int, tuple[Played, ...], Played] | None:
        """Trick number, earlier plays of the trick, and the play of an event; ``None`` if it played no card."""
        for number, plays in enumerate(self.laid(), 1):
            for place, play in enumerate(plays):
                if play[2] == event:
                    return number, plays[:place], play
        return None


# --- Which acts may have been unlawful, and why the others were not
# A card that did not follow may be a revoke as long as its player may have held one that follows. Unseen cards clear no
# one.


def revokes(hand: Playing, *, any_way: bool = False) -> Iterator[Charge]:
    """Yield for each seat and trick whether it may have revoked (``any_way``: followed unlawfully in any way)."""
    for number, plays in tricks_shown(hand):
        if plays:
            leader, _, event, _ = plays[0]
            led = Reason("cleared-led", hand.CITES["follow"], {"seat": leader, "trick": number})
            yield Charge(leader, number, event, led)
        for place, play in enumerate(plays[1:], 1):
            why = _followed(hand, number, plays[:place], play, any_way=any_way)
            yield Charge(play[0], number, play[2], why)
        yield from _not_seen(hand, number, plays)


def early_leads(hand: Playing) -> Iterator[Charge]:
    """Yield for each seat and trick whether it may have led a card that may not be led."""
    clauses = hand.CITES.get(hand.LED_EARLY, hand.CITES["lead"])
    for number, plays in tricks_shown(hand):
        if not plays:
            yield from _not_seen(hand, number, plays)
            continue
        leader, card, event, _ = plays[0]
        facts: dict[str, object] = {"seat": leader, "trick": number}
        cleared = None
        if card != UNSEEN:
            demanded = hand.laid_again((), number).denied_by(leader, card)
            if not demanded or not may_have_held(hand, number, plays[0], demanded):
                code = "cleared-held-nothing-else" if demanded else "cleared-lead"
                cleared = Reason(code, clauses, facts | {"card": hand.rules.pack.cards[card]})
        yield Charge(leader, number, event, cleared)
        for seat in range(hand.rules.players):
            if seat != leader:
                other = Reason("cleared-other-led", clauses, {"seat": seat, "other": leader, "trick": number})
                yield Charge(seat, number, cleared=other)
    if hand.phase is PLAY and hand.taken and not hand.plays and not hand.blind:
        for seat in hand.to_act():
            yield Charge(seat, len(hand.taken) + 1)


def unlawful_cards(hand: Playing) -> Iterator[Charge]:
    """Yield for each card, seen or not, whether it may have been unlawful in any way."""
    accepted = {found.event for found in hand.irregularities if found.certainty is Certainty.SEEN}
    leads = {each.event: each.cleared for each in early_leads(hand) if each.event is not None}
    for each in revokes(hand, any_way=True):
        if each.event in accepted:
            yield each._replace(cleared=None)
        elif each.event in leads and each.cleared is not None:
            lead = leads[each.event]
            yield each if lead is not None and hand.LED_EARLY not in hand.CITES else each._replace(cleared=lead)
        else:
            yield each


def bids_made(hand: Playing) -> Iterator[Charge]:
    """Yield for each seat whether its bid can be changed: it has bid, or is due to."""
    for seat, bid in enumerate(hand.bids):
        due = hand.phase is BIDDING and seat in hand.to_act()
        why = Reason("cleared-no-bid", hand.CITES.get("bid", hand.CITES["tricks"])[-1:], {"seat": seat})
        yield Charge(seat, cleared=None if bid is not None or due else why)


def claims_of_rest(hand: Playing) -> Iterator[Charge]:
    """Yield for each seat whether it can claim the remaining tricks: all can during play."""
    why = None if hand.phase is PLAY else Reason("nothing-to-claim", ("IR-14",))
    return (Charge(seat, cleared=why) for seat in range(hand.rules.players))


CHARGES: Mapping[str, Callable[[Playing], Iterator[Charge]]] = {
    "revoke": revokes,
    "unlawful-card": unlawful_cards,
    "bid": bids_made,
    "claim": claims_of_rest,
}
"""Acts that a player can be accused of, apart from leads that deny other cards."""


def tricks_shown(hand: Playing) -> Iterator[tuple[int | None, tuple[Played, ...]]]:
    """Yield the number and seen plays of every trick: finished, current, and known only from the result.

    A hand with nothing recorded yields one trick numbered ``None``. The current trick is included when earlier tricks
    were recorded without cards.
    """
    for number, trick in enumerate(hand.taken, 1):
        yield number, trick.plays
    running = len(hand.taken) + 1
    if hand.plays:
        yield running, hand.plays
    elif hand.phase is FINISHED:
        for number in range(running, hand.total + 1):
            yield number, ()
    elif hand.phase is not VOID and not hand.taken:
        yield None, ()
    elif hand.phase is PLAY and hand.blind:
        yield running, ()


def _not_seen(hand: Playing, number: int | None, plays: Sequence[Played]) -> Iterator[Charge]:
    there = {play[0] for play in plays}
    return (Charge(seat, number) for seat in range(hand.rules.players) if seat not in there)


def _followed(
    hand: Playing, number: int | None, before: Sequence[Played], play: Played, *, any_way: bool
) -> Reason | None:
    """Return why a follower's card was lawful; ``None`` if it may not have been."""
    seat, card, *_ = play
    trick = hand.laid_again(before, number)
    if card == UNSEEN or (trick.lead == UNSEEN and not trick.follows[seat]):
        return None
    cards, clauses = hand.rules.pack.cards, trick.follow_clauses()
    facts: dict[str, object] = {"seat": seat, "trick": number, "card": cards[card]}
    demanded = trick.denial(seat, card) & (-1 if any_way else trick.follows[seat])
    if demanded:
        return None if may_have_held(hand, number, play, demanded) else Reason("cleared-had-none", clauses, facts)
    if trick.lead is None or not trick.follows[seat] >> card & 1:
        return Reason("cleared-free", clauses, facts)
    if trick.lead == UNSEEN:
        return Reason("cleared-followed-suit", clauses, facts)
    return Reason("cleared-followed", clauses, facts | {"led": cards[trick.lead]})


def may_have_held(hand: Playing, number: int | None, play: Played, cards: int) -> bool:
    """Return whether a seat may still have held one of ``cards`` after its play to a trick."""
    seat, _, event, _ = play
    later = hand.seen_in(each for each in hand.all_plays() if each[0] == seat and each[2] > event)
    if later & cards:
        return True
    if later.bit_count() >= hand.total - (number or 0):
        return False
    unseen = hand.rules.pack.members(hand.may_hold(seat) & cards)
    return any(hand.beyond_deal(seat, card) is None for card in unseen)
