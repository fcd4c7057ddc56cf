"""Saying that a table has changed, to whoever watches it.

What is said is only a wake-up: the log is the truth, and watchers look at it themselves now and then, so a word that
gets lost delays them and does no harm. It is said after the commit; `telling` passes it on to other processes.
"""

from django.db import transaction
from django.dispatch import Signal

from scoring.models import Link

VERSION, REVOKED, PRIVATE = "version", "revoked", "private"
NEXT = "next"
GROUP, GROUP_REVOKED = "group", "group-revoked"

notified = Signal()  # sent in this process after a commit, with ``word``; whoever hears it must not block


def announce(kind: str, *numbers: int) -> None:
    """Describe what has changed, when the transaction has committed; streams end that a right has opened which is
    gone.
    """
    word = " ".join(map(str, (kind, *numbers)))
    transaction.on_commit(lambda: notified.send_robust(sender=None, word=word))


def announce_version(pk: int, version: int) -> None:
    announce(VERSION, pk, version)


def announce_revoked(link: Link) -> None:
    announce(REVOKED, link.pk)
