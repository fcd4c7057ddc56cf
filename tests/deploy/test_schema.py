"""The schema of the API: half a megabyte, made once, and in nobody's way."""

import gzip
import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.views import SpectacularAPIView

from deploy import docs
from tests.scoring.live.driving import serving

ADDRESS = "/api/v1/schema/"
CALLERS = 60
MAKINGS = 5
"""A card waits for no more than that many times what it takes to make the schema; where each caller had it made and
compressed anew, it was up to ten seconds."""


def test_of_many_who_ask_at_once_one_has_it_made(monkeypatch):
    made = []
    monkeypatch.setattr(docs, "_written", {})
    docs.whole_schema.cache_clear()
    make = SpectacularAPIView.generator_class.get_schema

    def counted(*args, **kwargs):
        made.append(1)
        return make(*args, **kwargs)

    monkeypatch.setattr(SpectacularAPIView.generator_class, "get_schema", counted)
    with ThreadPoolExecutor(8) as callers:
        found = list(callers.map(lambda _: docs.schema_as(OpenApiJsonRenderer2()), range(8)))
    assert made == [1]
    assert all(each is found[0] for each in found)
    assert gzip.decompress(found[0].small) == found[0].plain


def test_it_is_sent_again_only_when_it_has_changed(client):
    plain = client.get(ADDRESS)
    small = client.get(ADDRESS, headers={"Accept-Encoding": "gzip"})
    assert small["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.content) == plain.content
    assert len(small.content) < len(plain.content) / 5
    assert "Accept-Encoding" in small["Vary"]
    for tag in (plain["ETag"], small["ETag"]):
        assert client.get(ADDRESS, headers={"If-None-Match": tag}).status_code == 304
    yaml = client.get(ADDRESS, headers={"Accept": "application/yaml"})
    assert yaml["Content-Type"].startswith("application/yaml")
    assert yaml["ETag"] != plain["ETag"]


def test_sixty_who_ask_at_once_hold_up_no_card(tmp_path):
    """They come to a process that has not made it yet, each by a line of its own."""
    making = seconds_of_making()
    with serving(tmp_path) as server, ThreadPoolExecutor(CALLERS) as callers:
        table = server.open_table()

        def ask(_):
            with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as line:
                line.request("GET", ADDRESS, headers={"Accept-Encoding": "gzip"})
                answer = line.getresponse()
                return answer.status, json.loads(gzip.decompress(answer.read()))["openapi"]

        asked = [callers.submit(ask, number) for number in range(CALLERS)]
        slowest = 0.0
        while not all(each.done() for each in asked) or not slowest:
            began = time.monotonic()
            server.note(table)
            slowest = max(slowest, time.monotonic() - began)
            time.sleep(0.05)
        assert {each.result() for each in asked} == {(200, "3.1.0")}
    # The machine may be busier now than it was before.
    assert slowest < MAKINGS * max(making, seconds_of_making())


def seconds_of_making():
    docs.whole_schema.cache_clear()
    began = time.monotonic()
    docs.whole_schema()
    return time.monotonic() - began
