"""Random records and questions of Ace Pit, for differential tests."""

from __future__ import annotations

import random
from functools import partial
from itertools import combinations

from tests.games.ace_pit.oracle import OPTIONS, PitHand, PitTable, possible_scores, responder_lines
from tests.games.french.oracle import Json, french_deck
from tests.games.french.random_draft import STRANGE_CARDS, Draft, new_record, told
from tests.games.tricks.random_story import random_end, random_options

Cards = list[str]


def random_record(rng: random.Random, mischief: float | None = None) -> Json:
    """A record of up to four hands; `mischief` is the chance of trouble at each turn."""
    options = pit_options(rng)
    record = new_record(rng, PitTable.game, 2, options, random_end(rng, (50, 150, 300)))
    rate = rng.choice([0.0, 0.03, 0.1, 0.25]) if mischief is None else mischief
    draft = Draft(rng, PitTable(record), record, rate)
    return told(draft, Script, rng.choice([0, 1, 1, 2, 2, 3, 4, 12]))


honest_record = partial(random_record, mischief=0.0)


def pit_options(rng: random.Random) -> Json:
    return random_options(rng, {**OPTIONS, "revoke": ("ask", "stand", "bridge", "redeal")})


class Script:
    """One hand as it might have been played at a table."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.rng = draft.rng
        self.stock = french_deck(1)
        self.rng.shuffle(self.stock)
        self.hands = [[self.stock.pop() for _ in range(7)] for _ in range(2)]
        rate = self.rng.choice([0, 0, 0.5, 1])
        entered = [seat for seat in range(2) if draft.chance(rate)]
        known = {str(seat): list(self.hands[seat]) for seat in entered}
        self.hand: PitHand = draft.begin_hand(known)
        self.trick_rate = self.rng.choice([0, 0, 0.1, 0.5, 1])
        self.result_rate = self.rng.choice([0, 0, 0.03, 0.2])
        self.stop_rate = self.rng.choice([0, 0, 0, 0.03])

    def write(self) -> None:
        for _ in range(120):
            if self.draft.stopped or not self.hand.running:
                break
            if self.draft.chance(self.stop_rate):
                return
            self.turn()
        if self.draft.chance(0.12):
            self.draft.offer_table_event()
        if self.draft.may_stop and self.draft.chance(0.15):
            self.trouble()

    def turn(self) -> None:
        if self.draft.chance(self.draft.mischief):
            self.trouble()
        elif self.draft.chance(0.01):
            self.draft.offer_table_event()
        elif self.hand.laid is None and self.draft.chance(self.result_rate):
            self.offer_result()
        elif self.hand.laid is None and self.draft.chance(self.trick_rate):
            self.offer_trick()
        elif self.hand.laid is None:
            self.lay(self.hand.leader)
        else:
            self.respond()

    # --- cards -------------------------------------------------------------------------------

    def play(self, seat: int, cards: Cards) -> bool:
        """Offer a play; the real hands follow, and a second card is replaced by a draw."""
        laying = self.hand.laid is None
        if not self.draft.offer({"type": "play", "seat": seat, "cards": list(cards)}):
            return False
        played = self.hand.played
        self.hands = [[card for card in hand if card not in played] for hand in self.hands]
        self.stock = [card for card in self.stock if card not in played]
        if not laying and len(cards) == 2 and self.stock:
            self.hands[seat].append(self.stock.pop())
        return True

    def lay(self, seat: int) -> None:
        if not self.hands[seat]:
            self.offer_result()
            return
        self.play(seat, [self.rng.choice(self.hands[seat])])

    def respond(self) -> None:
        """Answer with a set if there is one, usually."""
        seat = 1 - self.hand.leader
        own = self.hands[seat]
        answers = [[card] for card in own]
        if self.hand.cards_left[seat] > 1:
            answers += [list(pair) for pair in combinations(own, 2)]
        fair = [a for a in answers if self.lines(a) is not None]
        sets = [a for a in fair if self.lines(a)]
        pool = sets if sets and self.draft.chance(0.8) else fair
        if pool:
            self.play(seat, self.rng.choice(pool))
        elif not self.play(seat, [self.rng.choice(self.stock)]):
            self.draft.offer({"type": "redeal", "reason": "cards went missing"})

    def lines(self, cards: Cards) -> dict[str, int] | None:
        return responder_lines(self.hand.options, self.hand.laid or "", cards)

    # --- other depths ------------------------------------------------------------------------

    def offer_trick(self) -> None:
        """A trick without its cards."""
        winner = self.rng.randrange(2)
        if winner == self.hand.leader:
            points = self.rng.choice([10, self.hand.options["ace_lead"]])
        else:
            longest = 1 if len(self.hand.tricks) == 6 and not self.draft.chance(self.draft.mischief) else 2
            points = self.rng.choice(sorted(possible_scores(self.hand.options, longest)))
        key = str(winner)
        if self.draft.chance(self.draft.mischief):
            points = self.rng.choice([0, 5, 10, 15, 45, 60, 115, 200, -10])
        if self.draft.chance(self.draft.mischief / 2):
            key = str(1 - winner)
        last = len(self.hand.tricks) == 6
        if not self.draft.offer({"type": "trick", "winner": winner, "points": {key: points}}):
            return
        for seat in range(2):
            responder = self.hand.tricks[-1]["leader"] != seat
            self.play_unseen(seat, responder and not last and self.draft.chance(0.5))

    def play_unseen(self, seat: int, two: bool) -> None:
        """Cards leave a hand without being recorded."""
        own = self.hands[seat]
        for _ in range(min(len(own), 2 if two else 1)):
            own.remove(self.rng.choice(own))
        if two and self.stock:
            own.append(self.stock.pop())

    def offer_result(self) -> None:
        left = 7 - len(self.hand.tricks)
        points = self.hand.recorded()
        for _ in range(left):
            points[self.rng.randrange(2)] += self.rng.choice([10, 15, 20, 50, 70])
        if self.draft.chance(0.2):
            points[self.rng.randrange(2)] += self.rng.choice([-10, -5, 5, 10, 25, 100])
        if self.draft.chance(self.draft.mischief):
            points[0] = self.rng.choice([0, -5, 12, 5, 500])
        if self.draft.chance(self.draft.mischief / 2):
            points = points[:1]
        self.draft.offer({"type": "result", "points": points})

    # --- mischief ----------------------------------------------------------------------------

    def trouble(self) -> None:
        """Something irregular or impossible."""
        kinds = [self.wrong_seat, self.bad_pair, self.impossible_play, self.odd_event]
        self.rng.choices(kinds, [4, 4, 2, 1])[0]()

    def wrong_seat(self) -> None:
        """A card by a seat that is not to act."""
        seat = 1 - self.hand.to_act()[0]
        if self.hands[seat]:
            self.play(seat, [self.rng.choice(self.hands[seat])])

    def bad_pair(self) -> None:
        seat = self.hand.to_act()[0]
        if len(self.hands[seat]) >= 2:
            self.play(seat, self.rng.sample(self.hands[seat], 2))

    def impossible_play(self) -> None:
        """A play that cannot have happened."""
        seat = self.hand.to_act()[0]
        deck = french_deck(1)
        card = self.rng.choice(self.hands[seat] or deck)
        played = sorted(self.hand.played) or deck
        choices: list[tuple[int, Cards]] = [
            (seat, [self.rng.choice(played)]),
            (seat, [card, card]),
            (seat, [self.rng.choice(STRANGE_CARDS)]),
            (seat, []),
            (self.rng.choice([2, 9, -1]), [card]),
            (seat, [self.rng.choice(deck)]),
            (seat, self.rng.sample(deck, 3)),
            (seat, [card + "*"]),
        ]
        self.play(*self.rng.choice(choices))

    def odd_event(self) -> None:
        """An event at the wrong time, or of another game."""
        seat = self.rng.randrange(2)
        swap = {"king": None, "constipated": False, "given": None, "returned": None}
        kind = self.rng.randrange(5)
        if kind == 0:
            self.draft.offer({"type": "pass", "seat": seat})
        elif kind == 1:
            self.draft.offer({"type": "suit", "seat": seat, "suit": "S"})
        elif kind == 2:
            self.draft.offer({"type": "drop-deuce", **swap})
        elif kind == 3:
            self.draft.offer_foreign_event()
        elif self.draft.chance(0.5):
            self.offer_trick()
        else:
            self.offer_result()


# --- single questions ------------------------------------------------------------------------


def random_response(rng: random.Random) -> Json:
    deck = french_deck(1)
    laid = rng.choice(["AS", "AD", "KH", "8C", rng.choice(deck)])
    near = [card for card in deck if card != laid and (card[-1] == laid[-1] or card[0] in "A7K9")]
    pool = near if rng.random() < 0.5 else [card for card in deck if card != laid]
    response = rng.sample(pool, rng.choice([1, 2, 2]))
    return {"game": PitTable.game, "options": pit_options(rng), "laid": laid, "response": response}
