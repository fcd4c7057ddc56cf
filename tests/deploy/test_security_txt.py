"""Whoever finds a hole finds whom to tell: RFC 9116."""

from datetime import UTC, datetime, timedelta

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
