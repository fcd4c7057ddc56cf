"""The product's settings, with one more address."""

from deploy.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.writes_urls"
