"""What the API refuses, as exceptions that hold its problem."""

import httpx

from card_table_client.shapes import TableProblem


class Refused(Exception):  # noqa: N818 - it is an answer; nothing failed
    """An answer that says why something was not done; ``problem`` has its stable ``code``."""

    def __init__(self, status: int, problem: TableProblem) -> None:
        super().__init__(f"{problem['detail']} ({problem['code']})")
        self.status, self.problem = status, problem


class Irregular(Refused):
    """The rules do not allow the event; recorded with ``accepted`` it stands, with its irregularity."""


class MovedOn(Refused):
    """The table is at another version than the caller has seen; the problem holds its state."""


def check(answer: httpx.Response) -> httpx.Response:
    """Return an answer that is none of refusal; raises ``Refused`` with the problem otherwise."""
    if answer.is_success:
        return answer
    if answer.headers.get("Content-Type") != "application/problem+json":
        answer.raise_for_status()
    problem: TableProblem = answer.json()
    if answer.status_code == httpx.codes.PRECONDITION_FAILED:
        raise MovedOn(answer.status_code, problem)
    if problem.get("ruling", {}).get("verdict") == "irregular":
        raise Irregular(answer.status_code, problem)
    raise Refused(answer.status_code, problem)
