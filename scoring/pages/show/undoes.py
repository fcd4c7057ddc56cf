"""What *Undo* takes back, said before it is tapped: the last entry of the record, whatever was corrected since."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from scoring.pages.show.event_sentences import sentence
from scoring.queries.state import Standing


class Undoes(NamedTuple):
    """The name of the button, and a line for the table where an earlier entry was corrected last."""

    label: str
    line: str


def undoes(event: Mapping[str, Any], at: Standing, *, corrected: bool, points: bool) -> Undoes:
    """Say that this event is taken back next; ``corrected``: one before it was corrected last.

    Without ``points`` it says none that were made.
    """
    what = sentence(event, at.names, at.rules.pack, points=points)
    line = _("Corrected. Undo now takes back: {what}").format(what=what) if corrected else ""
    return Undoes(label=_("Undo: {what}").format(what=what), line=line)
