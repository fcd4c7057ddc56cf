"""Presenters of the end of a hand or game: scores, leader, and what comes next."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.engine.hand import Hand
from referee.engine.rules import BY_SCORE, BY_TIME, OPEN
from referee.engine.sheet import DescribedHand
from referee.engine.state import VOID
from referee.engine.table import add_up
from scoring.groups.reads.statistics import PersonalBest
from scoring.tables.presenters.cards import Shown, cited, clause_links, face, faces_of
from scoring.tables.presenters.curves import ScoreSheet
from scoring.tables.presenters.felt import bags_in_words, cards_kept, deal_in_words, title_of, tricks_made, won_and_bid
from scoring.tables.presenters.findings import (
    certainty,
    finding_word,
    is_announced,
    show_withdrawn,
    who_of,
)
from scoring.tables.presenters.formats import PAGE_LANGUAGE, listed, number, signed
from scoring.tables.presenters.game_over import places_of
from scoring.tables.presenters.house_rules import changes_in_words
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.presenters.people import at_table
from scoring.tables.reads.page_facts import HandRulings
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing
from scoring.wording import filled

# --- The end of a game: its best hand, and its irregularities and decisions

HANDS_TO_COMPARE = 3
"""Minimum number of hands for mentioning the best so far."""
MOST_ALIKE = 3
"""Maximum number of equal best hands that are named."""


def best_hand(sheet: ScoreSheet) -> str:
    """Describe who had the best hand of the game; empty if all are equal."""
    settled = [hand for hand in sheet.hands if hand.settled]
    if not sheet.shown or len(settled) < 2:
        return ""
    nothing = (0,) * len(sheet.names)
    brought = [
        (points, hand.number, listed(sheet.names[seat] for seat in sheet.rules.sides[side]))
        for hand in settled
        for side, points in enumerate(add_up(sheet.rules, nothing, [points or 0 for points in hand.scores]))
        if side == sheet.rules.sides[side][0]
    ]
    most = max((points for points, _number, _who in brought), key=sheet.rules.worth)
    if most <= 0 and not sheet.rules.lowest_wins:
        return ""
    alike = [filled(_("{name} in hand {number}"), name=who, number=n) for points, n, who in brought if points == most]
    who = ", ".join(alike[:MOST_ALIKE]) + (", …" if len(alike) > MOST_ALIKE else "")
    return filled(_("{who}: {points}."), who=who, points=signed(most))


def _record(sheet: ScoreSheet) -> str:
    """Describe a record set by the last hand; empty without one, or after too few hands."""
    settled = [[points or 0 for points in hand.scores] for hand in sheet.hands if hand.settled]
    if not sheet.shown or len(settled) < HANDS_TO_COMPARE or sheet.last is None or not sheet.last.settled:
        return ""
    worth = sheet.rules.worth
    most, before = max(settled[-1], key=worth), max((max(scores, key=worth) for scores in settled[:-1]), key=worth)
    if worth(most) <= worth(before) or (most <= 0 and not sheet.rules.lowest_wins):
        return ""
    who = listed(name for name, points in zip(sheet.names, settled[-1], strict=True) if points == most)
    return filled(_("{points} for {names}: the best hand of the game so far."), points=signed(most), names=who)


def ruled_hands(at: Standing, rulings: tuple[HandRulings, ...], *, points: bool) -> Iterator[Shown]:
    """Present rulings by hand; ``points`` includes scores."""
    names, pack, game = at.names, at.rules.pack, game_of(at.row)
    for ruled in rulings:
        last = at.hand if at.hand is not None and at.hand.setup.index == ruled.hand["number"] - 1 else None
        found = []
        for each in ruled.hand["irregularities"]:
            if is_announced(each, last):
                settled = ruled.settled.get(each["event"][1], ())
                found.append(
                    Shown(
                        word=finding_word(each),
                        who=who_of(each, names),
                        certainty=certainty(each["certainty"]),
                        trick=each["trick"],
                        links=clause_links(game, each["reason"]["clauses"]),
                        settled=tuple(sentence(event, names, pack, points=points) for event in settled),
                    )
                )
        decided = tuple(sentence(event, names, pack, points=points) for event in ruled.decided)
        pairs = zip(ruled.hand.get("withdrawn", []), ruled.resting, strict=True)
        gone = tuple(show_withdrawn(each, rows, at, points=points) for each, rows in pairs)
        if found or gone or decided:
            yield Shown(number=ruled.hand["number"], found=tuple(found), withdrawn=gone, decided=decided)


# --- The end of a hand: what changed, a row per player by total, and what comes next

PLACES = (
    gettext_lazy("1st"),
    gettext_lazy("2nd"),
    gettext_lazy("3rd"),
    gettext_lazy("4th"),
    gettext_lazy("5th"),
    gettext_lazy("6th"),
    gettext_lazy("7th"),
    gettext_lazy("8th"),
)
TIES = {
    3: gettext_lazy("Three-way tie at the top."),
    4: gettext_lazy("Four-way tie at the top."),
    5: gettext_lazy("Five-way tie at the top."),
    6: gettext_lazy("Six-way tie at the top."),
    7: gettext_lazy("Seven-way tie at the top."),
    8: gettext_lazy("Eight-way tie at the top."),
}
RESULT_ONLY = "result-only"
"""Reason code of hands that were only partly recorded trick by trick."""
FULL = 100
"""Length of the longest bar, in percent."""


class Scene(Shown):
    """A finished hand: ``story`` summarizes the change in a sentence, ``rows`` are the players.

    If the game is over, ``best`` describes its best hand; ``record``: this hand is the best so far; ``trick`` describes
    the hand's most valuable trick, in games where values differ; ``answers`` are its tricks in games with answers.
    ``rules`` are house rules changed since. ``played``: the hand was recorded to its last trick, instead of ending with
    an entered result; ``ending`` is the result if the game ends here. ``bests`` are personal bests in the group.
    """

    @property
    def ranking(self) -> str:
        return ", ".join(f"{row.name} {number(row.total)}" for row in self.rows if row.total is not None)


def scene_of(
    at: Standing,
    described: DescribedHand,
    coming: Hand | None,
    sheet: ScoreSheet,
    bests: Sequence[PersonalBest] = (),
) -> Scene:
    """Present the last hand; ``coming`` is the next one, ``None`` once the game is over."""
    points = sheet.shown
    state, names, game = at.state, at.names, game_of(at.row)
    totals, before = state.totals(), state.totals_before()
    void = at.hand is not None and at.hand.phase is VOID
    titles = coming.describe().get("titles") if coming else None
    rows = [_row(at, seat, described, title=title_of(seat, titles)) for seat in range(len(names))]
    deal = deal_in_words(game, coming.setup, names[coming.setup.dealer]) if coming else None
    acting = coming.to_act() if coming else ()
    changed = at.hand.coming if at.hand is not None else None
    story = _story(at, before, totals) if coming and points and not void else ""
    if points and not void and at.hand is not None and (highlight := at.hand.highlight()):
        story = highlight.sentence(names, PAGE_LANGUAGE)
    return Scene(
        number=described["number"],
        void=void,
        played=bool(described["tricks"]) and all(each["code"] != RESULT_ONLY for each in described["unchecked"]),
        rows=tuple(sorted(rows, key=lambda row: -at.state.rules.worth(row.total)))
        if points
        else tuple(map(_hidden, rows)),
        story=story,
        dealer=names[coming.setup.dealer] if coming else "",
        deal=deal.sentence if deal else "",
        leads=filled(_("{name} begins."), name=names[acting[0]]) if len(acting) == 1 else "",
        ending=_ending(at, totals, shown=points) if coming else "",
        best="" if coming else best_hand(sheet),
        trick=_best_trick(described) if points and not at.state.rules.lowest_wins else "",
        record=_record(sheet) if coming and not bests else "",
        bests=tuple(
            filled(_("Best hand yet for {name}: {points}"), name=names[each.seat], points=number(each.points))
            for each in bests
        ),
        answers=tuple(_answered(at, described)) if points else (),
        rules=changes_in_words(game, at.hand.rules.options, changed.options, at.rules.players)
        if at.hand is not None and changed is not None
        else (),
    )


def _row(at: Standing, seat: int, described: DescribedHand, *, title: str) -> Shown:
    totals, before, who = at.state.totals(), at.state.totals_before(), at_table(at.row)[seat]
    total, rules = totals[seat], at.state.rules
    most, best = max(totals), max(totals, key=rules.worth)
    was, now = places_of(at, before)[seat], places_of(at, totals)[seat]
    target = at.rules.end.value if at.rules.end.kind == BY_SCORE.name else None
    full = target or most
    start, end = (min(max(points, 0) * FULL // max(full, 1), FULL) for points in (before[seat], total))
    won, bid = won_and_bid(seat, described)
    return Shown(
        name=who.name,
        who=who,
        made=_deed(at, seat, described),
        worth=_worth(seat, described),
        exact=bid is not None and won == bid and not described.get("contracts"),
        score=described["scores"][seat],
        before=before[seat],
        total=total,
        ahead=total == best,
        title=title,
        moved=(was > now) - (was < now) if any(before) else 0,
        place=str(PLACES[now - 1]),
        away=_away(total, None if rules.lowest_wins else target, best),
        bar=Shown(kept=min(start, end), gained=max(end - start, 0)) if full > 0 and min(totals) >= 0 else None,
    )


def _hidden(row: Shown) -> Shown:
    """Return a row without points."""
    nothing = dict.fromkeys(("score", "before", "total", "bar")) | {"worth": "", "away": "", "ahead": False, "moved": 0}
    return Shown(**vars(row) | nothing)


def _away(total: int, target: int | None, best: int) -> str:
    if target is not None:
        return filled(_("{points} to go"), points=number(target - total)) if total < target else ""
    return filled(_("{points} behind"), points=number(abs(best - total))) if total != best else ""


def _deed(at: Standing, seat: int, described: DescribedHand) -> str:
    """Describe a player's hand: bid and tricks, or cards left."""
    won, bid = won_and_bid(seat, described)
    if won is not None and bid is not None:
        deed = filled(_("bid {bid}, took {won}"), bid=bid, won=won)
        # Partners who bid together are over or short only as a side.
        off = "" if described.get("contracts") and len(at.rules.sides[seat]) > 1 else _off_by(won - bid)
        return ", ".join(filter(None, (deed, off, bags_in_words(seat, described))))
    return cards_kept(seat, described) if at.rules.game.hand_class.CLIMBS else tricks_made(seat, described)


