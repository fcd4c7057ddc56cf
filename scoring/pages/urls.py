"""Paths of the pages."""

from django.urls import path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from scoring.pages.device.access import limited
from scoring.pages.views.amend import amend_entry, choose_entry
from scoring.pages.views.ask import ask, questions
from scoring.pages.views.continue_table import continue_table
from scoring.pages.views.download import download
from scoring.pages.views.home import find, forget, home
from scoring.pages.views.import_record import import_table
from scoring.pages.views.install import manifest, offline, worker
from scoring.pages.views.links import make, privacy, revoke, share
from scoring.pages.views.new_table import choose_game, new_table
from scoring.pages.views.points import points
from scoring.pages.views.preview import preview
from scoring.pages.views.replay import hand
from scoring.pages.views.rulebook import rules
from scoring.pages.views.screen import screen
from scoring.pages.views.settle import settle
from scoring.pages.views.table import record, table, table_log, undo

app_name = "scoring"

urlpatterns = [
    path("", home, name="home"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
    path("language/", require_POST(set_language), name="language"),
    path("find/", limited(find), name="find"),
    path("import/", limited(import_table), name="import"),
    path("new/", choose_game, name="choose-game"),
    path("new/<slug:game>/", limited(new_table), name="new-table"),
    path("games/<slug:game>/", rules, name="rulebook"),
    path("ask/", questions, name="ask"),
    path("ask/<slug:game>/<slug:question>/", ask, name="question"),
    path("t/<str:code>/", limited(table), name="table"),
    path("t/<str:code>/record/", limited(record), name="record"),
    path("t/<str:code>/undo/", limited(undo), name="undo"),
    path("t/<str:code>/settle/", limited(settle), name="settle"),
    path("t/<str:code>/preview/", limited(preview), name="preview"),
    path("t/<str:code>/amend/", limited(choose_entry), name="amend"),
    path("t/<str:code>/amend/<int:seq>/", limited(amend_entry), name="amend-entry"),
    path("t/<str:code>/hands/<int:number>/", limited(hand), name="replay"),
    path("t/<str:code>/points/", limited(points), name="points"),
    path("t/<str:code>/screen/", limited(screen), name="screen"),
    path("t/<str:code>/log/", limited(table_log), name="log"),
    path("t/<str:code>/download/<str:shape>/", limited(download), name="download"),
    path("t/<str:code>/share/", limited(share), name="share"),
    path("t/<str:code>/links/", limited(make), name="make-link"),
    path("t/<str:code>/links/<int:number>/revoke/", limited(revoke), name="revoke-link"),
    path("t/<str:code>/forget/", forget, name="forget"),
    path("t/<str:code>/private/", limited(privacy), name="privacy"),
    path("t/<str:code>/continue/", limited(continue_table), name="continue"),
]
