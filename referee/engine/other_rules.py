"""House rules that a table changes between two hands (REC-23): what they are then, and what stays as it began."""

from referee.engine.options import Options, Refused
from referee.engine.rules import Rules
from referee.engine.rulings import Refusal, impossible


def changed_rules(rules: Rules, options: Options) -> Rules:
    """Return the rules of a table with some house rules changed; raises ``Refused`` where they cannot be."""
    return rules.game.rules({**rules.options, **options}, rules.players, rules.end)


def clauses_of(rules: Rules, options: Options) -> tuple[str, ...]:
    """Return the clauses of these house rules."""
    found = (option.clauses for option in rules.game.all_options() if option.key in options)
    return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))


def agree_on(rules: Rules, options: Options) -> Rules | Refusal:
    """Return the rules of a table once it has changed some house rules, or say why it cannot.

    Who plays with whom stays for the whole game, and so does whether points are hidden (REC-15).
    """
    try:
        coming = changed_rules(rules, options)
    except Refused as refused:
        return impossible("bad-rules", "REC-23", *clauses_of(rules, options), why=refused.problems[0].phrase)
    if coming.sides != rules.sides:
        return impossible("bad-rules", "REC-23", "REC-15", phrase="partners-stay")
    if rules.game.hides_points(coming.options) != rules.game.hides_points(rules.options):
        return impossible("bad-rules", "REC-23", *clauses_of(rules, options), phrase="hiding-stays")
    return coming
