"""Limits by what answers cost, and the fields by which an answer says what is left of them."""

from abc import ABC, abstractmethod
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle


def tell_limits(response: Any, fields: list[tuple[str, str] | None]) -> None:
    """Say in an answer what of its limits is left, as the HTTP working group's ``RateLimit`` fields do."""
    known = [field for field in fields if field is not None]
    if known:
        response["RateLimit-Policy"] = ", ".join(policy for policy, _ in known)
        response["RateLimit"] = ", ".join(left for _, left in known)


def limit_field(name: str, quota: int, window: int, left: int, seconds: int) -> tuple[str, str]:
    """Return a policy, so many in a window of seconds, and how many are left until it begins anew."""
    return f'"{name}";q={quota};w={window}', f'"{name}";r={left};t={seconds}'


class Limit(BaseThrottle, ABC):
    """A throttle that counts what an answer has cost, not that a question came."""

    @abstractmethod
    def applies_to(self, view: object) -> bool:
        """Return whether answers of this view are counted."""

    @abstractmethod
    def settle(self, request: Request, response: Response, seconds: float) -> None:
        """Count an answer that took so many seconds of processor time."""

    @abstractmethod
    def fields(self, request: Request) -> tuple[str, str] | None:
        """Return the policy and what is left of it, as the fields ``RateLimit-Policy`` and ``RateLimit`` have them."""
