"""The trump of a hand, trick by trick, and whether anybody can know it."""

from __future__ import annotations

from tests.games.decktet_tricks.oracle_cards import suits_of
from tests.games.decktet_tricks.oracle_facts import Facts
from tests.games.decktet_tricks.oracle_rules import ransom_winner


class Trump(Facts):
    """A hand of which trump can be told."""

    def ransom(self) -> int | None:
        """The seat that won the ransom, once all cards are in."""
        if self.game != "ransom-trump" or None in self.aside:
            return None
        return ransom_winner([card for card in self.aside if card is not None])

    def choices(self) -> str:
        """The suits that may be trump by the ransom."""
        winner = self.ransom()
        return "" if winner is None else suits_of(self.aside[winner] or "E")

    def trump_story(self) -> tuple[list[str | None], str | None]:
        """Per trick the trump that decides it (without cards: after it), and trump now."""
        if self.game == "wildcat-chicane":
            return [None] * len(self.tricks), None
        if self.game == "ransom-trump":
            return self._ransom_story()
        if self.names_before_deal():
            trump = self.named or self.told_trump()
            return [trump] * len(self.tricks), trump
        if self.options["trump"] == "fixed":
            fixed = self.options["fixed_trump"]
            return [fixed] * len(self.tricks), fixed
        return self._aces_story()

    def _ransom_story(self) -> tuple[list[str | None], str | None]:
        """One trump for the whole hand; cards played before anybody said it were judged without."""
        known = self.ransom_trump()
        story, said = [], "unknown" not in known or self.said_at is None
        for number, trick in enumerate(self.tricks):
            early = "told" not in trick and not said and number < (self.said_at or 0)
            story.append(None if early else known["trump"])
        return story, known["trump"]

    def names_before_deal(self) -> bool:
        """Whether the table names a fixed trump before each deal (AT-V6)."""
        return self.game == "ace-trump" and self.options["trump"] == "named"

    def told_trump(self) -> str | None:
        """The trump that a recorded trick told first."""
        return next((trick["given"] for trick in self.tricks if "given" in trick), None)

    def ransom_trump(self) -> dict:
        """The trump of a hand of Ransom Trump as far as anybody said or showed it."""
        told = [trick["given"] for trick in self.tricks if "given" in trick]
        if None not in self.aside and len(self.choices()) < 2:
            return {"trump": self.choices() or None}
        if self.named is not None:
            return {"trump": self.named}
        return {"trump": told[0], "unknown": True} if told else {"trump": None, "unknown": True, "never": True}

    @property
    def said_at(self) -> int | None:
        """The first trick that told the trump."""
        return next((number for number, trick in enumerate(self.tricks) if "given" in trick), None)

    def trump_settled(self) -> bool:
        """Whether the trump of a hand of Ransom Trump, or of one whose trump the table names, is known."""
        if self.names_before_deal():
            return self.trump_story()[1] is not None
        return "never" not in self.ransom_trump()

    def choice_open(self) -> bool:
        """Whether the winner of the ransom, or the table, has a choice that nobody told yet."""
        if self.names_before_deal():
            return not self.trump_settled()
        return len(self.choices()) > 1 and not self.trump_settled()

    def fallen_aces(self) -> set[str]:
        """The suits of the Aces that were seen, or that a recorded trick showed to have fallen."""
        return {card[1] for _, _, card in self.shown if card[0] == "A"} | self.told_aces()

    def told_aces(self) -> set[str]:
        """The suits that a recorded trick made trump where another one was, or none."""
        return {trick["given"] for trick in self.tricks if trick.get("new_ace")}

    def _aces_story(self) -> tuple[list[str | None], str | None]:
        trump, ace_seen, story = self.start_trump, False, []
        for trick in self.tricks:
            if "given" in trick:
                ace_seen = ace_seen or trick.get("new_ace", False)
                ace_seen = ace_seen or any(play["cards"][0][0] == "A" for play in trick["plays"])
                trump = trick["given"]
                story.append(trump)
                continue
            aces = [play["cards"][0][1] for play in trick["plays"] if play["cards"][0][0] == "A"]
            if self.options["trump"] == "sticky":
                aces = [] if ace_seen else aces[:1]
            ace_seen = ace_seen or bool(aces)
            first = self.options["two_aces"] == "first"
            deciding = (aces[0] if first else aces[-1]) if aces else trump
            story.append(deciding)
            running = trick["winner"] is None
            trump = deciding if running or not aces else aces[-1]
        return story, trump

    def ace_still_counts(self) -> bool:
        """Whether the next Ace of the hand would set trump."""
        if self.options["trump"] == "sticky":
            new = any(trick.get("new_ace") for trick in self.tricks)
            return not new and not any(card[0] == "A" for _, _, card in self.shown)
        return self.options["trump"] == "aces"

    def ace_may_fall(self, suit: str) -> bool:
        """Whether the Ace of this suit can have been in a trick nobody saw."""
        if suit in self.fallen_aces():
            return False
        return len(self.known) < self.players or any("A" + suit in cards for cards in self.known.values())

    def carried_unsure(self) -> bool:
        """Whether trump still is the one carried over, and nobody can know which that is."""
        untold = not any("given" in trick for trick in self.tricks)
        return self.unsure and untold and not any(card[0] == "A" for _, _, card in self.shown)

    def unsure_now(self) -> bool:
        """Whether trump at the end of the hand may be another one than the record has it."""
        if self.carried_unsure():
            return True
        if not any(self.ace_may_fall(suit) for suit in "MSWLYK"):
            return False
        steps = ["seen" if any(p["cards"][0][0] == "A" for p in trick["plays"]) else "" for trick in self.tricks]
        for number, trick in enumerate(self.tricks):
            if not trick["plays"]:
                steps[number] = ("new" if trick.get("new_ace") else "told") if "given" in trick else "blind"
        if self.result is not None and len(self.complete()) < self.trick_count:
            steps.append("blind")
        if self.options["trump"] == "sticky":
            return self._unsure_sticky(steps)
        since = [step for step in steps if step]
        return bool(since) and since[-1] == "blind"

    def _unsure_sticky(self, steps: list[str]) -> bool:
        """The first Ace settles trump: it is unsure when that may have been one nobody saw."""
        doubt = ""
        trump: str | None = self.start_trump
        for step, trick in zip(steps, [*self.tricks, {}], strict=False):
            if step == "new":
                return False
            if step == "seen":
                return bool(doubt)
            if step == "blind":
                doubt = "unseen"
            elif step == "told":
                trump = trick["given"]
                doubt = "own" if trump is not None and self.ace_may_fall(trump) else ""
        return doubt == "unseen"
