"""Paths of the pages."""

from django.urls import path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from scoring.groups.pages.evening import evening, evening_picture, history
from scoring.groups.pages.group import (
    delete,
    group,
    group_links,
    import_here,
    join,
    keep,
    new_group,
    recover,
    recovery,
    revoke_group_link,
    settings,
)
from scoring.groups.pages.group import forget as forget_group
from scoring.groups.pages.people import distinct, forget_somebody, merge, people, person
from scoring.groups.pages.statistics import hands, pair_statistics, person_statistics, ratings, statistics
from scoring.operating.pages.site import manifest, offline, privacy_page, worker
from scoring.rulings.pages.disputes import carry_out_guide, dispute, dispute_act, disputes, guide, settle
from scoring.rulings.pages.precedents import group_rulings, precedent, precedents, rulings
from scoring.rulings.pages.what_if import season_here, what_if_here
from scoring.tables.pages.amend import amend_entry, entries_to_amend
from scoring.tables.pages.home import find, forget, home
from scoring.tables.pages.links import (
    device,
    forget_all,
    join_table,
    make_link,
    move,
    privacy,
    revoke_link,
    share,
    take,
)
from scoring.tables.pages.new_table import choose_game, continue_table, new_table
from scoring.tables.pages.questions import ask, ask_here, clause, questions, rules, teach
from scoring.tables.pages.replay import hand, make_reading, reading, revoke_reading, screen
from scoring.tables.pages.score_sheet import export_group, export_table, import_table, picture, points, printed
from scoring.tables.pages.table import confirm, dictated, preview, record, table, table_log, undo
from scoring.tables.pages.table_settings import delete as delete_table
from scoring.tables.pages.table_settings import give, house_rules, names, referee, table_settings

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
