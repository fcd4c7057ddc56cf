"""A naive score sheet for any game: recomputes every round after each event."""

from typing import Any

Json = dict[str, Any]


class Invalid(Exception):  # noqa: N818 - the record is refused, no program failed
    """The record is refused as a whole."""


class Wrong(Exception):  # noqa: N818 - likewise, one event
    """An event is not accepted; its code says why."""


def sides_of(teams: str, players: int) -> list[list[int]]:
    if teams == "none":
        return [[seat] for seat in range(players)]
    if players not in (4, 6, 8):
        raise Invalid
    if teams == "two":
        return [[other for other in range(players) if other % 2 == seat % 2] for seat in range(players)]
    return [sorted({seat, (seat + players // 2) % players}) for seat in range(players)]


class Sheet:
    """All rounds so far, each with its numbers, penalties, name and whether it is void."""

    def __init__(self, record: Json) -> None:
        self.players, self.end = len(record["seats"]), record["end"]
        self.options = {"wins": "highest", "teams": "none", **record["options"]}
        self.carried = record.get("carried", [0] * self.players)
        self.dealer, self.rounds, self.ended = record["first_dealer"], list[Json](), False
        self.rejected: Json | None = None
        self.began = sides_of(self.options["teams"], self.players)

    def totals(self) -> list[int]:
        own = [0] * self.players
        for each in self.rounds:
            for seat, number in enumerate(each["numbers"]):
                own[seat] += number if phase(each) == "finished" else 0
            for seat, points in each["penalties"]:
                own[seat] += points
        totals = []
        for side in sides_of(self.options["teams"], self.players):
            before = {tuple(self.began[seat]): self.carried[seat] for seat in side}
            totals.append(sum(before.values()) + sum(own[seat] for seat in side))
        return totals

    def finished(self) -> bool:
        if self.ended:
            return True
        if not self.rounds or phase(self.rounds[-1]) != "finished":
            return False
        played = sum(phase(each) == "finished" for each in self.rounds)
        over = {"score": max(self.totals()), "hands": played}
        return self.end["kind"] in over and over[self.end["kind"]] >= self.end["value"]

    def begin(self) -> None:
        if self.finished():
            raise Wrong("hand-finished")
        if self.rounds and phase(self.rounds[-1]) == "scoring":
            raise Wrong("wrong-phase")
        if self.rounds and phase(self.rounds[-1]) == "finished":
            self.dealer = (self.dealer + 1) % self.players
        empty: Json = {"numbers": [None] * self.players, "penalties": [], "name": None, "void": False}
        self.rounds.append({**empty, "dealer": self.dealer})

    def take(self, event: Json) -> None:
        own, kind = self.rounds[-1], event["type"]
        now = phase(own)
        if kind == "penalty":
            own["penalties"].append((event["seat"], event["points"]))
        elif kind == "redeal":
            demand(not self.ended and now != "void", "hand-finished")
            own["void"] = True
        elif kind == "end":
            demand(not self.ended, "hand-finished")
            self.ended, own["void"] = True, now != "finished"
        elif kind == "rules":
            self.change(event["options"], now)
        elif kind == "round":
            demand(now == "scoring" or (now == "finished" and not self.ended and own["name"] is None), "hand-finished")
            demand(own["name"] is None, "wrong-phase")
            demand(event["name"].strip() != "", "bad-result")
            own["name"] = event["name"].strip()
        elif kind in ("score", "result"):
            demand(now == "scoring", "hand-finished")
            self.enter(own["numbers"], event)
        elif kind != "note":
            raise Wrong("wrong-phase" if now == "scoring" else "hand-finished")

    def enter(self, numbers: list[int | None], event: Json) -> None:
        if event["type"] == "score":
            demand(event["seat"] < self.players, "no-such-seat")
            demand(numbers[event["seat"]] is None, "wrong-phase")
            given = [None if seat != event["seat"] else event["points"] for seat in range(self.players)]
        else:
            given = event.get("points") or []
            demand(len(given) == self.players, "bad-result")
            demand(all(old in (None, new) for old, new in zip(numbers, given, strict=True)), "bad-result")
        demand(all(-9999 <= number <= 9999 for number in given if number is not None), "bad-result")
        numbers[:] = [old if new is None else new for old, new in zip(numbers, given, strict=True)]

    def change(self, options: Json, now: str) -> None:
        demand(not self.finished(), "hand-finished")
        demand(now != "scoring", "wrong-phase")
        try:
            sides_of({**self.options, **options}["teams"], self.players)
        except Invalid:
            raise Wrong("bad-rules") from None
        self.options = {**self.options, **options}


def demand(holds: bool, code: str) -> None:
    if not holds:
        raise Wrong(code)


def phase(each: Json) -> str:
    return "void" if each["void"] else "scoring" if None in each["numbers"] else "finished"


def judge(record: Json) -> Json:
    sheet = Sheet(record)
    for number, hand in enumerate(record["hands"]):
        try:
            sheet.begin()
        except Wrong as wrong:
            sheet.rejected = rejected(number, 0, wrong)
            break
        for place, event in enumerate(hand["events"]):
            try:
                sheet.take(event)
            except Wrong as wrong:
                sheet.rejected = rejected(number, place, wrong)
                break
        if sheet.rejected:
            break
    return answer(sheet)


def rejected(hand: int, event: int, wrong: Wrong) -> Json:
    return {"hand": hand, "event": event, "verdict": "impossible", "code": str(wrong)}


def answer(sheet: Sheet) -> Json:
    totals, finished = sheet.totals(), sheet.finished()
    best = min(totals) if sheet.options["wins"] == "lowest" else max(totals)
    running = bool(sheet.rounds) and phase(sheet.rounds[-1]) == "scoring"
    after = sheet.dealer
    if sheet.rounds and phase(sheet.rounds[-1]) == "finished":
        after = (after + 1) % sheet.players
    return {
        "hands": [described(sheet, number, each) for number, each in enumerate(sheet.rounds, 1)],
        "totals": totals,
        "finished": finished,
        "winners": [seat for seat, total in enumerate(totals) if total == best] if finished else [],
        "next": None if finished or running else dealt(sheet, len(sheet.rounds) + 1, after),
        "rejected": sheet.rejected,
    }


def dealt(sheet: Sheet, number: int, dealer: int) -> Json:
    seats = list(range(sheet.players))
    return {"number": number, "dealer": dealer, "seating": seats, "hand_size": [0] * sheet.players}


def described(sheet: Sheet, number: int, each: Json) -> Json:
    now, seats = phase(each), range(sheet.players)
    scores: list[int | None] = [None] * sheet.players
    if now != "scoring":
        made = each["numbers"] if now == "finished" else [0] * sheet.players
        scores = [made[seat] + sum(points for who, points in each["penalties"] if who == seat) for seat in seats]
    return {
        **dealt(sheet, number, each["dealer"]),
        "phase": now,
        "to_act": [seat for seat in seats if now == "scoring" and each["numbers"][seat] is None],
        "cards_left": [0] * sheet.players,
        "scores": scores,
        "tricks": [],
        "irregularities": [],
    }
