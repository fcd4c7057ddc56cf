"""Path of the streams, under /api/v1/."""

from django.urls import path

from scoring.live.views import stream

urlpatterns = [path("tables/<str:code>/stream/", stream, name="table-stream")]
