"""The parameters of an address: those that its operation declares for the schema, each at most once, and no others."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter

from referee.api.problems import IN_QUERY, ProblemResponse
from referee.engine.options import Problem

View = TypeVar("View", bound=Callable[..., Any])
LONGEST_SHOWN = 40
TRIAL = "dry_run"


class NamedParameters(OpenApiParameter):
    """Parameters whose names are data, such as the house rules of a game; ``names`` returns all there are."""

    def __init__(self, name: str, description: str, names: Callable[[], Iterable[str]]) -> None:
        shape = {"type": "object", "additionalProperties": {"type": "string"}}
        super().__init__(name, shape, description=description, style="form", explode=True)
        self.names = names


def takes_parameters(*names: str) -> Callable[[View], View]:
    """Declare the parameters of a view that the schema does not describe by itself."""

    def declare(view: View) -> View:
        view.parameters = frozenset(names)  # type: ignore[attr-defined]  # a function takes any attribute
        return view

    return declare


def refuse_parameters(request: HttpRequest, view: Callable[..., Any]) -> ProblemResponse | None:
    """Refuse a parameter that the view of a request does not take, and one that stands twice.

    Nothing is done then: a slip in ``dry_run`` records nothing.
    """
    if not request.GET:
        return None
    known = declared(view, "GET" if request.method == "HEAD" else request.method or "")
    if known is None:  # there is no such method, and so it is told
        return None
    unknown = next((name for name in request.GET if name not in known), None)
    if unknown is not None:
        shown = unknown[:LONGEST_SHOWN]
        detail = f"This address takes no parameter {shown!a}. Nothing was done."
        if unknown == TRIAL:
            detail = "Nothing can be tried at this address. Nothing was done."
        elif known:
            detail = f"{detail} It takes: {', '.join(sorted(known)[:LONGEST_SHOWN])}."
        return refusal("unknown-parameter", detail, shown)
    twice = next((name for name, values in request.GET.lists() if len(values) > 1), None)
    if twice is None:
        return None
    shown = twice[:LONGEST_SHOWN]
    return refusal("duplicate-key", f"The parameter {shown!a} stands twice in the address. Nothing was done.", shown)


def refusal(code: str, detail: str, name: str) -> ProblemResponse:
    """Return the problem of a parameter."""
    return ProblemResponse(400, code, detail, [Problem(f"{IN_QUERY}{name}", code, detail)])


@cache
def declared(view: Callable[..., Any], method: str) -> frozenset[str] | None:
    """Return the names of the parameters that a view takes; ``None`` where it does not know the method."""
    if hasattr(view, "parameters") or not hasattr(view, "cls"):
        return frozenset(getattr(view, "parameters", ())) if method == "GET" else None
    handler = getattr(view.cls, method.lower(), None) if method.lower() in view.cls.http_method_names else None
    schema = getattr(handler, "kwargs", {}).get("schema")
    if schema is None:
        return None if handler is None else frozenset()
    described = schema()
    described.view, described.method = view.cls(request=None, kwargs={}), method
    names: set[str] = set()
    for each in described.get_override_parameters():
        if isinstance(each, NamedParameters):
            names |= {*each.names()}
        elif not isinstance(each, OpenApiParameter):
            names |= {*(each() if isinstance(each, type) else each).fields}
        elif each.location == OpenApiParameter.QUERY:
            names.add(each.name)
    return frozenset(names)
