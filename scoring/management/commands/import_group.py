"""`manage.py import_group FILE`: create a group from its archive; run it again to resume an interrupted import."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.urls import reverse

from scoring.groups.acts.group_importing import Unfinished, digest_of, import_group
from scoring.management.operator_command import OperatorCommand
from scoring.models import GroupImport
from scoring.operating.acts.operating import described, note

EVERY = 50  # tables between lines of progress


class Command(OperatorCommand):
    help = "Make a group from its archive, all or nothing, and print the address that opens it."
    arguments = {"file": {"help": "the archive"}}

    def handle(self, *, file: str, **_: Any) -> None:
        def tell(done: int, all_: int) -> None:
            if done % EVERY == 0:
                self.stdout.write(f"{done} of {all_} tables ...")

        try:
            with Path(file).open(encoding="utf-8-sig") as archive:
                digest = digest_of(archive)
                before = GroupImport.objects.filter(digest=digest).values_list("done", flat=True).first()
                if before:
                    self.stdout.write(f"{before} tables are already imported; continuing from there.")
            with Path(file).open(encoding="utf-8-sig") as archive:
                made = import_group(archive, digest=digest, progress=tell)
        except OSError as problem:
            raise CommandError(f"{file} cannot be read: {problem.strerror}.") from None
        except UnicodeDecodeError:
            raise CommandError(f"{file} is not text in UTF-8.") from None
        except Unfinished as cut:
            raise CommandError(
                f"{cut.done} of {cut.tables} tables are imported; another import of it is running."
            ) from None
        group = made.link.group
        note("import-group", described(group))
        self.stdout.write(f"{group.name}: {group.tables.count()} tables.")
        self.stdout.write(f"{reverse('scoring:group', args=[group.code])}#{made.token}")
