"""The page of commands shows each command as it is typed: everything that it takes, and nothing else."""

import re
from argparse import Action
from pathlib import Path

import pytest
from django.core.management import BaseCommand, get_commands, load_command_class

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/reference/commands.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
OWN = sorted(name for name, app in get_commands().items() if app == "scoring")


def taken(name: str) -> list[Action]:
    """Return what a command takes beside what every one of Django does."""
    of_all = {action.dest for action in BaseCommand().create_parser("manage.py", "")._actions}
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    return [action for action in parser._actions if action.dest not in of_all]


def typed(action: Action) -> str:
    """Return the pattern of what is typed for it: a word in capitals, some of them, an option with or without one."""
    if not action.option_strings:
        one = str(action.metavar or action.dest)
        return rf"\[{one} \.\.\.\]" if action.nargs == "*" else re.escape(one.upper())
    option = action.option_strings[-1] + ("" if action.nargs == 0 else r" [A-Z]+")
    return option if action.required else rf"\[{option}\]"


@pytest.mark.parametrize("name", OWN)
def test_a_command_stands_there_with_all_that_it_takes(name):
    shown = re.findall(rf"^\|[^|]*`({name}(?: [^`]*)?)`[^|]*\|", PAGE, re.MULTILINE)
    assert shown, "It has no row"
    assert re.fullmatch(" ".join([name, *map(typed, taken(name))]), shown[0]), (shown[0], taken(name))


def test_no_command_is_shown_with_what_it_does_not_take():
    """On any page, what follows `manage.py`; and on that of the commands, each of them."""
    known = get_commands()
    told = [line for page in PAGES for line in re.findall(r"manage\.py ([a-z]\w*[^`\n]*)", page.read_text())]
    told += [line for line in re.findall(r"`([^`\n]+)`", PAGE) if line.split()[0] in known]
    told = [line for line in told if line != "createsuperuser"]  # of Django, and there with `ADMIN=1` alone
    assert len(told) > 2 * len(OWN)
    for line in told:
        name, *words = line.split()
        assert name in known, line
        parser = load_command_class(known[name], name).create_parser("manage.py", name)
        options = {word.strip("[],.;") for word in words if word.strip("[").startswith("--")}
        assert options <= parser._option_string_actions.keys(), line
