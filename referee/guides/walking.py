"""Walking through a guide: answers given, answers from the record, the next question, and the ruling."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.engine.events import Bid, Play
from referee.engine.rules import Problem, Refused, Rules
from referee.engine.rulings import Reason
from referee.engine.state import FINISHED, PLAY
from referee.engine.texts import phrase
from referee.guides.case import NO, TRICK, YES, Case, Guide, Leaf, Looked, Question

# --- Facts that the record or the house rules can answer

BY_RULES = frozenset({"partners"})
"""Facts that the house rules decide, whatever the record holds."""
SINCE_THE_ACT = frozenset({"next-played", "beaten", "played-on", "next-led", "last-trick"})
"""Facts about what happened after the act in question."""


def known(fact: str, case: Case) -> Reason | None:
    """Return why a question need not be asked, with ``yes`` or ``no`` as the code; ``None`` if it must be."""
    answer = None
    if fact == "partners":
        answer = any(len(side) > 1 for side in case.rules.sides)
    elif case.looked is not None and fact in SINCE_THE_ACT:
        answer = _since_the_act(fact, case, case.looked)
    elif case.looked is not None and fact:
        answer = _of_the_hand(fact, case, case.looked)
    if answer is None:
        return None
    code = YES if answer else NO
    return Reason(code, ("REC-19",), case.facts, f"known-{fact}-{code}")


def first_card(case: Case, looked: Looked) -> bool | None:
    """Return whether a card has been played in the hand; ``None`` after its end, when the next may be meant."""
    if looked.hand.is_over() and not looked.late:
        return None
    return bool(case.plays) or bool(looked.hand.describe()["tricks"]) or looked.hand.is_over()


def _of_the_hand(fact: str, case: Case, looked: Looked) -> bool | None:
    hand, last = looked.hand, looked.table.hand
    if fact == "first-card":
        return first_card(case, looked)
    if fact == "hand-over":
        return hand.phase is FINISHED
    if fact == "next-dealt":
        return looked.late
    if fact == "next-scored":
        if not looked.late or last is None:
            return None if hand.is_over() else False
        return last.setup.index > hand.setup.index + 1 or last.phase is FINISHED
    if fact == "next-bid":
        bidders = [event.seat for event in looked.events if isinstance(event, Bid)]
        if case.seat not in bidders:
            return None
        later = bidders[bidders.index(case.seat) + 1 :]
        return any(seat != case.seat for seat in later) or bool(case.plays)
    if fact == "first-trick-over":
        return (hand.trick_number() or 0) > 1 if hand.phase is PLAY else None
    return hand.guide_knows(fact)


def _since_the_act(fact: str, case: Case, looked: Looked) -> bool | None:
    act, plays = case.act(), case.plays
    if act is None:
        # The trick named may be recorded without cards, and a later one may be over.
        trick, running = case.answers.get(TRICK), looked.hand.trick_number()
        over = isinstance(trick, int) and running is not None and running > trick + 1
        return True if over and fact == "played-on" else None
    others = [laid for laid in plays if laid.event > act.event and laid.seat != act.seat]
    if fact == "next-played":
        return bool(others)
    # Later tricks, or the rest of the hand, may be recorded without their cards.
    untold = any(event.kind.coarse for event in looked.events[act.event + 1 :])
    if fact == "beaten":  # passing beats nothing (IR-15)
        return untold or any(isinstance(looked.events[laid.event], Play) for laid in others)
    if fact == "played-on":
        side = () if case.seat is None else case.rules.sides[case.seat]
        return untold or any(laid.trick > act.trick and laid.seat in side for laid in plays)
    last = max(laid.trick for laid in plays)
    if fact == "next-led":
        return untold or last > act.trick
    if untold or last > act.trick:
        return False
    # It was the last trick of the hand if nobody has a card left after it.
    played = {laid.seat for laid in plays if laid.trick == last}
    return all(left == (seat not in played) for seat, left in enumerate(looked.hand.cards_left()))


# --- Walking through a guide: the answers, the next question, and the ruling at its end

YOU, RECORD, RULES = "you", "record", "rules"
"""Who answered a question: the table, the record, or the house rules."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer: a code, a seat, or a trick number; ``why`` is the record's reason for it."""

    question: Question
    answer: object
    by: str = YOU
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Walk:
    """How far the answers lead: to a question, a ruling, or a disproof (a summary, then a reason for each act)."""

    case: Case
    answered: tuple[Answered, ...]
    question: Question | None = None
    leaf: Leaf | None = None
    disproof: tuple[Reason, ...] = ()

    @property
    def answers(self) -> dict[str, object]:
        return {each.question.id: each.answer for each in self.answered}

    @property
    def ruling(self) -> Reason | None:
        """Return what to do now, or why there is nothing to do, with the clauses it rests on."""
        if self.disproof:
            return self.disproof[0]
        leaf = self.leaf
        return None if leaf is None else Reason(leaf.id, leaf.clauses, self.case.facts, leaf.text)


