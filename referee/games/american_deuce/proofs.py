"""What plays prove: claims about hidden hands, and cards that lie elsewhere (REC-8, REC-17)."""

from referee.engine.claims import Claim, proved
from referee.engine.rulings import Certainty, Irregularity, Oddity, Refusal
from referee.games.american_deuce.combinations import Combination, Kind, name_play
from referee.games.american_deuce.exchange import DEUCE, KING, LOWEST, Hearing
from referee.games.american_deuce.findings import Shown, proof, withdrawn
from referee.games.american_deuce.riots import LedRiot, may_be_fours
from referee.games.american_deuce.state import RoundState


class RoundProofs(RoundState):
    """A round with what its plays claim and prove."""

    def misplaced(self, seat: int, cards: tuple[int, ...]) -> Refusal | None:
        """Refuse a card that an entered hand or the exchange places elsewhere (REC-8)."""
        if not self.strict and not self.evidence().traders():
            return None
        if self.evidence(played=self.after(seat, cards)).consistent():
            return None
        first = next(
            card for number, card in enumerate(cards, 1)
            if not self.evidence(played=self.after(seat, cards[:number])).consistent()
        )  # fmt: skip
        return self.not_in_hand(seat, first)

    def after(self, seat: int, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Return the cards played by each seat, these included."""
        mask = self.played[seat] | self.rules.pack.mask(cards)
        return self.played[:seat] + (mask,) + self.played[seat + 1 :]

    def riot_led(self, seat: int, cards: tuple[int, ...], combination: Combination | None) -> LedRiot | None:
        """Return what leading a riot asserts about the hand that remains (AD-Q12)."""
        if self.last is not None or combination is None or combination.kind is not Kind.RIOT:
            return None
        before = self.after(seat, cards)[seat]
        size = self.left[seat] - len(cards)
        return LedRiot(seat, self.events, len(self.taken) + 1, size, before)

    def claims_fours(self, oddities: list[Oddity]) -> bool:
        """Return whether a riot just led is a claim: lawful as far as it shows, under this rule."""
        seen = any(oddity.code == "riot-led" for oddity in oddities)
        return self.rules.options["riot_lead"] == "quads-only" and not seen

    def disprove(self, seat: int, cards: tuple[int, ...]) -> None:
        """Record every act that these cards, just shown, prove unlawful, and withdraw what they disprove (REC-17)."""
        evidence = self.evidence()
        if self.exchange is not None:
            hearing = Hearing(evidence, self.exchange, self.rules, self.suits)
            self.clear(hearing)
            for wrong in hearing.wrong(self.claims):
                self.convict(proof(wrong, Shown(self.events, seat, cards), hearing), hearing)
        broken = [riot for riot in self.riots if not may_be_fours(riot, evidence, self.rules.of_rank)]
        for riot in broken:
            claim = Claim(riot.seat, riot.event, riot.trick, 0, "riot-led", "AD-Q12")
            self.irregularities += (proved(claim, event=self.events, card=name_play(self.cards(cards))),)
        self.riots = tuple(riot for riot in self.riots if riot not in broken)

    def clear(self, hearing: Hearing) -> None:
        """Withdraw what was found of the exchange once nothing can have been owed by who was named."""
        owed = [found for found in self.irregularities if found.code in (DEUCE, LOWEST)]
        if owed and not hearing.may_be_denied():
            self.irregularities = tuple(found for found in self.irregularities if found not in owed)
            self.withdrawn += tuple(withdrawn(found, self.events, hearing) for found in owed)

    def convict(self, found: Irregularity, hearing: Hearing) -> None:
        """Record a finding of the exchange; one that names fewer suspects takes the place of one that stood.

        So does one that says who held the King, where until now it was only known who did not.
        """
        before = next((old for old in self.irregularities if old.code == found.code), None)
        if before is not None and before.suspects == found.suspects:
            return
        self.irregularities = (*(old for old in self.irregularities if old is not before), found)
        if before is not None and before.offender is not None:
            self.withdrawn += (withdrawn(before, self.events, hearing),)
        if found.certainty is not Certainty.JOINT and found.code != KING:
            self.claims = tuple(code for code in self.claims if code != found.code)
