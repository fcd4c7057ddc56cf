"""The adjudication of a record as JSON-like data: what the API answers and pages show."""

from collections.abc import Sequence
from typing import cast

from referee.engine.bounds import Watch, no_watch
from referee.engine.describing import describe_reason
from referee.engine.event_kinds import Event
from referee.engine.hand import Hand
from referee.engine.records import Record, Rejected, Replay, replay
from referee.engine.remedies import Outlook, remedies
from referee.engine.rules import Setup
from referee.engine.rulings import Act, Argument, Certainty, Irregularity, LaidCard, Withdrawn
from referee.engine.sheet import (
    Adjudication,
    DescribedAct,
    DescribedArgument,
    DescribedHand,
    DescribedIrregularity,
    DescribedLaidCard,
    DescribedRejected,
    DescribedScoreLine,
    DescribedSetup,
    DescribedTable,
    DescribedTrick,
    DescribedWithdrawn,
    Details,
    TrickParts,
)
from referee.engine.table import TableState
from referee.engine.translation import ENGLISH, Language


def adjudicate(record: Record, watch: Watch = no_watch, language: Language = ENGLISH) -> Adjudication:
    """Judge a record and describe the outcome; raises what ``watch`` raises."""
    return describe_replay(replay(record, watch), record.seats, watch, language=language)


def describe_replay(
    judged: Replay,
    names: Sequence[str],
    watch: Watch = no_watch,
    *,
    points: bool = True,
    language: Language = ENGLISH,
) -> Adjudication:
    """Describe a judged record; without ``points`` it says none, as where they are hidden."""
    rejected = None if judged.rejected is None else describe_rejected(judged.rejected, names, language)
    hands = [
        describe_hand(hand, names, judged.table, language=language, points=points, watch=watch) for hand in judged.hands
    ]
    return {**describe_table(judged.table, points=points), "hands": hands, "rejected": rejected}


def describe_table(table: TableState, *, points: bool = True) -> DescribedTable:
    """Describe where the game stands: rules, totals, winners and the next deal; without ``points`` no totals."""
    end = table.rules.end
    coming = table.coming()
    described: DescribedTable = {
        "game": table.rules.game.id,
        "rules_version": table.rules.game.rules_version,
        "options": dict(table.opening.options),
        "end": {"kind": end.kind} if end.value is None else {"kind": end.kind, "value": end.value},
        "totals": list(table.totals()) if points else [None] * table.rules.players,
        "points_hidden": not points,
        "finished": table.finished(),
        "winners": list(table.winners()),
        "next": None if coming is None else describe_setup(coming),
        "course": list(table.rules.game.course(table.rules)),
    }
    if table.changed:
        described["options_now"] = dict(table.rules.options)
    return described


def describe_setup(setup: Setup) -> DescribedSetup:
    """Describe how a hand is dealt."""
    return {
        "number": setup.index + 1,
        "dealer": setup.dealer,
        "seating": list(setup.seating),
        "hand_size": None if setup.sizes is None else list(setup.sizes),
    }


def describe_hand(
    hand: Hand,
    names: Sequence[str],
    table: TableState | None = None,
    *,
    language: Language = ENGLISH,
    points: bool = True,
    events: Sequence[Event] | None = None,
    watch: Watch = no_watch,
) -> DescribedHand:
    """Describe one hand as far as it is recorded, its sentences in this language.

    The remedies of a table's last hand say what they would change; of earlier hands no score moves by itself (IR-5).
    With ``events``, what was recorded in it, they make good what an infraction cost beyond the usual, too (IR-6).
    Without ``points`` nothing says what tricks or hands have brought: cards, winners and irregularities are left.
    Raises what ``watch`` raises, which is called again for every irregularity: their remedies are what costs.
    """
    watch()
    outlook = Outlook(table, points, events) if table is not None and table.hand is hand else None
    parts = hand.describe() if points else hand.describe_without_points()
    described = {**parts, "tricks": [describe_trick(trick, names, language) for trick in parts["tricks"]]}
    if "given_up" in parts:
        del described["given_up"]
        described["given"] = [
            {"trick": trick, "to": to, "why": language.render(why)} for trick, to, why in parts["given_up"]
        ]
    opening = parts.get("opening")
    if opening is not None:
        described["opening"] = describe_reason(opening, names, language)
    scores = hand.scores() if points else None
    lines: list[DescribedScoreLine] = [
        {"seat": line.seat, "points": line.points, "reason": describe_reason(line.reason, names, language)}
        for line in (hand.score_lines() if points else ())
    ]
    irregularities = []
    for found in hand.irregularities:
        watch()
        irregularities.append(describe_irregularity(found, hand, names, outlook, language))
    whole = {
        **describe_setup(hand.setup),
        **({} if hand.opening is None else {"options": dict(hand.rules.options)}),
        "phase": str(hand.phase),
        "to_act": list(hand.to_act()),
        "cards_left": list(hand.cards_left()),
        **described,
        "face_up": [
            {"label": language.translate(shown.label), "cards": list(shown.cards), "suit": shown.suit}
            for shown in hand.face_up()
        ],
        "scores": list(scores or (None,) * hand.rules.players),
        "score_lines": lines,
        "irregularities": irregularities,
        "withdrawn": [
            describe_withdrawn(gone, hand, names, language) for gone in hand.disproved() if hand.tells(gone.found)
        ],
        "unchecked": [describe_reason(reason, names, language) for reason in hand.unchecked()],
    }
    return cast(DescribedHand, whole)  # a game's own keys stand where it put them


