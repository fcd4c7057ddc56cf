"""Base classes of trick-taking games and their hands: descriptions, plays, bids and scores."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from referee.engine.cards import Suit
from referee.engine.event_kinds import Event
from referee.engine.events import Ask, Bid, Field, Note, Penalty, Play, Turn
from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.remedied import Acted, Charge
from referee.engine.rules import Options, Rules, Setup
from referee.engine.rulings import Irregularity, Oddity, Reason, Refusal, ScoreLine, by_seat, impossible, out_of_turn
from referee.engine.sheet import HandParts, TrickEntry, TrickParts
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID, Phase, takes
from referee.engine.texts import AND, OR, Listing, noun, phrase
from referee.tricks.bridge import TrickGuided, give_up, given_tricks, settle
from referee.tricks.depths import Depths
from referee.tricks.evidence import CHARGES, Proofs, early_leads
from referee.tricks.rules import CODE, UNSEEN, Played, TrickRules, opposite, resolve
from referee.tricks.state import ASKER

BIDS = Turn("{seat} bids: how many tricks?", "You bid: how many tricks?")
LEADS = Turn("{seat} leads.", "You lead.")
PLAYS = Turn("{seat} plays.", "You play.")
EACH_PLAYER = Turn("How many tricks did each player take?")
EACH_SIDE = Turn("How many tricks did each side take?")
PLAYS_LAST = Turn("{seat} plays the last card.", "You play the last card.")


class View(Depths):
    """Describes bids, tricks and trump, and lists the events that can come next."""

    def asks(self) -> tuple[Ask, ...]:
        asks: list[Ask] = []
        if self.phase is BIDDING:
            asks += [Ask("bid", "Bid", (seat,), self.bid_fields(seat), turn=BIDS) for seat in self.to_act()]
        if self.phase is PLAY and not self.skipped and self.to_act():
            fields = [Field("cards", "cards", "Card", choices=self.unplayed(), marks=self.claims_of_cards())]
            if self.lead is None or self.names_suit(UNSEEN):
                fields.extend(self.lead_fields())
            asks.append(Ask("play", "Play", self.to_act(), tuple(fields), turn=self.turn_to_play()))
        unseen = any(play[1] == UNSEEN for play in self.plays)
        if not self.closed() and (not self.plays or unseen or self.waits_for_winner()):
            seats = tuple(map(str, sorted(self.possible_winners())))
            winner = Field("winner", "seat", "Winner", seats)
            last = len(self.taken) == self.total - 1
            fields = [winner, *self.trump_field(), *self.last_field(last=last)]
            asks.append(Ask("trick", "Trick won by", (), tuple(fields), turn=Turn("Who wins this trick?")))
        if not self.closed() and (not self.plays or self.waits_for_winner()):
            pooled = self.pooled_sides()
            apart = ((seat,) for seat in range(self.rules.players) if all(seat not in side for side in pooled))
            result = Field(
                "tricks", "numbers", "Each side’s tricks" if pooled else "Each player’s tricks", least=0,
                most=self.total, total=self.total, floors=self.won, sides=(*pooled, *apart) if pooled else (),
            )  # fmt: skip
            counts = EACH_SIDE if pooled else EACH_PLAYER
            fields = [result, *self.last_field(last=True)]
            asks.append(Ask("result", "Result of the hand", (), tuple(fields), turn=counts))
        return tuple(asks)

    def turn_to_play(self) -> Turn:
        if not self.plays:
            return LEADS
        if len(self.plays) == self.rules.players - 1:
            return PLAYS_LAST
        suits = self.suits_to_follow(self.turn) if self.follows[self.turn] else []
        if not suits:
            return PLAYS
        facts = {"suits": Listing(tuple(noun(suit.name) for suit in suits), last=OR)}
        return Turn("{seat} follows {suits}.", "You follow {suits}.", facts=facts)

    def lead_fields(self) -> tuple[Field, ...]:
        """Further fields of a lead, besides its card."""
        return ()

    def bid_fields(self, seat: int) -> tuple[Field, ...]:
        hook = self.forbidden_bid(seat)
        struck = () if hook is None else (hook,)
        why = tuple(Reason("forbidden-bid", self.CITES["hook"], {"number": number}) for number in struck)
        return (Field("tricks", "number", "Tricks", least=0, most=self.total, struck=struck, warnings=why),)

    def claims_of_cards(self) -> dict[str, Reason]:
        """The claim made by playing each card, by code; only for cards that would claim a void (REC-17)."""
        seat, left = self.turn, (card for card in self.rules.pack.cards if not self.gone >> card.index & 1)
        claiming = [card for card in left if self.denied_by(seat, card.index)]
        if not claiming:
            return {}
        if not self.plays:
            code = f"claims-{self.LED_EARLY.removesuffix('-led')}-only"
            reason = Reason(code, (*self.guard_clauses(), "REC-17"), {"seat": seat})
        else:
            none = (phrase("no {suit}", suit=noun(suit.name)) for suit in self.suits_to_follow(seat))
            suits = Listing(tuple(none), last=AND)
            reason = Reason("claims-void", (*self.follow_clauses(), "REC-17"), {"seat": seat, "suits": suits})
        return {card.code: reason for card in claiming}

    def suits_to_follow(self, seat: int) -> list[Suit]:
        """Suits to be followed, as this seat reads them."""
        follows = self.follows[seat]
        return [suit for suit in self.rules.pack.suits if not self.reading_of(seat, suit.code) & ~follows]

    def ahead(self) -> int | None:
        if any(play[1] == UNSEEN for play in self.plays) or not self.has_winner():
            return None
        return resolve(self.plays, self.follows, self.trumps(), self.rules.ranks, self.tie_rule)[0][0]

    def has_winner(self) -> bool:
        """Return whether any card on the table can win the trick."""
        follows, trumps = self.follows, self.trumps()
        return any((follows[seat] | trumps[seat]) >> card & 1 for seat, card, *_ in self.plays)

    def demanded_suits(self) -> tuple[str, ...]:
        asked = self.plays and self.turn >= 0 and self.follows[self.turn]
        return tuple(suit.code for suit in self.suits_to_follow(self.turn)) if asked else ()

    def trump_field(self) -> tuple[Field, ...]:
        """Field for trump after a trick recorded without cards."""
        suits = tuple(suit.code for suit in self.rules.pack.suits if self.trump_fits(suit.code))
        if not any(suit != self.trump for suit in suits):
            return ()
        return (Field("trump", "suit", "Trump after this trick", suits, optional=True, none="no change"),)

    def last_field(self, *, last: bool) -> tuple[Field, ...]:
        """Field for the last card of the hand, in games where it matters."""
        if not (last and self.last_card_counts()):
            return ()
        return (Field("last", "card", "Last card played", self.unplayed(), optional=True),)

    def last_card_counts(self) -> bool:
        return False

    def unplayed(self) -> tuple[str, ...]:
        return tuple(c.code for c in self.rules.pack.cards if not self.gone >> c.index & 1)

    def describe(self) -> HandParts:
        tricks: list[TrickParts] = [
            {
                **self.entry(number, trick.leader, trick.plays),
                "winner": trick.winner, "points": self.points_of(trick), "trump": trick.trump,
                "reason": trick.reason,
            }
            for number, trick in enumerate(self.taken, 1)
        ]  # fmt: skip
        if self.plays:
            entry, trump = self.entry(len(self.taken) + 1, self.leader, self.plays), self.deciding_trump()
            tricks.append({**entry, "winner": None, "points": {}, "trump": trump, "reason": None})
        parts: HandParts = {
            "trump": self.trump, "has_trump": True, "suit_order": None, "bids": list(self.bids),
            "tricks_won": list(self.tricks_won()), "tricks": tricks,
        }  # fmt: skip
        if self.transfers:
            parts["moved"] = [{"from_seat": a, "to_seat": b, "tricks": count} for a, b, count in self.transfers]
        if self.given_up:
            parts["given_up"] = list(given_tricks(self))
        return parts

    def entry(self, number: int, leader: int, plays: tuple[Played, ...]) -> TrickEntry:
        """Describe a trick's cards in order of play; ``?`` stands for an unseen card."""
        cards = self.rules.pack.cards
        return {
            "number": number, "leader": leader,
            "plays": [
                {"seat": seat, "cards": [CODE if card == UNSEEN else cards[card].code]} for seat, card, _, _ in plays
            ],
        }  # fmt: skip


