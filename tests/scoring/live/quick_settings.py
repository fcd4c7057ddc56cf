"""The product's settings, with pings that a test can wait for."""

from deploy.settings import *  # noqa: F403

LIVE_SECONDS_BETWEEN_PINGS = 0.3
