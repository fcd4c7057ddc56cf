"""The product's URLs plus the barest view that writes: one INSERT and one UPDATE in a transaction."""

from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

CREATE = (
    "CREATE TABLE bare_table (id bigint PRIMARY KEY, version integer NOT NULL)",
    "CREATE TABLE bare_event (id {serial}, table_id bigint NOT NULL REFERENCES bare_table, body text NOT NULL)",
)
MOST_CALLERS = 100
SERIAL = {"sqlite": "integer PRIMARY KEY AUTOINCREMENT", "postgresql": "bigserial PRIMARY KEY"}


def prepare(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for statement in CREATE:
            cursor.execute(statement.format(serial=SERIAL[connection.vendor]))
        for number in range(MOST_CALLERS):
            cursor.execute("INSERT INTO bare_table (id, version) VALUES (%s, 0)", [number])


@csrf_exempt
def barest(request: HttpRequest, number: int) -> JsonResponse:
    """Write the body as received, and increment a counter."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO bare_event (table_id, body) VALUES (%s, %s)", [number, request.body.decode()])
        cursor.execute("UPDATE bare_table SET version = version + 1 WHERE id = %s", [number])
    return JsonResponse({"done": True}, status=201)


urlpatterns = [path("api/v1/barest/<int:number>/", barest), path("", include("deploy.urls"))]
