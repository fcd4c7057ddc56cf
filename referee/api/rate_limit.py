"""The fields by which an answer says what is left of its limits."""

from typing import Any


def tell_limits(response: Any, fields: list[tuple[str, str] | None]) -> None:
    """Say in an answer what of its limits is left, as the HTTP working group's ``RateLimit`` fields do."""
    known = [field for field in fields if field is not None]
    if known:
        response["RateLimit-Policy"] = ", ".join(policy for policy, _ in known)
        response["RateLimit"] = ", ".join(left for _, left in known)


def limit_field(name: str, quota: int, window: int, left: int, seconds: int) -> tuple[str, str]:
    """Return a policy, so many in a window of seconds, and how many are left until it begins anew."""
    return f'"{name}";q={quota};w={window}', f'"{name}";r={left};t={seconds}'
