"""Guides: the questions that lead to a ruling on what no record can show, in every game."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from referee.engine import rulebook
from referee.engine.adjudication import View, scores_of
from referee.engine.audit import audit_hand
from referee.engine.game import Game, all_games
from referee.engine.records import Record, dump_event, load_record, replay
from referee.engine.replaying import HandRecord
from referee.engine.rules import Refused, Rules
from referee.engine.rulings import Certainty
from referee.guides.case import Case, Guide, Looked, Question, guides_of
from referee.guides.remedies import X_GUIDE, Offered, Steps, agreed, offered
from referee.guides.sheet import describe_guidance, guides_for
from referee.guides.walking import BY_RULES, Walk, seats_of, tricks_of, walk
from referee.notation import read_text
from tests.games.discovery import HONEST, JUDGED, RANDOM
from tests.referee.telling import clause_ids
from tests.referee.test_audit import first_hands, hand_of
from tests.referee.test_golden import GOLDEN
from tests.seeds import FIRST, as_often_as

GAMES = all_games()
RULES = tuple(clause.id for clause in rulebook.clauses("irregularities"))
EACH_GUIDE = [pytest.param(game, guide, id=f"{game.id}-{guide.id}") for game in GAMES for guide in
              guides_of(game).guides.values()]  # fmt: skip


def following(question: Question) -> tuple[str, ...]:
    return tuple(each.to for each in question.answers) or (question.to,)


def paths(guide: Guide, where: str = "", gone: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every path through a guide, as the ids of its questions and its ruling."""
    where = where or guide.first
    assert where not in gone, f"{guide.id} goes round in a circle at {where}"
    if where in guide.leaves:
        yield (*gone, where)
        return
    for after in following(guide.questions[where]):
        yield from paths(guide, after, (*gone, where))


@pytest.mark.parametrize(("game", "guide"), EACH_GUIDE)
def test_every_path_ends_at_a_ruling_and_every_ruling_is_reachable(game: Game, guide: Guide):
    ways = list(paths(guide))
    assert {way[-1] for way in ways} == set(guide.leaves)
    assert {name for way in ways for name in way[:-1]} == set(guide.questions)


@pytest.mark.parametrize(("game", "guide"), EACH_GUIDE)
def test_every_question_is_needed(game: Game, guide: Guide):
    for name, question in guide.questions.items():
        reached = [{way[-1] for way in paths(guide, after)} for after in following(question)]
        if question.kind == "choice":
            assert len(question.answers) > 1, name
            assert len({frozenset(each) for each in reached}) > 1, name
            assert len({each.code for each in question.answers}) == len(question.answers), name
        else:
            assert question.to, name


@pytest.mark.parametrize(("game", "guide"), EACH_GUIDE)
def test_texts_name_a_player_only_when_one_is_named(game: Game, guide: Guide):
    for way in paths(guide):
        named = False
        for name in way[:-1]:
            question = guide.questions[name]
            assert named or "{seat}" not in question.text, (name, question.text)
            named = named or question.kind == "seat"
        assert named or "{seat}" not in guide.leaves[way[-1]].text, way


@pytest.mark.parametrize(("game", "guide"), EACH_GUIDE)
def test_every_ruling_cites_existing_clauses_and_remedies(game: Game, guide: Guide):
    there = {*guides_of(game).remedies, *game.hand_class.REMEDIES}
    for leaf in guide.leaves.values():
        assert leaf.clauses
        assert set(leaf.clauses) <= clause_ids()
        assert leaf.remedies
        assert set(leaf.remedies) <= there
    for code, remedy in guides_of(game).remedies.items():
        assert set(remedy.clauses) <= clause_ids(), code


@pytest.mark.parametrize("game", [game for game in GAMES if game.id in JUDGED], ids=lambda game: game.id)
def test_a_games_guides_cover_its_rules(game: Game):
    everywhere = {"IR-1", "IR-7", "IR-8", "IR-9", "IR-10", "IR-11", "IR-14", "IR-16", "IR-17"}
    assert clauses_covered(game) >= everywhere


