"""Pages that are worked out beside the thread that takes cards."""

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


def costly(view: View) -> View:
    """Mark a view that is a function as one whose answer can take seconds of a processor."""
    view.costly = True  # type: ignore[attr-defined]  # the handler looks for it
    return view


def looks_back(view: View) -> View:
    """Mark a view that is a function as one that reads history, which grows with every evening."""
    view.looks_back = True  # type: ignore[attr-defined]  # the handler looks for it
    return view
