"""Static analysis of the outer values that a template fragment reads, which make up its cache key.

A value is a path: ``board.last.winner``, ``board.seats[0].shown``. Names bound inside the fragment (loops, ``with``,
macro arguments) are traced to their origin. Where that is impossible, the whole value counts: calling ``seat.plays()``
reads ``seat``.
"""

from collections.abc import Iterable, Iterator

from django.db.models import Model
from jinja2 import Environment, nodes

Path = tuple[str | int, ...]  # a name, then attributes (``str``) and indexes (``int``)


def reads(body: Iterable[nodes.Node], environment: Environment, own: frozenset[str]) -> list[nodes.Expr] | None:
    """Return an expression for each value read; ``None`` if the fragment includes a file, which may read more.

    ``own`` are names passed to the fragment. Values read only under ``if marked`` are left out.
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
    """Return the cache key of some values; ``None`` if one is unhashable or a model row, which equals its older
    versions.
    """
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
            case nodes.Or(left=nodes.Name(name="version")):  # the same for all parts of a process
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
