"""The product's settings with one more page: a stream that never ends."""

from deploy.settings import *  # noqa: F403 - all of them, as Django reads them

ROOT_URLCONF = "tests.deploy.streaming_urls"
