"""Pages of a group with 2,000 tables and 100,000 hands, compared with 20 tables; bytes per hand."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.table import LIFE_PAGES, Figure

ROOT = Path(__file__).resolve().parent.parent.parent
TABLES, FEW, HANDS = 2000, 20, 50
LIFE = """
import json, sys, time, django
from django.conf import settings
django.setup(set_prefix=False)
settings.STORAGES = settings.STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
settings.ALLOWED_HOSTS = ["*"]
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from scoring.models import HandSheet, Table
from scoring.models.fields import canonical
from scoring.groups.acts.scores import hold_scores
from tests.scoring.groups import long_life
call_command("migrate", verbosity=0)
tables, few, hands = map(int, sys.argv[1:])
groups = [long_life(tables=count, hands=hands) for count in (few, tables)]
def paths(group):
    one, other = list(group.people().values())[:2]
    day = Table.objects.filter(group=group.row).order_by("-evening").first().evening
    person = f"statistics/people/{one}/"
    parts = ["", "history/", "history/?state=finished", f"history/?person={one}", f"evenings/{day}/", "statistics/",
             "statistics/?game=ace-trump", "statistics/ratings/", "statistics/hands/", person, f"{person}with/{other}/"]
    return [f"/g/{group.code}/{part}" for part in parts]
def cost(client, path):
    client.get(path)
    best = 9e9
    for _ in range(5):
        started = time.process_time()
        assert client.get(path).status_code == 200, path
        best = min(best, time.process_time() - started)
    with CaptureQueriesContext(connection) as asked:
        client.get(path)
    return best, len(asked)
def uncached(client, group):
    best = 9e9
    for _ in range(3):
        hold_scores(group.row.pk)  # as when a table ends
        started = time.process_time()
        assert client.get(f"/g/{group.code}/statistics/").status_code == 200
        best = min(best, time.process_time() - started)
    return best
client = Client()
for group in groups:
    client.post(f"/g/{group.code}/join/", {"token": group.token})
pages = []
for small, large in zip(*map(paths, groups)):
    pages.append([*cost(client, small), *cost(client, large)])
with connection.cursor() as cursor:
    cursor.execute("SELECT AVG(LENGTH(sheet) + LENGTH(start)) FROM scoring_handsheet")
    packed = cursor.fetchone()[0]
plain = [len(canonical(each.sheet)) + len(canonical(each.start)) for each in HandSheet.objects.all()[:500]]
first = [uncached(client, group) for group in groups]
print(json.dumps({"pages": pages, "uncached": first, "packed": packed, "plain": sum(plain) / len(plain)}))
"""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as var:
        environment = os.environ | {"VAR_DIR": var, "DJANGO_SETTINGS_MODULE": "deploy.settings"}
        environment.pop("DATABASE_URL", None)
        command = [sys.executable, "-c", LIFE, *map(str, (TABLES, FEW, HANDS))]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    for key, (small, _, large, _) in zip(LIFE_PAGES, told["pages"], strict=True):
        yield Figure(f"life/{key}", 1000 * large, large / small)
    small, large = told["uncached"]
    yield Figure("life/uncached", 1000 * large, large / small)
    most = max(asked for *_, asked in told["pages"])
    yield Figure("life/statements", most, max(later / asked for _, asked, _, later in told["pages"]))
    yield Figure("life/bytes", told["packed"], told["packed"] / told["plain"])
