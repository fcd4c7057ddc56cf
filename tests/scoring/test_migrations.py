"""What a release does to the database, the release before it survives: its processes serve on, and it is the way back.

So a step *expands*: it adds what earlier code need not know. What earlier code still uses is taken away, or tied up,
only by a step of a later release, which says so: `contract = "nothing reads it since 0.2.0"`.
"""

import re
import tomllib
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from deploy.health import what_stands
from scoring.migrations import RELEASED

ROOT = Path(__file__).parents[2]
REMOVES = (
    migrations.DeleteModel,
    migrations.RenameModel,
    migrations.AlterModelTable,
    migrations.RemoveField,
    migrations.RenameField,
)
TIES_UP = (migrations.AddConstraint, migrations.AlterUniqueTogether)


def breaks(step, released):
    """Return why code of the last release does not work with a step, or an empty text where it does."""
    if isinstance(step, migrations.SeparateDatabaseAndState):
        return next(filter(None, (breaks(each, released) for each in step.database_operations)), "")
    if isinstance(step, migrations.RunSQL):
        return "nobody knows what SQL does"
    name = getattr(step, "model_name", None) or getattr(step, "old_name", None) or getattr(step, "name", None)
    model = released.models.get(("scoring", str(name).lower()))
    if model is None:
        return ""  # earlier code knows nothing of it
    if isinstance(step, migrations.AddField):
        field = step.field
        # Django's own default is the code's alone: rows of earlier code come without.
        without = field.null or has_db_default(field) or field.many_to_many
        return "" if without else "earlier code writes rows without it: null=True or db_default"
    named = getattr(step, "old_name", "") if isinstance(step, migrations.RenameField) else getattr(step, "name", "")
    if isinstance(step, (migrations.RemoveField, migrations.RenameField, migrations.AlterField)):
        if named not in model.fields:
            return ""
        return tightened(model.fields[named], step.field) if isinstance(step, migrations.AlterField) else "it goes"
    if isinstance(step, REMOVES):
        return "it goes"
    if isinstance(step, migrations.RemoveConstraint):
        return "earlier code may count on it when it writes"
    if isinstance(step, migrations.AddConstraint) and says_no_more(vars(step)["constraint"], model):
        return ""
    return "what earlier code writes may be refused" if isinstance(step, TIES_UP) else ""


def says_no_more(constraint, model):
    """Return whether rows are different by some of these fields alone, as another constraint has it."""
    if not isinstance(constraint, models.UniqueConstraint) or constraint.condition is not None:
        return False
    unique = [each for each in model.options.get("constraints", ()) if isinstance(each, models.UniqueConstraint)]
    return any(each.condition is None and {*each.fields} <= {*constraint.fields} for each in unique)


def tightened(before, after):
    """Return why a field takes less than it took, or an empty text."""
    if before.db_parameters(connection)["type"] != after.db_parameters(connection)["type"]:
        longer = (after.max_length or 0) >= (before.max_length or 0)
        if type(before) is not type(after) or not longer:
            return "it takes other values"
    if (before.null and not after.null) or (after.unique and not before.unique):
        return "what earlier code writes may be refused"
    return "it has no default any more" if has_db_default(before) and not has_db_default(after) else ""


def has_db_default(field):
    return field.db_default is not models.NOT_PROVIDED


@pytest.fixture
def released(db):
    """Return what the models were in the last release."""
    return MigrationLoader(connection).project_state(("scoring", RELEASED))


def test_later_steps_expand_or_say_that_they_contract(db, released):
    loader = MigrationLoader(connection)
    later = sorted({name for app, name in loader.disk_migrations if app == "scoring" and name > RELEASED})
    for name in later:
        step = loader.disk_migrations["scoring", name]
        if getattr(step, "contract", ""):
            continue
        wrong = [f"{each.describe()}: {why}" for each in step.operations if (why := breaks(each, released))]
        assert wrong == [], f"{name} breaks the release before it; expand first, contract in a later one"


