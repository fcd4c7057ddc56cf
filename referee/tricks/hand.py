"""The hand of a trick-taking game: cards played to tricks, one after the other.

A hidden hand makes most revokes invisible. A card that does not follow is therefore taken as a
claim (``referee.engine.claims``), not as an offence; only against an entered hand is it judged at once.
"""

from collections.abc import Iterator, Sequence

from referee.engine.event_kinds import Event
from referee.engine.events import Note, Penalty, Play
from referee.engine.guided import Acted, Charge
from referee.engine.phases import FINISHED, PLAY
from referee.engine.rulings import Act, Irregularity, LaidCard, Oddity, Reason, Refusal, impossible
from referee.engine.state import takes
from referee.tricks.as_it_lay import AsItLay
from referee.tricks.bids import Bids
from referee.tricks.bridge import give_up, settle
from referee.tricks.charges import CHARGES
from referee.tricks.evidence import acts_of, card_shown
from referee.tricks.fillings import matched
from referee.tricks.guided import TrickGuided
from referee.tricks.proofs import Proofs
from referee.tricks.resolve import CODE, UNSEEN, Played, TieRule, earlier, resolve
from referee.tricks.scoring import Scoring
from referee.tricks.state import Taken
from referee.tricks.view import View


class TrickHand(Proofs, Bids, AsItLay, TrickGuided, Scoring, View):
    """One hand of a trick-taking game.

    As it stands it plays a plain one: follow suit, the highest trump wins, else the highest card of
    the suit led; a game overrides what it has otherwise and names its clauses in ``CITES``.
    """

    @takes(Play)
    def take_play(self, event: Play) -> Refusal | None:
        """Take one card to the trick, as a follower, a discard or a lead."""
        if self.phase is not PLAY or self.skipped or self.turn < 0:
            return self.no_card_now(event)
        rules = self.rules
        seat = event.seat
        if not 0 <= seat < rules.players:
            return self.no_such_seat(seat)
        if len(event.cards) != 1:
            return impossible("wrong-count", "REC-4", phrase="wrong-count-one")
        card = rules.codes.get(event.cards[0])
        if card is None:
            if event.cards[0] == CODE:
                return self.take_unseen(event)
            card = rules.pack.find(event.cards[0])
            if card is None:
                return self.not_in_deck(event.cards[0])
        bit = 1 << card
        if self.gone & bit or (self.unseen and self.takes_hidden(event, card)):
            return self.gone_already(card)
        denial = self.denial(seat, card) if self.plays else self.lead_denial(seat, card)
        if seat != self.turn or self.strict or event.suit is not None:
            oddities: list[Oddity] = []
            refusal = self.look_closer(event, card, denial, oddities)
            if refusal is None:
                refusal = self.consent(event, oddities)
            if refusal is not None:
                return refusal
            if denial and self.held(seat) is not None and not self.may_be_unseen(seat, bit, denial):
                denial = 0  # judged against the entered hand: no claim is left
        if self.denied[seat] & bit:
            self.disprove(seat, bit)
        self.put_down(seat, card, event.suit and rules.pack.suit(event.suit))
        if denial:
            self.claim(seat, denial)
        if self.claims and self.counting:
            self.count(seat)
        if len(self.plays) == rules.players:
            self.complete()
        return None

    def no_card_now(self, event: Play) -> Refusal:
        """Refuse a card before the first trick, or where what the cards are judged by was not recorded."""
        if self.phase is PLAY:
            phrase = "winner-first" if self.waits_for_winner() else "cards-unjudged"
            return impossible("wrong-phase", "REC-2", "REC-19", phrase=phrase)
        return self.not_now(event)

    def denial(self, seat: int, card: int) -> int:
        """Return the cards that a follower denies holding with this card, 0 where none.

        That is every card that would have followed, when this one does not; a card that may be
        played at any time denies nothing.
        """
        follows = self.follows[seat]
        return 0 if (follows | self.rules.free) >> card & 1 else follows

    def lead_denial(self, seat: int, card: int) -> int:
        """Return the cards that a leader denies holding with this card."""
        return 0

    def put_down(self, seat: int, card: int, suit: str | None) -> None:
        """Put a lawful card on the table: turn, lead and trump follow from it."""
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

    def begin_trick(self, leader: int) -> None:
        """Let a seat lead; a game may note how things stood before the trick."""
        self.leader = leader

    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """Settle what follows this lead: the suit named with it, else every card that shares a suit with it.

        A game in which a card leads no suit leaves ``lead`` as it is: the next card settles it.
        """
        self.lead = card
        self.follows = self.rules.suited[suit] if suit else self.rules.alike[card]

    def act_on(self, card: int) -> None:
        """Let a card that acts when it falls (``TrickRules.acting``) do so."""

    def complete(self) -> None:
        """Resolve the full trick, hand it to its winner and end the hand after the last."""
        if self.ways or (self.unseen and any(play[1] == UNSEEN for play in self.plays)):
            self.settle_unseen()
        else:
            self.gather(self.resolved())

    def resolved(self) -> Taken:
        """Return the full trick on the table with its winner, all its cards seen."""
        play, code = resolve(self.plays, self.follows, self.trumps(), self.rules.ranks, self.break_tie)
        return Taken(self.leader, self.plays, play[0], self.deciding_trump(), self.explain(code, play[1]))

    def needs_trump(self) -> bool:
        """Return whether a single question about a trick has to say what is trump."""
        return False

    def has_winner(self) -> bool:
        """Return whether one of the cards on the table can win the trick."""
        follows, trumps = self.follows, self.trumps()
        return any((follows[seat] | trumps[seat]) >> card & 1 for seat, card, *_ in self.plays)

    def explain(self, code: str, card: int) -> Reason:
        """Return why this card won the trick in progress."""
        return Reason(code, self.CITES[code], {"card": self.rules.pack.cards[card]})

    def gather(self, trick: Taken) -> None:
        """Clear the table after a trick; its winner leads."""
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

    def trumps(self) -> tuple[int, ...]:
        """Return, per seat, the cards that are trump when this seat plays them."""
        return self.rules.suited[self.trump]

    def break_tie(self, tied: Sequence[Played]) -> tuple[Played, str]:
        """Return which of equal cards wins; the rule is made only where there is a tie."""
        return self.tie_rule()(tied)

    def tie_rule(self) -> TieRule:
        """Return how equal cards that follow are told apart."""
        return earlier

    def look_closer(self, event: Play, card: int, denial: int, oddities: list[Oddity]) -> Refusal | None:
        """Check what only some tables and some plays need; collect what is irregular."""
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
        if seat != self.turn:
            facts = {"seat": seat, "turn": self.turn}
            reason = Reason("out-of-turn", (*self.lead_clauses(), "REC-12"), facts)
            oddities.append(Oddity("out-of-turn", seat, reason))
        self.odd_lead(event, card, oddities)
        held = self.held(seat)
        if denial and held is not None and not self.may_be_unseen(seat, bit, denial):
            oddities.append(self.seen_breach(seat, card, held & denial))
        return None

    def lead_clauses(self) -> tuple[str, ...]:
        """Return the clauses that say who leads now; none in the middle of a trick."""
        if self.plays:
            return ()
        return self.CITES["lead"][-1:] if self.taken else self.CITES["lead"][:1]

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Refuse one more card of this kind than the deal can have given this seat."""
        return None

    def may_name(self) -> bool:
        """Return whether suits are named with the cards led at this table."""
        return False

    def names_suit(self, card: int) -> bool:
        """Return whether a suit can be named with this card, as a lead."""
        return False

    def wrong_suit(self, event: Play, card: int) -> Refusal | None:
        """Refuse a suit named where none can be, or one that the card does not show."""
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

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        """Collect what is irregular in a lead, in a game that does not let every card be led."""

    def may_be_unseen(self, seat: int, bit: int, denial: int) -> bool:
        """Return whether cards played unseen may have been the ones that should have followed, each another one."""
        held = self.held(seat) or 0
        open_ones = [could for owner, could in self.hidden if owner == seat and could & held]
        unseen = held.bit_count() - self.cards_left()[seat]
        places = [*open_ones, *[held] * (unseen - len(open_ones))]
        members = self.rules.pack.members(held & denial & ~bit)
        return matched([sum((cards >> card & 1) << at for at, cards in enumerate(places)) for card in members])

    def seen_breach(self, seat: int, card: int, held: int) -> Oddity:
        """Return the revoke that an entered hand shows at once."""
        cards = self.rules.pack.cards
        shown = next(cards[i] for i in self.rules.pack.members(held))
        facts = {"seat": seat, "card": cards[card], "held": shown}
        return Oddity("revoke", seat, Reason("revoke", self.follow_clauses(), facts))

    def why_follow(self, seat: int, cards: Sequence[int], *, all_may: bool) -> Reason:
        """Return why a hand may play what it may play to the trick in progress; ``all_may``: every card of it."""
        if not all_may:
            return Reason("must-follow", self.follow_clauses())
        follows = any(self.follows[seat] >> card & 1 for card in cards)
        return Reason("all-follow" if follows else "void", self.follow_clauses())

    def take_note(self, event: Note) -> Refusal | None:
        """Take a remark; as the decision about a finding it says that no trick is given up for it."""
        refusal = super().take_note(event)
        if refusal is None:
            settle(self, event)
        return refusal

    def take_penalty(self, event: Penalty) -> Refusal | None:
        """Take points the table moved; it may be what a finding costs (IR-4)."""
        refusal = self.no_such_seat(event.seat)
        if refusal is None:
            settle(self, event)
        return refusal or super().take_penalty(event)

    def laid_cards(self, event: int) -> bool:
        """Return whether an event of this hand put cards on the table."""
        tricks = (*(trick.plays for trick in self.taken), self.plays)
        return any(play[2] == event for plays in tricks for play in plays)

    def acted(self, events: Sequence[Event]) -> Iterator[Acted]:
        """Yield what was done in the tricks whose cards were recorded, in order."""
        for number, plays in enumerate((*(trick.plays for trick in self.taken), self.plays), 1):
            yield from (Acted(event, number, seat) for seat, _, event, _ in plays)

    def charges(self, act: str, events: Sequence[Event]) -> Sequence[Charge] | None:
        """Return every act of a kind that can have been done in this hand."""
        found = CHARGES.get(act)
        return None if found is None else tuple(found(self))

    def acts_of(self, found: Irregularity) -> tuple[Act, ...]:
        """Return the cards that a finding is about, with those that were led to them."""
        return acts_of(self, found)

    def card_shown(self, found: Irregularity) -> LaidCard | None:
        """Return the card that contradicts what the act claimed."""
        return card_shown(self, found)

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        """Return the events that carry out a remedy; for a revoke tricks can be given up (IR-4)."""
        return give_up(self, found, why) if remedy == "bridge" else super().carry_out(remedy, found, why)
