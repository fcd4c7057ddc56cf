"""Presenters of irregularities: the act, the evidence, the remedies."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.engine import sheet
from referee.engine.adjudication import describe_findings, describe_withdrawn
from referee.engine.events import Redeal
from referee.engine.game import Game, event_kinds
from referee.engine.hand import Hand
from referee.engine.state import FINISHED, VOID
from referee.engine.texts import OR, capital
from referee.packs import Pack
from scoring.models import Role, TableEvent
from scoring.rulings.reads.precedents import fitting
from scoring.tables.presenters.cards import (
    CitedSentence,
    Face,
    Shown,
    Symbol,
    cited,
    clause_links,
    face,
    faces_of,
    symbols_of,
)
from scoring.tables.presenters.formats import PAGE_LANGUAGE, listed
from scoring.tables.presenters.house_rules import DecidedBefore, decided_before
from scoring.tables.presenters.log_lines import role_of, sentence
from scoring.tables.presenters.people import Somebody, at_table
from scoring.tables.reads.log_entries import WHY
from scoring.tables.reads.page_facts import IrregularHand, PageFacts
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing
from scoring.wording import filled, labelled

# --- Evidence of an irregularity: cards led, played and shown, and proofs by counting


class LaidShown(NamedTuple):
    """A played card: player, the suits it counts as for them, and those that match the suit led."""

    name: str
    face: Face
    reads: tuple[Symbol, ...]
    matches: tuple[Symbol, ...]
    trick: int

    @property
    def own_way(self) -> bool:
        """Whether some of the printed suits don't count for this player."""
        return len(self.reads) < len(self.face.suits)

    @property
    def lit(self) -> str:
        return lit(self.matches)


def lit(suits: Iterable[Symbol]) -> str:
    """Return the CSS classes that highlight suits."""
    return " ".join(f"lit-{suit.icon}" for suit in suits if suit.icon)


def laid_shown(laid: sheet.DescribedLaidCard, names: Sequence[str], pack: Pack) -> LaidShown:
    reads, matches = symbols_of(laid["reads"], pack), symbols_of(laid["matches"], pack)
    return LaidShown(names[laid["seat"]], face(pack, laid["card"]), reads, matches, laid["trick"])


def counted(
    argument: sheet.DescribedArgument, acts: Sequence[sheet.DescribedAct], who: str, names: Sequence[str], pack: Pack
) -> Shown:
    """Present a proof by counting: the cards still out, and how many the hidden places have room for.

    ``lit`` highlights the suits that every suspect claims not to have. ``who`` names the suspects.
    """
    claimed: dict[int, set[str]] = {}
    for act in acts:
        claimed.setdefault(act["played"]["seat"], set()).update(act["claims"])
    shared = set.intersection(*claimed.values()) if claimed else set()
    out, space = len(argument["cards"]), sum(each["cards"] for each in argument["room"])
    places = [
        names[place] if isinstance(place := each["place"], int) else _("the cards set aside")
        for each in argument["room"]
    ]
    cards = filled(ngettext("{number} such card is still out.", "{number} such cards are still out.", out), number=out)
    room = _("Nobody else can hold any.")
    if places:
        room = ngettext("{places} can hold only {number}.", "{places} can hold only {number} together.", len(places))
        room = filled(room, places=listed(places), number=space)
    return Shown(
        cards=faces_of(argument["cards"], pack),
        lit=lit(symbols_of((suit.code for suit in pack.suits if suit.code in shared), pack)),
        sum=" ".join((cards, room, filled(_("So {who} had one and didn’t follow."), who=who))),
    )


# --- Remedies, each with its effect on the totals


class Remedy(Shown):
    """A possible remedy.

    ``ready``: one tap carries it out; otherwise ``pending`` is the reason. ``changes`` are the totals that move,
    ``each`` those that move per point of a penalty, ``still``: no visible total moves. ``strikes``: entries are deleted
    first.
    """

    @property
    def points(self) -> str:
        """The totals that a penalty moves per point, as JSON for scripts."""
        return json.dumps([(change.name, change.before, change.after - change.before) for change in self.each])


