"""Unseen cards: all ways to fill them in, and what stays open."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, islice
from math import prod

from referee.engine.event_kinds import UNSAID, Unsaid
from referee.engine.events import Play, Trick
from referee.engine.rulings import Reason, Refusal, impossible
from referee.engine.state import PLAY
from referee.engine.texts import OR, Listing
from referee.tricks.playing import Playing, matched
from referee.tricks.rules import UNSEEN, Played
from referee.tricks.state import Able, Course, Standing, Taken, Way

# --- All assignments of a trick's unseen cards: who wins, and what trump is then (REC-19)
# An unseen card may be any its player may have held: not played, not in another entered hand, not set aside. A way
# fixes trump before the trick, a course of trump, the lead and a winning card; matching decides whether losing cards
# are left for the other places. So the result is exact, however many cards are unseen.

MOST_TRIED = 20_000
"""Limit on matchings tried for one trick; what remains after it counts as possible."""


def ways(hand: "Unseen", plays: Sequence[Played], able: Able) -> Iterator[Way]:
    """Yield every distinct outcome of a trick with these plays; ``able`` holds the possible cards of each place."""
    trial, tried, aside = hand.copy(), count(), hand.kept_aside()
    found: set[Way] = set()
    for before in hand.standings():
        for trump, after, cards in hand.courses(before, plays, able):
            open_places = [place for place, play in enumerate(plays) if Way(play[0], before, trump, after) not in found]
            for laid in leads(trial, plays, cards):
                if not open_places:
                    break
                trial.trump = trump
                for place in tuple(open_places):
                    if can_win(trial, plays, laid, place, aside, tried):
                        open_places.remove(place)
                        way = Way(plays[place][0], before, trump, after)
                        found.add(way)
                        yield way


def leads(trial: "Unseen", plays: Sequence[Played], able: Able, place: int = 0) -> Iterator[Able]:
    """Yield ``able`` with each possible lead fixed; sets that lead on the trial hand."""
    if place == len(plays):
        return
    seat, _, _, suit = plays[place]
    for card in trial.rules.pack.members(able[place]):
        laid = (*able[:place], 1 << card, *able[place + 1 :])
        for named in (suit,) if suit else trial.suits_named(plays[: place + 1], card):
            trial.plays, trial.lead, trial.follows = tuple(plays[:place]), None, trial.rules.nobody
            trial.open_suit(seat, card, named)
            if trial.lead != card:
                yield from leads(trial, plays, laid, place + 1)
                break
            yield laid


def can_win(
    trial: "Unseen", plays: Sequence[Played], able: Able, place: int, aside: tuple[int, ...], tried: Iterator[int]
) -> bool:
    """Return whether this place can win, given the trial hand's lead and trump."""
    for card in reversed(trial.rules.pack.members(able[place])):
        losing = beaten_by(trial, plays, able, place, card)
        if losing is not None and (next(tried) > MOST_TRIED or matched((*losing, *aside))):
            return True
    return False


def beaten_by(trial: "Unseen", plays: Sequence[Played], able: Able, place: int, card: int) -> Able | None:
    """Per place, the cards that lose to this one; ``None`` if it cannot win."""
    rules, seat = trial.rules, plays[place][0]
    trumps, follows = trial.trumps(), trial.follows
    trumped = trumps[seat] >> card & 1
    if not trumped and not follows[seat] >> card & 1:
        return None
    lower, equal = around(rules.ranks, rules.ranks[card])
    losing = []
    for other, cards in enumerate(able):
        own, asked = trumps[plays[other][0]], follows[plays[other][0]]
        if other == place:
            lost = 1 << card
        elif trumped:
            lost = cards & (~own | lower | (equal if other > place else 0))
        else:
            lost = cards & ~own & (~asked | lower)
            for rival in rules.pack.members(cards & ~own & asked & equal):
                pair = [(at, each, at, None) for at, each in sorted(((place, card), (other, rival)))]
                if trial.tie_rule()(pair)[0][1] == card:
                    lost |= 1 << rival
        if not lost:
            return None
        losing.append(lost)
    return tuple(losing)


@lru_cache(maxsize=512)
def around(ranks: tuple[int, ...], rank: int) -> tuple[int, int]:
    """Masks of the cards below a rank, and of that rank."""
    lower = sum(1 << card for card, each in enumerate(ranks) if each < rank)
    return lower, sum(1 << card for card, each in enumerate(ranks) if each == rank)


