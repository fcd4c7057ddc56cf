"""Paths of the pages."""

from django.urls import path

from scoring.pages.bringing import import_table
from scoring.pages.correcting import correct, correct_entry
from scoring.pages.home import find, home
from scoring.pages.new import choose_game, new_table
from scoring.pages.rulebook import rules
from scoring.pages.table import record, table, table_log, take_back

app_name = "scoring"

urlpatterns = [
    path("", home, name="home"),
    path("find/", find, name="find"),
    path("import/", import_table, name="import"),
    path("new/", choose_game, name="choose-game"),
    path("new/<slug:game>/", new_table, name="new-table"),
    path("games/<slug:game>/", rules, name="rulebook"),
    path("t/<str:code>/", table, name="table"),
    path("t/<str:code>/record/", record, name="record"),
    path("t/<str:code>/undo/", take_back, name="undo"),
    path("t/<str:code>/correct/", correct, name="correct"),
    path("t/<str:code>/correct/<int:seq>/", correct_entry, name="correct-entry"),
    path("t/<str:code>/log/", table_log, name="log"),
]
