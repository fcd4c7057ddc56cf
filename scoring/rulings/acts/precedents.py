"""Writes to a group's law book: add, change, remove and share decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from referee.engine.event_kinds import LONGEST_CHOICE, MOST_CHOICES
from referee.engine.game import find_game
from referee.engine.reader import Reader
from referee.engine.rulebook import books, clauses, is_clause
from referee.engine.rules import Option, Problem, Refused
from referee.engine.texts import ENGLISH, Language, capital, phrase
from referee.engine.texts import table as sentences_of
from referee.guides.sheet import guide_of
from scoring.groups.acts.groups import group_turn
from scoring.models import Group, Precedent, Table
from scoring.models.table import RECOVERY_LENGTH, new_code, normal_code
from scoring.operating.acts.database import past_deadlocks
from scoring.rulings.reads.disputes import DisputeNow, dispute_now
from scoring.rulings.reads.precedents import TABLES, names_known_in, without_names
from scoring.tables.acts.exceptions import NoSuchPrecedent, first_of
from scoring.tables.acts.keys import Caller, keep_token, kept_token
from scoring.tables.reads.access import token_hash

THE_PLAYER = phrase("the player")
"""Replaces players' names in a decision."""
IRREGULAR = sentences_of("irregular")
"""Names of irregularities by finding code."""
MOST_PRECEDENTS = 300
LONGEST, LONGEST_CODE = 2000, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPrecedent:
    """A decision to add; empty fields are taken from its dispute."""

    question: str = ""
    decision: str = ""
    game: str = ""
    code: str = ""
    clause: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    option: str = ""
    value: object = None
    table: str = ""
    dispute: int | None = None


@past_deadlocks
def decide(code: str, wanted: NewPrecedent, caller: Caller, language: Language = ENGLISH) -> Precedent:
    """Add a decision to a group's law book, optionally from a dispute at one of its tables.

    A decision from a dispute is titled by its situation, in ``language``, and doesn't name players. Raises ``Refused``
    for an unknown dispute, clause or house rule, and whatever ``group_turn`` raises.
    """
    body = [getattr(wanted, name) for name in NewPrecedent.__slots__]
    with group_turn(code, caller, caller.fingerprint("precedent", body)) as turn:
        if turn.repeats:
            return _there(turn.group, turn.made)
        made = _from_dispute(turn.group, wanted, language)
        check_precedent(made)
        if Precedent.objects.filter(group=turn.group).count() >= MOST_PRECEDENTS:
            raise Refused([Problem("", "bad-value", "A group can have up to 300 house rulings.")])
        made.save(force_insert=True)
        turn.made = made.pk
        return made


@past_deadlocks
def change_precedent(code: str, number: int, changes: Mapping[str, object], caller: Caller) -> Precedent:
    """Change a decision and set its date to now. Raises ``NoSuchPrecedent`` and ``Refused``."""
    with group_turn(code, caller, caller.fingerprint("change-precedent", [number, dict(changes)])) as turn:
        made = _there(turn.group, number)
        if turn.repeats:
            return made
        for name, value in changes.items():
            setattr(made, name, value)
        check_precedent(made)
        made.since = timezone.now()
        Precedent.objects.filter(group=turn.group, pk=made.pk).update(**changes, since=made.since)
        return made


@past_deadlocks
def drop_precedent(code: str, number: int, caller: Caller) -> None:
    """Remove a decision from the law book. Raises ``NoSuchPrecedent``."""
    with group_turn(code, caller, caller.fingerprint("drop-precedent", [number])) as turn:
        if not turn.repeats:
            _there(turn.group, number).delete()


@past_deadlocks
def decide_house_rules(code: str, game: str, rules: Sequence[NewPrecedent], caller: Caller) -> None:
    """Set a group's default house rules for a game; options not in ``rules`` go back to standard."""
    sent = {each.option: each for each in rules}
    with group_turn(
        code, caller, caller.fingerprint("decide-rules", [game, {k: v.value for k, v in sent.items()}])
    ) as turn:
        if turn.repeats:
            return
        mine = Precedent.objects.filter(group=turn.group, game=game).exclude(option="")
        before = {each.option: each.value for each in mine.order_by("since", "pk")}
        kept = {key for key, value in before.items() if key in sent and sent[key].value == value}
        mine.exclude(option__in=kept).delete()
        for key, rule in sent.items():
            if key not in kept:
                made = _from_dispute(turn.group, rule, ENGLISH)
                check_precedent(made)
                made.save(force_insert=True)


