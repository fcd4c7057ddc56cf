"""The end of a hand and of a game, as a scene: what it brought to each, who is ahead, how it goes on."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.hand import Hand, class_of
from referee.engine.sheet import DescribedHand
from referee.engine.state import VOID
from referee.engine.table import add_up, ahead
from scoring.tables.presenters.cards import Shown, cited, clause_links, face, faces_of
from scoring.tables.presenters.curves import ScoreSheet
from scoring.tables.presenters.felt import cards_kept, deal_in_words, title_of, tricks_made
from scoring.tables.presenters.findings import (
    certainty,
    finding_word,
    is_announced,
    show_withdrawn,
    who_of,
)
from scoring.tables.presenters.formats import number
from scoring.tables.presenters.house_rules import changes_in_words
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.reads.page_facts import HandRulings
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing

# --- The end of a game: its best hand, and all that was irregular or decided in it

MOST_ALIKE = 3
"""So many best hands are named where several brought the same."""


def best_hand(sheet: ScoreSheet) -> str:
    """Say which hand brought most, and to whom: all that did, partners as one. Empty where there is no choice."""
    settled = [hand for hand in sheet.hands if hand.settled]
    if not sheet.shown or len(settled) < 2:
        return ""
    nothing = (0,) * len(sheet.names)
    brought = [
        (points, hand.number, " & ".join(sheet.names[seat] for seat in sheet.rules.sides[side]))
        for hand in settled
        for side, points in enumerate(add_up(sheet.rules, nothing, [points or 0 for points in hand.scores]))
        if side == sheet.rules.sides[side][0]
    ]
    most = max(points for points, _number, _who in brought)
    if most <= 0:
        return ""
    alike = [_("{name} (hand {number})").format(name=who, number=n) for points, n, who in brought if points == most]
    who = ", ".join(alike[:MOST_ALIKE]) + (", …" if len(alike) > MOST_ALIKE else "")
    sentence = ngettext("Best hand, {points} point: {who}.", "Best hand, {points} points: {who}.", most)
    return sentence.format(points=most, who=who)


def ruled_hands(at: Standing, rulings: tuple[HandRulings, ...], *, points: bool) -> Iterator[Shown]:
    """Return what was ruled in each hand, as far as there is anything to be told; without ``points`` none is named."""
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


# --- The end of a hand, as a scene: what it brought to each, who is ahead now, and how it goes on


class Scene(Shown):
    """A hand that is over: the players from the highest total, a sentence, and how the next hand begins.

    Where the game is over with it, ``best`` says which of its hands brought most; ``trick`` says which trick of this
    hand did, in a game in which they are worth more or less; ``answers`` are its tricks where a card is answered.
    ``rules`` are the house rules that the table has changed since.
    """

    @property
    def ranking(self) -> str:
        return ", ".join(f"{row.name} {number(row.total)}" for row in self.rows if row.total is not None)


def scene_of(at: Standing, described: DescribedHand, coming: Hand | None, sheet: ScoreSheet, *, goes_on: bool) -> Scene:
    """Return the scene of the last hand; ``coming`` is the next one, ``None`` once the game is over.

    ``goes_on``: at another table, so nobody has won here.
    """
    points = sheet.shown
    state, names, game = at.state, at.names, game_of(at.row)
    totals, before = state.totals(), state.totals_before()
    leaders = ahead(totals) if points else ()
    new_titles = coming.describe().get("titles") if coming else None
    rows = [
        Shown(
            name=name,
            made=(cards_kept if class_of(at.rules).CLIMBS else tricks_made)(seat, described),
            score=described["scores"][seat] if points else None,
            before=before[seat] if points else None,
            total=totals[seat] if points else None,
            ahead=seat in leaders,
            title=title_of(seat, new_titles),
        )
        for seat, name in enumerate(names)
    ]
    deal = deal_in_words(game, coming.setup, names[coming.setup.dealer]) if coming else None
    acting = coming.to_act() if coming else ()
    changed = at.hand.coming if at.hand is not None else None
    return Scene(
        number=described["number"],
        void=at.hand is not None and at.hand.phase is VOID,
        rows=tuple(sorted(rows, key=lambda row: -(row.total or 0))),
        story=(_story(at, before, totals) if coming or goes_on else _margin(totals)) if points else "",
        deal=deal.sentence if deal else "",
        leads=_("{name} begins.").format(name=names[acting[0]]) if len(acting) == 1 else "",
        best="" if coming else best_hand(sheet),
        trick=_best_trick(described) if points else "",
        answers=tuple(_answered(at, described)) if points else (),
        rules=changes_in_words(game, at.hand.rules.options, changed.options, at.rules.players)
        if at.hand is not None and changed is not None
        else (),
    )


def _answered(at: Standing, described: DescribedHand) -> Iterator[Shown]:
    """Yield the tricks in which a card was answered: what each brought and why, and what the best answer was."""
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
    """Say which trick of a hand was worth most to its winner, and why; nothing where all are worth the same."""
    won = [trick for trick in described["tricks"] if trick["winner"] is not None]
    worth = [trick["points"].get(str(trick["winner"]), 0) for trick in won]
    most = max(worth, default=0)
    if most <= 0 or min(worth) == most:
        return ""
    best = [trick for trick, points in zip(won, worth, strict=True) if points == most]
    numbers = " & ".join(str(trick["number"]) for trick in best)
    reason = best[0]["reason"] if len(best) == 1 else None
    if reason is not None:
        return _("Best trick, number {number}: {why}").format(number=numbers, why=reason["text"])
    if len(best) > 1:
        sentence = ngettext(
            "Best tricks: {number}, {points} point each.", "Best tricks: {number}, {points} points each.", most
        )
    else:
        sentence = ngettext("Best trick: {number}, {points} point.", "Best trick: {number}, {points} points.", most)
    return sentence.format(number=numbers, points=most)


def _margin(totals: Sequence[int]) -> str:
    behind = [total for total in totals if total < max(totals)]
    if not behind:
        return ""
    margin = max(totals) - max(behind)
    return ngettext("By {margin} point.", "By {margin} points.", margin).format(margin=margin)


def _story(at: Standing, before: Sequence[int], totals: Sequence[int]) -> str:
    """Say in one sentence what the hand has done to the game: partners are one."""
    was, now = ahead(before), ahead(totals)
    names = " & ".join(at.names[seat] for seat in now)
    if now != at.rules.sides[now[0]] and len(now) > 1:
        return _("{names} are level.").format(names=names)
    margin = totals[now[0]] - max((total for seat, total in enumerate(totals) if seat not in now), default=0)
    if was == now:
        sentence = ngettext("{names} stays ahead, by {margin}.", "{names} stay ahead, by {margin}.", len(now))
    else:
        sentence = ngettext("{names} takes the lead, by {margin}.", "{names} take the lead, by {margin}.", len(now))
    return sentence.format(names=names, margin=margin)
