"""The product's settings with one more page."""

from deploy.settings import *  # noqa: F403 - all of them, as Django reads them

ROOT_URLCONF = "tests.e2e.live_urls"
