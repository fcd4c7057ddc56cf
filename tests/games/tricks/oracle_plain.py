"""What second adjudicators of trick-taking games share: a hand, a table, and the checks of every record.

Each game defines what cards mean, who wins, what a play claims, and what can be unseen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

Event = dict[str, Any]
Verdict = tuple[str, str]  # ("impossible" | "irregular", code)
Tests = dict[str, Callable[[Any, Event], bool]]
"""By code, in the order of the contract: whether it applies to an event at this moment of a hand."""
Parse = Callable[[object], str | None]
"""The code of a card or suit as typed, or None."""
UNSEEN = "?"
SETTLING = ("note", "penalty", "redeal", "end", "transfer")


class Invalid(Exception):  # noqa: N818 - the record is refused; no program failed
    """The record is impossible as a whole: seats, options, the end, entered hands."""


def full_options(given: dict, values: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Every option, by default its first value; Invalid for an unknown key or value."""
    for key, value in given.items():
        if not any(value == ok and type(value) is type(ok) for ok in values.get(key, [])):
            raise Invalid(f"{key}={value!r}")
    return {key: given.get(key, known[0]) for key, known in values.items()}


def can_differ(places: Sequence[Set[Any]]) -> bool:
    """Whether each of these places can hold its own card; the one with the fewest choices is filled first."""
    if not places:
        return True
    first, *rest = sorted(places, key=len)
    if len(first) >= len(places):
        return True  # the others have as many: there is always a card left
    return any(can_differ([place - {card} for place in rest]) for card in first)


