"""Paths of the API of tables, under /api/v1/."""

from django.urls import path

from scoring.groups.api import archives, groups, history, me, seasons, statistics
from scoring.rulings.api import disputes, guides, precedents, what_if
from scoring.tables.api import events, tables

urlpatterns = [
    path("me/", me.MeView.as_view(), name="me"),
    path("tables/", tables.TablesView.as_view(), name="tables"),
    path("tables/import/", tables.ImportView.as_view(), name="table-import"),
    path("tables/<str:code>/", tables.TableView.as_view(), name="table"),
    path("tables/<str:code>/events/", events.EventsView.as_view(), name="table-events"),
    path("tables/<str:code>/asks/", tables.AsksView.as_view(), name="table-asks"),
    path("tables/<str:code>/undo/", events.UndoView.as_view(), name="table-undo"),
    path("tables/<str:code>/amendments/", events.AmendmentsView.as_view(), name="table-amendments"),
    path("tables/<str:code>/record/", tables.RecordView.as_view(), name="table-record"),
    path("tables/<str:code>/hands/<number:number>/audit/", guides.AuditView.as_view(), name="hand-audit"),
    path("tables/<str:code>/guide/", guides.GuideView.as_view(), name="table-guide"),
    path("tables/<str:code>/what-if/", what_if.WhatIfView.as_view(), name="table-what-if"),
    path("tables/<str:code>/disputes/", disputes.DisputesView.as_view(), name="table-disputes"),
    path("tables/<str:code>/disputes/<number:number>/", disputes.DisputeView.as_view(), name="table-dispute"),
    path("tables/<str:code>/disputes/<number:number>/acts/", disputes.DisputeActsView.as_view(), name="dispute-acts"),
    path("tables/<str:code>/links/", tables.LinksView.as_view(), name="table-links"),
    path("tables/<str:code>/links/<number:number>/", tables.LinkView.as_view(), name="table-link"),
    path(
        "tables/<str:code>/hands/<number:number>/confirmation/",
        events.ConfirmationView.as_view(),
        name="table-confirmation",
    ),
    path("tables/<str:code>/continue/", tables.ContinueView.as_view(), name="table-continue"),
    path("groups/", groups.GroupsView.as_view(), name="groups"),
    path("groups/import/", archives.GroupImportView.as_view(), name="group-import"),
    path("groups/<str:code>/precedents/", precedents.PrecedentsView.as_view(), name="group-precedents"),
    path("groups/<str:code>/precedents/<number:number>/", precedents.PrecedentView.as_view(), name="group-precedent"),
    path("groups/<str:code>/what-if/", what_if.SeasonWhatIfView.as_view(), name="group-what-if"),
    path("groups/<str:code>/archive/", archives.ArchiveView.as_view(), name="group-archive"),
    path("groups/<str:code>/", groups.GroupView.as_view(), name="group"),
    path("groups/<str:code>/links/", groups.GroupLinksView.as_view(), name="group-links"),
    path("groups/<str:code>/links/<number:number>/", groups.GroupLinkView.as_view(), name="group-link"),
    path("groups/<str:code>/people/", groups.PeopleView.as_view(), name="group-people"),
    path("groups/<str:code>/people/<number:number>/", groups.PersonView.as_view(), name="group-person"),
    path("groups/<str:code>/people/<number:number>/merge/", groups.MergeView.as_view(), name="group-merge"),
    path("groups/<str:code>/tables/", history.GroupTablesView.as_view(), name="group-tables"),
    path("groups/<str:code>/evenings/", history.GroupEveningsView.as_view(), name="group-evenings"),
    path("groups/<str:code>/evenings/<str:day>/", history.GroupEveningView.as_view(), name="group-evening"),
    path("groups/<str:code>/seasons/", seasons.SeasonsView.as_view(), name="group-seasons"),
    path("groups/<str:code>/seasons/<number:number>/", seasons.SeasonView.as_view(), name="group-season"),
    path("groups/<str:code>/tonight/", seasons.TonightView.as_view(), name="group-tonight"),
    path("groups/<str:code>/tonight/start/", seasons.StartTonightView.as_view(), name="group-tonight-start"),
    path("groups/<str:code>/statistics/", statistics.StatisticsView.as_view(), name="group-statistics"),
    path("groups/<str:code>/rulings/", history.GroupRulingsView.as_view(), name="group-rulings"),
]