def describe_findings(
    hand: Hand,
    names: Sequence[str],
    table: TableState,
    *,
    language: Language = ENGLISH,
    points: bool = True,
    events: Sequence[Event] | None = None,
) -> list[DescribedIrregularity]:
    """Describe what is irregular in a hand of a table, dealt last or before, with what the table can do about it now.

    What nobody has decided outlives the next deal; then no score moves by itself (IR-5). ``events`` are as in
    ``describe_hand``.
    """
    outlook = Outlook(table, points, events)
    return [describe_irregularity(found, hand, names, outlook, language) for found in hand.irregularities]


def describe_trick(trick: TrickParts, names: Sequence[str], language: Language) -> DescribedTrick:
    """Describe a trick, its reason and the names of its plays in words."""
    described: dict[str, object] = {**trick}
    details = described.pop("details", {})
    if trick["reason"] is not None:
        described["reason"] = describe_reason(trick["reason"], names, language) | cast(Details, details)
    if "best" in trick:
        described["best"] = {**trick["best"], "reason": describe_reason(trick["best"]["reason"], names, language)}
    if "names" in trick:
        described["names"] = [None if name is None else language.render(name) for name in trick["names"]]
    return cast(DescribedTrick, described)


def describe_irregularity(
    found: Irregularity,
    hand: Hand,
    names: Sequence[str],
    outlook: Outlook | None = None,
    language: Language = ENGLISH,
) -> DescribedIrregularity:
    """Describe an irregularity, with what the table can do about it."""
    shown = hand.card_shown(found)
    described: DescribedIrregularity = {
        "code": found.code,
        "certainty": found.certainty.value,
        "seat": found.seat,
        "suspects": list(found.suspects),
        "event": list(hand.position(found.event)),
        "trick": found.trick,
        "proved_by": [list(hand.position(event)) for event in found.proved_by],
        "reason": describe_reason(found.reason, names, language),
        "remedies": remedies(found, hand, names, outlook, language),
        "acts": [describe_act(act) for act in hand.acts_of(found)],
        "shown": None if shown is None else describe_card(shown),
        "steps": [
            {
                "part": step.part,
                "reason": describe_reason(step.reason, names, language),
                "cards": list(step.cards),
                "trick": step.trick,
            }
            for step in hand.steps_of(found)
        ],
    }
    if found.certainty is Certainty.JOINT:
        described["claims"] = [list(hand.position(event)) for event in found.claims]
        described["argument"] = None if found.argument is None else describe_argument(found.argument, hand)
    return described


def describe_withdrawn(
    gone: Withdrawn, hand: Hand, names: Sequence[str], language: Language = ENGLISH
) -> DescribedWithdrawn:
    """Describe a finding that a later event of its hand has disproved."""
    found = gone.found
    return {
        "code": found.code,
        "certainty": found.certainty.value,
        "seat": found.seat,
        "suspects": list(found.suspects),
        "event": list(hand.position(found.event)),
        "trick": found.trick,
        "proved_by": [list(hand.position(event)) for event in found.proved_by],
        "reason": describe_reason(found.reason, names, language),
        "withdrawn_by": list(hand.position(gone.event)),
        "why": describe_reason(gone.reason, names, language),
    }


def describe_act(act: Act) -> DescribedAct:
    """Describe a card that claims something: the card led to it, the card itself, the suits it denies."""
    led = None if act.led is None else describe_card(act.led)
    return {"led": led, "played": describe_card(act.played), "claims": list(act.claims)}


def describe_card(laid: LaidCard) -> DescribedLaidCard:
    """Describe a card laid to a trick, as its player reads it."""
    return {
        "seat": laid.seat,
        "trick": laid.trick,
        "card": laid.card,
        "reads": list(laid.reads),
        "matches": list(laid.matches),
    }


def describe_argument(argument: Argument, hand: Hand) -> DescribedArgument:
    """Describe why claims cannot all be true: the cards, whose claims exclude them, where there is room."""
    pack = hand.rules.pack
    return {
        "cards": [pack.cards[card].code for card in pack.members(argument.cards)],
        "excluded_by": [{"seat": seat, "event": list(hand.position(event))} for seat, event in argument.excluded_by],
        "room": [{"place": "aside" if seat is None else seat, "cards": cards} for seat, cards in argument.room],
    }


def describe_rejected(rejected: Rejected, names: Sequence[str], language: Language = ENGLISH) -> DescribedRejected:
    """Describe the event that was not taken."""
    return {
        "hand": rejected.hand,
        "event": rejected.event,
        "verdict": rejected.refusal.verdict.value,
        "reason": describe_reason(rejected.refusal.reason, names, language),
    }