class PlainHand(ABC):
    """A mutable hand that events change; everything derived from its facts is recomputed each time."""

    def __init__(
        self, *, options: dict, players: int, index: int, dealer: int, size: int, known: dict[int, list[str]]
    ) -> None:
        self.options, self.players, self.index = options, players, index
        self.dealer, self.size, self.known = dealer, size, known
        self.position = 0
        self.ended = self.void = self.skipped = False
        self.bids: list[int | None] = [None] * players
        self.tricks: list[dict] = []
        self.result: list[int] | None = None
        self.together: set[int] = set()
        self.transfers: list[tuple[int, int, int]] = []
        self.penalties = [0] * players
        self.shown: list[tuple[int, int, str]] = []
        self.lost: set[str] = set()
        self.hidden: list[tuple[int, set[str]]] = []
        self.claims: list[Any] = []
        self.irregularities: list[dict] = []

    @abstractmethod
    def phase(self) -> str:
        """The phase by its name in the API."""

    @abstractmethod
    def to_act(self) -> list[int]: ...

    @abstractmethod
    def cards_left(self, seat: int) -> int: ...

    @abstractmethod
    def anything_unseen(self) -> bool:
        """Whether a card left a hand unseen."""

    @abstractmethod
    def scores(self) -> list[int | None]:
        """The settled points of each seat, penalties included."""

    @abstractmethod
    def find_core(self, claims: list[Any]) -> list[Any] | None:
        """The smallest set of claims that cannot all be true now, the one with the earliest acts among equals."""

    @abstractmethod
    def contradicted(self, position: int, claims: list[Any]) -> bool:
        """Whether these claims cannot all be true after the event at this position."""

    @property
    def seats(self) -> range:
        return range(self.players)

    @property
    def trick_count(self) -> int:
        return self.size

    def clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.players for step in self.seats]

    def open_trick(self) -> dict | None:
        """The current trick, if it has any card."""
        return self.tricks[-1] if self.tricks and self.tricks[-1]["winner"] is None else None

    def complete(self) -> list[dict]:
        """The tricks with a winner, including those without cards."""
        return [trick for trick in self.tricks if trick["winner"] is not None]

    def waiting(self) -> bool:
        """Whether there is a full trick whose winner is unknown."""
        trick = self.open_trick()
        return trick is not None and len(trick["plays"]) == self.players

    def finished(self) -> bool:
        return self.result is not None or len(self.complete()) == self.trick_count

    def won_before_transfers(self) -> list[int]:
        if self.result is not None:
            return list(self.result)
        winners = [trick["winner"] for trick in self.complete()]
        return [winners.count(seat) for seat in self.seats]

    def pools(self) -> list[list[int]]:
        """The sides whose tricks lie in one pile, so that a result may name them at one seat."""
        return []

    def apportioned(self, tricks: list[int]) -> tuple[list[int], set[int]]:
        """What a result gives each seat, and the seats for which only their side's tricks are known."""
        given, won = list(tricks), self.won_before_transfers()
        together: set[int] = set()
        for side in self.pools():
            named = [seat for seat in side if tricks[seat]]
            rest = sum(tricks[seat] - won[seat] for seat in side)
            if len(named) == 1 and rest >= 0:
                for seat in side:
                    given[seat] = won[seat] + (rest if seat in named else 0)
                together |= set(side) if rest else set()
        return given, together

    def tricks_won(self) -> list:
        return [None if seat in self.together else won for seat, won in enumerate(self.tricks_counted())]

    def tricks_counted(self) -> list[int]:
        won = self.won_before_transfers()
        for giver, taker, number in self.transfers:
            won[giver] -= number
            won[taker] += number
        return won

    def first_leader(self) -> int:
        return (self.dealer + 1) % self.players

    def next_player(self) -> int:
        """The leader, or the first seat after the last play that has yet to play."""
        trick = self.open_trick()
        if trick is None:
            done = self.complete()
            return done[-1]["winner"] if done else self.first_leader()
        played = [play["seat"] for play in trick["plays"]]
        return next(seat for seat in self.clockwise(played[-1]) if seat not in played)

    def has_played(self, seat: int) -> bool:
        trick = self.open_trick()
        return trick is not None and seat in [play["seat"] for play in trick["plays"]]

    def slots(self) -> list[dict]:
        """The plays of the open trick, with an unseen card for each player who has not played."""
        trick = self.open_trick() or {"plays": []}
        played = [play["seat"] for play in trick["plays"]]
        first = played[-1] if played else self.next_player()
        rest = [seat for seat in self.clockwise(first) if seat not in played]
        return trick["plays"] + [{"seat": seat, "cards": [UNSEEN]} for seat in rest]

    def unseen_slots(self) -> int:
        """How many cards of the open trick would be unseen if it were closed now."""
        return sum(play["cards"] == [UNSEEN] for play in self.slots())

    def entered(self) -> set[str]:
        return {card for cards in self.known.values() for card in cards}

    def told(self, trump: str | None, tricks: list[dict]) -> dict:
        """This hand as the API lists it."""
        return {
            "number": self.index + 1,
            "dealer": self.dealer,
            "seating": list(self.seats),
            "hand_size": [self.size] * self.players,
            "phase": self.phase(),
            "to_act": self.to_act(),
            "trump": trump,
            "suit_order": None,
            "bids": list(self.bids),
            "cards_left": [self.cards_left(seat) for seat in self.seats],
            "tricks_won": self.tricks_won(),
            "tricks": tricks,
            "scores": self.scores(),
            "irregularities": [dict(each) for each in self.irregularities],
        }


def entered_hands(
    known: dict[str, list[str]], sizes: Sequence[int], parse_card: Parse, deck: Sequence[str]
) -> dict[int, list[str]]:
    """Check entered hands as dealt: right sizes, cards of the deck, no card twice."""
    read = {int(seat): [parse_card(code) or "" for code in codes] for seat, codes in known.items()}
    cards = [card for own in read.values() for card in own]
    right = all(seat in range(len(sizes)) and len(own) == sizes[seat] for seat, own in read.items())
    if not right or len(set(cards)) != len(cards) or not set(cards) <= set(deck):
        raise Invalid("known hands")
    return read