@past_deadlocks
def share_law_book(code: str, caller: Caller, *, shared: bool) -> str:
    """Create the law book's public link and return its code, or turn the link off.

    Creating a link replaces the previous one. A retry after the code has expired returns an empty string.
    """
    fingerprint = caller.fingerprint("share-law-book", [shared])
    with group_turn(code, caller, fingerprint) as turn:
        if turn.repeats:
            return kept_token(caller.key, fingerprint) if shared else ""
        made = keep_token(caller.key, fingerprint, new_code(RECOVERY_LENGTH)) if shared else ""
        turn.group.law_book_hash = token_hash(made) if made else None
        return made


def _there(group: Group, number: int | None) -> Precedent:
    return first_of(Precedent.objects.filter(group=group, pk=number or 0).prefetch_related(TABLES), NoSuchPrecedent)


def _from_dispute(group: Group, wanted: NewPrecedent, language: Language) -> Precedent:
    made = Precedent(group=group, since=timezone.now(), dispute=wanted.dispute, facts=dict(wanted.facts))
    for name in ("question", "decision", "game", "code", "clause", "option", "value"):
        setattr(made, name, getattr(wanted, name))
    if wanted.dispute is None:
        return made
    table = Table.objects.filter(group=group, code=normal_code(wanted.table)).first()
    found = None if table is None else dispute_now(table, wanted.dispute)
    if table is None or found is None or found.ruling is None:
        raise Refused([Problem("/dispute", "bad-value", "No table of this group has such a ruling.")])
    made.table, made.game = table, made.game or table.game
    made.clause = made.clause or next(iter(found.ruling.clauses), "")
    irregular = found.situation if found.situation in IRREGULAR else ""
    made.code = made.code or irregular or found.ruling.tree or ""
    made.question = made.question or _situation(table, found, made.clause, language)
    made.decision = made.decision or _nameless(table, found.ruling.text, language)
    return made


def _situation(table: Table, found: DisputeNow, clause: str, language: Language) -> str:
    guide = guide_of(table.game, "" if found.ruling is None else found.ruling.tree or "")
    if guide is not None:
        return language.translate(guide.title)
    if found.situation in IRREGULAR:
        return language.translate(IRREGULAR[found.situation])
    known = next((each for book in books() for each in clauses(book) if each.id == clause), None)
    return language.translate(known.title) if known else _nameless(table, found.claim.text, language)


def _nameless(table: Table, text: str, language: Language) -> str:
    names = [*table.seats, *names_known_in(table.group_id or 0)]
    return capital(without_names(text, names, language.render(THE_PLAYER)))


def check_precedent(made: Precedent) -> None:
    """Validate and clean a decision. Raises ``Refused``."""
    problems = []
    for name in ("question", "decision"):
        text = getattr(made, name).strip()
        setattr(made, name, text)
        if not text or len(text) > LONGEST:
            problems.append(Problem(f"/{name}", "bad-value", "Write a question and a ruling, in a few words."))
    if made.game and find_game(made.game) is None:
        problems.append(Problem("/game", "unknown-game", "There is no such game."))
    if made.clause and not is_clause(made.clause):
        problems.append(Problem("/clause", "bad-value", "There is no such clause."))
    if made.option:
        option = option_of(made.game, made.option)
        if option is None:
            problems.append(Problem("/option", "unknown-option", "The game has no such house rule."))
        elif (wrong := option.problem(made.value)) is not None:
            problems.append(Problem("/value", wrong[0].code, wrong[0].phrase))
    elif made.value is not None:
        problems.append(Problem("/value", "bad-value", "A value needs a house rule."))
    if problems:
        raise Refused(problems)


def read_plain(reader: Reader, value: Any, pointer: str) -> object:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return reader.integer(value, pointer)
    return reader.text(value, pointer, LONGEST_CHOICE)


def read_facts(reader: Reader, value: Any, pointer: str) -> dict[str, object]:
    items = reader.mapping(value, pointer)
    if len(items) > MOST_CHOICES:
        reader.value(pointer, "Too many of these.")
        return {}
    return {key: read_plain(reader, item, f"{pointer}/{key[:LONGEST_CHOICE]}") for key, item in items.items()}


def option_of(game: str, key: str) -> Option | None:
    found = find_game(game)
    return None if found is None else next((each for each in found.all_options() if each.key == key), None)
