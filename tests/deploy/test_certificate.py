"""The certificate a laptop makes for itself: it stays as long as it serves, so that a phone is asked once."""

import re
import subprocess
from ssl import cert_time_to_seconds

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy import certificate
from deploy.certificate import certificate_for, fingerprint


@pytest.fixture
def made(tmp_path):
    return certificate_for(["192.168.1.20", "localhost"], tmp_path / "https")


def text_of(path):
    return subprocess.run(["openssl", "x509", "-noout", "-text", "-in", path], capture_output=True, text=True).stdout


def test_it_names_what_it_is_made_for(made):
    told = text_of(made[0])
    assert "IP Address:192.168.1.20, DNS:localhost" in told
    assert "CA:FALSE" in told
    assert "CN = Card table at 192.168.1.20" in told
    assert [path.stat().st_mode & 0o777 for path in made] == [0o600, 0o600]


def test_no_browser_refuses_it_for_its_length(made):
    begins, ends = map(cert_time_to_seconds, re.findall(r"Not (?:Before|After) *: (.*)", text_of(made[0])))
    assert ends - begins <= 398 * 24 * 3600


def test_without_openssl_it_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ImproperlyConfigured, match="needs the program openssl"):
        certificate_for(["localhost"], tmp_path)


def test_it_stays_while_it_serves(made, tmp_path):
    before = fingerprint(made[0])
    assert certificate_for(["192.168.1.20", "localhost"], tmp_path / "https") == made
    assert fingerprint(made[0]) == before


@pytest.mark.parametrize("names", [["192.168.1.21", "localhost"], ["table.local"]])
def test_another_address_takes_another_one(made, tmp_path, names):
    before = fingerprint(made[0])
    certificate_for(names, tmp_path / "https")
    assert fingerprint(made[0]) != before


def test_one_that_ends_soon_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(certificate, "DAYS_KEPT", 20)
    before = fingerprint(certificate_for(["localhost"], tmp_path)[0])
    assert fingerprint(certificate_for(["localhost"], tmp_path)[0]) != before


@pytest.mark.parametrize("lost", ["certificate.pem", "key.pem"])
def test_what_is_half_lost_or_broken_is_made_anew(made, tmp_path, lost):
    before = fingerprint(made[0])
    (tmp_path / "https" / lost).unlink()
    certificate_for(["localhost"], tmp_path / "https")
    assert fingerprint(made[0]) != before
    made[0].write_text("not a certificate")
    certificate_for(["localhost"], tmp_path / "https")
    assert len(fingerprint(made[0])) == 95