# --- Playing unseen cards
# A trick with unseen cards has a winner if every assignment gives the same one. Otherwise a ``trick`` event, or the
# result of the hand, reports the winner. A report must hold in at least one assignment; what holds in all of them is
# known.

NOBODY = -1
"""Value of ``turn`` while the winner of a trick must be recorded."""
FEW_WAYS = 5000
"""Limit on card combinations up to which a trick without any card is enumerated."""


class Unseen(Playing):
    """Finishes tricks, and computes who can win those with unseen cards."""

    def waits_for_winner(self) -> bool:
        """Return whether a complete trick waits for its winner to be recorded."""
        return self.turn == NOBODY and self.phase is PLAY

    def complete(self) -> None:
        """Finish a complete trick if its winner is certain whatever the unseen cards are; else wait for the winner.

        If all its cards were seen, it is judged by the recorded trump, as long as that is possible.
        """
        whole = not self.unseen or all(play[1] != UNSEEN for play in self.plays)
        if whole and not self.ways:
            self.gather(self.resolved())
            return
        found = self.outcomes()
        winners = {way.winner for way in found}
        if whole and self.recorded().trump in {way.before.trump for way in found}:
            if len(winners) > 1:
                self.judge_in_doubt()
            trick = self.resolved()
        elif len(winners) == 1:
            clauses = (self.CITES["highest-trump"][0], self.CITES["highest-follower"][0], "REC-19")
            reason = Reason("wins-anyway", tuple(dict.fromkeys(clauses)), {"seat": found[0].winner})
            trick = Taken(self.leader, self.plays, found[0].winner, self.trump_told(found), reason)
        else:
            self.turn = NOBODY
            return
        fallen = self.fallen(found)
        self.gather(trick)
        self.narrow_hidden(fallen)
        self.conclude(found)

    def trump_told(self, found: Iterable[Way]) -> str | None:
        """The trump that decided the trick in all these ways; if they differ, the recorded one."""
        trumps = {way.trump for way in found}
        return trumps.pop() if len(trumps) == 1 else self.deciding_trump()

    def outcomes(self) -> tuple[Way, ...]:
        """Possible outcomes of the current or next trick; missing plays count as unseen."""
        if self.filled is not None:
            return self.filled
        plays, able = self.open_trick()
        in_play = self.phase is PLAY and not self.skipped
        if self.plays or (in_play and prod(cards.bit_count() for cards in able) <= FEW_WAYS):
            self.filled = tuple(ways(self, plays, able))
        else:  # with no card known, every player can win
            courses = [(before, course) for before in self.standings() for course in self.courses(before, plays, able)]
            trumps = dict.fromkeys((before, course.trump, course.after) for before, course in courses)
            self.filled = tuple(Way(seat, *trump) for trump in trumps for seat in range(self.rules.players))
        return self.filled

    def open_trick(self) -> tuple[tuple[Played, ...], Able]:
        """Plays of the current trick, completed with unseen ones, and the possible cards of each."""
        players, first = self.rules.players, max(self.turn, 0)
        seats = [seat % players for seat in range(first, first + players) if not self.there >> seat % players & 1]
        plays = (*self.plays, *((seat, UNSEEN, self.events, None) for seat in seats))
        return plays, tuple(self.can_be(plays, place) for place in range(len(plays)))

    def cards_at(self, place: int, found: Iterable[Way]) -> Iterator[int]:
        """Yield the cards possible at one place of the current trick in any of these ways."""
        plays, able = self.open_trick()
        wanted = set(found)
        for card in self.rules.pack.members(able[place]):
            if any(way in wanted for way in ways(self, plays, (*able[:place], 1 << card, *able[place + 1 :]))):
                yield card

    def fallen(self, found: Sequence[Way]) -> tuple[tuple[int, int], ...]:
        """Pairs (seat, possible cards) for the trick's unseen plays.

        With many combinations, a card is only narrowed down if it is certain.
        """
        plays, able = self.open_trick()
        most = None if prod(cards.bit_count() for cards in able) <= FEW_WAYS else 2
        fallen = []
        for place in [place for place, play in enumerate(plays) if self.plays and play[1] == UNSEEN]:
            could = self.rules.pack.mask(islice(self.cards_at(place, found), most))
            fallen.append((plays[place][0], able[place] if most and could.bit_count() == most else could))
        return tuple(fallen)

    def takes_hidden(self, event: Play, card: int) -> bool:
        """Return whether an unseen card must be this one, so that it cannot be played again."""
        seat = event.seat
        elsewhere = self.elsewhere and self.elsewhere[seat] >> card & 1
        if self.there >> seat & 1 or elsewhere or self.beyond_deal(seat, card) or self.wrong_suit(event, card):
            return False  # refused for that reason
        trial = self.copy()
        trial.put_down(seat, card, event.suit and self.rules.pack.suit(event.suit))
        _, able = trial.open_trick()
        hidden = (could & ~(1 << card) for _, could in trial.hidden)
        return not (trial.narrow_hidden() and matched((*able, *trial.kept_aside(), *hidden)))

    def recorded(self) -> Standing:
        """Recorded trump before the current or next trick."""
        return Standing(self.trump)

    def standings(self) -> tuple[Standing, ...]:
        """Possible trumps before the current or next trick."""
        suits = (None, *(suit.code for suit in self.rules.pack.suits))
        return tuple(Standing(suit) for suit in suits if self.trump_fits(suit))

    def courses(self, before: Standing, plays: Sequence[Played], able: Able) -> Iterator[Course]:
        """Yield the possible courses of trump in a trick; by default, no card changes it."""
        yield Course(before.trump, before, able)

    def trump_fits(self, trump: str | None) -> bool:
        """Return whether this can be trump after a trick."""
        return trump == self.trump

    def can_be(self, plays: Sequence[Played], place: int) -> int:
        """Possible cards of one play, as a mask."""
        seat, card, _, suit = plays[place]
        if card != UNSEEN:
            return 1 << card
        return self.may_hold(seat) & (self.rules.suited[suit][seat] if suit else self.rules.pack.everything)

    def suits_named(self, plays: Sequence[Played], card: int) -> tuple[str | None, ...]:
        """Suits that may have been named with the last of these plays, if none was recorded."""
        return (None,)

    def kept_aside(self) -> tuple[int, ...]:
        """Possible cards of each unseen card that is not in play."""
        return ()

    def possible_winners(self) -> frozenset[int]:
        """Seats that may be recorded as winner of the current or next trick."""
        return frozenset(way.winner for way in self.outcomes())

    def told_ways(self, winner: int, trump: str | Unsaid | None) -> tuple[Way, ...]:
        """Return the outcomes with this winner, and with this trump after the trick.

        If some cards were seen and trump is not reported, at least one outcome must leave trump as recorded.
        """
        won = (way for way in self.outcomes() if way.winner == winner)
        fitting = tuple(way for way in won if trump is UNSAID or way.after.trump == trump)
        known = trump is not UNSAID or not self.plays or any(map(self.leaves_trump, fitting))
        return fitting if known else ()

    def leaves_trump(self, way: Way) -> bool:
        """Return whether trump in this way follows from the cards seen."""
        return True

    def conclude(self, found: Iterable[Way]) -> None:
        """Hook: update trump after a trick from its possible outcomes."""

    def judge_in_doubt(self) -> None:
        """Hook: called when a trick is judged by an uncertain trump."""

    def cannot_win(self, event: Trick, trump: str | Unsaid | None) -> Refusal | None:
        """Refuse a winner, or a trump after the trick, that no assignment of the unseen cards allows."""
        if self.told_ways(event.winner, trump):
            return None
        facts: dict[str, object] = {"seat": event.winner}
        afters = {way.after.trump for way in self.outcomes() if way.winner == event.winner}
        if not afters:
            kind = "cannot-have-won" if self.plays else "cannot-win-next"
        elif isinstance(trump, Unsaid):
            kind = "trump-has-changed"
            facts["suits"] = Listing(tuple(map(self.suit_name, sorted(afters, key=str))), last=OR)
        else:
            kind, facts["suit"] = "cannot-win-with-trump", self.suit_name(trump)
        return impossible("bad-result", *self.trump_clauses(), "REC-11", "REC-19", phrase=kind, **facts)

    def trump_clauses(self) -> tuple[str, ...]:
        """Clauses on trump after a trick."""
        return ()