def remedies(described: Sequence[sheet.DescribedRemedy], game: Game, people: Sequence[Somebody]) -> tuple[Remedy, ...]:
    """Present remedies: the usual one first, then by cost, unavailable ones last."""
    shown = []
    for remedy in described:
        pending, each, effect = remedy.get("pending"), remedy.get("each"), remedy.get("effect")
        changes = _changes(effect, people)
        shown.append(
            Remedy(
                code=remedy["code"],
                title=remedy["title"],
                sentence=CitedSentence(remedy["text"], clause_links(game, remedy["clauses"])),
                proposed=bool(remedy["proposed"]),
                ready=remedy.get("events") is not None and remedy["code"] != "correct",
                changes=changes,
                still=bool(effect) and not changes,
                strikes=bool(remedy.get("strikes")),
                voids=any(event["type"] == Redeal.type for event in remedy.get("events") or ()),
                pending=cited(game, pending),
                each=_changes(each["effect"] if each else None, people),
            )
        )
    return tuple(sorted(shown, key=_place))


def _place(remedy: Remedy) -> tuple[bool, bool, bool, int]:
    moved = sum(abs(change.after - change.before) for change in remedy.changes or remedy.each)
    return not remedy.proposed, not (remedy.ready or remedy.each), remedy.voids, moved


def _changes(effect: sheet.DescribedEffect | None, people: Sequence[Somebody]) -> tuple[Shown, ...]:
    if not effect:
        return ()
    totals = zip(people, effect["totals"]["before"], effect["totals"]["after"], strict=True)
    return tuple(
        Shown(who=who, name=who.name, before=before, after=after) for who, before, after in totals if before != after
    )


class Finding(Shown):
    """An irregularity: what was done, what contradicts it, and what the table can do about it.

    ``key`` is unique within the table. ``word`` is the common name, ``says`` the sentence in which players would say
    it, ``who`` names the offender or the suspects; ``seat`` is set if the offender is known. ``laid`` are the cards in
    question with those led to them, ``shown`` the card that contradicts them, ``counted`` the argument of a proof by
    counting; ``steps`` are acts without a led card, such as an exchange. Without any of these, ``acts`` and ``against``
    are entries of the record. ``raised``: it asks for a decision; ``fresh``: just proved; ``last``: its act is the
    latest entry; ``over``: its hand is finished; ``late``: the next hand has been dealt. ``settled`` are the entries
    that settled it; ``decided``: nothing was recorded since. ``accepted`` says who let it stand, and why; ``known`` are
    the group's earlier decisions on the same point.
    """

    @property
    def id(self) -> str:
        """HTML id; also distinct among findings about the same act."""
        return f"finding-{self.key}-{self.code}"

    @property
    def about(self) -> str:
        """A key of what is known; a dismissed finding is shown again when it changes."""
        cards = ",".join(laid.face.code for laid in self.suspects)
        return "/".join((self.certainty, self.who, str(self.trick), cards, "over" if self.over else ""))

    @property
    def found_in(self) -> int | None:
        """The trick that revealed it, if it is another than its own."""
        return self.shown.trick if self.shown and self.shown.trick != self.trick else None

    @property
    def suspects(self) -> tuple[LaidShown, ...]:
        """The cards that may have been recorded by mistake."""
        played = tuple(act.played for act in self.laid)
        return (*played, self.shown) if self.shown else played


class WithdrawnShown(NamedTuple):
    """A disproved finding: name, suspects, why it was withdrawn, and which remedies rest on it."""

    word: str
    who: str
    sentence: CitedSentence
    resting: tuple[Shown, ...]


def withdrawn(at: Standing, facts: PageFacts) -> tuple[WithdrawnShown, ...]:
    if facts.irregular is None:
        return ()
    hand = facts.irregular.hand
    return tuple(
        show_withdrawn(describe_withdrawn(gone, hand, at.names, PAGE_LANGUAGE), rows, at, points=not facts.hidden)
        for gone, rows in zip(hand.disproved(), facts.irregular.resting, strict=True)
        if hand.tells(gone.found)
    )


