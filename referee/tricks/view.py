"""Description of a trick-taking hand, and the events that can come next."""

from referee.engine.cards import Suit
from referee.engine.events import Ask, Field, Turn
from referee.engine.rulings import Reason
from referee.engine.sheet import HandParts, TrickEntry, TrickParts
from referee.engine.state import BIDDING, PLAY
from referee.engine.texts import AND, OR, Listing, noun, phrase
from referee.tricks.bridge import given_tricks
from referee.tricks.depths import Depths
from referee.tricks.rules import CODE, UNSEEN, Played, resolve

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
