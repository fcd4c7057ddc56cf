"""Pages whose answer can take seconds of a processor: they are worked out beside the thread that takes cards."""

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


def costly(view: View) -> View:
    """Mark a view that is a function as one whose answer can take seconds of a processor."""
    view.costly = True  # type: ignore[attr-defined]  # the handler looks for it
    return view
