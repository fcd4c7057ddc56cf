"""Paths of the pages."""

from django.urls import path

from scoring.pages.access import limited
from scoring.pages.ask import ask, questions
from scoring.pages.bringing import import_table
from scoring.pages.continuing import go_on
from scoring.pages.correcting import correct, correct_entry
from scoring.pages.home import find, home
from scoring.pages.install import manifest, offline, worker
from scoring.pages.language import choose_language
from scoring.pages.links import make, privacy, revoke, share
from scoring.pages.new import choose_game, new_table
from scoring.pages.preview import preview
from scoring.pages.replay import hand
from scoring.pages.rulebook import rules
from scoring.pages.screen import screen
from scoring.pages.settling import settle
from scoring.pages.table import record, table, table_log, take_back

app_name = "scoring"

urlpatterns = [
    path("", home, name="home"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
    path("language/", choose_language, name="language"),
    path("find/", limited(find), name="find"),
    path("import/", limited(import_table), name="import"),
    path("new/", choose_game, name="choose-game"),
    path("new/<slug:game>/", limited(new_table), name="new-table"),
    path("games/<slug:game>/", rules, name="rulebook"),
    path("ask/", questions, name="ask"),
    path("ask/<slug:game>/<slug:question>/", ask, name="question"),
    path("t/<str:code>/", limited(table), name="table"),
    path("t/<str:code>/record/", limited(record), name="record"),
    path("t/<str:code>/undo/", limited(take_back), name="undo"),
    path("t/<str:code>/settle/", limited(settle), name="settle"),
    path("t/<str:code>/preview/", limited(preview), name="preview"),
    path("t/<str:code>/correct/", limited(correct), name="correct"),
    path("t/<str:code>/correct/<int:seq>/", limited(correct_entry), name="correct-entry"),
    path("t/<str:code>/hands/<int:number>/", limited(hand), name="replay"),
    path("t/<str:code>/screen/", limited(screen), name="screen"),
    path("t/<str:code>/log/", limited(table_log), name="log"),
    path("t/<str:code>/share/", limited(share), name="share"),
    path("t/<str:code>/links/", limited(make), name="make-link"),
    path("t/<str:code>/links/<int:number>/revoke/", limited(revoke), name="revoke-link"),
    path("t/<str:code>/private/", limited(privacy), name="privacy"),
    path("t/<str:code>/continue/", limited(go_on), name="continue"),
]
