"""The product's settings, with one more address."""

from deploy.settings import *

ROOT_URLCONF = "tests.bench.writes_urls"
