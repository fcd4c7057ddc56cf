"""Static files, collected and compressed."""

import gzip
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import override_settings
from rcssmin import cssmin

from deploy.static_files import join_script, join_style

# --- Scripts and styles are written in many files and bundled into one of each


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """Return a function that gives the text and the name of a collected file."""
    folder = tmp_path_factory.mktemp("static")
    storages = {**settings.STORAGES, "staticfiles": {"BACKEND": "deploy.static_files.JoinedStaticFilesStorage"}}
    with override_settings(STATIC_ROOT=folder, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    return lambda name: ((folder / names[name]).read_text(), names[name])


def own_files(kind):
    storage = next(finder for finder in finders.get_finders() if "scoring/app.js" in dict(finder.list([])))
    return {name: storage.find(name) for name, _ in storage.list([]) if re.fullmatch(rf"scoring/\w+\.{kind}", name)}


def test_scripts_are_bundled_under_a_hashed_name(collected):
    script, name = collected("scoring/app.js")
    assert re.fullmatch(r"scoring/app\.[0-9a-f]{12}\.js", name)
    assert "import" not in script.replace("import.meta", "")
    of_some_pages = [collected(f"scoring/{name}.js")[0] for name in ("new_table", "joining", "replay")]
    assert not any("import" in alone.replace("import.meta", "") for alone in of_some_pages)
    modules = re.findall(r"const \$(\w+)=\(\(\)=>\{", "".join([script, *of_some_pages]))
    assert sorted(f"scoring/{module}.js" for module in modules) == sorted(own_files("js"))


def test_styles_are_bundled_and_their_references_resolve(collected):
    style, _ = collected("scoring/app.css")
    assert "@import" not in style
    assert "\n" not in style
    imported = re.findall(r'"(\w+\.css)"', Path(str(finders.find("scoring/app.css"))).read_text())
    assert len(imported) > 5
    for name in imported:
        last = Path(str(finders.find(f"scoring/{name}"))).read_text().splitlines()[-1]
        assert cssmin(last) in style, name


def joined(**texts):
    return join_script("app.js", lambda name: texts[name.removesuffix(".js")])


def test_a_module_appears_once_before_its_dependents():
    script = joined(
        app='import "./one.js";\nimport "./two.js";\n',
        one='import { three } from "./two.js";\n',
        two="export const three = 3;\n",
    )
    assert re.findall(r"const \$(\w+)", script) == ["two", "one", "app"]
    assert "const { three } = $two;" in script
    assert "return { three };" in script


def test_modules_are_imported_whole_or_by_name():
    script = joined(
        app='import * as all from "./one.js";\nimport { two as three } from "./one.js";\n',
        one="export async function one() {}\nexport const two = 2;\nconst own = 4;\n",
    )
    assert "const all = $one;" in script
    assert "const { two: three } = $one;" in script
    assert "return { one, two };" in script


@pytest.mark.parametrize(
    "text",
    [
        "export let changing = 1;\n",
        "export default 1;\n",
        'import one from "./one.js";\n',
        'export * from "./one.js";\n',
    ],
)
def test_a_module_that_cannot_be_bundled_is_refused(text):
    with pytest.raises(ImproperlyConfigured, match=re.escape(text.strip())):
        joined(app=text, one="")


def test_an_import_cycle_is_refused():
    with pytest.raises(ImproperlyConfigured, match=r"app.js > one.js > app.js"):
        joined(app='import "./one.js";\n', one='import "./app.js";\n')


def test_styles_keep_their_order_and_lose_their_comments():
    texts = {
        "all/app.css": '/* All. */\n@import "b.css";\n@import "a.css";\n',
        "all/a.css": "a {}\n",
        "all/b.css": "/* B */\nb {}\n",
    }
    assert join_style("all/app.css", texts.__getitem__) == "b {}\na {}\n"


# --- Pages and API answers are compressed for clients that accept it


def test_pages_and_api_answers_are_compressed(client, db):
    page = client.get("/new/", headers={"Accept-Encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert b"<title>" in gzip.decompress(page.content)
    answer = client.get("/api/v1/games/", headers={"Accept-Encoding": "gzip"})
    assert (answer["Content-Encoding"], "Accept-Encoding" in answer["Vary"]) == ("gzip", True)
    assert json.loads(gzip.decompress(answer.content)) == client.get("/api/v1/games/").json()
    again = client.get("/api/v1/games/", headers={"Accept-Encoding": "gzip", "If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_an_answer_with_a_secret_is_not_compressed(client, db):
    """The compressed length would reveal it (BREACH)."""
    table = {"game": "ace-trump", "seats": ["Ann", "Bob"], "first_dealer": 0}
    opened = client.post("/api/v1/tables/", table, "application/json", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in opened
    assert len(opened.content) > 1000
    read = client.get(opened.json()["links"]["self"], headers={"Accept-Encoding": "gzip"})
    assert (read["Content-Encoding"], read["ETag"][:5]) == ("gzip", 'W/"0-')
    page = client.get(f"/t/{opened.json()['code']}/", headers={"Accept-Encoding": "gzip"})
    assert (page["Content-Encoding"], page["Cache-Control"]) == ("gzip", "no-store")
