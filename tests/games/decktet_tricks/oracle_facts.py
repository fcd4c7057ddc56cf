"""What happened in one hand, and what anybody can count of it: cards gone, tricks won.

A hand is a mutable object that events change; whatever follows from its facts is computed afresh each time.
"""

from __future__ import annotations

from tests.games.decktet_tricks.oracle_cards import deck_of
from tests.games.decktet_tricks.oracle_options import scores_bids
from tests.games.decktet_tricks.oracle_proof import Claim
from tests.games.decktet_tricks.oracle_rules import chicane_winner, trick_winner


class Facts:
    """The facts of one hand.

    In Ace Trump ``stands`` are all that trump can be before the trick on the table: the suit, whether an Ace of this
    hand settled it, whether nobody saw that Ace. ``recorded`` is suit and settled as the record has them, ``lost`` the
    cards that fell unseen for certain, ``hidden`` who played each unseen card of a trick that is over, and what it can
    be. In Ransom Trump ``narrowed`` are the trumps that tricks leave possible.
    """

    def __init__(
        self,
        *,
        game: str,
        options: dict,
        players: int,
        index: int,
        dealer: int,
        size: int,
        trump: str | None,
        unsure: set[str | None],
        known: dict[int, list[str]],
    ) -> None:
        self.game, self.options, self.players = game, options, players
        self.index, self.dealer, self.size = index, dealer, size
        self.start_trump, self.known = trump, known
        self.unsure = unsure
        self.recorded = (trump, False)
        self.stands = {(suit, False, False) for suit in unsure or {trump}}
        self.lost: set[str] = set()
        self.hidden: list[tuple[int, set[str]]] = []
        self.narrowed: set[str | None] = set()
        self.tried: tuple = (None, set())
        self.deck = deck_of(game, options)
        self.position = 0
        self.ended = self.void = self.skipped = self.skipped_by_trick = False
        self.named: str | None = None
        self.aside: list[str | None] = [None] * players
        self.bids: list[int | None] = [None] * players
        self.tricks: list[dict] = []
        self.result: list[int] | None = None
        self.last: str | None = None
        self.transfers: list[tuple[int, int, int]] = []
        self.penalties = [0] * players
        self.shown: list[tuple[int, int, str]] = []
        self.claims: list[Claim] = []
        self.irregularities: list[dict] = []

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.players)

    @property
    def bidding(self) -> bool:
        """Whether bids are scored."""
        return scores_bids(self.game, self.options)

    @property
    def sets_aside(self) -> bool:
        """Whether each player gives up a card before the play (ransom, ruling card)."""
        return self.game != "ace-trump"

    @property
    def trick_count(self) -> int:
        """Tricks of the hand."""
        return self.size - (1 if self.sets_aside else 0)

    def clockwise(self, first: int) -> list[int]:
        """All seats, starting here."""
        return [(first + step) % self.players for step in self.seats]

    def open_trick(self) -> dict | None:
        """The trick that is being played, if any card of it lies."""
        return self.tricks[-1] if self.tricks and self.tricks[-1]["winner"] is None else None

    def complete(self) -> list[dict]:
        """The tricks with a winner, those without cards included."""
        return [trick for trick in self.tricks if trick["winner"] is not None]

    def unseen_cards(self, seat: int) -> int:
        """How many cards left this hand without being seen."""
        missing = sum(
            trick["winner"] is not None
            and seat not in [play["seat"] for play in trick["plays"] if play["cards"] != ["?"]]
            for trick in self.tricks
        )
        trick = self.open_trick()
        lying = trick is not None and {"seat": seat, "cards": ["?"]} in [
            {"seat": play["seat"], "cards": play["cards"]} for play in trick["plays"]
        ]
        return missing + lying + (1 if self.skipped and self.sets_aside and self.aside[seat] is None else 0)

    def anything_unseen(self) -> bool:
        """Whether any card left a hand without being seen."""
        return self.skipped or any(self.unseen_cards(seat) for seat in self.seats)

    def cards_left(self, seat: int) -> int:
        """The cards in this hand now."""
        if self.result is not None:
            return 0
        gone = sum(1 for _, owner, _ in self.shown if owner == seat)
        return self.size - gone - self.unseen_cards(seat)

    def won_before_transfers(self) -> list[int]:
        """Tricks per seat as they were won."""
        if self.result is not None:
            return list(self.result)
        winners = [trick["winner"] for trick in self.complete()]
        return [winners.count(seat) for seat in self.seats]

    def tricks_won(self) -> list[int]:
        """Tricks per seat with transfers."""
        won = self.won_before_transfers()
        for giver, taker, number in self.transfers:
            won[giver] -= number
            won[taker] += number
        return won

    def finished(self) -> bool:
        """Whether all tricks are in."""
        return self.result is not None or len(self.complete()) == self.trick_count

    def resolve(self, plays: list[dict], trump: str | None) -> int:
        """The seat that wins this complete trick."""
        if self.game == "wildcat-chicane":
            own = [{**play, "ruling": self.aside[play["seat"]]} for play in plays]
            return plays[chicane_winner(own)]["seat"]
        return plays[trick_winner(self.options, plays, trump)]["seat"]

    def ruling(self, seat: int) -> str:
        """The ruling card of a seat; cards are played only once all of them are in."""
        card = self.aside[seat]
        assert card is not None
        return card
