"""Django's own checks, in one process: settings and models, missing migrations, warnings of the API's schema."""

import os
import sys

import django
from django.core.management import CommandError, call_command


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    try:
        call_command("check", fail_level="WARNING")
        call_command("makemigrations", check_changes=True, dry_run=True)
        call_command("spectacular", validate=True, fail_on_warn=True, file=os.devnull)
    except CommandError as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
