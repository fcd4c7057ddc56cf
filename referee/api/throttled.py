"""Views that tell their throttles what came of a request, and a caller what is left of a limit."""

from time import thread_time
from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from referee.api.rate_limit import Limit, tell_limits


class ThrottledAPIView(APIView):
    """A view that is limited by what its answers cost."""

    costly = False
    """Whether an answer can take seconds: then it is worked out beside the thread that takes cards."""

    def get_throttles(self) -> list[BaseThrottle]:
        limits = (throttle for throttle in super().get_throttles() if isinstance(throttle, Limit))
        self._limits = [limit for limit in limits if limit.applies_to(self)]
        self._began = thread_time() if self._limits else 0.0
        return [*self._limits]

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        fields = []
        for limit in getattr(self, "_limits", ()):
            limit.settle(request, answer, thread_time() - self._began)
            fields.append(limit.fields(request))
        tell_limits(answer, fields)
        return answer


class CostlyAPIView(ThrottledAPIView):
    """A view whose answer can take seconds of a processor."""

    costly = True
