"""The tricks of a round: plays, passes, who is to act, and who takes the cards (AD-9 .. AD-13)."""

from collections import Counter

from referee.engine.events import Pass, Play
from referee.engine.phases import FINISHED, PLAY
from referee.engine.rulings import Oddity, Reason, Refusal, impossible
from referee.engine.state import takes
from referee.games.american_deuce.beating import CLAUSES, Lying, compare
from referee.games.american_deuce.combinations import RIOT_SIZE, Combination, Kind, list_cards, name_play, recognise
from referee.games.american_deuce.proofs import RoundProofs
from referee.games.american_deuce.riots import LedRiot, may_be_fours
from referee.games.american_deuce.state import Cycle, Laid
from referee.packs import Card

BY_NUMBER = {2: Kind.PAIR, 3: Kind.TRIPLE, 4: Kind.RIOT}
"""What so many cards would have to be; five or more would be a five-card combination."""


class RoundTricks(RoundProofs):
    """Takes the plays and passes of a round, and gives each trick to its winner."""

    # -- plays ----------------------------------------------------------------------------

    @takes(Play)
    def take_play(self, event: Play) -> Refusal | None:
        """Take a play: a lead, or an attempt to beat the last play (AD-9, AD-10)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        refusal = self.no_such_seat(event.seat)
        if refusal:
            return refusal
        if not event.cards:
            return impossible("wrong-count", "REC-4", phrase="wrong-count-none")
        found = self.find_cards(event.cards)
        if isinstance(found, Refusal):
            return found
        seat = event.seat
        if len(found) > self.left[seat]:
            return impossible("too-many-cards", "REC-7", seat=seat)
        refusal = self.misplaced(seat, found)
        if refusal:
            return refusal
        if event.suit is not None:
            return impossible("bad-suit", "REC-9", suit=event.suit)
        combination = recognise(self.cards(found))
        riot = self.riot_led(seat, found, combination)
        oddities = self.play_oddities(seat, found, combination, riot)
        refusal = self.consent(event, oddities)
        if refusal:
            return refusal
        self.put_down(Laid(seat, found, self.events), combination)
        self.disprove(seat, found)
        if riot and self.claims_fours(oddities):
            self.riots += (riot,)
        if not self.left[seat]:
            self.go_out(seat)
        elif len(self.passed) == self.rules.players - 1:  # all others had passed the lead on
            self.gather(seat, "all-passed", "AD-12")
        return None

    def find_cards(self, codes: tuple[str, ...]) -> tuple[int, ...] | Refusal:
        """Return the cards that these codes name, or refuse one that cannot be played."""
        pack = self.rules.pack
        found: list[int] = []
        for code in codes:
            card = pack.find(code)
            if card is None:
                return self.not_in_deck(code)
            found.append(card)
        gone = 0
        for played in self.played:
            gone |= played
        for card in found:
            if gone >> card & 1:
                return impossible("already-played", "REC-6", card=pack.cards[card])
            gone |= 1 << card
        return tuple(found)

    def not_in_deck(self, code: str) -> Refusal:
        """Refuse a card that this pack does not hold, naming those it does."""
        return impossible("not-in-deck", "REC-5", why=self.rules.pack.explain(code))

    def put_down(self, laid: Laid, combination: Combination | None) -> None:
        """Put a play on the table: it is now to be beaten, and the turn passes on."""
        seat, number = laid.seat, len(laid.cards)
        if self.last is None:
            self.leader = seat
            locks = self.rules.options["count_lock"] == "round" and not self.lock and not self.unlocked
            if locks and combination and combination.kind is not Kind.RIOT:
                self.lock = number
        self.played = self.after(seat, laid.cards)
        self.left = self.left[:seat] + (self.left[seat] - number,) + self.left[seat + 1 :]
        self.passed = tuple(other for other in self.passed if other != seat)
        self.five = self.five or (combination is not None and combination.kind is Kind.FIVE)
        self.plays += (laid,)
        self.last = laid
        self.turn = self.next_in(seat)

    def next_in(self, seat: int) -> int:
        """Return the first seat to the left of this one that may still beat the last play."""
        out = (*self.passed, self.last.seat if self.last else None)
        turn = self.clockwise[seat]
        while turn in out and turn != seat:
            turn = self.clockwise[turn]
        return turn

    @takes(Pass)
    def take_pass(self, event: Pass) -> Refusal | None:
        """Take a pass: that seat is out until the next trick (AD-11)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        if self.last is None and not self.lock:
            return impossible("wrong-phase", "AD-Q2", "REC-2", phrase="pass-leader")
        refusal = self.no_such_seat(event.seat)
        if refusal:
            return refusal
        seat = event.seat
        if self.last is None and not self.may_pass_lead(seat):
            return impossible("wrong-phase", "AD-Q1", "AD-Q2", "REC-2", phrase="pass-few", seat=seat, number=self.lock)
        if self.last is not None and seat == self.last.seat:
            return impossible("wrong-phase", "AD-11", "REC-2", phrase="pass-last", seat=seat)
        refusal = self.consent(event, self.turn_oddities(seat))
        if refusal or seat in self.passed:
            return refusal
        self.passed += (seat,)
        self.plays += (Laid(seat, (), self.events),)
        if self.last is not None and len(self.passed) == self.rules.players - 1:
            self.gather(self.last.seat, "all-passed", "AD-12")
        elif len(self.passed) == self.rules.players:
            self.unlock()
        elif seat == self.turn:
            self.turn = self.next_in(seat)
        return None

    def unlock(self) -> None:
        """Let the first leader lead anything, once nobody has so many cards that go together (AD-Q1)."""
        self.lock, self.unlocked = 0, True
        self.passed = ()
        self.turn = self.leader

    # -- tricks ---------------------------------------------------------------------------

    def gather(self, winner: int, code: str, clause: str) -> None:
        """Clear the table: the last player takes the trick, and everybody is in again."""
        cards = self.last.cards if self.last else ()
        facts = {"seat": winner, "play": name_play(self.cards(cards))}
        reason = Reason(code, (clause,), facts)
        self.taken += (Cycle(self.leader, self.plays, winner, reason),)
        self.leader = self.turn = winner
        self.plays = ()
        self.passed = ()
        self.last = None
        self.five = False

    def go_out(self, seat: int) -> None:
        """End the round: this seat has no cards left and takes the open trick (AD-13, AD-Q13)."""
        self.gather(seat, "went-out", "AD-13")
        self.winner = seat
        self.phase = FINISHED

    # -- what is irregular ----------------------------------------------------------------

    def turn_oddities(self, seat: int) -> list[Oddity]:
        """Collect what is wrong with who acts: out of the trick, or out of turn."""
        found = []
        if seat in self.passed:
            found.append(Oddity("passed", seat, Reason("passed", ("AD-11",), {"seat": seat})))
        if seat != self.turn:
            facts = {"seat": seat, "turn": self.turn}
            found.append(Oddity("out-of-turn", seat, Reason("out-of-turn", ("REC-12",), facts)))
        return found

    def play_oddities(
        self,
        seat: int,
        cards: tuple[int, ...],
        combination: Combination | None,
        riot: LedRiot | None,
    ) -> list[Oddity]:
        """Collect all that is irregular about a play, in the order in which it is answered."""
        found = self.turn_oddities(seat)
        shown = self.cards(cards)
        if combination is None:
            reason = no_combination(seat, shown)
            found.append(Oddity("no-combination", seat, reason))
        if riot:
            rule = self.rules.options["riot_lead"]
            evidence = self.evidence(played=self.after(seat, cards))
            fits = rule == "quads-only" and may_be_fours(riot, evidence, self.rules.of_rank)
            if rule != "always" and not fits:
                phrase = "riot-led-never" if rule == "never" else ""
                reason = Reason("riot-led", ("AD-24", "AD-Q12"), {"seat": seat}, phrase)
                found.append(Oddity("riot-led", seat, reason))
        too_weak = self.too_weak(seat, shown, combination)
        if too_weak:
            found.append(Oddity("does-not-beat", seat, too_weak))
        return found

    def too_weak(self, seat: int, cards: tuple[Card, ...], combination: Combination | None) -> Reason | None:
        """Return why a play does not beat what lies, or does not lead what the round asks."""
        if self.last is None:
            riot = combination is not None and combination.kind is Kind.RIOT
            if not self.lock or riot or self.left[seat] < self.lock or len(cards) == self.lock:
                return None
            never = self.rules.options["riot_lead"] == "never"
            phrase = "other-number-led" if never else "other-number-led-riot"
            return Reason("does-not-beat", ("AD-Q1",), {"number": self.lock}, phrase)
        lying = recognise(self.cards(self.last.cards))
        if combination is None:
            on = name_play(self.cards(self.last.cards))
            facts_of = {"play": list_cards(cards), "on": on}
            return Reason("does-not-beat", ("AD-10", "IR-15"), facts_of, "no-combination-beats")
        comparison = compare(
            combination,
            Lying(len(self.last.cards), lying),
            suits=self.suits,
            options=self.rules.options,
            under_five=self.five,
        )
        return None if comparison.beats else comparison.reason


def no_combination(seat: int, cards: tuple[Card, ...]) -> Reason:
    """Return why these cards are no combination (AD-17 .. AD-24)."""
    kind = BY_NUMBER.get(len(cards))
    riot = max(Counter(card.rank for card in cards).values()) >= RIOT_SIZE and not kind
    clauses = (CLAUSES[kind] if kind else "AD-19", *(("AD-24",) if riot else ()), "IR-15")
    facts = {"seat": seat, "play": list_cards(cards)}
    return Reason("no-combination", clauses, facts, "no-combination-riot" if riot else "")