class RecordTable(ABC):
    """A record that grows hand by hand and event by event, in any game."""

    game: str
    options: dict[str, Any]
    sizes: Sequence[int]
    """The numbers of players."""
    hand_class: Callable[..., Any]

    def __init__(self, record: dict) -> None:
        self.players = len(record["seats"])
        if self.players not in self.sizes:
            raise Invalid("number of players")
        if record["first_dealer"] not in range(self.players):
            raise Invalid("first dealer")
        self.first_dealer = record["first_dealer"]
        self.carried = list(record.get("carried", [0] * self.players))
        if len(self.carried) != self.players:
            raise Invalid("carried")
        self.end: dict[str, Any] = {}
        self.hands: list[Any] = []
        self.rejected: dict | None = None

    @abstractmethod
    def start_hand(self, known: dict[str, list[str]]) -> Any:
        """Deal the next hand."""

    @abstractmethod
    def apply(self, event: Event) -> Verdict | None:
        """Judge one event of the last hand; a refusal changes nothing."""

    @abstractmethod
    def coming(self) -> dict:
        """The next deal."""

    def played(self) -> int:
        """How many hands are finished; void ones do not count."""
        return sum(hand.finished() and not hand.void for hand in self.hands)

    def totals(self) -> list[int]:
        """Carried points plus every hand's scores; penalties of an unfinished hand count at once."""
        made = [0] * self.players
        for hand in self.hands:
            for seat, score in enumerate(hand.scores()):
                made[seat] += hand.penalties[seat] if score is None else score
        return [carried + points for carried, points in zip(self.carried, self.shared(made), strict=True)]

    def shared(self, made: list[int]) -> list[int]:
        """Each player's share of the points made."""
        return made

    def running(self) -> bool:
        return bool(self.hands) and not self.hands[-1].void and not self.hands[-1].finished()

    def finished(self) -> bool:
        if any(hand.ended for hand in self.hands):
            return True
        return bool(self.hands) and not self.running() and not self.hands[-1].void and self.end_reached()

    def end_reached(self) -> bool:
        if self.end["kind"] == "score":
            return max(self.totals()) >= self.end["value"]
        return self.end["kind"] == "hands" and self.played() >= self.end["value"]

    def refusal(self) -> str | None:
        """Why no further hand can begin, if it cannot."""
        if self.finished():
            return "hand-finished"
        return "wrong-phase" if self.running() else None

    @classmethod
    def answer_to(cls, record: dict) -> dict:
        """The stateless referee's answer to a whole record; Invalid if it is refused as a whole."""
        table = cls(record)
        table.judge(record["hands"])
        return table.answer()

    def judge(self, hands: list[dict]) -> None:
        """Judge hand after hand, up to the first event that is refused."""
        for index, entry in enumerate(hands):
            refusal = self.refusal()
            if refusal:
                if entry["events"]:
                    self.reject(index, 0, ("impossible", refusal))
                return
            self.start_hand(entry.get("known", {}))
            for position, event in enumerate(entry["events"]):
                verdict = self.apply(event)
                if verdict:
                    self.reject(index, position, verdict)
                    return

    def reject(self, hand: int, event: int, verdict: Verdict) -> None:
        self.rejected = {"hand": hand, "event": event, "verdict": verdict[0], "code": verdict[1]}

    def answer(self) -> dict:
        """The adjudication as the API gives it, without texts."""
        totals, finished = self.totals(), self.finished()
        return {
            "game": self.game,
            "options": dict(self.options),
            "hands": [hand.answer() for hand in self.hands],
            "totals": totals,
            "finished": finished,
            "winners": self.winners(totals) if finished else [],
            "next": None if finished or self.running() else self.coming(),
            "rejected": self.rejected,
        }

    def winners(self, totals: list[int]) -> list[int]:
        return [seat for seat, total in enumerate(totals) if total == max(totals)]