def _worth(seat: int, described: DescribedHand) -> str:
    """Describe the values of a player's tricks, best first, in games where they differ."""
    worths = [trick["points"].get(str(trick["winner"]), 0) for trick in described["tricks"]]
    if len(set(worths)) < 2:
        return ""
    own = [worth for worth, trick in zip(worths, described["tricks"], strict=True) if trick["winner"] == seat]
    counted = ((worth, own.count(worth)) for worth in sorted(set(own), reverse=True) if worth)
    return " + ".join(f"{count} × {worth}" if count > 1 else str(worth) for worth, count in counted)


def _off_by(tricks: int) -> str:
    """Describe by how many tricks a bid was missed; empty if it was made.

    >>> _off_by(1), _off_by(-2)
    ('one over', '2 short')
    """
    if tricks > 0:
        return filled(ngettext("one over", "{tricks} over", tricks), tricks=tricks)
    return filled(ngettext("one short", "{tricks} short", -tricks), tricks=-tricks) if tricks else ""


def _ending(at: Standing, totals: Sequence[int], *, shown: bool) -> str:
    """Describe the result of ending the game now, and whether that is early."""
    first = at.state.rules.ahead(totals)
    names, points = listed(at.names[seat] for seat in first), number(totals[first[0]])
    if not shown:
        wins = _("Then everyone sees the points.")
    elif _sides_ahead(at, first) > 1:
        wins = filled(_("{names} tie with {points}."), names=names, points=points)
    else:
        sentence = ngettext("{names} wins with {points}.", "{names} win with {points}.", len(first))
        wins = filled(sentence, names=names, points=points)
    if at.rules.end.kind in (OPEN.name, BY_TIME.name):
        return wins
    return filled(_("The game ends early. {wins}"), wins=wins)


