"""Pages and what programs read go over the wire compressed for who takes that."""

import gzip
import json


def test_pages_and_what_programs_read_are_compressed(client, db):
    page = client.get("/new/", headers={"Accept-Encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert b"<title>" in gzip.decompress(page.content)
    answer = client.get("/api/v1/games/", headers={"Accept-Encoding": "gzip"})
    assert (answer["Content-Encoding"], "Accept-Encoding" in answer["Vary"]) == ("gzip", True)
    assert json.loads(gzip.decompress(answer.content)) == client.get("/api/v1/games/").json()
    again = client.get("/api/v1/games/", headers={"Accept-Encoding": "gzip", "If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_an_answer_that_tells_a_secret_is_not_compressed(client, db):
    """How long it gets would tell what stands in it, to who can have other words put beside it."""
    table = {"game": "ace-trump", "seats": ["Ann", "Bob"], "first_dealer": 0}
    opened = client.post("/api/v1/tables/", table, "application/json", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in opened
    assert len(opened.content) > 1000
    read = client.get(opened.json()["links"]["self"], headers={"Accept-Encoding": "gzip"})
    assert (read["Content-Encoding"], read["ETag"][:5]) == ("gzip", 'W/"0-')
    page = client.get(f"/t/{opened.json()['code']}/", headers={"Accept-Encoding": "gzip"})
    assert (page["Content-Encoding"], page["Cache-Control"]) == ("gzip", "no-store")
