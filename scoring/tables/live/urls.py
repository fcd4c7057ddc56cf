"""URLs of the streams, under /api/v1/."""

from django.urls import path

from scoring.tables.live.views import group_stream, stream

urlpatterns = [
    path("tables/<str:code>/stream/", stream, name="table-stream"),
    path("groups/<str:code>/stream/", group_stream, name="group-stream"),
]
