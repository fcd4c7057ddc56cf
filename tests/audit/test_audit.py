"""An audit that could not run says so and fails."""

import json
from types import SimpleNamespace

import pytest

from tests.audit import __main__ as audit
from tests.audit.__main__ import BLIND, CLEAN, HOLES, verdict

FINE = {"name": "django", "version": "5.2.1", "vulns": []}
UNSEEN = {"name": "segno", "skip_reason": "Dependency not found on PyPI and could not be audited: segno (1.6.6)"}
HOLED = {"name": "jinja2", "version": "3.1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3.1.6"]}]}


@pytest.mark.parametrize(
    ("looked", "ended", "says"),
    [
        ([FINE], CLEAN, "No hole is known in any of 1 packages."),
        ([FINE, UNSEEN], BLIND, "Could not look at 1 of 2 packages: segno."),
        ([], BLIND, "Could not look at 0 of 0 packages: none is named."),
        ([FINE, HOLED], HOLES, "jinja2 3.1.0: PYSEC-1, mended in 3.1.6"),
        ([UNSEEN, HOLED], HOLES, "Could not look at 1 of 2 packages: segno."),
    ],
)
def test_the_audit_lists_the_vulnerabilities_it_found(looked, ended, says):
    found = verdict(json.dumps({"dependencies": looked}), "No known vulnerabilities found")
    assert found[0] == ended
    assert says in found[1]


@pytest.mark.parametrize("printed", ["", "{}", "null", "Traceback"])
def test_an_audit_that_could_not_run_says_so(printed):
    ended, said = verdict(printed, "Traceback ...\nConnectionError: Failed to resolve 'pypi.org'\n")
    assert (ended, said) == (BLIND, ["Could not look: ConnectionError: Failed to resolve 'pypi.org'"])


@pytest.mark.parametrize(("looked", "ended"), [([FINE], CLEAN), ([HOLED], HOLES), ([UNSEEN], BLIND)])
def test_the_exit_status_is_the_worst_of_all_locks(monkeypatch, looked, ended):
    answers = iter([json.dumps({"dependencies": looked}), json.dumps({"dependencies": [FINE]})])
    ran = SimpleNamespace(run=lambda *_, **__: SimpleNamespace(stdout=next(answers), stderr=""))
    monkeypatch.setattr(audit, "subprocess", ran)
    assert audit.main(["requirements.txt", "tests/requirements.txt"]) == ended
