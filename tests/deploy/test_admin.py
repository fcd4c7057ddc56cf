"""Django's admin: not there unless it was turned on; then for operators with accounts, for looking and closing."""

import json

import pytest
from django.conf import settings

from tests.deploy.managing import manage

LOOKED = """
import json, re
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.test import Client
from django.test.utils import override_settings
from scoring.models import Link, OperatorAct, Table
from scoring.services.groups import create_group
from scoring.services.tables import create_table
plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
override_settings(STORAGES={"staticfiles": plain}).enable()  # nothing was collected here
opened = create_table({"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2})
group = create_group("Thursday", ["Ann"]).link.group
get_user_model().objects.create_superuser("olga", password="long enough to be one")
stranger, olga = Client(headers={"host": "localhost"}), Client(headers={"host": "localhost"})
tried = [stranger.post("/admin/login/", {"username": "olga", "password": "guessed"}).status_code for _ in range(2)]
signed_in = olga.post("/admin/login/", {"username": "olga", "password": "long enough to be one"})
assert signed_in.status_code == 302, signed_in.content
row, pages = opened.table, {}
for path in ("", "scoring/table/", f"scoring/table/{row.pk}/change/", "scoring/group/", "scoring/person/",
             "scoring/operatoract/", f"scoring/table/{row.pk}/delete/", "scoring/table/add/"):
    answer = olga.get(f"/admin/{path}")
    text = answer.content.decode()
    inline = re.findall(r"<style|<script>| on[a-z]+=| style=", text)
    pages[path.replace(str(row.pk), "N")] = [answer.status_code, inline, opened.token in text]
form = {"action": "close_them", "_selected_action": [str(row.pk)]}
closed = olga.post("/admin/scoring/table/", form).status_code
def thief(row):
    client = Client(headers={"host": "localhost"})
    client.cookies["sessionid"] = row.session_key
    return client
print(json.dumps({
    "tried": tried, "stranger": stranger.get("/admin/scoring/table/").status_code,
    "policy": olga.get("/admin/").headers["Content-Security-Policy"],
    "pages": pages, "closed": closed, "private": Table.objects.get().private,
    "standing": Link.objects.filter(revoked=None).count(),
    "log": list(OperatorAct.objects.values_list("who", "what")),
    "cookie": olga.cookies["sessionid"]["path"],
    "stolen": [thief(row).get("/admin/").status_code for row in Session.objects.all()],
    "home": stranger.get("/").status_code,
}))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What the admin of a new installation answers."""
    around = {"VAR_DIR": tmp_path_factory.mktemp("admin"), "ADMIN": "1"}
    made = manage("migrate", "--verbosity", "0", **around)
    assert made.returncode == 0, made.stderr
    looked = manage("shell", "--verbosity", "0", "-c", LOOKED, **around)
    assert looked.returncode == 0, looked.stderr
    return {**json.loads(looked.stdout.strip().splitlines()[-1]), "told": looked.stderr}


def test_it_is_not_there_unless_it_was_turned_on(client):
    assert not settings.ADMIN
    assert not {"django.contrib.admin", "django.contrib.auth"} & set(settings.INSTALLED_APPS)
    assert client.get("/admin/").status_code == client.get("/admin/login/").status_code == 404


def test_it_opens_for_operators_alone_and_other_pages_stay_as_they_are(seen):
    assert (seen["stranger"], seen["cookie"], seen["home"]) == (302, "/admin/", 200)


def test_no_session_is_taken_over_with_what_the_database_has(seen):
    assert seen["stolen"]
    assert set(seen["stolen"]) == {302}


def test_it_shows_and_changes_nothing_and_keeps_to_the_policy(seen):
    assert "script-src 'self'" in seen["policy"]
    forbidden = {"scoring/table/N/delete/", "scoring/table/add/"}
    for path, (status, inline, told) in seen["pages"].items():
        assert (status, told) == (403 if path in forbidden else 200, False), path
        assert inline == [], path


def test_what_is_closed_there_is_closed_and_written_down(seen):
    assert (seen["closed"], seen["private"], seen["standing"]) == (302, True, 0)
    assert seen["log"] == [["admin olga", "close"]]


def test_who_guesses_a_password_is_noticed_and_the_guess_is_not_told(seen):
    assert seen["tried"] == [200, 200]
    assert seen["told"].count("Somebody has tried to get into the admin in vain.") == 2
    assert "guessed" not in seen["told"]
