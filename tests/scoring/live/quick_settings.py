"""The product's settings with pings and inter-process messages frequent enough for tests."""

from deploy.settings import *  # noqa: F403 - all of them, as Django reads them

LIVE_SECONDS_BETWEEN_PINGS = 0.3
LIVE_SECONDS_TO_REPEAT = 0.5
