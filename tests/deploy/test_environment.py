"""Settings from the environment: what is said is meant, and what is not said has a sensible default."""

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy.environment import flag, kept_secret, words


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("yes", True), ("TRUE", True), ("0", False), ("off", False), ("", False)]
)
def test_flags(monkeypatch, text, value):
    monkeypatch.setenv("FLAG", text)
    assert flag("FLAG") is value


def test_a_flag_nobody_set(monkeypatch):
    monkeypatch.delenv("FLAG", raising=False)
    assert flag("FLAG") is False
    assert flag("FLAG", default=True) is True


def test_a_flag_is_not_guessed(monkeypatch):
    monkeypatch.setenv("FLAG", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="FLAG must be 1 or 0"):
        flag("FLAG")


def test_words(monkeypatch):
    monkeypatch.setenv("HOSTS", " a.example, b.example ,")
    assert words("HOSTS") == ["a.example", "b.example"]
    monkeypatch.delenv("HOSTS")
    assert words("HOSTS", default="*") == ["*"]


def test_the_secret_is_kept_and_private(tmp_path):
    path = tmp_path / "var" / "secret_key"
    secret = kept_secret(path)
    assert len(secret) > 50
    assert kept_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_processes_that_start_together_agree_on_the_secret(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(kept_secret, [tmp_path / "secret_key"] * 8))) == 1


def test_an_empty_secret_is_an_error(tmp_path):
    (tmp_path / "secret_key").touch()
    with pytest.raises(ImproperlyConfigured, match="is empty"):
        kept_secret(tmp_path / "secret_key")