def clauses_covered(game: Game) -> set[str]:
    leaves = [leaf for guide in guides_of(game).guides.values() for leaf in guide.leaves.values()]
    return {clause for leaf in leaves for clause in leaf.clauses}


def test_every_irregularity_rule_leads_to_a_ruling():
    assert set().union(*map(clauses_covered, GAMES)) >= set(RULES)


def test_a_derived_guide_states_only_its_differences():
    chicane = next(game for game in GAMES if "trump-led" in guides_of(game).guides)
    led, revoke = (guides_of(chicane).guides[name] for name in ("trump-led", "revoke"))
    assert led.questions["who"].text != revoke.questions["who"].text
    assert {**led.questions, "who": None} == {**revoke.questions, "who": None}
    assert led.leaves == revoke.leaves


SEEDS = as_often_as(always=6, hunting=60, quick=4)


def cut_off(record: Record, rng: Random) -> Record:
    """Truncate a record at a random point, so that every moment of a hand is tested."""
    hands = record.hands[: rng.randint(1, len(record.hands))] if record.hands else ()
    if not hands:
        return record
    *before, last = hands
    kept = int(len(last.events) * rng.random() ** 0.3)
    return replace(record, hands=(*before, replace(last, events=last.events[:kept])))


def answered_at_random(case: Case, rng: Random) -> Walk:
    """Answer question after question, sometimes against the record, up to the ruling."""
    answers: dict[str, object] = dict(case.answers)
    for question in case.guide.questions.values():
        known = question.known and question.known not in BY_RULES
        if (known or question.usual) and rng.random() < 0.2:
            answers[question.id] = rng.choice(question.answers).code
    while True:
        at = walk(Case(case.guide, case.game, case.rules, answers, case.looked, case.names))
        if at.leaf is not None or at.disproof:
            return at
        assert at.question is not None
        if at.question.kind == "seat":
            left = seats_of(at.case) if rng.random() < 0.9 else range(case.rules.players)
            answers[at.question.id] = rng.choice(left)
        elif at.question.kind == "trick":
            answers[at.question.id] = rng.choice(tricks_of(at.case))
        else:
            answers[at.question.id] = rng.choice(at.question.answers).code


def carried_out(record: Record, looked: Looked, steps: Steps) -> Any:
    """Correct entries of the last hand, append events, and judge everything from the start."""
    *before, last = record.hands
    instead = dict(steps.amends)
    kept = [instead.get(place, event) for place, event in enumerate(looked.events)]
    events = (*(event for event in kept if event), *steps.events)
    return replay(replace(record, hands=(*before, replace(last, events=events))))


def cases(game: str, seed: int) -> Iterator[tuple[Record, Case]]:
    """Yield a case for every guide, at one moment of a random record."""
    rng = Random(seed)
    maker = rng.choice([HONEST, RANDOM])[game]
    try:
        record = cut_off(load_record(maker(rng)), rng)
        judged = replay(record)
    except Refused:
        return
    if judged.rejected is not None or not judged.hands or len(judged.hands) != len(record.hands):
        return
    looked = Looked(judged.table, judged.hands[-1], record.hands[-1].events)
    for guide in guides_for(record.rules.game, record.rules):
        yield record, Case(guide, record.rules.game, record.rules, {}, looked, record.seats)


@pytest.mark.parametrize("game", RANDOM)
def test_a_previewed_price_equals_the_result(game: str):
    tried = 0
    for seed in range(FIRST, FIRST + SEEDS):
        for record, case in cases(game, seed):
            rng = Random(f"{seed}{case.guide.id}")
            at = answered_at_random(case, rng)
            for remedy in offered(at):
                tried += check(remedy, at, record)
    assert tried > 20


