"""The Django application of tables, players and history."""

from importlib import import_module

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = "Scoring"

    def ready(self) -> None:
        import_module("scoring.checks")  # they register themselves
