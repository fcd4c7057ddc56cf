"""Which form of an answer a caller takes."""

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

from referee.api.problems import MEDIA_TYPE


class ProblemsAreJSON(DefaultContentNegotiation):
    """Who names the type of problems alone takes any answer that is JSON: none but problems has that type."""

    def get_accept_list(self, request: Request) -> list[str]:
        accepted: list[str] = super().get_accept_list(request)
        return [*accepted, "application/json"] if accepted == [MEDIA_TYPE] else accepted
