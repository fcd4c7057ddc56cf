"""How long a request may keep the referee busy: the rules have no clock, so it is brought to them."""

from time import thread_time

from django.conf import settings

from referee.engine.bounds import Watch, deadline


def judging_watch() -> Watch:
    """Return a watch on the processor time of whoever calls; it raises ``TooCostly`` when the time is up."""
    return deadline(thread_time, settings.SECONDS_TO_JUDGE)
