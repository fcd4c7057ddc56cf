"""Bids: the number of tricks a seat undertakes to win."""

from referee.engine.events import Bid
from referee.engine.phases import BIDDING, FINISHED, PLAY, VOID
from referee.engine.rulings import Oddity, Reason, Refusal, impossible
from referee.engine.state import takes
from referee.tricks.state import TrickState


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
