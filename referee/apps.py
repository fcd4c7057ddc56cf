"""The referee as a Django application; the rules themselves do not depend on Django."""

from django.apps import AppConfig


class RefereeConfig(AppConfig):
    name = "referee"
    verbose_name = "Referee"
