"""What a trick-taking game declares beyond every game: how it is dealt, and that its clauses are there."""

from typing import ClassVar

from referee.engine.game import Game
from referee.engine.phases import BIDDING, Phase
from referee.engine.rules import Dealt, Rules, Setup
from referee.tricks.hand import TrickHand
from referee.tricks.rules import TrickRules

ALWAYS = ("highest-trump", "highest-follower", "earlier-of-equals", "follow", "lead", "tricks", "deal")
"""What the hand of every trick-taking game names clauses for, in ``CITES``."""
BY_OPTION = {"hook": "hook"}
"""What it names clauses for as well where the game has a house rule of this name."""


BY_METHOD = {"lead_denial": "trump-led", "names_suit": "name"}
"""And where its hand has a method of its own: a lead that denies other cards, a suit named with a card."""


class TrickGame(Game):
    """A trick-taking game; as it stands the whole pack is dealt out evenly and the deal passes to the left.

    A class whose hand names no clause for something that the referee may have to explain is refused
    with ``TypeError`` when its module is imported, not when the reason is needed.
    """

    rules_class = TrickRules
    phases: ClassVar[tuple[Phase, ...]] = (BIDDING,)
    hand_class: ClassVar[type[TrickHand]]

    def __init_subclass__(cls, **more: object) -> None:
        super().__init_subclass__(**more)
        hand = getattr(cls, "hand_class", None)
        if hand is None:
            return
        options = {option.key for option in cls.options}
        needed: tuple[str, ...] = (*ALWAYS, *(code for key, code in BY_OPTION.items() if key in options))
        changed = [name for name in BY_METHOD if getattr(hand, name) is not getattr(TrickHand, name)]
        needed += tuple(BY_METHOD[name] for name in changed)
        lacking = [code for code in needed if not hand.CITES.get(code)]
        if lacking:
            raise TypeError(f"{cls.__name__}: {hand.__name__}.CITES names no clause for {', '.join(lacking)}")

    def size(self, rules: Rules, before: TrickHand | None) -> int | None:
        """Return the cards each player is dealt after the hand ``before`` (``None``: in the first hand).

        ``None`` where the record does not tell.
        """
        return len(rules.pack) // rules.players

    def trump(self, rules: Rules, before: TrickHand | None) -> str | None:
        """Return the trump that the deal itself settles, after the hand ``before`` (``None``: in the first hand)."""
        return None

    def trump_ways(self, rules: Rules, before: TrickHand | None) -> tuple[str | None, ...]:
        """Return all that this trump may be, where cards of the hand before went unseen and leave it open."""
        return ()

    def first(self, rules: Rules, dealer: int) -> Setup:
        """Deal the first hand, to seats that sit in their order."""
        return self._setup(rules, dealer, tuple(range(rules.players)), None)

    def following(self, hand: Dealt, totals: tuple[int, ...], rules: Rules) -> Setup:
        """Pass the deal to the left; nobody changes places."""
        assert isinstance(hand, TrickHand)
        setup = hand.setup
        return self._setup(rules, hand.rules.clockwise[setup.dealer], setup.seating, hand)

    def _setup(self, rules: Rules, dealer: int, seating: tuple[int, ...], before: TrickHand | None) -> Setup:
        size = self.size(rules, before)
        sizes = None if size is None else (size,) * rules.players
        index = 0 if before is None else before.setup.index + 1
        carry, carry_ways = self.trump(rules, before), self.trump_ways(rules, before)
        return Setup(index, dealer, seating, sizes, carry=carry, carry_ways=carry_ways)
