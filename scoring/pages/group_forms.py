"""The forms of a group: its name and people, a link, somebody's name and colour."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.engine.reader import breaks_lines, can_be_seen, turns_writing
from scoring.models import Colour, GroupRole
from scoring.models.group import LONGEST_NAME
from scoring.models.time_zones import zone_names


class NameField(forms.CharField):
    """A name of which a letter, a digit or a sign can be seen."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_NAME, **options)

    def validate(self, value: str) -> None:
        super().validate(value)
        if value:
            check_line(value)
        if value and not can_be_seen(value):
            raise forms.ValidationError(_("This name cannot be seen."))
        if turns_writing(value or ""):
            raise forms.ValidationError(_("This name turns the writing beside it: leave its marks of direction out."))


def check_line(name: str) -> None:
    """Raise ``ValidationError`` where a name does not stay on its line."""
    if breaks_lines(name):
        detail = _("This name holds a line break, a tab or a control character: leave it out.")
        raise forms.ValidationError(detail)


class SpellingsField(forms.CharField):
    """Names with commas or lines between them."""

    def to_python(self, value: Any) -> Any:
        names = [name.strip() for line in (value or "").splitlines() for name in line.split(",")]
        return [name for name in names if name]

    def validate(self, value: Any) -> None:
        for name in value:
            check_line(name)
        if any(len(name) > LONGEST_NAME or not can_be_seen(name) for name in value):
            raise forms.ValidationError(_("A name has at most sixty letters, and one can see it."))
        if any(map(turns_writing, value)):
            raise forms.ValidationError(_("This name turns the writing beside it: leave its marks of direction out."))


class DeviceZone(forms.CharField):
    """The time zone that a device says it is in; one that is not known here is none."""

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> str:
        return value if value in zone_names() else ""


class TimeZoneField(forms.CharField):
    """The time zone of a group; empty: as it was."""

    def validate(self, value: str) -> None:
        if value and value not in zone_names():
            raise forms.ValidationError(_("There is no such time zone. Choose one of the list, such as Europe/Berlin."))


class NewGroup(forms.Form):
    """A group: its name and who plays in it."""

    name = NameField(error_messages={"required": gettext_lazy("A group needs a name.")})
    people = SpellingsField(required=False)
    time_zone = DeviceZone(required=False)


class GroupSettings(forms.Form):
    """What a group is called, where its evenings are counted, and what of it is counted and shown."""

    name = NameField(error_messages={"required": gettext_lazy("A group needs a name.")})
    counts_revokes = forms.BooleanField(required=False)
    shares_rulings = forms.BooleanField(required=False)
    time_zone = TimeZoneField(required=False)


class PersonForm(forms.Form):
    """Somebody of a group."""

    name = NameField(error_messages={"required": gettext_lazy("A person needs a name.")})
    aliases = SpellingsField(required=False)
    colour = forms.ChoiceField(choices=[("", ""), *Colour.choices], required=False)


class RecoverForm(forms.Form):
    """The recovery code of a group, whose the phone is, and whether the phones from before are shut out."""

    code = forms.CharField(max_length=100, error_messages={"required": gettext_lazy("The recovery code is needed.")})
    name = NameField(required=False)
    cancel_older = forms.BooleanField(required=False)


class GroupLinkForm(forms.Form):
    """Whose a link is, and what it allows."""

    role = forms.ChoiceField(choices=GroupRole.choices)
    name = NameField(required=False)