def _sides_ahead(at: Standing, first: Sequence[int]) -> int:
    return len({at.rules.sides[seat] for seat in first})


def _answered(at: Standing, described: DescribedHand) -> Iterator[Shown]:
    """Yield tricks with an answer: points, reason, and the best possible answer."""
    game, pack = game_of(at.row), at.rules.pack
    for trick in described["tricks"]:
        winner = trick["winner"]
        if winner is None or "best" not in trick:
            continue
        (laid, *_more), answer = (play["cards"] for play in trick["plays"])
        yield Shown(
            laid=face(pack, laid),
            answered=faces_of(answer, pack),
            points=trick["points"].get(str(winner), 0),
            winner=at.names[winner],
            why=cited(game, trick["reason"], pack),
            best=cited(game, trick["best"]["reason"], pack),
        )


def _best_trick(described: DescribedHand) -> str:
    """Describe the most valuable trick, and why; empty if all are equal."""
    won = [trick for trick in described["tricks"] if trick["winner"] is not None]
    worth = [trick["points"].get(str(trick["winner"]), 0) for trick in won]
    most = max(worth, default=0)
    if most <= 0 or min(worth) == most:
        return ""
    best = [trick for trick, points in zip(won, worth, strict=True) if points == most]
    numbers = listed(str(trick["number"]) for trick in best)
    reason = best[0]["reason"] if len(best) == 1 else None
    if reason is not None:
        return filled(_("Best trick, number {number}: {why}"), number=numbers, why=reason["text"])
    if len(best) > 1:
        sentence = ngettext(
            "Best tricks: {number}, {points} point each.", "Best tricks: {number}, {points} points each.", most
        )
    else:
        sentence = ngettext("Best trick: {number}, {points} point.", "Best trick: {number}, {points} points.", most)
    return filled(sentence, number=numbers, points=most)


def _story(at: Standing, before: Sequence[int], totals: Sequence[int]) -> str:
    was, now = at.state.rules.ahead(before), at.state.rules.ahead(totals)
    names, sides = listed(at.names[seat] for seat in now), _sides_ahead(at, now)
    if sides > 2 or (sides == 2 and len(now) > 2):
        return str(TIES[sides]) if sides > 2 else _("Both sides are tied.")
    if sides == 2:
        return filled(_("{names} are tied."), names=names)
    if was != now:
        return filled(ngettext("{names} takes the lead.", "{names} take the lead.", len(now)), names=names)
    worth = at.state.rules.worth
    behind = max((worth(total) for seat, total in enumerate(totals) if seat not in now), default=0)
    margin = worth(totals[now[0]]) - behind
    sentence = ngettext("{names} leads by {margin}.", "{names} lead by {margin}.", len(now))
    return filled(sentence, names=names, margin=margin)
