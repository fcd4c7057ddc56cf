"""The page that explains every problem code; the ``type`` of a problem leads to it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from referee.api.parameters import takes_parameters
from referee.api.problem_codes import IMPOSSIBLE, IRREGULAR, REQUESTS


@takes_parameters("request")
@require_safe
def problem_page(request: HttpRequest) -> HttpResponse:
    """Show the codes with their titles, each at its own anchor."""
    groups = (
        ("What can be wrong with a request", REQUESTS),
        ("Why an event cannot have happened", IMPOSSIBLE),
        ("Which rule an event breaks, although it can have happened", IRREGULAR),
    )
    return render(request, "api/problems.html", {"groups": groups})