# --- The hand


# --- The hand of a trick-taking game
# Most revokes cannot be seen while hands are hidden. A card that does not follow is therefore recorded as a claim
# (``referee.engine.claims``); it is judged at once only against an entered hand.


class TrickHand(Proofs, TrickGuided, View):
    """One hand of a trick-taking game.

    The defaults are those of a plain game: bids in turn if there are bids, follow suit, highest trump or else highest
    card of the suit led wins, one point a trick. Games override what differs and list their clauses in ``CITES``.
    Override ``score_line`` for other scoring; if tricks are worth their contents, override ``points_of``, ``points``
    and ``point_lines``, and ``reported_points`` for tricks recorded without cards.
    """

    @takes(Play)
    def take_play(self, event: Play) -> Refusal | None:
        """Play one card to the trick: lead, follow or discard."""
        if self.phase is not PLAY or self.skipped or self.turn < 0:
            return self.no_card_now(event)
        rules = self.rules
        seat = event.seat
        if not 0 <= seat < rules.players:
            return self.no_such_seat(seat)
        if len(event.cards) != 1:
            return impossible("wrong-count", "REC-4", phrase="wrong-count-one")
        card = UNSEEN if event.cards[0] == CODE else rules.pack.find(event.cards[0])
        if card is None:
            return self.not_in_deck(event.cards[0])
        bit = 1 << card
        if self.gone & bit or (self.unseen and card != UNSEEN and self.takes_hidden(event, card)):
            return self.gone_already(card)
        denial = 0 if card == UNSEEN else self.denied_by(seat, card)
        oddities: list[Oddity] = []
        refusal = self.unfit_play(event, card, denial, oddities) or self.consent(event, oddities)
        if refusal is not None:
            return refusal
        # What a known hand proves at once is not recorded as a claim.
        claims = [each for each in self.infractions(seat, card, denial) if not self.surely_held(seat, bit, each[1])]
        if self.denied[seat] & bit:
            self.disprove(seat, bit)
        self.put_down(seat, card, event.suit and rules.pack.suit(event.suit))
        for code, cards in claims:
            self.claim(seat, code, cards)
        if self.claims and self.counting:
            self.count(seat)
        if len(self.plays) == rules.players:
            self.complete()
        return None

    def no_card_now(self, event: Play) -> Refusal:
        """Refuse a card outside play, or when what it would be judged by was not recorded."""
        if self.phase is PLAY:
            phrase = "winner-first" if self.waits_for_winner() else "cards-unjudged"
            return impossible("wrong-phase", "REC-2", "REC-19", phrase=phrase)
        return self.not_now(event)

    def is_to_be_named(self) -> bool:
        """Return whether trump must still be named before any card is played."""
        return False

    def why_follow(self, seat: int, cards: Sequence[int], *, all_may: bool) -> Reason:
        """Return why these cards may be played to the trick; ``all_may``: the whole hand may."""
        if not all_may:
            return Reason("must-follow", self.follow_clauses())
        follows = any(self.follows[seat] >> card & 1 for card in cards)
        return Reason("all-follow" if follows else "void", self.follow_clauses())

    # -- bids and scores ------------------------------------------------------------------------

    @takes(Bid)
    def take_bid(self, event: Bid) -> Refusal | None:
        """Record a seat's bid; the first bid skips any set-up not recorded."""
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
        refusal = self.unfit_blind(event) if event.blind else None
        if refusal:
            return refusal
        refusal = self.consent(event, self.odd_bid(event))
        if refusal:
            return refusal
        self.skip_setup(by_bid=True)
        self.bids = (*self.bids[:seat], event.tricks, *self.bids[seat + 1 :])
        self.phase = BIDDING if None in self.bids else PLAY
        return None

    def unfit_blind(self, event: Bid) -> Refusal | None:
        """Refuse a blind bid, in games without blind bids."""
        return impossible("bad-bid", "REC-10", phrase="no-blind-bids")

    def odd_bid(self, event: Bid) -> list[Oddity]:
        turn, seat = self.next_bidder(), event.seat
        oddities = [] if turn is None else out_of_turn(seat, turn, *self.CITES.get("turn-to-bid", ()))
        if event.tricks == self.forbidden_bid(seat):
            facts = {"seat": seat, "number": event.tricks}
            reason = Reason("forbidden-bid", self.CITES["hook"], facts)
            oddities.append(Oddity("forbidden-bid", seat, reason))
        return oddities

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        """Score line for a seat's tricks; ``bid`` is 0 where nothing is bid."""
        return ScoreLine(seat, tricks, Reason("tricks", self.CITES["tricks"], {"seat": seat, "tricks": tricks}))

    def line_for(self, tricks: int, bid: int) -> ScoreLine:
        """Score line of the asker with this many tricks."""
        return self.score_line(ASKER, tricks, bid)

    def points(self) -> tuple[int, ...] | None:
        if self.rules.bidding and self.phase is not FINISHED:
            return None
        return by_seat(self.point_lines(), self.rules.players)

    def point_lines(self) -> list[ScoreLine]:
        pairs = enumerate(zip(self.tricks_counted(), self.bids, strict=True))
        shown = self.rules.bidding
        return [self.score_line(seat, tricks, bid or 0) for seat, (tricks, bid) in pairs if tricks or shown]

    # -- decisions of the table ------------------------------------------------------------------

    def take_note(self, event: Note) -> Refusal | None:
        refusal = super().take_note(event)
        if refusal is None:
            settle(self, event)
        return refusal

    def take_penalty(self, event: Penalty) -> Refusal | None:
        """Record points moved by the table; they may settle a finding (IR-4)."""
        refusal = self.no_such_seat(event.seat)
        if refusal is None:
            settle(self, event)
        return refusal or super().take_penalty(event)

    def laid_cards(self, event: int) -> bool:
        return any(play[2] == event for play in self.all_plays())

    def acted(self, events: Sequence[Event]) -> Iterator[Acted]:
        for number, plays in enumerate(self.laid(), 1):
            yield from (Acted(event, number, seat) for seat, _, event, _ in plays)

    def charges(self, act: str, events: Sequence[Event]) -> Sequence[Charge] | None:
        found = early_leads if act == self.LED_EARLY else CHARGES.get(act)
        return None if found is None else tuple(found(self))

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        """Return the events of a remedy; for a revoke, tricks can be given up (IR-4)."""
        return give_up(self, found, why) if remedy == "bridge" else super().carry_out(remedy, found, why)


