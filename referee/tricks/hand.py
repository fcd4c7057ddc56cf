"""A trick-taking game and its hand: cards played to tricks one after the other, bids and scores."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from referee.engine.event_kinds import Event
from referee.engine.events import Bid, Note, Penalty, Play
from referee.engine.game import Game
from referee.engine.remedied import Acted, Charge
from referee.engine.rules import Dealt, Rules, Setup
from referee.engine.rulings import Act, Irregularity, LaidCard, Oddity, Reason, Refusal, ScoreLine, by_seat, impossible
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID, Phase, takes
from referee.tricks.bridge import TrickGuided, give_up, settle
from referee.tricks.depths import AsItLay
from referee.tricks.evidence import CHARGES, Proofs, acts_of, card_shown
from referee.tricks.rules import CODE, UNSEEN, Played, TieRule, TrickRules, earlier, resolve
from referee.tricks.state import ASKER, Taken, TrickState
from referee.tricks.unseen import matched
from referee.tricks.view import View

# --- Bids: the number of tricks a seat undertakes to win


class Bids(TrickState):
    """Takes bids: in turn from the dealer's left, the last one bound by the hook."""

    @takes(Bid)
    def take_bid(self, event: Bid) -> Refusal | None:
        """Take a seat's bid; the first one skips set-up that was not recorded."""
        if not self.rules.bidding and self.phase not in (FINISHED, VOID):
            return impossible("wrong-phase", "REC-2", phrase="nobody-bids")
        if not self.rules.bidding or self.phase in (PLAY, FINISHED, VOID):
            return self.not_now(event)
        seat = event.seat
        refusal = self.no_such_seat(seat)
        if refusal:
            return refusal
        if self.bids[seat] is not None:
            return impossible("wrong-phase", "REC-2", phrase="bid-already", seat=seat)
        if not 0 <= event.tricks <= self.total:
            return impossible("bad-bid", "REC-10", number=event.tricks, most=self.total)
        refusal = self.consent(event, self.odd_bid(event))
        if refusal:
            return refusal
        self.skip_setup(by_bid=True)
        self.bids = (*self.bids[:seat], event.tricks, *self.bids[seat + 1 :])
        self.phase = BIDDING if None in self.bids else PLAY
        return None

    def odd_bid(self, event: Bid) -> list[Oddity]:
        """Return what is irregular in a bid: its turn, and the hook."""
        oddities = []
        turn = self.next_bidder()
        seat = event.seat
        if turn is not None and seat != turn:
            facts = {"seat": seat, "turn": turn}
            reason = Reason("out-of-turn", (*self.CITES.get("turn-to-bid", ()), "REC-12"), facts)
            oddities.append(Oddity("out-of-turn", seat, reason))
        if event.tricks == self.forbidden_bid(seat):
            facts = {"seat": seat, "number": event.tricks}
            reason = Reason("forbidden-bid", self.CITES["hook"], facts)
            oddities.append(Oddity("forbidden-bid", seat, reason))
        return oddities

    def forbidden_bid(self, seat: int) -> int | None:
        """Return the bid that the hook forbids this seat, if it bids last."""
        others = [bid for other, bid in enumerate(self.bids) if other != seat]
        if not self.rules.options.get("hook") or None in others:
            return None
        return self.total - sum(bid for bid in others if bid is not None)


# --- Scores of trick-taking games; lines, never a bare number


class Scoring(TrickState):
    """Scores a hand by its tricks, seat by seat; as it stands, one point each.

    A game that scores otherwise says so in ``score_line``; one whose tricks are worth what is in
    them in ``points_of``, ``points`` and ``point_lines``, and in ``reported_points`` what a trick
    recorded without its cards may report.
    """

    def points_of(self, trick: Taken) -> dict[str, int]:
        """Return what a finished trick is itself worth, by seat; nothing where bids decide."""
        return {} if self.rules.bidding else {str(trick.winner): 1}

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        """Return what a seat scores for its tricks; ``bid`` is 0 where nothing is bid."""
        return trick_line(seat, tricks, *self.CITES["tricks"])

    def line_for(self, tricks: int, bid: int) -> ScoreLine:
        """Return what the player who asks would score with so many tricks in a hand."""
        return self.score_line(ASKER, tricks, bid)

    def points(self) -> tuple[int, ...] | None:
        """Return the points so far; with bidding only once the hand is over."""
        if self.rules.bidding and self.phase is not FINISHED:
            return None
        return by_seat(self.point_lines(), self.rules.players)

    def point_lines(self) -> list[ScoreLine]:
        """Return a line for every seat that bid, and without bids for every seat that won tricks."""
        pairs = enumerate(zip(self.tricks_won(), self.bids, strict=True))
        shown = self.rules.bidding
        return [self.score_line(seat, tricks, bid or 0) for seat, (tricks, bid) in pairs if tricks or shown]


