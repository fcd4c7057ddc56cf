"""A certificate made on the spot, for a laptop beside a card table that has no name of its own.

Nobody vouches for it, so every browser warns once. Whoever accepts it has a secure address: the screen stays awake by
the browser's own means, and cards can be dictated. What it does not bring: browsers start no service worker behind a
certificate they only tolerate, so pages open without a network only where the certificate was installed as trusted.
"""

import subprocess
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from ssl import PEM_cert_to_DER_cert

from django.core.exceptions import ImproperlyConfigured

DAYS_KEPT = 397  # browsers refuse what is valid for longer
SECONDS_BEFORE_RENEWAL = 30 * 24 * 3600
CONFIGURATION = """
[req]
prompt = no
distinguished_name = subject
x509_extensions = extensions
[subject]
# A phone tells its certificates apart by this name.
CN = Card table at {first}
[extensions]
subjectAltName = {names}
basicConstraints = critical, CA:FALSE
extendedKeyUsage = serverAuth
"""


def certificate_for(names: list[str], folder: Path) -> tuple[Path, Path]:
    """Return the files of a certificate for these names and addresses, and of its key; made anew when need be.

    The same certificate stays as long as it can, so that a phone is asked once. Both files are the owner's alone.
    """
    kept, key, configuration = folder / "certificate.pem", folder / "key.pem", folder / "openssl.cnf"
    wanted = CONFIGURATION.format(first=names[0], names=", ".join(map(_general, names)))
    lasts = ("x509", "-noout", "-in", str(kept), "-checkend", str(SECONDS_BEFORE_RENEWAL))
    stays = key.exists() and configuration.exists() and configuration.read_text() == wanted and not _openssl(*lasts)
    if not stays:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        configuration.write_text(wanted)
        made = ("-x509", "-days", str(DAYS_KEPT), "-config", str(configuration), "-out", str(kept))
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", str(key))
        if _openssl("req", *made, *curve):
            raise ImproperlyConfigured("HTTPS=1: the program openssl has made no certificate.")
    return kept, key


def fingerprint(certificate: Path) -> str:
    """Return what browsers show of a certificate, so that people can see that it is this one."""
    return sha256(PEM_cert_to_DER_cert(certificate.read_text())).digest().hex(":").upper()


def _openssl(*words: str) -> int:
    """Run openssl and return its code; what it writes is its owner's alone."""
    try:
        return subprocess.run(["openssl", *words], capture_output=True, umask=0o077, check=False).returncode
    except FileNotFoundError:
        raise ImproperlyConfigured("HTTPS=1 needs the program openssl, which makes the certificate.") from None


def _general(name: str) -> str:
    try:
        return f"IP:{ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"