@pytest.mark.smoke
def test_a_guided_remedy_keeps_what_a_golden_record_proves():
    kept = 0
    for golden in GOLDEN:
        record = read_text(golden.text)
        judged = replay(record)
        game = record.rules.game
        looked = Looked(judged.table, judged.hands[-1], record.hands[-1].events)
        for guide in guides_for(game, record.rules):
            case = Case(guide, game, record.rules, {}, looked, record.seats)
            for seed in range(6):
                for remedy in offered(answered_at_random(case, Random(seed))):
                    if isinstance(remedy.outcome, Steps):
                        kept += keeps_proofs(record, looked, remedy.outcome)
    assert kept > 100


def keeps_proofs(record: Record, looked: Looked, steps: Steps) -> int:
    """Check that every proved finding still stands unless its act is taken back; return how many do."""
    struck = {place for place, event in steps.amends if event is None}
    after = carried_out(record, looked, steps).hands[looked.hand.setup.index]
    stands = {(found.code, found.seat, found.event) for found in after.irregularities}
    proved = [found for found in looked.hand.irregularities if found.certainty is Certainty.PROVED]
    kept = 0
    for found in proved:
        if found.event not in dict(steps.amends):
            place = found.event - sum(gone < found.event for gone in struck)
            assert (found.code, found.seat, place) in stands, (found, steps)
            kept += 1
    return kept


def check(remedy: Offered, at: Walk, record: Record) -> int:
    """Carry out a remedy and compare the result with the preview; return whether it could be carried out."""
    if not isinstance(remedy.outcome, Steps):
        assert remedy.outcome.clauses
        assert set(remedy.outcome.clauses) <= clause_ids()
        assert "{" not in remedy.outcome.sentence(record.seats)
        if remedy.each is not None:
            check_points(at, record)
        return 0
    looked = at.case.looked
    assert looked is not None
    assert remedy.effect is not None
    assert remedy.outcome.events
    after = carried_out(record, looked, remedy.outcome)
    keeps_proofs(record, looked, remedy.outcome)
    assert after.rejected is None, (at.case.guide.id, remedy.code, after.rejected)
    assert list(after.table.totals()) == remedy.effect["totals"]["after"], (at.case.guide.id, remedy.code)
    assert list(scores_of(after.table)) == remedy.effect["scores"]["after"], (at.case.guide.id, remedy.code)
    says = remedy.outcome.events[0].extra
    assert says is not None
    assert at.leaf is not None
    assert says[X_GUIDE] == {
        "guide": at.case.guide.id, "answers": at.answers, "ruling": at.leaf.id, "remedy": remedy.code,
    }  # fmt: skip
    return 1


def check_points(at: Walk, record: Record) -> None:
    """Deduct three points, and check that the cost is three times that of one point."""
    looked, seat = at.case.looked, at.case.seat
    assert looked is not None
    assert seat is not None
    after = carried_out(record, looked, Steps(tuple(agreed(at, 3))))
    assert after.rejected is None
    side = record.rules.sides[seat]
    before = looked.table.totals()
    expected = [total + record.rules.fine(3) * (other in side) for other, total in enumerate(before)]
    assert list(after.table.totals()) == expected


@pytest.mark.parametrize("game", RANDOM)
def test_descriptions_of_cases_are_complete(game: str):
    for seed in range(FIRST, FIRST + SEEDS):
        for record, case in cases(game, seed):
            told = describe_guidance(answered_at_random(case, Random(seed)), View(record.seats))
            assert told["ruling"] is not None
            assert told["question"] is None
            texts = [told["ruling"]["text"], *(each["text"] for each in (*told["answered"], *told["remedies"]))]
            assert not any("{" in text for text in texts)
            assert told["models"] or not {*told["ruling"]["clauses"]} & {*RULES} - {"IR-12", "IR-13"}


OPEN_TO_ALL = ("claim", "bid", "number", "skipped", "draw")
"""Acts of which a clean record does not clear everyone: something is left to claim, change or draw."""


