"""The product's settings with a clock that a file sets forward or back, for machines without libfaketime.

The product reads the time only by `time.time` and `timezone.now`; everything else keeps the system's clock.
"""

import os
import re
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

from deploy.settings import *  # noqa: F403

_time, _now = time.time, timezone.now


def _jump() -> timedelta:
    """Return the file's offset, in days as libfaketime reads them."""
    told = re.fullmatch(r"([+-]\d+)d\n", Path(os.environ["FAKETIME_TIMESTAMP_FILE"]).read_text())
    return timedelta(days=int(told[1]) if told else 0)


def _put_time() -> float:
    return _time() + _jump().total_seconds()


def _put_now() -> datetime:
    return _now() + _jump()


time.time, timezone.now = _put_time, _put_now
