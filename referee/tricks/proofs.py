"""What a trick-taking hand asserts and what contradicts it."""

from referee.engine.claims import Claim, Places, contradictory, joint_finding, minimal, proved, spare_room
from referee.engine.phases import FINISHED
from referee.engine.rulings import Certainty, Irregularity
from referee.packs import Card
from referee.tricks.state import TrickState


class Proofs(TrickState):
    """Claims about the hidden hands, direct proofs by a card, joint proofs by counting."""

    def claim(self, seat: int, cards: int) -> None:
        """Note what the play just made asserts about the hand that remains (REC-17)."""
        code, clause = self.claim_kind()
        trick = len(self.taken) + 1
        self.claims += (Claim(seat, self.events, trick, cards, code, clause),)
        denied = self.denied
        self.denied = (*denied[:seat], denied[seat] | cards, *denied[seat + 1 :])
        self.spare = 0

    def claim_kind(self) -> tuple[str, str]:
        """Return the infraction, and its clause, that a contradicted claim would prove."""
        return "revoke", self.CITES["follow"][0]

    def disprove(self, seat: int, bit: int) -> None:
        """Record each claim that this card contradicts, and open the joint question anew."""
        false = [c for c in self.claims if c.seat == seat and c.cards & bit]
        card = self.rules.pack.cards[bit.bit_length() - 1]
        findings = tuple(self.proved(claim, card) for claim in false)
        acts = {claim.event for claim in false}
        kept = tuple(
            i for i in self.irregularities
            if not (i.certainty is Certainty.JOINT and acts.intersection(i.claims))
        )  # fmt: skip
        self.irregularities = kept + findings
        self.claims = tuple(c for c in self.claims if c not in false)
        left = 0
        for claim in self.claims:
            if claim.seat == seat:
                left |= claim.cards
        self.denied = (*self.denied[:seat], left, *self.denied[seat + 1 :])
        self.spare = 0

    def proved(self, claim: Claim, card: Card) -> Irregularity:
        """Return the finding that a claim is contradicted by a card now shown."""
        return proved(claim, event=self.events, card=card, first=self.act(claim.event))

    def more_clauses(self, claim: Claim) -> tuple[str, ...]:
        """Return the clauses on which a claim rests beside its own, such as that of a suit named with the lead."""
        return ()

    def act(self, event: int) -> Card | str:
        """Return the card that was played with one of this hand's events."""
        for plays in (*(trick.plays for trick in self.taken), self.plays):
            for play in plays:
                if play[2] == event:
                    return self.rules.pack.cards[play[1]]
        return ""

    def count(self, seat: int) -> None:
        """Look for claims that cannot all be true, by counting the unseen cards (REC-18).

        Nothing is counted after cards left hands unseen, while a finding is open, nor while there is room to spare.
        """
        if self.spare:
            self.spare -= 1
            return
        if self.blind or self.unseen or any(i.certainty is Certainty.JOINT for i in self.irregularities):
            return
        places = self.places()
        denied = {seat: cards for seat, cards in enumerate(self.denied) if cards}
        spare = min([spare_room(denied, place) for place in places])
        if spare >= 0:
            self.spare = spare
            return
        core = minimal(self.claims, places)
        since, places = self.contradictory_since(core)
        more = [clause for claim in core for clause in self.more_clauses(claim)]
        self.irregularities += (joint_finding(core, places, pack=self.rules.pack, event=since, more=more),)

    def count_later(self) -> None:
        """Leave out proofs by counting for now."""
        self.counting = False

    def needs_counting(self) -> bool:
        """Return whether counting could say something about this hand.

        Played to its last card, with no claim contradicted, the hand shows a way to place the
        cards: nothing could be found.
        """
        complete = self.phase is FINISHED and not (self.blind or self.unseen)
        proofs = any(i.certainty is Certainty.PROVED for i in self.irregularities)
        return (bool(self.claims) and not complete) or proofs

    def places(self) -> tuple[Places, ...]:
        """Return where the unseen cards can be, after the play just made."""
        return self.split(self.gone, list(self.places_left()))

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Return the places when the cards ``gone`` are seen and ``left`` are in each hand."""
        unseen = self.rules.pack.everything & ~gone
        for seat, known in enumerate(self.setup.known):
            if known is not None:
                unseen &= ~known
                left[seat] = 0
        return (Places(unseen, tuple(left)),)

    def contradictory_since(self, core: tuple[Claim, ...]) -> tuple[int, tuple[Places, ...]]:
        """Return the first event after which these claims contradict one another, and the places after it."""
        plays = [play for trick in self.taken for play in trick.plays] + list(self.plays)
        latest = max(claim.event for claim in core)
        gone = self.gone
        left = list(self.places_left())
        for seat, card, _, _ in plays:
            gone &= ~(1 << card)
            left[seat] += 1
        for seat, card, event, _ in plays:
            gone |= 1 << card
            left[seat] -= 1
            places = self.split(gone, left.copy()) if event >= latest else ()
            if contradictory(core, places):
                return event, places
        return self.events, self.places()
