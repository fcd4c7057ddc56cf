"""What plays prove: claims about hidden hands, and cards that lie elsewhere (REC-8, REC-17)."""

from referee.engine.claims import Claim, proved
from referee.engine.rulings import Oddity, Refusal
from referee.games.american_deuce.combinations import Combination, Kind, name_play
from referee.games.american_deuce.exchange import find_wrong
from referee.games.american_deuce.findings import Shown, proof
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
        """Record every act that the play just made, whoever made it, shows to have been unlawful (REC-17)."""
        evidence = self.evidence()
        if self.claims and self.exchange is not None:
            shown = Shown(self.events, seat, cards)
            wrong = tuple(find_wrong(evidence, self.rules, self.suits, among=self.claims))
            found = (proof(act, shown, self.exchange, self.rules, self.suits) for act in wrong)
            self.irregularities += tuple(found)
            proved_now = {act.code for act in wrong}
            self.claims = tuple(code for code in self.claims if code not in proved_now)
        broken = [riot for riot in self.riots if not may_be_fours(riot, evidence, self.rules.of_rank)]
        for riot in broken:
            claim = Claim(riot.seat, riot.event, riot.trick, 0, "riot-led", "AD-Q12")
            self.irregularities += (proved(claim, event=self.events, card=name_play(self.cards(cards))),)
        self.riots = tuple(riot for riot in self.riots if riot not in broken)