class PlainTable(RecordTable):
    """A table whose hands all seats begin with the same number of cards; tests judge each event by code."""

    parse_card: Parse
    parse_suit: Parse
    impossible: Tests
    irregular: Tests
    take: Callable[..., None]
    """Changes a hand by an accepted event."""

    @abstractmethod
    def next_size(self) -> int | None:
        """Cards per player in the next hand; None if unknown."""

    @abstractmethod
    def deck(self) -> list[str]:
        """The cards that are dealt from."""

    def more_of_next_hand(self) -> dict[str, Any]:
        """What the game's hand takes beside the arguments of every hand."""
        return {}

    def start_hand(self, known: dict[str, list[str]]) -> Any:
        size = self.next_size()
        assert size is not None
        hand = self.hand_class(
            options=self.options,
            players=self.players,
            index=len(self.hands),
            dealer=self.next_dealer(),
            size=size,
            known=self.check_known(known, size),
            **self.more_of_next_hand(),
        )
        self.hands.append(hand)
        return hand

    def check_known(self, known: dict[str, list[str]], size: int) -> dict[int, list[str]]:
        return entered_hands(known, [size] * self.players, self.parse_card, self.deck())

    def judge_event(self, hand: Any, raw: Event) -> Verdict | None:
        """Accept the event (None) or say why it is refused; a refused event changes nothing."""
        event = canonical(raw, self.parse_card, self.parse_suit)
        for code, test in self.impossible.items():
            if test(hand, event):
                return "impossible", code
        codes = [code for code, test in self.irregular.items() if test(hand, event)]
        if codes and event.get("accepted") is not True:
            return "irregular", codes[0]
        for code in codes:
            trick = len(hand.complete()) + 1 if event["type"] == "play" else None
            note(hand, code, "seen", event["seat"], event=hand.position, trick=trick)
        self.take(hand, event, codes)
        hand.position += 1
        return None

    def apply(self, event: Event) -> Verdict | None:
        return self.judge_event(self.hands[-1], event)

    def next_dealer(self) -> int:
        """The deal passes after a finished hand, stays after a void one."""
        if not self.hands:
            return self.first_dealer
        last = self.hands[-1]
        return last.dealer if last.void else (last.dealer + 1) % self.players

    def refusal(self) -> str | None:
        return super().refusal() or ("wrong-phase" if self.next_size() is None else None)

    def coming(self) -> dict:
        size = self.next_size()
        return {
            "number": len(self.hands) + 1,
            "dealer": self.next_dealer(),
            "seating": list(range(self.players)),
            "hand_size": None if size is None else [size] * self.players,
        }


# --- How an event is read, and what makes it impossible in many games


def canonical(event: Event, parse_card: Parse, parse_suit: Parse) -> Event:
    """The event with aliases resolved; an unknown card or suit becomes "" (never accepted)."""
    event = dict(event)
    if "cards" in event:
        may_hide = event["type"] in ("play", "pass-cards")
        event["cards"] = [card if may_hide and card == UNSEEN else parse_card(card) or "" for card in event["cards"]]
    for key, unseen in (("card", (None, UNSEEN)), ("last", (None,))):
        if event.get(key) not in unseen:
            event[key] = parse_card(event[key]) or ""
    for key in ("suit", "trump"):
        if event.get(key) is not None:
            event[key] = parse_suit(event[key]) or ""
    return event


def hand_finished(hand: Any, event: Event) -> bool:
    """After the hand only settlements are accepted."""
    kind = event["type"]
    if kind in ("note", "penalty"):
        return False
    if hand.ended:
        return True
    if hand.void:
        return kind != "end"
    return hand.finished() and kind not in SETTLING


def no_such_seat(hand: PlainHand, event: Event) -> bool:
    named = [event.get(key) for key in ("seat", "winner", "from_seat", "to_seat")]
    return any(seat is not None and seat not in hand.seats for seat in named)


