"""Trump in Ace Trump: how Aces set it, what a recorded trick can say of it, and when nobody can know it."""

from collections.abc import Sequence

from referee.engine.asks import Ask, Field
from referee.engine.events import Play
from referee.engine.phases import FINISHED, VOID, Phase
from referee.engine.rulings import Reason, Refusal, impossible
from referee.engine.state import kept, takes
from referee.games.decktet_tricks.events import NameTrump
from referee.games.decktet_tricks.naming import TRUMP, NamedTrump
from referee.tricks.resolve import UNSEEN, Played
from referee.tricks.state import Taken

FOUND_BY = {"aces": "AT-8", "sticky": "AT-V1", "fixed": "AT-V6", "named": "AT-V6"}
"""The clause by which trump is found."""
CARRIED = 1
"""Doubt about what was carried over: cards of the hand before went unseen (AT-Q3)."""
FELL_UNSEEN = 2
"""Doubt about an Ace that may have fallen in a trick whose cards nobody recorded (AT-8)."""
UNSETTLED = 4
"""Under Sticky Aces: the carried suit still is trump, and perhaps its own Ace has settled it (AT-V1)."""
TELLING = CARRIED | FELL_UNSEEN


class AceTrumps(NamedTrump):
    """What sets trump in a hand of Ace Trump.

    ``ruled`` says that an Ace of this hand has set trump; ``coming_trump`` is the suit of a later
    Ace that rules from the next trick on (``two_aces=first``). ``doubt`` says why trump may be
    another one now than the record has it, ``doubted`` under what doubts tricks were judged. ``two_aces``
    says that the trick in progress holds more than one. ``before`` is trump, ``ruled`` and ``doubt`` as they
    were when the trick began.
    """

    before: tuple[str | None, bool, int] = kept((None, False, 0))
    coming_trump: str | None = kept(None)
    doubt: int = kept(0)
    doubted: int = kept(0)
    ruled: bool = kept(False)
    two_aces: bool = kept(False)

    def begin(self) -> None:
        """Begin with the trump that was carried over, if any, in doubt where nobody knows it."""
        super().begin()
        self.doubt = CARRIED if self.setup.carry_open else 0

    # -- a trump that the table names before each deal ------------------------------------------

    def opening_phase(self) -> Phase:
        """Begin with the naming of trump, where the table fixes it anew before each deal (AT-V6)."""
        return TRUMP if self.rules.options["trump"] == "named" else super().opening_phase()

    def is_to_be_named(self) -> bool:
        """Return whether the table still has to say what is trump in this hand."""
        return self.rules.options["trump"] == "named" and not self.named

    @takes(NameTrump)
    def take_trump(self, event: NameTrump) -> Refusal | None:
        """Take the trump that the table fixed for this hand; anybody may say it, or nobody in particular."""
        if self.phase is not TRUMP:
            return self.not_now(event)
        refusal = None if event.seat is None else self.no_such_seat(event.seat)
        if refusal:
            return refusal
        suit = self.rules.pack.suit(event.suit)
        if suit is None:
            return impossible("bad-suit", "AT-V6", "REC-9", suit=event.suit)
        self.settle_trump(suit)
        self.phase = self.after_naming()
        return None

    def instructions(self) -> tuple[Reason, ...]:
        """Return that the table has to agree on the trump of this hand (AT-V6)."""
        return (Reason("agree-on-trump", ("AT-V6",)),) if self.phase is TRUMP else ()

    def needs_trump(self) -> bool:
        """Return whether a single question about a trick has to say what is trump."""
        return self.is_to_be_named()

    def no_card_now(self, event: Play) -> Refusal:
        """Refuse a card before the table has named trump."""
        if self.phase is TRUMP:
            return impossible("wrong-phase", "AT-V6", "REC-2", phrase="name-trump-first")
        return super().no_card_now(event)

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next."""
        if self.phase is not TRUMP:
            return super().asks()
        suits = tuple(suit.code for suit in self.rules.pack.suits)
        return (Ask("trump", "Name trump", (), (Field("suit", "suit", "Trump", choices=suits),)), *super().asks())

    # -- Aces -------------------------------------------------------------------------------

    def begin_trick(self, leader: int) -> None:
        """Let a seat lead, and remember what was trump before the trick."""
        super().begin_trick(leader)
        self.before = (self.trump, self.ruled, self.doubt)

    def act_on(self, card: int) -> None:
        """Let an Ace set trump, as the house rules have it (AT-8, AT-V1, AT-V6, AT-Q2)."""
        if not self.changes():
            return
        if self.rules.options["trump"] == "sticky":
            self.doubt = FELL_UNSEEN if self.doubt & (FELL_UNSEEN | UNSETTLED) else 0
        else:
            self.doubt = 0
        suit = self.rules.pack.cards[card].suits[0]
        self.two_aces = any(self.rules.acting >> play[1] & 1 for play in self.plays[:-1])
        self.ruled = True
        if self.two_aces and self.rules.options["two_aces"] == "first":
            self.coming_trump = suit
        else:
            self.trump = suit

    def gather(self, trick: Taken) -> None:
        """Clear the table; a second Ace of the trick may rule from now on (AT-Q2)."""
        if self.doubt and trick.plays:
            whole = all(play[1] != UNSEEN for play in trick.plays)
            self.doubted |= self.doubt if whole else self.before[2]
        super().gather(trick)
        self.two_aces = False
        if self.coming_trump is not None:
            self.trump = self.coming_trump
            self.coming_trump = None

    def changes(self) -> bool:
        """Return whether another Ace would set trump."""
        mode = self.rules.options["trump"]
        return mode == "aces" or (mode == "sticky" and not self.ruled)

    def loose_aces(self) -> dict[str, int]:
        """Return the Aces that may be in somebody's hand, or have fallen unseen, by suit."""
        known = self.setup.known
        if known and None not in known:
            dealt = 0
            for cards in known:
                dealt |= cards or 0
        else:
            dealt = self.rules.pack.everything
        return {suit: ace for suit, ace in self.aces().items() if (dealt & ~self.gone) >> ace & 1}

    def aces(self) -> dict[str, int]:
        """Return the Aces that can set trump, by suit."""
        pack = self.rules.pack
        return {pack.cards[ace].suits[0]: ace for ace in pack.members(self.rules.acting)}

    # -- tricks without their cards ---------------------------------------------------------

    def unfit_trump(self, trump: str | None) -> Refusal | None:
        """Refuse a trump that no Ace of the trick can have set; an Ace falls once."""
        ace = None if trump is None else self.aces().get(trump)
        changes = self.changes() or (self.plays and not self.before[1])
        if ace is not None and changes and self.gone >> ace & 1 and not self.trump_fits(trump):
            return impossible("already-played", "REC-6", card=self.rules.pack.cards[ace])
        return super().unfit_trump(trump)

    def trump_clauses(self) -> tuple[str, ...]:
        """Return the clauses that say what trump can be after a trick."""
        return (FOUND_BY[self.rules.options["trump"]],)

    def trump_fits(self, trump: str | None) -> bool:
        """Return whether a trick can have left this trump: the one there was, or that of a new Ace."""
        if self.is_to_be_named():
            return trump in self.rules.trump_suits()
        if self.plays:
            return trump == self.trump_after(self.plays) or trump in self.unseen_aces()
        return trump == self.trump or (self.changes() and trump in self.loose_aces())

    def reported_trump(self, trump: str | None) -> None:
        """Take the trump that a recorded trick reports; a change means that an Ace fell."""
        if self.rules.options["trump"] == "named":
            self.settle_trump(trump)
            return
        if self.plays and self.settle_aces(trump):
            return
        carried = self.doubt & CARRIED or (trump == self.trump and not self.ruled)
        self.doubt = 0
        if trump is not None and self.changes():
            ace = self.loose_aces().get(trump)
            if not carried:
                self.ruled = True
                self.gone |= 0 if ace is None or trump == self.trump else 1 << ace
            elif self.rules.options["trump"] == "sticky" and ace is not None:
                self.doubt = UNSETTLED
        self.trump = trump

    # -- cards that nobody saw ----------------------------------------------------------------

    def aces_of(self, plays: Sequence[Played]) -> list[str]:
        """Return the suits of the Aces that set trump among these cards, in the order in which they fell."""
        cards = self.rules.pack.cards
        return [cards[play[1]].suits[0] for play in plays if self.rules.acting >> play[1] & 1]

    def trump_of(self, plays: Sequence[Played]) -> str | None:
        """Return the trump that decides the trick in progress, were these its cards (AT-8, AT-V1, AT-Q2)."""
        trump, ruled, _ = self.before
        aces = self.aces_of(plays)
        first = self.rules.options["trump"] == "sticky" or self.rules.options["two_aces"] == "first"
        if not aces or (ruled and self.rules.options["trump"] == "sticky"):
            return trump
        return aces[0] if first else aces[-1]

    def trump_after(self, plays: Sequence[Played]) -> str | None:
        """Return what is trump after the trick in progress, were these its cards."""
        aces = self.aces_of(plays)
        return aces[-1] if aces and self.rules.options["trump"] == "aces" else self.trump_of(plays)

    def unseen_aces(self) -> dict[str, int]:
        """Return the Aces that an unseen card of the trick can have been, so that they set what is trump after it."""
        mode = self.rules.options["trump"]
        if mode not in ("aces", "sticky") or (mode == "sticky" and self.before[1]):
            return {}
        unplayed = ((seat, UNSEEN, self.events, None) for seat in self.still_to_play())
        cards = [play[1] for play in (*self.plays, *unplayed)]
        places = [place for place, card in enumerate(cards) if card == UNSEEN]
        aces = [place for place, card in enumerate(cards) if self.rules.acting >> card & 1]
        if mode == "sticky":
            able = [place for place in places if not aces or place < aces[0]]
        else:
            able = [place for place in places if not aces or place > aces[-1]]
        return self.loose_aces() if able else {}

    def settle_aces(self, trump: str | None) -> bool:
        """Take the trump that is told after the trick in progress; return whether that says all there is to say.

        After an Ace that was seen, another suit is that of an Ace which fell unseen. Where no Ace was seen, what
        is told says what it says of any trick.
        """
        seen, aces = self.trump_after(self.plays), self.aces_of(self.plays)
        self.coming_trump = None
        if not aces or trump == seen:
            self.trump = seen
            return False
        self.gone |= 1 << self.aces()[trump or ""]
        self.trump, self.ruled, self.doubt = trump, True, 0
        return True

    def miss_trump(self) -> None:
        """Go past cards that nobody saw: an Ace may have been among them."""
        if self.changes() and self.loose_aces():
            self.doubt |= FELL_UNSEEN

    def trump_open(self) -> bool:
        """Return whether trump may be another one now than the record has it."""
        return bool(self.doubts_left(self.doubt))

    def doubts_left(self, doubt: int) -> int:
        """Return the doubts that are left: where every Ace has been seen by now, none fell unseen."""
        return doubt and doubt & (TELLING if self.loose_aces() else CARRIED)

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked; trump may have changed, or been carried over, unseen."""
        reasons = super().unchecked()
        now = 0 if self.phase in (FINISHED, VOID) else self.doubt
        doubt = self.doubts_left(now | self.doubted)
        if self.taken and self.is_to_be_named():
            reasons.append(self.trump_not_recorded("AT-V6"))
        if doubt & CARRIED:
            reasons.append(Reason("trump-unknown", ("AT-Q3", "REC-19"), phrase="trump-unknown-carried"))
        if doubt & FELL_UNSEEN:
            reasons.append(Reason("trump-unknown", (*self.trump_clauses(), "REC-19")))
        return reasons

    # -- reasons ----------------------------------------------------------------------------

    def why_trump(self) -> Reason | None:
        """Return since which Ace a suit is trump, or that the hand before left it (AT-8, AT-V1, AT-Q3)."""
        mode = self.rules.options["trump"]
        if self.trump is None or mode not in ("aces", "sticky"):
            return None
        if not self.ruled:
            return Reason("trump-carried", ("AT-Q3",))
        return Reason("trump-made", (FOUND_BY[mode],), {"card": self.rules.pack.cards[self.aces()[self.trump]]})

    def explain(self, code: str, card: int) -> Reason:
        """Return why this card won; trump is explained by how it was found."""
        if code != "highest-trump":
            return super().explain(code, card)
        clauses = ("AT-9", *self.found_by())
        return Reason(code, clauses, {"card": self.rules.pack.cards[card]})

    def found_by(self) -> tuple[str, ...]:
        """Return the clauses by which the trick in progress has its trump."""
        mode = self.rules.options["trump"]
        if mode in ("aces", "sticky") and not self.ruled:
            return ("AT-Q3",)
        if mode != "aces":
            return (FOUND_BY[mode],)
        return ("AT-8", "AT-Q2") if self.two_aces else ("AT-8",)
