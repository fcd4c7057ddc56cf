"""The product's settings, with pings and words between processes that a test can wait for."""

from deploy.settings import *  # noqa: F403 - all of them, as Django reads them

LIVE_SECONDS_BETWEEN_PINGS = 0.3
LIVE_SECONDS_TO_REPEAT = 0.5
