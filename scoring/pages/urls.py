"""Paths of the pages."""

from django.urls import path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from scoring.pages.views.amend import amend_entry, entries_to_amend
from scoring.pages.views.ask import ask, questions
from scoring.pages.views.casebook import group_rulings, rulings
from scoring.pages.views.clause import ask_here, clause
from scoring.pages.views.continue_table import continue_table
from scoring.pages.views.device import device, forget_all, move, take
from scoring.pages.views.disputes import dispute, dispute_act, disputes
from scoring.pages.views.evening import evening, evening_picture
from scoring.pages.views.export import export_group, export_table
from scoring.pages.views.group import delete, group, join, keep, new_group, settings
from scoring.pages.views.group import forget as forget_group
from scoring.pages.views.group_import import import_here
from scoring.pages.views.group_links import group_links, revoke_group_link
from scoring.pages.views.guide import carry_out_guide, guide
from scoring.pages.views.history import history
from scoring.pages.views.home import find, forget, home
from scoring.pages.views.house_rules import house_rules
from scoring.pages.views.import_record import import_table
from scoring.pages.views.install import manifest, offline, privacy_page, worker
from scoring.pages.views.links import join_table, make_link, privacy, revoke_link, share
from scoring.pages.views.new_table import choose_game, new_table
from scoring.pages.views.people import distinct, forget_somebody, merge, people, person
from scoring.pages.views.person_statistics import pair_statistics, person_statistics
from scoring.pages.views.precedents import precedent, precedents
from scoring.pages.views.preview import dictated, preview
from scoring.pages.views.readings import make_reading, reading, revoke_reading
from scoring.pages.views.recovery import recover, recovery
from scoring.pages.views.replay import hand
from scoring.pages.views.rulebook import rules, teach
from scoring.pages.views.score_sheet import picture, points, printed
from scoring.pages.views.screen import screen
from scoring.pages.views.season_what_if import season_here
from scoring.pages.views.settle import settle
from scoring.pages.views.statistics import hands, ratings, statistics
from scoring.pages.views.table import confirm, record, table, table_log, undo
from scoring.pages.views.table_settings import delete as delete_table
from scoring.pages.views.table_settings import give, names, referee, table_settings
from scoring.pages.views.what_if import what_if_here

app_name = "scoring"

