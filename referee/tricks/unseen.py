"""Cards that were played and that nobody saw: what they leave open, and how it is told.

A trick with such a card has a winner as soon as every card it can have been gives the same one. Otherwise the
winner is told, by an event ``trick``, or the rest of the hand by its result.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from referee.engine.event_kinds import UNSAID, Unsaid
from referee.engine.events import Play, Trick
from referee.engine.phases import PLAY
from referee.engine.rulings import Oddity, Reason, Refusal, impossible
from referee.tricks.resolve import UNSEEN, Played, resolve
from referee.tricks.state import Taken, TrickState

TRIED_TOGETHER = 2
"""So many unseen cards of a trick are tried in every combination; of more of them, every choice of so many."""
NOBODY = -1
"""Whose turn it is while the winner of a trick has to be told."""


class Unseen(TrickState):
    """Takes cards that nobody saw, and tells which players can win a trick with them."""

    def take_unseen(self, event: Play) -> Refusal | None:
        """Take a card that nobody saw: it denies nothing, and what it decides is open until it is told."""
        oddities: list[Oddity] = []
        refusal = self.look_closer(event, UNSEEN, 0, oddities) or self.consent(event, oddities)
        if refusal:
            return refusal
        self.put_down(event.seat, UNSEEN, event.suit and self.rules.pack.suit(event.suit))
        if len(self.plays) == self.rules.players:
            self.complete()
        return None

    def lead_unseen(self, suit: str | None) -> None:
        """Settle what follows an unseen lead: the suit named with it, else nobody can say."""
        self.lead = UNSEEN
        self.follows = self.rules.suited[suit] if suit else self.rules.nobody

    def lose_unseen(self, count: int = 1) -> None:
        """Note that so many cards left the hands unseen; one of them may have changed trump."""
        self.unseen += count
        self.miss_trump()

    def waits_for_winner(self) -> bool:
        """Return whether a full trick lies there whose winner has to be told."""
        return self.turn == NOBODY and self.phase is PLAY

    def settle_unseen(self) -> None:
        """Give a full trick to its winner where no unseen card can change who that is; else wait."""
        winners = self.possible_winners()
        if len(winners) != 1:
            self.turn = NOBODY
            return
        (winner,) = winners
        clauses = (self.CITES["highest-trump"][0], self.CITES["highest-follower"][0], "REC-19")
        reason = Reason("wins-anyway", tuple(dict.fromkeys(clauses)), {"seat": winner})
        self.gather(Taken(self.leader, self.plays, winner, self.deciding_trump(), reason))

    # -- who can win ------------------------------------------------------------------------

    def possible_winners(self, trump: str | Unsaid | None = UNSAID) -> frozenset[int]:
        """Return who can win the trick on the table, whichever cards the unseen ones are.

        With ``trump`` only those count with whom this is trump after the trick. Players who have not played
        have played unseen. Exact for up to two unseen cards; with more, somebody may be named too many.
        """
        plays = (*self.plays, *((seat, UNSEEN, self.events, None) for seat in self.still_to_play()))
        open_places = [place for place, play in enumerate(plays) if play[1] == UNSEEN]
        if len(open_places) > TRIED_TOGETHER and self.lead in (None, UNSEEN):
            return frozenset(range(self.rules.players))
        tried = min(len(open_places), TRIED_TOGETHER)
        found: set[int] = set()
        trial = self.copy()
        for places in combinations(open_places, tried):
            for cards in self.choices_for([plays[place] for place in places]):
                trick = list(plays)
                for place, card in zip(places, cards, strict=True):
                    trick[place] = (plays[place][0], card, plays[place][2], plays[place][3])
                if trump is UNSAID or len(open_places) > TRIED_TOGETHER or self.trump_after(trick) == trump:
                    found |= trial.winner_of(trick)
                if len(found) == self.rules.players:
                    return frozenset(found)
        return frozenset(found)

    def winners_to_choose(self) -> Iterable[int]:
        """Return whom the record may name as winner of the trick that runs, or the next one."""
        return self.possible_winners() if self.plays else range(self.rules.players)

    def still_to_play(self) -> tuple[int, ...]:
        """Return the seats that have not played to the trick, clockwise from the one in turn."""
        seats = []
        turn = self.turn if self.turn != NOBODY else 0
        for _ in range(self.rules.players):
            if not self.there >> turn & 1:
                seats.append(turn)
            turn = self.rules.clockwise[turn]
        return tuple(seats)

    def choices_for(self, plays: Sequence[Played]) -> Iterator[tuple[int, ...]]:
        """Yield every choice of cards that these unseen plays can have been, no card twice."""
        members = self.rules.pack.members
        able = [self.may_hold(seat) & self.of_suit(suit, seat) for seat, _, _, suit in plays]
        for cards in product(*map(members, able)):
            if len(set(cards)) == len(cards):
                yield cards

    def of_suit(self, suit: str | None, seat: int) -> int:
        """Return the cards of the suit that was named with an unseen card; every card where none was."""
        return self.rules.pack.everything if suit is None else self.rules.suited[suit][seat]

    def may_hold(self, seat: int) -> int:
        """Return the cards that a seat can have played unseen."""
        held = self.held(seat)
        if held is not None:
            return held
        elsewhere = self.elsewhere[seat] if self.elsewhere else 0
        return self.rules.pack.everything & ~self.gone & ~elsewhere

    def winner_of(self, plays: Sequence[Played]) -> frozenset[int]:
        """Lay these cards on the table instead of its own, and return who wins with them."""
        self.trump, self.plays, self.lead, self.follows = self.trump_of(plays), (), None, self.rules.nobody
        for play in plays:
            if play[1] != UNSEEN and self.lead is None:
                self.open_suit(play[0], play[1], play[3])
            self.plays += (play,)
        follows, trumps = self.follows, self.trumps()
        able = [p for p in plays if (follows[p[0]] | trumps[p[0]]) >> p[1] & 1]
        if not able:
            return frozenset(seat for seat, card, *_ in plays if card == UNSEEN)
        return frozenset((resolve(able, follows, trumps, self.rules.ranks, self.tie_rule())[0][0],))

    def trump_of(self, plays: Sequence[Played]) -> str | None:
        """Return the trump that decides the trick with these cards."""
        return self.trump

    def trump_after(self, plays: Sequence[Played]) -> str | None:
        """Return what is trump after the trick with these cards."""
        return self.trump

    # -- telling the winner -----------------------------------------------------------------

    def cannot_win(self, event: Trick, trump: str | Unsaid | None) -> Refusal | None:
        """Refuse a winner who cannot have won by the cards of the trick that were seen."""
        if event.winner in self.possible_winners(trump):
            return None
        return impossible("bad-result", "REC-11", "REC-19", phrase="cannot-have-won", seat=event.winner)

    def cannot_add_up(self, tricks: Sequence[int]) -> Refusal | None:
        """Refuse a result that gives the trick on the table to nobody who can have won it."""
        if any(tricks[seat] > self.won[seat] for seat in self.possible_winners()):
            return None
        return impossible("bad-result", "REC-11", "REC-19", phrase="bad-result-open-trick")
