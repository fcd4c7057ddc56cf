"""Benchmarks without a server: the queries of a tap, questions and answers, and the time to import an evening."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.bench.bench_life import ROOT
from tests.bench.table import Figure

INSIDE = """
import json, time, uuid, django
from random import Random
from statistics import median
from django.conf import settings
django.setup(set_prefix=False)
settings.STORAGES = settings.STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
settings.ALLOWED_HOSTS = ["*"]
settings.COSTLY_SECONDS_PER_MINUTE = settings.WRITES_PER_MINUTE = settings.OPENINGS_PER_HOUR = 10**9
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from referee.engine.records import load_record, replay
from referee.notation import write_text
from scoring.models import Group
from scoring.groups.reads.group_export import archive_of
from scoring.groups.acts.group_importing import digest_of, import_group
from tests.bench.bench_referee import honest_record
from tests.scoring.groups import long_life
call_command("migrate", verbosity=0)
client, told = Client(), {}
def timed(work):
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)
def statements(send, cards):
    send(next(cards)), send(next(cards))
    with CaptureQueriesContext(connection) as asked:
        assert send(next(cards)).status_code < 400
    around = ("BEGIN", "SAVEPOINT", "RELEASE", "COMMIT")
    return len([1 for each in asked if each["sql"].split()[0] not in around])
record = honest_record(Random(4), 50)
def plays():
    return (event for hand in record["hands"] for event in hand["events"])
opening = {"game": "ace-trump", "seats": record["seats"], "first_dealer": 0}
table = client.post("/api/v1/tables/", opening, content_type="application/json").json()
page = f"/t/{table['code']}/"
client.post(page + "join/", {"token": table["token"]})
def tap(event):
    fields = {"event": "play", "seat": "", "cards": event["cards"]}
    headers = {"HX-Request": "true", "Idempotency-Key": str(uuid.uuid4())}
    return client.post(page + "record/", fields, headers=headers)
told["statements-tap"] = statements(tap, plays())
other = client.post("/api/v1/tables/", opening, content_type="application/json").json()
def send(event):
    path = f"/api/v1/tables/{other['code']}/events/"
    headers = {"Authorization": "Bearer " + other["token"], "Idempotency-Key": str(uuid.uuid4())}
    return client.post(path, event, content_type="application/json", headers=headers)
told["statements-event"] = statements(send, plays())
def spent(work):
    started = time.process_time()
    answer = work()
    assert answer.status_code < 400
    return 1000 * (time.process_time() - started), len(answer.content)
fresh = client.post("/api/v1/tables/", opening, content_type="application/json").json()
asks, headers = f"/api/v1/tables/{fresh['code']}/asks/", {"Authorization": "Bearer " + fresh["token"]}
asked, sent, other = [], [], fresh
for _, event in zip(range(200), plays()):
    asked.append(spent(lambda: client.get(asks, headers=headers))[0])
    sent.append(spent(lambda: send(event)))
told["asks"], told["event"] = median(asked), median(time for time, _ in sent)
told["answer"] = max(size for _, size in sent)
def import_here(body, kind):
    assert client.post("/api/v1/tables/import/", body, content_type=kind).status_code == 201
bodies = {"json": (json.dumps(record), "application/json"), "text": (write_text(load_record(record)), "text/plain")}
loaded = load_record(record)
told["judging"] = min(timed(lambda: replay(loaded)) for _ in range(7))
for name, body in bodies.items():
    told[name] = min(timed(lambda: import_here(*body)) for _ in range(5))
long_life(tables=20, hands=50)
group, lines = Group.objects.latest("pk"), []
told["taking"] = timed(lambda: lines.extend("".join(archive_of(group)).splitlines()))
told["group"] = timed(lambda: import_group(lines, digest=digest_of(lines)))
print(json.dumps(told))
"""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as var:
        environment = os.environ | {"VAR_DIR": var, "DJANGO_SETTINGS_MODULE": "deploy.settings"}
        environment.pop("DATABASE_URL", None)
        command = [sys.executable, "-c", INSIDE]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    for key in ("statements-tap", "statements-event"):
        yield Figure(f"inside/{key}", told[key], told[key] / 2)
    yield Figure("inside/answer", told["answer"], told["answer"] / 3000)
    for key, beside in (("asks", "event"), ("json", "judging"), ("text", "judging"), ("group", "taking")):
        yield Figure(f"inside/{key}", told[key], told[key] / told[beside])
