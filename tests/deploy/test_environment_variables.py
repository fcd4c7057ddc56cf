"""Environment variables: what follows from them, and how an invalid value stops the start with one sentence."""

import os
import runpy

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.deploy.managing import ROOT, manage


def settings(monkeypatch, tmp_path, **variables):
    for name in ("PUBLIC_URL", "DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "var"))
    for name, value in variables.items():
        monkeypatch.setenv(name, str(value))
    return runpy.run_path(str(ROOT / "deploy/settings.py"))


def test_there_is_one_worker_per_core_up_to_four(monkeypatch, tmp_path):
    monkeypatch.delenv("WORKERS", raising=False)
    for cores, workers in ((1, 1), (3, 3), (64, 4)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert settings(monkeypatch, tmp_path)["WORKERS"] == workers


def test_an_unknown_time_zone_is_refused(monkeypatch, tmp_path):
    assert settings(monkeypatch, tmp_path, TIME_ZONE="")["TIME_ZONE"] == "UTC"
    assert settings(monkeypatch, tmp_path, TIME_ZONE="Pacific/Auckland")["TIME_ZONE"] == "Pacific/Auckland"
    with pytest.raises(ImproperlyConfigured, match="TIME_ZONE must be an IANA time zone"):
        settings(monkeypatch, tmp_path, TIME_ZONE="Auckland")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PUBLIC_URL", "cards.example"),
        ("PUBLIC_URL", "ftp://cards.example"),
        ("PUBLIC_URL", "https://cards.example/table"),
        ("PUBLIC_URL", "https://cards example"),
        ("PUBLIC_URL", "https://cards.example:port"),
        ("PUBLIC_URL", "https://me@cards.example"),
        ("PROXIES", "one"),
        ("PROXIES", "11"),
        ("ALLOWED_HOSTS", "https://cards.example"),
        ("CSRF_TRUSTED_ORIGINS", "cards.example"),
        ("PHONE_ADDRESS", "192.168.1.20"),
        ("DATABASE_URL", "mysql://cards"),
        ("DATABASE_URL", "postgres://localhost"),
        ("VAR_DIR", "/proc/nowhere"),
        ("SECRET_KEY", "short"),
        ("LOG_LEVEL", "LOUD"),
        ("DEBUG", "perhaps"),
        ("LOG_FORMAT", "xml"),
        ("ACCESS_LOG", "all"),
        ("METRICS_PORT", "65536"),
        ("LEAST_FREE_MEGABYTES", "-5"),
        ("WORKERS", "0"),
        ("WORKERS", "many"),
        ("SECONDS_UNTIL_DEAD", "0"),
        ("WRITES_PER_MINUTE", "-1"),
        ("SECONDS_TO_JUDGE", "1.5"),
        ("SECONDS_FOR_BODY", "a minute"),
        ("LEAST_BODY_RATE", "²"),
        ("REQUESTS_OF_ADDRESS", "1e3"),
        ("WRONG_CODES_PER_HOUR", "1 000"),
        ("ADMIN", "perhaps"),
        ("HSTS_SUBDOMAINS", "all"),
        ("SECURITY_CONTACT", "me@cards.example"),
        ("SECURITY_CONTACT", "http://cards.example/tell"),
        ("SECURITY_CONTACT", "mailto:me@cards.example, tel:nobody"),
        ("SECURITY_POLICY", "ask me"),
        ("KEEP_TABLES_DAYS", "a year"),
        ("KEEP_TABLES_DAYS", "-1"),
    ],
)
def test_an_invalid_value_is_named(monkeypatch, tmp_path, name, value):
    with pytest.raises(ImproperlyConfigured, match=f"^{name} "):
        settings(monkeypatch, tmp_path, **{name: value})


def test_an_invalid_hsts_setting_is_named(monkeypatch, tmp_path):
    with pytest.raises(ImproperlyConfigured, match=r"^HSTS_SECONDS must be a whole number"):
        settings(monkeypatch, tmp_path, PUBLIC_URL="https://cards.example", HSTS_SECONDS="ever")


def test_the_public_host_must_be_an_allowed_host(monkeypatch, tmp_path):
    with pytest.raises(ImproperlyConfigured, match=r"^ALLOWED_HOSTS must have cards.example in it"):
        settings(monkeypatch, tmp_path, PUBLIC_URL="https://cards.example", ALLOWED_HOSTS="club.example")
    settings(monkeypatch, tmp_path, PUBLIC_URL="https://cards.example", ALLOWED_HOSTS=".example")


@pytest.mark.parametrize(
    ("url", "origin", "host"),
    [
        ("https://cards.example/", "https://cards.example", "cards.example"),
        ("https://cards.example:443", "https://cards.example", "cards.example"),
        ("HTTPS://Cards.Example:8443", "https://cards.example:8443", "cards.example"),
        ("http://[2001:db8::1]:8000", "http://[2001:db8::1]:8000", "[2001:db8::1]"),
    ],
)
def test_the_public_url_sets_host_and_origin(monkeypatch, tmp_path, url, origin, host):
    found = settings(monkeypatch, tmp_path, PUBLIC_URL=url)
    assert (found["PUBLIC_URL"], found["CSRF_TRUSTED_ORIGINS"]) == (origin, [origin])
    assert found["ALLOWED_HOSTS"] == [host, "localhost", "127.0.0.1", "[::1]"]
    secure = url.lower().startswith("https")
    assert found["LANGUAGE_COOKIE_SECURE"] is found["CSRF_COOKIE_SECURE"] is found["SECURE_SSL_REDIRECT"] is secure
    assert bool(found["SECURE_HSTS_SECONDS"]) is secure


def test_an_invalid_setting_fails_a_command_with_one_sentence(tmp_path):
    ran = manage("check", VAR_DIR=tmp_path, PUBLIC_URL="cards.example")
    said = "PUBLIC_URL must be an address such as https://cards.example, not 'cards.example'."
    assert (ran.returncode, ran.stderr) == (1, f"A setting is wrong: {said}\n")


def test_var_dir_is_private(monkeypatch, tmp_path):
    found = settings(monkeypatch, tmp_path)
    assert found["VAR_DIR"].stat().st_mode & 0o777 == 0o700


def test_django_checks_pass(tmp_path):
    ran = manage("check", "--deploy", "--fail-level", "WARNING", VAR_DIR=tmp_path, PUBLIC_URL="https://cards.example")
    assert ran.returncode == 0, ran.stderr
    ran = manage("check", "--deploy", "--fail-level", "WARNING", VAR_DIR=tmp_path)
    assert ran.returncode == 1
    assert "PUBLIC_URL is not set" in ran.stderr
