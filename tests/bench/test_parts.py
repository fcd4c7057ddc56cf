"""The parts of `make bench`."""

import os
import subprocess
import sys

from tests.bench.table import PARTS


def test_the_parts_load_without_django():
    """They run outside the tests' process, so nobody has set Django up for them."""
    imports = "; ".join(f"import tests.bench.bench_{part}" for part in PARTS)
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    subprocess.run([sys.executable, "-c", imports], env=environment, check=True)
