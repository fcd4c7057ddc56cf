"""Paths of the stateless referee, under /api/v1/."""

from django.urls import URLPattern, path

from referee.api.catalogue_views import DeckView, GamesView, GameView, RulebookView
from referee.api.views import VIEWS, AuditView, GuidesView, GuideView, JudgeView, WhatIfView, problem_page

urlpatterns: list[URLPattern] = [
    path("referee/judge/", JudgeView.as_view(), name="judge"),
    path("referee/audit/", AuditView.as_view(), name="audit"),
    path("referee/what-if/", WhatIfView.as_view(), name="what-if"),
    path("referee/guides/", GuidesView.as_view(), name="guides"),
    path("referee/guide/", GuideView.as_view(), name="guide"),
    *(path(f"referee/{name}/", view.as_view(), name=f"ask-{name}") for name, view in VIEWS.items()),
    path("games/", GamesView.as_view(), name="games"),
    path("games/<str:game>/", GameView.as_view(), name="game"),
    path("games/<str:game>/rulebook/", RulebookView.as_view(), name="rulebook"),
    path("decks/<str:deck>/", DeckView.as_view(), name="deck"),
    path("problems/", problem_page, name="problems"),
]
