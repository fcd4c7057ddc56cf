"""The certificate a laptop makes for itself: it stays as long as it serves, so that a phone is asked once."""

from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509

from deploy import certificate
from deploy.certificate import certificate_for, fingerprint


@pytest.fixture
def made(tmp_path):
    return certificate_for(["192.168.1.20", "localhost"], tmp_path / "https")


def test_it_names_what_it_is_made_for(made):
    names = x509.load_pem_x509_certificate(made[0].read_bytes()).extensions
    alternatives = names.get_extension_for_class(x509.SubjectAlternativeName).value
    assert alternatives.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(each) for each in alternatives.get_values_for_type(x509.IPAddress)] == ["192.168.1.20"]


def test_no_browser_refuses_it_for_its_length(made):
    read = x509.load_pem_x509_certificate(made[0].read_bytes())
    assert read.not_valid_before_utc < datetime.now(UTC) - timedelta(hours=23)
    assert read.not_valid_after_utc - read.not_valid_before_utc <= timedelta(days=398)


def test_it_stays_while_it_serves(made, tmp_path):
    before = fingerprint(made[0])
    assert certificate_for(["192.168.1.20"], tmp_path / "https") == made
    assert fingerprint(made[0]) == before


@pytest.mark.parametrize("names", [["192.168.1.21", "localhost"], ["table.local"]])
def test_another_address_takes_another_one(made, tmp_path, names):
    before = fingerprint(made[0])
    certificate_for(names, tmp_path / "https")
    assert fingerprint(made[0]) != before


def test_one_that_ends_soon_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(certificate, "KEPT", timedelta(days=20))
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
