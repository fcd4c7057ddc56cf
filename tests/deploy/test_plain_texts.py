"""What programs look for at fixed addresses; whoever finds a hole finds whom to tell (RFC 9116)."""

from datetime import UTC, datetime, timedelta
from urllib.robotparser import RobotFileParser

WHERE = "/.well-known/security.txt"


def test_it_names_who_is_to_be_told(client, settings):
    settings.SECURITY_CONTACT = ["mailto:holes@cards.example", "https://cards.example/holes"]
    settings.SECURITY_POLICY = "https://cards.example/policy"
    settings.PUBLIC_URL = "https://cards.example"
    answer = client.get(WHERE)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    lines = [line.split(": ", 1) for line in answer.content.decode().splitlines()]
    told = dict(lines)
    assert [value for name, value in lines if name == "Contact"] == settings.SECURITY_CONTACT
    assert told["Canonical"] == f"https://cards.example{WHERE}"
    assert told["Policy"] == "https://cards.example/policy"
    assert told["Preferred-Languages"] == "en, de"
    assert [name for name, _ in lines].count("Expires") == 1
    left = datetime.fromisoformat(told["Expires"]) - datetime.now(UTC)
    assert timedelta(days=170) < left < timedelta(days=365)


def test_without_a_contact_there_is_none(client):
    assert client.get(WHERE).status_code == 404


def test_what_nobody_has_set_is_not_told(client, settings):
    settings.SECURITY_CONTACT = ["mailto:holes@cards.example"]
    told = client.get(WHERE).content.decode()
    assert "Canonical" not in told
    assert "Policy" not in told
    assert client.post(WHERE).status_code == 405


def test_search_engines_leave_tables_and_groups_alone(client):
    robots = RobotFileParser()
    robots.parse(client.get("/robots.txt").content.decode().splitlines())
    alone = ("/t/ABCD2345/", "/t/ABCD2345/hands/1/", "/g/ABCD2345/", "/read/7/", "/api/v1/tables/ABCD2345/")
    assert [robots.can_fetch("*", address) for address in alone] == [False] * len(alone)
    assert robots.can_fetch("*", "/games/ace-trump/")


def test_an_icon_is_there_for_what_looks_for_none_on_a_page(client):
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302
    assert answer["Location"].endswith("/icon.svg")
