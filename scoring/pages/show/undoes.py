"""What *Undo* takes back, said before it is tapped: the last entry of the record, whatever was corrected since."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from scoring.pages.show.event_sentences import sentence
from scoring.queries.log import NextUndone
from scoring.queries.state import Standing


class Undoes(NamedTuple):
    """The name of the button, and a line for the table where an earlier entry was corrected last."""

    label: str
    line: str


def undoes(undone: NextUndone, at: Standing, *, points: bool) -> Undoes:
    """Say what is taken back next; without ``points`` it says none that were made."""
    what = sentence(undone.event, at.names, at.rules.pack, points=points)
    line = _("Corrected. Undo now takes back: {what}").format(what=what) if undone.corrected else ""
    return Undoes(label=_("Undo: {what}").format(what=what), line=line)
