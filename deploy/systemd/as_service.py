"""`as_service.py SETTINGS NAME=VALUE... COMMAND...`: does a command of `manage.py` as the service would.

It has the user of the service, and is told who asks, for the operator's log (`OPERATOR`). It has the variables that
stand in the file of its settings, too, read the way systemd reads them: a shell would make something else of a `$` or
a `&`, and then work on another database.
"""

import getpass
import os
import shlex
import sys
from pathlib import Path

CODE = Path(__file__).resolve().parent.parent.parent
USER = "card-table"


def read_settings(text: str) -> dict[str, str]:
    """Return the variables of an `EnvironmentFile`: a value ends with its line, and quotes around it are no part of it.

    >>> read_settings('# Ours\\nPUBLIC_URL="https://cards.example"\\n\\nDATABASE_URL=postgres://c:pa$$w@db/c?a=1&b=2')
    {'PUBLIC_URL': 'https://cards.example', 'DATABASE_URL': 'postgres://c:pa$$w@db/c?a=1&b=2'}
    """
    found = {}
    for line in map(str.strip, text.splitlines()):
        name, is_one, value = line.partition("=")
        if is_one and not line.startswith(("#", ";")):
            value = value.strip()
            found[name.strip()] = shlex.split(value)[0] if value[:1] in ("'", '"') else value
    return found


def who_asks() -> str:
    """Return who gives the command: who became root by `sudo`, else who has logged in, else whose process it is."""
    try:
        return os.environ.get("SUDO_USER") or os.getlogin()
    except OSError:  # there is no terminal, as with cron
        return getpass.getuser()


def main(file: str, *words: str) -> None:
    """Become the command; the settings of the file win over what stands before it."""
    before = [word for word in words if "=" in word and word.split("=")[0].isupper()]
    os.environ.update(dict(word.split("=", 1) for word in before))
    os.environ.update(read_settings(Path(file).read_text()))
    os.environ["OPERATOR"] = who_asks()
    os.chdir(CODE)
    command = [sys.executable, "manage.py", *words[len(before) :]]
    os.execvp("runuser", ["runuser", "-u", USER, "--", *command])


if __name__ == "__main__":
    main(*sys.argv[1:])