def accusations(case: Case) -> Iterator[Walk]:
    """Accuse everyone, and of every trick, whatever the record says, up to the ruling."""
    questions = case.guide.questions
    seats = [{"who": seat} for seat in range(case.rules.players)] if "who" in questions else [{}]
    tricks = [{"trick": each} for each in sorted({acted.trick for acted in case.plays})] if "trick" in questions else []
    for answers in ({**seat, **trick} for seat in seats for trick in tricks or [{}]):
        yield answered_at_random(Case(case.guide, case.game, case.rules, answers, case.looked, case.names), Random(1))


def known_hand(game: str, rng: Random) -> Looked | None:
    """Return a truncated hand of an honest record with every hand entered that the full record shows."""
    try:
        whole = load_record(HONEST[game](rng))
    except Refused:
        return None
    number = rng.randrange(max(len(whole.hands), 1))
    last = whole.hands[number : number + 1]
    judged = replay(replace(whole, hands=whole.hands[: number + 1]))
    shown = judged.hands[number].hands_shown() if judged.hands[number:] else ()
    pack = whole.rules.pack
    entered = {seat: tuple(pack.cards[card].code for card in pack.members(cards))
               for seat, cards in enumerate(shown) if cards is not None}  # fmt: skip
    kept = [HandRecord(each.events[: rng.randint(0, len(each.events))], entered) for each in last]
    record = replace(whole, hands=(*whole.hands[:number], *kept))
    judged = replay(record)
    told = judged.hands and not any(event.kind.coarse for event in record.hands[-1].events)
    hidden = record.rules.game.hand_class.REVOKES and len(entered) < record.rules.players
    if not told or len(judged.hands) != len(record.hands) or hidden:
        return None
    return Looked(judged.table, judged.hands[-1], record.hands[-1].events)


@pytest.mark.parametrize("game", JUDGED)
def test_lawful_acts_are_never_accused(game: str):
    tried = 0
    for seed in range(FIRST, FIRST + 2 * SEEDS):
        looked = known_hand(game, Random(seed))
        if looked is None or looked.hand.irregularities:
            continue
        rules = looked.hand.rules
        for guide in guides_for(rules.game, rules):
            if not guide.act or guide.act in OPEN_TO_ALL:
                continue
            for at in accusations(Case(guide, rules.game, rules, {}, looked)):
                assert at.disproof or at.case.act() is None, (seed, guide.id, at.answers)
                over = looked.hand.is_over() and not (guide.act == "lead" and looked.coming())
                assert at.disproof or not over, (seed, guide.id, at.answers)
                assert not at.disproof or not offered(at)
                tried += bool(at.disproof)
    assert tried > 3


def test_every_finding_in_a_golden_record_can_be_raised():
    tried = 0
    for golden in GOLDEN:
        record = read_text(golden.text)
        judged = replay(record)
        game = record.rules.game
        for hand, written in zip(judged.hands, record.hands, strict=True):
            looked = Looked(judged.table, hand, written.events)
            for guide in guides_for(game, record.rules):
                case = Case(guide, game, record.rules, {}, looked)
                codes = ("revoke", "joint-revoke") if guide.act == "revoke" else (guide.irregular or guide.act,)
                found = [each for each in hand.irregularities if each.code in codes]
                if case.charges is None or guide.act in ("lead", "play"):
                    continue
                accused = {each.seat for each in case.open_charges()}
                assert {suspect for each in found for suspect in each.suspects} <= accused, (golden.name, guide.id)
                assert not case.disproof() or not offered(walk(case))
                tried += len(found)
    assert tried > 10


