"""Tests of every API operation, generated when they run.

Schemathesis needs many seconds to find the edge cases of a schema. Doing so at collection would cost every test process
as much, for operations that another one tests.
"""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from schemathesis.checks import load_all_checks
from schemathesis.core.result import Ok
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.schemas import BaseSchema


def one_by_one(schema: BaseSchema) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test of a ``case`` for each operation of a schema, as ``schema.parametrize()`` does."""
    load_all_checks()
    operations = {found.ok().label: found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)}

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def tried(operation: str, **fixtures: Any) -> None:
            whole = build_operation_test(
                config=schema.config,
                operation=operations[operation],
                test_func=test,
                given_kwargs={},
                feedback=FeedbackSources(constants_value_source=make_constants_value_source(schema)),
            )
            whole(**fixtures)

        asked = [each for each in inspect.signature(test).parameters.values() if each.name != "case"]
        own = inspect.Parameter("operation", inspect.Parameter.KEYWORD_ONLY)
        tried.__name__, tried.__module__ = test.__name__, test.__module__
        tried.__signature__ = inspect.Signature([*asked, own])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("operation", operations)(tried)

    return decorate
