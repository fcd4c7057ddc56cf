"""The referee as a Django application; the rules themselves know nothing of it."""

from django.apps import AppConfig


class RefereeConfig(AppConfig):
    name = "referee"
    verbose_name = "Referee"