def show_withdrawn(
    gone: sheet.DescribedWithdrawn, rows: Sequence[TableEvent], at: Standing, *, points: bool
) -> WithdrawnShown:
    resting = tuple(
        Shown(text=sentence(row.event or {}, at.names, at.rules.pack, points=points), seq=row.seq) for row in rows
    )
    return WithdrawnShown(finding_word(gone), who_of(gone, at.names), cited(game_of(at.row), gone["why"]), resting)


def find(at: Standing, described: sheet.DescribedHand, facts: PageFacts) -> Iterator[Finding]:
    """Yield undecided findings of earlier hands, then those of the current one."""
    points = not facts.hidden
    for earlier in facts.undecided:
        found = describe_findings(earlier.hand, at.names, at.state, language=PAGE_LANGUAGE, points=points)
        yield from (each for each in _findings(earlier, found, at, facts, points=True) if each.raised)
    if facts.irregular is not None:
        yield from _findings(facts.irregular, described["irregularities"], at, facts, points=points)


def _findings(
    irregular: IrregularHand,
    described: Sequence[sheet.DescribedIrregularity],
    at: Standing,
    facts: PageFacts,
    *,
    points: bool,
) -> Iterator[Finding]:
    for number, found in enumerate(described):
        if is_announced(found, irregular.hand):
            decided = fitting(facts.precedents, found["code"], found["reason"]["clauses"]) if facts.precedents else ()
            yield _finding(number, found, irregular, at, points=points, known=decided_before(decided))


def is_announced(found: sheet.DescribedIrregularity, hand: Hand | None) -> bool:
    """Return whether a finding may be shown; proved ones may be held back until the end of the hand."""
    return found["certainty"] == "seen" or hand is None or not hand.holds_back()


def show_finding(found: sheet.DescribedIrregularity, at: Standing, entries: Sequence[TableEvent] = ()) -> Finding:
    """Present an irregularity in a replay, without remedies. ``entries`` are the hand's rows."""
    assert at.hand is not None
    shown = _finding(0, found, IrregularHand(at.hand, (), {}), at, points=True)
    accepted, place = "", found["event"][1]
    if found["certainty"] == "seen" and place < len(entries):
        accepted = accepted_by(entries[place].event or {}, entries[place].by, at.names)
    return Finding(**vars(shown) | {"raised": False, "accepted": accepted})


def accepted_by(event: Mapping[str, Any], by: str, names: Sequence[str]) -> str:
    role, name, label = role_of(by, names)
    who = label or name or (_("the scorekeeper") if role == Role.SCOREKEEPER else role)
    why = event.get(WHY, "")
    if not isinstance(why, str) or not why:
        return filled(_("Recorded as it was by {who}."), who=who) if who else ""
    return filled(_("Recorded as it was by {who}: “{why}”"), who=who or _("the table"), why=why)


def offender(found: sheet.DescribedIrregularity) -> int | None:
    """Return the offender's seat, or ``None`` with several suspects."""
    suspects = found["suspects"]
    return suspects[0] if len(suspects) == 1 else None


def certainty(kind: str) -> str:
    return {"seen": _("left as it was"), "proved": _("proved"), "joint": _("shown by counting")}[kind]


