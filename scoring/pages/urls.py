"""Paths of the pages."""

from django.urls import path

from scoring.pages.home import home

app_name = "scoring"

urlpatterns = [path("", home, name="home")]
