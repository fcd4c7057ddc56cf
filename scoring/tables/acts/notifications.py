"""Notifications to watchers that a table has changed, sent after the commit.

A notification is only a wake-up: watchers read the log and poll regularly, so a lost one only delays them. `telling`
relays them to other processes.
"""

from django.db import transaction
from django.dispatch import Signal

from scoring.models import Link

VERSION, REVOKED, PRIVATE = "version", "revoked", "private"
NEXT = "next"
GROUP, GROUP_REVOKED = "group", "group-revoked"

notified = Signal()  # sent in this process after a commit, with ``word``; receivers must not block


def announce(kind: str, *numbers: int) -> None:
    """Notify watchers after the commit."""
    word = " ".join(map(str, (kind, *numbers)))
    transaction.on_commit(lambda: notified.send_robust(sender=None, word=word))


def announce_version(pk: int, version: int) -> None:
    announce(VERSION, pk, version)


def announce_revoked(link: Link) -> None:
    announce(REVOKED, link.pk)