def _finding(
    number: int,
    found: sheet.DescribedIrregularity,
    irregular: IrregularHand,
    at: Standing,
    *,
    points: bool,
    known: tuple[DecidedBefore, ...] = (),
) -> Finding:
    game, pack, names = game_of(at.row), at.rules.pack, at.names
    hand, events, place = irregular.hand, irregular.events, found["event"][1]
    late = at.hand is not None and at.hand.setup.index != hand.setup.index
    # Decisions and notes don't make a finding any older.
    kinds = event_kinds()
    newest = max(
        (i for i, event in enumerate(events) if (kind := kinds.get(str(event.get("type")))) is None or not kind.aside),
        default=-1,
    )
    settled = irregular.settled.get(place, ())
    argument = found.get("argument")
    recorded = found["certainty"] == "seen" and place < min(len(events), len(irregular.by))
    return Finding(
        key=f"{hand.setup.index}-{number}",
        code=found["code"],
        hand=hand.setup.index + 1,
        word=finding_word(found),
        says=accusation(found, names, pack),
        who=who_of(found, names),
        seat=offender(found),
        sentence=cited(game, found["reason"]),
        trick=found["trick"],
        certainty=certainty(found["certainty"]),
        acts=_shown(found.get("claims") or [found["event"]], events, at),
        against=_shown(found["proved_by"] if found["certainty"] == "proved" else (), events, at),
        laid=tuple(
            Shown(
                led=None if act["led"] is None else laid_shown(act["led"], names, pack),
                played=laid_shown(act["played"], names, pack),
                claims=symbols_of(act["claims"], pack),
            )
            for act in found["acts"]
        ),
        shown=laid_shown(found["shown"], names, pack) if found["shown"] else None,
        steps=tuple(
            Shown(
                proof=step["part"] == "shown",
                text=step["reason"]["text"],
                faces=faces_of(step["cards"], pack),
                trick=step["trick"],
            )
            for step in found["steps"]
        ),
        counted=counted(argument, found["acts"], who_of(found, names), names, pack) if argument else None,
        remedies=remedies(found["remedies"], game, at_table(at.row)),
        known=known,
        raised=found["certainty"] != "seen" and not settled and hand.phase is not VOID,
        fresh=not late and (hand.phase is FINISHED or any(event >= newest for _hand, event in found["proved_by"])),
        last=not late and place == len(events) - 1,
        over=hand.phase is FINISHED,
        late=late,
        settled=tuple(_settled(event, found, at, points=points) for event in settled),
        decided=bool(settled) and settled[-1] == events[-1],
        accepted=accepted_by(events[place], irregular.by[place], names) if recorded else "",
    )


def _settled(event: sheet.EventData, found: sheet.DescribedIrregularity, at: Standing, *, points: bool) -> str:
    text, why = event.get("text"), found["reason"]["text"]
    if isinstance(text, str) and text.endswith(why):
        return text.removesuffix(why).strip()
    if event.get("reason") == why:
        event = {**event, "reason": None}
    return sentence(event, at.names, at.rules.pack, points=points)


def finding_word(found: sheet.Irregular) -> str:
    word = found["code"].removeprefix("joint-").replace("-", " ")
    return capital(_(word))


HAD = {
    "moons": gettext_lazy("{name} had a Moon."),
    "suns": gettext_lazy("{name} had a Sun."),
    "waves": gettext_lazy("{name} had a Wave."),
    "leaves": gettext_lazy("{name} had a Leaf."),
    "wyrms": gettext_lazy("{name} had a Wyrm."),
    "knots": gettext_lazy("{name} had a Knot."),
    "spades": gettext_lazy("{name} had a spade."),
    "hearts": gettext_lazy("{name} had a heart."),
    "clubs": gettext_lazy("{name} had a club."),
    "diamonds": gettext_lazy("{name} had a diamond."),
}
"""Sentences about a revoke, by the suit of the card that revealed it."""
DID = {
    "revoke": gettext_lazy("{name} didn’t follow suit."),
    "joint-revoke": gettext_lazy("{name} didn’t follow suit."),
    "trump-led": gettext_lazy("{name} led trump."),
    "denied-deuce": gettext_lazy("{name} had a 2."),
    "not-lowest": gettext_lazy("{name} kept a lower card."),
    "riot-led": gettext_lazy("{name} led a riot."),
}


def accusation(found: sheet.DescribedIrregularity, names: Sequence[str], pack: Pack) -> str:
    """Describe an irregularity in the words of players at the table."""
    who, shown = who_of(found, names), found["shown"]
    said = DID.get(found["code"])
    if found["code"] == "revoke" and shown and (matches := symbols_of(shown["matches"], pack)):
        said = HAD.get(matches[0].icon, said)
    return filled(said, name=who) if said else labelled(finding_word(found), who)


def who_of(found: sheet.Irregular, names: Sequence[str]) -> str:
    """Return the offender's name, or the suspects'."""
    return listed((names[seat] for seat in found["suspects"]), OR)


def _shown(positions: Iterable[Sequence[int]], events: Sequence[sheet.EventData], at: Standing) -> tuple[Shown, ...]:
    acts = [events[event] for _number, event in positions if event < len(events)]
    pack = at.rules.pack
    return tuple(
        Shown(text=sentence(event, at.names, pack), cards=faces_of(event.get("cards", ()), pack)) for event in acts
    )