def walk(case: Case) -> Walk:
    """Follow the answers as far as they lead; raises ``Refused`` for impossible answers.

    Questions that the record answers may be skipped. The table may contradict the record, except on whose act it was
    and in which trick: what the record disproves ends there. Answers to questions off the path are ignored.
    """
    guide, answers = case.guide, case.answers
    unknown = next((name for name in answers if name not in guide.questions), None)
    if unknown is not None:
        detail = phrase("This guide has no question “{question}”.", question=repr(unknown[:40]))
        raise Refused([Problem(f"/answers/{unknown[:40]}", "unknown-question", detail)])
    answered: list[Answered] = []
    at = replace(case, answers={})
    where = guide.first
    while where in guide.questions:
        question = guide.questions[where]
        disproof = at.disproof()
        if disproof and not (question.kind in SUBJECTS and question.id in answers):
            return Walk(at, tuple(answered), disproof=disproof)
        found = _answer(question, at, answers)
        # Ask for a trick only if the record has some.
        if found is None and (question.kind != "trick" or tricks_of(at)):
            return Walk(at, tuple(answered), question)
        if found is not None:
            answered.append(found)
            at = replace(at, answers={**at.answers, question.id: found.answer})
        where = question.next(None if found is None else found.answer)
    disproof = at.disproof()
    if disproof:
        return Walk(at, tuple(answered), disproof=disproof)
    return Walk(at, tuple(answered), leaf=guide.leaves[where])


def seats_of(case: Case) -> tuple[int, ...]:
    if case.charges is None:
        return tuple(range(case.rules.players))
    return tuple(sorted({each.seat for each in case.open_charges()}))


def tricks_of(case: Case) -> tuple[int, ...]:
    """Return the tricks in which the player in question can have done it, as far as the record shows."""
    if case.charges is None:
        return tuple(laid.trick for laid in case.plays if laid.seat == case.seat)
    return tuple(sorted({each.trick for each in case.open_charges() if each.trick is not None}))


SUBJECTS = {"seat": seats_of, "trick": tricks_of}
"""The answers that a record leaves possible, for the kinds of questions it can narrow down."""


def _answer(question: Question, case: Case, answers: Mapping[str, object]) -> Answered | None:
    """Return the answer to a question: the house rules', the table's, or the record's; ``None`` if there is none."""
    why = known(question.known, case)
    if why is not None and question.known in BY_RULES:
        return Answered(question, why.code, RULES, why)
    if question.id in answers:
        return Answered(question, _checked(question, case, answers[question.id]))
    if question.kind in SUBJECTS and case.charges is not None:
        left = SUBJECTS[question.kind](case)
        if len(left) == 1:
            alone = Reason(f"known-{question.kind}", ("REC-19",), {question.kind: left[0]})
            return Answered(question, left[0], RECORD, alone)
    if question.usual:
        why = Reason(question.usual, question.clauses, case.facts, f"usual-{question.id}-{question.usual}")
        return Answered(question, question.usual, RULES, why)
    return None if why is None else Answered(question, why.code, RECORD, why)


def _checked(question: Question, case: Case, answer: object) -> object:
    pointer = f"/answers/{question.id}"
    if question.kind == "choice":
        if any(answer == each.code for each in question.answers):
            return answer
        detail = phrase("The answers are: {known}.", known=", ".join(each.code for each in question.answers))
        raise Refused([Problem(pointer, "bad-value", detail)])
    if type(answer) is not int:
        raise Refused([Problem(pointer, "bad-value", "This must be a whole number.")])
    if question.kind == "seat" and not 0 <= answer < case.rules.players:
        raise Refused([Problem(pointer, "no-such-seat", "There is no such seat.")])
    if question.kind == "trick" and answer < 1:
        raise Refused([Problem(pointer, "bad-value", "Tricks are numbered from 1.")])
    return answer


def applies(guide: Guide, rules: Rules) -> bool:
    if not guide.needs:
        return True
    option, _, value = guide.needs.partition("=")
    if value:
        return rules.options.get(option) == value
    return rules.game.hand_class.guide_applies(guide.needs, rules)
