"""The product's settings with one more page."""

from deploy.settings import *  # noqa: F403

ROOT_URLCONF = "tests.e2e.live_urls"
