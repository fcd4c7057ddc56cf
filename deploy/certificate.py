"""A certificate made on the spot, for a laptop beside a card table that has no name of its own.

Nobody vouches for it, so every browser warns once. Whoever accepts it has a secure address: the screen stays awake by
the browser's own means, and cards can be dictated. What it does not bring: browsers start no service worker behind a
certificate they only tolerate, so pages open without a network only where the certificate was installed as trusted.
"""

import os
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

KEPT = timedelta(days=397)  # browsers refuse what is valid for longer
RENEWED_BEFORE = timedelta(days=30)


def certificate_for(names: list[str], folder: Path) -> tuple[Path, Path]:
    """Return the files of a certificate for these names and addresses, and of its key; made anew when need be.

    The same certificate stays as long as it can, so that a phone is asked once. Both files are the owner's alone.
    """
    kept, key = folder / "certificate.pem", folder / "key.pem"
    if not (kept.exists() and key.exists() and _serves(names, kept)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(names, kept, key)
    return kept, key


def fingerprint(certificate: Path) -> str:
    """Return what browsers show of a certificate, so that people can see that it is this one."""
    found = x509.load_pem_x509_certificate(certificate.read_bytes())
    return found.fingerprint(hashes.SHA256()).hex(":").upper()


def _serves(names: list[str], path: Path) -> bool:
    try:
        kept = x509.load_pem_x509_certificate(path.read_bytes())
        named = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    lasts = kept.not_valid_after_utc - datetime.now(UTC) > RENEWED_BEFORE
    return lasts and all(_general(name) in named for name in names)


def _make(names: list[str], path: Path, key_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    # A phone tells its certificates apart by this name.
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Card table at {names[0]}")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind
        .not_valid_after(now - timedelta(days=1) + KEPT)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write(path, certificate.public_bytes(serialization.Encoding.PEM))
    _write(
        key_path,
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
    )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _write(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