def trick_line(seat: int, tricks: int, *clauses: str) -> ScoreLine:
    """One point for each trick."""
    return ScoreLine(seat, tricks, Reason("tricks", clauses, {"seat": seat, "tricks": tricks}))


# --- The hand of a trick-taking game: cards played to tricks, one after the other
# A hidden hand makes most revokes invisible. A card that does not follow is therefore taken as a
# claim (``referee.engine.claims``), not as an offence; only against an entered hand is it judged at once.


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


# --- What a trick-taking game declares beyond every game: how it is dealt, and that its clauses are there

ALWAYS = ("highest-trump", "highest-follower", "earlier-of-equals", "follow", "lead", "tricks", "deal")
"""What the hand of every trick-taking game names clauses for, in ``CITES``."""
BY_OPTION = {"hook": "hook"}
"""What it names clauses for as well where the game has a house rule of this name."""


BY_METHOD = {"lead_denial": "trump-led", "names_suit": "name"}
"""And where its hand has a method of its own: a lead that denies other cards, a suit named with a card."""


class TrickGame(Game):
    """A trick-taking game; as it stands the whole pack is dealt out evenly and the deal passes to the left.

    A class whose hand names no clause for something that the referee may have to explain is refused
    with ``TypeError`` when its module is imported, not when the reason is needed.
    """

    rules_class = TrickRules
    phases: ClassVar[tuple[Phase, ...]] = (BIDDING,)
    hand_class: ClassVar[type[TrickHand]]

    def __init_subclass__(cls, **more: object) -> None:
        super().__init_subclass__(**more)
        hand = getattr(cls, "hand_class", None)
        if hand is None:
            return
        options = {option.key for option in cls.options}
        needed: tuple[str, ...] = (*ALWAYS, *(code for key, code in BY_OPTION.items() if key in options))
        changed = [name for name in BY_METHOD if getattr(hand, name) is not getattr(TrickHand, name)]
        needed += tuple(BY_METHOD[name] for name in changed)
        lacking = [code for code in needed if not hand.CITES.get(code)]
        if lacking:
            raise TypeError(f"{cls.__name__}: {hand.__name__}.CITES names no clause for {', '.join(lacking)}")

    def size(self, rules: Rules, before: TrickHand | None) -> int | None:
        """Return the cards each player is dealt after the hand ``before`` (``None``: in the first hand).

        ``None`` where the record does not tell.
        """
        return len(rules.pack) // rules.players

    def trump(self, rules: Rules, before: TrickHand | None) -> str | None:
        """Return the trump that the deal itself settles, after the hand ``before`` (``None``: in the first hand)."""
        return None

    def trump_ways(self, rules: Rules, before: TrickHand | None) -> tuple[str | None, ...]:
        """Return all that this trump may be, where cards of the hand before went unseen and leave it open."""
        return ()

    def first(self, rules: Rules, dealer: int) -> Setup:
        """Deal the first hand, to seats that sit in their order."""
        return self._setup(rules, dealer, tuple(range(rules.players)), None)

    def following(self, hand: Dealt, totals: tuple[int, ...], rules: Rules) -> Setup:
        """Pass the deal to the left; nobody changes places."""
        assert isinstance(hand, TrickHand)
        setup = hand.setup
        return self._setup(rules, hand.rules.clockwise[setup.dealer], setup.seating, hand)

    def _setup(self, rules: Rules, dealer: int, seating: tuple[int, ...], before: TrickHand | None) -> Setup:
        size = self.size(rules, before)
        sizes = None if size is None else (size,) * rules.players
        index = 0 if before is None else before.setup.index + 1
        carry, carry_ways = self.trump(rules, before), self.trump_ways(rules, before)
        return Setup(index, dealer, seating, sizes, carry=carry, carry_ways=carry_ways)