def not_in_deck(hand: Any, event: Event) -> bool:
    """A card that is not in this hand's deck; a played or passed one may be unseen."""
    cards = [card for card in event.get("cards", []) if card != UNSEEN]
    return any(card not in hand.deck for card in [*cards, *([event["last"]] if event.get("last") is not None else [])])


def too_many_cards(hand: PlainHand, event: Event) -> bool:
    """A second card to a trick."""
    return event["type"] == "play" and hand.has_played(event["seat"])


def bad_bid(hand: PlainHand, event: Event) -> bool:
    """A bid of more than all tricks, or a negative one."""
    return event["type"] == "bid" and not 0 <= event["tricks"] <= hand.trick_count


def bad_sum(hand: PlainHand, event: Event, able: Callable[[], set[int]]) -> bool:
    """A result that does not fit the tricks, or an impossible transfer; ``able`` may have won the open trick."""
    if event["type"] == "transfer":
        giver, counted = event["from_seat"], hand.tricks_counted()
        side = next((side for side in hand.pools() if giver in side and giver in hand.together), [giver])
        return giver == event["to_seat"] or not 0 < event["tricks"] <= sum(counted[seat] for seat in side)
    if event["type"] != "result":
        return False
    if len(event["tricks"]) != hand.players:
        return True
    (tricks, together), won = hand.apportioned(event["tricks"]), hand.won_before_transfers()
    if sum(tricks) != hand.trick_count or any(tricks[seat] < won[seat] for seat in hand.seats):
        return True
    return hand.open_trick() is not None and all(tricks[seat] == won[seat] and seat not in together for seat in able())


def take_settlement(hand: PlainHand, event: Event) -> None:
    """Points or tricks move, the hand is void, or the table ends."""
    kind = event["type"]
    if kind == "penalty":
        hand.penalties[event["seat"]] += event["points"]
    elif kind == "transfer":
        hand.transfers.append((event["from_seat"], event["to_seat"], event["tricks"]))
    elif kind in ("redeal", "end"):
        hand.void = hand.void or kind == "redeal" or not hand.finished()
        hand.ended = kind == "end"


# --- The irregularities of a hand: seen at once, or proved by later cards


def note(hand: PlainHand, code: str, certainty: str, *seats: int, event: int, trick: int | None, **more: Any) -> None:
    hand.irregularities.append(
        {
            "code": code,
            "certainty": certainty,
            "seat": seats[0] if certainty != "joint" else None,
            "suspects": sorted(seats),
            "event": [hand.index, event],
            "trick": trick,
            "proved_by": [],
            **more,
        }
    )


def prove_directly(hand: PlainHand, seat: int, card: str) -> None:
    """Each claim of this seat the card contradicts becomes a finding, replacing a joint one it was part of."""
    for claim in hand.claims:
        if claim.seat == seat and not claim.proved and claim.denies(card):
            claim.proved = True
            act = [hand.index, claim.event]
            hand.irregularities = [each for each in hand.irregularities if act not in each.get("claims", [])]
            shown = [[hand.index, hand.position]]
            note(hand, claim.code, "proved", seat, event=claim.event, trick=claim.trick, proved_by=shown)


def prove_jointly(hand: PlainHand) -> None:
    """Open a joint finding if the remaining claims cannot all be true; unseen cards end all counting."""
    if hand.anything_unseen() or any(each["certainty"] == "joint" for each in hand.irregularities):
        return
    live = [claim for claim in hand.claims if not claim.proved]
    core = hand.find_core(live) if live else None
    if core is None:
        return
    last = core[-1]
    first = next(at for at in range(last.event, hand.position + 1) if hand.contradicted(at, core))
    suspects = {claim.seat for claim in core}
    acts = [[hand.index, event] for event in dict.fromkeys(claim.event for claim in core)]
    shown = [[hand.index, first]]
    note(hand, "joint-revoke", "joint", *suspects, event=last.event, trick=last.trick, proved_by=shown, claims=acts)