# --- The game class: deals, and checks that its clauses are declared

ALWAYS = ("highest-trump", "highest-follower", "earlier-of-equals", "follow", "lead", "tricks", "deal")
"""Keys of ``CITES`` that every trick-taking game must define."""
BY_METHOD = {"lead_denial": "LED_EARLY", "guarded": "LED_EARLY", "names_suit": "name"}
"""Further required keys, by the method that a hand overrides: for a lead that denies other cards (under the game's own
code), or a suit named with a card."""


class TrickGame(Game):
    """A trick-taking game; by default the whole pack is dealt evenly and the deal passes to the left.

    Raises ``TypeError`` at import if the hand's ``CITES`` lacks a clause the referee may have to cite.
    """

    rules_class = TrickRules
    phases: ClassVar[tuple[Phase, ...]] = (BIDDING,)
    hand_class: ClassVar[type[TrickHand]]

    def __init_subclass__(cls, **more: object) -> None:
        super().__init_subclass__(**more)
        hand = getattr(cls, "hand_class", None)
        if hand is None:
            return
        hooked = [option.key for option in cls.options if option.key == "hook"]
        changed = [code for name, code in BY_METHOD.items() if getattr(hand, name) is not getattr(TrickHand, name)]
        needed = dict.fromkeys((*ALWAYS, *hooked, *(getattr(hand, code, code) for code in changed)))
        lacking = [code for code in needed if not hand.CITES.get(code)]
        if lacking:
            raise TypeError(f"{cls.__name__}: {hand.__name__}.CITES names no clause for {', '.join(lacking)}")

    def sides(self, options: Options, players: int) -> tuple[tuple[int, ...], ...]:
        """Return opposite seats as partners if a house rule of that name says so."""
        return opposite(players) if options.get("partners") else super().sides(options, players)

    def size(self, rules: Rules, before: TrickHand | None) -> int | None:
        """Cards dealt to each player; ``before`` is the previous hand, if any. ``None`` if the size cannot be known."""
        return len(rules.pack) // rules.players

    def trump(self, rules: Rules, before: TrickHand | None) -> str | None:
        """Trump fixed by the deal itself; ``before`` is the previous hand, if any."""
        return None

    def trump_ways(self, rules: Rules, before: TrickHand | None) -> tuple[str | None, ...]:
        """All trumps possible where unseen cards of the previous hand leave it open."""
        return ()

    def first(self, rules: Rules, dealer: int) -> Setup:
        return self._setup(rules, dealer, tuple(range(rules.players)), None)

    def following(self, hand: Hand, totals: tuple[int, ...], rules: Rules) -> Setup:
        assert isinstance(hand, TrickHand)
        setup = hand.setup
        return self._setup(rules, hand.rules.clockwise[setup.dealer], setup.seating, hand)

    def _setup(self, rules: Rules, dealer: int, seating: tuple[int, ...], before: TrickHand | None) -> Setup:
        size = self.size(rules, before)
        sizes = None if size is None else (size,) * rules.players
        index = 0 if before is None else before.setup.index + 1
        carry, carry_ways = self.trump(rules, before), self.trump_ways(rules, before)
        return Setup(index, dealer, seating, sizes, carry=carry, carry_ways=carry_ways)