@pytest.mark.parametrize("game", ["ace-trump", "oh-hell"])
def test_a_player_who_followed_suit_is_never_penalized(game: str):
    followed = 0
    for seed, record, tables in first_hands(game, range(FIRST, FIRST + 4 * SEEDS)):
        if record.rules.options.get("called_suit"):
            continue
        rules, number = record.rules, rng_place(seed, len(tables), 0)
        looked = Looked(tables[number], hand_of(tables[number]), record.hands[0].events[: number + 1])
        led: dict[int, frozenset[str]] = {}
        for laid in looked.plays:
            suits = suits_of(dump_event(looked.events[laid.event], rules.pack))
            asked = led.setdefault(laid.trick, suits)
            if suits & asked:
                answers: dict[str, object] = {"who": laid.seat, "trick": laid.trick}
                at = walk(Case(guides_of(rules.game).guides["revoke"], rules.game, rules, answers, looked))
                assert at.disproof, (seed, answers)
                assert not offered(at)
                followed += 1
    assert followed > 20


def suits_of(play: dict[str, Any]) -> frozenset[str]:
    """Return the suit letters of a play: what follows the rank of its card."""
    (card,) = play["cards"]
    return frozenset(card[1:]) & frozenset("MSWLYKHCD")


PROVED = {"revoke": "revoke", "trump-led": "trump-led", "denied-deuce": "denied-deuce", "not-lowest": "not-lowest",
          "no-combination": "no-combination", "unlawful-card": "revoke"}  # fmt: skip
"""The codes of findings that prove an accusation, by act."""


@pytest.mark.parametrize("game", JUDGED)
def test_cleared_findings_are_not_proved_later(game: str):
    tried = 0
    for seed, record, tables in first_hands(game, range(FIRST, FIRST + as_often_as(always=8, quick=3) * SEEDS)):
        events = record.hands[0].events
        checked = audit_hand(hand_of(tables[-1]), events[: len(tables)])
        for number in sorted({rng_place(seed, len(tables), part) for part in range(6)}):
            hand = hand_of(tables[number])
            for act, code in PROVED.items():
                wrong = {(found.event, found.offender) for found in checked.infractions
                         if found.code == code and found.certainty is Certainty.PROVED}  # fmt: skip
                cleared = {(each.event, each.seat) for each in hand.charges(act, events[: number + 1]) or ()
                           if each.cleared is not None and each.event is not None}  # fmt: skip
                assert not wrong & cleared, (seed, number, act)
                tried += len(cleared)
    assert tried > 20


def rng_place(seed: int, length: int, part: int) -> int:
    return Random(f"{seed} {part}").randrange(length)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_ruling_can_be_reached_without_a_record(game: Game):
    for rules in rules_of(game):
        for guide in guides_for(game, rules):
            reached: set[str] = set()
            for seed in range(60):
                at = answered_at_random(Case(guide, game, rules, {}), Random(seed))
                assert at.leaf is not None
                reached.add(at.leaf.id)
                assert all(each.by != "record" for each in at.answered)
                done = [each.outcome for each in offered(at)]
                assert any(isinstance(each, Steps) and each.events for each in done), (guide.id, at.leaf.id)
                for each in done:
                    for event in each.events if isinstance(each, Steps) else ():
                        assert dump_event(event)
            assert reached == set(leaves_under(guide, rules)), guide.id


def rules_of(game: Game) -> Iterator[Rules]:
    """Yield a game's default rules, then with partners and bids if it has both."""
    yield game.rules({}, game.players[0])
    keys = {option.key for option in game.options}
    if "partners" in keys:
        yield game.rules({"partners": True} | ({"bidding": True} if "bidding" in keys else {}), 4)


def leaves_under(guide: Guide, rules: Rules) -> Iterator[str]:
    """Yield the rulings that can be reached under house rules that answer some questions by themselves."""
    partners = any(len(side) > 1 for side in rules.sides)
    for way in paths(guide):
        follows = pairwise(way)
        right = [guide.questions[name].next("yes" if partners else "no") == then for name, then in follows
                 if guide.questions[name].known in BY_RULES]  # fmt: skip
        if all(right):
            yield way[-1]