def test_the_page_of_releases_tells_how_far_the_database_is_and_which_way_leads_back():
    """A row for each release in the changelog, with notes; the last one is what the code calls itself."""
    page = (ROOT / "docs/reference/releases.md").read_text()
    noted = re.findall(r"^## (\d+\.\d+\.\d+)\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    rows = re.findall(r"^\| (\d+\.\d+\.\d+) \| (.+?) \| `(\w+)` \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    assert [row[0] for row in rows] == noted == re.findall(r"^## (\d\S*)$", page, re.MULTILINE)
    assert rows[0][2] == RELEASED
    assert rows[0][0] == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert [row[3] for row in rows[:-1]] == [row[0] for row in rows[1:]], "each serves beside the one before it"


VALUES = {
    models.CharField: "?",
    models.TextField: "?",
    models.FloatField: 1.0,
    models.IntegerField: 1,
    models.BooleanField: True,
    models.DateTimeField: datetime(2026, 1, 1, tzinfo=UTC),
    models.DateField: date(2026, 1, 1),
}


def value_for(field):
    for kind, value in VALUES.items():
        if isinstance(field, kind):
            return {} if "JSON" in type(field).__name__ else value
    raise AssertionError(f"{field} needs a value here")


def test_code_of_the_last_release_reads_and_writes_every_row(released):
    """Also of what a later step says it takes away: in the last release nothing may use that any more."""
    rows: dict[type[models.Model], models.Model] = {}
    waiting = [model for model in released.apps.get_models() if model._meta.app_label == "scoring"]
    while waiting:
        model = waiting.pop(0)
        fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.BigAutoField)]
        others = {field.remote_field.model for field in fields if field.remote_field and not field.null}
        if not others <= rows.keys():
            waiting.append(model)
            continue
        given = {
            field.name: rows[field.remote_field.model] if field.remote_field else value_for(field)
            for field in fields
            if not field.null and not field.has_default()
        }
        rows[model] = model.objects.create(**given)
        assert model.objects.get(pk=rows[model].pk)
        rows[model].save()
    for row in reversed(rows.values()):
        row.delete()


def test_an_earlier_release_starts_on_what_a_later_one_has_made(db):
    MigrationRecorder(connection).record_applied("scoring", "9999_later")
    call_command("migrate", interactive=False, verbosity=0)
    assert what_stands()["migrations"] == "ok"


def unique(*fields):
    return models.UniqueConstraint(fields=fields, name="x")


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (migrations.RemoveField("table", "extra"), "goes"),
        (migrations.RenameField("table", "extra", "more"), "goes"),
        (migrations.DeleteModel("Reading"), "goes"),
        (migrations.RenameModel("Reading", "Leaflet"), "goes"),
        (migrations.AlterModelTable("reading", "leaflet"), "goes"),
        (migrations.AddField("table", "hall", models.CharField(max_length=9, default="")), "db_default"),
        (migrations.AddField("table", "hall", models.CharField(max_length=9, db_default="")), ""),
        (migrations.AddField("table", "hall", models.IntegerField(null=True)), ""),
        (migrations.AlterField("link", "seat", models.PositiveSmallIntegerField()), "refused"),
        (migrations.AlterField("link", "label", models.CharField(max_length=20)), "other values"),
        (migrations.AlterField("link", "label", models.CharField(max_length=90)), ""),
        (migrations.AlterField("link", "label", models.CharField(max_length=60, unique=True)), "refused"),
        (migrations.AlterField("link", "role", models.IntegerField()), "other values"),
        (migrations.AddConstraint("link", models.UniqueConstraint(fields=["label"], name="x")), "refused"),
        (migrations.AddConstraint("seatscore", unique("group", "table", "seat")), ""),
        (migrations.AddConstraint("seatscore", unique("group", "seat")), "refused"),
        (migrations.RemoveConstraint("link", "x"), "count on it"),
        (migrations.AddIndex("link", models.Index(fields=["label"], name="x")), ""),
        (migrations.RunSQL("DROP TABLE scoring_link"), "SQL"),
        (migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("table", "extra")]), ""),
        (migrations.SeparateDatabaseAndState([migrations.RemoveField("table", "extra")]), "goes"),
        (migrations.CreateModel("Hall", [("id", models.BigAutoField(primary_key=True))]), ""),
        (migrations.RemoveField("hall", "name"), ""),
        (migrations.RunPython(migrations.RunPython.noop), ""),
    ],
    ids=lambda value: value.describe() if hasattr(value, "describe") else "",
)
def test_what_breaks_the_release_before(released, step, why):
    found = breaks(step, released)
    assert bool(found) == bool(why)
    assert why in found
