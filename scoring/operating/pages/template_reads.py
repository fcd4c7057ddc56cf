"""What a piece of a template reads from outside itself, so that what was drawn can be known by those values.

A value is named by a path: ``board.last.winner``, ``board.seats[0].shown``. Names that the piece gives itself (loops,
``with``, macros' arguments) are followed to where they come from. What cannot be followed is left whole: a call of
``seat.plays()`` reads ``seat``.
"""

from collections.abc import Iterable, Iterator

from django.db.models import Model
from jinja2 import Environment, nodes

Path = tuple[str | int, ...]  # a name, then attributes (text) and items (numbers)


def reads(body: Iterable[nodes.Node], environment: Environment, own: frozenset[str]) -> list[nodes.Expr] | None:
    """Return an expression for each value that a piece reads; ``None`` if it includes a file, which may read more.

    ``own`` are names that the piece is given; under ``if marked`` it may show more than it is known by.
    """
    seen = set(_of(body, own | frozenset(environment.globals)))
    if () in seen:
        return None
    whole = {path for path in seen if not any(path[:end] in seen for end in range(1, len(path)))}
    found = []
    for name, *steps in sorted(whole, key=str):
        made: nodes.Expr = nodes.Name(str(name), "load")
        for step in steps:
            if isinstance(step, int):
                made = nodes.Getitem(made, nodes.Const(step), "load")
            else:
                made = nodes.Getattr(made, step, "load")
        found.append(made)
    return found


def key_of(values: Iterable[object]) -> tuple[object, ...] | None:
    """Return the cache key of these values; a row has none, since it looks the same after a change."""
    key = tuple(tuple(value) if isinstance(value, list) else value for value in values)
    try:
        hash(key)
    except TypeError:
        return None
    return None if any(isinstance(value, Model) for value in key) else key


def _of(parts: Iterable[nodes.Node | None], own: frozenset[str]) -> Iterator[Path]:
    for node in parts:
        match node:
            case nodes.Include():
                yield ()
            case nodes.Name() | nodes.Getattr() | nodes.Getitem():
                yield from _of_path(node, own)
            case nodes.Call(node=nodes.Getattr(node=held)):
                yield from _of([held, *(child for child in node.iter_child_nodes() if child is not node.node)], own)
            case nodes.For():
                yield from _of([node.iter], own)
                yield from _of([node.test, *node.body, *node.else_], own | _named([node.target]) | {"loop"})
            case nodes.With():
                yield from _of(node.values, own)
                yield from _of(node.body, own | _named(node.targets))
            case nodes.Macro() | nodes.CallBlock():
                yield from _of([*node.defaults, *([node.call] if isinstance(node, nodes.CallBlock) else ())], own)
                yield from _of(node.body, own | _named(node.args) | {"caller", "varargs", "kwargs"})
            case None:
                pass
            case nodes.Or(left=nodes.Name(name="version")):  # a part has one, which stands for every version
                pass
            case nodes.If(test=nodes.Name(name="marked")):
                yield from _of([*node.elif_, *node.else_], own)
            case nodes.CondExpr(test=nodes.Name(name="marked")):
                yield from _of([node.expr2], own)
            case _:
                yield from _of(node.iter_child_nodes(), own)


def _of_path(node: nodes.Node, own: frozenset[str]) -> Iterator[Path]:
    path: list[str | int] = []
    while True:
        match node:
            case nodes.Name(name=name):
                if name not in own and node.ctx == "load":
                    yield (name, *reversed(path))
                return
            case nodes.Getattr(node=inner, attr=attr):
                path.append(attr)
                node = inner
            case nodes.Getitem(node=inner, arg=nodes.Const(value=int(at))):
                path.append(at)
                node = inner
            case nodes.Getitem(node=inner, arg=arg):
                yield from _of([arg], own)
                path.clear()
                node = inner
            case _:
                yield from _of([node], own)
                return


def _named(targets: Iterable[nodes.Node]) -> set[str]:
    given: set[str] = set()
    for target in targets:
        names = [target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name)
        given.update(name.name for name in names)
    return given
