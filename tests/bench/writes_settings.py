"""The product's settings, with one more address."""

from deploy.settings import *  # noqa: F403 - all of them, as Django reads them

ROOT_URLCONF = "tests.bench.writes_urls"
