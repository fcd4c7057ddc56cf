#!/usr/bin/env python3
"""Django's command line, with this project's settings."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    os.umask(0o077)  # what a command writes is its owner's alone
    try:
        _ = settings.INSTALLED_APPS  # reads them all
    except ImproperlyConfigured as problem:
        sys.exit(f"A setting is wrong: {problem}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