urlpatterns = [
    path("t/<str:code>/", table, name="table"),
    path("t/<str:code>/join/", join_table, name="join"),
    path("t/<str:code>/record/", record, name="record"),
    path("t/<str:code>/undo/", undo, name="undo"),
    path("t/<str:code>/hands/<number:number>/confirm/", confirm, name="confirm"),
    path("t/<str:code>/disputes/", disputes, name="disputes"),
    path("t/<str:code>/disputes/<number:number>/", dispute, name="dispute"),
    path("t/<str:code>/disputes/<number:number>/<slug:act>/", dispute_act, name="dispute-act"),
    path("t/<str:code>/settle/", settle, name="settle"),
    path("t/<str:code>/preview/", preview, name="preview"),
    path("t/<str:code>/dictated/", dictated, name="dictated"),
    path("t/<str:code>/ask/", ask_here, name="ask-here"),
    path("t/<str:code>/ask/<slug:question>/", ask_here, name="ask-here-about"),
    path("t/<str:code>/amend/", entries_to_amend, name="amend"),
    path("t/<str:code>/amend/<number:seq>/", amend_entry, name="amend-entry"),
    path("t/<str:code>/hands/<number:number>/", hand, name="replay"),
    path("t/<str:code>/what-if/", what_if_here, name="what-if"),
    path("t/<str:code>/guide/", guide, name="guide"),
    path("t/<str:code>/guide/carry-out/", carry_out_guide, name="guide-carry-out"),
    path("t/<str:code>/points/", points, name="points"),
    path("t/<str:code>/picture/", picture, name="picture"),
    path("t/<str:code>/screen/", screen, name="screen"),
    path("t/<str:code>/log/", table_log, name="log"),
    path("t/<str:code>/export/<str:shape>/", export_table, name="export"),
    path("t/<str:code>/print/", printed, name="printed"),
    path("t/<str:code>/share/", share, name="share"),
    path("t/<str:code>/links/", make_link, name="make-link"),
    path("t/<str:code>/links/<number:number>/revoke/", revoke_link, name="revoke-link"),
    path("t/<str:code>/readings/", make_reading, name="make-reading"),
    path("t/<str:code>/readings/<number:number>/revoke/", revoke_reading, name="revoke-reading"),
    path("t/<str:code>/forget/", forget, name="forget"),
    path("t/<str:code>/private/", privacy, name="privacy"),
    path("t/<str:code>/continue/", continue_table, name="continue"),
    path("t/<str:code>/settings/", table_settings, name="table-settings"),
    path("t/<str:code>/rules/", house_rules, name="table-rules"),
    path("t/<str:code>/names/", names, name="table-names"),
    path("t/<str:code>/group/", give, name="give-table"),
    path("t/<str:code>/referee/", referee, name="table-referee"),
    path("t/<str:code>/delete/", delete_table, name="delete-table"),
    path("", home, name="home"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
    path("language/", require_POST(set_language), name="language"),
    path("privacy/", privacy_page, name="privacy-page"),
    path("find/", find, name="find"),
    path("device/", device, name="device"),
    path("device/move/", move, name="move-device"),
    path("device/take/", take, name="take-device"),
    path("device/forget/", forget_all, name="forget-device"),
    path("import/", import_table, name="import"),
    path("new/", choose_game, name="choose-game"),
    path("new/<slug:game>/", new_table, name="new-table"),
    path("games/<slug:game>/", rules, name="rulebook"),
    path("games/<slug:game>/teach/", teach, name="teach"),
    path("games/<slug:game>/<str:number>/", clause, name="clause"),
    path("ask/", questions, name="ask"),
    path("ask/<slug:game>/<slug:question>/", ask, name="question"),
    path("rulings/", rulings, name="rulings"),
    path("g/new/", new_group, name="new-group"),
    path("g/import/", import_here, name="import-group"),
    path("g/recover/", recover, name="recover-group"),
    path("g/<str:code>/", group, name="group"),
    path("g/<str:code>/join/", join, name="join-group"),
    path("g/<str:code>/forget/", forget_group, name="forget-group"),
    path("g/<str:code>/statistics/", statistics, name="group-statistics"),
    path("g/<str:code>/statistics/ratings/", ratings, name="group-ratings"),
    path("g/<str:code>/statistics/hands/", hands, name="group-hands"),
    path("g/<str:code>/statistics/people/<number:number>/", person_statistics, name="person-statistics"),
    path(
        "g/<str:code>/statistics/people/<number:number>/with/<number:other>/", pair_statistics, name="pair-statistics"
    ),
    path("g/<str:code>/export/<str:shape>/", export_group, name="export-group"),
    path("g/<str:code>/history/", history, name="history"),
    path("g/<str:code>/evenings/<str:day>/", evening, name="evening"),
    path("g/<str:code>/evenings/<str:day>/picture/", evening_picture, name="evening-picture"),
    path("g/<str:code>/rulings/", group_rulings, name="group-rulings"),
    path("g/<str:code>/people/", people, name="people"),
    path("g/<str:code>/people/<number:number>/", person, name="person"),
    path("g/<str:code>/people/<number:number>/forget/", forget_somebody, name="forget-person"),
    path("g/<str:code>/people/<number:number>/merge/", merge, name="merge-people"),
    path("g/<str:code>/people/<number:number>/distinct/", distinct, name="distinct-people"),
    path("g/<str:code>/links/", group_links, name="group-links"),
    path("g/<str:code>/links/<number:number>/revoke/", revoke_group_link, name="revoke-group-link"),
    path("g/<str:code>/recovery/", recovery, name="group-recovery"),
    path("g/<str:code>/precedents/", precedents, name="precedents"),
    path("g/<str:code>/precedents/<number:number>/", precedent, name="precedent"),
    path("g/<str:code>/what-if/", season_here, name="season-what-if"),
    path("g/<str:code>/settings/", settings, name="group-settings"),
    path("g/<str:code>/delete/", delete, name="delete-group"),
    path("g/<str:code>/tables/<str:table>/keep/", keep, name="keep-score"),
    path("read/<number:number>/", reading, name="reading"),
]
