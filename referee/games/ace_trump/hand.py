"""A hand of Ace Trump: Aces that set trump, trump reported with tricks, and the card that sets the tide."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import ClassVar

from referee.engine.cards import Card
from referee.engine.events import Ask, Field, Play, Turn
from referee.engine.rulings import Reason, Refusal, impossible
from referee.engine.state import FINISHED, VOID, Phase, kept, takes
from referee.games.decktet_tricks.suited import TRUMP, NameTrump, SuitedHand, SuitedRules
from referee.packs.decktet import ACE, EXCUSE
from referee.tricks.rules import UNSEEN, Played
from referee.tricks.state import Able, Course, Standing, Taken, Way

# --- Trump in Ace Trump: set by Aces, reported with tricks, or uncertain

FOUND_BY = {"aces": "AT-8", "sticky": "AT-V1", "fixed": "AT-V6", "named": "AT-V6"}
"""The clause that determines trump, by house rule."""
CARRIED = 1
"""Flag: trump carried over is uncertain, because cards of the hand before were unseen (AT-Q3)."""
FELL_UNSEEN = 2
"""Flag: an Ace may have been played unseen (AT-8)."""
FIRST_TIDE = 1
HIGHEST_TIDE = 9
TWO_PLAYERS = 2


class AceTrumpRules(SuitedRules):
    def acts(self, card: Card) -> bool:
        """Aces set trump, unless it is fixed (AT-8, AT-V6)."""
        return card.rank == ACE and self.options["trump"] in ("aces", "sticky")

    def trump_suits(self) -> tuple[str, ...]:
        """With *fixed*, only the fixed suit can be trump (AT-V6)."""
        fixed = self.options["fixed_trump"]
        return (fixed,) if fixed else super().trump_suits()

    def most_dealt(self) -> int:
        return HIGHEST_TIDE if self.options["tides"] else super().most_dealt()


class AceTrumpHand(SuitedHand):
    """A hand of Ace Trump: Aces change trump, and the last card may set the next hand's size.

    ``ruled``: an Ace of this hand has set trump. ``coming_trump``: the suit of a later Ace that takes effect from the
    next trick (``two_aces=first``). ``before``: trump at the start of the trick; ``ways``: its possibilities if cards
    went unseen; ``doubted``: doubts under which tricks were judged. ``two_aces``: the current trick holds more than one
    Ace. ``tide``: the size of the next hand, if known.
    """

    before: Standing = kept(Standing(None))
    coming_trump: str | None = kept(None)
    doubted: int = kept(0)
    ruled: bool = kept(False)
    two_aces: bool = kept(False)
    tide: int | None = kept(None)

    SIZE_CLAUSES: ClassVar[tuple[str, ...]] = ("AT-V5",)
    CITES = {
        "highest-trump": ("AT-9",), "highest-follower": ("AT-10",), "higher-symbol": ("AT-10", "AT-12"),
        "earlier-of-equals": ("AT-10", "AT-17"), "follow": ("AT-5",), "name": ("AT-V7",),
        "turn-to-bid": ("AT-V4",), "hook": ("AT-Q15",), "bid": ("AT-V4",), "tricks": ("AT-14",),
        "lead": ("AT-3", "AT-13"), "deal": ("AT-2",), "deal-extended": ("AT-15",),
    }  # fmt: skip

    def begin(self) -> None:
        super().begin()
        self.ways = tuple(map(Standing, self.setup.carry_ways))

    # -- trump named before each deal -----------------------------------------------------------

    def opening_phase(self) -> Phase:
        """Trump is named first if the table names it before each deal (AT-V6)."""
        return TRUMP if self.rules.options["trump"] == "named" else super().opening_phase()

    def is_to_be_named(self) -> bool:
        return self.rules.options["trump"] == "named" and not self.named

    @takes(NameTrump)
    def take_trump(self, event: NameTrump) -> Refusal | None:
        """Set the trump named for this hand; the seat is optional."""
        if self.phase is not TRUMP:
            return self.not_now(event)
        refusal = None if event.seat is None else self.no_such_seat(event.seat)
        refusal = refusal or self.not_a_suit(event.suit)
        if refusal is None:
            self.settle_trump(self.rules.pack.suit(event.suit))
            self.phase = self.after_naming()
        return refusal

    def instructions(self) -> tuple[Reason, ...]:
        return (Reason("agree-on-trump", ("AT-V6",)),) if self.phase is TRUMP else ()

    def no_card_now(self, event: Play) -> Refusal:
        if self.phase is TRUMP:
            return impossible("wrong-phase", "AT-V6", "REC-2", phrase="name-trump-first")
        return super().no_card_now(event)

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not TRUMP:
            return super().asks()
        suits = tuple(suit.code for suit in self.rules.pack.suits)
        field, turn = Field("suit", "suit", "Trump", choices=suits), Turn("Name the trump suit.")
        return (Ask("trump", "Name trump", (), (field,), turn=turn), *super().asks())

    def begin_trick(self, leader: int) -> None:
        super().begin_trick(leader)
        self.before = Standing(self.trump, self.ruled)

    def act_on(self, card: int) -> None:
        """Set trump by this Ace (AT-8, AT-V1, AT-V6, AT-Q2), and drop ways in which it was played unseen."""
        if self.ways:
            suit = self.suit_of(card)
            self.ways = tuple(way for way in self.ways if not (way.unseen and way.trump == suit))
            if len(self.ways) == 1:
                (self.before,), self.ways = self.ways, ()
                self.trump, self.ruled, unseen = self.before
                self.gone |= 1 << self.aces()[self.trump or ""] if unseen else 0
        sticky = self.rules.options["trump"] == "sticky"
        if sticky and self.before.settled:
            return
        aces = [self.suit_of(play[1]) for play in self.plays if self.rules.acting >> play[1] & 1]
        self.two_aces, self.ruled = len(aces) > 1, True
        if sticky or self.rules.options["two_aces"] == "first":
            self.trump, self.coming_trump = aces[0], None if sticky else aces[-1]
        else:
            self.trump = aces[-1]

    def loose_aces(self) -> dict[str, int]:
        """Aces, by suit, that may be in a hand or have been played unseen."""
        known = self.setup.known or (None,)
        everything = self.rules.pack.everything
        dealt = everything if None in known else reduce(or_, (cards or 0 for cards in known))
        return {suit: ace for suit, ace in self.aces().items() if (dealt & ~self.gone) >> ace & 1}

    def aces(self) -> dict[str, int]:
        """Aces that can set trump, by suit."""
        pack = self.rules.pack
        return {pack.cards[ace].suits[0]: ace for ace in pack.members(self.rules.acting)}

    # -- unseen cards -------------------------------------------------------------------------

    def recorded(self) -> Standing:
        return self.before if self.plays else Standing(self.trump, self.ruled)

    def standings(self) -> tuple[Standing, ...]:
        if self.is_to_be_named():
            return tuple(map(Standing, self.rules.trump_suits()))
        return self.ways or (self.recorded(),)

    def courses(self, before: Standing, plays: Sequence[Played], able: Able) -> Iterator[Course]:
        """Yield the courses of trump in a trick (AT-8, AT-V1, AT-Q2), decided by its first and last Ace."""
        acting, sticky = self.rules.acting, self.rules.options["trump"] == "sticky"
        if not acting or (sticky and before.settled):
            yield Course(before.trump, before, able)
            return
        none = tuple(cards & ~acting for cards in able)
        yield Course(before.trump, before, none)
        for place, last in self.aces_in(able):
            after = Standing(self.suit_of(last), True, plays[place][1] == UNSEEN)
            laid = 1 << last
            if sticky:
                yield Course(after.trump, after, (*none[:place], laid, *able[place + 1 :]))
            elif self.rules.options["two_aces"] == "last":
                yield Course(after.trump, after, (*able[:place], laid, *none[place + 1 :]))
            else:
                yield Course(after.trump, after, (*none[:place], laid, *none[place + 1 :]))
                for sooner, first in self.aces_in(able[:place]):
                    between = (*none[:sooner], 1 << first, *able[sooner + 1 : place], laid, *none[place + 1 :])
                    yield Course(self.suit_of(first), after, between)

    def aces_in(self, able: Able) -> list[tuple[int, int]]:
        """Pairs (place, Ace) for each place of a trick that can hold an Ace."""
        members, acting = self.rules.pack.members, self.rules.acting
        return [(place, ace) for place, cards in enumerate(able) for ace in members(cards & acting)]

    def suit_of(self, ace: int) -> str:
        return self.rules.pack.cards[ace].suits[0]

    def leaves_trump(self, way: Way) -> bool:
        sticky = self.rules.options["trump"] == "sticky"
        aces = [play[1] for play in self.plays if play[1] != UNSEEN and self.rules.acting >> play[1] & 1]
        if not aces or (sticky and way.before.settled):
            return way.after.trump == way.before.trump
        return way.after.trump == self.suit_of(aces[0] if sticky else aces[-1])

    def conclude(self, found: Iterable[Way]) -> None:
        """Set trump to what all ways agree on; if they differ, keep them as ``ways``.

        The recorded trump stands if it is among them, else trump is ``None``. An Ace played unseen in every way counts
        as played.
        """
        able = tuple(dict.fromkeys(way.after for way in found)) if self.rules.acting else ()
        if not able:
            return
        trumps = {each.trump for each in able}
        agreed = len(trumps) == 1
        if agreed or self.trump not in trumps:
            self.trump = able[0].trump if agreed else None
        settled = [each.settled for each in able if each.trump == self.trump]
        if self.ruled not in settled:
            self.ruled = any(settled)
        if agreed and all(each.unseen for each in able):
            self.gone |= 1 << self.aces()[self.trump or ""]
        self.ways = () if len(able) == 1 else able
        self.filled = None

    def miss_trump(self) -> None:
        """Note that any remaining Ace may have been among the unrecorded cards of the rest of the hand."""
        now = [way.after for way in self.outcomes()] if self.plays else list(self.standings())
        sticky = self.rules.options["trump"] == "sticky"
        if self.rules.acting and not (sticky and all(each.settled for each in now)):
            loose = (Standing(suit, True, True) for suit in self.loose_aces())
            self.ways = tuple(dict.fromkeys((*now, *loose)))

    def judge_in_doubt(self) -> None:
        self.doubted |= self.doubts()

    def doubts(self) -> int:
        """Flags (``CARRIED``, ``FELL_UNSEEN``) for why the recorded trump may be wrong."""
        if len({each.trump for each in self.ways}) < 2:
            return 0
        carried = len({each.trump for each in self.ways if not each.settled}) > 1
        return (CARRIED if carried else 0) | (FELL_UNSEEN if any(each.unseen for each in self.ways) else 0)

    # -- tricks recorded by winner ------------------------------------------------------------

    def unfit_trump(self, trump: str | None) -> Refusal | None:
        if self.trump_fits(trump):
            return None
        ace = None if trump is None else self.aces().get(trump)
        settled = self.rules.options["trump"] == "sticky" and all(each.settled for each in self.standings())
        if ace is not None and self.gone >> ace & 1 and not settled:
            return impossible("already-played", "REC-6", card=self.rules.pack.cards[ace])
        return super().unfit_trump(trump)

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        if trump is None or self.is_to_be_named() or not self.rules.acting:
            return super().why_no_trump(trump)
        if self.rules.options["trump"] == "sticky" and all(each.settled for each in self.standings()):
            return ("trump-is-settled", {"trump": self.suit_name(self.trump)}) if self.trump else ("bad-trump", {})
        return "no-ace-for-trump", {}

    def trump_clauses(self) -> tuple[str, ...]:
        return (FOUND_BY[self.rules.options["trump"]],)

    def trump_fits(self, trump: str | None) -> bool:
        return any(way.after.trump == trump for way in self.outcomes())

    def reported_trump(self, trump: str | None) -> None:
        if self.rules.options["trump"] == "named":
            self.settle_trump(trump)
        elif trump != self.trump:
            self.trump, self.ruled = trump, trump is not None

    def unchecked(self) -> list[Reason]:
        reasons = super().unchecked()
        over = self.phase is VOID or (self.phase is FINISHED and not self.rules.options["trump_carry"])
        # If every Ace has been seen by now, none was played unseen.
        past = self.doubted & (CARRIED | FELL_UNSEEN if self.loose_aces() else CARRIED)
        doubt = past | (0 if over else self.doubts())
        if self.taken and self.is_to_be_named():
            reasons.append(self.trump_not_recorded("AT-V6"))
        if doubt & CARRIED:
            reasons.append(Reason("trump-unknown", ("AT-Q3", "REC-19"), phrase="trump-unknown-carried"))
        if doubt & FELL_UNSEEN:
            reasons.append(Reason("trump-unknown", (*self.trump_clauses(), "REC-19")))
        if self.rules.options["tides"] and self.phase is FINISHED and self.tide is None:
            reasons.append(Reason("tide-unknown", ("AT-V5", "REC-19")))  # a last card was not recorded
        return reasons

    def why_trump(self) -> Reason | None:
        """The Ace that made this suit trump, or that it was carried over (AT-8, AT-V1, AT-Q3)."""
        mode = self.rules.options["trump"]
        if self.trump is None or mode not in ("aces", "sticky"):
            return None
        if not self.ruled:
            return Reason("trump-carried", ("AT-Q3",))
        return Reason("trump-made", (FOUND_BY[mode],), {"card": self.rules.pack.cards[self.aces()[self.trump]]})

    def explain(self, code: str, card: int) -> Reason:
        """Why this card won; a trump also cites how trump was set (AT-8, AT-Q2, AT-Q3)."""
        if code != "highest-trump":
            return super().explain(code, card)
        mode = self.rules.options["trump"]
        if mode in ("aces", "sticky") and not self.ruled:
            found_by = ("AT-Q3",)
        else:
            found_by = (FOUND_BY[mode], *(("AT-Q2",) if mode == "aces" and self.two_aces else ()))
        return Reason(code, ("AT-9", *found_by), {"card": self.rules.pack.cards[card]})

    def gather(self, trick: Taken) -> None:
        """Finish a trick: a second Ace may take effect (AT-Q2), and the last trick sets the tide."""
        sizes: set[int | None] = set()
        if self.rules.options["tides"] and trick.plays and len(self.taken) + 1 == self.total:
            whole = len(trick.plays) == self.rules.players and all(play[1] != UNSEEN for play in trick.plays)
            sizes = {self.tide_after(trick)} if whole else set(self.tides_after(trick))
        super().gather(trick)
        self.tide = sizes.pop() if len(sizes) == 1 else None
        self.two_aces = False
        if self.coming_trump is not None:
            self.trump, self.coming_trump = self.coming_trump, None

    def tide_after(self, trick: Taken) -> int | None:
        """Size of the next hand after this last trick, all of whose cards were seen (AT-V5, AT-Q18, AT-Q19)."""
        return self.tide_of(self.tide_card(trick))

    def tide_card(self, trick: Taken) -> int:
        """The card of the last trick that sets the tide: by default, the last one that has a rank."""
        cards = [play[1] for play in trick.plays]
        if self.rules.options["tides_last"] == "winning":
            return next(play[1] for play in trick.plays if play[0] == trick.winner)
        if 1 << cards[-1] == self.rules.excuse and self.rules.options["tides_excuse"] == "ranked":
            return next(card for card in reversed(cards) if 1 << card != self.rules.excuse)
        return cards[-1]

    def tides_after(self, trick: Taken) -> Iterator[int | None]:
        """Yield possible sizes of the next hand after a last trick with unseen cards."""
        plays, able = self.open_trick()
        place = len(plays) - 1
        if self.rules.options["tides_last"] == "winning":
            place = next(place for place, play in enumerate(plays) if play[0] == trick.winner)
        for card in self.cards_at(place, (way for way in self.outcomes() if way.winner == trick.winner)):
            before = able[place - 1]
            if 1 << card != self.rules.excuse or self.rules.options["tides_excuse"] != "ranked":
                yield self.tide_of(card)
            else:  # the card before it counts, if known
                yield self.tide_of(before.bit_length() - 1) if before.bit_count() == 1 else None

    def tide_of(self, card: int) -> int | None:
        """Hand size for a card; ``None`` if the Excuse sets none."""
        rank = self.rules.pack.cards[card].rank
        if rank == EXCUSE:
            same = self.total if self.rules.options["tides_excuse"] == "same" else None
            return FIRST_TIDE if self.rules.options["tides_excuse"] == "one" else same
        if rank == ACE:
            return FIRST_TIDE
        return int(rank) if rank.isdigit() else HIGHEST_TIDE

    def reported_last(self, last: str | None) -> None:
        """Set the tide from the reported last card if it was unseen; the Excuse never wins."""
        if self.tide is not None:
            return
        card = None if last is None else self.rules.pack.find(last)
        won = self.rules.options["tides_last"] == "winning"
        lost = won and card is not None and 1 << card == self.rules.excuse
        self.tide = None if card is None or lost else self.tide_of(card)

    def deal_clauses(self) -> tuple[str, ...]:
        rules = self.rules
        if rules.options["tides"]:
            return ("AT-V5",)
        if rules.players != TWO_PLAYERS or not (self.is_extended() or rules.options["two_player_deal"] == "all"):
            return super().deal_clauses()
        return ("AT-Q12",) if self.is_extended() else ("AT-2", "AT-Q12")

    def last_card_counts(self) -> bool:
        return bool(self.rules.options["tides"])
