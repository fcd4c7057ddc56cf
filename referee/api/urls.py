"""Paths of the stateless referee, under /api/v1/."""

from django.urls import URLPattern, path

from referee.api.views.audit import AuditView
from referee.api.views.decks import DecksView, DeckView
from referee.api.views.games import GamesView, GameView, RulebookView
from referee.api.views.guides import GuidesView, GuideView
from referee.api.views.judge import JudgeView
from referee.api.views.problem_page import problem_page
from referee.api.views.questions import VIEWS
from referee.api.views.what_if import WhatIfView

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
    path("decks/", DecksView.as_view(), name="decks"),
    path("decks/<str:deck>/", DeckView.as_view(), name="deck"),
    path("problems/", problem_page, name="problems"),
]
