"""Random plays and records of American Deuce."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from functools import partial
from itertools import combinations

from tests.games.american_deuce.oracle import OPTIONS, TWO_DECK_OPTIONS, ClimbingTable
from tests.games.american_deuce.oracle_exchange import STRAIGHTS, card_key, kind_of, play_beats, rank_of, suit_of
from tests.games.american_deuce.oracle_round import Round
from tests.games.french.oracle import SUITS, Json, french_deck
from tests.games.french.random_draft import STRANGE_CARDS, Draft, new_record, told
from tests.games.tricks.oracle_plain import UNSEEN
from tests.games.tricks.random_story import random_end, random_options

# --- Deals and plays for the random records of American Deuce

Cards = list[str]


def deal_cards(rng: random.Random, sizes: list[int], decks: int) -> list[Cards]:
    """Hands of the given sizes; sometimes one has many fours of a kind."""
    deck = french_deck(decks)
    rng.shuffle(deck)
    rich = rng.randrange(len(sizes)) if rng.random() < 0.3 else None
    if rich is not None:
        ranks = rng.sample(sorted({rank_of(card) for card in deck}), 4)[: sizes[rich] // 4]
        riots = [[card for card in deck if rank_of(card) == rank][:4] for rank in ranks]
        first = [card for riot in riots for card in riot]
        deck = first + [card for card in deck if card not in first]
    order = sorted(range(len(sizes)), key=lambda seat: seat != rich)
    hands: list[Cards] = [[] for _ in sizes]
    for seat in order:
        hands[seat], deck = deck[: sizes[seat]], deck[sizes[seat] :]
    return hands


def five_card_plays(rng: random.Random, hand: Cards) -> list[Cards]:
    by_rank, by_suit = defaultdict(list), defaultdict(list)
    for card in hand:
        by_rank[rank_of(card)].append(card)
        by_suit[suit_of(card)].append(card)
    plays = [
        [rng.choice(by_rank[rank]) for rank in sorted(ranks)]
        for ranks in STRAIGHTS
        if all(by_rank[rank] for rank in ranks)
    ]
    for cards in by_suit.values():
        plays += [rng.sample(cards, 5) for _ in range(2) if len(cards) >= 5]
    for rank, cards in by_rank.items():
        if len(cards) >= 5:
            plays.append(rng.sample(cards, 5))
        pairs = [other for other in by_rank if other != rank and len(by_rank[other]) >= 2]
        if len(cards) >= 3 and pairs:
            pair = rng.sample(by_rank[rng.choice(pairs)], 2)
            plays.append(rng.sample(cards, 3) + pair)
    return [play for play in plays if kind_of(play) is not None]


def all_plays(rng: random.Random, hand: Cards) -> list[Cards]:
    """The combinations of a hand: all small ones, some of five cards."""
    by_rank = defaultdict(list)
    for card in hand:
        by_rank[rank_of(card)].append(card)
    plays: list[Cards] = []
    for group in by_rank.values():
        for size in (1, 2, 3, 4):
            plays += [list(cards) for cards in combinations(group, size)]
    return plays + five_card_plays(rng, hand)


def only_riots(cards: Cards) -> bool:
    """Whether these cards are all fours of a kind."""
    return all(count % 4 == 0 for count in Counter(map(rank_of, cards)).values())


# --- Random records and questions of American Deuce, for differential tests


def random_record(rng: random.Random, mischief: float | None = None) -> Json:
    """A record of one to four rounds; `mischief` is the chance of trouble at each turn."""
    players = rng.choices(range(4, 9), [12, 2, 2, 1, 2])[0]
    end = random_end(rng, (15, 40, 80, 150))
    record = new_record(rng, ClimbingTable.game, players, climbing_options(rng, players), end)
    rate = rng.choice([0.0, 0.02, 0.06, 0.15]) if mischief is None else mischief
    draft = Draft(rng, ClimbingTable(record), record, rate)
    return told(draft, Script, rng.choice([0, 1, 1, 1, 2, 2, 3, 4]) if rng.random() < 0.9 else 4)


honest_record = partial(random_record, mischief=0.0)


def climbing_options(rng: random.Random, players: int) -> Json:
    options = random_options(rng, {**OPTIONS, "revoke": ("ask", "stand", "bridge", "redeal")})
    if players == 4:
        for key in TWO_DECK_OPTIONS:
            if key in options:
                options[key] = OPTIONS[key][0]
    return options


class Script:
    """One round as it might have been played at a table."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.rng = draft.rng
        deal = draft.table.next_deal()
        decks = 1 if len(deal.seating) == 4 else 2
        self.hands = deal_cards(self.rng, deal.hand_size, decks)
        known_rate = self.rng.choice([0, 0, 0, 0.3, 1])
        entered = [seat for seat in range(len(self.hands)) if draft.chance(known_rate)]
        known = {str(seat): list(self.hands[seat]) for seat in entered}
        self.round: Round = draft.begin_hand(known)
        self.deck = french_deck(decks)
        self.pass_rate = self.rng.choice([0.1, 0.3, 0.6])
        self.stop_rate = self.rng.choice([0, 0, 0.005, 0.03])
        self.result_rate = self.rng.choice([0, 0, 0.003, 0.03])

    def write(self) -> None:
        self.name_suits()
        if self.draft.chance(0.6):
            self.drop_deuce()
        for _ in range(600):
            if self.draft.stopped or not self.round.running:
                break
            if self.draft.chance(self.stop_rate):
                return
            self.turn()
        if self.draft.chance(0.1):
            self.draft.offer_table_event()
        if self.draft.may_stop and self.draft.chance(0.1):
            self.trouble()

    # --- before the first play ---------------------------------------------------------------

    def name_suits(self) -> None:
        """Three suits, usually in order."""
        for _ in range(30):
            if self.round.phase != "suits" or self.draft.stopped:
                return
            seat = self.round.to_act()[0]
            suit = self.rng.choice(SUITS)
            if self.draft.chance(self.draft.mischief):
                seat = self.rng.randrange(self.round.seats)
            if self.draft.chance(self.draft.mischief / 2):
                suit = self.rng.choice(["M", "cups", "", "S", "H"])
            if suit not in self.round.suit_order() or self.draft.chance(self.draft.mischief):
                self.draft.offer({"type": "suit", "seat": seat, "suit": suit})
            if self.draft.chance(self.draft.mischief / 4):
                self.trouble()

    def drop_deuce(self) -> None:
        """The exchange, honest or not."""
        if self.round.phase != "play" or self.draft.stopped:
            return
        elect = self.round.deal.seating[0]
        card = self.round.king_card()
        holder = next((s for s, cards in enumerate(self.hands) if card in cards), None)
        king: int | None = holder
        if self.draft.mischief and self.draft.chance(0.15):
            king = self.rng.choice([None, *range(self.round.seats)])
        if king == elect and self.draft.chance(0.5):
            king = None
        if king is None or king == elect:
            swap = {"constipated": False, "given": None, "returned": None}
            self.draft.offer({"type": "drop-deuce", "king": king, **swap})
            return
        self.exchange(king, elect)

    def exchange(self, king: int, elect: int) -> None:
        trouble = self.draft.mischief + (0.25 if self.draft.mischief else 0)
        twos = [card for card in self.hands[king] if rank_of(card) == "2"]
        constipated = not twos or self.draft.chance(trouble)
        given = self.rng.choice(self.hands[king] if constipated else twos)
        if self.draft.chance(trouble / 2):
            given = self.rng.choice(self.hands[king])
        returned = self.answer_card(elect, constipated, given, trouble)
        swap = {"given": given, "returned": returned}
        hide = self.rng.choice([0, 0, 0.4, 1])
        shown = {key: UNSEEN if self.draft.chance(hide) else card for key, card in swap.items()}
        if self.draft.chance(trouble / 3):
            strange = self.rng.choice([*self.deck, *STRANGE_CARDS])
            shown[self.rng.choice(["given", "returned"])] = strange
        event = {"type": "drop-deuce", "king": king, "constipated": constipated, **shown}
        if self.draft.offer(event):
            self.hands[king].remove(given)
            self.hands[elect].append(given)
            self.hands[elect].remove(returned)
            self.hands[king].append(returned)

    def answer_card(self, elect: int, constipated: bool, given: str, trouble: float) -> str:
        own = self.hands[elect]
        if constipated or self.draft.chance(trouble):
            return self.rng.choice([*own, given])
        order = self.round.suit_order()
        near = sorted(own, key=lambda card: card_key(card, order))
        return near[1] if self.draft.chance(trouble) else near[0]

    # --- play --------------------------------------------------------------------------------

    def turn(self) -> None:
        if self.draft.chance(self.draft.mischief):
            self.trouble()
        elif self.draft.chance(0.004):
            self.draft.offer_table_event()
        elif self.draft.chance(self.result_rate):
            self.offer_result()
        elif self.round.phase == "suits":
            self.name_suits()
        else:
            self.sensible_play(self.round.turn)

    def play(self, seat: int, cards: Cards) -> None:
        if self.draft.offer({"type": "play", "seat": seat, "cards": list(cards)}):
            played = set(self.round.tricks[-1]["plays"][-1]["cards"])
            self.hands = [[card for card in hand if card not in played] for hand in self.hands]

    def sensible_play(self, seat: int) -> None:
        hand = self.hands[seat]
        if self.round.last is None:
            self.lead(seat, hand)
            return
        order, on = self.round.suit_order(), self.round.last
        plays = [
            play
            for play in all_plays(self.rng, hand)
            if play_beats(self.round.options, order, on, play, five_lies=self.round.five_lies)
        ]
        if not plays or self.draft.chance(self.pass_rate):
            self.draft.offer({"type": "pass", "seat": seat})
            return
        plays.sort(key=lambda play: (len(play) != len(on), max(card_key(c, order) for c in play)))
        self.play(seat, plays[0] if self.draft.chance(0.7) else self.rng.choice(plays))

    def lead(self, seat: int, hand: Cards) -> None:
        """Lead a combination the rules allow, or end the round with a result."""
        plays = [play for play in all_plays(self.rng, hand) if self.may_lead(seat, play)]
        if self.round.leads_on(seat) and (not plays or self.draft.chance(0.05)):
            self.draft.offer({"type": "pass", "seat": seat})
            return
        if not plays and hand and self.draft.chance(0.5):
            plays = all_plays(self.rng, hand)
        if not plays:
            self.offer_result()
            return
        size = self.rng.choice(sorted({len(play) for play in plays}))
        self.play(seat, self.rng.choice([play for play in plays if len(play) == size]))

    def may_lead(self, seat: int, play: Cards) -> bool:
        """Whether this seat may lead it; a bluffer sometimes ignores that."""
        if self.round.breaks_lock(seat, play) or kind_of(play) != "riot":
            return not self.round.breaks_lock(seat, play)
        hand, rule = self.hands[seat], self.round.options["riot_lead"]
        if rule == "never":
            return False
        left = [card for card in hand if card not in play]
        bluff = len(left) % 4 == 0 and self.draft.mischief > 0 and self.draft.chance(0.5)
        return rule == "always" or only_riots(left) or bluff

    def offer_result(self) -> None:
        left = [self.rng.randint(1, max(1, count)) for count in self.round.cards_left]
        if self.draft.chance(0.3):
            left = list(self.round.cards_left)
        winner = self.rng.randrange(len(left))
        left[winner] = 0
        if self.draft.chance(self.draft.mischief):
            left[self.rng.randrange(len(left))] = self.rng.choice([0, -1, 13, 22])
        if self.draft.chance(self.draft.mischief / 2):
            left = left[:-1]
        self.draft.offer({"type": "result", "cards_left": left})

    # --- mischief ----------------------------------------------------------------------------

    def trouble(self) -> None:
        """Something irregular or impossible."""
        usual = [self.out_of_turn, self.wrong_pass, self.weak_play]
        rare = [self.no_combination, self.odd_event, self.impossible_play, self.bold_riot]
        weights = [4, 4, 4, 2, 2, 3, 4 if self.round.last else 9]
        self.rng.choices([*usual, *rare], weights)[0]()

    def out_of_turn(self) -> None:
        seats = list(self.round.passed) or list(range(self.round.seats))
        seat = self.rng.choice(seats) if self.draft.chance(0.5) else self.other_seat()
        plays = all_plays(self.rng, self.hands[seat])
        on, order = self.round.last, self.round.suit_order()
        if on is not None and len(order) == 4 and self.draft.chance(0.7):
            rules, lies = self.round.options, self.round.five_lies
            better = [p for p in plays if play_beats(rules, order, on, p, five_lies=lies)]
            plays = better or plays
        if plays:
            self.play(seat, self.rng.choice(plays))

    def other_seat(self) -> int:
        return self.rng.randrange(self.round.seats)

    def wrong_pass(self) -> None:
        seats = [*self.round.passed, *range(self.round.seats), 9 if self.draft.chance(0.1) else 0]
        self.draft.offer({"type": "pass", "seat": self.rng.choice(seats)})

    def weak_play(self) -> None:
        plays = all_plays(self.rng, self.hands[self.round.turn])
        if plays:
            self.play(self.round.turn, self.rng.choice(plays))

    def no_combination(self) -> None:
        hand = self.hands[self.round.turn]
        count = self.rng.randint(2, 6)
        if len(hand) >= count:
            self.play(self.round.turn, self.rng.sample(hand, count))

    def bold_riot(self) -> None:
        """A player plays four of a kind, allowed or not."""
        for seat in [self.round.turn, self.other_seat()]:
            riots = [p for p in all_plays(self.rng, self.hands[seat]) if kind_of(p) == "riot"]
            if riots:
                self.play(seat, self.rng.choice(riots))
                return

    def impossible_play(self) -> None:
        """A play that cannot have happened."""
        seat = self.round.turn
        played = list(self.round.evidence.shown) or ["9S"]
        own = self.hands[seat] or ["9S"]
        card = self.rng.choice(own)
        choices: list[tuple[int, Cards]] = [
            (seat, [self.rng.choice(played)]),
            (seat, [card, card]),
            (seat, [self.rng.choice(STRANGE_CARDS)]),
            (seat, []),
            (self.rng.choice([9, -1, self.round.seats]), [card]),
            (seat, [self.rng.choice(self.deck)]),
            (seat, self.rng.sample(self.deck, self.rng.choice([5, 9, 22]))),
            (seat, [card + "*" if self.round.decks == 1 else card.rstrip("*")]),
        ]
        self.play(*self.rng.choice(choices))

    def odd_event(self) -> None:
        """An event at the wrong time, or of another game."""
        seat = self.other_seat()
        swap = {"constipated": False, "given": None, "returned": None}
        events: list[Json] = [
            {"type": "suit", "seat": seat, "suit": self.rng.choice(SUITS)},
            {"type": "drop-deuce", "king": None, **swap},
            {"type": "drop-deuce", "king": 9, **swap, "given": "2S", "returned": "3S"},
        ]
        if self.draft.chance(0.25):
            self.draft.offer_foreign_event()
        else:
            self.draft.offer(self.rng.choice(events))
