"""Paths of the API of tables, under /api/v1/."""

from django.urls import path

from scoring.groups.api.archives import ArchiveView, GroupFileView, GroupImportView, PlayView
from scoring.groups.api.groups import (
    AdoptView,
    GroupLinksView,
    GroupLinkView,
    GroupsView,
    GroupView,
    KeepScoreView,
    MergeView,
    PeopleView,
    PersonView,
    RecoverView,
    RecoveryView,
)
from scoring.groups.api.history import GroupEveningsView, GroupRulingsView, GroupSeasonView, GroupTablesView
from scoring.groups.api.statistics import HandsView, PairView, RatingsView, StatisticsView
from scoring.rulings.api.disputes import (
    AgreementView,
    DisputesView,
    DisputeView,
    PauseView,
    RemedyView,
    RulingView,
    WithdrawalView,
)
from scoring.rulings.api.guides import AuditView, GuidesView, GuideView
from scoring.rulings.api.precedents import PrecedentsView, PrecedentView
from scoring.rulings.api.what_if import SeasonWhatIfView, WhatIfView
from scoring.tables.api.asks import AsksView
from scoring.tables.api.events import AmendmentsView, ConfirmationView, EventsView, UndoView
from scoring.tables.api.tables import (
    ContinueView,
    ImportView,
    LinksView,
    LinkView,
    ReadingsView,
    ReadingView,
    RecordView,
    TablesView,
    TableView,
)

urlpatterns = [
    path("tables/", TablesView.as_view(), name="tables"),
    path("tables/import/", ImportView.as_view(), name="table-import"),
    path("tables/<str:code>/", TableView.as_view(), name="table"),
    path("tables/<str:code>/events/", EventsView.as_view(), name="table-events"),
    path("tables/<str:code>/asks/", AsksView.as_view(), name="table-asks"),
    path("tables/<str:code>/undo/", UndoView.as_view(), name="table-undo"),
    path("tables/<str:code>/amendments/", AmendmentsView.as_view(), name="table-amendments"),
    path("tables/<str:code>/record/", RecordView.as_view(), name="table-record"),
    path("tables/<str:code>/hands/<number:number>/audit/", AuditView.as_view(), name="hand-audit"),
    path("tables/<str:code>/guides/", GuidesView.as_view(), name="table-guides"),
    path("tables/<str:code>/guide/", GuideView.as_view(), name="table-guide"),
    path("tables/<str:code>/what-if/", WhatIfView.as_view(), name="table-what-if"),
    path("tables/<str:code>/disputes/", DisputesView.as_view(), name="table-disputes"),
    path("tables/<str:code>/disputes/<number:number>/", DisputeView.as_view(), name="table-dispute"),
    path("tables/<str:code>/disputes/<number:number>/ruling/", RulingView.as_view(), name="dispute-ruling"),
    path("tables/<str:code>/disputes/<number:number>/agreement/", AgreementView.as_view(), name="dispute-agreement"),
    path("tables/<str:code>/disputes/<number:number>/withdrawal/", WithdrawalView.as_view(), name="dispute-withdrawal"),
    path("tables/<str:code>/disputes/<number:number>/pause/", PauseView.as_view(), name="dispute-pause"),
    path("tables/<str:code>/disputes/<number:number>/remedy/", RemedyView.as_view(), name="dispute-remedy"),
    path("tables/<str:code>/bgstats/", PlayView.as_view(), name="table-bgstats"),
    path("tables/<str:code>/links/", LinksView.as_view(), name="table-links"),
    path("tables/<str:code>/links/<number:number>/", LinkView.as_view(), name="table-link"),
    path("tables/<str:code>/readings/", ReadingsView.as_view(), name="table-readings"),
    path("tables/<str:code>/readings/<number:number>/", ReadingView.as_view(), name="table-reading"),
    path(
        "tables/<str:code>/hands/<number:number>/confirmation/", ConfirmationView.as_view(), name="table-confirmation"
    ),
    path("tables/<str:code>/continue/", ContinueView.as_view(), name="table-continue"),
    path("groups/", GroupsView.as_view(), name="groups"),
    path("groups/import/", GroupImportView.as_view(), name="group-import"),
    path("groups/<str:code>/precedents/", PrecedentsView.as_view(), name="group-precedents"),
    path("groups/<str:code>/precedents/<number:number>/", PrecedentView.as_view(), name="group-precedent"),
    path("groups/<str:code>/what-if/", SeasonWhatIfView.as_view(), name="group-what-if"),
    path("groups/recover/", RecoverView.as_view(), name="group-recover"),
    path("groups/<str:code>/recovery/", RecoveryView.as_view(), name="group-recovery"),
    path("groups/<str:code>/archive/", ArchiveView.as_view(), name="group-archive"),
    path("groups/<str:code>/", GroupView.as_view(), name="group"),
    path("groups/<str:code>/links/", GroupLinksView.as_view(), name="group-links"),
    path("groups/<str:code>/links/<number:number>/", GroupLinkView.as_view(), name="group-link"),
    path("groups/<str:code>/people/", PeopleView.as_view(), name="group-people"),
    path("groups/<str:code>/people/<number:number>/", PersonView.as_view(), name="group-person"),
    path("groups/<str:code>/people/<number:number>/merge/", MergeView.as_view(), name="group-merge"),
    path("groups/<str:code>/tables/<str:table>/adopt/", AdoptView.as_view(), name="group-adopt"),
    path("groups/<str:code>/tables/", GroupTablesView.as_view(), name="group-tables"),
    path("groups/<str:code>/evenings/", GroupEveningsView.as_view(), name="group-evenings"),
    path("groups/<str:code>/statistics/", StatisticsView.as_view(), name="group-statistics"),
    path("groups/<str:code>/files/<str:shape>/", GroupFileView.as_view(), name="group-file"),
    path("groups/<str:code>/statistics/ratings/", RatingsView.as_view(), name="group-ratings"),
    path("groups/<str:code>/statistics/hands/", HandsView.as_view(), name="group-hands"),
    path("groups/<str:code>/statistics/pairs/<number:number>/<number:other>/", PairView.as_view(), name="group-pair"),
    path("groups/<str:code>/rulings/", GroupRulingsView.as_view(), name="group-rulings"),
    path("groups/<str:code>/season/", GroupSeasonView.as_view(), name="group-season"),
    path("groups/<str:code>/tables/<str:table>/links/", KeepScoreView.as_view(), name="group-keep-score"),
]
