"""Playing cards of a trick-taking game: which ones are refused, and what the others change."""

from collections.abc import Iterable, Sequence
from typing import Self

from referee.engine.events import CardAside, Play
from referee.engine.rulings import Oddity, Reason, Refusal, impossible, out_of_turn
from referee.engine.state import FINISHED
from referee.tricks.rules import UNSEEN, Played, resolve
from referee.tricks.state import Taken, TrickState


class Playing(TrickState):
    """Lays cards aside, puts them down, and gathers finished tricks."""

    # -- hooks for games ---------------------------------------------------------------------------

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Hook: refuse a card that the deal cannot have given this seat."""
        return None

    def dealt_out(self, seat: int) -> int:
        """Hook: card classes of which this seat has played its whole share of the deal, as a mask."""
        return 0

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        """Hook: collect irregularities of a lead."""

    def lead_key(self, form: str) -> str:
        """Hook: replace the sentence key of a lead that denies other cards."""
        return form

    def clauses_of(self, code: str) -> tuple[str, ...]:
        return self.guard_clauses() if code == self.LED_EARLY else self.follow_clauses()

    def begin_trick(self, leader: int) -> None:
        """Start a trick; a game may save state from before it."""
        self.leader = leader

    def act_on(self, card: int) -> None:
        """Hook: apply the effect of a card in ``TrickRules.acting``."""

    def unfit_aside(self, card: int) -> Refusal | None:
        """Hook: refuse a card that may not be set aside."""
        return None

    # -- which cards are refused, and which are irregular ------------------------------------------

    def gone_already(self, card: int) -> Refusal:
        """Refuse a card that was already played, perhaps unseen, or set aside."""
        shown = self.rules.pack.cards[card]
        if card in self.aside():
            return impossible("already-played", "REC-6", phrase="already-aside", card=shown)
        if all(play[1] != card for play in self.all_plays()):
            return impossible("already-played", "REC-6", "REC-19", phrase="already-unseen", card=shown)
        return impossible("already-played", "REC-6", card=shown)

    def unfit_play(self, event: Play, card: int, denial: int, oddities: list[Oddity]) -> Refusal | None:
        """Refuse a card that cannot have been played; collects irregularities in ``oddities``."""
        seat, bit = event.seat, 1 << card
        if self.there >> seat & 1:
            return impossible("too-many-cards", "REC-7", phrase="too-many-to-a-trick", seat=seat)
        refusal = None if card == UNSEEN else self.beyond_deal(seat, card)
        if refusal:
            return refusal
        if self.elsewhere and self.elsewhere[seat] & bit:
            return self.not_in_hand(seat, card)
        refusal = self.wrong_suit(event, card)
        if refusal:
            return refusal
        if seat not in self.to_act():
            oddities += out_of_turn(seat, self.to_act()[0], *self.lead_clauses())
        self.odd_lead(event, card, oddities)
        for code, cards in self.infractions(seat, card, denial):
            held = self.surely_held(seat, bit, cards)
            if held:
                oddities.append(self.seen_breach(code, seat, card, held))
        return None

    def wrong_suit(self, event: Play, card: int) -> Refusal | None:
        """Refuse a suit that cannot be named, or that the card does not have."""
        suit = event.suit
        if suit is None:
            return None
        if not self.may_name():
            return impossible("bad-suit", *self.CITES.get("name", ()), "REC-9", phrase="names-no-suit")
        unknown = self.not_a_suit(suit)
        if unknown:
            return unknown
        named = self.rules.pack.suit(suit)
        facts: dict[str, object] = {"suit": self.suit_name(named)}
        if not self.names_suit(card):
            return impossible("bad-suit", *self.CITES["name"], "REC-9", phrase="only-lead-names", **facts)
        if card == UNSEEN or named in self.rules.pack.cards[card].suits:
            return None
        facts["card"] = self.rules.pack.cards[card]
        return impossible("bad-suit", *self.CITES["name"], "REC-9", phrase="suit-not-shown", **facts)

    def infractions(self, seat: int, card: int, denial: int) -> tuple[tuple[str, int], ...]:
        """Infractions if what this card denies is false: pairs of code and denied cards."""
        return ((self.LED_EARLY if not self.plays else "revoke", denial),) if denial else ()

    def seen_breach(self, code: str, seat: int, card: int, held: int) -> Oddity:
        """The revoke or unlawful lead that is evident at once, because these cards are known to be held."""
        cards = self.rules.pack.cards
        shown = next(cards[i] for i in self.rules.pack.members(held))
        facts = {"seat": seat, "card": cards[card], "held": shown}
        key = self.lead_key(code) if code == self.LED_EARLY else ""
        return Oddity(code, seat, Reason(code, self.clauses_of(code), facts, key))

    def surely_held(self, seat: int, bit: int, denied: int) -> int:
        """Known held cards among those denied; 0 if they may have been played unseen."""
        held = self.sure(seat) & denied & ~bit
        return held if held and not self.may_be_unseen(seat, bit, denied) else 0

    def may_be_unseen(self, seat: int, bit: int, denial: int) -> bool:
        """Return whether every known card that should have followed may already have been played unseen."""
        held = self.sure(seat)
        open_ones = [could for owner, could in self.hidden if owner == seat and could & held]
        unseen = self.unseen_of(seat)
        places = [*open_ones, *[held] * (unseen - len(open_ones))]
        members = self.rules.pack.members(held & denial & ~bit)
        return matched([sum((cards >> card & 1) << at for at, cards in enumerate(places)) for card in members])

    def unseen_of(self, seat: int) -> int:
        """Number of known cards that may have left this hand unseen."""
        return self.sure(seat).bit_count() - self.cards_left()[seat]

    def may_hold(self, seat: int) -> int:
        """Cards that a seat may have played unseen."""
        held = self.held(seat)
        if held is not None:
            return held & ~self.dealt_out(seat)
        elsewhere = self.elsewhere[seat] if self.elsewhere else 0
        return self.rules.pack.everything & ~self.gone & ~elsewhere & ~self.dealt_out(seat)

    # -- what a card changes -----------------------------------------------------------------------

    def lay_aside(self, event: CardAside) -> tuple[int | None, ...] | Refusal:
        """Return the cards set aside by each seat after this event, or a refusal."""
        if self.phase is not self.ASIDE:
            return self.not_now(event)
        seat, chosen = event.seat, self.aside()
        refusal = self.no_such_seat(seat)
        if refusal:
            return refusal
        if chosen[seat] is not None:
            return impossible("wrong-phase", "REC-2", phrase="aside-already", seat=seat)
        if len(event.cards) != 1:
            return impossible("wrong-count", "REC-4", phrase="wrong-count-one")
        card = self.rules.pack.find(event.cards[0])
        if card is None:
            return self.not_in_deck(event.cards[0])
        refusal = self.unfit_aside(card)
        if refusal:
            return refusal
        if self.gone >> card & 1:
            return self.gone_already(card)
        if self.elsewhere and self.elsewhere[seat] >> card & 1:
            return self.not_in_hand(seat, card)
        self.gone |= 1 << card
        return (*chosen[:seat], card, *chosen[seat + 1 :])

    def put_down(self, seat: int, card: int, suit: str | None) -> None:
        """Play a lawful card; updates turn, lead and trump."""
        rules = self.rules
        if not self.plays:
            self.begin_trick(seat)
        if self.lead is None or suit:
            self.settle_lead(seat, card, suit)
        self.plays += ((seat, card, self.events, suit),)
        self.filled = None
        if card == UNSEEN:
            self.unseen += 1
        else:
            self.gone |= 1 << card
        if self.hidden:
            self.narrow_hidden()
        if rules.acting >> card & 1:
            self.act_on(card)
        self.there = there = self.there | 1 << seat
        if there != rules.everybody:
            turn = rules.clockwise[seat]
            while there >> turn & 1:  # a play out of turn left a gap (REC-12)
                turn = rules.clockwise[turn]
            self.turn = turn

    def settle_lead(self, seat: int, card: int, suit: str | None) -> None:
        """Determine which cards follow, if this card is the lead.

        A suit named after an unseen card shows that the named card is the lead. For an unseen lead, only a suit named
        with it tells what follows.
        """
        if self.lead is not None and not (suit and self.lead == UNSEEN):
            return
        if card == UNSEEN:
            self.lead = UNSEEN
            self.follows = self.rules.suited[suit] if suit else self.rules.nobody
        else:
            self.open_suit(seat, card, suit)

    def narrow_hidden(self, more: tuple[tuple[int, int], ...] = ()) -> bool:
        """Narrow what each unseen card can be; a card with one possibility left counts as played.

        Returns ``False``, and keeps the old possibilities, if none would remain for some card.
        """
        hidden = self.hidden + more
        seen = self.rules.pack.mask(card for card in self.aside() if card is not None) | self.seen_in(self.all_plays())
        self.hidden, before = hidden, None
        while before != self.hidden:
            before = self.hidden
            for place, (seat, could) in enumerate(before):
                if could.bit_count() > 1:
                    could &= ~seen
                    could = could & ~self.dealt_out(seat) or could  # it may be the card that completed the share
                    self.hidden = (*self.hidden[:place], (seat, could), *self.hidden[place + 1 :])
                seen |= could if could.bit_count() == 1 else 0
        if all(could for _, could in self.hidden):
            self.gone |= seen
            return True
        self.hidden = hidden
        return False

    def resolved(self) -> Taken:
        """The finished trick with its winner, when all its cards were seen."""
        play, code = resolve(self.plays, self.follows, self.trumps(), self.rules.ranks, self.tie_rule)
        return Taken(self.leader, self.plays, play[0], self.deciding_trump(), self.explain(code, play[1]))

    def gather(self, trick: Taken) -> None:
        """Finish a trick; its winner leads next."""
        winner = trick.winner
        self.taken += (trick,)
        self.won = (*self.won[:winner], self.won[winner] + 1, *self.won[winner + 1 :])
        self.leader = self.turn = winner
        self.plays = ()
        self.there = 0
        self.lead = None
        self.follows = self.rules.nobody
        self.filled = None
        if len(self.taken) == self.total:
            self.phase = FINISHED

    def laid_again(self, plays: Iterable[Played], number: int | None = None) -> Self:
        """A copy of the hand with these plays in the current trick.

        With ``number``, tricks from that number on are removed.
        """
        trick = self.copy()
        trick.taken = self.taken if number is None else self.taken[: number - 1]
        trick.plays, trick.lead, trick.follows = (), None, self.rules.nobody
        for play in plays:
            trick.settle_lead(play[0], play[1], play[3])
            trick.plays += (play,)
        return trick


def matched(places: Sequence[int]) -> bool:
    """Return whether each place can be assigned a different card of its set (bipartite matching)."""
    holder: dict[int, int] = {}

    def seat_one(place: int, seen: set[int]) -> bool:
        cards = places[place]
        while cards:
            card = cards & -cards
            cards ^= card
            if card in seen:
                continue
            seen.add(card)
            if card not in holder or seat_one(holder[card], seen):
                holder[card] = place
                return True
        return False

    return all(seat_one(place, set()) for place in range(len(places)))
