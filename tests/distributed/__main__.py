"""Plays an evening on Citus, PostgreSQL distributed over nodes: `.venv/bin/python -m tests.distributed`.

It needs the Citus extension, which Debian does not package, so no test runs it. `docs/explanation/scale.md` records its
findings.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests import postgres
from tests.deploy.managing import ROOT
from tests.distributed.keys import IN_ONE_PLACE, KEYS
from tests.scoring.live.driving import free_port

SHARDS = 8


@contextmanager
def citus() -> Iterator[str]:
    """Start a PostgreSQL as a single Citus node; return the URL of a migrated database there."""
    port = free_port()
    postgres.SETTINGS.update(
        shared_preload_libraries="citus", listen_addresses="127.0.0.1", port=str(port), wal_level="logical",
        **{"citus.shard_count": str(SHARDS), "max_prepared_transactions": "50"},
    )  # fmt: skip
    os.environ.update(PGPORT=str(port))
    with postgres.Postgres.started() as server:
        name = server.create_database()
        with server.connect(name) as line:
            line.execute("CREATE EXTENSION citus")
            line.execute("SELECT citus_set_coordinator_host('127.0.0.1', %s)", [port])
            line.execute("SELECT citus_set_node_property('127.0.0.1', %s, 'shouldhaveshards', true)", [port])
        address = f"postgres://{postgres.SUPERUSER}@127.0.0.1:{port}/{name}"
        around = os.environ | {"DATABASE_URL": address}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=around, check=True)
        yield address


def spread(line: psycopg.Connection[Any]) -> None:
    """Distribute every table over the nodes, by table or group, or replicate it to all."""
    for name in IN_ONE_PLACE:
        _drop(line, name, lambda kind, _columns: kind == "f")
    for name, key in KEYS.items():
        _drop(line, name, lambda kind, columns, key=key: kind in "uf" and key not in columns)
        for (index,) in line.execute(
            "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass AND indisunique"
            " AND NOT indisprimary AND NOT (SELECT attnum FROM pg_attribute WHERE attrelid = indrelid AND attname = %s)"
            " = ANY (indkey)",
            [f"scoring_{name}", key],
        ).fetchall():
            line.execute(f"DROP INDEX {index}")
        if key != "id":
            _drop(line, name, lambda kind, _columns: kind == "p")
            line.execute(f"ALTER TABLE scoring_{name} ADD PRIMARY KEY (id, {key})")
    for name in IN_ONE_PLACE:
        line.execute("SELECT create_reference_table(%s)", [f"scoring_{name}"])
    for whole in ("table", "group"):
        line.execute("SELECT create_distributed_table(%s, 'id', colocate_with => 'none')", [f"scoring_{whole}"])
    for name, key in KEYS.items():
        if key != "id":
            line.execute(
                "SELECT create_distributed_table(%s, %s, colocate_with => %s)",
                [f"scoring_{name}", key, f"scoring_{key.removesuffix('_id')}"],
            )


def _drop(line: psycopg.Connection[Any], name: str, wanted: Callable[..., bool]) -> None:
    """Drop the constraints that cannot hold across nodes."""
    found = line.execute(
        "SELECT conname, contype::text, confrelid::regclass::text, ARRAY(SELECT attname::text FROM pg_attribute"
        " WHERE attrelid = conrelid AND attnum = ANY (conkey)) FROM pg_constraint WHERE conrelid = %s::regclass",
        [f"scoring_{name}"],
    ).fetchall()
    for constraint, kind, _other, columns in found:
        if wanted(kind, columns):
            line.execute(f'ALTER TABLE scoring_{name} DROP CONSTRAINT "{constraint}" CASCADE')


def play(address: str) -> int:
    """Play an evening through API and pages; return how many acts failed."""
    os.environ |= {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "deploy.settings", "VAR_DIR": tempfile.mkdtemp()}
    import django

    django.setup(set_prefix=False)
    from tests.distributed.evening import an_evening

    return an_evening()


if __name__ == "__main__":
    if not list(Path("/usr/share/postgresql").glob("*/extension/citus.control")):
        sys.exit("There is no Citus on this machine.")
    with citus() as address:
        with psycopg.connect(address, autocommit=True) as line:
            spread(line)
        sys.exit(1 if play(address) else 0)
